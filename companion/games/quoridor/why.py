"""Why a move in Quoridor is not allowed: the rule and a sentence that a child understands.

The questions are asked in the order a patient grown-up would: is this a move at all, is the game
still on, is there a fence to put, does it fit, does it shut somebody in; and for pawns, from the
nearest square outwards.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.board import FENCE, PELLET, Change, Spot, column_row, is_slot, square
from companion.games import game
from companion.games.bits import BIT, SIZE, SLOT_BIT, fence_between
from companion.games.game import Move, Refusal, Seat
from companion.text import listed

NOTATION = "a move is a square such as e2, a fence such as e3h or e3v, or pass"


class Situation(Protocol):
    """What is asked of a position to judge a move."""

    @property
    def seats(self) -> int: ...
    @property
    def turn(self) -> Seat: ...
    @property
    def to_act(self) -> Seat | None: ...
    @property
    def winner(self) -> Seat | None: ...
    @property
    def options(self) -> Mapping[str, str]: ...
    @property
    def pawns(self) -> tuple[Spot, ...]: ...
    @property
    def fences(self) -> tuple[Spot, ...]: ...
    @property
    def fences_left(self) -> tuple[int, ...]: ...
    def legal_moves(self) -> Sequence[Move]: ...
    def shut_in(self, fence: int) -> tuple[Seat, ...]: ...


class Judge(game.Judge[Situation]):
    """One look at a position: who stands where, which fences are near, what people are called."""

    def __init__(self, state: Situation, names: Sequence[str] = ()) -> None:
        super().__init__(state, names)
        self.fences = set(state.fences)
        self.pawns = {spot: seat for seat, spot in enumerate(state.pawns)}
        self.mover = self.name(state.turn)

    def pawn_on(self, spot: Spot) -> str:
        """Return what the pawn on a square is called."""
        return self.name(self.pawns[spot])

    def judge_changes(self, changes: Sequence[Change]) -> Refusal:
        """Judge the changes; pawns are ``pawn1``, ``pawn2`` …"""
        if self.state.to_act is None:
            return self.game_over()
        if any(change.thing == FENCE and change.source for change in changes):
            return Refusal("Q-A7", "a fence stays where it was put")
        if any(change.thing == PELLET for change in changes):
            return Refusal("Q-3", "pellets do not play in this game")
        moved = {int(change.thing[4:]) - 1 for change in changes if change.thing != FENCE}
        if others := sorted(moved - {self.state.turn}):
            who = listed(list(map(self.name, others)))
            return Refusal("Q-5", f"it is {self.mover}'s turn, but {who} moved")
        if len(changes) == 1:
            refusal = self.judge(changes[0].target or "")
            return refusal or Refusal("Q-5", "that alone is no whole move")
        if moved:
            return Refusal("Q-A19", "a turn is one step or one fence, not both")
        return Refusal("Q-5", "only one fence may be placed in a turn")

    def judge(self, move: Move) -> Refusal | None:
        slot = move[:2] in BIT and is_slot(move)
        if not (slot or move in BIT or move == "pass"):
            return Refusal("notation", f"{move!r} is no move; {NOTATION}")
        if self.state.to_act is None:
            return self.game_over()
        if move == "pass":
            return self.refuse_pass()
        return self.refuse_fence(move) if slot else self.refuse_pawn(move)

    def game_over(self) -> Refusal:
        winner = self.state.winner
        if winner is None:
            return Refusal("Q-A12", "the game is over: nobody could move, so it is a draw")
        return Refusal("Q-12", f"the game is over: {self.name(winner)} has won")

    def refuse_pass(self) -> Refusal | None:
        if self.state.legal_moves() == ["pass"]:
            return None
        rule = "Q-A12" if self.state.seats == 4 else "Q-A11"
        return Refusal(rule, f"{self.mover} can still move, so passing is not allowed")

    # -- fences

    def refuse_fence(self, slot: Spot) -> Refusal | None:
        if slot not in SLOT_BIT:
            return Refusal(
                "Q-8",
                f"a fence at {slot} would stick out of the field; it must part 2 squares from 2",
            )
        if not self.state.fences_left[self.state.turn]:
            return Refusal("Q-6", f"{self.mover} has no fence left and must move the pawn")
        if slot in self.fences:
            return Refusal("Q-8", f"there is already a fence at {slot}")
        for other in _overlapping(slot):
            if other in self.fences:
                return Refusal("Q-8", f"that fence would overlap the fence at {other}")
        crossed = slot[:2] + ("v" if slot[2] == "h" else "h")
        if crossed in self.fences:
            return Refusal("Q-8", f"that fence would cross the fence at {crossed}")
        return self.refuse_closing(SLOT_BIT[slot])

    def refuse_closing(self, fence: int) -> Refusal | None:
        shut = self.state.shut_in(fence)
        if not shut:
            return None
        others = [self.name(seat) for seat in shut if seat != self.state.turn]
        if others:
            return Refusal("Q-9", f"that fence would shut {listed(others)} in")
        return Refusal("Q-A4", f"that fence would shut {self.mover} in, and nobody may do that")

    # -- pawns

    def refuse_pawn(self, target: Spot) -> Refusal | None:
        start = self.state.pawns[self.state.turn]
        (c, r), (tc, tr) = column_row(start), column_row(target)
        across, up = tc - c, tr - r
        if target == start:
            return Refusal("Q-5", f"{self.mover} already stands on {target} and must move on")
        if abs(across) + abs(up) == 1:
            return self.refuse_step(start, target)
        if across == 0 or up == 0:
            line = [
                square(c + _sign(across) * n, r + _sign(up) * n)
                for n in range(1, max(abs(across), abs(up)) + 1)
            ]
            return self.refuse_jump(start, line)
        if abs(across) == abs(up) == 1:
            return self.refuse_side_step(start, target)
        return self.too_far(target)

    def refuse_step(self, start: Spot, target: Spot) -> Refusal | None:
        if fence := fence_between(self.fences, start, target):
            return Refusal("Q-7", f"the fence at {fence} is in the way from {start} to {target}")
        return self.occupied(target)

    def refuse_jump(self, start: Spot, line: Sequence[Spot]) -> Refusal | None:
        """Judge a straight move over the squares of a line, its target last."""
        over, target = line[0], line[-1]
        if len(line) == 3 and all(spot in self.pawns for spot in line[:2]):
            first, second = map(self.pawn_on, line[:2])
            return Refusal(
                "Q-13",
                f"{self.mover} may jump over one pawn at a time, not over {first} and {second}",
            )
        if len(line) > 2:
            return self.too_far(target)
        if over not in self.pawns:
            return self.occupied(target) or Refusal(
                "Q-10", f"there is no pawn on {over} to jump over; a pawn moves one square"
            )
        other = self.pawn_on(over)
        if fence := fence_between(self.fences, start, over):
            return self.fence_before(fence, over)
        if fence := fence_between(self.fences, over, target):
            return Refusal(
                "Q-11",
                f"the fence at {fence} stands behind {other}; step to the side of {other} instead",
            )
        if target in self.pawns:
            behind = self.pawn_on(target)
            return Refusal(
                "Q-13", f"{behind} stands right behind {other}, and a jump goes over one pawn only"
            )
        return None

    def refuse_side_step(self, start: Spot, target: Spot) -> Refusal | None:
        """Judge a move to a square that touches the pawn's own only at a corner."""
        (c, r), (tc, tr) = column_row(start), column_row(target)
        reasons: list[Refusal] = []
        for over, behind in (
            (square(c, tr), (c, 2 * tr - r)),
            (square(tc, r), (2 * tc - c, r)),
        ):
            if over in self.pawns:
                reason = self.refuse_around(start, over, behind, target)
                if reason is None:
                    return None
                reasons.append(reason)
        if reasons:
            return reasons[0]
        return Refusal(
            "Q-7",
            f"a pawn does not move diagonally, and {start} and {target} touch at a corner only",
        )

    def refuse_around(
        self, start: Spot, over: Spot, behind: tuple[int, int], target: Spot
    ) -> Refusal | None:
        """Judge a side step past the pawn on one square, with what lies straight behind it."""
        other = self.pawn_on(over)
        if fence := fence_between(self.fences, start, over):
            return self.fence_before(fence, over)
        if all(0 <= number < SIZE for number in behind):  # the rim is as good as a fence: Q-A1
            beyond = square(*behind)
            if not fence_between(self.fences, over, beyond):
                if beyond not in self.pawns:
                    return Refusal(
                        "Q-A9",
                        f"the way straight over {other} is open, so jump to {beyond} instead",
                    )
                if self.state.options["pawnBehind"] == "blocked":
                    return Refusal(
                        "Q-A2",
                        f"behind {other} stands {self.pawn_on(beyond)}, not a fence, "
                        "so there is no step to the side",
                    )
        if fence := fence_between(self.fences, over, target):
            return Refusal("Q-11", f"the fence at {fence} is in the way from {over} to {target}")
        return self.occupied(target)

    def fence_before(self, fence: Spot, over: Spot) -> Refusal:
        return Refusal(
            "Q-A10",
            f"the fence at {fence} stands between {self.mover} and {self.pawn_on(over)}, "
            "so there is no jump",
        )

    def occupied(self, target: Spot) -> Refusal | None:
        if target not in self.pawns:
            return None
        return Refusal("Q-A3", f"{self.pawn_on(target)} already stands on {target}")

    def too_far(self, target: Spot) -> Refusal:
        return self.occupied(target) or Refusal(
            "Q-7", f"{target} is too far: a pawn moves one square up, down, left or right"
        )


def _overlapping(slot: Spot) -> list[Spot]:
    """Return the two slots that share one half with a slot."""
    column, row = column_row(slot)
    beside = ((-1, 0), (1, 0)) if slot[2] == "h" else ((0, -1), (0, 1))
    return [
        square(column + dc, row + dr) + slot[2]
        for dc, dr in beside
        if column + dc >= 0 and row + dr >= 0
    ]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
