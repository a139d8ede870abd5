"""The queries behind pages, API and downloads: a module for each subject, each query once, in a fixed number.

Where a viewer is given they return what he may see, and no more. `archive.storing` and `archive.publishing`
look up the rows that they change or send themselves; so do tokens, commands and the operator's admin.
"""
