"""How a card game stands: what each seat holds, what is going on, which moves there are.

A hand, the deck and the discard pile are counts of each kind of card. The deck has no order that
anybody could look up: drawing is a move of chance among the kinds that are left.
:mod:`companion.games.cards.rules` plays on from here; whoever says why or shows it only looks.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from companion.board import Position
from companion.games.cards.kinds import ALL, CHOOSE, GHOST, PASS, SWAP, CardTable
from companion.games.game import CHANCE, Actor, Move, Outcome, Seat

Counts = tuple[int, ...]

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
    shut_down: str = "after"

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
class Standing:
    """A card game at one moment.

    ``skips`` and ``chosen`` are what waits for a seat's next turn (CG-10, CG-13); ``forced`` is
    the number of cards that was chosen for the turn that runs, 0 when nobody chose. ``queue`` are
    the seats that still have to choose a card to pass, or to draw for an ALL-DRAW; ``passing``
    the cards chosen so far, with who chose them.
    """

    chance: ClassVar[str] = "deck"  # what decides when chance is to act
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
    def to_act(self) -> Actor | None:
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
        return [seat for seat in self.around(self.turn) if self.status[seat] == ACTIVE]

    @property
    def drawing(self) -> Seat:
        """Return the seat that a card is drawn for."""
        return self.queue[0] if self.phase == ALL else self.turn

    def is_open(self, seat: Seat) -> bool:
        """Tell whether a hand lies face up: knocked out, or turned over to compare points."""
        if self.status[seat] == OUT:
            return True
        over = self.phase == OVER and ACTIVE not in self.status
        return over and self.status.count(DOWN) > 1

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
        due = self.drawn < self.forced  # cards somebody else chose: no way around them but CG-A9's
        moves = []
        if not (due and self.can_draw()) or self.table.shut_down == "any":
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

    def around(self, first: Seat) -> list[Seat]:
        return [(first + n) % self.seats for n in range(self.seats)]
