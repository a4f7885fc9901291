"""How things look: turns the flat picture into a label for every pixel (pixel classification).

The bare board is described pixel by pixel, things by one colour each. All of it starts from the
profile and the picture itself and is refined by labelled pictures. Most pixels are plainly bare;
only the others are compared with everything that is known.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from companion.board import FENCE, PELLET, Board
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.colours import GAMMA, Colour, as_grey, colour_of, planes, shares
from companion.sensing.vision.distances import (
    BRIGHTER_ROOM,
    DARKER_ROOM,
    Palette,
    bare_distance,
    faded_distance,
    glared_distance,
    noise,
    palette,
)
from companion.sensing.vision.glare import Glare, Lit, believe, may_be_glare, suspect_glare
from companion.sensing.vision.light import (
    RIM,
    Light,
    bare_tiles,
    cell_middles,
    cell_tops,
    glossy_cells,
    light_change,
)
from companion.sensing.vision.pattern import Pattern, coarse
from companion.sensing.vision.regions import HIDDEN

BARE = 0  # the label of the bare board; things follow in the order of Appearance.things
FENCE_LABEL = 1  # fences are the first of the things
BARE_SPREAD = 0.055
PLAINLY_BARE = 2.0
NEARER = 0.15  # part of the squared distance to a thing that is safely nearer to the board
SEEN_BARE = 0.5
PALE_ROOM = 0.08
STRANGE_BEYOND = 10.0  # threshold of squared distance beyond which nothing explains a pixel
TOLD_APART = 1.0  # squared distance by which a thing under glare differs from the bare board
BURNT = 250  # of 255: more light than the camera can tell (saturated)


@dataclass(frozen=True)
class Appearance:
    """All that is known of how this board and its things look.

    ``white`` is the light at every pixel (the flat field), ``bare`` the bare board's reflectance,
    ``sure`` how well each pixel of it is known (0 guessed from other tiles, 1 seen bare).
    """

    things: tuple[str, ...]
    colours: dict[str, Colour]
    white: Array
    bare: Array
    sure: Array

    @cached_property
    def is_new(self) -> bool:
        """Tell whether nothing was learned yet, so that gloss on the board is unknown."""
        return not bool((self.sure > SEEN_BARE).any())

    @property
    def strange(self) -> int:
        """Return the label of pixels that nothing known explains."""
        return len(self.things) + 1

    def with_fences(self, colour: Colour) -> "Appearance":
        """Return the same appearance with fences of another colour."""
        return replace(self, colours=self.colours | {FENCE: colour})

    def reflectance(self, laid: Picture) -> Array:
        """Return the reflectance of every pixel of a flat picture."""
        seen: Array = planes(laid) * self._gain
        return seen

    @cached_property
    def bare_middles(self) -> Array:
        """Return the colour of the middle of each bare cell."""
        return cell_middles(self.bare)

    @cached_property
    def _gain(self) -> Array:
        return (1 / self.white).astype(np.float32)

    @cached_property
    def _mean_white(self) -> Array:
        mean: Array = self.white.mean(axis=(1, 2))
        return mean

    @cached_property
    def _gain_of_grey(self) -> Array:
        """Return what turns a picture's grey levels, up to 255, into those of reflectances."""
        gain: Array = as_grey(self._gain) / np.float32(255)
        return gain

    @cached_property
    def _bare_grey(self) -> Array:
        return as_grey(self.bare)

    @cached_property
    def _palette(self) -> Palette:
        return palette(self.colours[thing] for thing in self.things)

    @cached_property
    def _is_thing(self) -> Array:
        """Return for each label whether it is that of something with a colour of its own."""
        things = [number for number, thing in enumerate(self.things, start=1) if thing != PELLET]
        return np.isin(np.arange(256), things)

    @cached_property
    def _bare_terms(self) -> tuple[Array, Array, Array, Array]:
        """Return shares of red and green and log brightness of the bare board, and whether each
        pixel of it is only guessed, so that unknown gloss may lie on it; grooves have none."""
        red, green, level = shares(self.bare)
        return red, green, level, (self.sure < SEEN_BARE) & cell_tops(self.sure.shape)

    @cached_property
    def _shown_then(self) -> Array:
        """Return the bare board as a coarse picture: blue, green, red."""
        grey: Array = as_grey(self.bare * self.white)[::-1].transpose(1, 2, 0)
        return coarse(255 * grey)

    def _shown(self, light: Light) -> Array:
        """Return the same in the light of now, which is even enough within a tile."""
        shown: Array = self._shown_then * (light.overall ** np.float32(1 / GAMMA))[::-1]
        return shown

    def bare_at(self, index: Array) -> tuple[Array, Array, Array]:
        """Return shares of red and green and log brightness of some pixels of the bare board."""
        red, green, level, _ = self._bare_terms
        return np.take(red, index), np.take(green, index), np.take(level, index)

    @cached_property
    def _plain_within(self) -> Array:
        """Return for each pixel how far its colour may be off before a thing comes closer."""
        red, green, _, _ = self._bare_terms
        nearest = np.full(red.shape, PLAINLY_BARE * BARE_SPREAD**2, np.float32)
        for colour in self.colours.values():
            off_red, off_green = red - colour.share[0], green - colour.share[1]
            off = off_red * off_red + off_green * off_green + off_red * off_green
            np.minimum(nearest, off * NEARER, out=nearest)
        return nearest

    def label(self, laid: Picture) -> tuple[Array, Pattern, Light]:
        """Return the label of every pixel, what the board's pattern is judged by, and the light."""
        seen = self.reflectance(laid)
        light = light_change(seen, self.bare_middles)
        seen /= light.overall[:, None, None]
        red, green, level = shares(seen)
        bare_red, bare_green, bare_level, guessed = self._bare_terms
        off_red, off_green = red - bare_red, green - bare_green
        ratio = level - bare_level
        ratio -= light.local
        off = off_red * off_red + off_green * off_green + off_red * off_green  # half the square
        grain = 4.0 * float(np.median(off[::5, ::3]))
        variance = max(BARE_SPREAD**2, grain)
        plain = (off < self._plain_within) & (ratio < BRIGHTER_ROOM) & (ratio > -DARKER_ROOM)
        labels = np.zeros(off.shape, np.uint8)
        at = np.flatnonzero(~plain)
        pixels = [np.take(part, at) for part in (red, green, level, ratio)]
        bare = [np.take(part, at) for part in (bare_red, bare_green, guessed)]
        labels.ravel()[at] = self._label_doubtful(pixels, bare, variance)
        _clear_rim(labels, self.strange)
        if self.is_new:
            faded = faded_distance((red, green), (bare_red, bare_green), 1.0)
            pale = faded < PALE_ROOM**2
            odd, clear = labels != BARE, labels != FENCE_LABEL
            labels[glossy_cells(odd, clear, pale, (red, green, level), bare_level)] = BARE
        pattern = Pattern(coarse(laid), self._shown(light))
        glare, under = self.glare(laid, seen, light, labels)
        if glare is not None:
            labels[glare.within] = under[glare.within]
            pattern = replace(pattern, known=glare.tiles)
            light = replace(light, mirrored=glare.within)
        return labels, pattern, light

    def glare(
        self, laid: Picture, seen: Array, light: Light, labels: Array
    ) -> tuple[Glare | None, Array]:
        """Return where a lamp is mirrored, None for nowhere, and the labels with it in mind.

        ``seen`` is the reflectance of the flat picture in the light of now.
        """
        white = self._mean_white * light.overall
        if not may_be_glare(cell_middles(seen), self.bare_middles, white):
            return None, labels
        levels = np.stack(cv2.split(laid)[::-1])
        overall = (light.overall ** np.float32(-1 / GAMMA))[:, None, None]
        now = Lit(seen, levels * (self._gain_of_grey * overall))
        local = np.asarray(cv2.exp(light.local))
        then = Lit(self.bare * local, self._bare_grey * cv2.pow(local, 1 / GAMMA))
        glare = suspect_glare(now, then, white, levels >= BURNT, labels != BARE)
        if glare is None:
            return None, labels
        before, labels = labels, labels.copy()
        at = np.flatnonzero(glare.within)
        labels.ravel()[at] = self._labels_under(glare, now.at(at), then.at(at), at)
        unlit = glare.unlit(now.grey)
        labels[unlit] = before[unlit]
        # Beside a bright cell the edge of a fence is as pale as the cell: it must not grow there.
        labels[(before == BARE) & (labels == FENCE_LABEL)] = HIDDEN
        odd = (before != BARE) & (labels == BARE)
        glare = believe(glare, now.grey, then.grey, self._is_thing[labels], odd)
        if glare is not None:
            untold = glare.dim | (glare.within & glare.burnt.any(axis=0))
            labels[glare.blind | (untold & (labels == BARE))] = HIDDEN
        return glare, labels

    def _labels_under(self, glare: Glare, now: Lit, then: Lit, at: Array) -> Array:
        """Return the labels of the pixels under glare: the bare board as it looks there, things
        as they are or with the same light added, hidden what may be either."""
        red, green, level = shares(now.light)
        variance = np.float32(BARE_SPREAD**2) + noise(level)
        distance = np.full((len(self.things) + 1, at.size), np.inf, np.float32)
        for expected in glare.over(then, at):
            off = glared_distance(red, green, level, shares(expected), variance)
            np.minimum(distance[BARE], off, out=distance[BARE])
        for which, without in glare.taken_off(now, at):
            off = self._palette.distances(*shares(without))
            distance[1:, which] = np.minimum(distance[1:, which], off)
        found: Array = distance.argmin(axis=0).astype(np.uint8)
        found[np.abs(distance[BARE] - distance[1:].min(axis=0)) < TOLD_APART] = HIDDEN
        found[distance.min(axis=0) > STRANGE_BEYOND] = self.strange
        return found

    def _label_doubtful(self, pixels: list[Array], bare: list[Array], variance: float) -> Array:
        red, green, level, _ = pixels
        distance = np.empty((len(self.things) + 1, red.size), np.float32)
        distance[BARE] = bare_distance(pixels, bare, noise(level) + np.float32(variance))
        distance[1:] = self._palette.distances(red, green, level)
        labels: Array = distance.argmin(axis=0).astype(np.uint8)
        labels[distance.min(axis=0) > STRANGE_BEYOND] = self.strange
        return labels


def _clear_rim(labels: Array, strange: int) -> None:
    """Take all labels off the rim but those of things that reach there from the field: the frame
    may have the colour of anything."""
    rims = (labels[:RIM], labels[-RIM:], labels[:, :RIM], labels[:, -RIM:])
    nexts = (labels[RIM], labels[-RIM - 1], labels[:, RIM, None], labels[:, -RIM - 1, None])
    for rim, beside in zip(rims, nexts, strict=True):
        rim[(rim != beside) | (rim == strange)] = BARE


def first_sight(board: Board, laid: Picture, white: Array) -> Appearance:
    """Return what a picture and the profile tell about a board never seen before."""
    colours = {FENCE: colour_of(board.fence.colour)}
    colours |= {name: colour_of(piece.colour) for name, piece in board.pieces.items()}
    if board.pellet is not None:
        colours[PELLET] = colour_of(board.pellet.colour)
    bare = bare_tiles(planes(laid) / white)
    return Appearance(tuple(colours), colours, white, bare, np.zeros(bare.shape[1:], np.float32))
