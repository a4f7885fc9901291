"""Whole games of the advanced variant from picture to verdict, by people on both sides.

Drawn by the simulated camera, read, and refereed in simulated time like :mod:`bench.games`. That
there is no fence is said on the page, with the confirm button, or by whoever goes on; spent pellets
are made on the board and declared when the companion asks.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import cv2

from bench.games import PLIES_A_ROOM, rows, settings
from bench.people import PATIENCE_SECONDS, Tally
from bench.report import Row
from companion.board import FENCE, PELLET, is_slot
from companion.boards.profile import load
from companion.games.advanced.rules import Advanced
from companion.games.advanced.setup import END, GHOSTS, PACMAN
from companion.games.game import Move
from companion.panel.panel import CONFIRM, Panel
from companion.referee.changes import compare
from companion.referee.verdict import Kind
from companion.service.requests import Answer, EnterMove
from companion.service.simulated.rig import Rig
from companion.service.simulated.scenes import SIDES
from companion.sim.hands import Person, Step
from companion.sim.room import Room, Setting

GAME = "pacman-advanced"
PLIES = 300
#: Other rooms than any that were looked at while this was made.
SEED = 7_000
FENCE_SHARE = 0.3
ODD_SHARE = 0.15
FENCE_FIRST_SHARE = 0.3  # of the turns with a fence in which the hand puts it before the move
#: A slow camera; the slower, the sooner such a bench is done.
FPS = 8
LONGEST_GAME = 140


class Hunt:
    """Everybody at the table of one rig; ``pictures`` is where faults are kept as pictures."""

    def __init__(self, setting: Setting, pictures: Path | None = None) -> None:
        self.rng = random.Random(setting.seed)
        self.panel = Panel(lambda command: self.rig.loop.post(command))
        self.rig = Rig(Room(load("reference"), setting), outputs=[self.panel], fps=FPS)
        self.tally = Tally()
        self.pictures = pictures
        self._spoilt = False
        self._more = ""  # a fence that is made together with a move
        self.rig.on_moves = self._check

    @property
    def state(self) -> Advanced:
        """Return the game as the companion has it."""
        state = self.rig.loop.table.state
        assert isinstance(state, Advanced)
        return state

    def play(self, plies: int) -> Tally:
        """Play games until so many plies are made; return what came of them."""
        while self.tally.plies < plies:
            self._spoilt = False
            self.tally.games += 1
            self.rig.begin(GAME)
            if not self.rig.loop.table.is_as_agreed:
                self._fault("the set-up is not seen")
            while self._goes_on and self.tally.plies < plies:
                if self.rng.random() < ODD_SHARE:
                    self._be_odd()
                if self._goes_on:
                    self._turn()
                self.rig.wait(self.rng.uniform(0.1, 0.5))
        return self.tally

    @property
    def _goes_on(self) -> bool:
        long = len(self.rig.loop.table.moves) >= LONGEST_GAME
        return not self._spoilt and not long and self.state.to_act is not None

    # --- proper moves -------------------------------------------------------------------------

    def _turn(self) -> None:
        state = self.state
        move = self._choose(state)
        after = state.play(move)
        if move == END:
            self._end(state, after)
        elif state.must_be_said(move):
            self._declare(move)
        elif not after.pacman and state.turn == PACMAN and state.pacman:
            self._expect([move], self._meet(move), unfinished=True)
        elif dict(after.position()) == dict(state.position()):
            self._enter(move)
        elif fence := self._fence_first(after):
            self._more = fence
            self._expect([move, fence], self._make([fence, move], state, after.play(fence)))
            self._more = ""
        else:
            self._expect([move], self._make([move], state, after))

    def _choose(self, state: Advanced) -> Move:
        """Return a legal move: to pellets and to Pac-Man more often than by chance."""
        moves = [m for m in state.legal_moves() if "-" not in m or m.count("-") < 3]
        fences = [move for move in moves if is_slot(move)]
        walks = [move for move in moves if not is_slot(move)]
        if fences and (self.rng.random() < FENCE_SHARE or not walks):
            return self.rng.choice(fences)
        for move in walks:
            after = state.play(move)
            gains = after.collected > state.collected
            caught = after.lives < state.lives and state.turn == GHOSTS
            if (gains and self.rng.random() < 0.5) or (caught and self.rng.random() < 0.3):
                return move
        kind = self.rng.choice([m[0] == "+" for m in walks])
        return self.rng.choice([m for m in walks if (m[0] == "+") == kind])

    def _fence_first(self, after: Advanced) -> Move:
        if after.to_act is None or not after.may_place or self.rng.random() > FENCE_FIRST_SHARE / 3:
            return ""
        fences = [move for move in after.legal_moves() if is_slot(move)]
        return self.rng.choice(fences) if fences else ""

    def _end(self, state: Advanced, after: Advanced) -> None:
        """Say that there is no fence: with a tap, with the button, or by going on."""
        way = self.rng.choice(("tap", "button", "go on"))
        following = "" if after.to_act is None else self._choose(after)
        if way == "go on" and following and self._is_plain(after, following):
            made = self._make([following], after, after.play(following))
            self._expect([END, following], made)
            return
        before = len(self.rig.loop.table.moves)
        if way == "button":
            self.panel.press(CONFIRM)
            self.rig.wait(0.3)
        else:
            self.rig.ask(Answer(END))
        self.tally.plies += 1
        said = self.rig.loop.table.moves[before:] == [END]
        self.tally.right += said
        if not said:
            self._fault(f"no fence said by {way}, but not taken")
            self._spoilt = True

    def _is_plain(self, state: Advanced, move: Move) -> bool:
        after = state.play(move)
        seen = dict(after.position()) != dict(state.position())
        suicide = state.turn == PACMAN and bool(state.pacman) and not after.pacman
        return seen and not suicide and move != END and not state.must_be_said(move)

    def _declare(self, move: Move) -> None:
        """Make steps for a pellet on the board, and say so when asked."""
        state, rig = self.state, self.rig
        before = len(rig.loop.table.moves)
        rig.watch(self._make([move], state, state.play(move)))
        rig.wait(PATIENCE_SECONDS, until=lambda: rig.verdict.kind is Kind.UNSURE)
        self.tally.plies += 1
        is_asked = len(rig.loop.table.moves) == before and rig.verdict.kind is Kind.UNSURE
        alike = rig.verdict.moves if is_asked else ()
        asked = [each for each in alike if state.play(each) == state.play(move)]
        if asked:
            rig.ask(Answer(asked[0]))
            self.tally.right += 1
        elif len(rig.loop.table.moves) > before:
            # With normal steps left, the same way is one of those: what was not said was not meant.
            if not self._same_place(move):
                self._fault(f"{move} taken for {rig.loop.table.moves[before:]}")
            self.tally.right += self._same_place(move)
        else:
            self.tally.missed += 1
            self._fault(f"{move} not asked about")
            rig.ask(EnterMove(move))
        rig.wait(1.0, until=lambda: rig.loop.table.is_as_agreed)

    def _same_place(self, move: Move) -> bool:
        return dict(self.rig.position) == dict(self.rig.table.truth())

    def _enter(self, move: Move) -> None:
        self.rig.ask(EnterMove(move))
        self.tally.plies += 1
        self.tally.right += 1
        self.rig.wait(0.5)

    def _expect(self, moves: list[Move], steps: Iterator[Step], unfinished: bool = False) -> None:
        """Make moves by hand, and see what the companion makes of them."""
        rig, tally = self.rig, self.tally
        start = self.state
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
        if Kind.NOT_ALLOWED in rig.kinds and len(moves) == 1:
            tally.falsely_refused += 1
            self._fault(f"{moves} refused")
        if Kind.UNSURE in rig.kinds:
            tally.asked += 1
            self._fault(f"{moves} asked")
        elif not accepted():
            tally.missed += 1
            self._fault(f"{moves} missed")
        if accepted() and not self._spoilt:
            tally.right += len(moves)
            if len(moves) == 1:
                tally.seconds.append(rig.clock.now - gone)
        if self._spoilt:
            return
        want = start
        for move in moves:
            want = want.play(move)
        for move in moves[len(rig.loop.table.moves) - before :]:
            asked = rig.verdict.kind is Kind.UNSURE and move in rig.verdict.moves
            rig.ask(Answer(move) if asked else EnterMove(move))
        if unfinished:
            self._follow()

    def _follow(self) -> None:
        """Put the board as the companion leads to."""
        rig = self.rig
        for _ in range(6):
            if rig.wait(2.0, until=lambda: rig.loop.table.is_as_agreed):
                return
            if rig.verdict.repair:
                rig.watch(self._person(self.state).change(rig.verdict.repair[0]))
        self._fault(f"not led back: {rig.verdict.text}")

    def _meet(self, move: Move) -> Iterator[Step]:
        """Put Pac-Man on the square of the ghost that he meets, which the other hand takes."""
        state = self.state
        shown = state.made(move)[1]
        yield from self._do(state.position(), shown)

    def _make(self, moves: list[Move], state: Advanced, end: Advanced) -> Iterator[Step]:
        """Make moves in this order on the board, however they follow each other in the game."""
        here = dict(state.position())
        for move in moves:
            there = {**here, move: FENCE} if is_slot(move) else dict(state.play(move).position())
            if not is_slot(move):
                there |= {
                    s: t for s, t in here.items() if is_slot(s) and not is_slot_moved(move, s)
                }
            yield from self._do(here, there)
            here = there
        assert here == dict(end.position())

    def _do(self, before: object, after: object) -> Iterator[Step]:
        yield from self._person(self.state).do(compare(dict(before), dict(after)))  # type: ignore[call-overload]

    def _check(self, moves: tuple[Move, ...]) -> None:
        """Compare what was just accepted with what really lies on the table."""
        truth, here = dict(self.rig.table.truth()), dict(self.rig.position)
        if (
            self.rig.loop.table.must_follow
        ):  # led to the end of it: what lies there is its beginning
            state = self.rig.loop.table.states[-2]
            assert isinstance(state, Advanced)
            if truth in state.made(moves[-1]):
                return
        if here == {spot: thing for spot, thing in truth.items() if spot != self._more}:
            return  # the fence that was made with the move is still asked about
        if here != truth:
            self.tally.wrong += len(moves)
            self._spoilt = True
            odd = sorted(set(here.items()) ^ set(truth.items()))
            self._fault(f"{moves} accepted, but wrong: {odd}")

    # --- what else happens at a table -----------------------------------------------------------

    def _be_odd(self) -> None:
        self.tally.odd += 1
        self.rng.choice((self._hover, self._lift, self._wrong_side, self._pellet))()
        self.rig.wait(0.3)

    def _hover(self) -> None:
        spot = self.rng.choice(self.rig.board.squares)
        self._must_be_nothing(
            f"hand over {spot}", self._person(self.state).hover(spot, self.rng.uniform(0.3, 1.5))
        )

    def _lift(self) -> None:
        piece, spot = self._some_pawn()
        if piece:
            steps = self._person(self.state).move_pawn(piece, spot, spot)
            self._must_be_nothing(f"{piece} lifted", steps)

    def _wrong_side(self) -> None:
        """Move a piece where it must not go, and back."""
        piece, spot = self._some_pawn()
        here = self.rig.position
        free = [s for s in self.rig.board.squares if s not in here]
        if not piece:
            return
        target = self.rng.choice(free)
        moved = {s: t for s, t in here.items() if s != spot} | {target: piece}
        if self._may_become(moved):
            return
        person = self._person(self.state)
        self.rig.watch(person.move_pawn(piece, spot, target))
        self._see_refused(
            f"{piece} from {spot} to {target}", lambda: person.move_pawn(piece, target, spot)
        )

    def _pellet(self) -> None:
        """Take a pellet off that nobody has eaten, and put it back."""
        spot = next((s for s, t in self.rig.position.items() if t == PELLET), None)
        if spot is None:
            return
        pellet, person = self.rig.table.at(spot) or "", self._person(self.state)
        self.rig.watch(person.move_pawn(pellet, spot, None))
        self._see_refused(f"pellet off {spot}", lambda: person.move_pawn(pellet, None, spot))

    def _may_become(self, position: object) -> bool:
        """Tell whether a legal move, or the next one after it, looks like this."""
        state = self.state
        states = [state, *([state.play(END)] if state.unsaid() else [])]
        for each in states:
            for move in each.legal_moves():
                if position in each.made(move):
                    return True
        return False

    def _some_pawn(self) -> tuple[str, str]:
        pawns = [(t, s) for s, t in self.rig.position.items() if t not in (FENCE, PELLET)]
        return self.rng.choice(pawns) if pawns else ("", "")

    def _see_refused(self, what: str, back: object) -> None:
        rig = self.rig
        self.tally.to_refuse += 1
        if rig.wait(PATIENCE_SECONDS, until=lambda: rig.verdict.kind is Kind.NOT_ALLOWED):
            self.tally.refused += 1
        elif not self._spoilt:
            self._fault(f"{what} not refused")
        if not self._spoilt:
            rig.watch(back())  # type: ignore[operator]
            if not rig.wait(PATIENCE_SECONDS, until=lambda: rig.loop.table.is_as_agreed):
                self._fault(f"{what}: not seen to be back")

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
        elif Kind.NOT_ALLOWED in rig.kinds:
            self.tally.falsely_refused += 1
            self._fault(f"{what} refused")
        elif Kind.UNSURE in rig.kinds:
            self.tally.asked += 1
            self._fault(f"{what} asked")

    def _person(self, state: Advanced) -> Person:
        side = SIDES[2][state.turn]
        return Person(self.rig.table, self.rig.board, side, self.rng.uniform(0.6, 1.4))

    def _fault(self, what: str) -> None:
        setting, verdict = self.rig.setting, self.rig.verdict
        name = f"{setting.light}-{setting.seed}-{self.tally.plies}-{len(self.tally.faults)}"
        self.tally.faults.append(f"{name} ({verdict.kind}: {verdict.text}) {what}")
        if self.pictures is not None:
            frame = self.rig.room.shoot(0.0)
            cv2.imwrite(str(self.pictures / f"{name}.png"), frame.picture)


def is_slot_moved(move: Move, slot: str) -> bool:
    """Tell whether a move takes a fence out of this slot."""
    return move.startswith(f"{slot}>")


def play(setting: Setting, plies: int, pictures: Path | None = None) -> Tally:
    """Play in one room."""
    cv2.setNumThreads(1)
    hunt = Hunt(setting, pictures)
    try:
        return hunt.play(plies)
    finally:
        hunt.rig.close()


def run(plies: int = PLIES, seed: int = SEED) -> list[Row]:
    """Return the figures of a hunt in rooms of all lights, one after the other."""
    rooms = settings(plies, seed) if plies > 4 * PLIES_A_ROOM else _rooms(plies, seed)
    tally = sum((play(setting, number) for setting, number in rooms), Tally())
    for fault in tally.faults:
        print(f"  {fault}")
    return rows(tally)


def _rooms(plies: int, seed: int) -> list[tuple[Setting, int]]:
    """Return a room in each light, few as the plies may be."""
    each = -(-plies // 4)
    return [(setting, each) for setting, _ in settings(4 * PLIES_A_ROOM, seed)]
