"""Quoridor PAC-MAN, the special variant."""
