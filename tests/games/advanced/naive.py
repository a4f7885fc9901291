"""The advanced variant of Quoridor PAC-MAN once more: slow, and straight from the rule text.

It shares nothing with the real rules but the notation and the file of the set-up. What is legal is
found by trying: a move of Pac-Man is played on a copy, and the copy says whether his turn can still
be brought to an end that keeps the rules.
"""

import copy
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from tests.games.pacman.naive import COLUMNS, DIRECTIONS, LETTERS, ROWS, SQUARES, beside, parted

SLOTS = [column + row + way for column in COLUMNS[:8] for row in ROWS[:8] for way in "hv"]
RESPAWN = ["e1", "a5", "e9", "i5"]  # AV-3
NEAR = {
    square: [to for to in (beside(square, way) for way in DIRECTIONS) if to] for square in SQUARES
}
TUNNELS = {"e1": "e9", "e9": "e1", "a5": "i5", "i5": "a5"}  # AV-12


def ways(fences: Iterable[str]) -> dict[str, list[str]]:
    """Every square's neighbours: not across a fence (AV-11), through the tunnels (AV-12)."""
    found = {square: list(NEAR[square]) for square in SQUARES}
    for fence in fences:
        for one, other in parted(fence):
            found[one].remove(other)
            found[other].remove(one)
    for square in RESPAWN:
        found[square].append(TUNNELS[square])  # AV-A18: no fence can close it
    return found


def regions(neighbours: Mapping[str, list[str]]) -> int:
    """Into how many parts the fences cut the board."""
    count, reached = 0, set[str]()
    for start in SQUARES:
        if start in reached:
            continue
        count += 1
        reached.add(start)
        todo = [start]
        while todo:
            for target in neighbours[todo.pop()]:
                if target not in reached:
                    reached.add(target)
                    todo.append(target)
    return count


@cache
def clash(fence: str, other: str) -> bool:
    """Tell whether two fences overlap or cross (AV-19)."""
    if fence[:2] == other[:2]:
        return True
    if fence[2] != other[2]:
        return False
    return any(pair in parted(other) for pair in parted(fence))


def free_slots(fences: list[str]) -> set[str]:
    """Where one more fence may stand."""
    return set(search_slots(tuple(fences)))


@lru_cache(64)
def search_slots(fences: tuple[str, ...]) -> frozenset[str]:
    """Try every slot: nothing may get cut off (AV-20, AV-A19, AV-A20)."""
    neighbours = ways(fences)
    before = regions(neighbours)
    found = set()
    for slot in SLOTS:
        if any(clash(slot, fence) for fence in fences):
            continue
        cut = dict(neighbours)
        for one, other in parted(slot):
            cut[one] = [to for to in cut[one] if to != other]
            cut[other] = [to for to in cut[other] if to != one]
        if regions(cut) == before:
            found.add(slot)
    return frozenset(found)


