"""What the lights say: turns a snapshot into a colour for every LED.

The scene is painted in layers, each a small function of :mod:`companion.lights.layers` over the
lights by name (``N5``, ``W3`` …); a later layer covers an earlier one (painter's algorithm).
"""

from companion.board import Board
from companion.lights.layers import game, guidance, occasions
from companion.lights.layers.sight import sight
from companion.lights.names import Lit, frame_of
from companion.lights.strip import Colours
from companion.lights.view import Layer, Mood, View
from companion.service.snapshot import Snapshot

#: From the background to what matters most.
LAYERS: tuple[Layer, ...] = (
    game.pellets,
    game.counters,
    game.lives,
    game.turn,
    game.hands,
    game.thinking,
    game.last_move,
    sight,
    guidance.targets,
    occasions.start,
    occasions.game_over,
    guidance.question,
    guidance.set_up,
    guidance.not_allowed,
    occasions.hands,
    occasions.attract,
    occasions.phone,
    occasions.trouble,
    occasions.pointing,
    occasions.night,
)

USUAL_MOOD = Mood()


def scene(snapshot: Snapshot, board: Board, time: float, mood: Mood = USUAL_MOOD) -> Colours:
    """Return the colour of every LED of the board's strip at a time in seconds."""
    return frame_of(board, paint(View(snapshot, board, time, mood)))


def paint(view: View) -> Lit:
    """Return the lights that are on, by name."""
    lit: Lit = {}
    for layer in LAYERS:
        lit = layer(lit, view)
    return lit
