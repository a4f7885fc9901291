"""Quoridor PAC-MAN, the special variant: Pac-Man against four ghosts.

docs/games/pacman.md has the rules. A position is a small value; where one can go from a square is
worked out once for the whole game by :mod:`companion.games.pacman.ground`. Why a move is not
allowed is told by :mod:`companion.games.pacman.why`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar

from companion.board import FENCE, PELLET, Position, Spot
from companion.games.bits import SQUARES
from companion.games.game import Effect, Move, Outcome, Refusing, Seat, View, choose_options
from companion.games.layout import GHOSTS, PACMAN, Layout
from companion.games.pacman import told as pacman_told
from companion.games.pacman.ground import (
    EATEN,
    GHOST_OF,
    PASS,
    SORTED_GHOSTS,
    STAY,
    Ground,
    Walk,
    mask_of,
    number_of,
)
from companion.games.pacman.seen import Onlooker

LIVES = 3  # SV-3

#: SV-16, SV-A26: what Pac-Man may call himself, by the pellets he has eaten.
LEVELS = ("no level", "beginner", "promising", "advanced", "elite")

#: What a position is apart from pellets and lives, which never come back: SV-A29 compares these.
Moment = tuple[int, tuple[int, ...], int]


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Pacman(Refusing):
    """A game at one moment. Seat 0 is Pac-Man, seat 1 all ghosts, however shared (SV-1, SV-A31).

    Squares are numbers as in the ground. ``ghosts`` are sorted by letter, EATEN when off the
    board; ``pellets`` are those still there; ``waiting`` has a bit for each ghost that is yet to
    move this round, so it is Pac-Man's turn when there is none. ``past`` holds the moments since
    a pellet or a life went, only under the switch of SV-A29. What follows from these is kept for
    speed: ``to_act`` is 0 for Pac-Man, who begins (SV-5), 1 for the ghosts, None when it is over;
    ``_taken`` are the ghosts' squares.
    """

    seats: ClassVar[int] = 2  # Pac-Man and the ghosts
    ground: Ground
    pacman: int
    ghosts: tuple[int, ...]
    pellets: int
    lives: int
    waiting: int
    past: tuple[Moment, ...]
    to_act: Seat | None = field(init=False, compare=False)
    _taken: int = field(init=False, compare=False)

    def __init__(
        self,
        ground: Ground,
        pacman: int,
        ghosts: tuple[int, ...],
        pellets: int,
        lives: int = LIVES,
        waiting: int = 0,
        past: tuple[Moment, ...] = (),
        _taken: int | None = None,
    ) -> None:
        # What a frozen dataclass would do, in half the time.
        (
            put_ground,
            put_pacman,
            put_ghosts,
            put_pellets,
            put_lives,
            put_waiting,
            put_past,
            put_to_act,
            put_taken,
        ) = _SET
        put_ground(self, ground)
        put_pacman(self, pacman)
        put_ghosts(self, ghosts)
        put_pellets(self, pellets)
        put_lives(self, lives)
        put_waiting(self, waiting)
        put_past(self, past)
        over = not lives or not pellets or (past and self._no_progress())
        put_to_act(self, None if over else 1 if waiting else 0)
        put_taken(self, mask_of(ghosts) if _taken is None else _taken)

    def __repr__(self) -> str:
        pieces = " ".join(f"{thing} {spot}" for spot, thing in self._pieces().items())
        waiting = [SORTED_GHOSTS[ghost] for ghost in range(4) if self.waiting >> ghost & 1]
        turn = ", ".join(waiting) + " to move" if waiting else "pacman to move"
        return f"<Pacman: {pieces}; {self.lives} {'life' if self.lives == 1 else 'lives'}; {turn}>"

    # -- looking at it

    @property
    def options(self) -> dict[str, str]:
        """Return the options this game is played with."""
        return dict(self.ground.options)

    @property
    def eaten(self) -> int:
        """Return how many pellets Pac-Man has eaten: his level (SV-16)."""
        return self.ground.pellet_count - self.pellets.bit_count()

    @property
    def moving_ghosts(self) -> tuple[str, ...]:
        """Return the ghosts of which one moves next, none when it is Pac-Man's turn."""
        if self.to_act != 1:
            return ()
        return tuple(SORTED_GHOSTS[ghost] for ghost in self.ground.turns[self.waiting])

    @property
    def starts_turn(self) -> bool:
        """Return whether a round begins: Pac-Man, then every ghost (SV-5)."""
        return not self.waiting

    def outcome(self) -> Outcome | None:
        """Return how the game ended, with Pac-Man's level (SV-15, SV-16)."""
        level = f"{LEVELS[min(self.eaten, 4)]} ({self.eaten} of {self.ground.pellet_count} pellets)"
        if not self.pellets:
            return Outcome((0,), f"Pac-Man ate the last pellet; his level: {level}")
        if not self.lives:
            return Outcome((1,), f"Pac-Man lost his last life; his level: {level}")
        if self.past and self._no_progress():
            return Outcome((), f"no progress; Pac-Man's level: {level}")
        return None

    def position(self) -> Position:
        """Return what should physically be on the board, all pieces by their own names."""
        pellets = (SQUARES[n] for n in range(len(SQUARES)) if self.pellets >> n & 1)
        things = self._pieces() | dict.fromkeys(pellets, PELLET)
        return things | dict.fromkeys(self.ground.layout.fences, FENCE)

    def _pieces(self) -> dict[Spot, str]:
        """Return the square of each piece; a ghost that caught Pac-Man for good stands on his."""
        things = {SQUARES[self.pacman]: PACMAN}
        for ghost in GHOSTS:
            if (number := self.ghosts[SORTED_GHOSTS.index(ghost)]) != EATEN:
                things[SQUARES[number]] = ghost
        return things

    def tallies(self) -> dict[str, tuple[int, ...]]:
        """Return the lives Pac-Man has left (SV-A30) and the pellets he has eaten."""
        return {"lives": (self.lives, 0), "pellets": (self.eaten, 0)}

    def sight(self, ghost: str) -> tuple[Spot, ...] | None:
        """Return the squares between a ghost and Pac-Man when it sees him, None otherwise.

        Straight lines only (SV-11) and never across a fence, but over ghosts, pellets and any
        distance (SV-12, SV-A21). What the ghosts before it do changes nothing (SV-A20).
        """
        start = self.ghosts[SORTED_GHOSTS.index(ghost)]
        if start == EATEN or not self.ground.sees[start][self.pacman]:
            return None
        return tuple(SQUARES[n] for n in self.ground.lines[start][self.pacman])

    def seen_by(self) -> dict[str, tuple[Spot, ...]]:
        """Return the ghosts that see Pac-Man, each with the squares between them."""
        sights = {ghost: self.sight(ghost) for ghost in GHOSTS}
        return {ghost: between for ghost, between in sights.items() if between is not None}

    def shown(self) -> View:
        """Return what everybody sees besides position, tallies and turn."""
        return {
            "sight": {ghost: list(between) for ghost, between in self.seen_by().items()},
            "moving": list(self.moving_ghosts),
        }

    # -- moves

    def legal_moves(self) -> list[Move]:
        """Return every legal move, sorted."""
        if self.to_act is None:
            return []
        if not self.waiting:
            return list(self._walks())
        moves: list[Move] = []
        ground, ghosts, pacman = self.ground, self.ghosts, self.pacman
        stops = self._taken | self.pellets
        for ghost in ground.turns[self.waiting]:
            moves += ground.hunts(ghost, ghosts[ghost], pacman, stops)
        return moves

    def count_legal(self) -> int:
        """Return how many legal moves there are."""
        return len(self.legal_moves())

    def successors(self) -> Iterator["Pacman"]:
        """Yield the state after each legal move, in the order of the moves."""
        if self.to_act is None:
            return
        if not self.waiting:
            yield from map(self._after_walk, self._walks().values())
            return
        for ghost in self.ground.turns[self.waiting]:
            for end in self.hunts(ghost).values():
                yield self._after_hunt(ghost, end)

    judged_by = Onlooker

    def _played(self, move: Move) -> "Pacman | None":
        if self.to_act is None:
            return None
        if not self.waiting:
            walk = self._walks().get(move)
            return None if walk is None else self._after_walk(walk)
        ghost = GHOST_OF.get(move[:1], EATEN)
        if ghost not in self.ground.turns[self.waiting]:
            return None
        end = self.hunts(ghost).get(move)
        return None if end is None else self._after_hunt(ghost, end)

    def effect(self, move: Move) -> Effect:
        """Return which piece a legal move walks, and over which squares."""
        ghost = GHOST_OF.get(move[0])
        thing, path = (PACMAN, move) if ghost is None else (SORTED_GHOSTS[ghost], move[1:])
        return Effect(thing, () if path in (PASS, STAY) else tuple(path.split("-")))

    def made(self, move: Move) -> tuple[Position, ...]:
        """Return what the board may show when a legal move has just been made."""
        return tuple(pacman_told.made(self, self.effect(move), self.play(move)))

    def told(self, move: Move, names: Sequence[str] = ()) -> str:
        """Return what a legal move does, in words."""
        return pacman_told.told(self, self.effect(move), self.play(move))

    def awaited(self, names: Sequence[str] = ()) -> str:
        """Return who is to move, in words."""
        return pacman_told.awaited(self.moving_ghosts)

    # -- Pac-Man

    def _walks(self) -> Mapping[Move, Walk]:
        return self.ground.walks(self.pacman, self._taken, self.pellets)

    def _after_walk(self, walk: Walk) -> "Pacman":
        """Return the state after a move of Pac-Man: now all ghosts on the board are to move."""
        end, pellets, reached = walk
        ghosts, taken = self.ghosts, self._taken
        if reached & taken:  # SV-8
            ghosts = tuple([EATEN if n >= 0 and reached >> n & 1 else n for n in ghosts])
            taken &= ~reached
        waiting = 0b1111
        if EATEN in ghosts:  # SV-A11: with all four gone it is Pac-Man's turn again
            waiting = sum(1 << ghost for ghost, n in enumerate(ghosts) if n != EATEN)
        past = self.past
        if self.ground.no_progress:
            kept = past if pellets == self.pellets else ()
            past = (*kept, (end, ghosts, waiting))
        return Pacman(self.ground, end, ghosts, pellets, self.lives, waiting, past, taken)

    # -- ghosts

    def hunts(self, ghost: int) -> Mapping[Move, int]:
        """Return every move of a ghost and where it ends."""
        stops = self._taken | self.pellets
        return self.ground.hunts(ghost, self.ghosts[ghost], self.pacman, stops)

    def _after_hunt(self, ghost: int, end: int) -> "Pacman":
        """Return the state after one ghost's move."""
        ghosts, pacman, ground = self.ghosts, self.pacman, self.ground
        start = ghosts[ghost]
        if end == pacman:
            return self._caught(ghost)
        ghosts = (*ghosts[:ghost], end, *ghosts[ghost + 1 :])
        taken = self._taken & ~(1 << start) | 1 << end
        waiting = self.waiting & ~(1 << ghost)
        past = self.past
        if ground.no_progress:
            past = (*past, (pacman, ghosts, waiting))
        return Pacman(ground, pacman, ghosts, self.pellets, self.lives, waiting, past, taken)

    def _caught(self, ghost: int) -> "Pacman":
        """Return the state after a capture (SV-13): a life goes, the round is over (SV-A23).

        Everybody returns to the start, all at once (SV-14, SV-A28), eaten ghosts only now
        (SV-A10); pellets stay eaten (SV-A24). With the last life all stays as it is (SV-A25).
        """
        ground, lives = self.ground, self.lives - 1
        if not lives:
            ghosts = (*self.ghosts[:ghost], self.pacman, *self.ghosts[ghost + 1 :])
            return Pacman(ground, self.pacman, ghosts, self.pellets, lives)
        past = ((ground.pacman, ground.ghosts, 0),) if ground.no_progress else ()
        return Pacman(ground, ground.pacman, ground.ghosts, self.pellets, lives, 0, past)

    def _no_progress(self) -> bool:
        """Tell whether all stands as it did often enough before (SV-A29)."""
        return self.past.count(self.past[-1]) >= self.ground.no_progress


