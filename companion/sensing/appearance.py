"""How things look: turns the flat picture into a label for every pixel.

Colours are compared as reflectances: linear light divided by what the white of the markers
returns. What matters most is the share of red, green and blue in a pixel; brightness is allowed to
vary with shadow, gloss and the shape of things. The bare board is described pixel by pixel, things
by one colour each. All of it starts from the profile and the picture itself (most of a board is
bare, so the middle value over all tiles is the bare tile) and is refined by labelled pictures.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from companion.board import FENCE, PELLET, Board
from companion.sensing.camera import Array, Picture
from companion.sensing.flat import TILE

BARE = 0  # the label of the bare board; things follow in the order of Appearance.things
LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
DARK = 0.004  # reflectance below which a colour is mostly noise
THING_SPREAD = 0.075  # of the colour shares
PALE_SPREAD = 0.15
BARE_SPREAD = 0.055
PLAINLY_BARE = 1.0
GLOSS_COST = 2.0
SEEN_BARE = 0.5
BLOWN = 0.93
RIM = 4  # pixels
BRIGHTNESS_ROOM = 1.0  # of its logarithm, either way
STRANGE_BEYOND = 10.0  # squared distance at which nothing known explains a pixel


@dataclass(frozen=True)
class Colour:
    """What a thing returns of white light: shares of red, green, blue, and its brightness."""

    share: tuple[float, float, float]
    brightness: float
    room: float = BRIGHTNESS_ROOM  # how far the log of the brightness may lie to either side


#: What fences are often made of when they do not have the profile's colour.
USUAL_FENCES = (
    Colour((0.45, 0.37, 0.18), 0.75),  # pale wood
    Colour((0.15, 0.17, 0.68), 0.14),  # dark blue
)


def colour_of(rgb: tuple[int, int, int]) -> Colour:
    """Return the reflectance of a colour as written in profiles."""
    linear = LINEAR[list(rgb)].astype(float)
    total = float(linear.sum()) + 1e-6
    red, green, blue = (float(part) / total for part in linear)
    return Colour((red, green, blue), total / 3)


def colour_seen(values: Array, room: float = BRIGHTNESS_ROOM) -> Colour:
    """Return the middle colour of some reflectances, shape (…, 3)."""
    middle = np.median(values.reshape(-1, 3), axis=0) + DARK
    red, green, blue = (float(part) for part in middle / middle.sum())
    return Colour((red, green, blue), float(middle.mean()), room)


@dataclass(frozen=True)
class Appearance:
    """All that is known of how this board and its things look.

    ``white`` is the light at every pixel, ``bare`` the reflectance of the bare board, ``sure``
    how well each pixel of it is known (0 guessed from other tiles, 1 seen bare).
    """

    things: tuple[str, ...]
    colours: dict[str, Colour]
    white: Array
    bare: Array
    sure: Array

    @property
    def strange(self) -> int:
        """Return the label of pixels that nothing known explains."""
        return len(self.things) + 1

    def with_fences(self, colour: Colour) -> "Appearance":
        """Return the same appearance with fences of another colour."""
        return replace(self, colours=self.colours | {FENCE: colour})

    def reflectance(self, laid: Picture) -> Array:
        """Return the reflectance, red green blue, of every pixel of a flat picture."""
        linear: Array = cv2.LUT(cv2.cvtColor(laid, cv2.COLOR_BGR2RGB), LINEAR)
        return linear / self.white

    @cached_property
    def _bare_terms(self) -> tuple[Array, Array, Array, Array]:
        """Return shares of red and green and log brightness of the bare board, and whether each
        pixel of it is only guessed, so that unknown gloss may lie on it."""
        red, green, level = shares(self.bare)
        return red, green, level, self.sure < SEEN_BARE

    def label(self, seen: Array) -> tuple[Array, Array]:
        """Return the label of every pixel, and how like the bare board each tile is."""
        light = light_change(seen, self.bare)
        red, green, level = shares(seen / light.overall)
        bare_red, bare_green, bare_level, guessed = self._bare_terms
        off_red, off_green = red - bare_red, green - bare_green
        ratio = level - bare_level - light.local
        off = off_red**2 + off_green**2 + (off_red + off_green) ** 2
        grain = float(np.median(off))
        variance = np.float32(max(BARE_SPREAD**2, 2.0 * grain))
        plain = (off < variance * PLAINLY_BARE) & (np.abs(ratio) < 0.5)
        labels = np.zeros(seen.shape[:2], np.uint8)
        doubtful = np.flatnonzero(~plain)
        pick = (part.ravel()[doubtful] for part in (red, green, level, ratio))
        bare = tuple(part.ravel()[doubtful] for part in (bare_red, bare_green, guessed))
        labels.ravel()[doubtful] = self._label_doubtful(bare, *pick, variance)
        for edge in (labels[:RIM], labels[-RIM:], labels[:, :RIM], labels[:, -RIM:]):
            edge[edge == self.strange] = BARE
        labels[_blown(seen * self.white) & guessed] = BARE
        return labels, likeness_of_tiles(labels == BARE, level, bare_level)

    def _label_doubtful(
        self,
        bare: tuple[Array, ...],
        red: Array,
        green: Array,
        level: Array,
        ratio: Array,
        variance: float,
    ) -> Array:
        noise = (DARK * np.exp(-level)) ** 2
        distance = np.empty((len(self.things) + 1, red.size), np.float32)
        distance[BARE] = _bare_distance(bare, red, green, ratio, variance + noise)
        narrow = 1 / (THING_SPREAD**2 + noise)
        for number, thing in enumerate(self.things, start=1):
            colour = self.colours[thing]
            away = _thing_distance(colour, red, green, level, narrow)
            beyond = np.abs(level - math.log(colour.brightness)) - colour.room
            away += (np.maximum(0, beyond) / 0.5) ** 2
            distance[number] = away
        labels = distance.argmin(axis=0).astype(np.uint8)
        labels[distance.min(axis=0) > STRANGE_BEYOND] = self.strange
        return labels


def _blown(light: Array) -> Array:
    """Return the larger areas in which the camera saw nothing but white: a lamp in the gloss."""
    low, middle = np.sort(light, axis=-1)[..., :2].transpose(2, 0, 1)
    white = ((middle > BLOWN) & (low > BLOWN / 2)).astype(np.uint8)
    if not white.any():
        return white > 0
    return np.asarray(cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((11, 11), np.uint8))) > 0


def shares(seen: Array) -> tuple[Array, Array, Array]:
    """Return the shares of red and of green, and the log of the brightness, of reflectances."""
    bright = seen.mean(axis=-1, dtype=np.float32) + np.float32(DARK)
    part = 1 / (3 * bright)
    return (seen[..., 0] + DARK) * part, (seen[..., 1] + DARK) * part, np.log(bright)


def _thing_distance(colour: Colour, red: Array, green: Array, level: Array, narrow: Array) -> Array:
    """Return how far the shares of pixels are from a thing's colour; paler, as gloss makes it, is
    not as far as any other direction."""
    pull_red, pull_green = 1 / 3 - colour.share[0], 1 / 3 - colour.share[1]
    off_red, off_green = red - colour.share[0], green - colour.share[1]
    length = pull_red**2 + pull_green**2 + (pull_red + pull_green) ** 2 + 1e-6
    dot = off_red * pull_red + off_green * pull_green
    dot += (off_red + off_green) * (pull_red + pull_green)
    most = np.clip((level - math.log(colour.brightness) + 0.6) * 0.7, 0, 0.7)
    along = np.clip(dot / length, 0, most)
    off_red, off_green = off_red - along * pull_red, off_green - along * pull_green
    away: Array = (off_red**2 + off_green**2 + (off_red + off_green) ** 2) * narrow
    away += along**2 * (length / PALE_SPREAD**2)
    return away


def _bare_distance(
    bare: tuple[Array, ...], red: Array, green: Array, ratio: Array, variance: Array
) -> Array:
    """Return how far pixels are from the bare board, in shade or under gloss."""
    # Gloss adds white light: a brighter pixel may be paler, at most by as much as was added.
    gloss = np.clip(1 - np.exp(-ratio), 0, 1) * bare[2]
    pull_red, pull_green = gloss * (1 / 3 - bare[0]), gloss * (1 / 3 - bare[1])
    off_red, off_green = red - bare[0], green - bare[1]
    length = pull_red**2 + pull_green**2 + (pull_red + pull_green) ** 2
    dot = off_red * pull_red + off_green * pull_green
    dot += (off_red + off_green) * (pull_red + pull_green)
    along = np.clip(dot / (length + 1e-9), 0, 1)
    off_red, off_green = off_red - along * pull_red, off_green - along * pull_green
    off = off_red**2 + off_green**2 + (off_red + off_green) ** 2
    shade = np.clip(-ratio - 0.2, 0, 1.2)  # light in a shadow has another tint
    away: Array = off / (variance * (1 + 1.5 * shade))
    brighter = (np.maximum(0, ratio - 0.5) / 0.6) ** 2
    away += np.where(bare[2], np.minimum(brighter, GLOSS_COST), brighter)
    away += (np.maximum(0, -ratio - 0.9) / 0.6) ** 2
    return away


@dataclass(frozen=True)
class Light:
    """How the light differs from when the bare board was seen: by colour, and from spot to spot."""

    overall: Array  # red, green, blue
    local: Array  # for each pixel the log of the change beyond the overall one


def light_change(seen: Array, bare: Array) -> Light:
    """Return the change of light, judged by the middles of the cells, most of which are bare.

    From spot to spot it may change as a plane does: a hand or a fence must not pass for light.
    """
    ratios = np.log((_cell_middles(seen) + DARK) / (_cell_middles(bare) + DARK))
    overall = np.median(ratios, axis=0)
    uneven = (ratios - overall).mean(axis=-1)
    rows, columns = seen.shape[0] // TILE, seen.shape[1] // TILE
    y, x = (grid.ravel() for grid in np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j])
    basis = np.stack([np.ones_like(x), x, y], axis=-1)
    plane = np.zeros(3)
    for _ in range(4):  # cells that do not follow the plane lose their say
        rest = uneven - basis @ plane
        weight = 1 / (1 + (rest / 0.15) ** 2)
        plane = np.linalg.solve(
            (basis.T * weight) @ basis + 0.5 * np.eye(3), (basis.T * weight) @ uneven
        )
    down = np.linspace(-1, 1, seen.shape[0], dtype=np.float32)[:, None]
    across = np.linspace(-1, 1, seen.shape[1], dtype=np.float32)[None, :]
    local = np.float32(plane[0]) + np.float32(plane[1]) * across + np.float32(plane[2]) * down
    return Light(np.exp(overall).astype(np.float32), local)


def _cell_middles(image: Array) -> Array:
    """Return the middle colour of the middle of each cell, shape (cells, 3)."""
    rows, columns = image.shape[0] // TILE, image.shape[1] // TILE
    tiles = image.reshape(rows, TILE, columns, TILE, 3)[:, 7:22:3, :, 7:22:3]
    flat: Array = np.median(tiles.transpose(0, 2, 1, 3, 4).reshape(rows * columns, -1, 3), axis=1)
    return flat


def bare_tiles(seen: Array) -> Array:
    """Return a guess of the bare board: over all tiles the middle value, in the light of each."""
    rows, columns = seen.shape[0] // TILE, seen.shape[1] // TILE
    tiles = seen.reshape(rows, TILE, columns, TILE, 3).transpose(0, 2, 1, 3, 4)
    flat = tiles.reshape(rows * columns, TILE, TILE, 3)
    level = np.median(flat.mean(axis=-1), axis=(1, 2))
    scaled = flat / np.maximum(level, DARK)[:, None, None, None]
    tile = np.median(scaled, axis=0)
    local = np.maximum(level, DARK).reshape(rows, columns).astype(np.float32)
    usual = float(np.median(local))
    calm = cv2.medianBlur(np.clip(local, 0.4 * usual, 2.5 * usual), 3)
    light = cv2.resize(calm, (seen.shape[1], seen.shape[0]), interpolation=cv2.INTER_LINEAR)
    return (np.tile(tile, (rows, columns, 1)) * light[..., None]).astype(np.float32)


def first_sight(board: Board, laid: Picture, white: Array) -> Appearance:
    """Return what a picture and the profile tell about a board never seen before."""
    colours = {FENCE: colour_of(board.fence.colour)}
    colours |= {name: colour_of(piece.colour) for name, piece in board.pieces.items()}
    if board.pellet is not None:
        colours[PELLET] = colour_of(board.pellet.colour)
    seen = LINEAR[laid[..., ::-1]] / white
    bare = bare_tiles(seen)
    return Appearance(tuple(colours), colours, white, bare, np.zeros(bare.shape[:2], np.float32))


def likeness_of_tiles(is_bare: Array, level: Array, bare_level: Array) -> Array:
    """Return for each tile how well the pattern of the bare board shows in its bare pixels.

    1 is the very pattern, 0 none of it; 1 as well where too few pixels are bare to tell.
    """
    rows, columns = is_bare.shape[0] // TILE, is_bare.shape[1] // TILE

    def tiles(values: Array) -> Array:
        total: Array = values.reshape(rows, TILE, columns, TILE).sum(axis=(1, 3), dtype=np.float32)
        return total

    bare = is_bare.astype(np.float32)
    for edge in (bare[:RIM], bare[-RIM:], bare[:, :RIM], bare[:, -RIM:]):
        edge[:] = 0  # beyond the outer cells lies the rim, not a groove
    now, then = level * bare, bare_level * bare
    count = np.maximum(tiles(bare), 1)
    mean_now, mean_then = tiles(now) / count, tiles(then) / count
    both = tiles(now * bare_level) / count - mean_now * mean_then
    own = tiles(now * level) / count - mean_now**2
    other = tiles(then * bare_level) / count - mean_then**2
    found: Array = both / np.sqrt(np.maximum(own * other, 1e-6))
    found[(count < 0.35 * TILE**2) | (other < 0.01)] = 1
    return found
