"""The replay page as HTML, written by plain functions; what other pages show, too, comes from the parts in
`templates/parts/`.
"""
