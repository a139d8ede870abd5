"""Build the kernel for endings: `archive/kernel/kernel.wasm` from `kernel.c` in the same folder.

The compiler is the pinned `ziglang` (extra `kernel`), which gives the same bytes on every machine.
`SHA256SUMS` has the hashes of both files. With `--check`, compare the result with the stored module, and
write nothing.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "archive" / "kernel"
SOURCE, MODULE, SUMS = (FOLDER / name for name in ("kernel.c", "kernel.wasm", "SHA256SUMS"))
_EXPORTS = ("solve", "input_place", "output_place")
_FLAGS = (
    *("-target", "wasm32-freestanding", "-O3", "-Wall", "-Wextra", "-Werror"),
    *("-nostdlib", "-Wl,--no-entry", "-Wl,--strip-all"),
)


def build() -> bytes:
    """Return the module that the compiler makes of the source."""
    with tempfile.TemporaryDirectory() as folder:
        # Compile a copy in the current folder, because the compiler may write paths into the module.
        shutil.copy(SOURCE, folder)
        exports = [f"-Wl,--export={name}" for name in _EXPORTS]
        command = [sys.executable, "-m", "ziglang", "cc", *_FLAGS, *exports, "-o", MODULE.name, SOURCE.name]
        subprocess.run(command, check=True, cwd=folder)
        return (Path(folder) / MODULE.name).read_bytes()


def sums() -> str:
    """Return the hashes of source and module, as `sha256sum` prints them."""
    files = (SOURCE, MODULE)
    return "".join(f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in files)


def main() -> str | None:
    """Build and store the module, or compare it. Return an error message, if there is one."""
    module = build()
    if "--check" not in sys.argv[1:]:
        MODULE.write_bytes(module)
        SUMS.write_text(sums(), encoding="utf-8")
    elif (module, sums()) != (MODULE.read_bytes(), SUMS.read_text(encoding="utf-8")):
        return f"{MODULE.name} is not what the compiler makes of {SOURCE.name}: run `make kernel`"
    return None


if __name__ == "__main__":
    sys.exit(main())
