"""People who play whole games in a room: proper moves, and now and then something clumsy.

A *ply* is one proper move made by hand. What the companion made of it is kept in a tally.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import cv2

from companion.board import FENCE, Spot, column_row, is_slot
from companion.games.catalogue import find_game, find_kit
from companion.games.game import Move
from companion.games.quoridor.rules import PASS, Quoridor
from companion.games.quoridor.scenes import shutting_in
from companion.referee.changes import compare
from companion.referee.explain import real_position
from companion.referee.verdict import Kind
from companion.sensing.fusion import Senses
from companion.service.requests import Answer, EnterMove
from companion.service.simulated.rig import Rig
from companion.service.simulated.scenes import SIDES
from companion.sim.hands import Person, Step
from companion.sim.table import SIDES as POINTING

FENCE_SHARE = 0.33
ODD_SHARE = 0.2
HALF_SHARE = 0.18  # of the fences
HASTY_SHARE = 0.03
LONGEST_GAME = 120
PATIENCE_SECONDS = 2.0


@dataclass
class Tally:
    """What happened; tallies of several rooms add up."""

    plies: int = 0
    right: int = 0
    wrong: int = 0
    asked: int = 0
    missed: int = 0
    falsely_refused: int = 0
    to_refuse: int = 0
    refused: int = 0
    halves: int = 0
    halves_taken: int = 0
    odd: int = 0
    games: int = 0
    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together."""
        names = [f.name for f in fields(self)]
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in names})


