"""The PAC-MAN card game: Level 1, Level 2 and the Bonus Level. docs/cards.md has the rules.

A hand, the deck and the discard pile are counts of each kind of card. The deck has no order that
anybody could look up: drawing is a move of chance among the kinds that are left. Why a move is not
allowed is told by :mod:`companion.rules.cards_why`, what a seat may see by
:mod:`companion.rules.cards_view`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from companion.board import Change, Position
from companion.errors import IllegalMove, MalformedMove, OptionError
from companion.rules import cards_view
from companion.rules.cards_kinds import ALL, CHOOSE, GHOST, GIVE, PASS, SKIP, SWAP, CardTable
from companion.rules.cards_why import explain, explain_changes
from companion.rules.game import CHANCE, Move, Outcome, Refusal, Seat, View, choose_options

Counts = tuple[int, ...]
T = TypeVar("T")

MOST_DRAWS = 3  # CG-3
KNOCK_OUT = 3  # CG-5: ghosts in a hand

#: What is going on. The names of the power ups (SWAP … ALL) stand for carrying them out.
DECIDE, DEAL, OVER = "decide", "deal", "over"

#: What became of a seat.
ACTIVE, DOWN, OUT = "active", "down", "out"


@dataclass(frozen=True)
class Table:
    """What stays the same through a game: the kinds of cards, the seats, the house switches."""

    cards: CardTable
    level: str
    seats: int
    first: int = 1
    skips: str = "add"
    chosen: str = "replace"
    empty_deck: str = "shut"

    def __hash__(self) -> int:
        return hash((self.cards.name, self.level, self.seats, self.first))

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the number of each kind of card by its name."""
        return {card.name: number for number, card in enumerate(self.cards.kinds)}

    @cached_property
    def ghost(self) -> int:
        """Return the number of the ghosts' kind."""
        return next(n for n, card in enumerate(self.cards.kinds) if card.role == GHOST)

    @cached_property
    def deals(self) -> tuple[tuple[int, Move], ...]:
        """Return each kind with the move that deals it, sorted by the move."""
        return tuple((self.index[name], f"deal:{name}") for name in sorted(self.index))

    @cached_property
    def passes(self) -> tuple[tuple[int, Move], ...]:
        """Return each kind with the move that passes it, sorted by the move."""
        return tuple((self.index[name], f"pass:{name}") for name in sorted(self.index))

    @cached_property
    def none(self) -> Counts:
        """Return an empty hand."""
        return (0,) * len(self.cards.kinds)


