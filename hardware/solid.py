"""Solids of triangles: reads and writes STL, checks that a part can be printed, draws it."""

import struct
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DIGITS = 4  # corners closer than this many digits of a millimetre are one
PICTURE = (560, 420)
LIGHT = np.array([0.45, 0.6, -0.65])  # to the right, up, towards the one who looks


@dataclass(frozen=True)
class Solid:
    """Triangles: an array of n by 3 corners by 3 coordinates, in millimetres."""

    triangles: Floats

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Return the size of the box around it."""
        corners = self.triangles.reshape(-1, 3)
        x, y, z = (corners.max(axis=0) - corners.min(axis=0)).round(3).tolist()
        return x, y, z

    @cached_property
    def volume_mm3(self) -> float:
        """Return its volume; negative if it were inside out."""
        a, b, c = (self.triangles[:, corner] for corner in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    def holds(self, points: Floats) -> NDArray[np.bool_]:
        """Tell for each point whether it lies in the solid: a ray upwards crosses it oddly.

        Points right over an edge of two triangles are to be moved aside a little.
        """
        flat = self.triangles[:, :, :2]
        near = (flat.max(axis=1) >= points[:, :2].min(axis=0)).all(axis=1)
        near &= (flat.min(axis=1) <= points[:, :2].max(axis=0)).all(axis=1)
        a, b, c = (self.triangles[None, near, corner] for corner in range(3))
        p = points[:, None, :]
        one, two, three = _side(p, a, b), _side(p, b, c), _side(p, c, a)
        total = one + two + three
        hit = ((one > 0) & (two > 0) & (three > 0)) | ((one < 0) & (two < 0) & (three < 0))
        area = np.where(total == 0, 1.0, total)
        z = (two * a[..., 2] + three * b[..., 2] + one * c[..., 2]) / area
        return np.asarray((hit & (z > p[..., 2])).sum(axis=1) % 2 == 1)

    def is_closed(self) -> bool:
        """Tell whether every edge is shared by two triangles that run along it oppositely."""
        edges: Counter[tuple[tuple[float, ...], tuple[float, ...]]] = Counter()
        for triangle in self.triangles.round(DIGITS).tolist():
            corners = [tuple(corner) for corner in triangle]
            for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
                edges[start, end] += 1
        return all(edges[end, start] == count for (start, end), count in edges.items())


def _side(p: Floats, u: Floats, v: Floats) -> Floats:
    """Return on which side of the line from u to v the points lie, seen from above."""
    across = (v[..., 0] - u[..., 0]) * (p[..., 1] - u[..., 1])
    return np.asarray(across - (v[..., 1] - u[..., 1]) * (p[..., 0] - u[..., 0]))


def read_stl(data: bytes) -> Solid:
    """Return the solid of an STL file, text or binary."""
    if data[:5] == b"solid" and b"facet" in data[:400]:
        numbers = [line.split()[1:] for line in data.decode().splitlines() if "vertex" in line]
        return Solid(np.asarray(numbers, dtype=np.float64).reshape(-1, 3, 3))
    (count,) = struct.unpack_from("<I", data, 80)
    rows = np.frombuffer(data, dtype=np.uint8, offset=84, count=count * 50).reshape(count, 50)
    values = rows[:, 12:48].copy().view("<f4").reshape(count, 3, 3)
    return Solid(values.astype(np.float64))


def write_stl(solid: Solid) -> bytes:
    """Return the solid as a binary STL file; the same solid always gives the same bytes."""
    triangles = solid.triangles.astype("<f4")
    order = np.lexsort(triangles.reshape(len(triangles), 9).T[::-1])
    triangles = triangles[order]
    normals = _normals(triangles.astype(np.float64)).astype("<f4")
    rows = np.zeros((len(triangles), 50), dtype=np.uint8)
    rows[:, :12] = normals.view(np.uint8).reshape(-1, 12)
    rows[:, 12:48] = np.ascontiguousarray(triangles).view(np.uint8).reshape(-1, 36)
    head = b"Board Companion, millimetres".ljust(80, b" ")
    return head + struct.pack("<I", len(triangles)) + rows.tobytes()


def _normals(triangles: Floats) -> Floats:
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    return np.asarray(across / np.where(length > 0, length, 1.0))


def picture(
    solid: Solid,
    colours: Floats,
    turn_deg: float = 32.0,
    size: tuple[int, int] = PICTURE,
) -> NDArray[np.uint8]:
    """Return a view of the solid, turned and from above, on white.

    ``colours`` is one for all triangles or one for each, red first.
    """
    fine = 2
    width, height = size[0] * fine, size[1] * fine
    turn, tip = np.radians(turn_deg), np.radians(52.0)
    cos, sin = np.cos(turn), np.sin(turn)
    view = np.array(
        [
            [cos, -sin, 0],
            [sin * np.cos(tip), cos * np.cos(tip), np.sin(tip)],
            [sin * np.sin(tip), cos * np.sin(tip), -np.cos(tip)],
        ]
    )
    points = solid.triangles @ view.T
    flat = points[:, :, :2].reshape(-1, 2)
    low, high = flat.min(axis=0), flat.max(axis=0)
    scale = 0.88 * min(width / (high - low)[0], height / (high - low)[1])
    points[:, :, :2] = (points[:, :, :2] - (low + high) / 2) * scale
    points[:, :, 0] += width / 2
    points[:, :, 1] = height / 2 - points[:, :, 1]
    faces = _normals(solid.triangles)
    towards = faces @ view[2] < 0  # the others are hidden behind them
    depth = np.full((height, width), np.inf)
    face = np.full((height, width), -1)
    for number in np.flatnonzero(towards).tolist():
        _scan(points[number], number, depth, face)
    shown = faces @ view.T  # the light stays with the one who looks
    light = 0.5 + 0.5 * np.clip(shown @ (LIGHT / np.linalg.norm(LIGHT)), 0, 1)
    painted = np.broadcast_to(colours, (len(faces), 3))[:, ::-1]
    shaded = np.vstack([light[:, None] * painted, [[255.0] * 3]])
    drawn = shaded[face]
    drawn[_edges(depth, face, faces, max(0.35, 3 / scale))] = 40
    small = cv2.resize(drawn.astype(np.uint8), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _scan(triangle: Floats, number: int, depth: Floats, face: NDArray[np.int_]) -> None:
    """Put one triangle into the picture wherever it is nearest."""
    (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = triangle
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if abs(area) < 1e-9:
        return
    left, right = max(int(min(x0, x1, x2)), 0), min(int(max(x0, x1, x2)) + 2, depth.shape[1])
    top, bottom = max(int(min(y0, y1, y2)), 0), min(int(max(y0, y1, y2)) + 2, depth.shape[0])
    y, x = np.arange(top, bottom)[:, None] + 0.5, np.arange(left, right)[None, :] + 0.5
    one = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
    two = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
    z = z0 + one * (z1 - z0) + two * (z2 - z0)
    part = depth[top:bottom, left:right]
    near = (one >= -1e-6) & (two >= -1e-6) & (one + two <= 1 + 1e-6) & (z < part - 1e-9)
    part[near] = z[near]
    face[top:bottom, left:right][near] = number


def _edges(
    depth: Floats, face: NDArray[np.int_], faces: Floats, step_mm: float
) -> NDArray[np.bool_]:
    """Return where the surface bends sharply or jumps: there a line is drawn."""
    normals = np.vstack([faces, [[0.0, 0.0, 0.0]]])[face]
    flat = np.where(np.isinf(depth), 1e4, depth)
    found = np.zeros(depth.shape, dtype=bool)
    for axis in (0, 1):
        bend = (normals * np.roll(normals, 1, axis)).sum(axis=2) < 0.8
        jump = np.abs(flat - np.roll(flat, 1, axis)) > step_mm
        seen = (face >= 0) | (np.roll(face, 1, axis) >= 0)
        found |= (bend | jump) & seen
    return found
