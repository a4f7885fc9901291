"""Quoridor, for two and for four."""
