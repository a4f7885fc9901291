"""Everything the companion knows of a game: one folder each, and what several of them share."""
