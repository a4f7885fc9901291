"""Where the camera stands: from markers on the frame, or corners, to a pose (perspective-n-point).

The four markers lie in one plane, so a single picture says little about the focal length when the
camera looks straight down. The fit therefore leans towards what small cameras have (a prior), as
far as the corners do not say otherwise.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np

from companion.board import Board, Marker
from companion.errors import ProfileError
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.corners import Corners

MARKERS_NEEDED = 3
USUAL_FOV_DEG = 60.0
USUAL_BEND = -0.05  # first radial coefficient of the lens
CORNER_NOISE_PX = 0.35
FOCAL_SPREAD = 0.07  # of its logarithm
BEND_SPREAD = abs(USUAL_BEND)
KNOWN_LENS = 0.003  # how much of its focal length and bend a known lens may change
#: Lenses that corners set by hand are tried with: focal length, of the usual one, and the spread
#: of its logarithm. Most are as usual; the others see from 20 to 110 degrees across the picture.
LENSES = ((1.0, FOCAL_SPREAD), (0.5, 0.6), (0.8, 0.6), (2.5, 0.6))
BLEED_SPREAD = 0.03
DRAGGED_NOISE, WORST_CORNER = 0.0006, 0.01  # of the picture's width, of corners set by hand
WORST_FIT = 0.004  # of the picture's width
FIT_ROUNDS = 12
REACH, WIDEST_REACH_PX = 0.3, 4  # of a marker's module, around a corner that is refined


@dataclass(frozen=True)
class Pose:
    """A camera above the board: focal length and bend (radial distortion), turn and shift."""

    width: int
    height: int
    focal_px: float
    bend: float
    turn: tuple[float, float, float]
    shift: tuple[float, float, float]

    @cached_property
    def eye(self) -> Array:
        """Return the place of the camera in millimetres of the board."""
        rotation, _ = cv2.Rodrigues(np.array(self.turn))
        centre: Array = -rotation.T @ np.array(self.shift)
        return centre

    def project(self, points: Array) -> Array:
        """Return the pixels, shape (…, 2), where points of the board, shape (…, 3), are seen."""
        # As OpenCV's projectPoints does, which makes derivatives of many times the size as well.
        rotation, _ = cv2.Rodrigues(np.array(self.turn))
        seen = np.asarray(points, np.float64) @ rotation.T + np.array(self.shift)
        plane = seen[..., :2] / seen[..., 2:]
        bent = 1 + self.bend * np.square(plane).sum(axis=-1, keepdims=True)
        pixels: Array = self.focal_px * bent * plane
        return pixels + np.array([self.width - 1, self.height - 1]) / 2

    def shifted(self, dx_mm: float, dy_mm: float) -> "Pose":
        """Return the pose of the same camera above a board that is shifted by this much."""
        rotation, _ = cv2.Rodrigues(np.array(self.turn))
        x, y, z = np.array(self.shift) + rotation @ np.array([dx_mm, dy_mm, 0.0])
        return replace(self, shift=(float(x), float(y), float(z)))

    def foot(self, points: Array) -> Array:
        """Return where on the board's top the sight lines through points end, shape (…, 2)."""
        eye = self.eye
        stretch = eye[2] / (eye[2] - points[..., 2:])
        feet: Array = eye[:2] + (points[..., :2] - eye[:2]) * stretch
        return feet


def usual_focal(width: int) -> float:
    """Return the focal length that most small cameras have, in pixels of a picture this wide."""
    return float(width / 2 / np.tan(np.radians(USUAL_FOV_DEG / 2)))


def _lens(width: int, height: int, focal: float, bend: float) -> tuple[Array, Array]:
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    return matrix, np.array([bend, 0.0, 0.0, 0.0, 0.0])


@lru_cache(maxsize=4)
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE  # we do, the same in all
    # A shaken picture blurs the fields of a marker into each other: their middles still tell, and
    # one field that does not is made good by the others.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.3
    parameters.errorCorrectionRate = 1.0
    return cv2.aruco.ArucoDetector(marker_words(dictionary), parameters)


def marker_words(dictionary: str) -> cv2.aruco.Dictionary:
    """Return the markers that a dictionary of this name has."""
    number = getattr(cv2.aruco, "DICT_" + dictionary.upper(), None)
    if number is None:
        raise ProfileError(
            f"expected the name of an ArUco dictionary like 4x4_50, got {dictionary!r}"
        )
    return cv2.aruco.getPredefinedDictionary(number)


def marker_corners(board: Board, marker: Marker) -> Array:
    """Return the corners of a marker on the board, clockwise from north-west, shape (4, 3)."""
    half = board.marker_mm / 2
    x, y, z = marker.x_mm, marker.y_mm, marker.z_mm
    return np.array(
        [
            [x - half, y + half, z],
            [x + half, y + half, z],
            [x + half, y - half, z],
            [x - half, y - half, z],
        ]
    )


