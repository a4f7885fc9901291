"""The printed table put together: every part where it belongs, to be looked at and measured."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from hardware import prints
from hardware.camera import behind_mm
from hardware.solid import Floats, Solid, picture, read_stl

WOOD = (214, 178, 128)
FRAME = (126, 132, 146)
BOARD = (84, 88, 108)
WHITE = (250, 250, 246)
BLACK = (40, 40, 44)
TILE = (120, 150, 190)
METAL = (150, 155, 165)
SIZE = (900, 760)
LENS_OVER_SLEEVE_MM = 16.0  # of the camera's head
POST_IN_SLEEVE_MM = 32.0

#: What stands on the table in the picture.
PLACED = {"e2": "pacman", "d5": "blinky", "e7": "pinky", "g6": "inky", "b4": "clyde"}
FENCES = ("c3h", "f4v", "d6h", "b5v")


@dataclass(frozen=True)
class Placed:
    """A part in its place: the solid, turned about the upright axis and moved."""

    name: str
    solid: Solid
    colour: tuple[int, int, int]


def put(
    name: str, solid: Solid, colour: tuple[int, int, int], at: tuple[float, float, float], turn: int
) -> Placed:
    """Return a part turned by so many quarters, against the clock, and moved."""
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn % 4]
    rotated = solid.triangles @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]).T
    return Placed(name, Solid(rotated + np.asarray(at)), colour)


def table(board: Board, plan: dict[str, Any], lens_mm: float = 500.0) -> list[Placed]:
    """Return all parts of the table, in millimetres from the middle of the board."""
    sizes = plan["printed"]
    half, leg, lip = board.board_mm / 2, sizes["leg_mm"], sizes["lip_height_mm"]
    low = leg + lip  # the underside of the board
    long = board.board_mm / 3
    parts = {p["name"]: _read(p["name"]) for p in plan["prints"]}
    found: list[Placed] = []

    def add(
        name: str, colour: tuple[int, int, int], x: float, y: float, z: float, turn: int = 0
    ) -> None:
        found.append(put(name, parts[name], colour, (x, y, z), turn))

    for turn, (x, y) in enumerate(((half, half), (-half, half), (-half, -half), (half, -half))):
        add("frame-corner", FRAME, x, y, leg, turn)
        out = half + sizes["leg_at_mm"]
        add("leg", FRAME, np.sign(x) * out, np.sign(y) * out, 0)
    for third in range(3):
        south = "frame-side-lives" if third == 1 else "frame-side"
        add("frame-side", FRAME, -half + third * long, half, leg)
        add("frame-side", FRAME, -half, -half + third * long, leg, 1)
        add(south, FRAME, half - third * long, -half, leg, 2)
        add("frame-side", FRAME, half, half - third * long, leg, 3)
    for joint in (-long / 2, long / 2):
        out = half + sizes["joiner_at_mm"]
        add("frame-joiner", FRAME, joint, out, leg)
        add("frame-joiner", FRAME, -out, joint, leg, 1)
        add("frame-joiner", FRAME, joint, -out, leg, 2)
        add("frame-joiner", FRAME, out, joint, leg, 3)
    _board(board, add, low, half)
    tile = sizes["tile_cells"] * board.pitch_mm
    high = plan["prints"][0]["size"][2]
    for column in (-1, 0, 1):
        for row in (-1, 0, 1):
            add("sensor-tile", TILE, column * tile, row * tile, low - high)
    top = low + sizes["base_mm"] + board.groove_depth_mm
    _game(board, plan, add, top)
    found += _papers(board, plan, top)
    edge, head = board.frame_mm / 2, top + lens_mm - LENS_OVER_SLEEVE_MM
    post_y = edge + plan["camera"]["behind_frame_mm"]
    add("arm-foot", FRAME, 0, edge, 0)
    add("camera-head", FRAME, 0, post_y, head, 2)
    side = sizes["post_mm"]
    post = box((side, side, head + POST_IN_SLEEVE_MM - 5))
    found.append(put("post", post, WOOD, (-side / 2, post_y - side / 2, 5), 0))
    lens = box((10, 10, 6))
    found.append(put("lens", lens, METAL, (-5, behind_mm(board, plan) - 5, top + lens_mm - 3), 0))
    return found


def _board(board: Board, add: Any, low: float, half: float) -> None:
    """Add the nine parts of the board: corners, edges and the centre."""
    inner = 1.5 * board.pitch_mm
    corners = ((-half, -half, 0), (half, -half, 1), (half, half, 2), (-half, half, 3))
    edges = ((-inner, -half, 0), (half, -inner, 1), (inner, half, 2), (-half, inner, 3))
    for x, y, turn in corners:
        add("board-corner", BOARD, x, y, low, turn)
    for x, y, turn in edges:
        add("board-edge", BOARD, x, y, low, turn)
    add("board-centre", BOARD, -inner, -inner, low)


def _game(board: Board, plan: dict[str, Any], add: Any, top: float) -> None:
    felt = plan["stack"]["felt"]
    for spot, name in PLACED.items():
        add(name, board.pieces[name].colour, *board.at(spot), top + felt)
    long = board.fence.length_mm
    for slot in FENCES:
        x, y = board.at(slot)
        low = top - board.groove_depth_mm
        if slot[2] == "h":
            add("fence", board.fence.colour, x - long / 2, y, low)
        else:
            add("fence", board.fence.colour, x, y - long / 2, low, 1)


def _papers(board: Board, plan: dict[str, Any], top: float) -> list[Placed]:
    """Return what is neither printed nor wood: markers, and the diffusers over the strip."""
    found = []
    for marker in board.markers:
        sides = ((plan["printed"]["marker_paper_mm"], WHITE, 0.1), (board.marker_mm, BLACK, 0.4))
        for side, colour, high in sides:
            at = (marker.x_mm - side / 2, marker.y_mm - side / 2, top - 0.5)
            found.append(put("marker", box((side, side, 0.5 + high)), colour, at, 0))
    wide, long = plan["printed"]["diffuser_mm"], board.board_mm
    away = max(abs(y) for name, (_, y) in board.lights.at_mm.items() if name[0] == "S")
    for turn, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        corner = (
            (x * long / 2, y * (away + wide / 2))
            if turn % 2 == 0
            else (x * (away + wide / 2), y * long / 2)
        )
        found.append(put("diffuser", box((long, wide, 0.9)), WHITE, (*corner, top - 0.9), turn))
    return found


def _read(name: str) -> Solid:
    return read_stl((prints.FOLDER / f"{name}.stl").read_bytes())


def box(size: tuple[float, float, float]) -> Solid:
    """Return a box with a corner at 0, 0, 0."""
    x, y, z = size
    c = (
        [(i & 1) * x for i in range(8)],
        [(i >> 1 & 1) * y for i in range(8)],
        [(i >> 2) * z for i in range(8)],
    )
    corners = np.array(c, dtype=np.float64).T
    faces = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    return Solid(
        np.array([corners[[f[a], f[b], f[d]]] for f in faces for a, b, d in ((0, 1, 2), (0, 2, 3))])
    )


def extent(part: Placed) -> tuple[Floats, Floats]:
    """Return the lowest and the highest corner of the box around a part."""
    corners = part.solid.triangles.reshape(-1, 3)
    return corners.min(axis=0), corners.max(axis=0)


def view(board: Board, plan: dict[str, Any]) -> NDArray[np.uint8]:
    """Return the picture of the whole table."""
    unseen = ("sensor-tile", "frame-joiner")
    placed = [part for part in table(board, plan) if part.name not in unseen]
    triangles = np.concatenate([part.solid.triangles for part in placed])
    colours = np.concatenate(
        [np.tile(np.asarray(part.colour), (len(part.solid.triangles), 1)) for part in placed]
    )
    return picture(Solid(triangles), colours, -24.0, SIZE)
