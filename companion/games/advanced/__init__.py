"""Quoridor PAC-MAN, the advanced variant."""
