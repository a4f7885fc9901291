"""What people can ask of the table from the page or the panel; the loop obeys one at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.board import Thing
from companion.games.game import Effect, Move, Seat
from companion.sensing.corners import Corners

NOTHING = Effect()


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
    """Play a move from the page; the board is then to follow. Without a ``move``, the game spells
    what was tapped."""

    move: Move = ""
    effect: Effect = NOTHING


@dataclass(frozen=True)
class Roll:
    """Let chance decide: roll the dice, spin the spinner, draw the card."""


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
    """Somebody is at this step of setting the table up, as long as this is repeated; without a
    name, nobody is any more."""

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
    """Have the camera find its focus, and what else it locks, again."""


#: Why there is no hint for a position that is gone.
GONE_ON = "the game has gone on; ask for a hint again"


@dataclass(frozen=True)
class Place:
    """A seat of a game with hidden hands, and how often its link was renewed when it was given."""

    seat: Seat
    renewed: int


@dataclass(frozen=True)
class PlayHand:
    """Play a move from a seat's own page, which has seen so many moves of the game."""

    place: Place
    move: Move
    seen: int


@dataclass(frozen=True)
class TakePlace:
    """A phone has come by the link of a seat, and sits there from now on."""

    place: Place


@dataclass(frozen=True)
class NamePlace:
    """Whoever sits there wants to be called so."""

    place: Place
    name: str


@dataclass(frozen=True)
class RenewPlace:
    """Make a new link for a seat: the old one, and the phone that came by it, count no more."""

    seat: Seat


@dataclass(frozen=True)
class FillPlace:
    """Have the companion play a seat from now on at this level, or with none a person."""

    seat: Seat
    level: int | None


@dataclass(frozen=True)
class HandOut:
    """A phone wants to hand out the seats' links; there is one that does."""


@dataclass(frozen=True)
class Hint:
    """Look for a good move for whoever is to act; for a ``demo`` a sensible one will do. In a game
    with hidden hands only who sits in the ``place`` may ask."""

    demo: bool = False
    place: Place | None = None


@dataclass(frozen=True)
class Hinted:
    """The answer: a move and its reason, without a full stop, addressed to whoever is to move."""

    move: Move
    reason: str


SetUp = OpenStep | MarkStep | TakeBaseline | MeasurePiece | TryLights | Refocus
Play = NewGame | TakeBack | Answer | EnterMove | Roll | LookAgain | AgreeDraw
Seated = PlayHand | TakePlace | NamePlace | RenewPlace | FillPlace | HandOut
#: What is answered with a sentence.
Deed = Play | UseCorners | SetUp | Seated
Command = Deed | Hint
Reply = str | Hinted
