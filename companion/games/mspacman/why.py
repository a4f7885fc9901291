"""Why something is not allowed in the Ms. Pac-Man game: the rule and a sentence anyone understands.

First comes whether it is a move at all, then whether it is due now, and for a walk the first step
that is wrong. What was done on the board without being a move is told by
:mod:`companion.games.mspacman.hands`.
"""

import re
from collections.abc import Sequence

from companion.games import game
from companion.games.game import Move, Refusal, Seat
from companion.games.mspacman.field import FLIP
from companion.games.mspacman.standing import CONTROL, OVER, PLACE, ROLL, SPIN, WALK, Standing
from companion.games.mspacman.walk import NOBODY, Chase, Fault, next_open
from companion.text import listed

NOTATION = (
    "a move is spin:4, roll:3 or roll:F2, place:e7 on a white circle, or a walk from spot to spot "
    "such as e8-e9-e10, for a ghost that moves on to an open spot e8-e9+e10"
)

#: The signs that a spinner stopped between two numbers; it is no move, but has its own answer.
LINE = "line"
_CHANCE = re.compile(rf"spin:(0|[1-9]\d?|{LINE})|roll:(0|[1-9]\d?|{FLIP})", re.ASCII)


def told(state: Standing, names: Sequence[str] = ()) -> str:
    """Return what is due now, in words."""
    judge = Judge(state, names)
    return judge.game_over().text if state.phase == OVER else judge.due()[2]


