"""Samples from photographs with their truth: the studio's, recorded games, or others in the same
format (docs/vision.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.eyes.labels import Standing, Stave, label
from bench.eyes.sample import SIDE, WIDE_MARGIN, Sample
from bench.truth import CLIPPED, OUT_OF_SIGHT, read_truth
from companion.board import column_row
from companion.errors import CornersError, PictureError
from companion.sensing.camera.files import read_picture
from companion.sensing.camera.frame import Picture
from companion.sensing.corners import Corners
from companion.sensing.vision.pose import Pose, find_pose_from_corners
from companion.sensing.vision.sheet import Sheet

NEEDED = ("pieces", "walls", "pellets")
KINDS = {"pawn": "pawn", "lying": "lying", "pellet": "ball", "disc": "flat", "other": "flat"}
LIE = ("flat", "crossed")
REFERENCE = {"cell_mm": 23.0, "groove_mm": 6.0, "field_mm": 255.0}
FENCE_HIDES = 0.6  # a fence whose upper edge is half hidden counts as covered


@dataclass(frozen=True)
class TrueLens:
    """The camera as the truth has it, as :class:`Sheet` asks for it."""

    width: int
    height: int
    matrix: NDArray[np.float64]
    bend: NDArray[np.float64]
    rotation: NDArray[np.float64]
    shift: NDArray[np.float64]

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "TrueLens":
        """Return the camera of a truth file."""
        parts = (np.array(facts[name], np.float64) for name in ("K", "dist", "R", "t"))
        return cls(facts["width"], facts["height"], *parts)

    @property
    def eye(self) -> NDArray[np.float64]:
        """Return where the camera is."""
        place: NDArray[np.float64] = -self.rotation.T @ self.shift
        return place

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels of points."""
        turn, _ = cv2.Rodrigues(self.rotation)
        pixels, _ = cv2.projectPoints(
            points.reshape(-1, 1, 3), turn, self.shift, self.matrix, self.bend
        )
        return np.asarray(pixels).reshape(*points.shape[:-1], 2)


@dataclass(frozen=True)
class Grid:
    """As much of a board as laying it flat needs."""

    pitch_mm: float
    field_mm: float
    cell_mm: float = REFERENCE["cell_mm"]
    rows: int = SIDE
    columns: int = SIDE

    @property
    def field_corners(self) -> tuple[tuple[float, float, float], ...]:
        """Return the corners of the field."""
        half = self.field_mm / 2
        return tuple(
            (x, y, 0.0) for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))
        )


@dataclass(frozen=True)
class Photograph:
    """A photograph with its truth: how to lay it flat, where the camera's ``eye`` is in pitches
    (east and south of the middle, up), and the labels of a sample."""

    picture: Picture
    grid: Grid
    lens: TrueLens | Pose
    eye: NDArray[np.float32]
    labels: dict[str, NDArray[Any]]

    def laid(self, margin: float) -> Picture:
        """Return the field laid flat."""
        return Sheet.of(self.grid, self.lens, margin).lay(self.picture)  # type: ignore[arg-type]


def photographed(path: Path) -> Sample:
    """Return the sample of a photograph whose truth lies beside it; PictureError when that is not
    enough to learn from."""
    photo = look_at(path)
    return Sample(picture=photo.laid(WIDE_MARGIN), eye=photo.eye, **photo.labels)


def look_at(path: Path) -> Photograph:
    """Return a photograph whose truth lies beside it."""
    picture, truth = read_picture(path), read_truth(path, NEEDED)
    sizes = {**REFERENCE, **truth.get("sizes", {})}
    grid = Grid(sizes["cell_mm"] + sizes["groove_mm"], sizes["field_mm"], sizes["cell_mm"])
    lens = (
        TrueLens.of(truth["camera"]) if "camera" in truth else _fitted(path, truth, picture, grid)
    )
    pitch = grid.pitch_mm
    eye = np.array([lens.eye[0], -lens.eye[1], lens.eye[2]], np.float32) / np.float32(pitch)
    things, staves = [*_things(truth, pitch)], [*_staves(truth, pitch, sizes)]
    labels = label(things, staves, hidden(truth))
    if "things" not in truth and "piece_xy_mm" not in truth:  # nobody knows where exactly they are
        labels |= {name: np.full_like(labels[name], np.nan) for name in ("off", "things")}
    return Photograph(picture, grid, lens, eye, labels)


def _fitted(path: Path, truth: Mapping[str, Any], picture: Picture, grid: Grid) -> Pose:
    """Return the camera that sees the corners of the field where the truth has them."""
    height, width = picture.shape[:2]
    try:
        corners = Corners.checked(truth.get("board_corners_px"), width, height)
    except CornersError as error:
        raise PictureError(f"board_corners_px of {path}: {error}") from error
    pose = find_pose_from_corners(grid, corners, width, height)  # type: ignore[arg-type]
    if pose is None:
        raise PictureError(f"board_corners_px of {path}: no camera sees a board's corners so")
    return pose


