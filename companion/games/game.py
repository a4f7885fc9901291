"""The handful of verbs that all games share. A move *is* its text in the game's notation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, cast, runtime_checkable

from companion.board import Change, Position, Spot, Thing
from companion.errors import IllegalMove, MalformedMove, OptionError
from companion.text import name_of

Move = str

#: Seats are counted from 0 in turn order; people read them as player 1, player 2 …
Seat = int


class Chance(Enum):
    """Who acts when a die, a spinner or a shuffled deck decides: no seat, so no index either."""

    CHANCE = "chance"


#: Its outcomes are moves like any other.
CHANCE = Chance.CHANCE

#: Who may be to act.
Actor = Seat | Chance

#: What somebody may see of a game, ready to be written as JSON.
View = Mapping[str, object]


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the seats that won (none: a draw) and why, in a few words."""

    winners: tuple[Seat, ...]
    reason: str

    def result(self, seats: int) -> str:
        """Return the result as records print it: ``1-0``, ``0-0-1-0``, or ``1/2`` for a draw."""
        if not self.winners:
            return "1/2"
        return "-".join("1" if seat in self.winners else "0" for seat in range(seats))


@dataclass(frozen=True)
class Refusal:
    """Why a move is not allowed: the rule's id and one sentence in plain words."""

    rule: str
    text: str


