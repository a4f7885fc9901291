"""What hands did on the Ms. Pac-Man board that is no legal move, and what the rules say to it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.board import Change, Spot, Thing
from companion.rules.game import Refusal, Seat
from companion.rules.mspacman_field import DOT, HER, WEAK
from companion.rules.mspacman_walk import NOBODY, Trip, her_walks
from companion.rules.mspacman_why import Judge, listed, squares

if TYPE_CHECKING:
    from companion.rules.mspacman import MsPacMan


def explain_changes(
    state: "MsPacMan", changes: Sequence[Change], names: Sequence[str] = ()
) -> Refusal:
    """Return why what was done on the board is no legal move."""
    return _Table(state, changes, names).refuse()


class _Table:
    """What changed on the board, sorted by what it means: pawns moved, turned over, dots."""

    def __init__(self, state: "MsPacMan", changes: Sequence[Change], names: Sequence[str]) -> None:
        self.state = state
        self.judge = Judge(state, names)
        self.seats = {
            thing: seat
            for seat in range(state.seats)
            for thing in (state.field.ghosts[seat].name, state.field.ghosts[seat].name + WEAK)
        }
        self.shown = state.position()
        self.pawns = [change for change in changes if change.thing != DOT]
        self.gone = {c.source for c in changes if c.thing == DOT and c.source}
        self.came = {c.target for c in changes if c.thing == DOT and c.target}

    def refuse(self) -> Refusal:
        state, judge = self.state, self.judge
        if state.phase == "over":
            return judge.game_over()
        if turned := next(self.turned_over(), None):
            return turned
        if self.came and not self.pawns:
            where = listed(sorted(self.came))
            return Refusal("MS-A29", f"no dot belongs on {where} any more: take it off")
        kind, rule, text = judge.due()
        if kind in ("spin", "roll"):
            return self.too_early(rule, text)
        moved = self.mover()
        if strangers := [change.thing for change in self.pawns if change is not moved]:
            who = listed([self.title(thing) for thing in strangers])
            return Refusal("MS-5", f"{text}, but {who} moved")
        if moved is None:
            return Refusal("MS-6", "a dot goes only when Ms. Pac-Man moves off it")
        return self.refuse_mover(moved)

    def title(self, thing: Thing) -> str:
        """Return what people call a pawn."""
        seat = self.seats.get(thing)
        if seat is not None:
            return self.judge.ghost(seat)
        return "Ms. Pac-Man" if thing == HER else thing

    def place_of(self, seat: Seat) -> Spot | None:
        """Return where a seat's ghost should be, None when it is off the board."""
        spot = self.state.ghosts[seat]
        return None if spot < 0 else self.state.where(spot)

    def turned_over(self) -> Iterator[Refusal]:
        """Yield a refusal for each ghost that shows its wrong side where it stands (MS-A30)."""
        for change in self.pawns:
            seat = self.seats.get(change.thing)
            if seat is None or change.target is None or change.target != self.place_of(seat):
                continue
            weak = bool(self.state.timers[seat])
            if change.thing.endswith(WEAK) != weak:
                side = "weak" if weak else "strong"
                yield Refusal(
                    "MS-A30", f"{self.judge.ghost(seat)} is {side} now: turn it {side} side up"
                )

    def too_early(self, rule: str, text: str) -> Refusal:
        """Return why nothing may move before the spinner or the die has spoken."""
        state = self.state
        if state.phase == "spin" and any(change.thing == HER for change in self.pawns):
            spot = state.where(state.her)
            return Refusal("MS-A28", f"Ms. Pac-Man belongs on {spot} until the spin is read")
        return Refusal(rule, text)

    def mover(self) -> Change | None:
        """Return what became of the pawn whose turn it is."""
        due = HER if self.state.turn == self.state.control else None
        for change in self.pawns:
            if change.thing == due or (
                due is None and self.seats.get(change.thing) == self.state.turn
            ):
                return change
        return None

    def refuse_mover(self, moved: Change) -> Refusal:
        state, judge = self.state, self.judge
        target = state.field.number.get(moved.target or "", NOBODY)
        if moved.target is None or target == NOBODY:
            return Refusal(judge.due()[1], f"{judge.due()[2]}; it belongs on a spot of the maze")
        if state.phase == "place":
            refusal = judge.refuse_place(moved.target)
            return refusal or self.dots_alone()
        if state.phase == "walk":
            return self.refuse_her(moved.target, target)
        return self.refuse_ghost(moved.target, target)

    def dots_alone(self) -> Refusal:
        return Refusal("MS-A20", "a dot goes only when Ms. Pac-Man moves off it, not before")

    def refuse_her(self, name: Spot, target: int) -> Refusal:
        """Return what is missing or too much beside her own move."""
        state = self.state
        trips = [trip for trip in her_walks(*state.her_trip(), state.steps) if trip.at == target]
        if not trips:
            return self.out_of_reach(name)
        return self.wrong_dots(min(trips, key=self.misfit)) or Refusal(
            "MS-6", f"more belongs to Ms. Pac-Man's move to {name} than was done"
        )

    def misfit(self, trip: Trip) -> int:
        """Return in how many dots the board differs from what a trip leaves."""
        return len(self.lifted(trip) ^ self.gone)

    def lifted(self, trip: Trip) -> set[Spot]:
        """Return the squares whose dots can be seen to go; the one under her could not be seen."""
        spots = set(self.state.field.spots(self.state.dots & ~trip.dots))
        return {spot for spot in spots if self.shown.get(spot) == DOT}

    def wrong_dots(self, trip: Trip) -> Refusal | None:
        lifted = self.lifted(trip)
        if left := sorted(lifted - self.gone | self.came):
            text = f"Ms. Pac-Man moved off {listed(left)}: take what she left there off the board"
            return Refusal("MS-A29", text)
        if much := sorted(self.gone - lifted - {self.state.where(trip.at)}):
            return Refusal("MS-6", f"Ms. Pac-Man did not move off {listed(much)}: the dot stays")
        return None

    def refuse_ghost(self, name: Spot, target: int) -> Refusal:
        state, pawn = self.state, self.judge.pawn
        if target in state.field.homes:
            return Refusal("MS-A23", f"{name} is a ghost's own space, and nobody moves into it")
        if target in state.hunt().others:
            return Refusal("MS-11", f"another ghost stands on {name}; {pawn} moves on from there")
        if self.gone - {name}:
            return Refusal("MS-7", "a ghost takes no dots")
        return self.out_of_reach(name)

    def out_of_reach(self, name: Spot) -> Refusal:
        pawn, start = self.judge.pawn, self.state.where(self.judge.start)
        count = squares(self.state.steps)
        return Refusal("MS-A5", f"{pawn} cannot get from {start} to {name} in exactly {count}")
