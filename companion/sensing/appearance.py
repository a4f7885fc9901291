"""How things look: turns the flat picture into a label for every pixel.

The bare board is described pixel by pixel, things by one colour each. All of it starts from the
profile and the picture itself and is refined by labelled pictures. Most pixels are plainly bare;
only the others are compared with everything that is known.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.board import FENCE, PELLET, Board
from companion.sensing.camera import Array, Picture
from companion.sensing.colours import DARK, Colour, colour_of, planes, shares
from companion.sensing.glare import GAMMA, Glare, as_grey, believe, may_be_glare, suspect_glare
from companion.sensing.light import (
    Light,
    bare_tiles,
    cell_middles,
    cell_tops,
    glossy_cells,
    light_change,
)
from companion.sensing.pattern import Pattern, coarse
from companion.sensing.regions import HIDDEN

BARE = 0  # the label of the bare board; things follow in the order of Appearance.things
FENCE_LABEL = 1  # fences are the first of the things
THING_SPREAD = 0.075  # of the colour shares
PALE_SPREAD = 0.15  # the same towards white, as gloss makes things paler
BARE_SPREAD = 0.055
PLAINLY_BARE = 2.0
NEARER = 0.15  # part of the squared distance to a thing that is safely nearer to the board
BRIGHTER_ROOM, DARKER_ROOM = 0.5, 0.9  # of log brightness, without a cost
GLOSS_COST = 2.0
SEEN_BARE = 0.5
PALE_ROOM = 0.08
STRANGE_BEYOND = 10.0  # squared distance at which nothing known explains a pixel
RIM = 3  # pixels around the flat picture that show the rim
GLARE_ROOM = 0.2  # of log brightness beyond what is known to be added
TOLD_APART = 1.0  # squared distance by which a thing under glare differs from the bare board
BURNT = 250  # of 255: more light than the camera can tell


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
        """Return the label of every pixel, what the board's pattern is told by, and the light."""
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
        for edge in (labels[:RIM], labels[-RIM:], labels[:, :RIM], labels[:, -RIM:]):
            edge[edge == self.strange] = BARE
        if self.is_new:
            pale = _colourful(red, green) < _colourful(bare_red, bare_green) + PALE_ROOM
            labels[glossy_cells(labels != BARE, pale, level, bare_level, RIM)] = BARE
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
        white = self.white.mean(axis=(1, 2)) * light.overall
        if not may_be_glare(cell_middles(seen), self.bare_middles, white):
            return None, labels
        bare = self.bare * np.exp(light.local)
        burnt = np.ascontiguousarray(laid.transpose(2, 0, 1)[::-1]) >= BURNT
        glare = suspect_glare(seen, bare, white, burnt, labels != BARE)
        if glare is None:
            return None, labels
        before, labels = labels, labels.copy()
        labels[glare.within] = self._labels_under(glare, seen, bare)
        grey = as_grey(seen)
        unlit = glare.unlit(grey)
        labels[unlit] = before[unlit]
        # Beside a bright cell the edge of a fence is as pale as the cell: it must not grow there.
        labels[(before == BARE) & (labels == FENCE_LABEL)] = HIDDEN
        coloured = [n for n, t in enumerate(self.things, start=1) if t != PELLET]
        odd = (before != BARE) & (labels == BARE)
        glare = believe(glare, grey, as_grey(bare), np.isin(labels, coloured), odd)
        if glare is not None:
            labels[glare.blind | (glare.dim & (labels == BARE))] = HIDDEN
        return glare, labels

    def _labels_under(self, glare: Glare, seen: Array, bare: Array) -> Array:
        """Return the labels of the pixels under glare: the bare board as it looks there, things
        as they are or with the same light added, hidden what may be either."""
        at = np.flatnonzero(glare.within)
        here, below = seen.reshape(3, -1)[:, at], bare.reshape(3, -1)[:, at]
        red, green, level = shares(here)
        variance = np.float32(BARE_SPREAD**2) + (DARK * np.exp(-level)) ** 2
        distance = np.full((len(self.things) + 1, at.size), np.inf, np.float32)
        for expected in glare.over(below, at):
            off = _under_glare(red, green, level, shares(expected), variance)
            np.minimum(distance[BARE], off, out=distance[BARE])
        for without in glare.taken_off(here, at):
            np.minimum(distance[1:], self._thing_distances(*shares(without)), out=distance[1:])
        found: Array = distance.argmin(axis=0).astype(np.uint8)
        found[np.abs(distance[BARE] - distance[1:].min(axis=0)) < TOLD_APART] = HIDDEN
        found[distance.min(axis=0) > STRANGE_BEYOND] = self.strange
        return found

    def label_closely(self, colours: Picture, at: Array, light: Light) -> tuple[Array, Array]:
        """Return label and log brightness of pixels that were taken from the picture itself.

        ``at`` names for each of them the pixel of the flat picture that shows the same place.
        """
        seen = planes(colours) * np.take(self._gain.reshape(3, -1), at, axis=1)
        seen /= light.overall[:, None, None]
        red, green, level = shares(seen)
        bare_red, bare_green, bare_level, guessed = (np.take(p, at) for p in self._bare_terms)
        ratio = level - bare_level - np.take(light.local, at)
        pixels = [part.ravel() for part in (red, green, level, ratio)]
        bare = [part.ravel() for part in (bare_red, bare_green, guessed)]
        labels = self._label_doubtful(pixels, bare, BARE_SPREAD**2)
        return labels.reshape(at.shape), level

    def _label_doubtful(self, pixels: list[Array], bare: list[Array], variance: float) -> Array:
        red, green, level, _ = pixels
        noise = (DARK * np.exp(-level)) ** 2
        distance = np.empty((len(self.things) + 1, red.size), np.float32)
        distance[BARE] = _bare_distance(pixels, bare, noise + np.float32(variance))
        distance[1:] = self._thing_distances(red, green, level)
        labels: Array = distance.argmin(axis=0).astype(np.uint8)
        labels[distance.min(axis=0) > STRANGE_BEYOND] = self.strange
        return labels

    def _thing_distances(self, red: Array, green: Array, level: Array) -> Array:
        """Return how far pixels are from each thing, shape (things, pixels)."""
        narrow = 1 / (np.float32(THING_SPREAD**2) + (DARK * np.exp(-level)) ** 2)
        colours = (self.colours[thing] for thing in self.things)
        return np.stack([_thing_distance(c, red, green, level, narrow) for c in colours])


