"""What agreed positions teach: the names of pawns by their paint, and the looks of places.

Cold, the profile's colours decide which pawn it is, as they would look in the light that explains
the paints of all pawns best. Once a position is agreed, what the net saw of
each pawn is what it is called by from there on; every agreed position renews it (an exponential
moving average). One that the net hardly takes for a pawn is known for that, too. A bare square or
groove in which the net keeps seeing something, a print or a reflection, is known for it, too. So is
how all places looked when the position was last agreed: a fence that the net never takes for one
shows by what has changed since (background subtraction).
"""

from collections.abc import Iterator, Mapping

import numpy as np

from companion.board import Board, Spot, Thing, patches
from companion.sensing.camera.frame import Array
from companion.sensing.vision.net import paint_of

COLD_SPREAD, WARM_SPREAD = 0.22, 0.16  # of a paint's hue, in units of 50 of CIELAB
COLD_LIGHTNESS = 0.30  # the same of its lightness, before it was met
FADED, FADED_SPREAD = 0.85, 0.25  # what is left of a profile's colour in paint that was not met
CAST, PASSES = 0.2, 4  # by which light puts all paints off alike, and in how many steps it is found
STRANGER = 8.0  # squared distance, in spreads, at which it may as well be none of them
RENEWED = 0.2  # weight of a new lesson
CALM = 4.0  # what a place should say at the least of what is known to be there, or not
CLEAR = 7.0  # what a pawn should say of itself: a move needs it to be seen as clearly as that
MOST_TO, MOST_FROM = 6.0, 3.0  # by which a place may be corrected, to nothing and to something
CHANGED = 3.0  # by which each patch of a slot says more of a fence, if there is a new one
OUTDONE = 1.5  # times as much as anything else around has changed
BESIDE = 1.2  # pitches from its middle to what is not its own place along its groove
AROUND = 1.6  # pitches from its middle: shadows of other new things fall as far


class Acquaintance:
    """Knows the pawns of one board by their paint."""

    def __init__(self, board: Board) -> None:
        self.names = tuple(board.pieces)
        paints = [paint_of(p / 255 for p in piece.colour) for piece in board.pieces.values()]
        self._paints = np.array(paints, np.float64)
        self._met = np.zeros(len(self.names), bool)
        self._cast = np.zeros(3)  # by which all paints seem to be off
        self.faint = np.zeros(len(self.names))  # what each lacks to be taken for a pawn

    def name(self, paint: Array) -> Array:
        """Return for paints, (n, 3), the log-probability of each name, (n, names).

        Paint fades and light dims it, which changes how deep it is more than its hue, so colours
        that are not met yet are compared along and across the line to grey.
        """
        hue = np.where(self._met, WARM_SPREAD, COLD_SPREAD)
        light = np.where(self._met, WARM_SPREAD, COLD_LIGHTNESS)
        deep = np.linalg.norm(self._paints[:, 1:], axis=1)
        east, north = (self._paints[:, 1:] / np.maximum(deep, 1e-6)[:, None]).T
        depth = np.hypot(hue, np.where(self._met, 0.0, FADED_SPREAD * deep))
        lighter, a, b = np.moveaxis(paint[:, None] - self._cast - self._looks, -1, 0)
        far = (lighter / light) ** 2
        far += ((a * east + b * north) / depth) ** 2 + ((b * east - a * north) / hue) ** 2
        fit = -0.5 * far - np.log(light * depth * hue / (COLD_LIGHTNESS * COLD_SPREAD**2))
        stranger = np.full((len(paint), 1), -0.5 * STRANGER)
        total = np.logaddexp.reduce(np.concatenate([fit, stranger], axis=1), axis=1)
        named: Array = fit - total[:, None]
        return named

    @property
    def _looks(self) -> Array:
        """Return which paint is expected of each, (names, 3)."""
        left = np.where(self._met, 1.0, FADED)
        looks: Array = self._paints * np.stack([np.ones_like(left), left, left], axis=1)
        return looks

    def settle(self, paints: Array, there: Array) -> None:
        """Find the light in which the pawns that are ``there``, each with a probability, are most
        likely those of this board (expectation maximisation); none once one has been met."""
        self._cast = np.zeros(3)
        if self._met.any():
            return
        spread = np.array([COLD_LIGHTNESS, COLD_SPREAD, COLD_SPREAD])
        for _ in range(PASSES):
            whose = np.exp(self.name(paints)) * there[:, None]
            whose /= np.maximum(whose.sum(axis=0), 1)  # there is one of each
            off = (whose[..., None] * (paints[:, None] - self._looks)).sum(axis=(0, 1))
            self._cast = off / (whose.sum() + (spread / CAST) ** 2)

    def meet(self, seen: Mapping[Thing, tuple[Array, float]]) -> None:
        """Take in how pawns look whose names are known: their paint, and the evidence that it is a
        pawn at all."""
        for thing, (paint, sure) in seen.items():
            if thing in self.names:
                n = self.names.index(thing)
                weight = RENEWED if self._met[n] else 1.0
                self._paints[n] += weight * (paint - self._paints[n])
                self.faint[n] += weight * (np.clip(CLEAR - sure, 0, MOST_FROM) - self.faint[n])
                self._met[n] = True


