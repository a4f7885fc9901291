"""What people can ask of the table from the page or the panel; the loop obeys one at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.board import Thing
from companion.corners import Corners
from companion.rules.game import Move, Seat


@dataclass(frozen=True)
class NewGame:
    """Put the running game away and start another; ``levels`` are of the seats nobody sits in."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[str, ...] = ()
    levels: Mapping[Seat, int] = field(default_factory=dict)


@dataclass(frozen=True)
class TakeBack:
    """Take the last move back."""


@dataclass(frozen=True)
class Answer:
    """Say which of the moves in question was played; an empty move means none of them."""

    move: Move


@dataclass(frozen=True)
class EnterMove:
    """Play a move from the page; the board is then to follow."""

    move: Move


@dataclass(frozen=True)
class LookAgain:
    """The board is right and the sensors are wrong: disregard what they say where they differ."""


@dataclass(frozen=True)
class AgreeDraw:
    """The players agree to a draw."""


@dataclass(frozen=True)
class UseCorners:
    """Say where the board lies in the camera's picture; without corners, only markers count."""

    corners: Corners | None


@dataclass(frozen=True)
class OpenStep:
    """Somebody is at this step of setting the table up, and stays while this is repeated; without
    a name, at none any more."""

    step: str


@dataclass(frozen=True)
class MarkStep:
    """Note that a step of setting up, or each that is open (``all``), is ``done`` or ``skipped``,
    or to be gone through again (``open``)."""

    step: str
    mark: str


@dataclass(frozen=True)
class TakeBaseline:
    """Measure what the hall grid feels of an empty board; ``sure`` that it is empty, whatever is
    felt."""

    sure: bool = False


@dataclass(frozen=True)
class MeasurePiece:
    """Measure the magnet of this piece, which stands alone on the board."""

    piece: Thing


@dataclass(frozen=True)
class TryLights:
    """Show one of the trials of the lights; without a name, the game again. ``right`` names the
    one that was shown until now, if somebody saw it to be right."""

    trial: str
    right: str = ""


@dataclass(frozen=True)
class Refocus:
    """Have the camera find its focus, and what else it holds, anew."""


SetUp = OpenStep | MarkStep | TakeBaseline | MeasurePiece | TryLights | Refocus
Command = NewGame | TakeBack | Answer | EnterMove | LookAgain | AgreeDraw | UseCorners | SetUp
