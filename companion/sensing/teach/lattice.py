"""The lattice that marks lie on: rows of them in two directions, seen in perspective.

Squares and triangles, stars, crosses and mazes are all parts of one; which part of it has holes is
left to others.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.camera.frame import Array

#: How far a mark may lie from where the lattice has it, of the way to the next.
NEAR = 0.2
#: The lattices that are tried begin at so many of the best marks of each size.
SEEDS, RIVALS, NEIGHBOURS = 36, 320, 7
#: Marks of one board differ in size by at most this factor, those side by side by the other.
LARGEST_RATIO, NEXT_RATIO = 1.7, 1.45
LEAST_MEMBERS = 9
#: With so many marks in it a lattice is beyond doubt, and no other is looked for.
SURE_MEMBERS = 40

SQUARE = np.eye(2)
TRIANGLES = np.array([[1.0, 0.5], [0.0, np.sqrt(0.75)]])
BASES = (SQUARE, TRIANGLES, TRIANGLES * np.array([[1, -1], [1, 1]]))


@dataclass(frozen=True)
class Lattice:
    """Marks in columns and rows: ``places`` (n, 2) in whole steps, which ``marks`` lie there, and
    the homography ``way`` from places to pixels. ``worth`` says how well they agree."""

    places: Array
    marks: Array
    way: Array
    worth: float

    def at(self, places: Array) -> Array:
        """Return the pixels of places."""
        return through(self.way, places)

    def part(self, steps: Array, first: Array, kept: Array) -> "Lattice":
        """Return the coarser lattice with these steps, as columns, from a first place on, of the
        marks that are kept."""
        whole = np.eye(3)
        whole[:2, :2], whole[:2, 2] = steps, first
        places = (self.places[kept] - first) @ np.linalg.inv(steps).T
        return Lattice(np.rint(places), self.marks[kept], self.way @ whole, self.worth)

    def plane(self) -> tuple[Array, Array, str]:
        """Return what leads from places to the plane of the board, in units of the spacing,
        the homography from that plane to pixels, and how rows cross: squares or triangles.

        The plane is the one in which rows cross as nearly as can be like those of squares or of
        triangles.
        """
        middle = self.places.mean(0)
        small = 0.5 * np.eye(2)
        local = np.column_stack(
            [self.at(np.array([middle + s, middle - s])) @ np.eye(2) for s in small]
        )
        steps = np.column_stack([local[0, :2] - local[1, :2], local[0, 2:] - local[1, 2:]])
        turn, reduced = _reduced(steps)
        values = [np.linalg.svd(reduced @ np.linalg.inv(base))[1] for base in BASES]
        chosen = int(np.argmin([one / other for one, other in values]))
        best = BASES[chosen]
        to_plane = best @ np.linalg.inv(turn)
        whole = np.eye(3)
        whole[:2, :2] = np.linalg.inv(to_plane)
        return to_plane, self.way @ whole, "triangles" if chosen else "squares"


def through(way: Array, points: Array) -> Array:
    """Return points seen through a homography."""
    flat = np.asarray(points, float).reshape(-1, 2)
    lifted = flat @ way[:, :2].T + way[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:])


def coarser() -> Iterator[Array]:
    """Yield the steps, as columns, of all lattices with every second, third or fourth place."""
    for index in (2, 3, 4):
        for wide in range(1, index + 1):
            if index % wide == 0:
                for aside in range(wide):
                    yield np.array([[wide, aside], [0, index // wide]], float)


def cosets(places: Array, steps: Array) -> Array:
    """Return for each place the number of the shifted coarser lattice that it lies in."""
    parts = places @ np.linalg.inv(steps).T
    rest = places - np.floor(parts + 1e-6) @ steps.T
    _, numbers = np.unique(np.rint(rest), axis=0, return_inverse=True)
    return np.asarray(numbers).reshape(-1)


def find_lattice(marks: Array) -> Lattice | None:
    """Return the lattice that most marks agree on, None when there is none."""
    best: Lattice | None = None
    sizes = np.unique(np.round(marks[:, 2], 3))
    for size in sizes:
        alike = np.nonzero(np.abs(np.log(marks[:, 2] / size)) < np.log(LARGEST_RATIO))[0]
        alike = alike[:RIVALS]  # the best come first
        own = np.nonzero(np.abs(np.log(marks[alike, 2] / size)) < 0.01)[0][:SEEDS]
        used: set[int] = set() if best is None else set(best.marks.tolist())
        for seed in own:
            if int(alike[seed]) in used:
                continue
            found = _best_from(marks[alike], int(seed))
            if found is None:
                continue
            whole = Lattice(found.places, alike[found.marks], found.way, found.worth)
            used |= set(whole.marks.tolist())
            if best is None or whole.worth > best.worth:
                best = whole
    return best


def _best_from(marks: Array, seed: int) -> Lattice | None:
    best: Lattice | None = None
    for one, other in _starts(marks, seed):
        found = _grown(marks, np.array([seed, one, other]))
        if found is not None and (best is None or found.worth > best.worth):
            best = found
            if len(found.marks) >= SURE_MEMBERS:
                break
    return best


def _starts(marks: Array, seed: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of neighbours whose steps lead to further marks, the nearest first."""
    away = marks[:, :2] - marks[seed, :2]
    far = np.hypot(*away.T)
    like = np.abs(np.log(marks[:, 2] / marks[seed, 2])) < np.log(NEXT_RATIO)
    near = np.nonzero(like & (far > 1.7 * marks[seed, 2]) & (far < 12 * marks[seed, 2]))[0]
    near = near[np.argsort(far[near])][:NEIGHBOURS]
    pool = away[like]

    def there(point: Array, pitch: float) -> bool:
        return bool(np.any(np.hypot(*(pool - point).T) < NEAR * pitch))

    for rank, other in enumerate(near):
        for one in near[:rank]:
            u, v = away[one], away[other]
            sine = abs(u[0] * v[1] - u[1] * v[0]) / (far[one] * far[other])
            if sine < 0.55 or far[other] > 2 * far[one]:
                continue
            pitch = float(min(far[one], far[other]))
            beside = sum(there(point, pitch) for point in (-u, -v, u + v, u - v, v - u))
            ahead = sum(there(point, pitch) for point in (2 * u, 2 * v, -u, -v))
            if beside >= 3 or ahead >= 2:  # a row on both sides, or paths that cross or turn
                yield int(one), int(other)


