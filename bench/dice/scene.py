"""Pictures of dice on a table, put together from dice that were drawn alone.

They are laid down anywhere, also side by side; they throw shadows; and then a camera takes the
picture: out of focus, noisy, sharpened, squeezed as JPEG.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bench.dice.body import SIZE, Array, Drawn, Rng
from bench.dice.table import table

STEEPEST_TURNED = np.radians(38)  # a die seen from further aside is not turned upside down
TURN = np.radians(35)  # but by this much
LEAST_SHOT = 19  # pixels of a die in the camera's own picture, before that is enlarged
CAREFUL = 0.5  # of the pictures are taken as people do who want the dice to be seen
HIDDEN = 0.12  # of a die may be hidden by others


@dataclass(frozen=True)
class Lying:
    """A die in a picture: the value on top, the box around it, how much of it is to be seen."""

    value: int
    box: tuple[float, float, float, float]
    seen: float

    @property
    def size(self) -> float:
        """Return the mean of its width and height, in pixels."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0 + y1 - y0) / 2


@dataclass(frozen=True)
class _Patch:
    corner: tuple[int, int]  # column, row of the picture
    colour: Array
    cover: Array
    value: int

    @property
    def box(self) -> tuple[float, float, float, float]:
        rows = np.flatnonzero((self.cover > 0.4).any(axis=1))
        columns = np.flatnonzero((self.cover > 0.4).any(axis=0))
        x, y = self.corner
        return (
            float(x + columns[0]),
            float(y + rows[0]),
            float(x + columns[-1] + 1),
            float(y + rows[-1] + 1),
        )


def scene(
    rng: Rng, dice: Sequence[Drawn], side: int, scale: float, count: int
) -> tuple[Array, list[Lying]]:
    """Return a picture, BGR bytes, of up to so many dice this large, and what lies in it.

    ``side`` is that of the picture, in pixels.
    """
    careful = rng.random() < CAREFUL
    ground = table(rng, side, scale)
    patches: list[_Patch] = []
    owner = np.zeros((side, side), np.uint8)  # 0 the table, then the dice
    whole, seen = [0], [0]
    own = [dice[n] for n in rng.integers(0, len(dice), 3)] if rng.random() < 0.2 else dice
    for _ in range(count * 2):
        if len(patches) >= count:
            break
        die = own[int(rng.integers(len(own)))]
        size = scale * rng.uniform(0.85, 1.15)
        patch = _laid(rng, die, size, _place(rng, patches, side, size), careful)
        mask = _part(patch, side) > 0.5
        here = _cut(owner, patch)
        left = np.array(seen) - np.bincount(here[mask], minlength=len(seen))
        if not mask.any() or (left[1:] < (1 - HIDDEN) * np.array(whole[1:])).any():
            continue
        here[mask] = len(seen)
        whole.append(int(mask.sum()))
        seen = [*left.tolist(), whole[-1]]
        patches.append(patch)
    _shadows(rng, ground, patches, scale)
    for patch in patches:
        part = _part(patch, side)[..., None]
        here = _cut(ground, patch)
        here += (_part(patch, side, patch.colour) - here) * part
    lying = []
    for patch, open_to_view in zip(patches, seen[1:], strict=True):
        all_of_it = max(1, int((patch.cover > 0.5).sum()))
        lying.append(Lying(patch.value, patch.box, open_to_view / all_of_it))
    return taken(rng, ground, scale, careful), lying


def _place(rng: Rng, patches: Sequence[_Patch], side: int, size: float) -> Array:
    if patches and rng.random() < 0.45:  # beside one that lies there
        x0, y0, x1, y1 = patches[int(rng.integers(len(patches)))].box
        around, away = rng.uniform(0, 2 * np.pi), (x1 - x0 + size) / 2 * rng.uniform(0.78, 1.1)
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        return middle + away * np.array([np.cos(around), np.sin(around)])
    return rng.uniform(-0.1 * size, side + 0.1 * size, 2)


def _laid(rng: Rng, die: Drawn, size: float, middle: Array, careful: bool) -> _Patch:
    """Return a die turned, scaled and coloured anew."""
    turn = rng.uniform(-np.pi, np.pi) if die.lean < STEEPEST_TURNED else rng.uniform(-TURN, TURN)
    cover = die.picture[..., 3] > 100
    across = (np.ptp(np.flatnonzero(cover.any(axis=0))) + np.ptp(np.flatnonzero(cover.any(1)))) / 2
    factor = size / max(1.0, across)
    reach = int(np.ceil(SIZE * factor * 0.72)) + 1
    corner = np.floor(middle).astype(int) - reach
    mirror = -1 if rng.random() < 0.5 and die.value <= 6 else 1
    cos, sin = factor * np.cos(turn), factor * np.sin(turn)
    turned = np.array([[cos * mirror, -sin], [sin * mirror, cos]])
    offset = middle - corner - turned @ np.full(2, (SIZE - 1) / 2)
    source = die.picture
    if factor < 0.8:
        source = cv2.GaussianBlur(source, (0, 0), 0.4 * (1 / factor - 0.6))
    whole = np.column_stack([turned, offset])
    warped = cv2.warpAffine(source, whole, (2 * reach + 1,) * 2, flags=cv2.INTER_LINEAR)
    colour = warped[..., :3].astype(np.float32) / 255
    colour = _recoloured(rng, colour, careful)
    return _Patch(
        (int(corner[0]), int(corner[1])), colour, warped[..., 3].astype(np.float32) / 255, die.value
    )


