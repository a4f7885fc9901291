"""The maze that the marble game is played on, unless somebody has taught another."""

from pathlib import Path

#: The file that comes along.
FILE = Path(__file__).with_name("marbles.toml")
