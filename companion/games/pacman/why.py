"""Why a move in Quoridor PAC-MAN is not allowed: the rule and a sentence that a child understands.

A written move says its path, so it is walked square by square and the first wrong step is named.
:mod:`companion.games.pacman.seen` does the same for what only the board shows.
"""

import re
from collections.abc import Mapping, Sequence

from companion.board import Spot, column_row, square
from companion.games import game
from companion.games.bits import SQUARES, fence_between
from companion.games.game import Move, Refusal
from companion.games.pacman.ground import (
    BASE_STEPS,
    BONUS_STEPS,
    EATEN,
    GHOST_OF,
    GHOST_TITLES,
    LETTERS,
    PASS,
    STAY,
    Situation,
    Walk,
    number_of,
)

NOTATION = (
    "Pac-Man's move is the squares he enters, such as e6-e7, or pass; "
    "a ghost's is its letter and its squares, such as Be2 or Be2-e3, or B= when it cannot move"
)
_PATH = "[a-i][1-9](?:-[a-i][1-9])*"
_MOVE = re.compile(rf"pass|{_PATH}|[{''.join(LETTERS)}](?:=|{_PATH})")


class Judge(game.Judge[Situation]):
    """One look at a position: who stands where, who is to move, what people are called."""

    usual = ("Pac-Man", "the ghosts")

    def __init__(self, state: Situation, names: Sequence[str] = ()) -> None:
        super().__init__(state, names)
        self.ground = state.ground
        self.pacman = SQUARES[state.pacman]
        self.ghosts = {SQUARES[n]: ghost for ghost, n in enumerate(state.ghosts) if n != EATEN}
        self.pellets = {SQUARES[n] for n in range(len(SQUARES)) if state.pellets >> n & 1}
        self.fences = set(self.ground.layout.fences)

    def judge(self, move: Move) -> Refusal | None:
        if not _MOVE.fullmatch(move):
            return Refusal("notation", f"{move!r} is no move; {NOTATION}")
        state = self.state
        if state.to_act is None:
            return self.game_over()
        ghost = GHOST_OF.get(move[0])
        if state.to_act == 0:
            if ghost is not None:
                return Refusal("SV-5", f"it is Pac-Man's turn, not {GHOST_TITLES[ghost]}'s")
            return self.refuse_pass() if move == PASS else self.refuse_walk(move.split("-"))
        if ghost is None:
            return Refusal("SV-5", "it is the ghosts' turn, not Pac-Man's")
        refusal = self.refuse_turn(ghost)
        if refusal or move[1:] == STAY:
            return refusal or self.refuse_staying(ghost)
        return self.refuse_hunt(ghost, move[1:].split("-"))

    def game_over(self) -> Refusal:
        """Return that, and why, nobody moves any more."""
        state = self.state
        if not state.pellets:
            return Refusal("SV-15", f"the game is over: {self.name(0)} has eaten the last pellet")
        if not state.lives:
            return Refusal("SV-15", f"the game is over: {self.name(1)} took the last life")
        return Refusal("SV-A29", "the game is over: the same position came too often")

    # -- Pac-Man

    def refuse_pass(self) -> Refusal | None:
        """Judge a pass."""
        if PASS in self.walks:
            return None
        return Refusal("SV-A4", "Pac-Man can still move, so he may not pass")

    def refuse_walk(self, path: Sequence[Spot]) -> Refusal | None:
        """Judge Pac-Man's way, square by square."""
        here, left, bonus, pellets = self.pacman, BASE_STEPS, False, set(self.pellets)
        for target in path:
            if not pellets:
                return Refusal(
                    "SV-A8", "the last pellet ends the game at once, so there is no bonus"
                )
            if not left and bonus:
                return Refusal("SV-7", "Pac-Man's bonus is three squares, no more")
            if not left:
                return Refusal("SV-6", "Pac-Man moves two squares, no more")
            if refusal := self.refuse_step("Pac-Man", "SV-6", here, target):
                return refusal
            if target in self.ghosts and not bonus:
                return self.shut(target)
            here, left = target, left - 1
            if target in pellets:
                pellets.remove(target)
                left, bonus = BONUS_STEPS, True
        if left and not bonus:
            return Refusal("SV-A1", "Pac-Man must move two squares")
        if left and pellets and self.ground.exact:
            return Refusal("SV-A6", "Pac-Man must use all three squares of his bonus")
        return None

    def shut(self, target: Spot) -> Refusal:
        """Return that a ghost is in Pac-Man's way."""
        title = GHOST_TITLES[self.ghosts[target]]
        return Refusal(
            "SV-A3", f"{title} stands on {target}, and Pac-Man eats ghosts only in his bonus"
        )

    @property
    def taken(self) -> int:
        """Return the squares of the ghosts."""
        return sum(1 << number_of(spot) for spot in self.ghosts)

    @property
    def walks(self) -> Mapping[Move, Walk]:
        """Return Pac-Man's moves, and what becomes of each."""
        return self.ground.walks(self.state.pacman, self.taken, self.state.pellets)

    # -- ghosts

    def refuse_turn(self, ghost: int) -> Refusal | None:
        """Judge whether it is this ghost's turn."""
        title, state = GHOST_TITLES[ghost], self.state
        if state.ghosts[ghost] == EATEN:
            return Refusal(
                "SV-A10", f"{title} has been eaten and comes back when Pac-Man loses a life"
            )
        if not state.waiting >> ghost & 1:
            return Refusal("SV-A12", f"{title} has already moved this round")
        turns = self.ground.turns[state.waiting]
        if ghost not in turns:
            return Refusal("SV-A12", f"{GHOST_TITLES[turns[0]]} moves before {title}")
        return None

    def refuse_staying(self, ghost: int) -> Refusal | None:
        """Judge a ghost that stays where it is."""
        if LETTERS[ghost] + STAY in self.hunts(ghost):
            return None
        return Refusal("SV-A13", f"{GHOST_TITLES[ghost]} can move, so it may not stay")

    def refuse_hunt(self, ghost: int, path: Sequence[Spot]) -> Refusal | None:
        """Judge a ghost's way, square by square."""
        title, start = GHOST_TITLES[ghost], SQUARES[self.state.ghosts[ghost]]
        if refusal := self.refuse_length(ghost, len(path)):
            return refusal
        here = start
        for number, target in enumerate(path):
            if refusal := self.refuse_step(title, "SV-9", here, target):
                return refusal
            if target == self.pacman and number + 1 < len(path):
                return Refusal("SV-A22", f"{title} catches Pac-Man on {target} and stops there")
            here = target
        if refusal := self.refuse_end(ghost, here):
            return refusal
        if LETTERS[ghost] + "-".join(path) in self.hunts(ghost):
            return None
        if len(path) == 1:
            return Refusal("SV-A14", f"{title} sees Pac-Man, is frenzied and must move two squares")
        return Refusal("SV-A15", f"{title} must move its two squares in one direction")

    def refuse_length(self, ghost: int, steps: int) -> Refusal | None:
        """Judge how far a ghost goes."""
        title = GHOST_TITLES[ghost]
        if not self.is_frenzied(ghost):
            if steps > 1:
                return Refusal(
                    "SV-9", f"{title} does not see Pac-Man: not frenzied, it moves one square"
                )
        elif steps > 2:
            return Refusal("SV-11", f"{title} is frenzied and moves two squares, no more")
        return None

    def refuse_end(self, ghost: int, target: Spot) -> Refusal | None:
        """Judge the square where a ghost stops; its own it may come back to."""
        title = GHOST_TITLES[ghost]
        if target in self.pellets:
            return Refusal("SV-10", f"{title} cannot stop on a power pellet")
        other = self.ghosts.get(target, ghost)
        if other != ghost:
            return Refusal(
                "SV-A19", f"{title} cannot stop on {target}: {GHOST_TITLES[other]} is there"
            )
        return None

    def is_frenzied(self, ghost: int) -> bool:
        """Tell whether a ghost sees Pac-Man (SV-11)."""
        return self.ground.sees[self.state.ghosts[ghost]][self.state.pacman]

    def hunts(self, ghost: int) -> dict[Move, Spot]:
        """Return a ghost's moves, and where each ends."""
        state = self.state
        stops = self.taken | state.pellets
        found = self.ground.hunts(ghost, state.ghosts[ghost], state.pacman, stops)
        return {move: SQUARES[end] for move, end in found.items()}

    # -- steps

    def refuse_step(self, who: str, rule: str, here: Spot, target: Spot) -> Refusal | None:
        """Judge one step: to a neighbour, up, down, left or right, and through no fence."""
        (c, r), (tc, tr) = column_row(here), column_row(target)
        across, up = abs(tc - c), abs(tr - r)
        if across + up == 1:
            if fence := fence_between(self.fences, here, target):
                return Refusal(rule, f"the fence at {fence} is in the way from {here} to {target}")
            return None
        if here == target:
            return Refusal(rule, f"{who} is on {target} already and must move on")
        if across == up == 1:
            return Refusal(rule, f"{who} does not move diagonally from {here} to {target}")
        between = square((c + tc) // 2, (r + tr) // 2)
        if (across, up) in ((0, 2), (2, 0)) and between in {self.pacman, *self.ghosts}:
            return Refusal("SV-A27", f"{who} cannot jump over {between}: there are no jumps here")
        return Refusal(rule, f"{here} and {target} are not next to each other")
