"""`python -m tarock` is the command `tarock`."""

import sys

from tarock.cli import main

sys.exit(main())