def _recoloured(rng: Rng, colour: Array, careful: bool) -> Array:
    if rng.random() < 0.4:
        colour = colour[..., rng.permutation(3)]
    if rng.random() < 0.5:
        colour = colour ** np.float32(rng.uniform(0.6, 1.2 if careful else 1.6))
    if rng.random() < 0.3:
        grey = colour.mean(axis=-1, keepdims=True)
        colour = grey + (colour - grey) * np.float32(rng.uniform(0, 1.3))
    if rng.random() < (0.1 if careful else 0.3):  # pips that are hard to tell from the die
        mean = colour[len(colour) // 2 - 3 : len(colour) // 2 + 4].mean(axis=(0, 1))
        colour = mean + (colour - mean) * np.float32(rng.uniform(0.5, 1))
    return np.clip(colour, 0, 1)


def _bounds(patch: _Patch, side: int) -> tuple[slice, slice, slice, slice]:
    (x, y), (high, wide) = patch.corner, patch.cover.shape
    top, left = max(0, -y), max(0, -x)
    low, right = min(high, side - y), min(wide, side - x)
    low, right = max(low, top), max(right, left)
    return slice(top, low), slice(left, right), slice(y + top, y + low), slice(x + left, x + right)


def _part(patch: _Patch, side: int, what: Array | None = None) -> Array:
    rows, columns, _, _ = _bounds(patch, side)
    return (patch.cover if what is None else what)[rows, columns]


def _cut(ground: Array, patch: _Patch) -> Array:
    _, _, rows, columns = _bounds(patch, len(ground))
    return ground[rows, columns]


def _shadows(rng: Rng, ground: Array, patches: Sequence[_Patch], scale: float) -> None:
    if not patches:
        return
    side = len(ground)
    mask = np.zeros((side, side), np.float32)
    for patch in patches:
        here = _cut(mask, patch)
        np.maximum(here, _part(patch, side), out=here)
    close = cv2.GaussianBlur(mask, (0, 0), scale * rng.uniform(0.03, 0.12))
    ground *= 1 - rng.uniform(0, 0.6) * close[..., None]
    for _ in range(int(rng.integers(0, 3))):
        dx, dy = rng.normal(0, 0.35, 2) * scale
        shift = np.array([[1, 0, dx], [0, 1, dy]])
        cast = cv2.warpAffine(mask, shift, (side, side))
        cast = cv2.GaussianBlur(cast, (0, 0), scale * rng.uniform(0.02, 0.25))
        ground *= 1 - rng.uniform(0, 0.6) * cast[..., None]


def taken(rng: Rng, ground: Array, scale: float, careful: bool = False) -> Array:
    """Return what a camera makes of it, BGR bytes; in good light and sharp, if with care."""
    side = len(ground)
    ramp = rng.normal(0, 0.08 if careful else 0.15, 3)
    across = np.linspace(-1, 1, side, dtype=np.float32)
    light = 1 + ramp[0] * across[:, None] + ramp[1] * across[None]
    if rng.random() < 0.15:  # the edge of a shadow
        bent = rng.normal(0, 1, 2)
        edge = across[:, None] * bent[0] + across[None] * bent[1] + rng.normal(0, 0.4)
        light = light * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-edge * rng.uniform(3, 60))))
    dark, bright, deep = (0.9, 1.15, 1.1) if careful else (0.75, 1.15, 1.35)
    tint = rng.normal(1, 0.07, 3) * rng.uniform(dark, bright)
    shot = np.clip(ground * light[..., None] * tint, 0, 1).astype(np.float32)
    shot = shot ** np.float32(rng.uniform(0.75, deep))
    least = 0.8 if careful else 0.4
    small = min(1.0, max(rng.uniform(least, 1.3), LEAST_SHOT / scale))
    if small < 1:
        size = max(16, round(side * small))
        shot = cv2.resize(shot, (size, size), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.6:
        shot = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.2, 0.8 if careful else 1.0))
    if not careful and rng.random() < 0.1:
        smear = np.zeros((5, 5), np.float32)
        ends = rng.integers(0, 5, 2).tolist()
        cv2.line(smear, ends, (4 - ends[0], 4 - ends[1]), 1.0)
        shot = cv2.filter2D(shot, -1, smear / smear.sum())
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.7, 1.6))
        shot = shot + (shot - soft) * np.float32(rng.uniform(0.3, 1.5))
    if rng.random() < 0.7:
        shot = shot + rng.normal(0, rng.uniform(0, 0.01 if careful else 0.035), shot.shape).astype(
            np.float32
        )
    seen = np.rint(np.clip(shot, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.8:
        quality = int(rng.integers(70 if careful else 40, 97))
        seen = cv2.imdecode(cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    if small < 1:
        way = int(rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC)))
        seen = cv2.resize(seen, (side, side), interpolation=way)
    return seen
