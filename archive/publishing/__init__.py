"""What leaves the archive: exports, dumps and their restore, webhooks, certificates."""
