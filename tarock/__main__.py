"""Entry point for `python -m tarock`, which is the same as the command `tarock`."""

import sys

from tarock.cli import main

sys.exit(main())