def _colourful(red: Array, green: Array) -> Array:
    """Return how far shares of red and green are from grey."""
    off_red, off_green = red - np.float32(1 / 3), green - np.float32(1 / 3)
    far: Array = np.sqrt(2 * (off_red * off_red + off_green * off_green + off_red * off_green))
    return far


def _thing_distance(colour: Colour, red: Array, green: Array, level: Array, narrow: Array) -> Array:
    """Return how far pixels are from a thing's colour; being paler, as gloss makes it, is not as
    far as any other direction, and brightness has some room."""
    pull_red, pull_green = 1 / 3 - colour.share[0], 1 / 3 - colour.share[1]
    off_red, off_green = red - colour.share[0], green - colour.share[1]
    length = pull_red**2 + pull_green**2 + (pull_red + pull_green) ** 2 + 1e-6
    # The shares of blue make up for the other two, hence the mixed terms here and below.
    dot = off_red * (2 * pull_red + pull_green) + off_green * (2 * pull_green + pull_red)
    brighter = level - math.log(colour.brightness)
    along = np.clip(dot / length, 0, np.clip((brighter + 0.6) * 0.7, 0, 0.7))
    off_red -= along * pull_red
    off_green -= along * pull_green
    away: Array = (off_red * off_red + off_green * off_green + off_red * off_green) * (2 * narrow)
    away += along * along * (length / PALE_SPREAD**2)
    beyond = np.maximum(0, np.abs(brighter) - colour.room)
    away += 4 * beyond * beyond
    return away


def _bare_distance(pixels: list[Array], bare: list[Array], variance: Array) -> Array:
    """Return how far pixels are from the bare board, in shade or under gloss."""
    red, green, _, ratio = pixels
    bare_red, bare_green, guessed = bare
    # Gloss adds white light: a brighter pixel may be paler, at most by as much as was added.
    gloss = np.clip(1 - np.exp(-ratio), 0, 1) * guessed
    pull_red, pull_green = gloss * (1 / 3 - bare_red), gloss * (1 / 3 - bare_green)
    off_red, off_green = red - bare_red, green - bare_green
    length = 2 * (pull_red * pull_red + pull_green * pull_green + pull_red * pull_green)
    dot = off_red * (2 * pull_red + pull_green) + off_green * (2 * pull_green + pull_red)
    along = np.clip(dot / (length + 1e-9), 0, 1)
    off_red -= along * pull_red
    off_green -= along * pull_green
    shade = np.clip(-ratio - 0.2, 0, 1.2)  # light in a shadow has another tint
    away: Array = 2 * (off_red * off_red + off_green * off_green + off_red * off_green)
    away /= variance * (1 + 1.5 * shade)
    brighter = (np.maximum(0, ratio - BRIGHTER_ROOM) / 0.6) ** 2
    away += np.where(guessed, np.minimum(brighter, GLOSS_COST), brighter)
    away += (np.maximum(0, -ratio - DARKER_ROOM) / 0.6) ** 2
    return away


def _under_glare(
    red: Array, green: Array, level: Array, bare: tuple[Array, Array, Array], variance: Array
) -> Array:
    """Return how far pixels are from the bare board with a light on it that is known."""
    off_red, off_green = red - bare[0], green - bare[1]
    away: Array = 2 * (off_red * off_red + off_green * off_green + off_red * off_green) / variance
    ratio = level - bare[2]
    away += (np.maximum(0, ratio - GLARE_ROOM) / GLARE_ROOM) ** 2
    away += (np.maximum(0, -ratio - DARKER_ROOM) / 0.6) ** 2
    return away


def first_sight(board: Board, laid: Picture, white: Array) -> Appearance:
    """Return what a picture and the profile tell about a board never seen before."""
    colours = {FENCE: colour_of(board.fence.colour)}
    colours |= {name: colour_of(piece.colour) for name, piece in board.pieces.items()}
    if board.pellet is not None:
        colours[PELLET] = colour_of(board.pellet.colour)
    bare = bare_tiles(planes(laid) / white)
    return Appearance(tuple(colours), colours, white, bare, np.zeros(bare.shape[1:], np.float32))
