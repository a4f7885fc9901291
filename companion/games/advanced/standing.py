"""How a game of the advanced variant stands: what is where, who is to act, what may be done.

How Pac-Man walks is told by :mod:`companion.games.advanced.walk`, what follows from a move by
:mod:`companion.games.advanced.rules`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from companion.board import FENCE, PELLET, Position, Spot
from companion.games.advanced.ground import RESPAWN, ground
from companion.games.advanced.setup import (
    EARLY,
    ENTER,
    FENCES,
    GHOSTS,
    LIVES,
    NAMES,
    PACMAN,
    PLACE,
    SPEED,
    STEPS,
    WALK,
    Table,
)
from companion.games.bits import BIT, each_bit, slot_names, square_name
from companion.games.game import Move, Outcome, Seat


class Standing(NamedTuple):
    """A game of the advanced variant at one moment. Squares and fences are bits.

    ``previous`` and ``memory`` are where Pac-Man and each ghost began their last move (AV-A1),
    ``began`` where Pac-Man's move of this turn did, all 0 if nowhere. ``steps`` are the normal
    steps he has left, ``boost`` those of the pellet he spends. A ghost on no square is out for
    good (AV-A13). ``chamber`` are the chamber's fences that have not been moved yet, ``waiting``
    has a bit for each ghost that has yet to play in this round, ``quiet`` counts the rounds in
    which nothing happened.
    """

    table: Table
    ghosts: tuple[int, ...]
    fenced: int
    chamber: int
    pellets: int
    phase: str = ENTER
    turn: Seat = PACMAN
    round: int = 1
    fresh: bool = True
    pacman: int = 0
    previous: int = 0
    began: int = 0
    steps: int = STEPS
    boost: int = 0
    memory: tuple[int, ...] = (0, 0, 0, 0)
    waiting: int = 0
    reserve: int = 0
    lives: int = LIVES
    fences_left: tuple[int, int] = FENCES
    quiet: int = 0

    def __repr__(self) -> str:
        things = " ".join(f"{thing}:{spot}" for spot, thing in self.position().items())
        counts = f"{self.lives} lives, {self.reserve} in reserve, fences {self.fences_left}"
        return f"<Advanced: {things}; {counts}; round {self.round}, {self.phase}>"

    @property
    def to_act(self) -> Seat | None:
        """Return the seat to act, None when the game is over."""
        return None if self.is_over else self.turn

    @property
    def is_over(self) -> bool:
        """Tell whether a side has met its goal, at once (AV-21), or nothing happens any more."""
        limit = self.table.no_progress
        return not (self.pellets and self.lives) or 0 < limit <= self.quiet

    @property
    def starts_turn(self) -> bool:
        """Return whether the next move is the first of a round."""
        return self.fresh

    @property
    def is_early(self) -> bool:
        """Tell whether this is one of the rounds with one action a side (AV-9)."""
        return self.round <= EARLY

    @property
    def collected(self) -> int:
        """Return how many pellets Pac-Man has eaten, spent or not (AV-A11)."""
        return len(SPEED) - self.pellets.bit_count()

    @property
    def speed(self) -> int:
        """Return how far a ghost may walk at this moment (AV-18, AV-A12)."""
        return SPEED[self.collected]

    @property
    def fences(self) -> tuple[Spot, ...]:
        """Return the slots that hold a fence, sorted."""
        return tuple(sorted(slot_names(self.fenced)))

    def outcome(self) -> Outcome | None:
        """Return how the game ended (AV-2, AV-21); both at once cannot be (AV-A33)."""
        if not self.pellets:
            return Outcome((PACMAN,), "ate all four pellets")
        if not self.lives:
            return Outcome((GHOSTS,), "caught Pac-Man three times")
        if self.is_over:
            return Outcome((), f"nothing happened for {self.table.no_progress} rounds")
        return None

    def position(self) -> Position:
        """Return what should physically be on the board."""
        things = dict.fromkeys(map(square_name, each_bit(self.pellets)), PELLET)
        if self.pacman:
            things[square_name(self.pacman)] = "pacman"
        for name, bit in zip(NAMES, self.ghosts, strict=True):
            if bit:
                things[square_name(bit)] = name
        return things | dict.fromkeys(self.fences, FENCE)

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """Return what each side has; ``chamber`` counts the fences that still form it."""
        return {
            "lives": (self.lives, 0),
            "pellets": (self.collected, 0),
            "reserve": (self.reserve, 0),
            "fences": self.fences_left,
            "chamber": (0, self.chamber.bit_count()),
        }

    # -- Pac-Man

    def entries(self) -> list[Spot]:
        """Return the respawn squares on which no ghost stands (AV-6, AV-15, AV-A16)."""
        return [square for square in RESPAWN if BIT[square] not in self.ghosts]

    @property
    def is_barred(self) -> bool:
        """Tell whether Pac-Man's move cannot end where he stands now (AV-13, AV-14)."""
        return bool(self.began and self.pacman & (self.began | self.previous))

    @property
    def owes_move(self) -> bool:
        """Tell whether Pac-Man has made no normal step yet: pellet steps are no action (AV-17)."""
        return self.steps == STEPS

    @property
    def must_go_on(self) -> bool:
        """Tell whether a switch has him make what is left of his steps, or of those of a pellet."""
        return (self.table.exact_speed and self.steps == 1) or (
            self.table.exact_bonus and self.boost > 0
        )

    def spent_more(self, before: "Standing") -> bool:
        """Tell whether a pellet was spent since an earlier state of the same turn."""
        had = before.reserve + self.collected - before.collected
        return self.reserve < had

    @property
    def is_stopped(self) -> bool:
        """Tell whether a walk is over by itself: he was caught, or ate the last pellet."""
        return not (self.pacman and self.pellets)

    # -- fences

    def open_slots(self) -> int:
        """Return where the side to act may put a fence of its own (AV-7, AV-19, AV-20)."""
        return ground(self.fenced).slots if self.fences_left[self.turn] else 0

    @property
    def may_place(self) -> bool:
        """Tell whether it is time for a fence; whether there is one and room, is another matter."""
        if self.phase == PLACE:
            return True
        if self.phase != WALK or self.is_barred or self.must_go_on:
            return False
        if not self.fences_left[PACMAN]:
            return False
        # Rounds 1 to 4: instead of a move (AV-9), pellet steps before it or not (AV-A10). Later:
        # after a move (AV-10), and nothing comes after it (AV-A9).
        return self.owes_move if self.is_early else not self.owes_move

    @property
    def may_end(self) -> bool:
        """Tell whether the turn may end here without a fence."""
        if self.phase == WALK:
            return not self.owes_move and not self.is_barred and not self.must_go_on
        return self.phase == PLACE

    def shift_slots(self, fence: int) -> int:
        """Return where a lifted fence may go: elsewhere (AV-A22), parting nothing (AV-A20)."""
        return ground(self.fenced ^ fence).slots & ~fence

    # -- the ghosts

    def hunters(self) -> list[int]:
        """Return the ghosts that have yet to play in this round, in whatever order (AV-18)."""
        return [ghost for ghost in range(len(NAMES)) if self.waiting >> ghost & 1]

    def shut_to(self, ghost: int) -> int:
        """Return where a ghost's move may not end.

        Where it stands (AV-13) or began its last move (AV-14), on a pellet (AV-18), on a ghost
        (AV-A26).
        """
        return sum({*self.ghosts}) | self.memory[ghost] | self.pellets

    def chases(self, ghost: int) -> Iterator[Move]:
        """Yield every walk of a ghost, of one step up to its speed; under the switch of AV-A4 of as
        many steps as it can make, or until it catches Pac-Man."""
        walks = list(self._walks_of(ghost))
        most = max((len(text) for text, _ in walks), default=0) if self.table.exact_speed else 0
        return (text for text, at in walks if len(text) >= most or at == self.pacman)

    def _walks_of(self, ghost: int) -> Iterator[tuple[Move, int]]:
        near = ground(self.fenced).near
        shut = self.shut_to(ghost)
        ways = [("", self.ghosts[ghost])]
        for _ in range(self.speed):
            further = []
            for text, at in ways:
                for bit, name in near(at):
                    longer = f"{text}-{name}" if text else name
                    if not bit & shut:
                        yield longer, bit
                    if bit != self.pacman:  # there the turn ends (AV-15)
                        further.append((longer, bit))
            ways = further
