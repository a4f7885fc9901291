"""Boards, mazes, layouts and decks as data: the files, and who reads and draws them."""
