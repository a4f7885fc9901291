"""Why a move of the Ms. Pac-Man game is good: what it takes, and how far the ghosts are."""

from collections.abc import Sequence

from companion.games.game import Move, State
from companion.games.mspacman.rules import MsPacMan
from companion.games.mspacman.standing import WALK
from companion.games.mspacman.walk import AWAY
from companion.games.mspacman.worth import steps_of
from companion.text import counted


def reason(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what a move of the Ms. Pac-Man game gains."""
    assert isinstance(state, MsPacMan)
    after = state.play(move)
    seat = state.turn
    if after.winner == seat:
        return "takes your last dot and wins"
    if after.her == AWAY:
        return "catches her: now you play her" if after.control == seat else "leads into a ghost"
    steps = steps_of(state.field)
    if state.control != seat:
        far = steps[after.ghosts[seat]][after.her]
        weak = "your weak ghost" if after.timers[seat] else "your ghost"
        return f"{weak} is then {counted(far, 'step')} from her"
    said = []
    own = state.left(seat) - after.left(seat)
    if own > 0:
        said.append(f"takes {counted(own, 'dot')} of yours")
    for other, spot in enumerate(state.ghosts):
        if state.phase == WALK and spot not in (AWAY, after.ghosts[other]):
            said.append(f"eats {state.field.ghosts[other].title} for another turn")
    strong = [
        steps[spot][after.her]
        for other, spot in enumerate(after.ghosts)
        if spot != AWAY and not after.timers[other]
    ]
    if strong:
        said.append(f"stays {counted(min(strong), 'step')} from the nearest strong ghost")
    return " and ".join(said) or "no strong ghost is left to fear"
