"""How the static files are stored that a browser may keep for ever."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """The storage of WhiteNoise, which also writes the hashed names into the imports of the scripts."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 10
    """One for each floor of imports, of which there are seven: a name changes with those that it imports."""
