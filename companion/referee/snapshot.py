"""The immutable picture of the table that lights, page and everything else outside receive."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.board import Change, Spot, Thing
from companion.device import DeviceView
from companion.referee.verdict import Verdict
from companion.rules.game import Move, Outcome, Seat


@dataclass(frozen=True)
class SeatView:
    """One seat as everybody may see it. ``piece`` is the pawn on the board that it plays; the
    companion plays it itself when it has a ``level``."""

    name: str
    piece: Thing
    colour: tuple[int, int, int]
    fences: int
    level: int | None = None


@dataclass(frozen=True)
class Snapshot:
    """The table at one moment. ``number`` grows with every published change.

    ``position`` is the agreed position with real piece names; ``seen`` what the sensors show
    where that differs. ``tallies`` count for each seat what the game counts: fences, lives,
    pellets; ``sight`` has for each ghost that sees Pac-Man the squares between them. ``legal`` are
    the moves of the seat to act; ``thinking`` says that the companion looks for one; ``lifted`` is
    the piece that is felt to be in somebody's hand; ``setting_up`` says that what lies on the
    board is no move, because the table is being set up.
    """

    number: int
    game: str
    game_id: int
    options: Mapping[str, str]
    seats: tuple[SeatView, ...]
    to_act: Seat | None
    position: Mapping[Spot, Thing]
    moves: tuple[Move, ...]
    legal: tuple[Move, ...]
    last_changes: tuple[Change, ...]
    verdict: Verdict
    outcome: Outcome | None
    devices: tuple[DeviceView, ...]
    simulated: bool
    tallies: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sight: Mapping[Thing, tuple[Spot, ...]] = field(default_factory=dict)
    thinking: bool = False
    lifted: Thing | None = None
    setting_up: bool = False
