"""The service: one loop that owns the game, and what it is wired to."""
