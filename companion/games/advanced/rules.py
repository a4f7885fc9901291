"""Quoridor PAC-MAN, the advanced variant: a chamber, fences of both sides, tunnels, no way back.

docs/pacman-advanced.md has the rules. A turn is made of small plies: Pac-Man is put on the board,
walks in runs of normal steps and of pellet steps, then a fence goes up or not; each ghost walks,
then a fence goes up or not. Why a move is not allowed is told by
:mod:`companion.rules.advanced_why`, what was done by hand by :mod:`companion.rules.advanced_hands`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.board import FENCE, PELLET, Change, Position, Spot
from companion.errors import IllegalMove, MalformedMove
from companion.rules.advanced_ground import RESPAWN, ground
from companion.rules.advanced_hands import explain_changes
from companion.rules.advanced_setup import (
    EARLY,
    END,
    ENTER,
    FENCES,
    GHOSTS,
    HUNT,
    LETTERS,
    LIVES,
    NAMES,
    PACMAN,
    PASS,
    PLACE,
    RULE_SET,
    SHIFT,
    SPEED,
    STAY,
    STEPS,
    STIRRED,
    WAIT,
    WALK,
    Setup,
    Table,
)
from companion.rules.advanced_walk import can_finish, may_stay, runs, step
from companion.rules.advanced_why import explain
from companion.rules.bits import BIT, SLOT_BIT, each_bit, slot_names, square_name
from companion.rules.game import Move, Outcome, Refusal, Seat, View, choose_options, open_view


class Advanced(NamedTuple):
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

    # -- looking at it

    @property
    def seats(self) -> int:
        """Return how many sides play: Pac-Man and the ghosts."""
        return 2

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

    def view(self, seat: Seat | None) -> View:
        """Return what a seat may see: everything, for nothing is hidden here."""
        memory = zip(("pacman", *NAMES), (self.previous, *self.memory), strict=True)
        return {
            **open_view(self, seat),
            "rules": RULE_SET,
            "round": self.round,
            "phase": self.phase,
            "speed": self.speed if self.pellets else 0,
            "steps": self.steps,
            "boost": self.boost,
            "waiting": [NAMES[ghost] for ghost in self.hunters()],
            "previous": {name: square_name(bit) for name, bit in memory if bit},
            "chamber": slot_names(self.chamber),
        }

    # -- moves

    def legal_moves(self) -> list[Move]:
        """Return every legal move, sorted."""
        if self.is_over:
            return []
        if self.phase == WALK:
            return sorted(self._walking_moves())
        if self.phase == HUNT:
            return sorted(move for ghost in self.hunters() for move in self._hunting_moves(ghost))
        if self.phase == PLACE:
            return sorted([END, *slot_names(self.open_slots())])
        if self.phase == SHIFT:
            return sorted(self._shifts()) or [PASS]  # AV-A23
        return ["@" + square for square in self.entries()] or [WAIT]

    def play(self, move: Move) -> "Advanced":
        """Return the state after a legal move; raise MalformedMove or IllegalMove otherwise."""
        following = None if self.is_over else self._try(move)
        if following is not None:
            return following
        refusal = self.why_not(move)
        assert refusal is not None  # a move that is not played has a reason
        raise (MalformedMove if refusal.rule == "notation" else IllegalMove)(refusal.text)

    def why_not(self, move: Move, names: Sequence[str] = ()) -> Refusal | None:
        """Return why a move is not allowed, None when it is. Names stand for the seats."""
        return explain(self, move, names)

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        """Return why what was done on the board is no legal move."""
        return explain_changes(self, changes, names)

    def _try(self, move: Move) -> "Advanced | None":
        """Return the state after a move, None when it is not legal."""
        if self.phase == ENTER:
            return self._try_to_enter(move)
        if self.phase == SHIFT:
            return self._try_to_shift(move)
        if move in SLOT_BIT:
            slot = SLOT_BIT[move]
            return self._with_fence(slot) if self.may_place and slot & self.open_slots() else None
        if move == END:
            return self._rested() if self.may_end else None
        if self.phase == WALK:
            if move == STAY:
                return self._stayed() if may_stay(self) else None
            return self._try_to_walk(move)
        if self.phase == HUNT and move[:1] in LETTERS:
            return self._try_to_hunt(LETTERS.find(move[:1]), move[1:])
        return None

    # -- Pac-Man comes in

    def entries(self) -> list[Spot]:
        """Return the respawn squares on which no ghost stands (AV-6, AV-15, AV-A16)."""
        return [square for square in RESPAWN if BIT[square] not in self.ghosts]

    def _try_to_enter(self, move: Move) -> "Advanced | None":
        entries = self.entries()
        if not entries:
            return self._pacman_done() if move == WAIT else None
        if move[:1] != "@" or move[1:] not in entries:
            return None
        # His memory was cleared when he was caught (AV-A2); his reserve was not (AV-A17).
        entered = self._replace(pacman=BIT[move[1:]], phase=WALK, fresh=False)
        # AV-A15: a normal turn follows, unless the switch says that entering was the move.
        if self.round == 1 or not self.table.respawn_consumes_move:
            return entered
        if self.reserve:  # to spend a pellet is no action (AV-17), so it is still his to do
            return entered._replace(steps=0).settled()
        if self.is_early or not self.fences_left[PACMAN]:
            return entered._pacman_done()
        return entered._replace(phase=PLACE)  # AV-A30

    # -- Pac-Man walks

    @property
    def is_barred(self) -> bool:
        """Tell whether Pac-Man's move cannot end where he stands now (AV-13, AV-14)."""
        return bool(self.began and self.pacman & (self.began | self.previous))

    @property
    def owes_move(self) -> bool:
        """Tell whether Pac-Man has made no normal step yet: pellet steps are no action (AV-17)."""
        return self.steps == STEPS

    @property
    def is_stopped(self) -> bool:
        """Tell whether a walk is over by itself: he was caught, or ate the last pellet."""
        return not (self.pacman and self.pellets)

    def settled(self) -> "Advanced | None":
        """Return the state after a run of steps, None if no legal turn can come of it."""
        if self.is_stopped:
            return self if self.is_over else self._pacman_done()
        if not can_finish(self):
            return None
        if not self.may_end or (self.may_place and self.open_slots()) or any(self._walks()):
            return self
        return self._pacman_done()  # nothing is left to do but to end the turn

    def _walks(self) -> Iterator[Move]:
        for pellet in (False, True):
            for text, following in runs(self, pellet):
                if following.is_stopped or can_finish(following):
                    yield text

    def _walking_moves(self) -> Iterator[Move]:
        yield from self._walks()
        if self.may_end:
            yield END
        if self.may_place:
            yield from slot_names(self.open_slots())
        if may_stay(self):
            yield STAY

    def _try_to_walk(self, move: Move) -> "Advanced | None":
        pellet = move[:1] == "+"
        squares = move[1:].split("+") if pellet else move.split("-")
        if len(squares) > 2:
            return None
        walked: Advanced | None = self
        for name in squares:
            bit = BIT.get(name)
            if walked is None or walked.is_stopped or bit is None:
                return None
            if not any(bit == each for each, _ in ground(self.fenced).near(walked.pacman)):
                return None
            walked = step(walked, bit, pellet)
        return walked.settled() if walked else None

    def _stayed(self) -> "Advanced":
        stayed = self if self.began else self._replace(previous=0)  # AV-A2
        if self.is_early or not self.fences_left[PACMAN]:
            return stayed._pacman_done()
        return stayed._replace(phase=PLACE, fresh=False)

    def _pacman_done(self) -> "Advanced":
        """Return the state after Pac-Man's turn, with the ghosts to act if there are any."""
        done = self._replace(
            previous=self.began or self.previous, began=0, steps=STEPS, boost=0, fresh=False
        )
        alive = sum(1 << ghost for ghost, bit in enumerate(self.ghosts) if bit)
        if not alive:  # AV-A29
            return done._next_round()
        if self.is_early:
            return done._replace(turn=GHOSTS, phase=SHIFT)
        return done._replace(turn=GHOSTS, phase=HUNT, waiting=alive)

    def _next_round(self) -> "Advanced":
        return self._replace(
            round=self.round + 1,
            turn=PACMAN,
            phase=WALK if self.pacman else ENTER,
            waiting=0,
            quiet=self.quiet + 1,
            fresh=True,
        )

    # -- fences

    def open_slots(self) -> int:
        """Return where the side to act may put a fence of its own (AV-7, AV-19, AV-20)."""
        return ground(self.fenced).slots if self.fences_left[self.turn] else 0

    @property
    def may_place(self) -> bool:
        """Tell whether it is time for a fence; whether there is one and room, is another matter."""
        if self.phase == PLACE:
            return True
        if self.phase != WALK or self.is_barred or not self.fences_left[PACMAN]:
            return False
        # Rounds 1 to 4: instead of a move (AV-9), pellet steps before it or not (AV-A10). Later:
        # after a move (AV-10), and nothing comes after it (AV-A9).
        return self.owes_move if self.is_early else not self.owes_move

    @property
    def may_end(self) -> bool:
        """Tell whether the turn may end here without a fence."""
        if self.phase == WALK:
            return not self.owes_move and not self.is_barred
        return self.phase == PLACE

    def _with_fence(self, slot: int) -> "Advanced":
        left = list(self.fences_left)
        left[self.turn] -= 1
        placed = self._replace(
            fenced=self.fenced | slot, fences_left=(left[0], left[1]), quiet=STIRRED, fresh=False
        )
        return placed._rested()

    def _rested(self) -> "Advanced":
        """Return the state after the turn of Pac-Man or of one ghost."""
        return self._pacman_done() if self.turn == PACMAN else self._ghost_done()

    def _shifts(self) -> Iterator[Move]:
        """Yield every way to move a fence of the chamber (AV-9), each once (AV-A21)."""
        for fence in each_bit(self.chamber):
            (source,) = slot_names(fence)
            for target in slot_names(self.shift_slots(fence)):
                yield f"{source}>{target}"

    def shift_slots(self, fence: int) -> int:
        """Return where a lifted fence may go: elsewhere (AV-A22), parting nothing (AV-A20)."""
        return ground(self.fenced ^ fence).slots & ~fence

    def _try_to_shift(self, move: Move) -> "Advanced | None":
        source, _, target = move.partition(">")
        fence = SLOT_BIT.get(source, 0) & self.chamber
        if fence and SLOT_BIT.get(target, 0) & self.shift_slots(fence):
            moved = self.fenced ^ fence | SLOT_BIT[target]
            shifted = self._replace(fenced=moved, chamber=self.chamber ^ fence, quiet=STIRRED)
            return shifted._next_round()
        if move == PASS and not any(self._shifts()):
            return self._next_round()
        return None

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

    def _hunting_moves(self, ghost: int) -> list[Move]:
        letter = LETTERS[ghost]
        return [letter + way for way in self.chases(ghost)] or [letter + STAY]

    def chases(self, ghost: int) -> Iterator[Move]:
        """Yield every walk of a ghost, of one step up to its speed (AV-A4)."""
        near = ground(self.fenced).near
        shut = self.shut_to(ghost)
        ways = [("", self.ghosts[ghost])]
        for _ in range(self.speed):
            further = []
            for text, at in ways:
                for bit, name in near(at):
                    longer = f"{text}-{name}" if text else name
                    if not bit & shut:
                        yield longer
                    if bit != self.pacman:  # there the turn ends (AV-15)
                        further.append((longer, bit))
            ways = further

    def _try_to_hunt(self, ghost: int, way: Move) -> "Advanced | None":
        if not self.waiting >> ghost & 1:
            return None
        if way == STAY:
            return None if any(self.chases(ghost)) else self._hunted(ghost, 0)
        squares = way.split("-")
        if len(squares) > self.speed:
            return None
        at = self.ghosts[ghost]
        for name in squares:
            bit = BIT.get(name)
            if bit is None or (at == self.pacman and at):
                return None
            if not any(bit == each for each, _ in ground(self.fenced).near(at)):
                return None
            at = bit
        return None if at & self.shut_to(ghost) else self._hunted(ghost, at)

    def _hunted(self, ghost: int, bit: int) -> "Advanced":
        """Return the state after a ghost's walk, or 0 for a stay (AV-A3, AV-A27)."""
        ghosts, memory = list(self.ghosts), list(self.memory)
        memory[ghost] = ghosts[ghost] if bit else 0  # AV-A1, AV-A2
        ghosts[ghost] = bit or ghosts[ghost]
        hunted = self._replace(
            ghosts=tuple(ghosts), memory=tuple(memory), waiting=self.waiting ^ 1 << ghost
        )
        if bit and bit == self.pacman:  # AV-15; the others play on (AV-A14, AV-A32)
            hunted = hunted._replace(pacman=0, previous=0, lives=self.lives - 1, quiet=STIRRED)
            return hunted if hunted.is_over else hunted._ghost_done()
        return hunted._replace(phase=PLACE) if self.fences_left[GHOSTS] else hunted._ghost_done()

    def _ghost_done(self) -> "Advanced":
        return self._replace(phase=HUNT) if self.waiting else self._next_round()


