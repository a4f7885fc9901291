"""The board of a picture: how it is built and how large everything on it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.studio.dice import Dice
from companion.board import Board, Fence, Lights, Marker

LED_MM = 7.0  # from the edge of the board to the middle of a light
MARKER_ROOM = 8 / 6  # of a marker, with its white margin
RACK_ROOM = 0.5  # of a pitch, between the field and a rack
CORNERS = ((0, -1, 1), (1, 1, 1), (2, 1, -1), (3, -1, -1))


@dataclass(frozen=True)
class Rack:
    """A fence that is not in play, standing or lying beside the field."""

    x_mm: float
    y_mm: float
    turn_deg: float
    lies: bool
    colour: int  # of those that the fences have
    there: bool = True  # or only its slit is


@dataclass(frozen=True)
class Build:
    """How a board is made.

    ``framed`` ones have cells, rim and frame flush, ``tiles`` stand on a plate, ``bare`` ones have
    no frame. Heights count from the tops of the cells: the plane of frame or plate, of the
    markers, and the table. The frame reaches so far from the middle, to the side and ahead.
    """

    kind: str
    plane_mm: float
    marker_plane_mm: float
    table_mm: float
    tile_edge_mm: float
    frame_half_mm: tuple[float, float]
    markers: str
    margin: bool = True  # around the markers, in white
    rack: tuple[Rack, ...] = ()
    screws: tuple[tuple[float, float, float], ...] = ()  # where in the frame, and their radius


def draw_board(dice: Dice, reference: Board) -> tuple[Board, Build]:
    """Return a board of some size, and how it is built."""
    kind = dice.word("build")
    cell, groove, depth = _cells(dice, reference)
    pitch = cell + groove
    tile = dice.span("tile") if kind == "tiles" else 0.0
    depth = tile or depth
    field = 9 * pitch - groove
    board_mm, frame_mm, thick = reference.board_mm, reference.frame_mm, 12.0
    if dice.drawn["size"][0] != "reference" or kind != "framed":
        board_mm = field + 2 * dice.span("rim") * pitch
        frame_mm = board_mm + 2 * dice.span("frame") * pitch
        thick = max(dice.span("thick"), depth + 3)
    if kind == "bare":
        frame_mm = board_mm
    if kind == "tiles":
        board_mm = field
    fence = _fence(dice, reference, pitch, cell, groove)
    half_x = half_y = frame_mm / 2
    if kind == "tiles":
        half_x += dice.span("frame aside") * pitch
    rack, half_x, half_y = _rack(dice, kind, field, pitch, depth, fence, half_x, half_y)
    markers, marker_mm, name = _markers(dice, reference, kind, field, pitch, half_x, half_y)
    plain = markers == reference.markers
    build = Build(
        kind=kind,
        plane_mm=-tile,
        marker_plane_mm={"framed": 0.0, "tiles": -tile, "bare": -thick}[kind],
        table_mm=-thick,
        tile_edge_mm=dice.span("tile edge"),
        frame_half_mm=(half_x, half_y),
        markers=name,
        margin=plain or not markers or dice.word("marker margin") == "white",
        rack=rack,
        screws=_screws(dice, kind, board_mm / 2, (half_x, half_y), markers, marker_mm),
    )
    board = replace(
        reference,
        cell_mm=cell,
        groove_mm=groove,
        groove_depth_mm=depth,
        board_mm=board_mm,
        frame_mm=max(2 * min(half_x, half_y), board_mm),
        fence=fence,
        markers=markers,
        marker_mm=marker_mm,
        lights=_lights(reference, board_mm, pitch),
    )
    return board, build


def _cells(dice: Dice, reference: Board) -> tuple[float, float, float]:
    if dice.word("size") == "reference":
        return reference.cell_mm, reference.groove_mm, reference.groove_depth_mm
    cell = dice.span("cell")
    return cell, dice.span("groove") * cell, dice.span("groove depth")


def _fence(dice: Dice, reference: Board, pitch: float, cell: float, groove: float) -> Fence:
    usual = reference.fence
    return replace(
        usual,
        length_mm=round(dice.span("fence length") * (pitch + cell), 2),
        thickness_mm=round(dice.span("fence thickness") * groove, 2),
        height_mm=round(dice.span("fence height") * cell, 2),
    )


def _rack(
    dice: Dice,
    kind: str,
    field: float,
    pitch: float,
    depth: float,
    fence: Fence,
    half_x: float,
    half_y: float,
) -> tuple[tuple[Rack, ...], float, float]:
    """Return the rack, and how far the frame has to reach for it."""
    if kind == "bare" or (how := dice.word("rack")) == "none":
        return (), half_x, half_y
    sides = {"WE": "WE", "NS": "NS", "one": dice.rng.choice("WENS")}[dice.word("rack sides")]
    full, rng = dice.span("rack full"), dice.rng
    away = field / 2 + RACK_ROOM * pitch + rng.uniform(0, 0.3) * pitch + fence.length_mm / 2
    need = away + fence.length_mm / 2 + 13
    shift = rng.choice((0.0, 0.5, rng.uniform(0, 1)))
    lying = math.ceil((fence.height_mm + depth + 0.12 * fence.length_mm) / pitch)
    step = lying if how == "lying" else 1  # so that they do not lie on each other
    rack = []
    for number, side in enumerate(sides):
        for place in range(0, 9, step):
            along = (place - 4 + shift) * pitch + rng.uniform(-0.5, 0.5)
            if abs(along) > (3.9 if side in "WE" else 2.9) * pitch:  # beyond are markers
                continue
            sign = 1 if side in "EN" else -1
            x, y = (sign * away, along) if side in "WE" else (along, sign * away)
            turn = (0.0 if side in "WE" else 90.0) + rng.uniform(-1.5, 1.5)
            if how == "lying":
                turn += rng.uniform(-6, 6)
            there = rng.random() < full
            rack.append(Rack(x, y, turn, how == "lying", number, there))
    if "W" in sides or "E" in sides:
        half_x = max(half_x, need)
    if "N" in sides or "S" in sides:
        half_y = max(half_y, need)
    return tuple(rack), half_x, half_y


def _markers(
    dice: Dice,
    reference: Board,
    kind: str,
    field: float,
    pitch: float,
    half_x: float,
    half_y: float,
) -> tuple[tuple[Marker, ...], float, str]:
    name = dice.word("markers")
    plain = kind == "framed" and dice.drawn["size"][0] == "reference"
    if name == "none":
        return (), reference.marker_mm, name
    if plain and name == "corners" and half_x == half_y == reference.frame_mm / 2:
        return reference.markers, reference.marker_mm, name
    size = dice.span("marker") * pitch
    room = size * MARKER_ROOM / 2 + 0.5
    if kind == "bare":  # they lie on the table, in its corners
        away = (field / 2 + 0.3 * pitch + 1.6 * room,) * 2
    elif name == "corners":
        away = half_x - room, half_y - room
    else:  # above and below the outer columns
        away = field / 2 - size / 2, field / 2 + room + 1.5
        if kind == "framed":
            size = min(size, 2 * (half_y - field / 2 - 2) / MARKER_ROOM)
    return tuple(Marker(n, x * away[0], y * away[1]) for n, x, y in CORNERS), size, name


def _screws(
    dice: Dice,
    kind: str,
    inner: float,
    half: tuple[float, float],
    markers: Sequence[Marker],
    marker_mm: float,
) -> tuple[tuple[float, float, float], ...]:
    """Return screws near the edge of the frame, the same on both sides."""
    if kind == "bare" or dice.word("screws") == "none":
        return ()
    rng, size = dice.rng, dice.rng.uniform(2.0, 4.5)
    out = half[0] - 1.5 * size - rng.uniform(0, 1)
    if out - size < inner:
        return ()
    reach = half[1] - 3 * size
    ups = [rng.uniform(-reach, reach) for _ in range(rng.randint(1, 4))]
    near = marker_mm * MARKER_ROOM * 0.71 + size
    screws = [(side * out, up, size) for side in (-1, 1) for up in ups]
    return tuple(
        (x, y, radius)
        for x, y, radius in screws
        if all(math.hypot(x - m.x_mm, y - m.y_mm) > near for m in markers)
    )


def _lights(reference: Board, board_mm: float, pitch: float) -> Lights:
    """Return the lights along the four sides, where they are on a board of this size."""
    out = board_mm / 2 + LED_MM
    at = dict(reference.lights.at_mm)
    for name in at:
        along = (int(name[1:]) - 5) * pitch
        if name[0] in "NS":
            at[name] = (along, out if name[0] == "N" else -out)
        elif name[0] in "EW":
            at[name] = (out if name[0] == "E" else -out, along)
    return replace(reference.lights, at_mm=at)
