"""What hands are to do: put right, set up, carry out a move, answer, or choose where to go."""

from companion.lights.names import (
    Lit,
    breath,
    by_turns,
    dimmed,
    faced,
    facing,
    faded,
    pulse,
    wave,
    whose_turn,
)
from companion.lights.palette import WHITE
from companion.lights.view import View
from companion.referee.verdict import Kind

_TARGET = 0.5


def targets(lit: Lit, view: View) -> Lit:
    """Where a lifted piece may go: under the squares all at once, on the frame one by one."""
    snapshot = view.snapshot
    if not view.mood.targets or snapshot.lifted is None:
        return lit
    effects = [choice.effect for choice in snapshot.choices]
    ends = sorted({e.end for e in effects if e.thing == snapshot.lifted and e.path})
    if not ends:
        return lit
    colour = view.colour(snapshot.lifted)
    under = [end for end in ends if end in view.board.lights.names]
    if len(under) == len(ends):
        return dimmed(lit) | dict.fromkeys(ends, faded(colour, _TARGET))
    end = ends[whose_turn(len(ends), view.time)]
    return dimmed(lit) | dict.fromkeys(facing(view.board, end), faded(colour, wave(view.time)))


def question(lit: Lit, view: View) -> Lit:
    """The moves in question show in turn where they end; what the button confirms is the first,
    in the colour of what is right, the others are white."""
    verdict = view.verdict
    if verdict.kind is not Kind.UNSURE:
        return lit
    ends = {choice.move: choice.effect.end for choice in view.snapshot.choices}
    spots = [ends[move] for move in verdict.moves if ends.get(move)]
    lit = dimmed(lit)
    if not spots:
        return lit
    now = whose_turn(len(spots), view.time)
    colour = view.palette.right if now == 0 else WHITE
    return lit | dict.fromkeys(facing(view.board, spots[now]), faded(colour, wave(view.time)))


def set_up(lit: Lit, view: View) -> Lit:
    """One thing at a time: where it is breathes white, where it goes pulses in its colour.

    What is to be taken away pulses in the colour of what is wrong. On lights that face both
    places the two take turns.
    """
    verdict = view.verdict
    if verdict.kind is not Kind.SET_UP:
        return lit
    lit = dimmed(lit)
    swell = pulse(view.time)
    change = verdict.repair[0] if verdict.repair else None
    if change is None or change.target is None:
        away = faced(view.board, (change.source,) if change else verdict.places)
        return lit | dict.fromkeys(away, faded(view.palette.wrong, swell))
    goal = dict.fromkeys(facing(view.board, change.target), faded(view.colour(change.thing), swell))
    start = dict.fromkeys(faced(view.board, (change.source,)), faded(WHITE, breath(view.time)))
    return lit | by_turns((goal, start), view.time)


def not_allowed(lit: Lit, view: View) -> Lit:
    """What is wrong pulses, where it belongs is steady; they take turns on shared lights."""
    verdict = view.verdict
    if verdict.kind is not Kind.NOT_ALLOWED:
        return lit
    wrong = [change.target or change.source for change in verdict.changes]
    right = [change.target for change in verdict.repair]
    bad = faded(view.palette.wrong, pulse(view.time))
    bad_lights = dict.fromkeys(faced(view.board, (*wrong, *verdict.places)), bad)
    good_lights = dict.fromkeys(faced(view.board, right), view.palette.right)
    return dimmed(lit) | by_turns((bad_lights, good_lights), view.time)
