"""Queries, request bodies and responses, by subject. Serializers show values of the archive and the engine
and compute nothing. Serializers for values of the engine (a position, a finding) are generated from its
classes (`api.values`).
"""
