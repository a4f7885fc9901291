"""What the referee says of a reading."""

from dataclasses import dataclass
from enum import StrEnum

from companion.board import Change, Place
from companion.games.game import Move


class Kind(StrEnum):
    """The five answers of the referee, and the one while a board is being set up."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    UNSURE = "unsure"
    NOT_ALLOWED = "not allowed"
    HANDS = "hands"
    SET_UP = "set up"


@dataclass(frozen=True)
class Verdict:
    """One answer: a sentence for page, log and voice, and what lights and page need to show it.

    ``moves`` are the accepted moves, or the choices when unsure. ``reason`` is the part of the
    text that says why something is not allowed, without what to do about it. ``changes`` is what
    was seen to differ from the agreed position; ``repair`` the shortest way to put it right.
    ``unfinished`` says of accepted moves that something is still to be taken off or put back.
    """

    kind: Kind
    text: str
    moves: tuple[Move, ...] = ()
    rule: str = ""
    reason: str = ""
    changes: tuple[Change, ...] = ()
    repair: tuple[Change, ...] = ()
    places: tuple[Place, ...] = ()
    unfinished: bool = False