class Players:
    """Everybody at the table of one rig. ``pictures`` is where faults are kept as pictures."""

    def __init__(self, rig: Rig, rng: random.Random, pictures: Path | None = None) -> None:
        self.rig, self.rng = rig, rng
        self.tally = Tally()
        self._pictures = pictures
        self._spoilt = False
        self._half = ""
        self._half_share = max(HALF_SHARE, rig.table.habits.half_in_share)
        # How often a fence is left half in is for these people to say: they keep count.
        rig.table.habits = replace(rig.table.habits, half_in_share=0.0)
        rig.on_moves = self._check

    def play(self, plies: int) -> Tally:
        """Play games until so many moves are made; return what came of them."""
        while self.tally.plies < plies:
            self._begin()
            state = self.state
            while state.to_act is not None and self.tally.plies < plies and not self._spoilt:
                if len(self.rig.loop.table.moves) >= LONGEST_GAME:
                    break
                self._turn()
                state = self.state
        return self.tally

    @property
    def state(self) -> Quoridor:
        """Return the game as the companion has it."""
        state = self.rig.loop.table.state
        assert isinstance(state, Quoridor)
        return state

    def _begin(self) -> None:
        game = find_game(self.rng.choice(("quoridor", "quoridor", "quoridor4")))
        pieces = self.rng.sample(list(self.rig.board.pieces), game.seats)
        if self.rng.random() < 0.3:
            pieces = list(find_kit(game.name).usual)
        self._spoilt = False
        self.tally.games += 1
        self.rig.begin(game.name, tuple(pieces))
        if not self.rig.loop.table.is_as_agreed:
            self._fault("the set-up is not seen")

    def _turn(self) -> None:
        if self.rng.random() < ODD_SHARE:
            self._be_odd()
        if self._spoilt:
            return
        move = self._choose(self.state)
        chance = self.rng.random()
        if move == PASS:
            self.rig.ask(EnterMove(move))
        elif is_slot(move) and self.rig.setting.blind:
            self._confirm(move)
        elif is_slot(move) and chance < self._half_share:
            self._expect([move], self._half_in(move))
        elif chance > 1 - HASTY_SHARE and self.state.play(move).to_act is not None:
            then = self.state.play(move)
            answer = self.rng.choice(then.pawn_moves() or [PASS])
            if answer != PASS:
                self._expect([move, answer], self._make(self.state, [move, answer]))
        else:
            self._expect([move], self._make(self.state, [move]))
        self.rig.wait(self.rng.uniform(0.1, 1.0))

    def _confirm(self, slot: Spot) -> None:
        """Put a fence down that no camera sees, and say so on the page."""
        self.rig.watch(self._person(self.state).place_fence(slot))
        self.tally.plies += 1
        self.rig.ask(EnterMove(slot))
        self.tally.right += dict(self.rig.position) == dict(self.rig.table.truth())

    def _choose(self, state: Quoridor) -> Move:
        """Return a legal move: jumps where they are possible, fences, mostly steps ahead."""
        seat = state.to_act
        assert seat is not None
        legal = state.legal_moves()
        fences = [move for move in legal if is_slot(move)]
        steps = [move for move in legal if len(move) == 2]
        if fences and (self.rng.random() < FENCE_SHARE or not steps):
            return self.rng.choice(fences)
        if not steps:
            return legal[0]
        jumps = [move for move in steps if _steps_between(move, state.pawns[seat]) > 1]
        if jumps and self.rng.random() < 0.7:
            return self.rng.choice(jumps)
        if self.rng.random() < 0.5:
            return min(steps, key=lambda move: state.play(move).distance(seat))
        return self.rng.choice(steps)

    # --- proper moves ---------------------------------------------------------------------------

    def _expect(self, moves: list[Move], steps: Iterator[Step]) -> None:
        """Make moves by hand, and see what the companion makes of them."""
        rig, tally = self.rig, self.tally
        before = len(rig.loop.table.moves)
        goal = before + len(moves)
        rig.kinds.clear()
        rig.watch(steps)
        gone = rig.clock.now

        def accepted() -> bool:
            return len(rig.loop.table.moves) >= goal

        if not accepted():
            rig.wait(PATIENCE_SECONDS, until=accepted)
        tally.plies += len(moves)
        if Kind.NOT_ALLOWED in rig.kinds:
            tally.falsely_refused += 1
            self._fault(f"{moves} refused")
        if Kind.UNSURE in rig.kinds:
            tally.asked += 1
            self._fault(f"{moves} asked")
        elif not accepted():
            tally.missed += 1
            self._fault(f"{moves} missed")
        if accepted():
            if rig.loop.table.moves[before:] == moves:
                tally.right += len(moves)
            if len(moves) == 1:
                tally.seconds.append(rig.clock.now - gone)
        for move in moves[len(rig.loop.table.moves) - before :]:
            asked = rig.verdict.kind is Kind.UNSURE and move in rig.verdict.moves
            rig.ask(Answer(move) if asked else EnterMove(move))

    def _check(self, moves: tuple[Move, ...]) -> None:
        """Compare what was just accepted with what really lies on the table."""
        truth = dict(self.rig.table.truth())
        if moves == (self._half,) and self._half not in truth:
            self.tally.halves_taken += 1
            self._fault(f"{self._half} accepted, but only half in")
            truth[self._half] = FENCE
        if dict(self.rig.position) != truth:
            self.tally.wrong += len(moves)
            self._spoilt = True
            odd = set(self.rig.position.items()) ^ set(truth.items())
            self._fault(f"{moves} accepted, but wrong: {sorted(odd)}")

    def _make(self, state: Quoridor, moves: list[Move]) -> Iterator[Step]:
        cast = self.rig.loop.table.company.cast
        for move in moves:
            person = self._person(state)
            after = state.play(move)
            yield from person.do(compare(real_position(state, cast), real_position(after, cast)))
            state = after

    def _half_in(self, slot: Spot) -> Iterator[Step]:
        """Put a fence in by halves: after a while the person notices and pushes it home."""
        table = self.rig.table
        self._half = slot
        self.tally.halves += 1
        for step in self._person(self.state).place_fence(slot):
            if step.what == "put":
                table.half_seat(table.fence_at(slot) or "")
            elif step.what == "push":
                self._half = ""
            yield step
            if step.what in ("notice", "push"):
                self.rig.kinds.discard(Kind.UNSURE)  # to ask about this fence was right

    # --- what else happens at a table -----------------------------------------------------------

    def _be_odd(self) -> None:
        whats = [self._jump, self._wrong_pawn, self._hover, self._lift]
        if not self.rig.setting.blind:
            whats += [self._close, self._change]
        self.tally.odd += 1
        self.rng.choice(whats)()
        self.rig.wait(0.3)

    def _jump(self) -> None:
        """Move one's own pawn where it must not go, and back."""
        state, seat = self.state, self.state.to_act
        assert seat is not None
        start = state.pawns[seat]
        near = [s for s in self.rig.board.squares if 0 < _steps_between(s, start) < 4]
        targets = [s for s in near if s not in state.pawns and state.why_not(s) is not None]
        piece = self.rig.loop.table.company.pieces[seat]
        self._must_be_refused(piece, start, self.rng.choice(targets))

    def _wrong_pawn(self) -> None:
        """Move somebody else's pawn, and back."""
        state = self.state
        others = [seat for seat in range(state.seats) if seat != state.to_act]
        seat = self.rng.choice(others)
        start = state.pawns[seat]
        near = [s for s in self.rig.board.squares if _steps_between(s, start) == 1]
        targets = [s for s in near if s not in state.pawns]
        piece = self.rig.loop.table.company.pieces[seat]
        self._must_be_refused(piece, start, self.rng.choice(targets))

    def _must_be_refused(self, piece: str, start: Spot, target: Spot) -> None:
        person = self._person(self.state)
        self.rig.watch(person.move_pawn(piece, start, target))
        self._see_refused(f"{piece} from {start} to {target}")
        if not self._spoilt:
            self.rig.watch(person.move_pawn(piece, target, start))
            self._see_agreed(f"{piece} back on {start}")

    def _close(self) -> None:
        """Put a fence where it shuts somebody in, and take it out again."""
        state = self.state
        slot = next(iter(shutting_in(state, self.rig.board.slots)), None)
        if slot is None or self.rig.table.spare_fence() is None:
            return
        person = self._person(state)
        self.rig.watch(person.place_fence(slot))
        self._see_refused(f"fence on {slot}")
        if not self._spoilt and self.rig.table.fence_at(slot):
            self.rig.watch(person.remove_fence(slot))
            self._see_agreed(f"{slot} without its fence")

    def _see_refused(self, what: str) -> None:
        self.tally.to_refuse += 1
        rig = self.rig
        if rig.wait(PATIENCE_SECONDS, until=lambda: rig.verdict.kind is Kind.NOT_ALLOWED):
            self.tally.refused += 1
        elif not self._spoilt:
            self._fault(f"{what} not refused")

    def _see_agreed(self, what: str) -> None:
        if not self.rig.wait(PATIENCE_SECONDS, until=lambda: self.rig.loop.table.is_as_agreed):
            self._fault(f"{what} not seen")

    def _hover(self) -> None:
        spot = self.rng.choice(self.rig.board.squares)
        self._must_be_nothing(
            f"hand over {spot}", self._person(self.state).hover(spot, self.rng.uniform(0.3, 1.5))
        )

    def _lift(self) -> None:
        seat = self.state.to_act
        assert seat is not None
        spot = self.state.pawns[seat]
        piece = self.rig.loop.table.company.pieces[seat]
        person = self._person(self.state)
        self._must_be_nothing(f"{piece} lifted", person.move_pawn(piece, spot, spot))

    def _change(self) -> None:
        """Make a move and take it back before the hand leaves."""
        move = self._choose(self.state)
        if move != PASS:
            self._must_be_nothing(f"{move} taken back", self._and_back(move))

    def _and_back(self, move: Move) -> Iterator[Step]:
        table, board = self.rig.table, self.rig.board
        side = _side(self.state)
        assert self.state.to_act is not None
        for step in self._make(self.state, [move]):
            yield step
            if step.what == "put":
                break
        if is_slot(move):
            id, back = table.fence_at(move) or "", (-2 * board.frame_mm, 0.0)
        else:
            id = self.rig.loop.table.company.pieces[self.state.to_act]
            back = board.at(self.state.pawns[self.state.to_act])
        yield Step(self.rng.uniform(0.1, 0.8), "think")
        x, y = board.at(move)
        table.no_hand()
        table.lift(id, side)
        yield Step(0.2, "lift")
        for share in (0.3, 0.7, 1.0):
            table.carry(id, x + (back[0] - x) * share, y + (back[1] - y) * share)
            yield Step(0.12, "carry")
        table.put(id, *back)
        angle = POINTING[side]
        for away in (0.0, 70.0, 180.0):
            table.hand(
                back[0] - away * math.cos(math.radians(angle)),
                back[1] - away * math.sin(math.radians(angle)),
                angle,
            )
            yield Step(0.1, "withdraw")
        table.no_hand()
        yield Step(0.0, "done")

    def _must_be_nothing(self, what: str, steps: Iterator[Step]) -> None:
        rig = self.rig
        rig.kinds.clear()
        before = len(rig.loop.table.moves)
        rig.watch(steps)
        rig.wait(1.2)
        if len(rig.loop.table.moves) > before:
            self.tally.wrong += 1
            self._spoilt = True
            self._fault(f"{what}, but accepted")
            return
        if Kind.NOT_ALLOWED in rig.kinds:
            self.tally.falsely_refused += 1
            self._fault(f"{what} refused")
        if Kind.UNSURE in rig.kinds:
            self.tally.asked += 1
            self._fault(f"{what} asked")

    # --- small things ---------------------------------------------------------------------------

    def _person(self, state: Quoridor) -> Person:
        pace = self.rng.uniform(0.6, 1.4)
        return Person(self.rig.table, self.rig.board, _side(state), pace)

    def _fault(self, what: str) -> None:
        setting, number = self.rig.setting, self.tally.plies
        name = f"{setting.light}-{setting.seed}-{number}-{len(self.tally.faults)}"
        game = self.rig.loop.table
        self.tally.faults.append(
            f"{name} ({self.rig.verdict.kind}: {self.rig.verdict.text}) {what}"
            f" [{game.game.name} {' '.join(game.company.pieces)}: {' '.join(game.moves)}]"
        )
        senses = self.rig.senses
        frame = senses.frame if isinstance(senses, Senses) else None
        if self._pictures is not None and frame is not None:
            cv2.imwrite(str(self._pictures / f"{name}.png"), frame.picture)


def _side(state: Quoridor) -> str:
    assert state.to_act is not None
    return SIDES[state.seats][state.to_act]


def _steps_between(one: Spot, other: Spot) -> int:
    (a, b), (c, d) = column_row(one), column_row(other)
    return abs(a - c) + abs(b - d)
