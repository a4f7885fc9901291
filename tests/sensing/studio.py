"""The board of the tests of the eyes, positions on it, and what eyes say of them."""

import random

from bench.themes import scattered
from companion.board import FENCE, Board, Position, Spot, patches
from companion.boards import profile
from companion.sensing.camera.frame import Frame
from companion.sensing.vision.decode import Statement, read_board
from companion.sensing.vision.eyes import Eyes, Sight

BOARD = profile.load("reference")


def random_position(rng: random.Random, fences: int) -> dict[Spot, str]:
    """Return a position with every piece and some fences that do not overlap."""
    return scattered(BOARD, rng, fences)


def told(sight: Sight, board: Board = BOARD) -> Statement:
    """Return what a sight says in plain words."""
    assert sight.found, sight.text
    return read_board(board, sight.evidence, sight.covered)


def look(frame: Frame) -> Sight:
    """Return what eyes that know nothing yet make of a frame."""
    return Eyes(BOARD).look(frame)


def score(sight: Sight, position: Position) -> float:
    """Return the evidence for the fences of a position."""
    slots = [slot for slot, thing in position.items() if thing == FENCE]
    return sum(sight.evidence[patch][FENCE] for slot in slots for patch in patches(slot))
