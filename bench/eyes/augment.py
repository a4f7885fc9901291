"""The same board in another way: turned, mirrored, shifted, in other light, by another camera."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.eyes.sample import LEFT_OUT, MOST, SIDE, WIDE, Sample, middles
from companion.sensing.vision.net import KINDS
from companion.sensing.vision.sheet import MARGIN, PX

SIZE = round((SIDE + 2 * MARGIN) * PX)
SWAPPED = np.array([0, 2, 1, 3, 4, LEFT_OUT], np.int8)  # crossings when rows become columns
PLACES = middles()
FREE = ("eye", "things")  # parts of a sample that lie in no grid
VALUES = {  # head of the net and places at which it is asked
    "paint": ("paint", "square"),
    "across_stave": ("stave", "across"),
    "along_stave": ("stave", "along"),
    "off": ("off", "square"),
    "point_off": ("off", "point"),
    "point_paint": ("paint", "point"),
}
PAINTS = ("paint", "across_stave", "along_stave", "point_paint")
WHITE_IS = np.array([1, 0, 0], np.float32)  # added to a paint, in units of 50 of CIELAB
REPAINTED = 0.6  # of all samples
MIXED = 0.25  # how much of other colours gets into one
DARK = 4 / 255  # what the darkest paint reflects, and the lens scatters
NEAR, BESIDE = 0.3, (0.55, 0.8)  # pitches from its foot at which a thing is, or is no more


@dataclass(frozen=True)
class Turned:
    """A picture for the net with labels and the pixels at which they are asked for."""

    picture: NDArray[np.float32]  # (5, SIZE, SIZE)
    at: dict[str, NDArray[np.float32]]  # (n, 2): column and row
    labels: dict[str, NDArray[np.int64]]  # (n,)
    values: dict[str, NDArray[np.float32]]  # (n, values), NaN where nothing is asked


def as_it_is(sample: Sample) -> Turned:
    """Return a sample unchanged."""
    return _turned(sample, np.eye(2), np.zeros(2), None)


def varied(sample: Sample, rng: np.random.Generator) -> Turned:
    """Return a sample turned, shifted and lit by chance."""
    sample = _dihedral(sample, rng)
    loose = rng.random() < 0.1  # not always is the lattice where it is expected
    angle = np.radians(rng.normal(0, 3.0 if loose else 0.4))
    size = np.exp(rng.normal(0, 0.06 if loose else 0.012))
    shift = PX * (rng.uniform(-0.33, 0.33, 2) if loose else rng.normal(0, 0.04, 2))
    linear = size * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return _turned(sample, linear, shift, rng)


def _turned(
    sample: Sample,
    linear: NDArray[np.float64],
    shift: NDArray[np.float64],
    rng: np.random.Generator | None,
) -> Turned:
    """Return a sample under an affine change about its middle; ``rng`` changes its light, too."""
    to = np.array([(SIZE - 1) / 2, (SIZE - 1) / 2]) + shift
    matrix = np.column_stack([linear, to - linear @ np.full(2, (WIDE - 1) / 2)])
    picture = cv2.warpAffine(sample.picture, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
    labels = {name: getattr(sample, name).ravel().astype(np.int64) for name in PLACES}
    at = {name: (p.reshape(-1, 2) * PX) @ linear.T + to for name, p in PLACES.items()}
    values = {
        "paint": sample.paint.reshape(-1, 3),
        "across_stave": sample.across_stave.reshape(-1, 3),
        "along_stave": sample.along_stave.reshape(-1, 3),
        "off": sample.off.reshape(-1, 2) @ linear.T,
    }
    if rng is not None:
        at["point"], labels["point"], more = _points(sample, linear, to, rng)
        values |= more
        if rng.random() < REPAINTED:
            picture, values = repainted(picture, values, mixture(rng))
        picture = relit(picture, rng)
        if rng.random() < 0.3:
            picture, hidden = _cover(picture, rng)
            _mark_hidden(labels, values, at, hidden)
    foot = (sample.eye[:2] * PX) @ linear.T + to
    east, south = ((np.arange(SIZE) - part) / (PX * sample.eye[2]) for part in foot)
    planes = np.empty((5, SIZE, SIZE), np.float32)
    planes[:3] = np.moveaxis(picture, -1, 0)
    planes[:3] /= 255
    planes[3], planes[4] = east[None, :], south[:, None]
    return Turned(
        planes,
        {name: each.astype(np.float32) for name, each in at.items()},
        labels,
        {name: each.astype(np.float32) for name, each in values.items()},
    )


def _points(
    sample: Sample, linear: NDArray[np.float64], to: NDArray[np.float64], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.int64], dict[str, NDArray[np.float64]]]:
    """Return places near things and just beside them, what is there, how far off it is, and its
    paint."""
    feet, kinds, paint = sample.things[:, :2], sample.things[:, 2], sample.things[:, 3:]
    turn, inside = rng.uniform(0, 2 * np.pi, MOST), rng.random(MOST) < 0.7
    far = np.where(inside, NEAR * np.sqrt(rng.random(MOST)), rng.uniform(*BESIDE, MOST))
    places = feet + far[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    gaps = np.hypot(*np.moveaxis(places[:, None] - feet[None], -1, 0))
    others = np.nan_to_num(gaps, nan=9.0)
    labels = np.where(inside, np.nan_to_num(kinds, nan=LEFT_OUT), 0).astype(np.int64)
    alone = np.where(inside, (others < 0.6).sum(axis=1) == 1, others.min(axis=1) > BESIDE[0] - 0.01)
    on_field = np.abs(places).max(axis=1) < SIDE / 2
    labels[~alone | ~on_field | np.isnan(kinds)] = LEFT_OUT
    there = (inside & (labels > 0))[:, None]
    values = {
        "point_off": np.where(there, feet - places, np.nan) @ linear.T,
        "point_paint": np.where(there, paint, np.nan),
    }
    return np.nan_to_num(places) * PX @ linear.T + to, labels, values


def _dihedral(sample: Sample, rng: np.random.Generator) -> Sample:
    """Return one of the eight turns and mirror images."""
    data = {name: getattr(sample, name) for name in Sample.__dataclass_fields__}
    if rng.random() < 0.5:  # mirror east and west
        data = {n: d if n in FREE else np.flip(d, 1) for n, d in data.items()}
        data["eye"] = data["eye"] * np.array([-1, 1, 1], np.float32)
        data["off"] = data["off"] * np.array([-1, 1], np.float32)
        data["things"] = data["things"] * np.array([-1, 1, 1, 1, 1, 1], np.float32)
    for _ in range(rng.integers(4)):  # a quarter turn counter-clockwise as seen
        data = {n: d if n in FREE else np.rot90(d, axes=(0, 1)) for n, d in data.items()}
        x, y, z = data["eye"]
        data["eye"] = np.array([y, -x, z], np.float32)
        x, y, *rest = data["things"].T
        data["things"] = np.stack([y, -x, *rest], axis=-1)
        data["off"] = np.stack([data["off"][..., 1], -data["off"][..., 0]], axis=-1)
        data["across"], data["along"] = data["along"], data["across"]
        data["across_stave"], data["along_stave"] = data["along_stave"], data["across_stave"]
        data["crossing"] = SWAPPED[data["crossing"]]
    return Sample(**{name: np.ascontiguousarray(each) for name, each in data.items()})


def mixture(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return exponents by which blue, green and red make other ones: each is one of the three, now
    and then the same as another, with something of all. Grey stays grey."""
    chosen = rng.permutation(3) if rng.random() < 0.8 else rng.integers(3, size=3)
    if rng.random() < 0.4:
        chosen = np.arange(3)
    more = rng.normal(0, MIXED, (3, 3))
    return np.eye(3)[chosen] + more - more.mean(axis=1, keepdims=True)


