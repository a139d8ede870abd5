"""The engine for the browser: Pyodide's files, and the package `tarock` as a zip. The URL of the zip contains
its version, so a phone never mixes files of two versions."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.templatetags.static import static

import tarock
from replays.site.jinja import written
from replays.site.paths import path

PYODIDE = "replays/pyodide-314.0.7/"
"""Pyodide's folder in the static files."""

_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Files that Pyodide's loader requests."""

_PACKAGE = Path(tarock.__file__).parent
_LEFT_OUT = ("cli", "certificates.py", "__main__.py", "__pycache__")
"""Parts of the package that only the command line needs."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine for the browser: the package as a zip, the script of its worker, and the version of both."""

    zip: bytes
    worker: str
    version: str


@cache
def engine() -> Engine:
    """Return the engine for this process. The first call builds it in 0.1 s."""
    packed, digest = io.BytesIO(), hashlib.sha256()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for file in sorted(_PACKAGE.rglob("*")):
            inside = file.relative_to(_PACKAGE)
            if file.suffix in (".py", ".json") and not set(inside.parts) & {*_LEFT_OUT}:
                # Leave out modification times, so the same files always give the same bytes.
                name, contents = zipfile.ZipInfo(f"tarock/{inside.as_posix()}"), file.read_bytes()
                files.writestr(name, contents, zipfile.ZIP_DEFLATED)
                # Hash the contents, because the compressed bytes depend on the machine's zlib.
                digest.update(f"{inside.as_posix()} {len(contents)} ".encode() + contents)
    worker = written("engine-worker.js", {"folder": _folder()})
    digest.update(worker.encode())
    return Engine(packed.getvalue(), worker, digest.hexdigest()[:16])


def _folder() -> str:
    """Return the URL of the Pyodide folder. Its files have no hash in their names."""
    return static(f"{PYODIDE}pyodide.mjs").rpartition("/")[0] + "/"


@cache
def _size() -> int:
    """Return the size of Pyodide's files in bytes, before HTTP compression."""
    folder = Path(__file__).resolve().parents[1] / "static" / PYODIDE
    return sum((folder / name).stat().st_size for name in _FILES)


def description() -> dict[str, Any]:
    """Return the engine's version, worker, files, and size in bytes, and the URLs requested by its script."""
    made = engine()
    worker = path("engine-worker", made.version)
    return {
        "version": made.version,
        "worker": worker,
        "files": [worker, path("engine-zip", made.version), *(_folder() + name for name in _FILES)],
        "bytes": len(made.worker.encode()) + len(made.zip) + _size(),
        "ask": path("evenings-ask"),
        "token": path("evenings-start"),
    }
