"""Reads the board by the net: from its answers to evidence, cover and sightings.

The net's logits are calibrated, so the evidence for a thing is the difference of two of them (a
log-likelihood ratio to "nothing is there"), limited so that no single place decides alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import FENCE, PELLET, Board, Evidence, Place, Position, Sighting, Spot, Thing
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.vision.acquaintance import Acquaintance, places_px
from companion.sensing.vision.answers import (
    CROSSING,
    FIRST,
    GROOVE,
    SQUARE,
    STRIDE,
    head,
    read_at,
)
from companion.sensing.vision.net import Net
from companion.sensing.vision.sheet import PX, Sheet

SQUARE_LIMIT, PATCH_LIMIT = 8.0, 4.0
COVERED = 0.5  # probability from which a place is taken to be covered
SEEN = 0.5  # probability from which a pawn is somewhere
APART = 0.6  # pitches: two pawns cannot be nearer
HALF_IN = -1.0  # evidence of a patch whose fence is not all the way in
LONG = 1.1  # pitches that something flat must be long to be a fence
TEMPERATURE = {"square": 1.0, "groove": 1.0, "crossing": 1.0}

EMPTY, PAWN, BALL = SQUARE.index("empty"), SQUARE.index("pawn"), SQUARE.index("ball")


@dataclass(frozen=True)
class Findings:
    """What a picture says."""

    evidence: Evidence
    covered: frozenset[Place]
    sightings: tuple[Sighting, ...]
    paints: Mapping[Spot, Array]


class Reader:
    """Reads flat pictures of one board."""

    def __init__(self, board: Board, net: Net) -> None:
        self.board = board
        self._net = net
        self._known = Acquaintance(board)
        self._patches = {
            kind: [patch for patch in board.patches if patch[2] == kind] for kind in "nex"
        }

    def read(self, sheet: Sheet, picture: Picture) -> Findings:
        """Return what a picture shows."""
        laid = sheet.lay(picture)
        maps = self._net.answer(laid, sheet.lean)
        size = laid.shape[0], laid.shape[1]
        evidence: dict[Place, Mapping[Thing, float]] = {}
        covered: set[Place] = set()
        paints = self._squares(maps, size, evidence, covered)
        self._grooves(maps, size, evidence, covered)
        sightings = (*self._pawns(maps, size), *self._lying(maps, size))
        return Findings(evidence, frozenset(covered), sightings, paints)

    def meet(self, position: Position, found: Findings) -> None:
        """Take a picture as one of this position: so its pawns look."""
        seen = {
            thing: found.paints[spot]
            for spot, thing in position.items()
            if spot in found.paints and spot not in found.covered
        }
        self._known.meet(seen)

    def _squares(
        self,
        maps: Array,
        size: tuple[int, int],
        evidence: dict[Place, Mapping[Thing, float]],
        covered: set[Place],
    ) -> dict[Spot, Array]:
        squares = self.board.squares
        at = places_px(self.board, squares, size, PX)
        said = read_at(maps, at[:, 0], at[:, 1])
        logs = log_softmax(head(said, "square").T, TEMPERATURE["square"])
        paint = head(said, "paint").T
        names = self._known.name(paint)
        hidden = np.exp(logs[:, SQUARE.index("covered")]) > COVERED
        pawn = np.clip(logs[:, PAWN] - logs[:, EMPTY], -2 * SQUARE_LIMIT, 2 * SQUARE_LIMIT)
        ball = np.clip(logs[:, BALL] - logs[:, EMPTY], -SQUARE_LIMIT, SQUARE_LIMIT)
        each = np.clip(pawn[:, None] + names, -SQUARE_LIMIT, SQUARE_LIMIT)
        for n, square in enumerate(squares):
            if hidden[n]:
                covered.add(square)
                continue
            things = dict(zip(self._known.names, each[n].tolist(), strict=True))
            if self.board.pellet is not None:
                things[PELLET] = float(ball[n])
            evidence[square] = things
        return {square: paint[n] for n, square in enumerate(squares)}

    def _grooves(
        self,
        maps: Array,
        size: tuple[int, int],
        evidence: dict[Place, Mapping[Thing, float]],
        covered: set[Place],
    ) -> None:
        for side, name, kinds in (
            ("n", "across", GROOVE),
            ("e", "along", GROOVE),
            ("x", "crossing", CROSSING),
        ):
            patches = self._patches[side]
            at = places_px(self.board, patches, size, PX)
            said = head(read_at(maps, at[:, 0], at[:, 1]), name).T
            logs = log_softmax(said, TEMPERATURE["crossing" if side == "x" else "groove"])
            free, loose, hidden = (
                logs[:, kinds.index(kind)] for kind in ("free", "loose", "covered")
            )
            fence = np.logaddexp.reduce(logs[:, 1 : kinds.index("loose")], axis=1)
            value = np.clip(fence - free, -PATCH_LIMIT, PATCH_LIMIT)
            half_in = np.exp(loose)
            value = value * (1 - half_in) + HALF_IN * half_in
            for n, patch in enumerate(patches):
                if np.exp(hidden[n]) > COVERED:
                    covered.add(patch)
                else:
                    evidence[patch] = {FENCE: float(value[n])}

    def _pawns(self, maps: Array, size: tuple[int, int]) -> tuple[Sighting, ...]:
        """Return the pawns with where their feet are (peaks of the map, non-maximum suppressed)."""
        share = softmax(head(maps, "square"))[PAWN]
        off = head(maps, "off")
        found: list[tuple[float, float, float]] = []
        for step in np.argsort(share, axis=None)[::-1]:
            row, column = np.unravel_index(step, share.shape)
            sure = float(share[row, column])
            if sure < SEEN:
                break
            x = (column * STRIDE + FIRST - (size[1] - 1) / 2) / PX + off[0, row, column]
            y = (row * STRIDE + FIRST - (size[0] - 1) / 2) / PX + off[1, row, column]
            inside = max(abs(x), abs(y)) < self.board.columns / 2 + 0.25
            if inside and all(np.hypot(x - a, y - b) > APART for a, b, _ in found):
                found.append((x, y, sure))
        sightings = []
        for x, y, sure in found:
            columns, rows = x * PX + (size[1] - 1) / 2, y * PX + (size[0] - 1) / 2
            said = read_at(maps, np.array([columns]), np.array([rows]))
            names = self._known.name(head(said, "paint").T)[0]
            weight = np.log(sure / (1 - sure + 1e-6)) + names.max()
            name = self._known.names[int(names.argmax())]
            pitch = self.board.pitch_mm
            limited = float(np.clip(weight, 0, SQUARE_LIMIT))
            if limited > 0:
                sightings.append(self.board.sighting(name, x * pitch, -y * pitch, limited))
        return tuple(sightings)

    def _lying(self, maps: Array, size: tuple[int, int]) -> tuple[Sighting, ...]:
        """Return the fences that lie loose on the field (connected components and their axes)."""
        share = softmax(head(maps, "square"))[SQUARE.index("flat")]
        count, parts = cv2.connectedComponents((share > SEEN).astype(np.uint8), connectivity=8)
        step = STRIDE / PX
        found = []
        for number in range(1, count):
            rows, columns = np.nonzero(parts == number)
            at = np.stack([columns, rows]).astype(np.float64)
            if at.shape[1] < 3:
                continue
            spread, axes = np.linalg.eigh(np.cov(at))
            if np.sqrt(12 * spread[1]) * step < LONG:
                continue
            x, y = (at.mean(axis=1) * STRIDE + FIRST - (np.array(size[::-1]) - 1) / 2) / PX
            if max(abs(x), abs(y)) > self.board.columns / 2:
                continue
            angle = float(np.degrees(np.arctan2(-axes[1, 1], axes[0, 1])) % 180)
            pitch = self.board.pitch_mm
            found.append(self.board.sighting(FENCE, x * pitch, -y * pitch, SQUARE_LIMIT, angle))
        return tuple(found)


def log_softmax(logits: Array, temperature: float) -> Array:
    """Return log-probabilities along the last axis."""
    scaled = logits / temperature
    logs: Array = scaled - np.logaddexp.reduce(scaled, axis=-1, keepdims=True)
    return logs


def softmax(maps: Array) -> Array:
    """Return probabilities along the first axis."""
    shares: Array = np.exp(maps - np.logaddexp.reduce(maps, axis=0, keepdims=True))
    return shares
