"""The page: what any phone in the house sees, and how it asks the table for things.

It receives immutable snapshots through a :class:`~companion.web.hub.Hub` and posts commands; it
decides nothing about the game and never talks to sensors.
"""

from companion.web.factory import create_app
from companion.web.hub import Hub
from companion.web.serve import Server, serve
from companion.web.state import board_json, state_json

__all__ = ["Hub", "Server", "board_json", "create_app", "serve", "state_json"]