def find_markers(board: Board, picture: Picture) -> dict[int, Array]:
    """Return the corners in pixels, shape (4, 2), of each of the board's markers in the picture."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, numbers, _ = _detector(board.marker_dictionary).detectMarkers(grey)
    modules = marker_words(board.marker_dictionary).markerSize + 2  # with its black border
    known = {marker.id for marker in board.markers}
    found: dict[int, Array] = {}
    if numbers is not None:
        for number, quad in zip(np.ravel(numbers), corners, strict=True):
            if int(number) in known:
                found[int(number)] = _refined(grey, np.asarray(quad), modules)
    return found


def _refined(grey: Picture, quad: Array, modules: int) -> Array:
    """Return the corners of a marker so many modules wide, to a fraction of a pixel.

    The part of the picture that is looked at grows with the marker. OpenCV's own search does so
    from 4.9 on; before, its corners were up to 0.2 pixels elsewhere.
    """
    corners = np.ascontiguousarray(quad, np.float32).reshape(4, 1, 2)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=-1)
    reach = min(WIDEST_REACH_PX, max(1, round(REACH * float(sides.mean()) / modules)))
    enough = (cv2.TERM_CRITERIA_MAX_ITER | cv2.TERM_CRITERIA_EPS, 30, 0.1)
    cv2.cornerSubPix(grey, corners, (reach, reach), (-1, -1), enough)
    return corners.reshape(4, 2).astype(np.float64)


def find_pose(board: Board, found: Mapping[int, Array], width: int, height: int) -> Pose | None:
    """Return the pose that explains these marker corners; None when they are too few or their
    reprojection error is too large."""
    if len(found) < MARKERS_NEEDED:
        return None
    seen = [marker for marker in board.markers if marker.id in found]
    corners = np.stack([marker_corners(board, marker) for marker in seen])
    pixels = np.concatenate([found[marker.id] for marker in seen])
    focal = usual_focal(width)
    lens = _lens(width, height, focal, USUAL_BEND)
    down = np.array([0.0, 0.0, seen[0].z_mm])  # the solver wants the plane of the markers at zero
    flat = (corners - down).reshape(-1, 3)
    good, turn, shift = cv2.solvePnP(flat, pixels, *lens, flags=cv2.SOLVEPNP_IPPE)
    if not good:
        return None
    usual = np.array([np.log(focal), USUAL_BEND, 0.0])
    rotation, _ = cv2.Rodrigues(turn)
    start = np.concatenate([turn.ravel(), shift.ravel() - rotation @ down, usual])
    fitted, error_px = _refine(start, corners, pixels, width, height)
    pose = _pose(width, height, fitted, float(np.exp(fitted[6])), float(fitted[7]))
    plausible = error_px < WORST_FIT * width and pose.eye[2] > board.marker_mm
    return pose if plausible else None


def find_pose_from_corners(board: Board, corners: Corners, width: int, height: int) -> Pose | None:
    """Return the pose that explains these corners of the field in a picture of this size.

    None when the picture has another shape than the one the corners were found in, or when no
    camera could see them so.
    """
    fitting = corners.scaled(width, height)
    if fitting is None:
        return None
    field, pixels = np.array(board.field_corners), np.array(fitting.points)
    usual = usual_focal(width)
    noise_px, worst_px = DRAGGED_NOISE * width, WORST_CORNER * width
    best, least = None, np.inf
    for longer, spread in LENSES:
        for start in _starts(field, pixels, width, height, longer * usual, USUAL_BEND * longer**2):
            pose = fit_pose(
                start,
                np.repeat(field, 2, axis=0),
                np.repeat(pixels, 2, axis=0),
                np.tile([[1.0, 0.0], [0.0, 1.0]], (4, 1)),
                (usual, USUAL_BEND),
                (spread, KNOWN_LENS),  # four corners say nothing about the bend
                trust_px=worst_px,
                noise_px=noise_px,
            )
            off = pose.project(field) - pixels
            cost = float(np.square(off / noise_px).sum())
            cost += (np.log(pose.focal_px / usual) / spread) ** 2 + 2 * np.log(spread)
            close = np.abs(off).max() < worst_px
            if cost < least and close and _in_view(pose, field, board.cell_mm):
                best, least = pose, cost
    return best


def _in_view(pose: Pose, points: Array, least_mm: float) -> bool:
    """Tell whether a camera is above the board, all of these points are in front of it, and none
    so far aside that its lens would fold the picture over."""
    rotation, _ = cv2.Rodrigues(np.array(pose.turn))
    seen = points @ rotation.T + np.array(pose.shift)
    aside = np.square(seen[:, :2] / seen[:, 2:]).sum(axis=1)
    ahead = min(pose.eye[2], seen[:, 2].min()) > least_mm
    return bool(ahead and (1 + 3 * pose.bend * aside).min() > 0)


def _starts(
    field: Array, pixels: Array, width: int, height: int, focal: float, bend: float
) -> Iterator[Pose]:
    """Yield the two poses in which a camera of this lens may see a flat thing so."""
    lens = _lens(width, height, focal, bend)
    _, turns, shifts, _ = cv2.solvePnPGeneric(field, pixels, *lens, flags=cv2.SOLVEPNP_IPPE)
    for turn, shift in zip(turns, shifts, strict=True):
        yield _pose(width, height, np.concatenate([turn.ravel(), shift.ravel()]), focal, bend)


def fit_pose(
    start: Pose,
    points: Array,
    pixels: Array,
    ways: Array,
    usual: tuple[float, float],
    spread: tuple[float, float],
    *,
    trust_px: float,
    noise_px: float,
) -> Pose:
    """Return the pose that brings points of the board to their pixels, each along one way only
    (robust Gauss–Newton: Cauchy weights, so that outliers beyond ``trust_px`` have little say, and
    priors that draw the logarithm of the focal length and the bend towards the usual ones).

    A lens of another focal length is taken to bend as much at the edges of the picture.
    """
    aims = np.array([np.log(usual[0]), usual[1]])
    longer = start.focal_px / usual[0]
    values = np.array([*start.turn, *start.shift, np.log(start.focal_px), start.bend / longer**2])
    prior = np.zeros((2, 8))
    prior[:, 6:] = np.diag(1 / np.array(spread))
    for _ in range(FIT_ROUNDS):
        focal, longer = float(np.exp(values[6])), np.exp(values[6] - aims[0])
        bend = float(values[7] * longer**2)
        lens = _lens(start.width, start.height, focal, bend)
        seen, slopes = cv2.projectPoints(points, values[:3], values[3:6], *lens)
        slope = np.asarray(slopes, np.float64).reshape(-1, 2, slopes.shape[1])
        focal_slope = (slope[..., 6] + slope[..., 7]) * focal + slope[..., 10] * 2 * bend
        bend_slope = slope[..., 10] * longer**2
        full = np.concatenate([slope[..., :6], np.stack([focal_slope, bend_slope], -1)], axis=-1)
        along = np.einsum("nk,nkp->np", ways, full)
        missing = np.einsum("nk,nk->n", ways, pixels - np.asarray(seen).reshape(-1, 2))
        weight = 1 / (noise_px * np.sqrt(1 + (missing / trust_px) ** 2))
        rows = np.vstack([along * weight[:, None], prior])
        wanted = np.concatenate([missing * weight, (aims - values[6:]) / spread])
        if not np.isfinite(rows).all():
            break  # no camera can be there
        step, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
        values = values + step
        if np.abs(step).max() < 1e-6:
            break
    longer = np.exp(values[6] - aims[0])
    focal, bend = float(np.exp(values[6])), float(values[7] * longer**2)
    return _pose(start.width, start.height, values, focal, bend)


def _pose(width: int, height: int, place: Array, focal: float, bend: float) -> Pose:
    a, b, c, x, y, z = (float(value) for value in place[:6])
    return Pose(width, height, focal, bend, (a, b, c), (x, y, z))


def _refine(
    start: Array, corners: Array, pixels: Array, width: int, height: int
) -> tuple[Array, float]:
    """Fit turn, shift, log focal length, bend and bleed (robust Gauss–Newton with priors); return
    them and the reprojection error in pixels, that of the worst corner but for a quarter of them.

    The bleed is how much larger than real the markers look: white spills over black in a picture.
    Cells that stand above the markers hide a corner of one or another, which then has little say.
    """
    trust_px = WORST_FIT * width / 2  # by which a corner may be off before it loses its say
    middles = corners.mean(axis=1, keepdims=True)
    spread = np.array([FOCAL_SPREAD, BEND_SPREAD, BLEED_SPREAD])
    prior = np.zeros((3, 9))
    prior[:, 6:] = np.diag(1 / spread)
    values = start.copy()
    error = float("inf")
    for _ in range(FIT_ROUNDS):
        lens = _lens(width, height, float(np.exp(values[6])), float(values[7]))
        world = (middles + (corners - middles) * (1 + values[8])).reshape(-1, 3)
        larger = (middles + (corners - middles) * (1.01 + values[8])).reshape(-1, 3)
        seen, slopes = cv2.projectPoints(world, values[:3], values[3:6], *lens)
        grown, _ = cv2.projectPoints(larger, values[:3], values[3:6], *lens)
        slope = np.asarray(slopes, np.float64)
        focal_slope = (slope[:, 6] + slope[:, 7]) * np.exp(values[6])
        bleed_slope = (np.asarray(grown) - np.asarray(seen)).ravel() / 0.01
        jacobian = np.column_stack([slope[:, :6], focal_slope, slope[:, 10], bleed_slope])
        off = pixels - np.asarray(seen).reshape(-1, 2)
        away = np.linalg.norm(off, axis=1)
        error = float(np.quantile(away, 0.75))
        weight = 1 / (CORNER_NOISE_PX * np.sqrt(1 + (away / trust_px) ** 2))
        weight = np.repeat(weight, 2)
        rows = np.vstack([jacobian * weight[:, None], prior])
        wanted = np.concatenate([off.ravel() * weight, (start[6:] - values[6:]) / spread])
        step, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
        values = values + step
        if np.abs(step).max() < 1e-6:
            break
    return values, error
