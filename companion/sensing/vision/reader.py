"""Reads the board by the net: from its answers to evidence, cover and sightings.

The net's logits are calibrated, so the evidence for a thing is the difference of two of them (a
log-likelihood ratio to "nothing is there"), limited so that no single place decides alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.board import (
    FENCE,
    PELLET,
    Board,
    Evidence,
    Place,
    Position,
    Sighting,
    Spot,
    Thing,
    patches,
    places_of,
)
from companion.sensing.camera.frame import Array
from companion.sensing.vision.acquaintance import MOST_TO, Acquaintance, Baseline, Habits
from companion.sensing.vision.net import (
    CROSSING,
    FIRST,
    GROOVE,
    SQUARE,
    STRIDE,
    head,
    log_softmax,
    read_at,
)
from companion.sensing.vision.placed import ASIDE, around
from companion.sensing.vision.sheet import PX

SQUARE_LIMIT, PATCH_LIMIT = 8.0, 4.0  # of the evidence one square or one patch can give
COVERED = 0.5  # probability from which a place is taken to be covered
SEEN = 0.5  # probability from which something is somewhere
LIES = 0.25  # the same of something flat, of which a fence has many places
NOT_IN = -1.0  # evidence of a patch whose fence is not all the way in
CAME = 1.5  # at the least, of a patch in which something has come: three of them are a question
VOTES, APART = 0.4, 0.55  # pitches between votes that mean one pawn, and between two pawns
BEYOND = 0.25  # pitches beyond the field where a pawn may still stand
LONG = 1.1  # pitches that something flat must be long to be a fence
NEAR = 5  # steps of the maps around the middle of a square in which something flat is believed

EMPTY, FLAT, BALL, PAWN, HIDDEN = map(SQUARE.index, ("empty", "flat", "ball", "pawn", "covered"))
HEADS = {"n": ("across", GROOVE), "e": ("along", GROOVE), "x": ("crossing", CROSSING)}


@dataclass(frozen=True)
class Pawn:
    """A pawn that is seen somewhere: its foot in pitches east and south of the middle."""

    x: float
    y: float
    sure: float
    paint: Array


@dataclass(frozen=True)
class Look:
    """What the net says of one picture, in the order of the board's squares and patches."""

    squares: Array  # (n, kinds): log-probabilities
    paints: Array  # (n, 3)
    fences: Array  # (m,): log-likelihood ratio of a fence, in or half in, to a free groove
    loose: Array  # (m,): probability that such a fence is not all the way in
    hidden: Array  # (m,): probability that the patch is covered
    pawns: tuple[Pawn, ...]
    lying: tuple[tuple[float, float, float], ...]  # fences: middle in pitches, angle

    @property
    def doubt(self) -> float:
        """Return what is left open, in nats a place (entropy): much where the board is not where it
        is looked for."""
        squares = -(np.exp(self.squares) * self.squares).sum(axis=1)
        ratio = np.abs(self.fences)
        odds = np.exp(-ratio)
        grooves = np.log1p(odds) + ratio * odds / (1 + odds)
        return float(squares.mean() + grooves.mean())

    @property
    def ratios(self) -> Array:
        """Return the log-likelihood ratios of a pawn and of a pellet to nothing, (2, n)."""
        ratios: Array = self.squares[:, [PAWN, BALL]].T - self.squares[:, EMPTY]
        return ratios


@dataclass(frozen=True)
class Findings:
    """What a picture says."""

    evidence: Evidence
    covered: frozenset[Place]
    sightings: tuple[Sighting, ...]


