"""Why what hands did on the board is no legal move of the advanced variant.

Changes say which thing went from where to where. What comes nearest to a move is judged as that
move; the rest is answered by what may never be done.
"""

from collections.abc import Sequence

from companion.board import FENCE, PELLET, Change, Spot, is_slot
from companion.games.advanced.ground import ground
from companion.games.advanced.setup import ENTER, LETTERS, NAMES, PACMAN, PLACE, SHIFT
from companion.games.advanced.standing import Standing
from companion.games.advanced.why import Judge
from companion.games.bits import BIT, square_name
from companion.games.game import Move, Refusal


class Onlooker(Judge):
    """Somebody who saw the board before and after, and knows the rules."""

    def judge_changes(self, changes: Sequence[Change]) -> Refusal:
        if self.state.is_over:
            return self.game_over()
        fences = [change for change in changes if change.thing == FENCE]
        pawns = [change for change in changes if change.thing not in (FENCE, PELLET)]
        own = [change for change in pawns if self._is_own(change)]
        if lifted := [change for change in fences if change.source]:
            return self._lifted(lifted[0])
        if refusal := self._wrong_side(pawns) or self._too_many(own, fences):
            return refusal
        if pawns:
            return self._moved((own or pawns)[0], self.state.turn == PACMAN and len(pawns) > 1)
        if fences:
            return self.judge(fences[0].target or "") or Refusal(
                "AV-16", "a fence was placed, and a pellet was touched with it"
            )
        return Refusal("AV-16", "a pellet leaves its square only when Pac-Man comes there")

    def _is_own(self, change: Change) -> bool:
        """Tell whether a piece is of the side to act."""
        return (change.thing == "pacman") == (self.state.turn == PACMAN)

    def _lifted(self, change: Change) -> Refusal:
        """Judge a fence that was taken up."""
        if self.state.phase != SHIFT:
            text = f"a fence stays where it was put, as the one at {change.source}"
            return Refusal("AV-19", text)
        if not change.target or not is_slot(change.target):
            return Refusal("AV-9", f"the fence from {change.source} has to go somewhere else")
        return self.judge(f"{change.source}>{change.target}") or Refusal(
            "AV-9", "one fence of the chamber goes elsewhere, and nothing else"
        )

    def _wrong_side(self, pawns: Sequence[Change]) -> Refusal | None:
        """Judge whether pieces moved whose side is not to act; those that were eaten only left."""
        for change in pawns:
            if not self._is_own(change) and (change.target is not None or len(pawns) == 1):
                return self.wrong_side()
        if self.state.phase == SHIFT and pawns:
            return Refusal("AV-A24", "in rounds 1 to 4 the ghosts do not move")
        return None

    def _too_many(self, own: Sequence[Change], fences: Sequence[Change]) -> Refusal | None:
        if len(fences) > 1:
            return Refusal("AV-10", "only one fence may be placed in a turn")
        if len(own) > 1:
            text = "the ghosts move one after the other, each in a turn of its own"
            return Refusal("AV-10", text)
        if own and fences and self.state.is_early:
            return Refusal("AV-9", "in rounds 1 to 4 Pac-Man moves or places a fence, not both")
        return None

    def _moved(self, change: Change, eaten: bool) -> Refusal:
        """Judge one piece that went somewhere; the reason is that of the shortest way there.

        ``eaten`` says that a ghost was taken off with it, as for pellet steps.
        """
        state, is_pacman = self.state, change.thing == "pacman"
        who = "Pac-Man" if is_pacman else change.thing.capitalize()
        if change.target is None:
            if is_pacman:
                return Refusal("AV-15", "Pac-Man leaves the board only when he meets a ghost")
            return Refusal("AV-17", f"{who} leaves the board only when a pellet step takes it")
        if state.phase == ENTER:
            move: Move = "@" + change.target
        elif state.phase == PLACE:
            return Refusal("AV-10", f"{who} has moved; place a fence or end the turn")
        else:
            letter = "" if is_pacman else LETTERS[NAMES.index(change.thing)]
            way = _way(state, change)
            if way is None:
                return Refusal("AV-11", f"there is no way to {change.target} for {who}")
            move = "+" + "+".join(way) if eaten else letter + "-".join(way)
        if refusal := self.judge(move):
            return refusal
        if eaten:
            return Refusal("AV-A7", "pellet steps have to be declared before they are made")
        return Refusal("AV-11", f"{who} moving there is not all that was done")


def _way(state: Standing, change: Change) -> list[Spot] | None:
    """Return the squares of a shortest way (breadth-first search), None if there is none."""
    target = change.target or ""
    if target not in BIT or change.source not in BIT:
        return None
    near = ground(state.fenced).near
    if change.source == target:
        return [target]
    seen = {BIT[change.source]: 0}
    edge = [BIT[change.source]]
    while edge and BIT[target] not in seen:
        further = []
        for at in edge:
            for bit, _ in near(at):
                if bit not in seen:
                    seen[bit] = at
                    further.append(bit)
        edge = further
    if BIT[target] not in seen:
        return None
    way, at = [], BIT[target]
    while seen[at]:
        way.append(square_name(at))
        at = seen[at]
    return way[::-1]
