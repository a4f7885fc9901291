"""Which pixels of the flat picture speak for which place.

A pawn stands 30 mm and a fence 16 mm above the board, so in the picture they lean away from the
camera (parallax). Every region is therefore made of points in space, projected along their sight
line onto the flat picture once per pose. Counting labels over all regions is one pass.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.board import PELLET, Board, Piece, patches
from companion.sensing.camera.frame import Array
from companion.sensing.vision.flat import USUAL_PITCH_MM, Flat

#: A piece is looked for in the middle of its cell and a little beside it, in millimetres.
SHIFTS_MM = ((0, 0), (4, 0), (-4, 0), (0, 4), (0, -4), (3, 3), (3, -3), (-3, 3), (-3, -3))
PELLET_SHIFTS_MM = ((0, 0), (2, 0), (-2, 0), (0, 2), (0, -2))
PIECE_STEP_MM = 3.0
HEIGHT_STEP_MM = 5.0
FINE_STEP_MM = 1.0
BROAD_ROOM_MM = 5.0
PROFILE_HALF_MM = 5.0
PROFILE_MM = tuple(0.75 * step for step in range(-8, 9))
FLAT_BALL_MM = 8.0  # a ball may be a mere disc: nothing above this height is asked of it


KINDS = 16  # labels that can be told apart
HIDDEN = KINDS - 1  # the label of pixels where something nearer is in the way


@dataclass(frozen=True)
class Regions:
    """Regions as flat lists: ``pixels`` names the pixels of one after the other.

    ``outlines`` gives for each shape an array (squares, shifts) of region numbers, ``rings`` what
    lies around the outlines of pellets, ``cells`` the bare middle of each square, ``tops`` the top
    edge of each patch, ``beside`` the strip just beyond that edge, which a seated fence leaves
    free (-1 where a patch has no such strip). ``bodies`` are the pixels of all that a fence on a
    patch shows; no fence is broader than ``broadest`` millimetres in the flat picture.
    """

    pixels: Array
    keys: Array  # for each pixel the number of its region times KINDS
    sizes: Array
    starts: Array
    outlines: dict[str, Array]
    rings: Array
    cells: Array
    tops: Array
    beside: Array
    profiles: Array  # (patches, strips) regions across each half; crossings have none
    profile_mm: Array  # how far aside each of those strips lies
    crossings: Array  # (slots, 3) patches by number: the middle, one half, the other
    abutting: Array  # (slots, 6) halves of fences at right angles that touch one there, or -1
    bodies: list[Array]
    broadest: float

    def count(self, labels: Array) -> Array:
        """Return the histogram of labels in each region, shape (regions, KINDS)."""
        keys = self.keys + np.take(labels, self.pixels)
        return np.bincount(keys, minlength=len(self.sizes) * KINDS).reshape(-1, KINDS)

    def within(self, mask: Array) -> tuple[Array, Array]:
        """Return which part of each cell and of each patch's top lies in a mask of 0 and 1."""
        if not mask.any():
            return np.zeros(len(self.cells)), np.zeros(len(self.tops))
        pixels, owner = self.places
        hits = np.bincount(owner, np.take(mask, pixels), len(self.sizes))
        part = hits / np.maximum(self.sizes, 1)
        return part[self.cells], part[self.tops]

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """Return pixels and regions of the cells and tops alone."""
        keep = np.isin(self.keys // KINDS, np.concatenate([self.cells, self.tops]))
        return self.pixels[keep], self.keys[keep] // KINDS

    def members(self, region: int) -> Array:
        """Return the pixels of one region."""
        start = self.starts[region]
        return self.pixels[start : start + self.sizes[region]]


class _Builder:
    """Collects regions, many of the same form at once."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.regions = 0
        self.pixels: list[Array] = []
        self.owner: list[Array] = []

    def add(self, points: Array) -> Array:
        """Add regions given as points (…, points, 3); return their numbers, shape (…)."""
        shape = points.shape[:-2]
        numbers = self.regions + np.arange(int(np.prod(shape))).reshape(shape)
        self.regions += numbers.size
        pixels, inside = self.locate(points)
        self.pixels.append(pixels[inside])
        self.owner.append(np.broadcast_to(numbers[..., None], inside.shape)[inside])
        return numbers

    def locate(self, points: Array) -> tuple[Array, Array]:
        """Return the pixel of each point, and whether the flat picture shows it at all."""
        row, column = self.flat.pixel(points)
        rows, columns = self.flat.size
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        pixels = np.where(inside, row * columns + column, 0)
        return pixels, inside & ~self.flat.outside.ravel()[pixels]


def make_regions(flat: Flat) -> Regions:
    """Return the regions of a board laid flat."""
    board = flat.board
    builder = _Builder(flat)
    outlines, rings = _add_outlines(board, builder)
    middle = _disc(board.cell_mm * 0.4, 0.0, FINE_STEP_MM * 1.5)
    cells = builder.add(_squares(board)[:, 0] + middle)
    tops = np.zeros(len(board.patches), np.int64)
    beside = np.full(len(board.patches), -1)
    profiles = np.zeros((len(board.patches), len(PROFILE_MM)), np.int64)
    bodies: list[Array] = [tops] * len(board.patches)
    for side in "nex":  # the same form for all patches of a kind
        of_kind = [n for n, patch in enumerate(board.patches) if patch[2] == side]
        at = np.array([[*board.at(board.patches[n]), 0] for n in of_kind])[:, None, :]
        tops[of_kind] = builder.add(at + _top(board, side))
        pixels, inside = builder.locate(at + _fence_body(board, side))
        for row, n in enumerate(of_kind):
            bodies[n] = np.unique(pixels[row][inside[row]])
        if side != "x":
            beside[of_kind] = builder.add(at + _beside(flat, side, at))
            profiles[of_kind] = builder.add(at[:, None] + _profile(board, side))
    owner = np.concatenate(builder.owner)
    sizes = np.bincount(owner, minlength=builder.regions)
    return Regions(
        pixels=np.concatenate(builder.pixels),
        keys=owner * KINDS,
        sizes=sizes,
        starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        outlines=outlines,
        rings=rings,
        cells=cells,
        tops=tops,
        beside=beside,
        profiles=profiles,
        profile_mm=np.array(PROFILE_MM),
        crossings=_crossings(board),
        abutting=_abutting(board),
        bodies=bodies,
        broadest=_broadest(flat),
    )


def _crossings(board: Board) -> Array:
    """Return middle and halves of all slots, the horizontal ones first, in one order of corners."""
    number = {patch: n for n, patch in enumerate(board.patches)}
    triples = (patches(slot) for slot in board.slots)
    return np.array(
        [[number[middle], number[one], number[other]] for one, middle, other in triples]
    )


def _abutting(board: Board) -> Array:
    """Return for all slots the halves of the fences across that touch its middle or its ends."""
    number = {patch: n for n, patch in enumerate(board.patches)}
    halves = {slot: [number[half] for half in patches(slot)[::2]] for slot in board.slots}
    found = []
    for slot in board.slots:
        column, row, way = slot[0], int(slot[1]), slot[2]
        beside = range(-1, 2)
        if way == "h":
            across = [f"{chr(ord(column) + along)}{row}v" for along in beside]
        else:
            across = [f"{column}{row + along}h" for along in beside]
        found.append([half for other in across for half in halves.get(other, [-1, -1])])
    return np.array(found)


def _squares(board: Board) -> Array:
    return np.array([[*board.at(square), 0] for square in board.squares])[:, None, None, :]


def _add_outlines(board: Board, builder: _Builder) -> tuple[dict[str, Array], Array]:
    shapes: dict[str, tuple[Array, tuple[tuple[int, int], ...]]] = {}
    for piece in board.pieces.values():
        shapes.setdefault(piece.shape, (piece_points(piece), SHIFTS_MM))
    rings = np.zeros((0, 0), np.int64)
    if board.pellet is not None:
        shapes[PELLET] = (_ball(board.pellet), PELLET_SHIFTS_MM)
        around = _ring(board.pellet)
        rings = builder.add(_squares(board) + _shifts(board, PELLET_SHIFTS_MM) + around)
    outlines = {
        name: builder.add(_squares(board) + _shifts(board, shifts) + body)
        for name, (body, shifts) in shapes.items()
    }
    return outlines, rings


def _shifts(board: Board, shifts: tuple[tuple[int, int], ...]) -> Array:
    scaled = np.array([[x, y, 0] for x, y in shifts]) * board.pitch_mm / USUAL_PITCH_MM
    return scaled[:, None, :]


def _broadest(flat: Flat) -> float:
    """Return how broad a fence can look: its top and its side, and some room; on a usual board."""
    board, eye = flat.board, flat.pose.eye
    reach = np.abs(eye[:2]).max() + board.field_mm / 2
    lean = board.fence.height_mm * reach / (eye[2] - board.fence.height_mm)
    broad: float = board.fence.thickness_mm + lean + BROAD_ROOM_MM
    return broad * USUAL_PITCH_MM / board.pitch_mm


def _disc(radius: float, height: float, step: float) -> Array:
    span = np.arange(-radius, radius + step / 2, step)
    x, y = np.meshgrid(span, span)
    keep = x**2 + y**2 <= radius**2
    return np.stack([x[keep], y[keep], np.full(keep.sum(), height)], axis=-1)


def piece_points(piece: Piece) -> Array:
    """Return points (…, 3) within a piece that stands on the middle of the board."""
    radius = piece.diameter_mm * 0.42
    if piece.shape == "ball":
        heights = np.array([2.0, min(FLAT_BALL_MM, piece.height_mm) - 1.0])
        return np.concatenate([_disc(radius, z, PIECE_STEP_MM) for z in heights])
    heights = np.arange(2.0, piece.height_mm * 0.9, HEIGHT_STEP_MM)
    narrowing = np.clip((piece.height_mm - heights) / (piece.height_mm * 0.35), 0.3, 1.0) ** 0.5
    return np.concatenate(
        [_disc(radius * n, z, PIECE_STEP_MM) for z, n in zip(heights, narrowing, strict=True)]
    )


def _ball(pellet: Piece) -> Array:
    middle = pellet.height_mm / 2
    return _disc(pellet.diameter_mm * 0.38, middle, FINE_STEP_MM)


def _ring(pellet: Piece) -> Array:
    disc = _disc(pellet.diameter_mm * 1.05, pellet.height_mm / 2, 1.5 * FINE_STEP_MM)
    away = np.hypot(disc[:, 0], disc[:, 1])
    return disc[away > pellet.diameter_mm * 0.75]


def _strip(side: str, half: float, across: Array, height: float) -> Array:
    """Return points along a patch of this kind, at the given distances across it."""
    along = np.arange(-half, half + FINE_STEP_MM / 2, FINE_STEP_MM)
    a, b = (grid.ravel() for grid in np.meshgrid(along, across))
    z = np.full(a.size, height)
    return np.stack([b, a, z] if side == "e" else [a, b, z], axis=-1)


def _half_length(board: Board, side: str) -> float:
    return board.groove_mm / 2 - 0.5 if side == "x" else board.cell_mm / 2 - 1.0


def _top(board: Board, side: str) -> Array:
    half = board.fence.thickness_mm * 0.36
    across = np.linspace(-half, half, 5)
    return _strip(side, _half_length(board, side), across, board.fence.height_mm)


def _profile(board: Board, side: str) -> Array:
    """Return short strips along the middle of a patch, one for each distance across it."""
    strips = [
        _strip(side, PROFILE_HALF_MM, np.array([aside]), board.fence.height_mm)
        for aside in PROFILE_MM
    ]
    return np.stack(strips)


def _fence_body(board: Board, side: str) -> Array:
    half = board.fence.thickness_mm / 2
    across = np.array([-half, 0, half])
    levels = np.linspace(0, board.fence.height_mm, 5)
    length = _half_length(board, side)
    return np.concatenate([_strip(side, length, across, z) for z in levels])


def _beside(flat: Flat, side: str, at: Array) -> Array:
    """Return the strips beyond the top edges of patches, on the side away from the camera."""
    board, axis = flat.board, 0 if side == "e" else 1
    near = board.fence.thickness_mm / 2
    across = np.array([near + 1.8, near + 2.8])
    strip = _strip(side, _half_length(board, side), across, board.fence.height_mm)
    strips = np.repeat(strip[None], len(at), axis=0)
    strips[..., axis] *= np.where(at[..., axis] < flat.pose.eye[axis], -1, 1)
    return strips
