"""Why a move in the marble game is not allowed: the rule and a sentence that a child understands.

First what is due, then whether the die is there, then the way step by step, then where it ends.
What was done on the board without being a move is told by :mod:`companion.games.marbles.hands`.
"""

import re
from collections.abc import Sequence

from companion.board import Spot
from companion.games import game
from companion.games.game import Move, Refusal
from companion.games.marbles.field import Step, Way
from companion.games.marbles.standing import Standing
from companion.text import counted

NOTATION = (
    "a move is a roll such as roll:3-5, a way such as P3:b3-b4-b5 or G1/5:f9-g9-g10-g11-g12, "
    "P3= or G/5= for who cannot move, return:d4, take:red, missed:b4 or end"
)

_SPOT = "[a-z][1-9][0-9]?"
_WAY = rf"~?{_SPOT}(?:[-~]{_SPOT})*x?"
_FORMS = {
    "roll": re.compile("roll:[1-6]-[1-6]"),
    "pacman": re.compile(rf"P([1-6])(?:=|:({_WAY}))"),
    "ghost": re.compile(rf"G(?:/([1-6])=|([12])/([1-6]):({_WAY}))"),
    "return": re.compile(rf"return:({_SPOT})"),
    "take": re.compile("take:([a-z]+)"),
    "missed": re.compile(rf"missed:({_SPOT})"),
    "end": re.compile("end"),
}