_SET = tuple(getattr(Pacman, each.name).__set__ for each in fields(Pacman))


@dataclass(frozen=True)
class PacmanGame:
    """Quoridor PAC-MAN as a kind of game; ``load`` finds the layout of one of the names."""

    layouts: tuple[str, ...]
    load: Callable[[str], Layout]
    name: str = "pacman"
    seats: int = 2
    _grounds: dict[tuple[str, ...], Ground] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def options(self) -> Mapping[str, Sequence[str]]:
        """Return the options and their values, the default first.

        ``suicide`` is SV-A3, ``frenzyUpTo`` SV-A14, ``frenzyStraight`` SV-A15, ``ghostOrder``
        SV-A12, ``noProgress`` SV-A29, ``exactBonus`` SV-A6; ``layout`` is the set-up (SV-2), and
        ``lives`` a handicap instead of the three of SV-3.
        """
        return {
            "layout": self.layouts,
            "suicide": ("no",),
            "frenzyUpTo": ("no", "yes"),
            "frenzyStraight": ("no", "yes"),
            "ghostOrder": ("free", "fixed"),
            "noProgress": ("off", "3"),
            "exactBonus": ("no", "yes"),
            "lives": (str(LIVES), "1", "2", "4", "5"),
        }

    def start(self, options: Mapping[str, str] | None = None) -> Pacman:
        """Return the first position; raise OptionError for an unknown option or value."""
        chosen = choose_options(self, options or {})
        key = tuple(chosen.values())
        if key not in self._grounds:  # prepared once, and shared by all its games
            self._grounds[key] = Ground(self.load(chosen["layout"]), chosen)
        ground = self._grounds[key]
        past = ((ground.pacman, ground.ghosts, 0),) if ground.no_progress else ()
        lives = int(chosen["lives"])
        return Pacman(ground, ground.pacman, ground.ghosts, ground.pellets, lives, 0, past)


def arrange(
    ground: Ground,
    pacman: Spot,
    ghosts: Mapping[str, Spot],
    pellets: Sequence[Spot],
    lives: int = LIVES,
    waiting: Sequence[str] = (),
) -> Pacman:
    """Return any position, by names; ghosts that are not named have been eaten."""
    squares = tuple(number_of(ghosts[g]) if g in ghosts else EATEN for g in SORTED_GHOSTS)
    bits = sum(1 << SORTED_GHOSTS.index(ghost) for ghost in waiting)
    place = number_of(pacman)
    past = ((place, squares, bits),) if ground.no_progress else ()
    left = mask_of(map(number_of, pellets))
    return Pacman(ground, place, squares, left, lives, bits, past)
