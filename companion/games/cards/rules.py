"""The PAC-MAN card game: Level 1, Level 2 and the Bonus Level. docs/games/cards.md has the rules.

Which moves there are is told by :mod:`companion.games.cards.standing`, why one is not allowed by
:mod:`companion.games.cards.why`, what a seat may see by :mod:`companion.games.cards.view`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.errors import OptionError
from companion.games.cards import told as cards_told
from companion.games.cards import view as cards_view
from companion.games.cards.kinds import ALL, CHOOSE, GIVE, PASS, SKIP, SWAP, CardTable
from companion.games.cards.standing import (
    ACTIVE,
    DEAL,
    DECIDE,
    DOWN,
    KNOCK_OUT,
    OUT,
    OVER,
    Counts,
    Standing,
    Table,
)
from companion.games.cards.why import Judge
from companion.games.game import (
    Effect,
    Move,
    Refusal,
    Refusing,
    Seat,
    View,
    choose_options,
    put,
)


class Cards(Standing, Refusing):
    """A card game at one moment, and what moves make of it."""

    def view(self, seat: Seat | None) -> View:
        """Return what a seat may see: its own hand, and of the others what lies open."""
        return cards_view.view(self, seat)

    def draw(self) -> str:
        """Return the table as an onlooker sees it, in lines of text."""
        return cards_view.draw(self)

    judged_by = Judge

    def told(self, move: Move, names: Sequence[str] = ()) -> str:
        """Return what a legal move does, in words for everybody."""
        return cards_told.told(self, move, self.play(move), names)

    def awaited(self, names: Sequence[str] = ()) -> str:
        """Return who is to do what, in words for everybody."""
        return cards_told.awaited(self, names)

    def opened(self, move: Move) -> Move:
        """Return a legal move as everybody may read it: ``deal:?`` goes into a hand unseen."""
        verb, _, name = move.partition(":")
        if verb not in ("deal", "pass"):
            return move
        return move if verb == "deal" and self.effect(move).rolled == name else f"{verb}:?"

    def why_not_for(self, seat: Seat, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a seat may not make a move; who is not to act is told just that (CG-A29)."""
        judge = Judge(self, names)
        return judge.not_your_turn(seat) if seat != self.to_act else judge.judge(move)

    def effect(self, move: Move) -> Effect:
        """Return what everybody may know of a legal move: no card that goes into a hand unseen.

        A power up is played face up, and a third ghost opens the hand (CG-5, CG-6).
        """
        verb, _, name = move.partition(":")
        if verb != "deal":
            return Effect()
        kind, ghost = self.table.index[name], self.table.ghost
        third = kind == ghost and self.hands[self.drawing][ghost] == KNOCK_OUT - 1
        return Effect(rolled=name if third or self.table.cards.kinds[kind].is_power else "")

    # -- a turn

    def _played(self, move: Move) -> "Cards | None":
        if move not in self.legal_moves():
            return None
        verb, _, rest = move.partition(":")
        after = getattr(self, f"_{verb}")(*rest.split("-")) if rest else getattr(self, f"_{verb}")()
        assert isinstance(after, Cards)
        return after if after.status == self.status else after._settled()

    def _draw(self) -> "Cards":
        return self._stocked()._with(phase=DEAL)

    def _stop(self) -> "Cards":
        return self._next_turn()

    def _down(self) -> "Cards":
        return self._inactive(self.turn, DOWN)._next_turn()

    def _deal(self, name: str) -> "Cards":
        """Give a card to the seat that draws: secretly into its hand, or face up (CG-4, CG-6)."""
        kind = self.table.index[name]
        power = self.table.cards.kinds[kind].is_power
        seat = self.drawing
        after = self._with(deck=_added(self.deck, kind, -1))
        if power:
            after = after._with(discard=_added(self.discard, kind, 1))  # CG-A3
        else:
            after = after._handed(seat, kind, 1)._tested((seat,))
        if self.phase == ALL:  # CG-14: no effect of what is drawn for it, and no count
            return after._all_drawn(self.queue[1:])
        after = after._with(drawn=self.drawn + 1)  # CG-A2: a power up counts too
        return after._carried_out(self.table.cards.kinds[kind].role) if power else after._go_on()

    def _go_on(self) -> "Cards":
        """Let the seat decide again, or end the turn of one that was knocked out (CG-A32)."""
        if self.status[self.turn] != ACTIVE:
            return self._next_turn()
        return self._with(phase=DECIDE, queue=(), passing=())

    def _next_turn(self) -> "Cards":
        """Return the next turn, clockwise; who has to skip one skips it here (CG-10, CG-A12)."""
        skips = list(self.skips)
        seat = self.turn
        while ACTIVE in self.status:
            seat = (seat + 1) % self.seats
            if self.status[seat] != ACTIVE:
                continue
            if not skips[seat]:
                break
            skips[seat] -= 1
        return self._with(
            turn=seat,
            drawn=0,
            forced=self.chosen[seat],
            chosen=put(self.chosen, seat, 0),
            skips=tuple(skips),
            phase=DECIDE,
            queue=(),
            passing=(),
        )

    def _settled(self) -> "Cards":
        """Return the state, ended if the game is (CG-8)."""
        if self.outcome() is None:
            return self
        return self._with(phase=OVER, drawn=0, forced=0, queue=(), passing=())

    # -- power ups

    def _carried_out(self, power: str) -> "Cards":
        """Begin to do what a power up says; without anybody to do it to, it is only discarded."""
        active = self.active
        alone = len(active) == 1
        if power == ALL:
            return self._all_drawn(tuple(active))
        if power == PASS and not alone:  # CG-A15
            holders = tuple(seat for seat in active if any(self.hands[seat]))
            return self._with(phase=PASS, queue=holders, passing=())._passed()
        if power == CHOOSE:  # CG-A10: oneself is somebody
            return self._with(phase=CHOOSE)
        if power in (SWAP, SKIP) and not alone:
            return self._with(phase=power)
        if power == GIVE and not alone and self.hands[self.turn][self.table.ghost]:  # CG-A16
            return self._with(phase=GIVE)
        return self._go_on()

    def _swap(self, one: str, other: str) -> "Cards":
        a, b = int(one) - 1, int(other) - 1
        hands = put(put(self.hands, a, self.hands[b]), b, self.hands[a])
        return self._with(hands=hands)._go_on()  # CG-A5: nobody has three ghosts here

    def _skip(self, player: str) -> "Cards":
        seat = int(player) - 1
        skips = self.skips[seat] + 1 if self.table.skips == "add" else 1  # CG-A7
        return self._with(skips=put(self.skips, seat, skips))._go_on()

    def _give(self, player: str) -> "Cards":
        ghost, seat = self.table.ghost, int(player) - 1
        after = self._handed(self.turn, ghost, -1)._handed(seat, ghost, 1)
        return after._tested((seat,))._go_on()  # CG-A17

    def _choose(self, player: str, number: str) -> "Cards":
        seat, count = int(player) - 1, int(number)
        if self.table.chosen == "keep" and self.chosen[seat]:  # CG-A11
            count = self.chosen[seat]
        return self._with(chosen=put(self.chosen, seat, count))._go_on()

    def _pass(self, name: str) -> "Cards":
        chosen = (self.queue[0], self.table.index[name])
        after = self._with(queue=self.queue[1:], passing=(*self.passing, chosen))
        return after._passed()

    def _passed(self) -> "Cards":
        """Pass all cards at once, when all are chosen, and only then count ghosts (CG-A14)."""
        if self.queue:
            return self
        after = self
        for seat, kind in self.passing:
            left = next(s for s in self.around(seat + 1) if self.status[s] == ACTIVE)  # CG-A13
            after = after._handed(seat, kind, -1)._handed(left, kind, 1)
        return after._tested(tuple(self.active))._go_on()

    def _all_drawn(self, queue: tuple[Seat, ...]) -> "Cards":
        """Go on with those who still draw one; it stops when the deck is empty (CG-A20)."""
        if queue and self.can_draw():
            return self._stocked()._with(phase=ALL, queue=queue)
        return self._go_on()

    # -- cards and seats

    def _stocked(self) -> "Cards":
        """Return the state with a card to draw: by the house switch the discards go back in."""
        if any(self.deck):
            return self
        return self._with(deck=self.discard, discard=self.table.none)

    def _handed(self, seat: Seat, kind: int, count: int) -> "Cards":
        return self._with(hands=put(self.hands, seat, _added(self.hands[seat], kind, count)))

    def _tested(self, seats: Sequence[Seat]) -> "Cards":
        """Knock out those of the seats that hold three ghosts (CG-5, CG-A18)."""
        after = self
        for seat in seats:
            if self.hands[seat][self.table.ghost] >= KNOCK_OUT:
                after = after._inactive(seat, OUT)
        return after

    def _inactive(self, seat: Seat, status: str) -> "Cards":
        """Take a seat out of play; what waited for its next turn is void (CG-A25)."""
        return self._with(
            status=put(self.status, seat, status),
            skips=put(self.skips, seat, 0),
            chosen=put(self.chosen, seat, 0),
        )

    def _with(self, **changes: Any) -> "Cards":
        """Return the state with some fields changed: dataclasses.replace in a fifth of the time."""
        after = object.__new__(Cards)
        after.__dict__.update(self.__dict__, **changes)
        return after


