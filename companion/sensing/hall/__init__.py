"""The hall grid: its line, its protocol, and what its values say of the board."""