@dataclass(frozen=True)
class Cards:
    """A card game at one moment.

    ``skips`` and ``chosen`` are what waits for a seat's next turn (CG-10, CG-13); ``forced`` is
    the number of cards that was chosen for the turn that runs, 0 when nobody chose. ``queue`` are
    the seats that still have to choose a card to pass, or to draw for an ALL-DRAW; ``passing``
    the cards chosen so far, with who chose them.
    """

    table: Table
    deck: Counts
    discard: Counts
    hands: tuple[Counts, ...]
    status: tuple[str, ...]
    skips: tuple[int, ...]
    chosen: tuple[int, ...]
    turn: Seat = 0
    drawn: int = 0
    forced: int = 0
    phase: str = DECIDE
    queue: tuple[Seat, ...] = ()
    passing: tuple[tuple[Seat, int], ...] = ()

    # -- looking at it

    @property
    def seats(self) -> int:
        """Return how many play."""
        return self.table.seats

    @property
    def to_act(self) -> Seat | None:
        """Return the seat to act, CHANCE when a card is drawn, None when all is over."""
        if self.phase == OVER:
            return None
        if self.phase in (DEAL, ALL):
            return CHANCE
        return self.queue[0] if self.phase == PASS else self.turn

    @property
    def starts_turn(self) -> bool:
        """Return whether the next move is the first of a turn."""
        return self.phase == DECIDE and self.drawn == 0

    @property
    def active(self) -> list[Seat]:
        """Return the seats still in play, from the one whose turn it is, clockwise."""
        return [seat for seat in self._around(self.turn) if self.status[seat] == ACTIVE]

    def points(self, seat: Seat) -> int:
        """Return what a hand is worth (CG-4); nothing for no cards at all (CG-A27)."""
        kinds = self.table.cards.kinds
        return sum(count * card.points for card, count in zip(kinds, self.hands[seat], strict=True))

    def outcome(self) -> Outcome | None:
        """Return how the game ended (CG-8)."""
        left = [seat for seat in range(self.seats) if self.status[seat] != OUT]
        if not left:
            return Outcome((), "everybody was knocked out")  # CG-A23
        if len(left) == 1:  # CG-A21, CG-A22
            return Outcome((left[0],), "everybody else was knocked out")
        if ACTIVE in self.status:
            return None
        best = max(map(self.points, left))
        winners = tuple(seat for seat in left if self.points(seat) == best)
        return Outcome(winners, "1 point" if best == 1 else f"{best} points")

    def position(self) -> Position:
        """Return what lies in the middle of the table: the deck and the discard pile."""
        piles = {"deck": self.deck, "discard": self.discard}
        return {spot: "cards" for spot, pile in piles.items() if any(pile)}

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """Return what everybody can count: cards in hand, turns to skip, draws chosen, and so on.

        Points and ghosts are not among it: hands are secret (CG-A29).
        """
        return {
            "cards": tuple(map(sum, self.hands)),
            "skips": self.skips,
            "draws": self.chosen,
            "down": tuple(int(status == DOWN) for status in self.status),
            "out": tuple(int(status == OUT) for status in self.status),
        }

    def view(self, seat: Seat | None) -> View:
        """Return what a seat may see: its own hand, and of the others what lies open."""
        return cards_view.view(self, seat)

    def draw(self) -> str:
        """Return the table as an onlooker sees it, in lines of text."""
        return cards_view.draw(self)

    # -- moves

    def legal_moves(self) -> list[Move]:
        """Return every legal move, sorted."""
        phase = self.phase
        if phase == OVER:
            return []
        if phase == DECIDE:
            return self._decisions()
        if phase in (DEAL, ALL):
            return [move for kind, move in self.table.deals if self.deck[kind]]
        if phase == PASS:
            hand = self.hands[self.queue[0]]
            return [move for kind, move in self.table.passes if hand[kind]]
        return self._choices()

    def weights(self) -> list[int]:
        """Return how many cards of each kind that can be dealt are left."""
        return [self.deck[kind] for kind, _ in self.table.deals if self.deck[kind]]

    def can_draw(self) -> bool:
        """Return whether there is a card to draw (CG-A20)."""
        return any(self.deck) or (self.table.empty_deck == "reshuffle" and any(self.discard))

    def _decisions(self) -> list[Move]:
        """Return what the seat whose turn it is may decide (CG-3, CG-A1, CG-A9, CG-A20)."""
        due = self.drawn < self.forced  # cards somebody else chose, and no way around them
        moves = []
        if not (due and self.can_draw()):
            moves.append("down")
        if self.drawn < (self.forced or MOST_DRAWS) and self.can_draw():
            moves.append("draw")
        if self.drawn and not due:
            moves.append("stop")
        return moves

    def _choices(self) -> list[Move]:
        """Return whom a power up can be played on: seats still in play only (CG-A4)."""
        active = sorted(self.active)
        others = [seat for seat in active if seat != self.turn]
        if self.phase == SWAP:
            return [f"swap:{a + 1}-{b + 1}" for a in active for b in active if a < b]
        if self.phase == CHOOSE:
            return [f"choose:{a + 1}-{n}" for a in active for n in range(1, MOST_DRAWS + 1)]
        return [f"{self.phase}:{a + 1}" for a in others]  # CG-A6: not oneself

    def play(self, move: Move) -> "Cards":
        """Return the state after a legal move; raise MalformedMove or IllegalMove otherwise."""
        if move not in self.legal_moves():
            refusal = self.why_not(move)
            assert refusal is not None  # a move that is not played has a reason
            raise (MalformedMove if refusal.rule == "notation" else IllegalMove)(refusal.text)
        verb, _, rest = move.partition(":")
        after = getattr(self, f"_{verb}")(*rest.split("-")) if rest else getattr(self, f"_{verb}")()
        assert isinstance(after, Cards)
        return after if after.status == self.status else after._settled()

    def why_not(self, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a move is not allowed, None when it is. Names stand for the seats."""
        return explain(self, move, names)

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        """Return why what was done with the piles is no legal move."""
        return explain_changes(self, changes, names)

    # -- a turn

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
        seat = self.queue[0] if self.phase == ALL else self.turn
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
            chosen=_put(self.chosen, seat, 0),
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
        hands = _put(_put(self.hands, a, self.hands[b]), b, self.hands[a])
        return self._with(hands=hands)._go_on()  # CG-A5: nobody has three ghosts here

    def _skip(self, player: str) -> "Cards":
        seat = int(player) - 1
        skips = self.skips[seat] + 1 if self.table.skips == "add" else 1  # CG-A7
        return self._with(skips=_put(self.skips, seat, skips))._go_on()

    def _give(self, player: str) -> "Cards":
        ghost, seat = self.table.ghost, int(player) - 1
        after = self._handed(self.turn, ghost, -1)._handed(seat, ghost, 1)
        return after._tested((seat,))._go_on()  # CG-A17

    def _choose(self, player: str, number: str) -> "Cards":
        seat, count = int(player) - 1, int(number)
        if self.table.chosen == "keep" and self.chosen[seat]:  # CG-A11
            count = self.chosen[seat]
        return self._with(chosen=_put(self.chosen, seat, count))._go_on()

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
            left = next(s for s in self._around(seat + 1) if self.status[s] == ACTIVE)  # CG-A13
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
        return self._with(hands=_put(self.hands, seat, _added(self.hands[seat], kind, count)))

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
            status=_put(self.status, seat, status),
            skips=_put(self.skips, seat, 0),
            chosen=_put(self.chosen, seat, 0),
        )

    def _with(self, **changes: Any) -> "Cards":
        """Return the state with some fields changed: dataclasses.replace in a fifth of the time."""
        after = object.__new__(Cards)
        after.__dict__.update(self.__dict__, **changes)
        return after

    def _around(self, first: Seat) -> list[Seat]:
        return [(first + n) % self.seats for n in range(self.seats)]


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _added(counts: Counts, kind: int, count: int) -> Counts:
    return _put(counts, kind, counts[kind] + count)


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
        of CG-A11, ``emptyDeck`` that of CG-A20.
        """
        return {
            "level": ("1", "2", "bonus"),
            "players": tuple(str(number) for number in range(2, self.seats + 1)),
            "first": tuple(str(number) for number in range(1, self.seats + 1)),
            "skips": ("add", "single"),
            "chosen": ("replace", "keep"),
            "emptyDeck": ("shut", "reshuffle"),
        }

    @property
    def spots(self) -> tuple[str, ...]:
        """Return where something can lie that everybody sees."""
        return ("deck", "discard")

    def start(self, options: Mapping[str, str] | None = None) -> Cards:
        """Return the first state; raise OptionError for an option or value there is not."""
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
