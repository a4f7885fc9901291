"""Glare: a lamp or a window mirrored in the board (specular highlights).

A mirrored lamp only adds light, of about its own colour and smoothly, so cells and grooves still
show through it at their places, with less contrast. Whatever lies on the board hides them, even
if it is as white as the lamp: that is the test. Where the light is too much for the camera nothing
shows through; such a place is taken for glare only when what shows through lies all around it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.sensing.camera.frame import Array
from companion.sensing.vision.colours import DARK, as_grey, as_light
from companion.sensing.vision.flat import TILE, round_brush
from companion.sensing.vision.light import spread

BRIGHTER = 0.3  # of log brightness by which glare makes a cell brighter
TINT = 0.12  # distance of colour shares within which added light is that of a lamp
UNLIT = 0.6  # of the grey levels added
COLOURFUL = 0.08  # of grey levels from 0 to 1 by which the colour of a thing is told
SHOWS, HIDES = 0.7, 0.3  # of the usual likeness of a tile to the bare board, whatever its contrast
BESIDE = 0.5  # the same for tiles that are not bright
TOGETHER = 0.55  # the same for tiles that touch: what covers them leaves less of several at once
ODD = 0.03  # of a tile that must look odd for glare to matter
SMALLEST = 2  # tiles; the eyes of a piece can make one look bright
FEW = 2  # tiles in a cluster that a fence or a piece in the glare may spoil
OCCUPIED = 0.2  # of a tile that things fill: a pale one may pass for light beside itself
LEAST_USUAL = 0.4  # a likeness below which a picture is too poor to tell
ENOUGH = 0.3  # of the pixels of a tile that must be seen to tell
PATTERN = 0.3  # of the pattern of a tile that must lie in them: what is left may be an even cell
FADES, MOSTLY = 17, 0.7  # pixels across around what is too bright, and which part is bright too
TOUCHED, BLINDING = 0.02, 0.4  # of a tile that is too bright for the camera
RIM = 5  # pixels along the edges: beyond the outer cells lies the rim, not a groove
SMOOTH = 13  # pixels; what changes more slowly is the lamp's, what changes faster the board's
PIXELS = np.ones((TILE, TILE), bool)
HALVES = (range(2, 12, 2), range(13, 23, 2))  # of the top of a cell, every other pixel


@dataclass(frozen=True)
class Lit:
    """Pixels as reflectances in the light of now, and the same as grey levels from 0 to 1."""

    light: Array
    grey: Array

    def at(self, at: Array) -> "Lit":
        """Return some of the pixels, shape (3, pixels)."""
        return Lit(_taken(self.light, at), _taken(self.grey, at))


@dataclass(frozen=True)
class Glare:
    """Where glare lies and what it adds. Cameras differ in how they squeeze bright light: the
    board below may look as if light was added (``added``), or as if grey levels were
    (``raised``, of the root); both are arrays of three planes.
    """

    within: Array  # pixels
    blind: Array  # pixels of it in which nothing shows through
    dim: Array  # pixels of it that show the bare board badly
    tiles: Array  # (rows, columns)
    added: Array
    raised: Array
    burnt: Array  # in which colours pixels are too bright for the camera

    def over(self, bare: Lit, at: Array) -> list[Array]:
        """Return how some pixels of the bare board, shape (3, pixels), may look under it: with
        its light, either way or half and half, or without, as grooves do that mirror nothing."""
        light = bare.light + _taken(self.added, at)
        grey = as_light(bare.grey + _taken(self.raised, at))
        return [light, grey, 0.5 * (light + grey), bare.light]

    def taken_off(self, seen: Lit, at: Array) -> Iterator[tuple[Array | slice, Array]]:
        """Yield how things at some pixels, or at which of them, may look without it."""
        yield np.s_[:], seen.light
        yield np.s_[:], np.maximum(seen.light - _taken(self.added, at), 0)
        lowered = as_light(seen.grey - _taken(self.raised, at))
        yield np.s_[:], lowered
        # Of a colour that is too bright for the camera nobody knows how much was added.
        burnt = _taken(self.burnt, at)
        some = np.flatnonzero(burnt.any(axis=0))
        yield some, np.where(burnt[:, some], seen.light[:, some], lowered[:, some])

    def unlit(self, grey: Array) -> Array:
        """Return the pixels that return less than what was added: it is not added there, because
        something stands in front, or because grooves mirror nothing."""
        unlit: Array = _least(grey) < UNLIT * _least(self.raised)
        return unlit


def _taken(values: Array, at: Array) -> Array:
    return np.take(values.reshape(3, -1), at, axis=1)


def may_be_glare(middles: Array, bare_middles: Array, white: Array) -> bool:
    """Tell, by the middles of the cells alone, whether it is worth looking for glare."""
    return bool(_lit(middles, bare_middles, white).any())


def suspect_glare(seen: Lit, bare: Lit, white: Array, burnt: Array, odd: Array) -> Glare | None:
    """Return what would be glare in a flat picture if all that is bright and white was, None for
    none; whether it is glare is for :func:`believe` to tell.

    ``bare`` is the bare board in the light of this picture, ``white`` the colour of that light,
    ``burnt`` tells in which colours pixels are too bright for the camera, ``odd`` which do not
    look like the bare board: where they are few, the board is read as well without.
    """
    now, then = _blocks(seen.light), _blocks(bare.light)
    lit = _lit(now, then, white)
    if not lit.any():
        return None
    known = lit | (np.abs(_ratio(now, then)) < BRIGHTER)
    added = spread(np.maximum(now - then, 0), known)
    raised = spread(np.maximum(as_grey(now) - as_grey(then), 0), known)
    bright = np.log1p(added.mean(axis=0) / (then.mean(axis=0) + DARK)) > BRIGHTER
    height, width = odd.shape
    tiles = bright.reshape(height // TILE, 2, width // TILE, 2).any(axis=(1, 3))
    tiles = _worth_a_look(tiles, _share(odd) > ODD)
    if not tiles.any():
        return None
    fields = [np.stack([_enlarged(p, (width, height)) for p in f]) for f in (added, raised)]
    within = np.kron(tiles, PIXELS)
    blind = within & burnt.all(axis=0)
    return Glare(within, blind, blind, tiles, fields[0], fields[1], burnt)


def believe(glare: Glare, grey: Array, bare: Array, things: Array, odd: Array) -> Glare | None:
    """Return the part of a suspicion that is glare, because the board shows through.

    ``grey`` and ``bare`` are the picture and the bare board in grey levels, ``things`` pixels in
    which something is known to stand on it, ``odd`` those that glare would explain: where they
    are few, the board is read as well without.
    """
    burnt = np.asarray(glare.burnt.any(axis=0))
    near_burnt = cv2.dilate(burnt.astype(np.uint8), round_brush(3)) > 0
    clear = _tinted(grey, bare, glare.raised) & ~np.asarray(near_burnt)
    clear &= np.asarray(cv2.dilate(things.astype(np.uint8), round_brush(3))) == 0
    for edge in (clear[:RIM], clear[-RIM:], clear[:, :RIM], clear[:, -RIM:]):
        edge[:] = False
    shown, even = _shows_through(grey - glare.raised, bare, clear)
    touched = _share(glare.burnt.all(axis=0) & _fades(grey, bare, glare.burnt))
    occupied = even | (_share(things) > OCCUPIED)
    tiles, weak = _believed(glare.tiles, shown, even, occupied, touched, _share(odd) > ODD)
    if not tiles.any():
        return None
    within = np.kron(tiles, PIXELS)
    dim = np.kron(weak, PIXELS)
    return replace(glare, within=within, blind=glare.blind & within, dim=dim, tiles=tiles)


def _worth_a_look(bright: Array, odd: Array) -> Array:
    """Return the bright tiles that lie together in some number, one of them odd."""
    count, parts = cv2.connectedComponents(bright.astype(np.uint8), connectivity=4)
    worth = [part.sum() >= SMALLEST and odd[part].any() for part in _each(parts, count)]
    kept: Array = np.array([False, *worth])[parts]
    return kept


def _blocks(values: Array) -> Array:
    """Return the median colours of the quarters of all cells, shape (3, 2 rows, 2 columns)."""
    _, height, width = values.shape
    rows, columns, side = height // TILE, width // TILE, len(HALVES[0])
    tiles = values.reshape(3, rows, TILE, columns, TILE)
    picked = tiles[:, :, np.ravel(HALVES)][..., np.ravel(HALVES)]
    parts = picked.reshape(3, rows, 2, side, columns, 2, side).transpose(0, 1, 2, 4, 5, 3, 6)
    flat = parts.reshape(3, 2 * rows, 2 * columns, side * side)
    middle: Array = np.partition(flat, side * side // 2, axis=-1)[..., side * side // 2]
    return middle


def _ratio(now: Array, then: Array) -> Array:
    ratio: Array = np.log((now.mean(axis=0) + DARK) / (then.mean(axis=0) + DARK))
    return ratio


def _lit(now: Array, then: Array, white: Array) -> Array:
    """Return where light was added that may be a lamp's: of the colour of the light in the room,
    of that which the camera takes for white, or of one between them."""
    added = np.maximum(now - then, 0)
    share = added / (added.sum(axis=0) + 1e-6)
    grey = np.full(3, 1 / 3)
    neutral = (1 / white) / (1 / white).sum()
    span = neutral - grey
    part = np.tensordot(span, share - 1 / 3, axes=1) / (float(span @ span) + 1e-6)
    nearest = grey.reshape(3, *[1] * part.ndim) + np.multiply.outer(span, np.clip(part, 0, 1))
    off = np.linalg.norm(share - nearest, axis=0)
    lit: Array = (_ratio(now, then) > BRIGHTER) & (off < TINT)
    return lit


def _enlarged(blocks: Array, size: tuple[int, int]) -> Array:
    return np.asarray(cv2.resize(blocks, size, interpolation=cv2.INTER_LINEAR))


def _tinted(grey: Array, bare: Array, raised: Array) -> Array:
    """Return which pixels have a colour that the bare board has with more or less of this light
    added; everything white has, pieces and fences have not."""
    more = grey - bare
    part = np.maximum(_mean(more) / (_mean(raised) + np.float32(1e-3)), 0)
    more -= part * raised
    np.abs(more, out=more)
    tinted: Array = np.maximum(np.maximum(more[0], more[1]), more[2]) < COLOURFUL
    return tinted


def _least(planes: Array) -> Array:
    least: Array = np.minimum(np.minimum(planes[0], planes[1]), planes[2])
    return least


def _mean(planes: Array) -> Array:
    mean: Array = (planes[0] + planes[1] + planes[2]) * np.float32(1 / 3)
    return mean


def _fades(grey: Array, bare: Array, burnt: Array) -> Array:
    """Return the saturated pixels around which the light fades slowly, as it does around a
    mirrored lamp; white paper just ends."""
    core = np.asarray(burnt.all(axis=0))
    if not core.any():
        return core
    count, parts = cv2.connectedComponents(core.astype(np.uint8), connectivity=8)
    fading = np.zeros(count, bool)
    any_burnt = burnt.any(axis=0).astype(np.uint8)
    level, below = _mean(grey), _mean(bare)
    lit = level > 0.5 * (below + 1)
    for number in range(1, count):
        part = (parts == number).astype(np.uint8)
        near = cv2.dilate(part, np.ones((FADES, FADES), np.uint8)) > 0
        halo = np.asarray(near) & (any_burnt == 0)
        fading[number] = not halo.any() or float(lit[halo].mean()) > MOSTLY
    found: Array = fading[parts]
    return found


def _share(mask: Array) -> Array:
    rows, columns = mask.shape[0] // TILE, mask.shape[1] // TILE
    grey = mask.astype(np.float32)
    return np.asarray(cv2.resize(grey, (columns, rows), interpolation=cv2.INTER_AREA))


def _shows_through(grey: Array, bare: Array, clear: Array) -> tuple[Array, Array]:
    """Return for each tile how well the pattern of the bare board shows, whatever its contrast
    (normalised cross-correlation of what changes fast); NaN where too little is clear.

    Also return in which tiles hardly any of that pattern is clear, so that nothing can be told.
    """
    rows, columns = clear.shape[0] // TILE, clear.shape[1] // TILE
    weight = clear.astype(np.float32)
    around = cv2.blur(weight, (SMOOTH, SMOOTH)) + 1e-6

    def fine(level: Array) -> Array:
        slow = cv2.blur(level * weight, (SMOOTH, SMOOTH)) / around
        found: Array = (level - slow) * weight
        return found

    def total(values: Array) -> Array:
        means = cv2.resize(values, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(means) * TILE**2

    both, own, other, whole = np.zeros((4, rows, columns), np.float32)
    for channel in range(3):
        now, then = fine(grey[channel]), fine(bare[channel])
        both += total(now * then)
        own += total(now * now)
        other += total(then * then)
        whole += total((bare[channel] - cv2.blur(bare[channel], (SMOOTH, SMOOTH))) ** 2)
    alike = both / np.sqrt(own * other + 1e-9)
    few = total(weight) < ENOUGH * TILE**2
    return np.where(few, np.nan, alike), ~few & (other < PATTERN * whole)


def _believed(
    bright: Array, shown: Array, even: Array, occupied: Array, burnt: Array, odd: Array
) -> tuple[Array, Array]:
    """Return which tiles are glare, and which of them do not show the board well.

    Bright tiles that touch are one component. It is glare when the board shows through most of it,
    and fails to only where the light is too much, or in a few tiles at a time, where a
    fence or a piece stands in it. ``even`` tiles say nothing, ``occupied`` ones little.
    """
    glare = np.zeros(bright.shape, bool)
    told = ~np.isnan(shown)
    usual = float(np.median(shown[told])) if told.any() else 0.0
    if usual < LEAST_USUAL:
        return glare, glare
    weak = (burnt < BLINDING) & ~(shown >= np.where(bright, SHOWS, BESIDE) * usual)
    faint = weak & ~(shown >= np.where(bright, TOGETHER, BESIDE) * usual) & (burnt < TOUCHED)
    hiding = (weak & (shown < HIDES * usual) & ~occupied) | _clustered(faint & ~even)
    hiding = np.asarray(cv2.dilate(hiding.astype(np.uint8), np.ones((3, 3), np.uint8))) > 0
    count, parts = cv2.connectedComponents(bright.astype(np.uint8), connectivity=4)
    for part in _each(parts, count):
        through = part & (shown >= SHOWS * usual)
        shows = not hiding[part].any() and 2 * through.sum() > part.sum()
        if shows and odd[part].any():
            glare |= part
    return glare, glare & weak


def _each(parts: Array, count: int) -> Iterator[Array]:
    """Yield the connected components of a map that is numbered from 1."""
    for number in range(1, count):
        yield parts == number


def _clustered(weak: Array) -> Array:
    """Return the tiles that touch too many others of their kind."""
    count, parts = cv2.connectedComponents(weak.astype(np.uint8), connectivity=8)
    many = np.bincount(parts.ravel(), minlength=count) > FEW
    many[0] = False
    clustered: Array = many[parts]
    return clustered
