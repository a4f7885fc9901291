"""All the holes of an empty board: the lattice that marks lie on, and which of its places look
like most of them. What regularity adds and drops is decided here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.sensing.camera.frame import Array, Picture
from companion.sensing.teach.lattice import Lattice, coarser, cosets, find_lattice, through
from companion.sensing.teach.look import MOST, Flat, apart, radius_of, scores
from companion.sensing.teach.marks import find_marks

#: The examples are the marks whose rim is at least this share of that of the clearest ones.
CLEAR = 0.55
#: How far beyond the examples further holes are looked for, in spacings.
BEYOND = 2
ROUNDS = 4
#: Every second, third or fourth mark is no hole if it looks so unlike the rest, and so much more
#: unlike than other choices of every second, third or fourth do.
UNLIKE, TIMES_USUAL = 0.1, 5.0
#: A clear rim on the lattice speaks for a hole as much as this, whatever it looks like inside.
RIM = 1.2
#: So few of the clear marks may lie beside the lattice that all others lie on.
STRAY = 0.07
LEAST_HOLES = 9
#: In a picture without a board the marks on the best lattice are worth 7 to 10.
LEAST_WORTH = 16.0
#: A turn or a mirror counts as one of the board's if so many of its holes come to lie on others.
SYMMETRIC = 0.85
#: What the places that a turn or a mirror leads to say counts this much beside a place's own look.
TOGETHER, SURE = 0.8, 1.5


@dataclass(frozen=True)
class Holes:
    """The holes of a board: where they are in the picture, in pixels, and on its plane, in
    spacings, x to the right and y down; their ``radius`` in spacings, and ``way`` from the plane to
    pixels. ``rows`` tells how rows cross: squares or triangles."""

    pixels: Array
    plane: Array
    radius: float
    way: Array
    rows: str

    @property
    def pitch_px(self) -> Array:
        """Return for each hole how many pixels it is to the next."""
        steps = [
            np.hypot(
                *(
                    through(self.way, self.plane + step / 2)
                    - through(self.way, self.plane - step / 2)
                ).T
            )
            for step in np.eye(2)
        ]
        return np.asarray(np.sqrt(steps[0] * steps[1]))


def find_holes(picture: Picture) -> Holes | None:
    """Return the holes of the board in a picture, None when there is none."""
    marks = find_marks(picture)
    if len(marks) < LEAST_HOLES:
        return None
    lattice = find_lattice(marks)
    if lattice is None or lattice.worth < LEAST_WORTH:
        return None
    return _on_lattice(picture, marks, lattice)


def _on_lattice(picture: Picture, marks: Array, lattice: Lattice) -> Holes | None:
    lattice = _without_gaps(picture, marks, lattice)
    to_plane, way, rows = lattice.plane()
    rim = marks[lattice.marks, 3]
    clear = rim >= CLEAR * np.quantile(rim, 0.85)
    places = lattice.places[clear]
    rims = {tuple(place) for place in places}
    none = np.empty((0, 2))
    for _ in range(ROUNDS):
        low, high = places.min(0) - BEYOND, places.max(0) + BEYOND
        xs, ys = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
        sites = np.column_stack([xs.ravel(), ys.ravel()])
        sites = sites[_inside(through(lattice.way, sites), picture)]
        spots, examples = sites @ to_plane.T, places @ to_plane.T
        flat = Flat.of(picture, way, spots.min(0) - 1, spots.max(0) + 1)
        radius = radius_of(flat, examples)
        between = np.concatenate([_between(places), none]) @ to_plane.T
        told, blind = scores(flat, examples, between, spots, radius)
        told = np.where(blind, 0.0, told)
        told = told + RIM * np.array([tuple(site) in rims for site in sites])
        told = _together(spots, told, rows)
        chosen = (told > 0) & _in_company(spots, told > 0)
        if chosen.sum() < LEAST_HOLES:
            return None
        same = {tuple(p) for p in places} == {tuple(p) for p in sites[chosen]}
        places, none = sites[chosen], sites[told < -1]
        if same:
            break
    pixels = _drawn(marks, through(way, spots[chosen]), way, spots[chosen])
    return Holes(pixels, spots[chosen], radius, way, rows)


def _without_gaps(picture: Picture, marks: Array, lattice: Lattice) -> Lattice:
    """Return the lattice without what lies between the holes and looks unlike them, such as the
    fields between printed lines."""
    to_plane, way, _ = lattice.plane()
    spots = lattice.places @ to_plane.T
    flat = Flat.of(picture, way, spots.min(0) - 1, spots.max(0) + 1)
    rim = marks[lattice.marks, 3]
    clear = rim >= CLEAR * np.quantile(rim, 0.85)
    found: list[tuple[float, Lattice]] = []
    for steps in coarser():
        numbers = cosets(lattice.places, steps)
        parts = [numbers == number for number in range(numbers.max() + 1)]
        own = max(parts, key=lambda part: rim[part].mean() if part.sum() >= LEAST_HOLES else 0)
        some, others = own & clear, ~own & clear
        if some.sum() < LEAST_HOLES:
            continue
        if others.sum() <= STRAY * clear.sum():  # the coarsest lattice that has all of them
            unlike = 2.0 + len(parts)
        elif others.sum() >= LEAST_HOLES:
            unlike = apart(flat, spots[some], spots[others])
        else:
            continue
        found.append((unlike, lattice.part(steps, lattice.places[own][0], own)))
    if not found:
        return lattice
    usual = float(np.median([abs(unlike) for unlike, _ in found if unlike <= 2] or [0.0]))
    most, best = max(found, key=lambda each: each[0])
    return best if most > max(UNLIKE, TIMES_USUAL * usual) else lattice


def _together(spots: Array, told: Array, rows: str) -> Array:
    """Return what is told of spots, with what is told of those that a turn or a mirror of the
    board leads to: what one place hides, another shows."""
    middle = spots[told > 0].mean(0) if np.any(told > 0) else spots.mean(0)
    near = np.argsort(np.hypot(*(spots - middle).T))[:7]
    centres = [spots[n] for n in near] + [(spots[n] + spots[m]) / 2 for n in near for m in near]
    best: list[Array] = []
    for centre in np.unique(np.round(centres, 4), axis=0):
        fitting = [to for to in _moves(spots, centre, rows) if _agrees(told, to)]
        if len(fitting) > len(best):
            best = fitting
    if not best:
        return told
    all_told = np.array([np.where(to >= 0, told[to], -MOST) for to in best])
    unsure = np.clip(1 - np.abs(told) / SURE, 0, 1)  # a clear look is not outvoted
    return np.asarray(told + TOGETHER * unsure * all_told.mean(0))


def _moves(spots: Array, centre: Array, rows: str) -> Iterator[Array]:
    """Yield for each turn and mirror about a centre which spot each spot comes to lie on, -1 for
    none of them."""
    order = 6 if rows == "triangles" else 4
    for number in range(2 * order):
        angle = (number % order) * 2 * np.pi / order
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        if number >= order:
            turn = turn @ np.diag([1, -1])
        elif number == 0:
            continue
        moved = (spots - centre) @ turn.T + centre
        far = np.hypot(*(moved[:, None] - spots[None]).transpose(2, 0, 1))
        nearest = far.argmin(1)
        yield np.where(far[np.arange(len(spots)), nearest] < 0.1, nearest, -1)


def _agrees(told: Array, to: Array) -> bool:
    here = told > 0
    there = (to >= 0) & here[to]
    return bool((here & there).sum() >= SYMMETRIC * (here | there).sum())


def _in_company(spots: Array, chosen: Array) -> Array:
    """Tell which spots have a chosen one beside them, and belong to most of those."""
    far = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1))
    beside = (far > 0.1) & (far < 1.6) & chosen
    group = np.where(chosen, np.arange(len(spots)), -1)
    for _ in range(len(spots)):
        grown = np.where(chosen, np.maximum(group, np.where(beside, group, -1).max(1)), -1)
        if np.array_equal(grown, group):
            break
        group = grown
    most = np.bincount(group[group >= 0]).argmax() if np.any(chosen) else -1
    return np.asarray((group == most) & (beside.sum(1) >= 1))


def _drawn(marks: Array, pixels: Array, way: Array, spots: Array) -> Array:
    """Return pixels drawn to the marks that lie there."""
    pitch = np.hypot(*(through(way, spots + np.array([1.0, 0])) - pixels).T)
    far = np.hypot(*(pixels[:, None] - marks[None, :, :2]).transpose(2, 0, 1))
    nearest = far.argmin(1)
    near = far[np.arange(len(pixels)), nearest] < 0.12 * pitch
    return np.where(near[:, None], marks[nearest, :2], pixels)


def _inside(pixels: Array, picture: Picture) -> Array:
    height, width = picture.shape[:2]
    return np.asarray(
        (pixels[:, 0] > 0) & (pixels[:, 0] < width) & (pixels[:, 1] > 0) & (pixels[:, 1] < height)
    )


def _between(places: Array) -> Array:
    """Return the places in the middle between holes and their neighbours, each once."""
    steps = np.array([[0.5, 0], [0, 0.5], [0.5, 0.5], [0.5, -0.5]])
    return np.unique((places[:, None] + steps).reshape(-1, 2), axis=0)
