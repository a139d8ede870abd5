"""The queries behind the pages, the API and the downloads, one module per subject. Most functions make a
fixed number of queries. Functions that take a viewer return only what the viewer may see. `archive.storing`,
`archive.publishing`, tokens, commands and the operator's admin make their own queries."""
