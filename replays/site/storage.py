"""Storage for static files, which browsers may cache forever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

LARGE = 200_000
"""Minimum size, in bytes, of files that are compressed at a lower level. The highest level would take 45
seconds of CPU time for Pyodide and make its files a seventh smaller; the lower one takes half a second."""
_HASHED = re.compile(r"\.[0-9a-f]{12}\.")


class _Compressor(Compressor):
    """WhiteNoise's compressor, but faster for large files."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        return brotli.compress(data, quality=11 if len(data) < LARGE else 5)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage, which also writes the hashed names into the scripts' imports."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 10
    """A file's name depends on the names it imports, so each of the seven levels of imports needs a pass."""

    def create_compressor(self, **options: Any) -> Compressor:
        return _Compressor(**options)

    def compress_files(self, paths: set[str]) -> Iterator[tuple[str, str]]:
        """Compress only the names that browsers ask for, which takes half the time: those with a hash, but
        Pyodide's without, because its loader doesn't know the hashes."""
        asked = {path for path in paths if bool(_HASHED.search(path)) != ("/pyodide-" in path)}
        yield from super().compress_files(asked)
