"""The long parts of the pages as HTML: the table, the list of moves, the chart, the countings.

They hold hundreds of cards, rows and links, and are written by plain functions, since a template engine takes
ten times as long for them. Whatever comes from a record or a database goes through `esc`; what is translated
comes from our own catalogues and is HTML already, as in templates.
"""