class Judge(game.Judge[Standing]):
    """One look at a game: who is called what, who stands where, what is due."""

    def __init__(self, state: Standing, names: Sequence[str] = ()) -> None:
        super().__init__(state, names)
        self.field = state.table.field
        self.mover = self.name(state.turn)

    def pawn_on(self, spot: int) -> str | None:
        """Return what the pawn on a spot is called, None when there is none."""
        if spot in self.state.ghosts:
            return f"ghost {self.state.ghosts.index(spot) + 1}"
        if spot in self.state.pacmen:
            return f"{self.name(self.state.pacmen.index(spot))}'s Pac-Man"
        return None

    # -- what is due

    def judge(self, move: Move) -> Refusal | None:
        form = next((form for form, like in _FORMS.items() if like.fullmatch(move)), None)
        if form is None:
            return Refusal("notation", f"{move!r} is no move; {NOTATION}")
        if self.state.to_act is None:
            return self.game_over()
        due = self.due()
        if form not in due:
            return self.not_due(form)
        found = _FORMS[form].fullmatch(move)
        assert found is not None  # the form was found by it
        if form == "roll" or form == "end":
            return None
        if form == "pacman":
            return self.judge_pacman(int(found[1]), found[2])
        if form == "ghost":
            if found[1]:
                return self.judge_ghosts_stay(int(found[1]))
            return self.judge_ghost(int(found[2]) - 1, int(found[3]), found[4])
        judges = {"return": self.judge_return, "take": self.judge_take, "missed": self.judge_missed}
        return judges[form](found[1])

    def due(self) -> tuple[str, ...]:
        """Return the forms of moves that the game waits for."""
        state = self.state
        if state.owing is not None:
            return ("return",)
        return {
            "start": ("roll",),
            "roll": ("roll",),
            "move": ("pacman", "ghost"),
            "take": ("take",),
            "end": ("end", "missed"),
        }[state.due]

    def not_due(self, form: str) -> Refusal:
        state = self.state
        if state.owing is not None:
            who = self.name(state.owing)
            return Refusal("MB-22", f"first {who} puts a yellow marble back into a ringed hole")
        if state.due == "start":
            who = self.name(state.rolling)
            return Refusal("MB-5", f"first {who} rolls to see who starts")
        if state.due == "roll":
            return Refusal("MB-6", f"first {self.mover} rolls both dice")
        if state.due == "take":
            return Refusal("MB-23", f"first {self.mover} says whose two marbles to take")
        if state.due == "end":
            return Refusal("MB-10", f"{self.mover} has moved; the turn is to be ended")
        reasons = {
            "roll": ("MB-6", f"{self.mover} still has to move with the dice that were rolled"),
            "return": ("MB-22", "a yellow marble goes back only after a ghost was gobbled"),
            "take": ("MB-23", "marbles are taken only after a ghost was gobbled"),
            "missed": ("MB-A31", "a marble that was landed on is taken, it does not stay"),
            "end": ("MB-6", f"{self.mover} still has to move"),
        }
        return Refusal(*reasons[form])

    def game_over(self) -> Refusal:
        if self.state.white:
            turns = counted(self.state.quiet, "turn")
            text = f"the game is over: no white marble was swallowed for {turns}"
            return Refusal("MB-24", text)
        return Refusal("MB-24", "the game is over: no white marble is left on the board")

    def die_missing(self, die: int, moved: str, gone: bool) -> Refusal | None:
        """Return why a die cannot be used: for a piece that has moved, or not rolled."""
        if gone:
            return Refusal("MB-6", f"{moved} has already moved in this turn")
        if die not in self.state.dice:
            left = " and ".join(map(str, self.state.dice))
            return Refusal("MB-6", f"there is no die that shows {die} to use, only {left}")
        return None

    # -- Pac-Men

    def judge_pacman(self, die: int, path: str | None) -> Refusal | None:
        own = f"{self.mover}'s own Pac-Man"
        if missing := self.die_missing(die, own, not self.state.pacman_due):
            return missing
        ways, full = self.state.pacman_ways(die)
        if path is None:
            if not full:
                return None
            return Refusal("MB-12", f"Pac-Man can make the full count of {die} and must move")
        start = self.state.pacmen[self.state.turn]
        way = self.read(start, path)
        if isinstance(way, Refusal):
            return way
        if any(path == each.text for each in ways):
            return None
        return self.refuse_walk(start, die, way) or self.same_as(f"P{die}", way, ways)

    def refuse_walk(self, start: int, die: int, way: Way) -> Refusal | None:
        """Return what is wrong with a way of a Pac-Man along paths, None when nothing is."""
        names, left = self.field.names, self.state.white
        here, last, into, count = start, -1, -1, 0
        for number, step in enumerate(way.steps, 1):
            to, final = step.to, number == len(way.steps)
            if not left:
                return Refusal("MB-A26", f"{names[here]} held the last white marble: the game ends")
            if to == last or (step.out >= 0 and step.out == into):
                return Refusal(
                    "MB-A3", f"Pac-Man may not turn back from {names[here]} to {names[to]}"
                )
            pawn = self.pawn_on(to) if to != start else None
            if pawn is not None:
                refusal = self.refuse_meeting(way, number, pawn)
                return refusal if refusal or way.lands else self.unmarked(way)
            left &= ~(1 << to)
            count += self.counts(to)
            if count > die and not (final and not left):
                return Refusal("MB-11", f"that is further than the die's {counted(die, 'space')}")
            here, last, into = to, here, step.into
        if way.lands:
            return Refusal("MB-20", f"there is no ghost on {names[way.end]} to gobble")
        return self.refuse_end(die, way, count, left)

    def counts(self, spot: int) -> bool:
        """Tell whether a spot counts as a space (MB-A1)."""
        return self.state.table.home_counts or not self.field.home_bits >> spot & 1

    def refuse_end(self, die: int, way: Way, count: int, left: int) -> Refusal | None:
        """Judge where a way along free spots ends."""
        name, state = self.field.names[way.end], self.state
        if not left:
            if any(w.steps == way.steps for w in state.pacman_ways(die)[0]):
                return None
            text = f"exactly {counted(die, 'space')} cannot be made that way"
            return Refusal("MB-12", text)
        home = self.field.homes.index(way.end) if way.end in self.field.homes else -1
        if home >= 0 and way.end != state.table.home(state.turn):
            colour = self.field.colours[home]
            rule = "MB-13" if home in state.table.seated else "MB-A30"
            return Refusal(rule, f"{name} is the {colour} home: one may pass it, not stop on it")
        if home >= 0 and not self.counts(way.end):
            return Refusal("MB-A1", f"{name} is a home and no space to stop on")
        if count < die:
            return Refusal(
                "MB-11", f"Pac-Man must move exactly {counted(die, 'space')}, that way has {count}"
            )
        return None

    def refuse_meeting(self, way: Way, number: int, pawn: str) -> Refusal | None:
        """Judge a Pac-Man who comes to a spot with a pawn, at a step of his way."""
        step, state = way.steps[number - 1], self.state
        name = self.field.names[step.to]
        if step.to not in state.ghosts:
            return Refusal("MB-14", f"{pawn} blocks the way at {name}")
        if not state.may_gobble(self.field.way(way.steps[:number])):
            return Refusal(
                "MB-14", f"{pawn} blocks the way at {name}; only a yellow marble lets one gobble it"
            )
        if number < len(way.steps):
            return Refusal("MB-A19", f"{pawn} on {name} can be gobbled, not passed")
        return None

    def unmarked(self, way: Way) -> Refusal:
        return Refusal("notation", f"a way that ends on a pawn has an x behind it: {way.text}x")

    def same_as(self, piece: str, way: Way, ways: Sequence[Way]) -> Refusal:
        """Return how a way is written that has the same effect as one that is listed."""
        state = self.state
        reach = (way.end, way.bits & (state.white | state.yellow), way.lands)
        for other in ways:
            if reach == (other.end, other.bits & (state.white | state.yellow), other.lands):
                return self.written(f"{piece}:{other.text}")
        return Refusal("MB-12", "that way cannot be gone with this die")

    def written(self, move: Move) -> Refusal:
        return Refusal("notation", f"this comes to the same as {move}, write that")

    # -- ghosts

    def judge_ghosts_stay(self, die: int) -> Refusal | None:
        if missing := self.die_missing(die, "a ghost", not self.state.ghost_due):
            return missing
        for ghost in range(len(self.state.ghosts)):
            if self.state.ghost_ways(ghost, die):
                return Refusal(
                    "MB-A8", f"ghost {ghost + 1} can move with the {die}, so one must move"
                )
        return None

    def judge_ghost(self, ghost: int, die: int, path: str) -> Refusal | None:
        if missing := self.die_missing(die, "a ghost", not self.state.ghost_due):
            return missing
        start = self.state.ghosts[ghost]
        way = self.read(start, path, ghost=True)
        if isinstance(way, Refusal):
            return way
        ways = self.state.ghost_ways(ghost, die)
        if any(path == each.text for each in ways.values()):
            return None
        same = f"G{ghost + 1}/{die}:{ways[way.end].text}" if way.end in ways else ""
        return self.refuse_hunt(start, die, way) or self.written(same)

    def refuse_hunt(self, start: int, die: int, way: Way) -> Refusal | None:
        """Return what is wrong with a way of a ghost along paths, None when nothing is."""
        names, here, last = self.field.names, start, -1
        for number, step in enumerate(way.steps, 1):
            to, final = step.to, number == len(way.steps)
            name = names[to]
            if to in self.field.homes:
                return Refusal("MB-18", f"a ghost may not come into a home, {name} is one")
            if to == last and not self.state.table.ghosts_reverse:
                return Refusal("MB-A5", f"a ghost may not turn back from {names[here]} to {name}")
            if to in self.state.ghosts and to != start:
                return Refusal("MB-A10", f"the other ghost is on {name}; a ghost cannot pass it")
            if to in self.state.pacmen:
                if not final:
                    pawn = self.pawn_on(to)
                    return Refusal("MB-A12", f"a ghost that comes to {pawn} on {name} stops there")
                if not way.lands:
                    return self.unmarked(way)
            here, last = to, here
        if len(way.steps) > die:
            return Refusal("MB-15", f"that is further than the die's {counted(die, 'space')}")
        if way.lands and way.end not in self.state.pacmen:
            return Refusal("MB-15", f"there is no Pac-Man on {names[way.end]} to land on")
        if len(way.steps) < die and not way.lands:
            return Refusal(
                "MB-15", f"a ghost moves exactly {counted(die, 'space')} unless it meets a Pac-Man"
            )
        return None

    # -- ways as text

    def read(self, start: int, path: str, ghost: bool = False) -> Way | Refusal:
        """Return the way that a text describes, or why there is no such path."""
        lands = path.endswith("x")
        here, steps = start, []
        for mark, name in re.findall(rf"(^|[-~]+)({_SPOT})", path.removesuffix("x")):
            step = self.read_step(here, name, "~" in mark, ghost)
            if isinstance(step, Refusal):
                return step
            steps.append(step)
            here = step.to
        return self.field.way(steps, lands)

    def read_step(self, here: int, name: Spot, off: bool, ghost: bool) -> Step | Refusal:
        field, at = self.field, self.field.names[here]
        if off and ghost:
            return Refusal("MB-18", "a ghost may not leave the board")
        to = field.number.get(name, -1)
        if to < 0:
            if name in field.maze.spots:
                return Refusal(
                    "MB-9", f"{name} is an arrowed area, no space: write the holes, {at}~…"
                )
            return Refusal("notation", f"there is no spot {name} on this board")
        if to in field.centre:
            return Refusal("MB-A23", f"nobody moves into the centre, {name} is there")
        near = field.inner[here] if here in field.centre else field.steps[here]
        for step in near:
            if step.to == to and (step.out >= 0) == off:
                return step
        if off and to == here:
            return Refusal("MB-A4", f"who leaves the board at {at} comes back by another arrow")
        if off:
            return Refusal("MB-9", f"one cannot go off the board at {at} and on again at {name}")
        return Refusal("MB-8", f"no path leads from {at} to {name}")

    # -- what follows a gobble, and missed marbles

    def judge_return(self, name: Spot) -> Refusal | None:
        spot = self.field.number.get(name, -1)
        if spot < 0 or not self.field.ringed >> spot & 1:
            return Refusal("MB-22", f"a yellow marble goes into a ringed hole, {name} is none")
        if self.state.yellow >> spot & 1:
            return Refusal("MB-22", f"{name} already holds a yellow marble")
        pawn = self.pawn_on(spot)
        return Refusal("MB-A24", f"{pawn} stands on {name}") if pawn else None

    def judge_take(self, colour: str) -> Refusal | None:
        colours = self.state.table.colours
        if colour not in colours:
            return Refusal("MB-23", f"nobody plays {colour}; the colours are {', '.join(colours)}")
        if colours.index(colour) == self.state.turn:
            return Refusal("MB-23", f"{self.mover} takes marbles from somebody else")
        return None

    def judge_missed(self, name: Spot) -> Refusal | None:
        spot = self.field.number.get(name, -1)
        if spot >= 0 and self.state.may_miss() >> spot & 1:
            return None
        return Refusal("MB-A31", f"no marble was swallowed on {name} in this turn")