def _added(counts: Counts, kind: int, count: int) -> Counts:
    return put(counts, kind, counts[kind] + count)


@dataclass(frozen=True)
class CardsGame:
    """The card game as a kind of game; ``load`` fetches its table of cards when it is needed."""

    load: Callable[[str], CardTable]
    name: str = "cards"
    seats: int = 8

    @cached_property
    def cards(self) -> CardTable:
        """Return the cards it is played with."""
        return self.load(self.name)

    @property
    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the options and their values, the default first.

        ``first`` is the seat that starts (CG-2), ``skips`` the switch of CG-A7, ``chosen`` that
        of CG-A11, ``emptyDeck`` that of CG-A20, ``shutDown`` that of CG-A9.
        """
        return {
            "level": ("1", "2", "bonus"),
            "players": tuple(str(number) for number in range(2, self.seats + 1)),
            "first": tuple(str(number) for number in range(1, self.seats + 1)),
            "skips": ("add", "single"),
            "chosen": ("replace", "keep"),
            "emptyDeck": ("shut", "reshuffle"),
            "shutDown": ("after", "any"),
        }

    @property
    def spots(self) -> tuple[str, ...]:
        """Return where something can lie that everybody sees."""
        return ("deck", "discard")

    def start(self, options: Mapping[str, str] | None = None) -> Cards:
        """Return the first state; raise OptionError for an unknown option or value."""
        chosen = choose_options(self, options or {})
        level, players, first = chosen["level"], int(chosen["players"]), int(chosen["first"])
        if level != "bonus" and players > 4:  # CG-1
            raise OptionError(
                f"level {level} is for 2 to 4 players, not {players}; the bonus level takes up to 8"
            )
        if first > players:
            raise OptionError(f"expected first from 1 to {players}, the players, not {first}")
        table = Table(
            self.cards,
            level,
            players,
            first,
            chosen["skips"],
            chosen["chosen"],
            chosen["emptyDeck"],
            chosen["shutDown"],
        )
        return Cards(
            table,
            self.cards.deck(level),
            table.none,
            (table.none,) * players,
            (ACTIVE,) * players,
            (0,) * players,
            (0,) * players,
            first - 1,
        )
