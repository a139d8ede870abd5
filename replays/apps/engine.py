"""The engine for the browser: Pyodide's files, and the package `tarock` with the kernel for endings as a zip.
The URLs of the zip and the worker contain the engine's version, so a phone never mixes files of two
versions."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.templatetags.static import static

import archive.kernel
import tarock
from replays.site.jinja import written
from replays.site.paths import path

PYODIDE = "replays/pyodide-314.0.7/"
"""Path of Pyodide's folder within the static files."""

_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Names of the files that Pyodide's loader requests from `PYODIDE`."""

_PACKAGE = Path(tarock.__file__).parent
_KERNEL = Path(archive.kernel.__file__).parent / "kernel.wasm"
_LEFT_OUT = ("cli", "tables", "certificates.py", "__main__.py", "__pycache__")
"""Names of files and folders left out of the zip because the browser does not need them."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The browser's engine: zip, worker script, and a version, which is a hash of both."""

    zip: bytes
    worker: str
    version: str


@cache
def engine() -> Engine:
    """Return the engine for the browser. The first call in a process builds it, which takes 0.1 s."""
    packed, digest = io.BytesIO(), hashlib.sha256()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for file in [*sorted(_PACKAGE.rglob("*")), _KERNEL]:
            inside = file.relative_to(_KERNEL.parent if file == _KERNEL else _PACKAGE.parent)
            if file.suffix in (".py", ".json", ".wasm") and not set(inside.parts) & {*_LEFT_OUT}:
                # Leave out modification times, so the same files always give the same bytes.
                name, contents = zipfile.ZipInfo(inside.as_posix()), file.read_bytes()
                files.writestr(name, contents, zipfile.ZIP_DEFLATED)
                # Hash the contents, because the compressed bytes depend on the machine's zlib.
                digest.update(f"{inside.as_posix()} {len(contents)} ".encode() + contents)
    worker = written("engine-worker.js", {"folder": _folder()})
    digest.update(worker.encode())
    return Engine(packed.getvalue(), worker, digest.hexdigest()[:16])


def _folder() -> str:
    """Return the URL of Pyodide's folder. Pyodide requests the files in it by plain names without a hash."""
    return static(f"{PYODIDE}pyodide.mjs").rpartition("/")[0] + "/"


@cache
def _size() -> int:
    """Return the total size of Pyodide's files in bytes, before HTTP compression."""
    folder = Path(__file__).resolve().parents[1] / "static" / PYODIDE
    return sum((folder / name).stat().st_size for name in _FILES)


def description() -> dict[str, Any]:
    """Return what `engine.js` needs: the engine's version, the URLs and total size in bytes of its files, the
    URL of the engine on the server, and a URL whose response sets the CSRF cookie."""
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