class Habits:
    """By how much the evidence of each place is off, as agreed positions show; ``up`` is the most
    by which it may be corrected where something is."""

    def __init__(self, count: int, up: float = MOST_FROM) -> None:
        self.bias = np.zeros(count)
        self._up = up
        self._met = np.zeros(count, bool)
        self._there = np.zeros(count, bool)

    def meet(self, said: Array, there: Array, clear: Array) -> None:
        """Take in what the places said while it was known where something was ``there``."""
        down = np.clip(-CALM - said, -MOST_TO, 0)
        up = np.clip(CALM - said, 0, self._up)
        wanted = np.where(there, up, down)
        same = self._met & (there == self._there)  # a groove tells nothing of the fence in it
        pace = np.where(same, RENEWED, 1.0) * clear
        self._there = np.where(clear, there, self._there)
        self.bias += pace * (wanted - self.bias)
        self._met |= clear


class Baseline:
    """How squares and patches looked when the position was last agreed, and in which slots
    something has come since then, by that alone.

    A pawn that goes or a fence that comes also changes what the places around it say, by its shadow
    or by what it hides. So a change is told only where it outdoes all others around, and from then
    on until it is seen to be gone, whatever may change beside it.
    """

    def __init__(self, board: Board) -> None:
        number = {patch: n for n, patch in enumerate(board.patches)}
        self._slots = board.slots
        self._patches = np.array([[number[p] for p in patches(slot)] for slot in board.slots])
        middles = np.array([board.at(slot) for slot in board.slots])
        places = np.array([board.at(place) for place in (*board.patches, *board.squares)])
        away = np.abs(places[None] - middles[:, None]) / board.pitch_mm
        level = np.array([slot[2] == "h" for slot in board.slots])[:, None]
        along = np.where(level, away[..., 0], away[..., 1])
        across = np.where(level, away[..., 1], away[..., 0])
        own = (along < BESIDE) & (across < BESIDE - 1)  # with the crossings at its ends
        self._around = (np.hypot(away[..., 0], away[..., 1]) < AROUND) & ~own
        self._agreed: tuple[Array, Array, Array] | None = None
        self._told = np.zeros(len(board.slots), bool)

    def meet(self, fences: Array, squares: Array, bare: Array) -> None:
        """Take in what patches and squares say at an agreed position, and which patches are seen
        to be bare."""
        self._agreed = fences, squares, bare
        self._told[:] = False

    def came(self, fences: Array, squares: Array, clear: Array) -> Iterator[Spot]:
        """Yield the slots in which something has come, given what patches and squares say now, and
        which of them, patches first, can be seen."""
        if self._agreed is None:
            return
        before, squares_before, bare = self._agreed
        seen = clear[: len(bare)]
        if not (bare & seen).any():
            return
        change = fences - before
        change -= np.median(change[bare & seen])  # another light changes all places alike
        # A fence that stands is seen less surely beside a new one: that is no change of it.
        others = np.abs(np.concatenate([change * bare, squares - squares_before]))
        others[~clear] = np.inf
        least = change[self._patches].min(axis=1)
        around = np.where(self._around, others, 0).max(axis=1)
        changed = bare[self._patches].all(axis=1) & (least > CHANGED)
        told = changed & (self._told | (least > OUTDONE * around))
        self._told = np.where(seen[self._patches].all(axis=1), told, self._told)
        yield from (self._slots[n] for n in np.nonzero(self._told)[0])
