"""A close look at one slot: the picture itself, place by place, beside the bare board's look."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import Board, Spot
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.appearance import Appearance
from companion.sensing.vision.block import corners_of_fence, in_slot, on_board
from companion.sensing.vision.colours import as_grey
from companion.sensing.vision.flat import Flat
from companion.sensing.vision.light import Light

STEP_MM = 0.35  # across the groove; along it twice as much
ROW_MM = 0.7
MARGIN_MM = 3.0  # around all that a fence in the slot may show
BAND = 6  # rows of the middle that are looked at together
END_MM = 7.0  # at either end, where rows are looked at one by one
COARSE = 8  # of the places in a closeup that are projected
LEAST_CORE = 40  # places
LEAST_CONTRAST = 8.0  # grey levels
CHROMA = np.float32(0.6)  # the weight of colour beside brightness: pictures blur it
SHADE = np.float32(0.45)  # of its brightness, that the board keeps in a shadow


@dataclass(frozen=True)
class Closeup:
    """One slot as the picture shows it, place by place."""

    along: Array  # the places lie in rows and columns
    across: Array
    seen: Array  # brightness and colour by the contrast of fence and board, shape (2, places)
    low: Array  # the least that the bare board shows there, in the shade
    high: Array  # the most
    top: Array  # that of the fence's top, were it there
    area: Array  # square millimetres; nothing where another fence stands
    like: Array  # area, and the same times how bright it is beside the top: shape (places, 2)


def closeup(
    flat: Flat,
    looks: Appearance,
    picture: Picture,
    light: Light,
    slot: Spot,
    fences: Iterable[Spot],
) -> Closeup | None:
    """Return a slot as a picture shows it, ``fences`` being where others may stand; None when
    hardly anything of it can be seen."""
    board = flat.board
    along, across, middle = _reach(flat, slot)
    points, pixels = _sight(flat, slot, along, across)
    colours = np.asarray(cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR))
    own = np.ones(colours.shape[:2], np.uint8)
    for other in fences:
        if other != slot:
            _fill(flat, slot, other, own, along, across)
    core = (np.abs(along - middle[0]) < board.fence.length_mm * 0.4)[:, None]
    core = core & (np.abs(across - middle[1]) < board.fence.thickness_mm * 0.25) & (own > 0)
    if core.sum() < LEAST_CORE:  # hidden, or nearly
        return None
    ends = np.abs(along - middle[0]) > board.fence.length_mm / 2 - END_MM
    values = np.concatenate([colours, _bare(flat, looks, light, points)], axis=-1)
    rows, columns, parts, area = _gathered(along, across, values, own, ends)
    hue = _graded(np.median(colours[core], axis=0))[1:]
    hue = hue / max(float(np.hypot(*hue)), 1.0)
    seen = _in_two(_graded(parts[:, :3]), hue)
    bare = _in_two(_graded(255 * as_grey(np.minimum(parts[:, 3:], 1))), hue)
    top = _along_top(board, rows, columns, middle, seen, area)
    contrast = float(np.hypot(*(np.median(top, axis=0) - np.median(bare, axis=0))))
    scale = np.float32(1 / max(contrast, LEAST_CONTRAST))
    seen, bare, top = (values.T * scale for values in (seen, bare, top))
    bright = (top * seen).sum(axis=0) / np.square(top).sum(axis=0)
    like = np.stack([area, area * bright], axis=-1)
    low, high = np.minimum(bare, SHADE * bare), np.maximum(bare, SHADE * bare)
    return Closeup(rows, columns, seen, low, high, top, area, like)


def _along_top(
    board: Board, along: Array, across: Array, middle: Array, seen: Array, area: Array
) -> Array:
    """Return what the top of the fence looks like at each place, if it is there: as in the middle
    of it in the same row, for a lamp may be mirrored in a part of it."""
    near = np.abs(across - middle[1]) < board.fence.thickness_mm * 0.25
    values = seen.reshape(len(along), len(across), 2)[:, near]
    weight = area.reshape(len(along), len(across))[:, near]
    sure = (weight > 0).all(axis=1) & (np.abs(along - middle[0]) < board.fence.length_mm * 0.42)
    level = values[sure].mean(axis=1)
    rows = np.stack([np.interp(along, along[sure], level[:, n]) for n in (0, 1)], axis=-1)
    return np.repeat(rows, len(across), axis=0).astype(np.float32)


def _reach(flat: Flat, slot: Spot) -> tuple[Array, Array, Array]:
    """Return the rows and columns of a closeup, and the middle of a seated fence's top in it."""
    corners = corners_of_fence(flat.board)
    a, b = in_slot(flat.board, slot, flat.pose.foot(on_board(flat.board, slot, corners)))
    rows = np.arange(a.min() - MARGIN_MM, a.max() + MARGIN_MM, ROW_MM)
    columns = 2 * int((b.max() - b.min() + 2 * MARGIN_MM) / (2 * STEP_MM))
    across = b.min() - MARGIN_MM + STEP_MM * np.arange(columns)
    return rows, across, np.array([a[0, :4].mean(), b[0, :4].mean()])


