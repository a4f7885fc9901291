"""Why what was done on the board is no legal move in Quoridor PAC-MAN.

The board shows where a piece was and where it is, not its path: of all ways between the two, the
reason is that of the shortest.
"""

from collections.abc import Iterator, Sequence

from companion.board import FENCE, PELLET, Change, Spot, column_row, is_slot, square
from companion.games.bits import BIT, SQUARES, fence_between
from companion.games.game import Refusal
from companion.games.layout import PACMAN
from companion.games.pacman.ground import EATEN, GHOST_TITLES, SORTED_GHOSTS, number_of
from companion.games.pacman.why import Judge


class Onlooker(Judge):
    """Somebody who saw the board before and after, and knows the rules."""

    def judge_changes(self, changes: Sequence[Change]) -> Refusal:
        if self.state.to_act is None:
            return self.game_over()
        if not changes:
            mover = self.name(self.state.to_act)
            return Refusal("SV-5", f"nothing has moved; it is the turn of {mover}")
        if any(change.thing == FENCE for change in changes):
            return Refusal("SV-4", "fences are fixed in this game")
        return next(self._reasons(changes))

    def _reasons(self, changes: Sequence[Change]) -> Iterator[Refusal]:
        """Yield the reasons, the most telling first; there is always one."""
        yield from self._strange(changes)
        if self._was_caught() and len({change.thing for change in changes} - {PELLET}) > 1:
            yield Refusal("SV-14", "after a capture everybody goes back to the start squares")
        yield from self._walk(changes) if self.state.to_act == 0 else self._hunt(changes)
        yield Refusal("SV-5", "that alone is no whole move")

    def _strange(self, changes: Sequence[Change]) -> Iterator[Refusal]:
        """Yield what nobody may ever do."""
        for change in changes:
            if change.thing not in (PACMAN, PELLET, *SORTED_GHOSTS):
                yield Refusal("SV-2", f"there is no {change.thing} in this game")
            elif change.target and (is_slot(change.target) or change.target not in BIT):
                yield Refusal("SV-6", f"{_title(change)} belongs on a square, not {change.target}")
            elif change.thing == PACMAN and not change.target and self.state.to_act == 0:
                yield Refusal("SV-6", "Pac-Man stays on the board")
            elif change.thing == PELLET and change.target and change.source:
                yield Refusal("SV-7", f"the pellet belongs on {change.source} until it is eaten")
            elif change.thing == PELLET and change.target:
                yield Refusal("SV-A24", "pellets that were eaten stay eaten")
            elif change.thing in SORTED_GHOSTS and change.target and self._is_eaten(change):
                ghost = SORTED_GHOSTS.index(change.thing)
                yield Refusal(
                    "SV-A10",
                    f"{GHOST_TITLES[ghost]} has been eaten and comes back "
                    "when Pac-Man loses a life",
                )

    def _is_eaten(self, change: Change) -> bool:
        return self.state.ghosts[SORTED_GHOSTS.index(change.thing)] == EATEN

    def _was_caught(self) -> bool:
        """Tell whether everybody is due on the start squares after a capture."""
        state, ground = self.state, self.ground
        start = (ground.pacman, ground.ghosts, 0)
        return state.lives < 3 and (state.pacman, state.ghosts, state.waiting) == start

    # -- Pac-Man's turn

    def _walk(self, changes: Sequence[Change]) -> Iterator[Refusal]:
        moved = [c.target for c in changes if c.thing == PACMAN and c.target]
        gone = {c.source for c in changes if c.thing == PELLET and c.source}
        ghosts = [c for c in changes if c.thing in SORTED_GHOSTS]
        if moved:
            yield from self._target(moved[0])
            yield from self._meals(moved[0], gone, {c.thing for c in ghosts if not c.target})
        for change in ghosts:
            if change.target:
                yield Refusal("SV-5", f"it is Pac-Man's turn, but {_title(change)} moved")
            else:
                yield Refusal("SV-8", f"{_title(change)} was not eaten and stays on the board")
        for spot in sorted(gone):
            yield Refusal("SV-7", f"the pellet on {spot} stays until Pac-Man reaches it")

    def _target(self, target: Spot) -> Iterator[Refusal]:
        """Yield why Pac-Man cannot end on a square."""
        if any(SQUARES[end] == target for end, _, _ in self.walks.values()):
            return
        if target in self.ghosts:
            yield self.shut(target)
        path = self._shortest(self.pacman, target)
        if len(path) == 1:
            yield Refusal("SV-A1", "Pac-Man must move two squares")
        if len(path) > 2:
            yield from self._shut_off(self.pacman, target)
            yield Refusal("SV-6", f"{target} is too far: Pac-Man moves two squares")
        if refusal := self.refuse_walk(path):  # two squares, and ghosts on the way
            yield refusal

    def _meals(self, target: Spot, gone: set[Spot], eaten: set[str]) -> Iterator[Refusal]:
        """Yield what is wrong with the pellets and ghosts that went, Pac-Man's way being right."""
        if target in self.pellets and target not in gone:
            yield Refusal("SV-7", f"Pac-Man eats the pellet on {target}: take it off the board")
        ends = [walk for walk in self.walks.values() if SQUARES[walk[0]] == target]
        if target in self.ghosts and SORTED_GHOSTS[self.ghosts[target]] not in eaten:
            title = GHOST_TITLES[self.ghosts[target]]
            yield Refusal("SV-8", f"Pac-Man eats {title} on {target}: take it off the board")
        for spot in sorted(gone):
            if not any(not left >> number_of(spot) & 1 for _, left, _ in ends):
                yield Refusal("SV-7", f"the pellet on {spot} stays until Pac-Man reaches it")
        if not gone and ends and all(left != self.state.pellets for _, left, _ in ends):
            yield Refusal(
                "SV-7", f"Pac-Man comes to {target} only over a pellet: take it off the board"
            )

    # -- the ghosts' turn

    def _hunt(self, changes: Sequence[Change]) -> Iterator[Refusal]:
        moved = [c for c in changes if c.thing in SORTED_GHOSTS]
        for change in moved:
            if change.target:
                yield from self._goal(SORTED_GHOSTS.index(change.thing), change.target)
        for change in moved:
            if change.target == self.pacman:
                yield Refusal(
                    "SV-14",
                    f"{_title(change)} has caught Pac-Man: put everybody back on the start squares",
                )
            elif not change.target:
                yield Refusal("SV-8", f"{_title(change)} was not eaten and stays on the board")
        for change in changes:
            if change.thing == PACMAN:
                yield Refusal("SV-5", "it is the ghosts' turn, but Pac-Man moved")
            elif change.thing == PELLET:
                yield Refusal("SV-7", f"the pellet on {change.source} is Pac-Man's alone to eat")
        if len(moved) > 1:
            yield Refusal("SV-9", "the ghosts move one after the other")

    def _goal(self, ghost: int, target: Spot) -> Iterator[Refusal]:
        """Yield why a ghost cannot end on a square."""
        start = SQUARES[self.state.ghosts[ghost]]
        if refusal := self.refuse_turn(ghost):
            yield refusal
        if target in self.hunts(ghost).values():
            return
        if target == start and (refusal := self.refuse_staying(ghost)):
            yield refusal
        path = self._shortest(start, target)
        reach = 2 if self.is_frenzied(ghost) else 1
        if len(path) <= reach and (refusal := self.refuse_end(ghost, target)):
            yield refusal
        if len(path) > reach:
            yield from self._shut_off(start, target, reach)
        if refusal := self.refuse_hunt(ghost, path):
            yield refusal

    # -- ways

    def _shut_off(self, start: Spot, target: Spot, reach: int = 2) -> Iterator[Refusal]:
        """Yield the fence that makes a near square far, if there is one."""
        (c, r), (tc, tr) = column_row(start), column_row(target)
        if abs(tc - c) + abs(tr - r) > reach:
            return
        middle = square((c + tc) // 2, (r + tr) // 2) if c == tc or r == tr else square(c, tr)
        for one, other in ((start, middle), (middle, target)):
            if one != other and (fence := fence_between(self.fences, one, other)):
                rule = "SV-6" if start == self.pacman else "SV-9"
                yield Refusal(rule, f"the fence at {fence} is in the way from {start} to {target}")

    def _shortest(self, start: Spot, target: Spot) -> list[Spot]:
        """Return a shortest way past the fences, round what stands there if that is as short
        (breadth-first search, free squares expanded first)."""
        first, last = number_of(start), number_of(target)
        steps, taken = self.ground.steps, self.taken
        ways = {first: [first]}
        ring = [first]
        while ring and last not in ways:
            following: list[int] = []
            for here in sorted(ring, key=lambda n: taken >> n & 1):
                for there in steps[here]:
                    if there not in ways:
                        ways[there] = [*ways[here], there]
                        following.append(there)
            ring = following
        return [SQUARES[number] for number in ways[last][1:]]


def _title(change: Change) -> str:
    return {PACMAN: "Pac-Man", PELLET: "a pellet"}.get(change.thing, change.thing.title())
