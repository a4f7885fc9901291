"""Quoridor PAC-MAN, the advanced variant: a chamber, fences of both sides, tunnels, no way back.

docs/games/pacman-advanced.md has the rules. A turn is made of small plies: Pac-Man is put on the
board, walks in runs of normal steps and of pellet steps, then a fence goes up or not; each ghost
walks, then a fence goes up or not. Why a move is not allowed is told by
:mod:`companion.games.advanced.why`, what was done by hand by :mod:`companion.games.advanced.hands`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from companion.board import FENCE, PELLET, Change, Position, Spot
from companion.games.advanced import told as advanced_told
from companion.games.advanced.ground import ground
from companion.games.advanced.hands import Onlooker
from companion.games.advanced.setup import (
    END,
    ENTER,
    GHOSTS,
    HUNT,
    LETTERS,
    NAMES,
    PACMAN,
    PASS,
    PLACE,
    RULE_SET,
    SHIFT,
    STAY,
    STEPS,
    STIRRED,
    WAIT,
    WALK,
    Setup,
    Table,
)
from companion.games.advanced.standing import Standing
from companion.games.advanced.walk import can_finish, may_stay, runs, step
from companion.games.bits import BIT, SLOT_BIT, each_bit, slot_mask, slot_names, square_name
from companion.games.game import Effect, Move, Refusal, Refusing, View, choose_options


@dataclass(frozen=True)
class PelletSteps(Effect):
    """Steps for which Pac-Man spends a pellet: a ghost that he comes to is eaten (AV-17)."""

    note: str = "spending a pellet"


class Advanced(Standing, Refusing):
    """A game of the advanced variant at one moment, and what moves make of it."""

    __slots__ = ()
    seats: ClassVar[int] = 2  # Pac-Man and the ghosts

    def shown(self) -> View:
        """Return what everybody sees besides position, tallies and turn."""
        memory = zip(("pacman", *NAMES), (self.previous, *self.memory), strict=True)
        return {
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

    judged_by = Onlooker

    def _played(self, move: Move) -> "Advanced | None":
        if self.is_over:
            return None
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

    def effect(self, move: Move) -> Effect:
        """Return what a legal move does: who walks where, or which fence goes where."""
        if move in SLOT_BIT:
            return Effect(fence=move)
        if move == END:
            return Effect(note=advanced_told.ending(self))
        if move == PASS:
            return Effect(note="no fence can be moved")
        if self.phase == SHIFT:
            source, _, target = move.partition(">")
            return Effect(FENCE, (source,), target)
        thing, way = "pacman", move
        if self.phase == HUNT:
            thing, way = NAMES[LETTERS.index(move[0])], move[1:]
        path = () if way in (STAY, WAIT) else tuple(re.split("[-+]", way.lstrip("@+")))
        return PelletSteps(thing, path) if move[0] == "+" else Effect(thing, path)

    def made(self, move: Move) -> Sequence[Position]:
        """Return what the board may show when a legal move has just been made."""
        return tuple(advanced_told.made(self, self.effect(move), self.play(move)))

    def told(self, move: Move, names: Sequence[str] = ()) -> str:
        """Return what a legal move does, in words."""
        return advanced_told.told(self, move, self.effect(move), self.play(move))

    def awaited(self, names: Sequence[str] = ()) -> str:
        """Return what is due, in words."""
        return advanced_told.awaited(self)

    def unsaid(self) -> Move:
        """Return that the turn ends where it may: no fence and no step more leave no trace."""
        return END if not self.is_over and self.may_end else ""

    def must_be_said(self, move: Move) -> bool:
        """Tell whether a move spends a pellet, which has to be declared, or leaves a step of one
        that is being spent unused (AV-A7)."""
        if self.phase != WALK or move in SLOT_BIT or move in (END, STAY):
            return False
        spends = move.startswith("+")
        return not spends if self.boost and move.count("+") < 2 else spends

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        """Return why what was done on the board is no legal move; whoever went on after a turn that
        may end here has said that it does."""
        pawns = {change.thing for change in changes} - {FENCE, PELLET}
        goes_on = bool(pawns) if self.phase == PLACE else bool(pawns - {"pacman"})
        if not self.is_over and self.may_end and goes_on and "pacman" not in pawns:
            return self._rested().refuse(changes, names)
        return super().refuse(changes, names)

    def seen_by(self) -> Mapping[str, tuple[Spot, ...]]:
        """Return the ghosts in an open straight line with Pac-Man, with the squares between."""
        return advanced_told.seen_by(self)

    # -- Pac-Man comes in

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

    def _hunting_moves(self, ghost: int) -> list[Move]:
        letter = LETTERS[ghost]
        return [letter + way for way in self.chases(ghost)] or [letter + STAY]

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
        if at & self.shut_to(ghost) or (self.table.exact_speed and way not in self.chases(ghost)):
            return None
        return self._hunted(ghost, at)

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

        ``chamber`` is AV-A28, ``respawnConsumesMove`` AV-A15, ``exactSpeed`` AV-A4, ``exactBonus``
        AV-A7; ``noProgress`` ends a game in which
        nothing was eaten, caught or placed for so many rounds.
        """
        return {
            "chamber": tuple(chamber.name for chamber in self.setup.chambers),
            "respawnConsumesMove": ("no", "yes"),
            "exactSpeed": ("no", "yes"),
            "exactBonus": ("no", "yes"),
            "noProgress": ("off", "50"),
        }

    def start(self, options: Mapping[str, str] | None = None) -> Advanced:
        """Return the first position, Pac-Man still in his player's hand (AV-6, AV-8)."""
        chosen = choose_options(self, options or {})
        chambers = {chamber.name: chamber for chamber in self.setup.chambers}
        chamber = chambers[chosen["chamber"]]
        limit = 0 if chosen["noProgress"] == "off" else int(chosen["noProgress"])
        table = Table(
            chamber.name,
            chosen["respawnConsumesMove"] == "yes",
            limit,
            chosen["exactSpeed"] == "yes",
            chosen["exactBonus"] == "yes",
        )
        fences = slot_mask(chamber.fences)
        ghosts = tuple(BIT[chamber.ghosts[name]] for name in NAMES)
        pellets = sum(BIT[square] for square in self.setup.pellets)
        return Advanced(table, ghosts, fences, fences, pellets)
