"""The rules of the games: pure values, one module per game. :mod:`companion.games` lists them."""
