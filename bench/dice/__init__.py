"""Draws dice, trains the net that reads them, and scores it: ``python -m bench.dice FOLDER``."""
