"""Why a move in the advanced variant is not allowed: the rule and a sentence in plain words.

First whether the text is a move at all, then whose turn it is and what is due, then the move
itself: every step from the nearest on, and at last where it ends.
"""

import re
from collections.abc import Sequence

from companion.board import Spot, column_row
from companion.games import game
from companion.games.advanced.ground import RESPAWN, Ground, ground
from companion.games.advanced.setup import LETTERS, NAMES
from companion.games.advanced.standing import Standing
from companion.games.advanced.walk import can_finish, may_stay, step
from companion.games.bits import (
    BIT,
    FIT,
    SLOT_BIT,
    each_bit,
    fence_between,
    slot_names,
    square_name,
)
from companion.games.game import Move, Refusal
from companion.text import inside, listed

NOTATION = (
    "moves look like @e1, e2-e3, +e3+e4, =, wait for Pac-Man, Be4-e5, B= or d3h>f6v for the "
    "ghosts, and a fence such as c4h or end for both"
)
TITLES = tuple(name.title() for name in NAMES)

_SQUARE, _FENCE = "[a-i][1-9]", "[a-i][1-9][hv]"
_KINDS = {
    "run": f"{_SQUARE}(-{_SQUARE})*",
    "block": rf"(\+{_SQUARE})+",
    "enter": f"@{_SQUARE}",
    "stay": "=",
    "wait": "wait",
    "hunt": f"[{LETTERS}](=|{_SQUARE}(-{_SQUARE})*)",
    "shift": f"{_FENCE}>{_FENCE}",
    "pass": "pass",
    "fence": _FENCE,
    "end": "end",
}
_PATTERNS = {kind: re.compile(pattern, re.ASCII) for kind, pattern in _KINDS.items()}
_SIDE = dict.fromkeys(("run", "block", "enter", "stay", "wait"), 0) | dict.fromkeys(
    ("hunt", "shift", "pass"), 1
)


