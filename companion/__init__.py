"""A referee that sits beside a real board: it sees every move, checks it, and says why."""

__version__ = "0.1.0"
