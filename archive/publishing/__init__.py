"""Data that leaves the archive: exports, dumps and their restore, webhooks, mails and certificates."""
