"""Who sits where in a game that is played on phones: names, and which link opens which seat.

A seat's link opens it for one phone. When it is renewed, the old link and the phone that came by it
count no more. The links themselves are made by the page, from what is kept here and a secret.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import CompanionError
from companion.service.requests import HandOut, NamePlace, RenewPlace, TakePlace

LONGEST_NAME = 20
_NOTE = "places "


@dataclass(frozen=True)
class Places:
    """The seats of one company of players, who may play several games after each other.

    ``mark`` tells one company from another, ``renewed`` counts how often each seat's link was made
    anew, ``taken`` says which have a phone. ``hosted`` is true once a phone hands the links out.
    """

    mark: str
    names: tuple[str, ...]
    renewed: tuple[int, ...]
    taken: tuple[bool, ...]
    hosted: bool = False

    @classmethod
    def fresh(cls, names: Sequence[str], mark: str) -> "Places":
        """Return places that nobody has taken."""
        return cls(mark, tuple(names), (0,) * len(names), (False,) * len(names))

    @classmethod
    def noted(cls, notes: Sequence[str], names: Sequence[str], mark: str) -> "Places":
        """Return the places that a game's notes tell of, fresh ones when there are none."""
        kept = [note for note in notes if note.startswith(_NOTE)]
        if not kept:
            return cls.fresh(names, mark)
        said: dict[str, Any] = json.loads(kept[-1].removeprefix(_NOTE))
        lists = {name: tuple(said[name]) for name in ("names", "renewed", "taken")}
        return cls(said["mark"], hosted=said["hosted"], **lists)

    @property
    def note(self) -> str:
        """Return what is to be kept of them."""
        return _NOTE + json.dumps(self.__dict__, ensure_ascii=False)

    def for_next(self, names: Sequence[str], own: Collection[int]) -> "Places":
        """Return the places of the same people in their next game, who need no new links. Seats
        that are ``own``, the companion's, are nobody's."""
        count, known = len(names), len(self.names)
        taken = (*self.taken[:count], *(False,) * (count - known))
        return replace(
            self,
            names=(*self.names[:count], *names[known:]),
            renewed=(*self.renewed[:count], *(0,) * (count - known)),
            taken=tuple(is_taken and seat not in own for seat, is_taken in enumerate(taken)),
        )

    def check(self, seat: int, renewed: int) -> None:
        """Raise CompanionError unless this is the link of a seat that counts."""
        if not 0 <= seat < len(self.names):
            raise CompanionError(f"there is no seat {seat + 1} in this game")
        if renewed != self.renewed[seat]:
            raise CompanionError(
                "this link counts no more, the seat has a new one; ask whoever hands out the seats"
            )

    def obey(self, command: TakePlace | NamePlace | RenewPlace | HandOut) -> tuple["Places", str]:
        """Return the places after what somebody asked for, and a sentence about it."""
        match command:
            case TakePlace(place=place):
                return self.take(place.seat, place.renewed), f"You are {self.names[place.seat]}."
            case NamePlace(place=place, name=name):
                self.check(place.seat, place.renewed)
                after = self.called(place.seat, name)
                return after, f"You are {after.names[place.seat]}."
            case RenewPlace(seat=seat):
                after = self.renew(seat)
                name = self.names[seat]
                return after, f"The seat of {name} has a new link, the old one is worthless."
            case HandOut():
                return self.handed_out(), "This phone hands out the seats."

    def take(self, seat: int, renewed: int) -> "Places":
        """Return the places after a phone has come by a seat's link."""
        self.check(seat, renewed)
        if self.taken[seat]:
            raise CompanionError(
                f"a phone sits in the seat of {self.names[seat]} already, and a link is for one;"
                " whoever hands out the seats can make a new one"
            )
        return replace(self, taken=_put(self.taken, seat, True))

    def renew(self, seat: int) -> "Places":
        """Return the places with a new link for a seat, which nobody has taken."""
        self.check(seat, self.renewed[seat] if 0 <= seat < len(self.renewed) else 0)
        return replace(
            self,
            renewed=_put(self.renewed, seat, self.renewed[seat] + 1),
            taken=_put(self.taken, seat, False),
        )

    def called(self, seat: int, name: str) -> "Places":
        """Return the places with another name for a seat; CompanionError when it will not do."""
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable() or ";" in name:
            raise CompanionError(
                f"expected a name of 1 to {LONGEST_NAME} letters without semicolons, got {name!r}"
            )
        others = [other.casefold() for n, other in enumerate(self.names) if n != seat]
        if name.casefold() in others:
            raise CompanionError(f"somebody else is called {name}; choose another name")
        return replace(self, names=_put(self.names, seat, name))

    def handed_out(self) -> "Places":
        """Return the places with a phone that hands out the links; there is one at most."""
        if self.hosted:
            raise CompanionError(
                "another phone hands out the seats already; it can give this one a seat"
            )
        return replace(self, hosted=True)


def _put(items: tuple[Any, ...], at: int, item: Any) -> tuple[Any, ...]:
    return (*items[:at], item, *items[at + 1 :])
