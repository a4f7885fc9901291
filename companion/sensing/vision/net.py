"""The trained net, run by OpenCV: a flat picture in, maps of answers out.

The maps have a step every ``STRIDE`` pixels of the flat picture. A *head* is a group of maps: one
for each kind of thing at squares, grooves and crossings, three for the paint of what is there.
Answers to a place are read off where it lies.
"""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture

WEIGHTS = Path(__file__).with_name("eyes.onnx")

STRIDE = 16
FIRST = (STRIDE - 1) / 2  # the pixel over which the first step lies

SQUARE = ("empty", "flat", "ball", "pawn", "lying", "covered")
GROOVE = ("free", "fence", "loose", "covered")
CROSSING = ("free", "across", "along", "loose", "covered")

#: What each head of kinds can say, in the order of its maps.
KINDS = {"square": SQUARE, "across": GROOVE, "along": GROOVE, "crossing": CROSSING}

#: Maps of each head, in their order.
HEADS = {
    **{name: len(kinds) for name, kinds in KINDS.items()},  # across: grooves from west to east
    "paint": 3,  # of what stands on a square: lightness, green to red, blue to yellow
    "stave": 3,  # of a fence, the same
    "off": 2,  # where its foot is, in pitches east and south of the place asked for
}


def paint_of(colour: Iterable[float]) -> Array:
    """Return a colour, red green blue of sRGB to 1, as the net tells paint: CIELAB, about ±1."""
    one = np.array([[tuple(colour)]], np.float32)
    lightness, a, b = cv2.cvtColor(one, cv2.COLOR_RGB2Lab)[0, 0]
    return np.array([lightness / 50 - 1, a / 50, b / 50], np.float32)


def maps_of(name: str) -> slice:
    """Return which of all maps are those of one head."""
    first = sum(HEADS[each] for each in list(HEADS)[: list(HEADS).index(name)])
    return slice(first, first + HEADS[name])


def _swapped() -> Array:
    """Return which map says of a field whose rows are columns what each says of the field."""
    order = np.arange(sum(HEADS.values()))
    across, along, crossing, off = map(maps_of, ("across", "along", "crossing", "off"))
    ways = [CROSSING.index("across"), CROSSING.index("along")]
    order[across], order[along] = order[along].copy(), order[across].copy()
    order[crossing][ways] = order[crossing][ways[::-1]]
    order[off] = order[off][::-1].copy()
    return order


LEAN = slice(3, 5)  # planes of the input
#: The eight ways to show a field: mirrored or not (-1 or 1) east to west and north to south, and
#: with rows for columns. The last four are for fields that are square.
TURNS = [(x, y, swapped) for swapped in (False, True) for y in (1, -1) for x in (1, -1)]
SWAPPED = _swapped()


def head(maps: Array, name: str) -> Array:
    """Return the maps of one head."""
    part: Array = maps[maps_of(name)]
    return part


def read_at(maps: Array, pixels: Array) -> Array:
    """Return the answers at pixels, column and row, of the flat picture (bilinear), shape
    (answers, n)."""
    last = np.array(maps.shape[:0:-1]) - 1.001
    at = np.clip((pixels - FIRST) / STRIDE, 0, last)
    first = np.floor(at).astype(np.intp)
    (x, y), (fx, fy) = first.T, (at - first).T
    upper = maps[:, y, x] * (1 - fx) + maps[:, y, x + 1] * fx
    lower = maps[:, y + 1, x] * (1 - fx) + maps[:, y + 1, x + 1] * fx
    read: Array = upper * (1 - fy) + lower * fy
    return read


def log_softmax(logits: Array) -> Array:
    """Return log-probabilities along the last axis."""
    logs: Array = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    return logs


def open_net(weights: Path) -> cv2.dnn.Net:
    """Return a net that was trained, as OpenCV runs it: on one thread, from here on all it does in
    this process."""
    cv2.setNumThreads(1)  # with more, OpenCV 4.8 gets dilated convolutions wrong
    # OpenCV 5 has two engines: its new one takes half as long again for such nets.
    engine = [cv2.dnn.ENGINE_CLASSIC] if hasattr(cv2.dnn, "ENGINE_CLASSIC") else []
    return cv2.dnn.readNetFromONNX(str(weights), *engine)


class Net:
    """One net on one thread; :data:`WEIGHTS` are trained by ``make eyes``."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = open_net(weights)

    def answer(self, laid: Picture, lean: Array, turn: int = 0) -> Array:
        """Return the maps for a flat picture and how far things lean in it; ``turn`` is the one of
        :data:`TURNS` in which the net is shown it."""
        planes = np.empty((5, *laid.shape[:2]), np.float32)
        planes[:3] = np.moveaxis(laid, -1, 0)
        planes[:3] /= 255
        planes[3:] = lean
        self._net.setInput(np.ascontiguousarray(_turned(planes, turn)[None]))
        maps = np.asarray(self._net.forward(), np.float32)[0]
        return _turned_back(maps, turn)


def _turned(planes: Array, turn: int) -> Array:
    """Return planes mirrored and turned; the lean is a vector, east and south."""
    mirrored, flipped, swapped = TURNS[turn]
    planes = planes[:, ::flipped, ::mirrored].copy()
    planes[LEAN] *= np.array([mirrored, flipped], np.float32)[:, None, None]
    if swapped:
        planes = planes.transpose(0, 2, 1)
        planes[LEAN] = planes[LEAN][::-1].copy()
    return planes


def _turned_back(maps: Array, turn: int) -> Array:
    """Return maps as they are when the net was not shown the field turned."""
    mirrored, flipped, swapped = TURNS[turn]
    if swapped:
        maps = maps[SWAPPED].transpose(0, 2, 1)
    maps = maps[:, ::flipped, ::mirrored].copy()
    maps[maps_of("off")] *= np.array([mirrored, flipped], np.float32)[:, None, None]
    return maps
