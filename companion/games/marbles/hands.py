"""What hands did on the board of the marble game that is no legal move, and what the rules say."""

from collections.abc import Sequence

from companion.board import Change, Spot, Thing
from companion.games.game import Refusal
from companion.games.marbles.field import GHOSTS
from companion.games.marbles.standing import GHOST, PACMAN
from companion.games.marbles.why import Judge

_GHOSTS = {f"{GHOST}{number + 1}": number for number in range(GHOSTS)}


class Onlooker(Judge):
    """Somebody who saw the board before and after, and knows the rules."""

    def judge_changes(self, changes: Sequence[Change]) -> Refusal:
        state, field = self.state, self.field
        if state.to_act is None:
            return self.game_over()
        if state.owing is not None or state.due != "move":
            return self.not_due("")
        own = state.table.pacman(state.turn)
        moved = [change for change in changes if change.thing.startswith((PACMAN, GHOST))]
        things = {change.thing for change in moved}
        if sum(thing.startswith(GHOST) for thing in things) > 1 and own not in things:
            return Refusal("MB-6", f"{self.mover} moves one ghost, not both")
        homes = [field.names[home] for home in field.homes]
        for change in moved:
            strange = change.thing.startswith(PACMAN) and change.thing != own
            if strange and change.target not in homes:  # who is caught goes home
                return Refusal("MB-6", f"it is {self.mover}'s turn: no other Pac-Man moves")
        refusals = (self._refuse(change.thing, change.target) for change in moved)
        taken = Refusal("MB-10", "a Pac-Man takes the marbles of every hole he lands on, no others")
        return next(filter(None, refusals), taken)

    def _refuse(self, thing: Thing, target: Spot | None) -> Refusal | None:
        """Judge where a pawn came to, whatever its way was; None when it may well be there."""
        if target is None:
            return Refusal("MB-8", "a pawn stays on the board")
        if thing == self.state.table.pacman(self.state.turn):
            return self._refuse_pacman(target)
        return self._refuse_ghost(_GHOSTS[thing], target) if thing in _GHOSTS else None

    def _refuse_pacman(self, target: Spot) -> Refusal | None:
        state, to = self.state, self.field.number.get(target, -1)
        if not state.pacman_due:
            return Refusal("MB-6", f"{self.mover}'s own Pac-Man has already moved")
        if to in self.field.homes and to != state.table.home(state.turn):
            return Refusal("MB-13", f"{target} is another home: one may pass it, not stop on it")
        if any(way.end == to for die in set(state.dice) for way in state.pacman_ways(die)[0]):
            return None
        pawn = self.pawn_on(to)
        if pawn and to != state.pacmen[state.turn]:
            return Refusal("MB-14", f"{pawn} stands on {target}")
        return Refusal("MB-11", f"Pac-Man cannot come to {target} with {self._shown()}")

    def _refuse_ghost(self, ghost: int, target: Spot) -> Refusal | None:
        state, to = self.state, self.field.number.get(target, -1)
        if not state.ghost_due:
            return Refusal("MB-6", f"{self.mover} has already moved a ghost")
        if to in self.field.homes:
            return Refusal("MB-18", f"a ghost may not come into a home, {target} is one")
        if any(to in state.ghost_ways(ghost, die) for die in set(state.dice)):
            return None
        return Refusal("MB-15", f"that ghost cannot come to {target} with {self._shown()}")

    def _shown(self) -> str:
        return " or ".join(map(str, dict.fromkeys(self.state.dice)))