class Reader:
    """Reads what the net says of one board, and gets to know the board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._known = Acquaintance(board)
        self._pawns = Habits(len(board.squares))
        self._balls = Habits(len(board.squares))
        self._fences = Habits(len(board.patches), MOST_TO)
        self._baseline = Baseline(board)
        self._at = _places_px(board, board.squares)
        self._groups = [
            (name, kinds, np.array([n for n, p in enumerate(board.patches) if p[2] == side]))
            for side, (name, kinds) in HEADS.items()
        ]
        self._patches_at = _places_px(board, board.patches)
        number = {patch: n for n, patch in enumerate(board.patches)}
        self._slots = {slot: [number[patch] for patch in patches(slot)] for slot in board.slots}

    def look(self, maps: Array) -> Look:
        """Return what the net's answers say of this board."""
        middle = (np.array(maps.shape[:0:-1]) * STRIDE - 1) / 2
        said = read_at(maps, middle + self._at)
        count = len(self.board.patches)
        fences, loose, hidden = np.zeros(count), np.zeros(count), np.zeros(count)
        for name, kinds, these in self._groups:
            logs = log_softmax(head(read_at(maps, middle + self._patches_at[these]), name).T)
            any_fence = np.logaddexp.reduce(logs[:, 1 : kinds.index("loose") + 1], axis=1)
            fences[these] = any_fence - logs[:, kinds.index("free")]
            loose[these] = np.exp(logs[:, kinds.index("loose")] - any_fence)
            hidden[these] = np.exp(logs[:, kinds.index("covered")])
        squares = log_softmax(head(said, "square").T)
        shares = np.exp(log_softmax(np.moveaxis(head(maps, "square"), 0, -1)))
        return Look(
            squares,
            head(said, "paint").T,
            fences,
            loose,
            hidden,
            tuple(self._standing(maps, shares[..., PAWN], middle)),
            tuple(self._lying(shares[..., FLAT], np.exp(squares[:, FLAT]) > LIES, middle)),
        )

    def tell(self, look: Look) -> Findings:
        """Return what a look says of the board, by all that is known of it."""
        board = self.board
        pawn, ball = self._ratios(look)
        self._known.settle(look.paints, np.exp(look.squares[:, PAWN]))
        names = self._known.name(look.paints)
        # The likelier of the two is limited, and the other lowered with it: they must stay apart.
        # So must names, which are weighed after that.
        faint = self._known.faint
        most = pawn + faint[names.argmax(axis=1)]
        if board.pellet is not None:
            most = np.maximum(most, ball)
        excess = np.maximum(most - SQUARE_LIMIT, 0)
        each = np.maximum((pawn - excess)[:, None] + names + faint, -SQUARE_LIMIT)
        balls = np.maximum(ball - excess, -SQUARE_LIMIT).tolist()
        covered = {
            square
            for square, share in zip(board.squares, np.exp(look.squares[:, HIDDEN]), strict=True)
            if share > COVERED
        }
        evidence = {
            square: dict(zip(self._known.names, values, strict=True))
            for square, values in zip(board.squares, each.tolist(), strict=True)
            if square not in covered
        }
        if board.pellet is not None:
            for square, value in zip(board.squares, balls, strict=True):
                if square in evidence:
                    evidence[square][PELLET] = value
        fences = np.clip(look.fences + self._fences.bias, -PATCH_LIMIT, PATCH_LIMIT)
        for slot in self._baseline.came(look.fences, _filled(look), _clear(look)):
            its = self._slots[slot]
            fences[its] = np.maximum(fences[its], CAME)
        there = 1 / (1 + np.exp(-fences))
        fences = fences - look.loose * there * (fences - NOT_IN)
        for patch, value, share in zip(board.patches, fences.tolist(), look.hidden, strict=True):
            if share > COVERED:
                covered.add(patch)
            else:
                evidence[patch] = {FENCE: value}
        return Findings(evidence, frozenset(covered), tuple(self._sightings(look)))

    def fences(self, look: Look, known: Iterable[Spot] = ()) -> Iterator[Spot]:
        """Yield the slots in which a fence may be, all the way in or not: those known, then the
        likeliest; no two overlap."""
        taken = {number for slot in known for number in self._slots[slot]}
        yield from known
        total = {slot: float(look.fences[its].sum()) for slot, its in self._slots.items()}
        for slot in sorted(self._slots, key=total.__getitem__, reverse=True):
            its = self._slots[slot]
            if total[slot] <= 0:
                break
            seen = (look.fences[its] > 0).sum() >= 2 and look.hidden[its].max() < COVERED
            if seen and taken.isdisjoint(its):
                taken.update(its)
                yield slot

    def closely(self, look: Look, loose: Mapping[Spot, float]) -> Look:
        """Return a look with what a close look at fences says of how they stand."""
        shares = look.loose.copy()
        for slot, share in loose.items():
            shares[self._slots[slot]] = share
        return replace(look, loose=shares)

    def meet(self, position: Position, look: Look) -> None:
        """Take a look as one at this position: so its pawns and its bare places look."""
        board, shown = self.board, places_of(position)
        aside = around(self._sightings(look))  # they are not where they belong
        open_squares = np.exp(look.squares[:, HIDDEN]) < COVERED
        open_squares &= [square not in aside for square in board.squares]
        things = [shown.get(square, "") for square in board.squares]
        pawn, ball = look.ratios
        sure = pawn - np.maximum(ball, 0)
        met = [(n, thing) for n, thing in enumerate(things) if thing and open_squares[n]]
        self._known.meet({thing: (look.paints[n], sure[n]) for n, thing in met})
        stands = np.array([thing in board.pieces for thing in things])
        lies = np.array([thing == PELLET for thing in things])
        self._pawns.meet(pawn, stands, open_squares & ~lies & ~stands)  # pawns go elsewhere
        self._balls.meet(ball, lies, open_squares & ~stands)
        fenced = np.array([shown.get(patch, "") == FENCE for patch in board.patches])
        clear = (look.hidden < COVERED) & (look.loose < SEEN)
        self._fences.meet(look.fences, fenced, clear)
        bare = ~fenced & (look.hidden < COVERED)
        self._baseline.meet(look.fences, _filled(look), bare)

    def _ratios(self, look: Look) -> tuple[Array, Array]:
        """Return for every square the log-likelihood ratio of a pawn and of a pellet. All that see
        a pawn there know more of it than the middle of the square alone."""
        pawn, ball = look.ratios
        for seen in look.pawns:
            away = np.hypot(*(self._at / PX - (seen.x, seen.y)).T)
            square = int(away.argmin())
            if away[square] <= ASIDE:
                pawn[square] = max(pawn[square], _log_odds(seen.sure))
        return pawn + self._pawns.bias, ball + self._balls.bias

    def _sightings(self, look: Look) -> Iterator[Sighting]:
        """Yield where pawns stand, each where it is seen most surely, and where fences lie."""
        pitch = self.board.pitch_mm
        best: dict[Thing, tuple[float, Pawn]] = {}
        for pawn in look.pawns:
            names = self._known.name(pawn.paint[None])[0]
            name = self._known.names[int(names.argmax())]
            sure = min(_log_odds(pawn.sure) + float(names.max()), SQUARE_LIMIT)
            if sure > max(0.0, best[name][0] if name in best else 0.0):
                best[name] = sure, pawn
        for name, (sure, pawn) in best.items():
            yield self.board.sighting(name, pawn.x * pitch, -pawn.y * pitch, sure)
        for x, y, angle in look.lying:
            yield self.board.sighting(FENCE, x * pitch, -y * pitch, SQUARE_LIMIT, angle)

    def _standing(self, maps: Array, share: Array, middle: Array) -> Iterator[Pawn]:
        """Yield the pawns with where their feet are: every step of the maps that sees one says how
        far off it is, and steps that mean the same place have one vote together (Hough voting)."""
        rows, columns = np.nonzero(share > SEEN)
        sure = share[rows, columns]
        steps = np.stack([columns, rows], axis=-1) * STRIDE + FIRST
        feet = (steps - middle) / PX + head(maps, "off")[:, rows, columns].T
        while len(feet):
            foot = feet[sure.argmax()]
            for _ in range(2):
                near = np.hypot(*(feet - foot).T) < VOTES
                foot = np.average(feet[near], axis=0, weights=sure[near]) if near.any() else foot
            near |= np.hypot(*(feet - foot).T) < APART
            if np.abs(foot).max() < self.board.columns / 2 + BEYOND:
                paint = head(read_at(maps, (middle + foot * PX)[None]), "paint")[:, 0]
                yield Pawn(float(foot[0]), float(foot[1]), float(sure[near].max()), paint)
            feet, sure = feet[~near], sure[~near]

    def _lying(
        self, share: Array, lies: Array, middle: Array
    ) -> Iterator[tuple[float, float, float]]:
        """Yield the fences that lie loose on the field (connected components and their axes), given
        the squares at whose middles something flat ``lies``.

        The net was asked of squares at their middles alone. What it says between them is only
        believed around a middle that shows something flat, too: grooves alone are full of it.
        """
        columns, rows = np.round((middle + self._at[lies] - FIRST) / STRIDE).astype(np.intp).T
        believed = np.zeros(share.shape, np.uint8)
        believed[rows, columns] = 1
        near = np.asarray(cv2.dilate(believed, np.ones((NEAR, NEAR)))) > 0
        flat = ((share > LIES) & near).astype(np.uint8)
        shown = cv2.morphologyEx(flat, cv2.MORPH_CLOSE, np.ones((3, 3)))
        count, parts = cv2.connectedComponents(shown, connectivity=8)
        for number in range(1, count):
            part = cv2.dilate((parts == number).astype(np.uint8), np.ones((3, 3)))
            at = np.stack(np.nonzero(part)[::-1]).astype(np.float64)
            weight = share[part > 0]
            spread, axes = np.linalg.eigh(np.cov(at, aweights=weight))
            x, y = (np.average(at, axis=1, weights=weight) * STRIDE + FIRST - middle) / PX
            if np.sqrt(12 * spread[1]) * STRIDE / PX < LONG:
                continue
            if max(abs(x), abs(y)) <= self.board.columns / 2:
                angle = float(np.degrees(np.arctan2(-axes[1, 1], axes[0, 1])) % 180)
                yield float(x), float(y), angle


def _filled(look: Look) -> Array:
    """Return the evidence that squares are not empty, within limits: a pawn beside a new fence is
    seen less surely, which is no change of the board."""
    filled: Array = np.clip(look.ratios.max(axis=0), -SQUARE_LIMIT, SQUARE_LIMIT)
    return filled


def _clear(look: Look) -> Array:
    """Return of which patches, and of which squares after them, nothing is hidden."""
    seen: Array = np.concatenate([look.hidden, np.exp(look.squares[:, HIDDEN])]) < COVERED
    return seen


def _log_odds(share: float) -> float:
    return float(np.log(share / (1 - share + 1e-6)))


def _places_px(board: Board, places: tuple[Place, ...]) -> Array:
    """Return how many pixels east and south of the middle places lie, (n, 2)."""
    at: Array = np.array([board.at(place) for place in places]) * (1, -1) * PX / board.pitch_mm
    return at