def _things(truth: Mapping[str, Any], pitch: float) -> Iterator[Standing]:
    if "things" not in truth:
        yield from _named(truth, pitch)
        return
    for thing in truth["things"]:
        if thing["kind"] in KINDS and thing.get("behind", 0.0) < OUT_OF_SIGHT:
            x, y = thing["at_mm"][:2]
            yield Standing(KINDS[thing["kind"]], x / pitch, -y / pitch, _rgb(thing["colour"]))


def _named(truth: Mapping[str, Any], pitch: float) -> Iterator[Standing]:
    """Return the things of a truth that only names them."""
    known = truth.get("piece_xy_mm", {})
    for name, square in truth["pieces"].items():
        x, y = known.get(name) or _middle(square, pitch)
        yield Standing("pawn", x / pitch, -y / pitch)
    for name in truth.get("ambiguous", {}):
        x, y = known[name]
        yield Standing("pawn", x / pitch, -y / pitch)
    for square in truth["pellets"]:
        x, y = _middle(square, pitch)
        yield Standing("ball", x / pitch, -y / pitch)


def _middle(spot: str, pitch: float) -> tuple[float, float]:
    """Return where a square or a slot is on a board of this pitch."""
    column, row = column_row(spot)
    off = (SIDE - 1) / 2 - (0.5 if spot[2:] else 0.0)
    return (column - off) * pitch, (row - off) * pitch


def _staves(truth: Mapping[str, Any], pitch: float, sizes: Mapping[str, float]) -> Iterator[Stave]:
    if "fences" not in truth:
        skewed = truth.get("skewed_walls", ())
        for slot in truth["walls"]:
            x, y = _middle(slot, pitch)
            angle = 0.0 if slot[2] == "h" else 90.0
            yield Stave(x / pitch, -y / pitch, angle, 1.8, seated=slot not in skewed)
        return
    for fence in truth["fences"]:
        x, y, _ = fence["at_mm"]
        yield Stave(
            x / pitch,
            -y / pitch,
            fence["turn_deg"],
            sizes["fence_length_mm"] / pitch,
            seated=fence["state"] == "seated",
            lies=fence["state"] in LIE,
            half=fence["state"] == "half",
            paint=_rgb(fence["colour"]),
        )


def _rgb(text: str) -> tuple[float, float, float]:
    red, green, blue = (int(text[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return red, green, blue


def hidden(truth: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    """Return for each head the share of its places that nobody can see.

    Hands and other things make a place covered. Of one that lies behind fences and pawns, or is
    nothing but white or black, nothing is asked: it counts as touched.
    """
    squares, slots = _by_place(truth.get("occlusion_fraction", {}))
    if "slot_occlusion_fraction" in truth:
        _, slots = _by_place(truth["slot_occlusion_fraction"])
    else:  # between two squares, and where a fence itself is hidden
        across, along = (squares[:-1] + squares[1:]) / 2, (squares[:, :-1] + squares[:, 1:]) / 2
        slots["h"] = np.maximum(slots["h"], (across[:, :-1] + across[:, 1:]) / 2)
        slots["v"] = np.maximum(slots["v"], (along[:-1] + along[1:]) / 2)
    _, fences = _by_place(truth.get("wall_occlusion_fraction", {}))
    slots = {way: np.maximum(slots[way], FENCE_HIDES * fences[way]) for way in slots}
    shares = _places(squares, slots)
    away, _ = _by_place(truth.get("behind_fraction", {}))
    slots_away = _by_place(truth.get("slot_behind_fraction", {}))[1]
    lost = _by_place(truth.get("clipped_fraction", {}))
    for places, limit in ((_places(away, slots_away), OUT_OF_SIGHT), (_places(*lost), CLIPPED)):
        for name, share in places.items():
            shares[name] = np.where(share > limit, np.maximum(shares[name], 0.1), shares[name])
    return shares


def _by_place(
    shares: Mapping[str, float],
) -> tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    """Return shares by squares, and by slots of each way, rows from north to south."""
    squares = np.zeros((SIDE, SIDE))
    slots = {way: np.zeros((SIDE - 1, SIDE - 1)) for way in "hv"}
    for spot, share in shares.items():
        column, row = column_row(spot)
        if spot[2:]:
            slots[spot[2]][SIDE - 2 - row, column] = share
        else:
            squares[SIDE - 1 - row, column] = share
    return squares, slots


def _places(
    squares: NDArray[np.float64], slots: Mapping[str, NDArray[np.float64]]
) -> dict[str, NDArray[np.float64]]:
    """Return the share of every place: a patch is seen as well as the best seen of its slots."""
    wide = np.pad(slots["h"], ((0, 0), (1, 1)), constant_values=np.inf)
    high = np.pad(slots["v"], ((1, 1), (0, 0)), constant_values=np.inf)
    return {
        "square": squares,
        "across": np.minimum(wide[:, :-1], wide[:, 1:]),
        "along": np.minimum(high[:-1], high[1:]),
        "crossing": np.minimum(slots["h"], slots["v"]),
    }
