"""Where pieces stand, in millimetres: what has a piece's colour, and where that would stand.

A piece may stand anywhere, not only where the rules would have it. Its silhouette is moved until
its middle is that of the pixels in its colour.
"""

from collections.abc import Collection

import cv2
import numpy as np

from companion.board import Piece, Sighting, Thing
from companion.sensing.camera.frame import Array
from companion.sensing.vision.appearance import BARE, Appearance
from companion.sensing.vision.flat import TILE, Flat, round_brush
from companion.sensing.vision.likeness import scaled
from companion.sensing.vision.regions import HIDDEN, piece_points

THIN_MM = 3.0
LEAST_MM2 = 60.0  # of a piece's colour in one blob
MOST = 8.0
FILLED_AT, FILLED_SLOPE = 0.3, 0.2  # part of an outline in its colour that says nothing
LARGEST = 1.5  # times the silhouette of a piece that what it shows may fill
LEAST_SHOWN, WHOLE = 0.55, 0.85  # of a silhouette that must be seen; that is as good as all
ROUNDS = 3


def find_pieces(
    flat: Flat, looks: Appearance, labels: Array, pieces: Collection[Thing]
) -> tuple[Sighting, ...]:
    """Return those of some pieces that show on the field, each where it stands; ``labels`` are
    those of the flat picture."""
    numbered = [(n, name) for n, name in enumerate(looks.things, start=1) if name in pieces]
    found = (_find(flat, labels, flat.board.pieces[name], n) for n, name in numbered)
    return tuple(sighting for sighting in found if sighting is not None)


def outline(flat: Flat, sighting: Sighting) -> Array:
    """Return the pixels of the flat picture that a piece hides where it is seen."""
    at = np.array([sighting.x_mm, sighting.y_mm, 0.0])
    return flat.index(piece_points(flat.board.pieces[sighting.thing]) + at)


def _find(flat: Flat, labels: Array, piece: Piece, label: int) -> Sighting | None:
    own = cv2.morphologyEx((labels == label).astype(np.uint8), cv2.MORPH_OPEN, round_brush(THIN_MM))
    rims, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hulls = (np.asarray(cv2.convexHull(rim)) for rim in rims)
    found = (_fitted(flat, labels, piece, label, hull) for hull in hulls)
    return max((s for s in found if s is not None), key=lambda s: s.sure, default=None)


def _fitted(flat: Flat, labels: Array, piece: Piece, label: int, hull: Array) -> Sighting | None:
    """Return where a piece stands that shows within this hull, None when it cannot be one."""
    scale = flat.board.pitch_mm / TILE
    area = cv2.contourArea(hull)
    if area * scale**2 < LEAST_MM2:
        return None
    seen = _middle(hull, piece)
    hides = (labels != label) & (labels != BARE)
    x, y = flat.ground(*seen)
    for _ in range(ROUNDS):
        shown = _shown(_silhouette(flat, piece, x, y), hides)
        if shown is None:
            return None
        column, row = _middle(shown, piece)
        x, y = x + (seen[0] - column) * scale, y - (seen[1] - row) * scale
    if area > LARGEST * cv2.contourArea(_silhouette(flat, piece, x, y)):
        return None
    within = np.take(labels, flat.index(piece_points(piece) + np.array([x, y, 0.0])))
    share = (within == label).sum() / max(1, (within != HIDDEN).sum())
    sure = float(scaled(share, FILLED_AT, FILLED_SLOPE, MOST))
    return flat.board.sighting(piece.name, x, y, min(sure, MOST)) if sure > 0 else None


def _shown(hull: Array, hides: Array) -> Array | None:
    """Return the hull of what is seen within a silhouette beside other things that hide some, None
    when they hide much."""
    within = np.zeros(hides.shape, np.uint8)
    cv2.fillConvexPoly(within, np.rint(hull).astype(np.int32), 1)
    inside = cv2.countNonZero(within)
    within[hides] = 0
    shown = cv2.countNonZero(within) / max(1, inside)
    if shown < LEAST_SHOWN:
        return None
    return (
        np.asarray(cv2.convexHull(np.asarray(cv2.findNonZero(within)))) if shown < WHOLE else hull
    )


def _middle(hull: Array, piece: Piece) -> tuple[float, float]:
    """Return column and row of the middle of what is seen of a piece; a ball may have a mouth."""
    if piece.shape == "ball":
        middle, _ = cv2.minEnclosingCircle(hull)
        return middle[0], middle[1]
    moments = cv2.moments(hull)
    if not moments["m00"]:  # a mere line, at the edge of the picture
        column, row = hull.reshape(-1, 2).mean(axis=0)
        return float(column), float(row)
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]


def _silhouette(flat: Flat, piece: Piece, x: float, y: float) -> Array:
    """Return the hull of a piece in the flat picture, which ends at the edge of the field."""
    radius = piece.diameter_mm / 2
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    levels = [(radius, radius)]  # radius and height of rings
    if piece.shape != "ball":
        levels = [(radius, 0.0), (radius, piece.height_mm - radius), (0.0, piece.height_mm)]
    rings = [
        np.stack([x + r * np.cos(turn), y + r * np.sin(turn), np.full(turn.size, z)], axis=-1)
        for r, z in levels
    ]
    feet = flat.pose.foot(np.concatenate(rings))
    scale = TILE / flat.board.pitch_mm
    rows, columns = flat.size
    across = np.clip(columns / 2 + feet[:, 0] * scale - 0.5, 0, columns - 1)
    down = np.clip(rows / 2 - feet[:, 1] * scale - 0.5, 0, rows - 1)
    return np.asarray(cv2.convexHull(np.stack([across, down], axis=-1).astype(np.float32)))
