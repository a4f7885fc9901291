"""The truth about a picture: which part of everything is hidden, and the file that says it all."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.studio.lens import Point
from bench.studio.plan import Plan
from bench.studio.setting import Stave

HIDDEN_SQUARE = 0.3  # of a square, from which it counts as hidden
HIDDEN_FENCE = 0.5
DISC_MM = 8.0  # the height of Pac-Man as a disc
NEAR_EDGE_MM = 1.0  # edges are left out: what hides them hides nothing

#: Returns the share of these points that something hides from the camera.
Hides = Callable[[Sequence[Point]], float]


@dataclass(frozen=True)
class Hidden:
    """How much is hidden of everything that is not wholly in view."""

    squares: dict[str, float] = field(default_factory=dict)
    fences: dict[str, float] = field(default_factory=dict)
    pieces: dict[str, float] = field(default_factory=dict)
    markers: dict[str, float] = field(default_factory=dict)


def find_hidden(plan: Plan, hides: Hides) -> Hidden:
    """Return what hands and clutter hide; pieces and fences hide nothing in this sense."""
    board = plan.board
    squares = {square: _patch(*board.at(square), board.cell_mm, 6) for square in board.squares}
    fences = {fence.slot: _upper_edge(plan, fence) for fence in plan.setting.fences}
    pieces = {name: _figure(plan, name) for name in plan.setting.stands}
    markers = {str(m.id): _patch(m.x_mm, m.y_mm, board.marker_mm, 7) for m in board.markers}
    return Hidden(*(_shares(things, hides) for things in (squares, fences, pieces, markers)))


def white_points(plan: Plan) -> list[Point]:
    """Return points on the white margins of the markers, by which the camera finds its white."""
    off = plan.board.marker_mm * 7 / 12  # the middle of a margin of one module
    return [
        (marker.x_mm + x, marker.y_mm + y, 0.0)
        for marker in plan.board.markers
        for x in (-off, off)
        for y in (-off, 0.0, off)
    ]


def truth_of(plan: Plan, hidden: Hidden) -> dict[str, Any]:
    """Return the truth file of a picture, as docs/vision.md describes it."""
    board, theme, setting, hand = plan.board, plan.theme, plan.setting, plan.hand
    centres = plan.lens.project([(m.x_mm, m.y_mm, 0.0) for m in board.markers])
    return {
        "pieces": dict(setting.pieces),
        "walls": sorted(fence.slot for fence in setting.fences),
        "pellets": sorted(setting.pellets),
        "ambiguous": dict(setting.ambiguous),
        "skewed_walls": sorted(fence.slot for fence in setting.fences if fence.skewed),
        "disturbance": list(plan.troubles),
        "occluded_squares": _from(hidden.squares, HIDDEN_SQUARE),
        "occluded_walls": _from(hidden.fences, HIDDEN_FENCE),
        "occlusion_fraction": hidden.squares,
        "wall_occlusion_fraction": hidden.fences,
        "piece_occlusion_fraction": hidden.pieces,
        "marker_occlusion_fraction": {
            str(marker.id): hidden.markers.get(str(marker.id), 0.0) for marker in board.markers
        },
        "board_corners_px": _rounded(plan.lens.project(board.field_corners)),
        "marker_centers_px": {
            str(marker.id): at for marker, at in zip(board.markers, _rounded(centres), strict=True)
        },
        "piece_xy_mm": {
            name: [round(stand.x_mm, 2), round(stand.y_mm, 2)]
            for name, stand in setting.stands.items()
        },
        "theme": theme.board,
        "theme_variant": f"{theme.fence} fences with {theme.fence_edges} edges, "
        f"{theme.frame_kind} frame {theme.frame_name}, roughness {theme.roughness:.2f}",
        "fence": theme.fence,
        "pawn_variant": f"depth {theme.paint_depth:.2f}, brightness {theme.paint_brightness:.2f}, "
        f"roughness {theme.paint_roughness:.2f}",
        "pacman_shape": plan.pacman_shape,
        "table": theme.table,
        "light": plan.light,
        "light_azimuth": round(plan.light_azimuth_deg),
        "camera": plan.lens.facts(),
        "sensor": asdict(plan.exposure),
        "leds_fitted": plan.strip.fitted,
        "leds_lit": dict(plan.strip.lit),
        "hand": f"{hand.pose} {hand.side}" if hand else None,
        "around": sorted(item.kind for item in plan.items),
        "seed": [plan.seed, plan.number],
    }


def _patch(x: float, y: float, side: float, steps: int) -> list[Point]:
    ticks = np.linspace(NEAR_EDGE_MM - side / 2, side / 2 - NEAR_EDGE_MM, steps).tolist()
    return [(x + across, y + along, 0.0) for across in ticks for along in ticks]


def _upper_edge(plan: Plan, fence: Stave) -> list[Point]:
    reach = plan.board.fence.length_mm / 2 - NEAR_EDGE_MM
    turn = math.radians(fence.turn_deg)
    return [
        (fence.x_mm + part * math.cos(turn), fence.y_mm + part * math.sin(turn), fence.top_mm)
        for part in np.linspace(-reach, reach, 15).tolist()
    ]


def _figure(plan: Plan, name: str) -> list[Point]:
    """Return points on an upright cut through a piece, square to the line of sight."""
    stand, piece, eye = plan.setting.stands[name], plan.board.pieces[name], plan.lens.centre
    height = piece.height_mm
    if stand.lies_deg is not None:
        height = piece.diameter_mm
    elif name == "pacman" and plan.pacman_shape == "disc":
        height = DISC_MM
    away = stand.x_mm - eye[0], stand.y_mm - eye[1]
    far, width = max(math.hypot(*away), 1e-6), 0.35 * piece.diameter_mm
    return [
        (stand.x_mm - part * away[1] / far, stand.y_mm + part * away[0] / far, up)
        for part in np.linspace(-width, width, 5).tolist()
        for up in np.linspace(2, height - 1, 6).tolist()
    ]


def _shares(things: dict[str, list[Point]], hides: Hides) -> dict[str, float]:
    shares = {name: round(hides(points), 3) for name, points in things.items()}
    return {name: share for name, share in shares.items() if share > 0}


def _from(shares: dict[str, float], least: float) -> list[str]:
    return sorted(name for name, share in shares.items() if share >= least)


def _rounded(pixels: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in pixels]
