"""The PAC-MAN marble game of 1982."""
