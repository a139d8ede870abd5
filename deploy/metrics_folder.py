"""The folder in which the processes of a web server share their metrics (`deploy.instruments`)."""

import os
from pathlib import Path

from deploy import paths


def make() -> Path:
    """Create the folder and return it. Set `PROMETHEUS_MULTIPROC_DIR`, which prometheus_client reads, if it
    is not set."""
    own = str(paths.var_dir() / f"metrics-{os.environ.get('PORT', '8000')}")
    folder = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", own))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