@dataclass(frozen=True)
class Effect:
    """What a move does on the board, for all who show or check it: only games read notation.

    ``thing`` goes over the spots of ``path``, in order, from where it stands; it stays when there
    are none. ``fence`` is the slot that gets a fence; one that is moved there (``thing`` is then a
    fence) has the slot it leaves as its path. ``rolled`` is what dice, spinner or deck show.
    ``note`` says in a few words what the board does not show of it: ``no fence``.
    """

    thing: Thing = ""
    path: tuple[Spot, ...] = ()
    fence: Spot = ""
    rolled: str = ""
    note: str = ""

    @property
    def end(self) -> Spot:
        """Return where the thing comes to stand or the fence is put; empty when nothing moves."""
        return self.fence or (self.path[-1] if self.path else "")

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Return every spot that the move touches."""
        return (*self.path, self.fence) if self.fence else self.path


@dataclass(frozen=True)
class Choice:
    """A legal move and what it does."""

    move: Move
    effect: Effect


class State(Protocol):
    """A game at one moment: a value that compares and hashes. Playing returns another one."""

    @property
    def seats(self) -> int:
        """Return how many play."""

    @property
    def to_act(self) -> Actor | None:
        """Return the seat to act, CHANCE when a die or a deck decides, None when all is over."""

    def legal_moves(self) -> Sequence[Move]:
        """Return every legal move, sorted; of several that come to the same, one is enough."""

    def play(self, move: Move) -> Self:
        """Return the state after a legal move; raise MalformedMove or IllegalMove otherwise."""

    def effect(self, move: Move) -> Effect:
        """Return what a legal move does on the board, by the rules' names of things."""

    def why_not(self, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a move is not allowed, None when it is. Names stand for the seats."""

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        """Return why what was done on the board is no legal move."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it goes on."""

    def position(self) -> Position:
        """Return what should physically be on the board; pawns are ``pawn1``, ``pawn2`` …"""

    def tallies(self) -> Mapping[str, tuple[int, ...]]:
        """Return what is counted for each seat, such as ``{"fences": (10, 9)}``."""

    def view(self, seat: Seat | None) -> View:
        """Return all that a seat may see and nothing else; None stands for an onlooker."""


Seen = TypeVar("Seen")


class Judge(Generic[Seen]):
    """One look at a state: what is not allowed there, and why, in words that a child understands.

    ``usual`` is what seats are called that have no names.
    """

    usual: ClassVar[Sequence[str]] = ()

    def __init__(self, state: Seen, names: Sequence[str] = ()) -> None:
        self.state = state
        self.names = names

    def name(self, seat: Seat) -> str:
        """Return what a seat is called."""
        return name_of(self.names, seat, self.usual)

    def judge(self, move: Move) -> Refusal | None:
        """Return why a move is not allowed, None when it is."""
        raise NotImplementedError

    def judge_changes(self, changes: Sequence[Change]) -> Refusal:
        """Return why what was done on the board is no legal move."""
        raise NotImplementedError


class Refusing:
    """What states do alike: they play what is legal, refuse the rest and tell why, hide nothing."""

    __slots__ = ()
    judged_by: ClassVar[type[Judge[Any]]]

    def play(self, move: Move) -> Self:
        """Return the state after a legal move; raise MalformedMove or IllegalMove otherwise."""
        following = self._played(move)
        if following is not None:
            return following
        refusal = self.why_not(move)
        assert refusal is not None  # a move that is not played has a reason
        raise (MalformedMove if refusal.rule == "notation" else IllegalMove)(refusal.text)

    def why_not(self, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a move is not allowed, None when it is. Names stand for the seats."""
        return self.judged_by(self, names).judge(move)

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        """Return why what was done on the board is no legal move."""
        return self.judged_by(self, names).judge_changes(changes)

    def view(self, seat: Seat | None) -> View:
        """Return what a seat may see: everything, where nothing is hidden."""
        return {**open_view(cast(State, self), seat), **self.shown()}

    def shown(self) -> View:
        """Return what everybody sees besides position, tallies and turn."""
        return {}

    def _played(self, move: Move) -> Self | None:
        """Return the state after a move, None when it is not legal."""
        raise NotImplementedError


class Game(Protocol):
    """A kind of game: its name, its options, and how it starts."""

    @property
    def name(self) -> str:
        """Return the name it goes by on the command line and in records."""

    @property
    def seats(self) -> int:
        """Return how many play at most."""

    @property
    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the values each option takes, the default first."""

    def start(self, options: Mapping[str, str] | None = None) -> State:
        """Return the first state; unknown options raise ValueError with what was expected."""


@runtime_checkable
class TellsTurns(Protocol):
    """A state of a game whose turns differ in length; records number its turns, not its rounds."""

    @property
    def starts_turn(self) -> bool:
        """Return whether the next move, be it one of chance, is the first of a turn."""


@runtime_checkable
class Staged(Protocol):
    """A state in which a move may leave something to be taken off or put back by hand."""

    def made(self, move: Move) -> Sequence[Position]:
        """Return what the board may show when a legal move has just been made.

        The proper one stands first; in the others things are still where they have to go from.
        """


@runtime_checkable
class Spoken(Protocol):
    """A state of a game in which the board does not show all that is done: some has to be said."""

    def unsaid(self) -> Move:
        """Return the move that leaves no trace on the board, so that whoever goes on after it has
        made it; empty when there is none."""

    def must_be_said(self, move: Move) -> bool:
        """Tell whether a legal move counts only if somebody says that it was meant."""


@runtime_checkable
class Rolls(Protocol):
    """A state of a game in which chance acts."""

    @property
    def chance(self) -> str:
        """Return what decides when chance is to act: ``dice``, ``die``, ``spinner`` or ``deck``."""


@runtime_checkable
class Tells(Protocol):
    """A state of a game with words of its own for what is done and who is to act."""

    def told(self, move: Move, names: Sequence[str] = ()) -> str:
        """Return what a legal move does, in words: ``Blinky went to e8 and caught Pac-Man``. They
        are for everybody, and tell no secret."""

    def awaited(self, names: Sequence[str] = ()) -> str:
        """Return who is to act, in words: ``Blinky or Clyde to move``."""


@runtime_checkable
class Hides(Protocol):
    """A state of a game in which seats have secrets: what may be told of a move, and to whom."""

    def opened(self, move: Move) -> Move:
        """Return a legal move as everybody may read it, secrets left out."""

    def why_not_for(self, seat: Seat, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a seat may not make a move, None when it may. Whoever asks learns nothing by
        it that their seat does not see."""


@runtime_checkable
class Sighted(Protocol):
    """A state of a game in which ghosts see Pac-Man in a straight line."""

    def seen_by(self) -> Mapping[Thing, tuple[Spot, ...]]:
        """Return the ghosts that see Pac-Man, each with the squares between them."""


@runtime_checkable
class Weighted(Protocol):
    """A state whose chance moves are not all equally likely."""

    def weights(self) -> Sequence[int]:
        """Return how likely each legal move of chance is, in the order of the legal moves."""


@runtime_checkable
class Drawn(Protocol):
    """A state that can draw its own table; others are drawn from their position."""

    def draw(self) -> str:
        """Return a picture in lines of text that shows no more than an onlooker may see."""


T = TypeVar("T")


def put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the items with one of them replaced."""
    return (*items[:at], item, *items[at + 1 :])


Playing = TypeVar("Playing", bound=State)


def replay(state: Playing, moves: Iterable[Move]) -> Playing:
    """Return the state after several moves; raise MoveError at the first that is not legal."""
    for move in moves:
        state = state.play(move)
    return state


def leave_to_chance(state: State, rng: Random) -> Move:
    """Return a move of chance, as likely as the die or the deck would give it."""
    if state.to_act is not CHANCE:
        raise ValueError("expected a state in which chance is to act")
    moves = state.legal_moves()
    weights = state.weights() if isinstance(state, Weighted) else None
    return rng.choices(moves, weights)[0]


def open_view(state: State, seat: Seat | None) -> View:
    """Return the view of a game that hides nothing; the legal moves go to the seat to act."""
    return {
        "position": dict(state.position()),
        "to_act": actor_json(state.to_act),
        "tallies": {name: list(counts) for name, counts in state.tallies().items()},
        "legal": list(state.legal_moves()) if seat is not None and seat == state.to_act else [],
    }


def actor_json(actor: Actor | None) -> Seat | str | None:
    """Return who is to act as JSON has it: a seat's number, ``chance``, or nobody."""
    return actor.value if isinstance(actor, Chance) else actor


def choose_options(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """Return a value for every option of a game; raise OptionError for one it does not have."""
    for name, value in options.items():
        if name not in game.options:
            raise no_option(game, name, game.options)
        if value not in game.options[name]:
            known = ", ".join(game.options[name])
            raise OptionError(f"the option {name} takes one of {known}, not {value!r}")
    return {name: options.get(name, values[0]) for name, values in game.options.items()}


def no_option(game: Game, name: str, known: Iterable[str]) -> OptionError:
    """Return what to raise for an option that does not exist."""
    listed = ", ".join(known) or "none"
    return OptionError(f"{game.name} has no option {name!r}; its options are: {listed}")
