"""Data that leaves the archive: exports, dumps (and restoring from dumps), webhooks, mails and
certificates."""
