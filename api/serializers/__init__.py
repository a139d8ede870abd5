"""Queries, bodies and answers, by subject. A serializer shows what the archive holds and the engine found; it
works nothing out.

Those for values of the engine (a position, a finding) are made from its classes (`api.values`).
"""
