"""What other packages know of a game: one frozen record, filled in by the game's own folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.board import Thing
from companion.boards.paper import Prints
from companion.games.game import Effect, Game, Move, Seat, State, View
from companion.players.player import Player

#: Says what is good about a legal move; names stand for the seats.
Reason = Callable[[State, Move, Sequence[str]], str]


@dataclass(frozen=True)
class Part:
    """A seat whose part cannot be chosen: what it is called, and the piece that shows it."""

    name: str
    piece: Thing


@dataclass(frozen=True)
class Words:
    """An option in words: its label, what its values are called, whether it is a house rule.

    One with the values ``no`` and ``yes`` is a sentence to agree to. What the page asks in its own
    way, or what makes no difference, is not ``asked``.
    """

    label: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    house: bool = False
    asked: bool = True


@dataclass(frozen=True)
class Meter:
    """Something counted for a seat: a token for each thing, lit while it is there.

    ``text`` says the count in words, ``note`` a word beside it. The lights show the share that is
    left of the first meter that is a ``gauge``.
    """

    tokens: tuple[tuple[Thing, bool], ...]
    text: str
    note: str = ""
    gauge: bool = False

    @property
    def share(self) -> float:
        """Return the share that is left; all of nothing when there never was anything."""
        return sum(here for _, here in self.tokens) / len(self.tokens) if self.tokens else 1.0


@dataclass(frozen=True)
class Trial:
    """Something to try that is not allowed, after some moves that lead up to it."""

    wrong: Effect
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Scene:
    """What the simulated table can show by itself: its button, what is said of it, and how to get
    at it from a state; raises CompanionError where it cannot be shown."""

    label: str
    text: str
    plan: Callable[[State], Trial]


@dataclass(frozen=True)
class DataKind:
    """A kind of file that a game is played on: how to load, check, describe, draw and print one.

    Games may share a kind; each ``fits`` its own files.
    """

    name: str
    load: Callable[[Path], Any]
    check: Callable[[Path], list[str]]
    facts: Callable[[Any], dict[str, Any]]
    size: Callable[[Any], str]
    text: Callable[[Any], str]
    svg: Callable[[Any], str] | None = None
    prints: Prints | None = None
    fits: Callable[[Any], bool] = lambda value: True


def _no_meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    return ()


@dataclass(frozen=True)
class Hands:
    """A game of hidden hands, played on phones, without the board.

    ``table`` returns what everybody may see and ``hand`` what one seat alone, in words and ready as
    JSON. ``lamp`` says what the lights show of a seat: that it ``skips``, is ``down`` or ``out``;
    nothing else. ``colours`` are those of the seats, in turn order.
    """

    table: Callable[[State, Sequence[str]], View]
    hand: Callable[[State, Seat, Sequence[str]], View]
    lamp: Callable[[State, Seat], str]
    colours: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Kit:
    """A game as everybody else sees it.

    A game ``at_table`` is refereed on the board: either every seat has its ``parts``, or people
    choose among the board's pieces, ``usual`` first. ``others`` are pieces that play under their
    own names, and wait beside the board when they are off it; ``seen`` is the one that others see
    in a straight line. ``entry`` says how the page takes a move: one ``spot``, or a ``walk`` over
    several, or each seat its own ``hand`` on a phone of its own, where the game has ``hands``
    instead of a board; ``write`` spells what was entered, legal or not. ``advice`` tells somebody
    at the simulated table what to drag. Where several moves make one turn, they share its time:
    ``moves_a_turn``. ``folder`` holds the ``data`` that comes along. ``house`` are the options that
    the table begins with unless people say otherwise: no game at it should be without an end.
    """

    game: Game
    title: str
    note: str
    rulebook: str
    player: Callable[[int], Player]
    reason: Reason
    at_table: bool = False
    parts: tuple[Part, ...] = ()
    usual: tuple[Thing, ...] = ()
    others: tuple[Thing, ...] = ()
    seen: Thing = ""
    words: Mapping[str, Words] = field(default_factory=dict)
    entry: str = "spot"
    write: Callable[[Effect], Move] = lambda effect: effect.end
    advice: Callable[[State, Sequence[str]], str] = lambda state, names: ""
    meters: Callable[[State, Seat], tuple[Meter, ...]] = _no_meters
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    house: Mapping[str, str] = field(default_factory=dict)
    moves_a_turn: int = 1
    folder: Path | None = None
    data: tuple[DataKind, ...] = ()
    hands: Hands | None = None

    def __post_init__(self) -> None:
        for name in ("words", "scenes", "house"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def name(self) -> str:
        """Return the name the game goes by on the command line and in records."""
        return self.game.name

    @property
    def chooses_pieces(self) -> bool:
        """Tell whether people choose which piece they play."""
        return not self.parts

    @property
    def on_board(self) -> bool:
        """Tell whether the game is played on the board."""
        return self.hands is None