def _grown(marks: Array, start: Array) -> Lattice | None:
    """Return the lattice that grows from its first marks: predict, take what is there, repeat."""
    places = np.array([[0, 0], [1, 0], [0, 1]])
    members = start
    around = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)])
    for _ in range(40):
        way = fit(places, marks[members, :2])
        if way is None:
            return None
        edge = np.unique((places[:, None] + around).reshape(-1, 2), axis=0)
        known = {(int(x), int(y)) for x, y in places}
        edge = np.array([p for p in edge if (int(p[0]), int(p[1])) not in known])
        fresh_places, fresh = _taken(marks, members, places, way, edge)
        if not len(fresh):
            break
        places, members = np.concatenate([places, fresh_places]), np.concatenate([members, fresh])
        way = fit(places, marks[members, :2])
        if way is None:
            return None
        keep = _off(marks, members, places, way) < NEAR
        places, members = places[keep], members[keep]
        if keep.sum() < 3:
            return None
    if len(members) < LEAST_MEMBERS or min(np.ptp(places, axis=0)) < 2:
        return None
    way = fit(places, marks[members, :2])
    if way is None:
        return None
    off = _off(marks, members, places, way)
    worth = float(np.sum(np.sqrt(marks[members, 3]) * (1 - (off / NEAR) ** 2)))
    hull = cv2.convexHull(places.astype(np.float32))
    sites = cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2 + 1
    return Lattice(places, members, way, worth * min(1.0, len(members) / sites) ** 0.5)


def _taken(
    marks: Array, members: Array, places: Array, way: Array, edge: Array
) -> tuple[Array, Array]:
    """Return the places beside a lattice where a mark lies, and those marks."""
    expected = through(way, edge)
    pitch = _pitch(way, edge)
    far = (
        np.hypot(expected[:, None, 0] - marks[None, :, 0], expected[:, None, 1] - marks[None, :, 1])
        / np.maximum(pitch, 1e-6)[:, None]
    )
    size = np.median(marks[members, 2])
    far[:, np.abs(np.log(marks[:, 2] / size)) > np.log(LARGEST_RATIO)] = np.inf
    far[:, members] = np.inf
    cost = far - 0.05 * marks[None, :, 3]
    cost[far > NEAR] = np.inf
    chosen = np.argmin(cost, axis=1)
    good = np.isfinite(cost[np.arange(len(edge)), chosen])
    _, first = np.unique(chosen[good], return_index=True)
    return edge[good][first], chosen[good][first]


def _off(marks: Array, members: Array, places: Array, way: Array) -> Array:
    far = np.hypot(*(through(way, places) - marks[members, :2]).T)
    return np.asarray(far / np.maximum(_pitch(way, places), 1e-6))


def _pitch(way: Array, places: Array) -> Array:
    here = through(way, places)
    steps = [np.hypot(*(through(way, places + step) - here).T) for step in np.eye(2)]
    return np.asarray(np.minimum(*steps))


def fit(places: Array, pixels: Array) -> Array | None:
    """Return the homography from places to pixels, an affine one as long as they are few."""
    if len(places) >= 10 and min(np.ptp(places, axis=0)) >= 2:
        way, _ = cv2.findHomography(places.astype(float), pixels.astype(float), 0)
        return None if way is None else np.asarray(way)
    known = np.column_stack([places, np.ones(len(places))])
    solved, _, rank, _ = np.linalg.lstsq(known, pixels, rcond=None)
    return np.vstack([solved.T, [0, 0, 1]]) if rank == 3 else None


def _reduced(steps: Array) -> tuple[Array, Array]:
    """Return the change to the shortest pair of steps (Lagrange), and that pair as columns."""
    turn, pair = np.eye(2), steps.copy()
    for _ in range(20):
        if np.linalg.norm(pair[:, 0]) > np.linalg.norm(pair[:, 1]):
            pair, turn = pair[:, ::-1].copy(), turn[:, ::-1].copy()
        times = round(float(pair[:, 0] @ pair[:, 1] / (pair[:, 0] @ pair[:, 0])))
        if times == 0:
            break
        pair[:, 1] -= times * pair[:, 0]
        turn[:, 1] -= times * turn[:, 0]
    return turn, pair
