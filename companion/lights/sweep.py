"""A test of a strip: every colour by itself, every light by itself, and some squares."""

from collections.abc import Iterator

from companion.board import Board
from companion.lights.paint import Lit, facing
from companion.lights.palette import WHITE
from companion.lights.strip import Colour

PLAIN: dict[str, Colour] = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}
_SQUARES = ("a1", "i1", "e5", "a9", "i9")


def sweep(board: Board) -> Iterator[tuple[str, Lit]]:
    """Yield the steps of the test: what people should see now, and the lights of it."""
    names = board.lights.names
    for name, colour in PLAIN.items():
        yield f"all lights are {name}", dict.fromkeys(names, colour)
    for name in sorted(names, key=names.__getitem__):
        yield f"LED {names[name]} is {name}, {meaning(name)}", {name: WHITE}
    for square in _SQUARES:
        yield f"this is {square}", dict.fromkeys(facing(board, square), WHITE)
    yield "all lights are off", {}


def meaning(name: str) -> str:
    """Return in words what a light is there for."""
    number = name[1:]
    match name[0]:
        case "N" | "S":
            side = "north" if name[0] == "N" else "south"
            return f"on the {side} side, at column {'abcdefghi'[int(number) - 1]}"
        case "W" | "E":
            return f"on the {'west' if name[0] == 'W' else 'east'} side, at row {number}"
        case "L":
            return f"life {number}"
    return f"under {name}"
