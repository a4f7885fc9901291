"""The PAC-MAN card game."""