def repainted(
    picture: NDArray[np.uint8], values: dict[str, NDArray[np.float64]], mix: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], dict[str, NDArray[np.float64]]]:
    """Return a picture and the paints in it with other colours.

    What a camera sees is the product of paint and light. So products of powers of what its three
    channels see are what it would see of other paints in other light (a mixture of logarithms):
    shades, textures and shadows stay as true as they are.
    """
    shares = mix.astype(np.float32)
    levels = _logs(np.arange(256, dtype=np.float32) / 255)
    seen = _unlogged(cv2.transform(cv2.LUT(picture, levels), shares))
    painted = {}
    for name in PAINTS:
        lab = (values[name].astype(np.float32) + WHITE_IS) * 50
        colours = np.clip(cv2.cvtColor(lab[None], cv2.COLOR_Lab2BGR), 0, 1)
        mixed = np.clip(_unlogged(_logs(colours) @ shares.T), 0, 1).astype(np.float32)
        painted[name] = cv2.cvtColor(mixed, cv2.COLOR_BGR2Lab)[0] / 50 - WHITE_IS
        painted[name][np.isnan(values[name])] = np.nan
    return np.clip(seen * 255 + 0.5, 0, 255).astype(np.uint8), values | painted


def _logs(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return logarithms of what is seen, from 0 to 1, over the little that even black shows."""
    return np.log((values + DARK) / (1 + DARK))


def _unlogged(logs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what is seen, given such logarithms."""
    return np.asarray(cv2.exp(logs)) * (1 + DARK) - DARK


def relit(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a picture in another light, through another lens and another camera."""
    curve = np.exp(rng.normal(0, 0.18)) if rng.random() < 0.5 else 1.0
    gain = np.exp(rng.normal(0, 0.18) + rng.normal(0, 0.07, 3))
    levels = np.linspace(0, 1, 256)[:, None] ** curve * gain * 255  # of each colour
    values = cv2.LUT(picture, levels[None].astype(np.float32))
    if rng.random() < 0.4:
        share = rng.uniform(0.55, 1.35)
        grey = np.full((3, 3), (1 - share) / 3) + share * np.eye(3)
        values = cv2.transform(values, grey.astype(np.float32))
    if rng.random() < 0.35:
        values *= _slope(rng)
    if rng.random() < 0.15:
        values += 255 * _gleam(rng)
    if rng.random() < 0.35:
        values = cv2.GaussianBlur(values, (0, 0), PX * rng.uniform(0.015, 0.055))
    if rng.random() < 0.3:  # by a camera that has fewer pixels
        few = round(SIZE * rng.uniform(0.4, 0.9))
        values = cv2.resize(values, (few, few), interpolation=cv2.INTER_AREA)
        values = cv2.resize(values, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.6:
        values += rng.uniform(1, 10) * _noise(rng)
    spoilt = np.clip(values, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))]
        spoilt = cv2.imdecode(cv2.imencode(".jpg", spoilt, quality)[1], cv2.IMREAD_COLOR)
    return spoilt


@cache
def _grain() -> NDArray[np.float32]:
    """Return noise of which every picture gets another part: to draw it takes longer than all
    else."""
    size = (2 * SIZE, 2 * SIZE, 3)
    return np.random.default_rng(0).standard_normal(size, np.float32)


def _noise(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return noise of a sensor, fine, or coarse as where its pixels are larger."""
    x, y = rng.integers(SIZE, size=2)
    if rng.random() < 0.5:
        return _grain()[y : y + SIZE, x : x + SIZE]
    part = _grain()[y : y + SIZE // 2, x : x + SIZE // 2]
    return np.asarray(cv2.resize(part, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR))


def _slope(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return light that falls off to one side, or ends at an edge."""
    angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
    line = np.linspace(-0.5, 0.5, SIZE, dtype=np.float32)
    along = np.cos(angle) * line[None, :] + np.sin(angle) * line[:, None] - off
    steep = rng.choice([1.0, 3.0, 30.0])
    share = (1 + np.tanh(along * steep * 2)) / 2
    low = rng.uniform(0.45, 0.9)
    return (low + (1 - low) * share)[..., None].astype(np.float32)


def _gleam(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a lamp that is mirrored in the board."""
    x, y = rng.uniform(0, SIZE, 2)
    wide = PX * rng.uniform(0.25, 1.67)
    line = np.arange(SIZE, dtype=np.float32)
    down, across = (np.exp(-(((line - at) / wide) ** 2)) for at in (y, x))
    tint = rng.uniform(0.15, 0.9) * (1 + rng.normal(0, 0.08, 3))
    return (np.outer(down, across)[..., None] * tint).astype(np.float32)


def _cover(
    picture: NDArray[np.uint8], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the picture with something over it, and where that is."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    middle = rng.uniform(0, SIZE, 2)
    size = 2 * PX * rng.uniform(0.5, 2.4, 2)
    if rng.random() < 0.5:
        cv2.ellipse(mask, (middle, size, rng.uniform(0, 180)), 255, -1)
    else:
        box = cv2.boxPoints((middle, size, rng.uniform(0, 180)))
        cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), 255)
    colour = rng.uniform(10, 245, 3)
    texture = 1 + 0.1 * _noise(rng)[..., :1]
    shade = texture * (0.7 + 0.6 * _slope(rng)) * colour.astype(np.float32)
    soft = (cv2.GaussianBlur(mask, (0, 0), PX / 30) / np.float32(255))[..., None]
    mixed = picture * (1 - soft) + np.clip(shade, 0, 255) * soft
    return mixed.astype(np.uint8), mask


def _mark_hidden(
    labels: dict[str, NDArray[np.int64]],
    values: dict[str, NDArray[np.float64]],
    at: dict[str, NDArray[np.float64]],
    hidden: NDArray[np.uint8],
) -> None:
    """Call places covered that are, and ask nothing of those that are in part."""
    share = cv2.blur(hidden, (PX, PX)) / 255.0
    for name, places in at.items():
        columns, rows = np.clip(np.round(places).astype(int), 0, SIZE - 1).T
        part = share[rows, columns]
        labels[name][part > 0.05] = LEFT_OUT
        for what, (_, places_of) in VALUES.items():
            if places_of == name:
                values[what] = np.where(part[:, None] > 0.05, np.nan, values[what])
        if name in KINDS:
            labels[name][part > 0.6] = KINDS[name].index("covered")