@dataclass(frozen=True)
class AdvancedGame:
    """The advanced variant as a kind of game; ``load`` reads its set-up, once it is asked for."""

    load: Callable[[], Setup]
    name: str = "pacman-advanced"
    seats: int = 2

    @cached_property
    def setup(self) -> Setup:
        """Return pellets and chambers."""
        return self.load()

    @cached_property
    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the options and their values, the default first.

        ``chamber`` is AV-A28, ``respawnConsumesMove`` AV-A15; ``noProgress`` ends a game in which
        nothing was eaten, caught or placed for so many rounds.
        """
        return {
            "chamber": tuple(chamber.name for chamber in self.setup.chambers),
            "respawnConsumesMove": ("no", "yes"),
            "noProgress": ("off", "50"),
        }

    def start(self, options: Mapping[str, str] | None = None) -> Advanced:
        """Return the first position, Pac-Man still in his player's hand (AV-6, AV-8)."""
        chosen = choose_options(self, options or {})
        chambers = {chamber.name: chamber for chamber in self.setup.chambers}
        chamber = chambers[chosen["chamber"]]
        limit = 0 if chosen["noProgress"] == "off" else int(chosen["noProgress"])
        table = Table(chamber.name, chosen["respawnConsumesMove"] == "yes", limit)
        fences = sum(SLOT_BIT[slot] for slot in chamber.fences)
        ghosts = tuple(BIT[chamber.ghosts[name]] for name in NAMES)
        pellets = sum(BIT[square] for square in self.setup.pellets)
        return Advanced(table, ghosts, fences, fences, pellets)
