"""The truth about a picture: which part of everything is hidden, and the file that says it all."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.studio.colours import Rgb, encode
from bench.studio.hands import Hand
from bench.studio.lens import Point
from bench.studio.pawns import Pawn
from bench.studio.plan import Plan
from bench.studio.setting import Stand
from bench.studio.staves import Stave
from companion.board import Board, patches
from companion.sensing.camera.frame import Picture

HIDDEN_SQUARE = 0.3  # of a square, from which it counts as hidden
HIDDEN_FENCE = 0.5
WHITE, BLACK = 250, 4  # of 255, in every channel, from which nothing shows
NEAR_EDGE_MM = 1.0  # edges are left out: what hides them hides nothing

#: Returns the share of these points that something hides from the camera.
Hides = Callable[[Sequence[Point]], float]


#: Fences that are in no slot, and those that other sets of photographs call skewed.
LOOSE = ("flat", "crossed")
SKEWED = ("half", "askew", "crossed")


@dataclass(frozen=True)
class Sight:
    """What is in the way of the camera: hands and all that lies about, fences that stand in their
    slots, and each pawn by its name."""

    hides: Hides
    fences: Hides
    pawns: Mapping[str, Hides] = field(default_factory=dict)

    def behind(self, points: Sequence[Point], but: str = "") -> float:
        """Return the share of points behind fences and pawns, but for one of these."""
        shares = [hides(points) for name, hides in self.pawns.items() if name != but]
        return min(1.0, self.fences(points) + sum(shares))


@dataclass(frozen=True)
class Hidden:
    """How much is hidden of everything that is not wholly in view."""

    squares: dict[str, float] = field(default_factory=dict)
    slots: dict[str, float] = field(default_factory=dict)
    fences: dict[str, float] = field(default_factory=dict)
    pieces: dict[str, float] = field(default_factory=dict)
    markers: dict[str, float] = field(default_factory=dict)
    squares_behind: dict[str, float] = field(default_factory=dict)
    slots_behind: dict[str, float] = field(default_factory=dict)
    pieces_behind: dict[str, float] = field(default_factory=dict)
    pellets_behind: dict[str, float] = field(default_factory=dict)


def find_hidden(plan: Plan, sight: Sight) -> Hidden:
    """Return what hands and clutter hide; pieces and fences in their slots hide nothing in this
    sense, fences that lie about do. What stands behind fences and pawns is told apart."""
    board, setting = plan.board, plan.setting
    squares = {square: _patch(*board.at(square), board.cell_mm, 6) for square in board.squares}
    slots = {slot: _slot(board, slot) for slot in board.slots}
    standing = [fence for fence in setting.fences if fence.state not in LOOSE]
    fences = {fence.slot: _upper_edge(plan, fence) for fence in standing}
    pieces = {stand.pawn.name: _figure(plan, stand) for stand in setting.stands}
    plane = plan.build.marker_plane_mm
    markers = {str(m.id): _patch(m.x_mm, m.y_mm, board.marker_mm, 7, plane) for m in board.markers}
    whose = {stand.square: stand.pawn.name for stand in setting.stands}
    taken = {place for fence in standing for place in patches(fence.slot)}
    free = {slot: points for slot, points in slots.items() if taken.isdisjoint(patches(slot))}
    return Hidden(
        squares=_shares(squares, sight.hides),
        slots=_shares(slots, sight.hides),
        fences=_shares(fences, sight.hides),
        pieces=_shares(pieces, sight.hides),
        markers=_shares(markers, sight.hides),
        squares_behind=_behind(sight, squares, whose),
        slots_behind=_behind(sight, free, {}),
        pieces_behind=_behind(sight, pieces, {name: name for name in pieces}),
        pellets_behind=_behind(sight, {s: _ball(plan, s) for s in setting.pellets}, {}),
    )


def clipped(plan: Plan, picture: Picture) -> dict[str, float]:
    """Return the share of each square and slot that is nothing but white or nothing but black in
    the picture: too bright or too dark for what stands there to show."""
    board = plan.board
    places = {square: _patch(*board.at(square), board.cell_mm, 12) for square in board.squares}
    places |= {slot: _slot(board, slot) for slot in board.slots}
    height, width = picture.shape[:2]
    lost = np.stack([picture.min(axis=-1) >= WHITE, picture.max(axis=-1) <= BLACK])
    shares = {}
    for name, points in places.items():
        columns, rows = np.round(plan.lens.project(points)).astype(int).T
        seen = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        if seen.any():
            shares[name] = round(float(lost[:, rows[seen], columns[seen]].mean(axis=1).max()), 3)
    return {name: share for name, share in shares.items() if share > 0}


def white_points(plan: Plan) -> list[Point]:
    """Return points on the white margins of the markers, by which the camera finds its white;
    there are none where these have no margin."""
    if not plan.build.margin:
        return []
    off = plan.board.marker_mm * 7 / 12  # the middle of a margin of one module
    return [
        (marker.x_mm + x, marker.y_mm + y, plan.build.marker_plane_mm)
        for marker in plan.board.markers
        for x in (-off, off)
        for y in (-off, 0.0, off)
    ]


def truth_of(plan: Plan, hidden: Hidden) -> dict[str, Any]:
    """Return the truth file of a picture, as docs/vision.md describes it."""
    board, theme, setting = plan.board, plan.theme, plan.setting
    plane = plan.build.marker_plane_mm
    centres = plan.lens.project([(m.x_mm, m.y_mm, plane) for m in board.markers] or [(0, 0, 0)])
    return {
        "pieces": {s.pawn.name: s.square for s in setting.stands if not s.other},
        "walls": sorted(f.slot for f in setting.fences if f.state not in LOOSE),
        "pellets": sorted(setting.pellets),
        "ambiguous": {s.pawn.name: (s.square, s.other) for s in setting.stands if s.other},
        "skewed_walls": sorted(f.slot for f in setting.fences if f.state in SKEWED),
        "disturbance": _disturbance(plan.troubles),
        "occluded_squares": _from(hidden.squares, HIDDEN_SQUARE),
        "occluded_walls": _from(hidden.fences, HIDDEN_FENCE),
        "occlusion_fraction": hidden.squares,
        "slot_occlusion_fraction": hidden.slots,
        "wall_occlusion_fraction": hidden.fences,
        "behind_fraction": hidden.squares_behind,
        "slot_behind_fraction": hidden.slots_behind,
        "piece_occlusion_fraction": hidden.pieces,
        "marker_occlusion_fraction": {
            str(marker.id): hidden.markers.get(str(marker.id), 0.0) for marker in board.markers
        },
        "board_corners_px": _rounded(plan.lens.project(board.field_corners)),
        "marker_centers_px": {
            str(marker.id): at for marker, at in zip(board.markers, _rounded(centres), strict=False)
        },
        "piece_xy_mm": {s.pawn.name: _mm(s.x_mm, s.y_mm) for s in setting.stands},
        "things": [*_things(plan, hidden)],
        "fences": [_fence(plan, fence) for fence in setting.fences],
        "sizes": _sizes(plan),
        "theme": plan.build.kind,
        "theme_variant": f"{theme.fence_shape} {theme.fence_finish} fences, "
        f"{theme.cell_finish} cells, {theme.frame_finish} frame",
        "colours": {
            "cell": shown(theme.cell),
            "other_cell": shown(theme.other_cell),
            "groove": shown(theme.groove),
            "frame": shown(theme.frame),
            "table": shown(theme.table),
            "fences": [shown(colour) for colour in theme.fences],
            "pellet": shown(theme.pellet),
        },
        "pawn_variant": f"roughness {theme.paint_roughness:.2f}",
        "pacman_shape": theme.pacman,
        "table": theme.table_finish,
        "light": plan.light,
        "light_azimuth": round(plan.light_azimuth_deg),
        "camera": plan.lens.facts(),
        "sensor": asdict(plan.exposure),
        "leds_fitted": plan.strip.fitted,
        "leds_lit": dict(plan.strip.lit),
        "hands": [_hand(hand) for hand in plan.hands],
        "around": sorted(item.kind for item in plan.items),
        "printed": sorted({square for each in theme.prints for square in each.squares}),
        "rack": sum(each.there for each in plan.build.rack),
        "drawn": {name: list(values) for name, values in plan.drawn.items()},
        "seed": [plan.seed, plan.number],
    }


def _disturbance(troubles: Sequence[str]) -> list[str]:
    names = [name.replace(" ", "_") for name in troubles]
    return names + ["barrier_skew"] * any(name in SKEWED for name in troubles)


def _things(plan: Plan, hidden: Hidden) -> Iterator[dict[str, Any]]:
    setting = plan.setting
    for stand in setting.stands:
        pawn = stand.pawn
        yield {
            "kind": "pawn" if stand.lies_deg is None else "lying",
            "name": pawn.name,
            "paint": pawn.paint,
            "shape": pawn.shape,
            "square": stand.square,
            "between": [stand.square, stand.other] if stand.other else None,
            "at_mm": _mm(stand.x_mm, stand.y_mm),
            "head_deg": None if stand.lies_deg is None else round(stand.lies_deg, 1),
            "lean_deg": round(stand.lean_deg, 1),
            "size_mm": _mm(pawn.width_mm, pawn.height_mm),
            "colour": shown(pawn.colour),
            "hidden": hidden.pieces.get(pawn.name, 0.0),
            "behind": hidden.pieces_behind.get(pawn.name, 0.0),
        }
    for square, at in setting.pellets.items():
        yield {
            "kind": "pellet",
            "shape": "ball",
            "square": square,
            "at_mm": _mm(*at),
            "size_mm": _mm(setting.pellet_mm, setting.pellet_mm),
            "colour": shown(plan.theme.pellet),
            "hidden": hidden.squares.get(square, 0.0),
            "behind": hidden.pellets_behind.get(square, 0.0),
        }
    for token in setting.tokens:
        yield {
            "kind": "disc" if token.kind == "coin" else "other",
            "shape": token.kind,
            "square": token.square,
            "at_mm": _mm(token.x_mm, token.y_mm),
            "size_mm": _mm(token.width_mm, token.height_mm),
            "colour": shown(token.colour),
        }
    for item in plan.items:
        yield {
            "kind": "around",
            "shape": item.kind,
            "at_mm": [*_mm(item.x_mm, item.y_mm), round(item.z_mm, 2)],
            "turn_deg": round(item.turn_deg, 1),
            "colour": shown(item.pawn.colour if item.pawn else item.colour),
        }


def _fence(plan: Plan, fence: Stave) -> dict[str, Any]:
    return {
        "slot": fence.slot or None,
        "state": fence.state,
        "at_mm": [*_mm(fence.x_mm, fence.y_mm), round(fence.top_mm, 2)],
        "turn_deg": round(fence.turn_deg, 2),
        "tip_deg": round(fence.tip_deg, 2),
        "lean_deg": round(fence.lean_deg, 2),
        "shape": plan.theme.fence_shape,
        "colour": shown(plan.theme.fences[fence.colour]),
    }


def _hand(hand: Hand) -> dict[str, Any]:
    holds = hand.holds.name if isinstance(hand.holds, Pawn) else "fence"
    return {
        "pose": hand.pose,
        "side": hand.side,
        "gloved": hand.gloved,
        "sleeved": hand.sleeve is not None,
        "colour": shown(hand.skin),
        "holds": holds if hand.holds is not None else None,
    }


def _sizes(plan: Plan) -> dict[str, Any]:
    board, build = plan.board, plan.build
    sizes = {
        "cell_mm": board.cell_mm,
        "groove_mm": board.groove_mm,
        "groove_depth_mm": board.groove_depth_mm,
        "field_mm": board.field_mm,
        "board_mm": board.board_mm,
        "frame_x_mm": 2 * build.frame_half_mm[0],
        "frame_y_mm": 2 * build.frame_half_mm[1],
        "marker_mm": board.marker_mm,
        "marker_plane_mm": build.marker_plane_mm,
        "plane_mm": build.plane_mm,
        "table_mm": build.table_mm,
        "fence_length_mm": board.fence.length_mm,
        "fence_thickness_mm": board.fence.thickness_mm,
        "fence_height_mm": board.fence.height_mm,
    }
    marker_at = {f"marker_{m.id}": _mm(m.x_mm, m.y_mm) for m in board.markers}
    return {name: round(value, 3) for name, value in sizes.items()} | marker_at


def shown(colour: Rgb) -> str:
    """Return a colour as pages write it."""
    values = np.clip(encode(np.array(colour)), 0, 1) * 255
    return "#" + "".join(f"{round(float(value)):02x}" for value in values)


def _mm(x: float, y: float) -> list[float]:
    return [round(x, 2), round(y, 2)]


def _slot(board: Board, slot: str) -> list[Point]:
    x, y = board.at(slot)
    reach, aside = board.pitch_mm - board.groove_mm / 2 - NEAR_EDGE_MM, board.groove_mm / 4
    return [
        (x + along, y + across, 0.0) if slot[2] == "h" else (x + across, y + along, 0.0)
        for along in np.linspace(-reach, reach, 13).tolist()
        for across in (-aside, aside)
    ]


def _patch(x: float, y: float, side: float, steps: int, up: float = 0.0) -> list[Point]:
    ticks = np.linspace(NEAR_EDGE_MM - side / 2, side / 2 - NEAR_EDGE_MM, steps).tolist()
    return [(x + across, y + along, up) for across in ticks for along in ticks]


def _upper_edge(plan: Plan, fence: Stave) -> list[Point]:
    reach = plan.board.fence.length_mm / 2 - NEAR_EDGE_MM
    turn = math.radians(fence.turn_deg)
    return [
        (fence.x_mm + part * math.cos(turn), fence.y_mm + part * math.sin(turn), fence.top_mm)
        for part in np.linspace(-reach, reach, 15).tolist()
    ]


def _figure(plan: Plan, stand: Stand) -> list[Point]:
    """Return points on an upright cut through a piece, square to the line of sight."""
    eye, pawn = plan.lens.centre, stand.pawn
    height = pawn.height_mm if stand.lies_deg is None else pawn.width_mm
    away = stand.x_mm - eye[0], stand.y_mm - eye[1]
    far, width = max(math.hypot(*away), 1e-6), 0.35 * pawn.width_mm
    low = min(2.0, 0.3 * height)
    return [
        (stand.x_mm - part * away[1] / far, stand.y_mm + part * away[0] / far, up)
        for part in np.linspace(-width, width, 5).tolist()
        for up in np.linspace(low, height - 0.5 * low, 6).tolist()
    ]


def _ball(plan: Plan, square: str) -> list[Point]:
    """Return points of a pellet that the camera sees if nothing is in the way."""
    (x, y), radius = plan.setting.pellets[square], plan.setting.pellet_mm / 2
    eye = plan.lens.centre
    away = math.hypot(x - eye[0], y - eye[1]) or 1e-6
    right = (-(y - eye[1]) / away, (x - eye[0]) / away)
    return [
        (x + part * radius * right[0], y + part * radius * right[1], up * radius)
        for part in (-0.6, 0.0, 0.6)
        for up in (0.5, 1.0, 1.6)
    ]


def _behind(
    sight: Sight, things: Mapping[str, list[Point]], whose: Mapping[str, str]
) -> dict[str, float]:
    shares = {n: round(sight.behind(points, whose.get(n, "")), 3) for n, points in things.items()}
    return {name: share for name, share in shares.items() if share > 0}


def _shares(things: dict[str, list[Point]], hides: Hides) -> dict[str, float]:
    shares = {name: round(hides(points), 3) for name, points in things.items()}
    return {name: share for name, share in shares.items() if share > 0}


def _from(shares: dict[str, float], least: float) -> list[str]:
    return sorted(name for name, share in shares.items() if share >= least)


def _rounded(pixels: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in pixels]