class NaiveAdvanced:
    """A game that changes as it is played."""

    def __init__(self, data: Mapping[str, Any], options: Mapping[str, str]) -> None:
        self.options = options
        (chamber,) = [one for one in data["chambers"] if one["name"] == options["chamber"]]
        self.ghosts: dict[str, str] = dict(chamber["ghosts"])  # AV-5
        self.chamber: list[str] = list(chamber["fences"])
        self.fences: list[str] = list(chamber["fences"])
        self.pellets: set[str] = set(data["pellets"])  # AV-4
        self.pacman: str | None = None
        self.eaten = 0  # AV-A11: collected, spent or not
        self.reserve = 0
        self.lives = 3
        self.stock = [12, 4]  # AV-7
        self.round = 1
        self.previous: dict[str, str] = {}  # AV-A1: where a piece began its last move
        self.set_up = True  # the first placing is no respawn (AV-6)
        self.quiet = 0
        self.event = False
        self.pacman_turn()

    # What is asked of it

    def winners(self) -> tuple[int, ...] | None:
        if self.eaten == 4:  # AV-2, AV-21
            return (0,)
        if self.lives == 0:
            return (1,)
        return () if self.options["noProgress"] == "50" and self.quiet >= 50 else None

    def to_act(self) -> int | None:
        if self.winners() is not None:
            return None
        return 0 if self.phase in ("enter", "walk") else 1

    def tallies(self) -> dict[str, tuple[int, ...]]:
        return {
            "lives": (self.lives, 0),
            "pellets": (self.eaten, 0),
            "reserve": (self.reserve, 0),
            "fences": (self.stock[0], self.stock[1]),
            "chamber": (0, len(self.chamber)),
        }

    def position(self) -> dict[str, str]:
        board = {fence: "fence" for fence in self.fences}
        board |= {square: "pellet" for square in self.pellets}
        board |= {square: name for name, square in self.ghosts.items()}
        return board | ({self.pacman: "pacman"} if self.pacman else {})

    def legal(self) -> set[str]:
        if self.winners() is not None:
            return set()
        if self.phase == "enter":  # AV-6, AV-15, AV-A16
            free = [square for square in RESPAWN if square not in self.ghosts.values()]
            return {"@" + square for square in free} or {"wait"}
        if self.phase == "walk":
            return self.walk_moves()
        if self.phase == "chamber":
            return self.relocations() or {"pass"}  # AV-9, AV-A23
        if self.phase == "fence":
            return free_slots(self.fences) | {"end"}
        found = set()
        for letter, name in LETTERS.items():  # AV-18: in any order
            if name in self.waiting:
                paths = {letter + "-".join(path) for path in self.hunts(name)}
                found |= paths or {letter + "="}  # AV-A3, AV-A27
        return found

    # Pac-Man

    def pacman_turn(self) -> None:
        self.phase = "walk" if self.pacman else "enter"
        self.start = self.pacman
        self.normal = 2  # AV-16
        self.boost = 0  # what is left of the pellet in use (AV-A7)
        self.moved = False  # his MOVE was made: a normal step, a forced stay, a respawn that counts
        self.stepped = False
        self.stayed = False

    def opening(self) -> bool:
        """Tell whether this is one of the rounds 1 to 4, with one action for Pac-Man (AV-9)."""
        return self.round <= 4

    def may_stand(self) -> bool:
        """Tell whether Pac-Man's move may end where he is (AV-13, AV-14)."""
        return not self.stepped or self.pacman not in (self.start, self.previous.get("pacman"))

    def may_place(self) -> bool:
        if not self.may_stand() or not self.stock[0] or self.has_to_go_on():
            return False
        # AV-9: instead of the MOVE. AV-10: after it. AV-A10: pellets are no action.
        return not self.moved if self.opening() else self.moved

    def can_finish(self) -> bool:
        """Tell whether some way leads from here to a proper end of the turn."""
        if self.phase != "walk" or self.winners() is not None:
            return True  # caught, or won
        stands = self.may_stand() and not self.has_to_go_on()
        if stands and (self.moved or (self.may_place() and free_slots(self.fences))):
            return True
        return self.must_stay() or any(after.can_finish() for _, after in self.single_steps())

    def must_stay(self) -> bool:
        """Tell whether he owes a MOVE and has none: nobody has to spend a pellet (AV-A3)."""
        if self.moved or not self.may_stand() or (self.opening() and self.may_place()):
            return False
        if self.has_to_go_on():
            return False
        bare = copy.deepcopy(self)
        bare.reserve = bare.boost = 0
        for _, first in bare.single_steps():
            if first.phase != "walk" or first.winners() is not None or first.may_stand():
                return False
            for _, second in first.single_steps():
                if second.phase != "walk" or second.winners() is not None or second.may_stand():
                    return False
        return True

    def has_to_go_on(self) -> bool:
        """Tell whether a house rule asks for steps that were not made: AV-A4, AV-A7."""
        half_way = self.options["exactSpeed"] == "yes" and self.normal == 1
        return half_way or (self.options["exactBonus"] == "yes" and self.boost > 0)

    def lapse(self) -> None:
        """Forget the second normal step where none can be made without a pellet (AV-A4)."""
        if self.options["exactSpeed"] == "no" or self.normal != 1 or self.winners() is not None:
            return
        bare = copy.deepcopy(self)
        bare.reserve = bare.boost = 0
        for _, after in bare.single_steps():
            if after.phase != "walk" or after.winners() is not None or after.may_stand():
                return
        self.normal = 0

    def single_steps(self) -> Iterator[tuple[str, "NaiveAdvanced"]]:
        """Each normal step and each pellet step, with what comes of it."""
        assert self.pacman is not None
        for target in ways(self.fences)[self.pacman]:
            for sign in ["-"] * (self.normal > 0) + ["+"] * (self.boost > 0 or self.reserve > 0):
                after = copy.deepcopy(self)
                if after.step(sign, target):
                    yield sign + target, after

    def step(self, sign: str, target: str) -> bool:
        """Make one step; return False if it breaks a rule whatever follows."""
        self.stepped = True
        if sign == "-" and self.boost and self.options["exactBonus"] == "yes":
            return False
        if sign == "-":
            self.normal -= 1
            self.boost = 0  # AV-A7: the rest of the pellet lapses
            self.moved = True
        else:
            if not self.boost:
                self.reserve -= 1  # AV-17: the pellet leaves the game
                self.boost = 2
            self.boost -= 1
        self.pacman = target
        here = [name for name, square in self.ghosts.items() if square == target]
        if here and sign == "+":
            del self.ghosts[here[0]]  # AV-17, AV-A13: for good
            self.previous.pop(here[0], None)
            self.event = True
        elif here:  # AV-15, AV-A5, AV-A6
            if not self.may_stand():
                return False
            self.caught()
            self.end_of_pacman()
            return True
        if target in self.pellets:  # AV-16, AV-A8
            self.pellets.remove(target)
            self.reserve += 1
            self.eaten += 1
            self.event = True
        self.lapse()
        return True

    def chains(self, sign: str) -> Iterator[str]:
        """One or two steps of a kind that are written as one move."""
        for text, after in self.single_steps():
            if text[0] != sign:
                continue
            if after.can_finish():
                yield text
            if after.phase != "walk" or after.winners() is not None:
                continue
            for more, last in after.single_steps():
                if more[0] == sign and last.can_finish():
                    yield text + more

    def walk_moves(self) -> set[str]:
        if self.stayed:
            return {"end"} | (free_slots(self.fences) if self.may_place() else set())
        found = {text[1:] for text in self.chains("-")} | set(self.chains("+"))
        if self.may_place():
            found |= free_slots(self.fences)
        if self.moved and self.may_stand() and not self.has_to_go_on():
            found.add("end")
        if self.must_stay():
            found.add("=")
        return found

    def settle(self) -> None:
        """End Pac-Man's turn by itself when nothing else can be done in it."""
        if self.phase == "walk" and self.winners() is None and self.walk_moves() <= {"end"}:
            self.end_of_pacman()

    def caught(self) -> None:
        self.pacman = None
        self.previous.pop("pacman", None)
        self.lives -= 1
        self.event = True

    def end_of_pacman(self) -> None:
        if self.pacman and self.stepped:
            assert self.start is not None
            self.previous["pacman"] = self.start
        self.waiting = [name for name in LETTERS.values() if name in self.ghosts]
        if not self.waiting:  # AV-A29
            self.end_of_round()
        else:
            self.phase = "chamber" if self.opening() else "hunt"

    # Ghosts

    def relocations(self) -> set[str]:
        """A fence that still is part of the chamber goes elsewhere (AV-9, AV-A20 to AV-A22)."""
        found = set()
        for fence in self.chamber:
            lifted = [other for other in self.fences if other != fence]
            found |= {f"{fence}>{slot}" for slot in free_slots(lifted) if slot != fence}
        return found

    def speed(self) -> int:
        return [1, 2, 2, 3][self.eaten]  # AV-18, AV-A12

    def hunts(self, ghost: str) -> Iterator[list[str]]:
        """A ghost's ways: one square at least (AV-A4), its speed at most."""
        others = {square for name, square in self.ghosts.items() if name != ghost}
        neighbours = ways(self.fences)

        def go_on(path: list[str]) -> Iterator[list[str]]:
            here = path[-1]
            forbidden = {path[0], self.previous.get(ghost)} | self.pellets | others
            if here not in forbidden:  # AV-13, AV-14, AV-18, AV-A26
                yield path[1:]
            if here != self.pacman and len(path) <= self.speed():
                for target in neighbours[here]:
                    yield from go_on([*path, target])

        paths = list(go_on([self.ghosts[ghost]]))
        if self.options["exactSpeed"] == "yes":
            most = max(map(len, paths), default=0)
            paths = [path for path in paths if len(path) == most or path[-1] == self.pacman]
        return iter(paths)

    def end_of_hunt(self) -> None:
        if not self.waiting:
            self.end_of_round()
        else:
            self.phase = "hunt"

    def end_of_round(self) -> None:
        self.quiet = 0 if self.event else self.quiet + 1
        self.event = False
        self.round += 1
        self.pacman_turn()

    # What happens

    def play(self, move: str) -> None:
        if self.phase == "enter":
            self.enter(move)
        elif self.phase == "walk":
            self.pacman_plays(move)
        elif self.phase == "chamber":
            self.relocate(move)
        elif self.phase == "fence":
            if move != "end":
                self.place(1, move)
            self.end_of_hunt()
        else:
            self.hunt(move)

    def enter(self, move: str) -> None:
        if move == "wait":
            self.end_of_pacman()
            return
        self.pacman = self.start = move[1:]
        self.phase = "walk"
        if self.options["respawnConsumesMove"] == "yes" and not self.set_up:  # AV-A15
            self.moved = True
            self.normal = 0
        self.set_up = False
        self.settle()

    def pacman_plays(self, move: str) -> None:
        if move == "end":
            self.end_of_pacman()
        elif move == "=":  # AV-A2, AV-A3
            self.previous.pop("pacman", None)
            self.moved = self.stayed = True
            self.settle()
        elif move[-1] in "hv":
            self.place(0, move)
            self.end_of_pacman()
        else:
            signed = move if move[0] == "+" else "-" + move
            for at in range(0, len(signed), 3):
                assert self.step(signed[at], signed[at + 1 : at + 3])
            self.settle()

    def place(self, seat: int, slot: str) -> None:
        self.stock[seat] -= 1
        self.fences.append(slot)
        self.event = True

    def relocate(self, move: str) -> None:
        if move != "pass":
            source, target = move.split(">")
            self.chamber.remove(source)  # AV-A21
            self.fences.remove(source)
            self.fences.append(target)
            self.event = True
        self.end_of_round()  # AV-A24: nobody moves

    def hunt(self, move: str) -> None:
        ghost = LETTERS[move[0]]
        self.waiting.remove(ghost)
        if move[1:] == "=":
            self.previous.pop(ghost, None)  # AV-A2
        else:
            self.previous[ghost] = self.ghosts[ghost]
            self.ghosts[ghost] = move[-2:]
        if self.ghosts[ghost] == self.pacman:
            self.caught()  # AV-15: no fence after it; AV-A14: the others go on
            self.end_of_hunt()
        elif self.stock[1]:
            self.phase = "fence"
        else:
            self.end_of_hunt()