class Judge(game.Judge[Standing]):
    """One look at a game: what is due, what the pawns are called, what is wrong with a move."""

    @property
    def player(self) -> str:
        """Return what the player in turn is called."""
        return self.name(self.state.turn)

    def ghost(self, seat: Seat) -> str:
        """Return what a seat's ghost is called."""
        return self.state.field.ghosts[seat].title

    @property
    def pawn(self) -> str:
        """Return what the pawn whose turn it is is called."""
        turn = self.state.turn
        return "Ms. Pac-Man" if turn == self.state.control else self.ghost(turn)

    def judge(self, move: Move) -> Refusal | None:
        verb, _, value = move.partition(":")
        walk = self.state.read(move)
        placed = verb == "place" and value in self.state.field.number
        if not (placed or walk or _CHANCE.fullmatch(move)):
            return Refusal("notation", f"{move!r} is no move here; {NOTATION}")
        if self.state.phase == OVER:
            return self.game_over()
        kind = "walk" if walk else verb
        due, rule, text = self.due()
        if kind != due:
            return Refusal(rule, text)
        if walk:
            fault = self.state.fault(walk)
            return self.refuse_walk(walk, fault) if fault else None
        if kind == "place":
            return self.refuse_place(value)
        return self.refuse_number(kind, value)

    def game_over(self) -> Refusal:
        if self.state.winner == NOBODY:
            text = f"the game is drawn: no dot went for {self.state.quiet} moves of Ms. Pac-Man"
            return Refusal("MS-17", text)
        winner = self.name(self.state.winner)
        return Refusal("MS-17", f"the game is over: {winner} has won")

    # -- what is due

    def due(self) -> tuple[str, str, str]:
        """Return the kind of move that is due, the rule that says so, and a sentence for it."""
        state, player = self.state, self.player
        if state.phase == CONTROL:
            return "spin", "MS-4", f"first the spinner decides who has Ms. Pac-Man: {player} spins"
        if state.phase == PLACE:
            rule = "MS-4" if state.dots == state.field.dots else "MS-16"  # she has not moved yet
            return "place", rule, f"{player} puts Ms. Pac-Man on a white circle first"
        if state.phase == SPIN:
            return "spin", "MS-6", f"{player} has Ms. Pac-Man and spins before anything moves"
        if state.phase == ROLL:
            return "roll", "MS-7", f"{player} rolls the die for {self.pawn} before anything moves"
        rule = "MS-6" if state.phase == WALK else "MS-7"
        return "walk", rule, f"{player} moves {self.pawn} {squares(state.steps)} now"

    def refuse_number(self, kind: str, value: str) -> Refusal | None:
        """Judge what spinner or die is said to show: only what it can (MS-A27)."""
        field = self.state.field
        if value == LINE:
            return Refusal("MS-A28", "a spinner that stops on a line is spun again")
        shown = [str(number) for number in field.spinner] if kind == "spin" else field.die
        if value in shown:
            return None
        what = "spinner" if kind == "spin" else "die"
        known = ", ".join(dict.fromkeys(shown))
        return Refusal("MS-A27", f"the {what} shows {known}, never {value}")

    def refuse_place(self, value: str) -> Refusal | None:
        state = self.state
        spot = state.field.number[value]
        if spot in state.free_circles():
            return None
        free = listed([state.where(number) for number in state.free_circles()], "or")
        if not state.field.white >> spot & 1:
            return Refusal("MS-4", f"{value} has no white circle; she may be put on {free}")
        ghost = self.ghost(state.ghosts.index(spot))
        return Refusal("MS-A19", f"{ghost} stands on {value}; she may be put on {free}")

    # -- walks

    def refuse_walk(self, walk: Chase, fault: Fault) -> Refusal:
        """Return what is wrong with a walk in words."""
        state, steps = self.state, squares(self.state.steps)
        before = walk.path[fault.step - 1] if fault.step else self.start
        here = state.where(before)
        if fault.why == "apart":
            return self.apart(before, walk.path[fault.step])
        if fault.why in ("long", "short"):
            text = f"{self.pawn} moves exactly {steps}, not {len(walk.path)}; retracing is allowed"
            return Refusal("MS-A5", text)
        if fault.why == "won":
            return Refusal("MS-A25", f"the last dot goes with the step to {here}; that ends it all")
        if fault.why == "caught":
            ghost = self.ghost(state.ghosts.index(before))
            text = f"{ghost} catches Ms. Pac-Man on {here}; the rest of the move is void"
            return Refusal("MS-A3", text)
        if fault.why == "met":
            text = f"{self.pawn} meets Ms. Pac-Man on {here}; the rest of the move is void"
            return Refusal("MS-A4", text)
        return self.wrong_onward(walk, fault)

    @property
    def start(self) -> int:
        """Return where the pawn stands whose turn it is."""
        state = self.state
        return state.her if state.turn == state.control else state.ghosts[state.turn]

    def apart(self, source: int, target: int) -> Refusal:
        field, where = self.state.field, self.state.where
        one, other = where(source), where(target)
        if target in field.homes:
            return Refusal("MS-A23", f"{other} is a ghost's own space, and nobody moves into it")
        if source == target:
            if field.exits >> source & 1:
                text = f"who leaves at {one} comes back on at another exit, not the same"
                return Refusal("MS-A21", text)
            return Refusal("MS-10", f"every step leads to another square, not from {one} to {one}")
        ways = listed([where(number) for number in field.near[source]], "or")
        if source in field.homes:
            return Refusal("MS-A23", f"{self.pawn} leaves the centre by {ways}, not by {other}")
        return Refusal("MS-10", f"no way leads from {one} straight to {other}, only to {ways}")

    def wrong_onward(self, walk: Chase, fault: Fault) -> Refusal:
        """Return what is wrong with moving on to an open spot, or with not doing it."""
        state = self.state
        end = state.where(walk.path[-1])
        if fault.why == "hers":
            return Refusal("MS-11", "only a ghost that ends on a ghost moves on to an open square")
        if fault.why == "free":
            return Refusal("MS-11", f"no ghost stands on {end}, so {self.pawn} stays there")
        previous = walk.path[-2] if len(walk.path) > 1 else self.start
        spots = next_open(state.field, state.hunt(), previous, walk.path[-1])
        ways = listed([f"+{state.where(number)}" for number in spots], "or")
        if fault.why == "taken":
            other = self.ghost(state.ghosts.index(walk.path[-1]))
            text = f"{other} stands on {end}; {self.pawn} moves on to the next open square: {ways}"
            return Refusal("MS-11", text)
        onward = state.where(walk.onward)
        text = f"the next open square from {end} is not {onward}; {self.pawn} moves on: {ways}"
        return Refusal("MS-A17", text)


def squares(count: int) -> str:
    """Return a number of squares in words."""
    return "1 square" if count == 1 else f"{count} squares"
