"""Output of the archive: exports, dumps and their restore, webhooks, certificates."""
