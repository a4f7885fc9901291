"""What hands did on the Ms. Pac-Man board that is no legal move, and what the rules say to it.

A walk of hers changes much at once: dots go, ghosts turn over or go back. So what was done is
compared with the legal move that comes nearest, and the first thing that differs is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.board import Change, Position, Spot, Thing
from companion.games.game import Refusal, put
from companion.games.mspacman.field import DOT, HER, WEAK
from companion.games.mspacman.standing import OVER, SPIN, Standing
from companion.games.mspacman.walk import NOBODY, Trip, ghost_walks, her_walks
from companion.games.mspacman.why import Judge, squares
from companion.text import listed


@dataclass(frozen=True)
class Moved:
    """What became of a pawn: the spots it left and reached, as far as they were seen."""

    source: Spot | None
    target: Spot | None
    weak: bool = False


class Onlooker(Judge):
    """Somebody who saw the board before and after, and knows the rules."""

    def judge_changes(self, changes: Sequence[Change]) -> Refusal:
        return _Table(self, changes).refuse()


class _Table:
    """What changed on the board, pawn by pawn and dot by dot."""

    def __init__(self, judge: Judge, changes: Sequence[Change]) -> None:
        self.judge = judge
        self.state = state = judge.state
        self.seen = _applied(state.position(), changes)
        self.came = {c.target for c in changes if c.thing == DOT and c.target}
        self.seats = {state.field.ghosts[seat].name: seat for seat in range(state.seats)}
        self.pawns: dict[Thing, Moved] = {}
        for change in changes:
            if change.thing != DOT:  # a ghost turned over is one thing gone and another come
                name = change.thing.removesuffix(WEAK)
                known = self.pawns.get(name, Moved(None, None))
                self.pawns[name] = Moved(
                    change.source or known.source,
                    change.target or known.target,
                    change.thing.endswith(WEAK) if change.target else known.weak,
                )

    def refuse(self) -> Refusal:
        state, judge = self.state, self.judge
        if state.phase == OVER:
            return judge.game_over()
        mine = state.pawn(state.turn).removesuffix(WEAK)
        kind, rule, text = judge.due()
        moved = self.pawns.get(mine)
        if kind == "walk" and mine == HER and moved and moved.target:
            return self.refuse_her(moved.target)
        if wrong := self.wrong_side(state):
            return wrong
        if self.came and not self.pawns:
            return Refusal("MS-A29", f"no dot belongs on {listed(sorted(self.came))}: take it off")
        if kind in ("spin", "roll"):
            return self.too_early(rule, text)
        if strangers := [self.title(name) for name in self.pawns if name != mine]:
            return Refusal("MS-5", f"{text}, but {listed(strangers)} moved")
        if moved is None:
            return Refusal("MS-6", "a dot goes only when Ms. Pac-Man moves off it")
        if moved.target not in state.field.number:
            return Refusal(rule, f"{text}; off the maze is nowhere to stop")
        if kind == "place":
            return judge.refuse_place(moved.target) or Refusal(
                "MS-A20", "a dot goes only when Ms. Pac-Man moves off it, not before"
            )
        return self.refuse_ghost(moved.target)

    def title(self, name: Thing) -> str:
        """Return what people call a pawn."""
        if name in self.seats:
            return self.judge.ghost(self.seats[name])
        return "Ms. Pac-Man" if name == HER else name

    def wrong_side(self, expected: Standing) -> Refusal | None:
        """Return what is wrong with a ghost that stands right but shows its other side (MS-A30)."""
        for name, seat in self.seats.items():
            moved, spot = self.pawns.get(name), expected.ghosts[seat]
            if moved is None or spot < 0 or moved.target != expected.where(spot):
                continue
            weak = bool(expected.timers[seat])
            if moved.weak != weak:
                side = "weak" if weak else "strong"
                text = f"{self.title(name)} is {side} now: turn it {side} side up"
                return Refusal("MS-A30", text)
        return None

    def too_early(self, rule: str, text: str) -> Refusal:
        """Return why nothing may move before the spinner or the die has spoken."""
        state = self.state
        if state.phase == SPIN and HER in self.pawns:
            spot = state.where(state.her)
            return Refusal("MS-A28", f"Ms. Pac-Man belongs on {spot} until the spin is read")
        return Refusal(rule, text)

    # -- her walk

    def refuse_her(self, name: Spot) -> Refusal:
        """Return what differs from the nearest walk of hers that ends on this spot."""
        state = self.state
        target = state.field.number.get(name, NOBODY)
        trips = [trip for trip in her_walks(*state.her_trip(), state.steps) if trip.at == target]
        if not trips:
            return self.out_of_reach(name)
        trip = min(trips, key=lambda trip: len(self.differing(trip)))
        if trip.catcher != NOBODY:
            ghost, player = self.judge.ghost(trip.catcher), self.judge.name(trip.catcher)
            text = f"{ghost} catches Ms. Pac-Man on {name}: {player} takes her over"
            return Refusal("MS-16", text)
        return self.wrong_dots(trip) or self.wrong_ghosts(trip)

    def differing(self, trip: Trip) -> set[Spot]:
        """Return the spots that do not show what a trip leaves there."""
        expected = self.state.after_trip(trip).position()
        return {s for s in {*expected, *self.seen} if expected.get(s) != self.seen.get(s)}

    def wrong_dots(self, trip: Trip) -> Refusal | None:
        expected, differing = self.state.after_trip(trip).position(), self.differing(trip)
        left = sorted(spot for spot in differing if self.seen.get(spot) == DOT)
        if left:
            text = f"Ms. Pac-Man moved off {listed(left)}: take what she left there off the board"
            return Refusal("MS-A29", text)
        much = sorted(s for s in differing if expected.get(s) == DOT and s not in self.seen)
        if much:
            return Refusal("MS-6", f"Ms. Pac-Man did not move off {listed(much)}: the dot stays")
        return None

    def wrong_ghosts(self, trip: Trip) -> Refusal:
        expected = self.state.after_trip(trip)
        for name, seat in self.seats.items():
            spot = expected.ghosts[seat]
            if spot < 0 or self.seen.get(expected.where(spot), "").removesuffix(WEAK) == name:
                continue
            if spot != self.state.ghosts[seat]:
                text = f"{self.title(name)} is caught and goes back to {expected.where(spot)}"
                return Refusal("MS-14", f"{text}, strong side up")
            text = f"{self.judge.due()[2]}, but {self.title(name)} moved"
            return Refusal("MS-5", text)
        if wrong := self.wrong_side(expected):
            return wrong
        return Refusal("MS-13", "a power dot went: turn all ghosts weak side up")

    # -- a ghost's walk

    def refuse_ghost(self, name: Spot) -> Refusal:
        state, pawn = self.state, self.judge.pawn
        target = state.field.number[name]
        if target in state.field.homes:
            return Refusal("MS-A23", f"{name} is a ghost's own space, and nobody moves into it")
        if target in state.hunt().others:
            return Refusal("MS-11", f"another ghost stands on {name}; {pawn} moves on from there")
        ends = {chase.end for chase in ghost_walks(state.field, state.hunt(), state.steps)}
        if target not in ends:
            return self.out_of_reach(name)
        if target != state.her:
            stopped = replace(state, ghosts=put(state.ghosts, state.turn, target))
            return self.wrong_side(stopped) or Refusal("MS-7", "a ghost takes no dots")
        if state.timers[state.turn]:
            home = state.where(state.field.homes[state.turn])
            return Refusal("MS-15", f"{pawn} is weak and goes back to {home}, strong side up")
        return Refusal("MS-16", f"{pawn} catches Ms. Pac-Man: {self.judge.player} takes her over")

    def out_of_reach(self, name: Spot) -> Refusal:
        pawn, start = self.judge.pawn, self.state.where(self.judge.start)
        count = squares(self.state.steps)
        return Refusal("MS-A5", f"{pawn} cannot get from {start} to {name} in exactly {count}")


def _applied(position: Position, changes: Sequence[Change]) -> dict[Spot, Thing]:
    """Return what lies on the board after these changes."""
    seen = dict(position)
    for change in changes:
        if change.source and seen.get(change.source) == change.thing:
            del seen[change.source]
    seen.update({change.target: change.thing for change in changes if change.target})
    return seen
