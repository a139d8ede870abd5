"""Serializers for query parameters, request bodies and responses, by subject. They format values from the
archive and the engine, and compute nothing themselves. Serializers for the engine's values, such as a
position or a finding, are generated from the engine's classes (`api.values`).
"""
