"""Why a move of the marble game is good: what it swallows, pays or gains."""

from collections.abc import Sequence

from companion.games.game import Move, State
from companion.games.marbles.rules import Marbles
from companion.games.marbles.worth import steps_of
from companion.text import counted, name_of


def reason(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what a move of the marble game gains."""
    assert isinstance(state, Marbles)
    after = state.play(move)
    verb, _, what = move.partition(":")
    if verb == "take":
        giver = state.table.colours.index(what)
        return f"takes two marbles from {name_of(names, giver)}, who has {state.trays[giver]}"
    if verb in ("return", "missed"):
        return f"puts a marble back on {what}"
    if move.endswith("x"):
        return _met(state, after, move, names)
    things = [
        counted((was & ~left).bit_count(), f"{colour} marble")
        for colour, was, left in (
            ("white", state.white, after.white),
            ("yellow", state.yellow, after.yellow),
        )
        if was & ~left
    ]
    if things:
        return f"swallows {' and '.join(things)}"
    seat = state.turn
    steps = steps_of(state.table.field)
    if move.startswith("G"):
        nearest = min(steps[ghost][after.pacmen[seat]] for ghost in after.ghosts)
        others = (spot for other, spot in enumerate(after.pacmen) if other != seat)
        theirs = min(steps[ghost][spot] for spot in others for ghost in after.ghosts)
        return f"the nearest ghost is then {nearest} from you, {theirs} from another Pac-Man"
    row = steps[after.pacmen[seat]]
    away = min((row[n] for n in range(len(row)) if after.white >> n & 1), default=0)
    return f"the next white marble is then {counted(away, 'hole')} off"


def _met(state: Marbles, after: Marbles, move: Move, names: Sequence[str]) -> str:
    if move.startswith("P"):
        return "gobbles a ghost, and two marbles of somebody else's come with it"
    caught = next(s for s, spot in enumerate(state.pacmen) if spot in after.ghosts)
    if caught == state.turn:
        return "sends your own Pac-Man home, for no other way is better"
    gained = after.trays[state.turn] - state.trays[state.turn]
    return f"catches {name_of(names, caught)} for {counted(max(gained, 0), 'marble')}"
