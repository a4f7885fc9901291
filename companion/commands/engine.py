"""``companion engine GAME``: UGI on standard input and output."""

import io
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from random import Random

from companion.engine.server import Engine, serve
from companion.errors import OptionError
from companion.games.catalogue import KITS, find_game
from companion.games.game import Game


def add_arguments(parser: ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(KITS)}")
    parser.add_argument("--players", type=int, metavar="N", help="how many play")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="repeatable"
    )
    parser.add_argument("--seed", type=int, help="makes its choices between equal moves repeatable")


def run(args: Namespace) -> int:
    """Speak UGI until quit or the end of the input."""
    game = find_game(args.game)
    options = read_options(game, args.option, args.players)
    engine = Engine(game, time.monotonic, Random(args.seed), options)
    if isinstance(sys.stdin, io.TextIOWrapper):  # a stray byte is a bad line, not the end
        sys.stdin.reconfigure(errors="replace")
    serve(engine, sys.stdin, sys.stdout)
    return 0


def read_options(game: Game, given: Sequence[str], players: int | None) -> dict[str, str]:
    """Return the options that words like ``level=2`` name; ``players`` may stand on its own."""
    options: dict[str, str] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise OptionError(f"expected an option such as name=value, not {word!r}")
        options[name] = value
    if players is not None:
        if "players" in game.options:
            options["players"] = str(players)
        elif players != game.seats:
            raise OptionError(f"{game.name} is played by {game.seats}, not by {players}")
    return options
