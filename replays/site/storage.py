"""How the static files are stored that a browser may keep for ever."""

from __future__ import annotations

from typing import Any

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

LARGE = 200_000
"""Bytes from which a file is compressed less closely: all of Pyodide would take 45 seconds of CPU, to be a
seventh smaller; this way half a second."""


class _Compressor(Compressor):
    """The compressor of WhiteNoise, which is quick with large files."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        return brotli.compress(data, quality=11 if len(data) < LARGE else 5)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """The storage of WhiteNoise, which also writes the hashed names into the imports of the scripts."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 10
    """One for each of the seven levels of imports: a name changes with the names that it imports."""

    def create_compressor(self, **options: Any) -> Compressor:
        return _Compressor(**options)
