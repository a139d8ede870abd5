"""The queries behind the pages, the API and the downloads, one module per subject. Each function makes a
fixed number of queries. Functions with a viewer return only what the viewer may see. `archive.storing` and
`archive.publishing` have their own queries for the rows that they change or send, and so do tokens, commands
and the operator's admin."""