def _sight(flat: Flat, slot: Spot, along: Array, across: Array) -> tuple[Array, Array]:
    """Return the places of a closeup on the board, and in the picture; the lens bends gently, so
    few are projected and the others interpolated."""
    a, b = np.meshgrid(along, across, indexing="ij")
    points = on_board(flat.board, slot, np.stack([a, b, np.zeros(a.shape)], axis=-1))
    rows = np.arange(0, len(along) + COARSE, COARSE)
    columns = np.arange(0, len(across) + COARSE, COARSE)
    a, b = np.meshgrid(along[0] + ROW_MM * rows, across[0] + STEP_MM * columns, indexing="ij")
    nodes = on_board(flat.board, slot, np.stack([a, b, np.zeros(a.shape)], axis=-1))
    x, y = np.meshgrid(
        np.arange(len(across), dtype=np.float32) / COARSE,
        np.arange(len(along), dtype=np.float32) / COARSE,
    )
    coarse = flat.pose.project(nodes).astype(np.float32)
    return points, np.asarray(cv2.remap(coarse, x, y, cv2.INTER_LINEAR))


def _bare(flat: Flat, looks: Appearance, light: Light, points: Array) -> Array:
    """Return the light that comes from the bare board at some places: blue, green, red."""
    row, column = flat.pixel(points)
    rows, columns = flat.size
    at = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
    level = np.exp(np.take(light.local, at))
    shown = [
        np.take(looks.bare[n], at) * np.take(looks.white[n], at) * (level * light.overall[n])
        for n in (2, 1, 0)
    ]
    return np.stack(shown, axis=-1)


def _fill(flat: Flat, slot: Spot, other: Spot, own: Array, along: Array, across: Array) -> None:
    """Take what the fence in another slot shows out of a map of this slot."""
    feet = flat.pose.foot(on_board(flat.board, other, corners_of_fence(flat.board)[0]))
    a, b = in_slot(flat.board, slot, feet)
    outline = np.stack([(b - across[0]) / STEP_MM, (a - along[0]) / ROW_MM], axis=-1)
    if (outline.max(axis=0) > 0).all() and (outline.min(axis=0) < own.shape[::-1]).all():
        hull = np.asarray(cv2.convexHull(outline.astype(np.float32)))
        sixteenths = (hull * 16).round().astype(np.int32)
        cv2.fillConvexPoly(own, sixteenths, 0, cv2.LINE_8, 4)
        cv2.polylines(own, [sixteenths], True, 0, 3, cv2.LINE_8, 4)  # it has play as well


def _gathered(
    along: Array, across: Array, values: Array, own: Array, ends: Array
) -> tuple[Array, Array, Array, Array]:
    """Return rows, columns, values and areas with columns taken in pairs, and rows far from the
    ends by the band: what lies there changes only slowly along the groove."""
    inner = np.flatnonzero(~ends)
    starts = np.concatenate(
        [np.arange(inner[0]), inner[::BAND], np.arange(inner[-1] + 1, len(along))]
    )
    weight = own.astype(np.float32)
    parts = values * weight[..., None]
    parts = np.add.reduceat(parts[:, ::2] + parts[:, 1::2], starts, axis=0)
    weight = np.add.reduceat(weight[:, ::2] + weight[:, 1::2], starts, axis=0)
    count = np.add.reduceat(np.ones(len(along)), starts)
    a = np.add.reduceat(along, starts) / count
    b = (across[::2] + across[1::2]) / 2
    area = (weight * (ROW_MM * STEP_MM)).ravel()
    means = parts / np.maximum(weight, 1)[..., None]
    return a.astype(np.float32), b.astype(np.float32), means.reshape(area.size, -1), area


def _graded(colours: Array) -> Array:
    """Return luma and the two colour differences (YCrCb) of blue, green, red."""
    blue, green, red = np.moveaxis(colours, -1, 0)
    bright = 0.114 * blue + 0.587 * green + 0.299 * red
    return np.stack([bright, 0.71 * (red - bright), 0.56 * (blue - bright)], axis=-1)


def _in_two(graded: Array, hue: Array) -> Array:
    """Return brightness, and colour projected onto the fences' hue."""
    return np.stack([graded[..., 0], CHROMA * (graded[..., 1:] @ hue)], -1).astype(np.float32)
