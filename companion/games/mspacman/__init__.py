"""The Ms. Pac-Man game of 1983."""
