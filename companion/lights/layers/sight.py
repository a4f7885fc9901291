"""The line of sight: every ghost that sees Pac-Man lights the line between them (SV-11, SV-12)."""

from companion.board import Board, Spot, column_row, is_slot
from companion.games.layout import PACMAN
from companion.lights.names import Lit, by_turns, faded, pulse
from companion.lights.view import View

_END = 0.9
_CROSSING = 0.45


def sight(lit: Lit, view: View) -> Lit:
    """Each line shines in its ghost's colour, and pulses while that ghost is to move in frenzy."""
    snapshot = view.snapshot
    where = {thing: spot for spot, thing in snapshot.position.items() if not is_slot(spot)}
    if PACMAN not in where:
        return lit
    moving = {choice.effect.thing for choice in snapshot.choices}
    lines = []
    for ghost, between in snapshot.sight.items():
        if ghost in where:
            shares = line(view.board, where[ghost], where[PACMAN], between)
            swell = pulse(view.time) if ghost in moving else 1.0
            colours = {s: faded(view.colour(ghost), s * swell) for s in (_END, _CROSSING)}
            lines.append({name: colours[share] for name, share in shares.items()})
    return lit | by_turns(lines, view.time)


def line(board: Board, ghost: Spot, pacman: Spot, between: tuple[Spot, ...]) -> dict[str, float]:
    """Return the lights of a line and how bright each is.

    Under the squares it is the squares between. Around the frame it is both ends of their column
    (or row), and beside them, half as bright, the rows (or columns) of the squares between. Where
    there is nothing between, the ghost's own square is what shines.
    """
    names = board.lights.names
    upright = ghost[0] == pacman[0]
    column, row = column_row(ghost)
    ends = f"N{column + 1} S{column + 1}" if upright else f"W{row + 1} E{row + 1}"
    shares: dict[str, float] = {}
    for spot in between or (ghost,):
        column, row = column_row(spot)
        beside = f"W{row + 1} E{row + 1}" if upright else f"N{column + 1} S{column + 1}"
        shares |= dict.fromkeys(beside.split(), _CROSSING)
        shares[spot] = _END
    shares |= dict.fromkeys(ends.split(), _END)
    return {name: share for name, share in shares.items() if name in names}
