"""The immutable picture of the table that lights, page and everything else outside receive."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.board import Change, DeviceView, Spot, Thing
from companion.games.game import Actor, Chance, Choice, Move, Outcome, Seat, View
from companion.games.kit import Meter
from companion.referee.verdict import Verdict
from companion.service.places import Places


@dataclass(frozen=True)
class SeatView:
    """One seat as everybody may see it. ``piece`` is the pawn on the board that it plays; the
    companion plays it itself when it has a ``level``. ``meters`` show what the game counts, and
    ``lamp`` is what the lights say of the seat besides."""

    name: str
    piece: Thing
    colour: tuple[int, int, int]
    level: int | None = None
    meters: tuple[Meter, ...] = ()
    lamp: str = ""


@dataclass(frozen=True)
class Snapshot:
    """The table at one moment, as everybody may see it. ``number`` grows with every published
    change. In a game with hidden hands moves are as everybody may read them, and nobody is told the
    ``choices``; then there are ``places``, ``shown`` lies open, and ``story`` is what has happened.

    ``position`` is the agreed position with real piece names. ``tallies`` count for each seat what
    the game counts: fences, lives, pellets; ``sight`` has for each ghost that sees Pac-Man the
    squares between them. ``choices`` are the moves of whoever is to act, with what each does;
    ``movers`` says who made each move, ``begins`` which of them, and of the one to come, are the
    first of a turn; ``last_told`` what the last one did. ``unsaid`` is the move that leaves no
    trace on the board, which the confirm button makes, and ``then`` what may follow it. ``chance``
    is what to do while dice, spinner or deck are to act, ``advice`` what to drag on the simulated
    table.
    ``thinking`` says that the companion looks for a move; ``lifted`` is the piece that is felt to
    be in somebody's hand; ``setting_up`` says that what lies on the board is no move, because the
    table is being set up.
    """

    number: int
    game: str
    game_id: int
    options: Mapping[str, str]
    seats: tuple[SeatView, ...]
    to_act: Actor | None
    position: Mapping[Spot, Thing]
    moves: tuple[Move, ...]
    choices: tuple[Choice, ...]
    last_changes: tuple[Change, ...]
    verdict: Verdict
    outcome: Outcome | None
    devices: tuple[DeviceView, ...]
    simulated: bool
    tallies: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sight: Mapping[Thing, tuple[Spot, ...]] = field(default_factory=dict)
    movers: tuple[Actor, ...] = ()
    begins: tuple[bool, ...] = ()
    last_told: str = ""
    unsaid: Move = ""
    then: tuple[Choice, ...] = ()
    chance: str = ""
    advice: str = ""
    thinking: bool = False
    lifted: Thing | None = None
    setting_up: bool = False
    places: Places | None = None
    shown: View = field(default_factory=dict)
    story: tuple[str, ...] = ()

    @property
    def on_board(self) -> bool:
        """Tell whether the game is played on the board."""
        return self.places is None

    @property
    def seat_to_act(self) -> Seat | None:
        """Return the seat to act; None when chance is, or nobody."""
        return None if isinstance(self.to_act, Chance) else self.to_act

    @property
    def acting(self) -> SeatView | None:
        """Return who sits in the seat to act; None when chance is to act, or nobody."""
        return None if self.seat_to_act is None else self.seats[self.seat_to_act]

    @property
    def last_mover(self) -> SeatView | None:
        """Return who made the last move; None before it, and when that was chance."""
        last = self.movers[-1] if self.movers else None
        return None if last is None or isinstance(last, Chance) else self.seats[last]


@dataclass(frozen=True, repr=False)
class Private:
    """What each seat alone may see while the game has so many ``moves``: only ever given out seat
    by seat, to the phone that came by that seat's link."""

    game_id: int
    number: int
    moves: int
    is_over: bool
    places: Places
    levels: tuple[int | None, ...]
    hands: tuple[View, ...]

    def __repr__(self) -> str:
        """Return no secret, wherever it is printed."""
        return f"Private(game_id={self.game_id}, number={self.number})"
