"""Entry point for `python -m tarock`, which runs the command `tarock`."""

import sys

from tarock.cli import main

sys.exit(main())
