"""The folder in which the processes of a web server share their metrics (`deploy.instruments`)."""

import os
from pathlib import Path

from deploy import paths


def make() -> Path:
    """Create and return the folder. Unless `PROMETHEUS_MULTIPROC_DIR` is set, set it to the folder, because
    prometheus_client reads it."""
    own = str(paths.var_dir() / f"metrics-{os.environ.get('PORT', '8000')}")
    folder = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", own))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