class Judge(game.Judge[Standing]):
    """One look at a position, with what people are called."""

    usual = ("Pac-Man", "the ghosts")

    def ghost_on(self, bit: int) -> str:
        """Return the name of the ghost on a square."""
        return TITLES[self.state.ghosts.index(bit)]

    def judge(self, move: Move) -> Refusal | None:
        kind = next((kind for kind, each in _PATTERNS.items() if each.fullmatch(move)), None)
        if kind is None:
            return Refusal("notation", f"{move!r} is no move; {NOTATION}")
        if self.state.is_over:
            return self.game_over()
        if _SIDE.get(kind, self.state.turn) != self.state.turn:
            return self.wrong_side()
        return {
            "enter": self.refuse_entering,
            "walk": self.refuse_walking,
            "place": self.refuse_placing,
            "shift": self.refuse_shifting,
            "hunt": self.refuse_hunting,
        }[self.state.phase](kind, move)

    def game_over(self) -> Refusal:
        outcome = self.state.outcome()
        assert outcome is not None
        if not outcome.winners:
            return Refusal("AV-14", f"the game is over: {outcome.reason}")
        return Refusal(
            "AV-21", f"the game is over: {inside(self.name(outcome.winners[0]))} {outcome.reason}"
        )

    def wrong_side(self) -> Refusal:
        rule = "AV-9" if self.state.is_early else "AV-10"
        turn = self.state.turn
        whose, others = inside(self.name(turn)), inside(self.name(1 - turn))
        return Refusal(rule, f"it is the turn of {whose}, not of {others}")

    # -- coming in

    def refuse_entering(self, kind: str, move: Move) -> Refusal | None:
        entries = self.state.entries()
        if kind == "wait":
            free = listed(entries, "or")
            return Refusal("AV-A16", f"Pac-Man can come in on {free}") if entries else None
        where = listed(RESPAWN, "or")
        if kind != "enter":
            rule = "AV-6" if self.state.round == 1 else "AV-15"
            return Refusal(rule, f"Pac-Man has to be put on the board first, on {where}")
        square = move[1:]
        if square not in RESPAWN:
            return Refusal("AV-3", f"Pac-Man comes in on {where}, not on {square}")
        if square not in entries:
            return Refusal("AV-A16", f"{self.ghost_on(BIT[square])} stands on {square}")
        return None

    # -- walking

    def refuse_walking(self, kind: str, move: Move) -> Refusal | None:
        if kind == "enter":
            at = square_name(self.state.pacman)
            return Refusal("AV-15", f"Pac-Man is on the board already, on {at}")
        if kind == "wait":
            return Refusal("AV-10", "Pac-Man is on the board and has to move")
        if kind == "fence":
            return self.refuse_time() or self.refuse_fence(move)
        if kind == "end":
            return self.refuse_end()
        if kind == "stay":
            return self.refuse_staying()
        return self.refuse_run(move, pellet=kind == "block")

    def refuse_time(self) -> Refusal | None:
        """Judge whether it is time for a fence of Pac-Man's."""
        state = self.state
        if state.is_early and not state.owes_move:
            return Refusal("AV-9", "in rounds 1 to 4 Pac-Man moves or places a fence, not both")
        if not state.is_early and state.owes_move:
            return self.move_first("and may place a fence after that")
        return self.refuse_rush() or self.refuse_stop(state)

    def refuse_rush(self) -> Refusal | None:
        """Judge whether Pac-Man still has to use steps that the house's switches ask for."""
        state = self.state
        if state.table.exact_bonus and state.boost:
            return Refusal("AV-A7", "Pac-Man has to use both squares of the pellet he spends")
        if state.must_go_on:
            return Refusal("AV-A4", "Pac-Man has to move exactly two squares")
        return None

    def refuse_end(self) -> Refusal | None:
        state = self.state
        if not state.owes_move:
            return self.refuse_rush() or self.refuse_stop(state)
        if state.is_early:
            return Refusal("AV-9", "Pac-Man has to move or to place a fence")
        return self.move_first("before his turn ends")

    def move_first(self, purpose: str) -> Refusal:
        if self.state.began:
            return Refusal(
                "AV-17",
                "spending a pellet is no action: Pac-Man still has to make a normal step, "
                + purpose,
            )
        return Refusal("AV-10", f"Pac-Man has to move first, {purpose}")

    def refuse_staying(self) -> Refusal | None:
        state = self.state
        if may_stay(state):
            return None
        if not state.owes_move:
            return Refusal("AV-10", "Pac-Man has moved; place a fence or end the turn")
        if refusal := self.refuse_rush():
            return refusal
        if state.is_barred:
            return self.refuse_stop(state)
        if state.is_early:
            return Refusal("AV-9", "Pac-Man has to move or to place a fence")
        return Refusal("AV-A3", "Pac-Man can move, so he may not stay")

    def refuse_stop(self, stopped: Standing) -> Refusal | None:
        """Judge whether Pac-Man's move may end where he stands."""
        if not stopped.is_barred:
            return None
        at = square_name(stopped.pacman)
        if stopped.pacman == stopped.began:
            return Refusal("AV-13", f"Pac-Man may not end his move on {at}, where it began")
        return Refusal("AV-14", f"Pac-Man may not go back to {at}, where he was before")

    def refuse_run(self, move: Move, pellet: bool) -> Refusal | None:
        """Judge a run of normal steps or of pellet steps."""
        squares = move[1:].split("+") if pellet else move.split("-")
        walked = self.state
        for number, square in enumerate(squares):
            if walked.is_stopped:
                return self.stopped(squares[number - 1], walked)
            at = square_name(walked.pacman)
            if refusal := self.refuse_step(at, square, "Pac-Man"):
                return refusal
            further = step(walked, BIT[square], pellet)
            if further is None:
                return self.no_step(walked, square, pellet)
            walked = further
        if len(squares) > 2:  # two at once, so that each pellet is declared: AV-A7
            return Refusal(
                "AV-A7", "a pellet gives two steps in a row; the next pellet is a move of its own"
            )
        # Where his move could end he can always go on or, if all is shut, stay.
        if walked.is_stopped or can_finish(walked):
            return None
        text = f"from {square_name(walked.pacman)} Pac-Man could not end his move as he has to"
        return self.refuse_stop(walked) or Refusal("AV-A7", text)

    def stopped(self, square: Spot, walked: Standing) -> Refusal:
        if not walked.pellets:
            return Refusal("AV-21", f"the last pellet lies on {square}: the game ends there")
        ghost = self.ghost_on(BIT[square])
        return Refusal("AV-A6", f"Pac-Man meets {ghost} on {square}, and his turn ends there")

    def no_step(self, walked: Standing, square: Spot, pellet: bool) -> Refusal:
        if pellet:
            return Refusal("AV-17", "Pac-Man has no pellet in reserve for that step")
        if walked.boost and walked.table.exact_bonus:
            return Refusal("AV-A7", "Pac-Man has to use both squares of the pellet he spends")
        if not walked.steps and not walked.began:
            text = "coming in was Pac-Man's move; only a pellet takes him further in this turn"
            return Refusal("AV-A15", text)
        if not walked.steps:
            text = "Pac-Man moves two squares at most; more takes a pellet from his reserve"
            return Refusal("AV-16", text)
        ghost = self.ghost_on(BIT[square])
        return Refusal(
            "AV-14",
            f"meeting {ghost} on {square} would end Pac-Man's move where he was before",
        )

    # -- single steps

    def refuse_step(self, source: Spot, target: Spot, who: str) -> Refusal | None:
        """Judge one step of anybody."""
        here = ground(self.state.fenced)
        if any(target == name for _, name in here.near(BIT[source])):
            return None
        if source == target:
            return Refusal("AV-11", f"{who} is on {target} already: every step is one square")
        (c, r), (tc, tr) = column_row(source), column_row(target)
        if abs(c - tc) + abs(r - tr) == 1:
            fence = fence_between(self.state.fences, source, target)
            text = f"the fence at {fence} is in the way from {source} to {target}"
            return Refusal("AV-11", text)
        if (c == tc and abs(r - tr) == 8) or (r == tr and abs(c - tc) == 8):
            text = f"only e1 and e9, and a5 and i5 are joined, not {source} and {target}"
            return Refusal("AV-12", text)
        text = f"{target} is no neighbour of {source}: {who} moves square by square, not diagonally"
        return Refusal("AV-11", text)

    # -- fences

    def refuse_placing(self, kind: str, move: Move) -> Refusal | None:
        if kind == "fence":
            return self.refuse_fence(move)
        if kind == "end":
            return None
        who = "Pac-Man" if self.state.turn == 0 else "that ghost"
        return Refusal("AV-10", f"{who} has moved; place a fence or end the turn")

    def refuse_fence(self, slot: Spot) -> Refusal | None:
        left = self.state.fences_left[self.state.turn]
        if not left:
            return Refusal(
                "AV-7", f"there is no fence left for {inside(self.name(self.state.turn))}"
            )
        return self.refuse_slot(slot, ground(self.state.fenced))

    def refuse_slot(self, slot: Spot, here: Ground) -> Refusal | None:
        """Judge a fence on a board, whoever puts it there."""
        if slot not in SLOT_BIT:
            return Refusal(
                "AV-19",
                f"a fence at {slot} would stick out of the field; it must part 2 squares from 2",
            )
        bit = SLOT_BIT[slot]
        for other in slot_names(here.fenced & ~FIT[bit].keeps):
            if other == slot:
                return Refusal("AV-19", f"there is already a fence at {slot}")
            how = "cross" if other[:2] == slot[:2] else "overlap"
            return Refusal("AV-19", f"that fence would {how} the fence at {other}")
        if bit & here.slots:
            return None
        shut = list(map(square_name, each_bit(here.cut_off(bit))))
        what = listed(shut, "and") if len(shut) < 5 else f"{len(shut)} squares"
        return Refusal("AV-20", f"that fence would cut {what} off from the rest of the board")

    def refuse_shifting(self, kind: str, move: Move) -> Refusal | None:
        if kind == "hunt":
            return Refusal("AV-A24", "in rounds 1 to 4 the ghosts do not move")
        if kind == "pass" and not any(map(self.state.shift_slots, each_bit(self.state.chamber))):
            return None  # AV-A23
        if kind != "shift":
            text = "in rounds 1 to 4 the ghosts have to put one fence of the chamber elsewhere"
            return Refusal("AV-9", text)
        source, target = move.split(">")
        fence = SLOT_BIT.get(source, 0)
        if not fence & self.state.fenced:
            return Refusal("AV-9", f"there is no fence at {source}")
        if not fence & self.state.chamber:
            text = f"the fence at {source} is none of the chamber's that have not been moved yet"
            return Refusal("AV-A21", text)
        if source == target:
            return Refusal("AV-A22", f"the fence at {source} has to go somewhere else")
        return self.refuse_slot(target, ground(self.state.fenced ^ fence))

    # -- ghosts

    def refuse_hunting(self, kind: str, move: Move) -> Refusal | None:
        if kind == "shift":
            text = "fences of the chamber are moved in rounds 1 to 4 only, later all fences stay"
            return Refusal("AV-9", text)
        if kind != "hunt":
            left = [TITLES[ghost] for ghost in self.state.hunters()]
            text = f"first a ghost has to move; {listed(left, 'and')} still to play this round"
            return Refusal("AV-10", text)
        ghost = LETTERS.index(move[0])
        who = TITLES[ghost]
        if not self.state.ghosts[ghost]:
            return Refusal("AV-A13", f"{who} was eaten and is out of the game")
        if ghost not in self.state.hunters():
            return Refusal("AV-A25", f"{who} has already played in this round")
        if move[1:] == "=":
            stuck = not any(self.state.chases(ghost))
            return None if stuck else Refusal("AV-A3", f"{who} can move, so it may not stay")
        return self.refuse_chase(ghost, move[1:].split("-"))

    def refuse_chase(self, ghost: int, squares: Sequence[Spot]) -> Refusal | None:
        state, who = self.state, TITLES[ghost]
        at = square_name(state.ghosts[ghost])
        for square in squares:
            if BIT[at] == state.pacman:
                return Refusal("AV-15", f"{who} catches Pac-Man on {at}, and its turn ends there")
            if refusal := self.refuse_step(at, square, who):
                return refusal
            at = square
        if len(squares) > state.speed:
            most = ("", "one square", "two squares", "three squares")[state.speed]
            return Refusal("AV-18", f"{who} moves {most} at most, for {_eaten(state)}")
        if refusal := self.refuse_rest(ghost, at):
            return refusal
        if "-".join(squares) not in state.chases(ghost):
            most = ("", "one square", "two squares", "three squares")[state.speed]
            return Refusal("AV-A4", f"{who} has to move {most} if it can, for {_eaten(state)}")
        return None

    def refuse_rest(self, ghost: int, square: Spot) -> Refusal | None:
        """Judge whether a ghost's move may end on a square."""
        state, who, bit = self.state, TITLES[ghost], BIT[square]
        if bit == state.ghosts[ghost]:
            return Refusal("AV-13", f"{who} may not end its move on {square}, where it began")
        if bit == state.memory[ghost]:
            return Refusal("AV-14", f"{who} may not go back to {square}, where it was before")
        if bit & state.pellets:
            return Refusal("AV-18", f"{who} cannot stop on {square}, where a pellet lies")
        if bit in state.ghosts:
            return Refusal("AV-A26", f"{self.ghost_on(bit)} already stands on {square}")
        return None


def _eaten(state: Standing) -> str:
    count = ("no pellet", "one pellet", "two pellets", "three pellets")[state.collected]
    return f"Pac-Man has eaten {count}"
