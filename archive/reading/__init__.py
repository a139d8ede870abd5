"""The queries of pages, API and downloads, one module per subject. Each function takes a fixed number of
queries. Functions with a viewer return only what the viewer may see. `archive.storing` and
`archive.publishing` query the rows that they change or send themselves; so do tokens, commands and the
operator's admin.
"""
