"""A simulated table and its camera, shared because drawing the scenery takes a while."""

import random

import pytest

from companion.board import Board
from companion.boards import profile
from companion.sim.picture.camera import SimCamera
from companion.sim.table import SimTable


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Studio:
    """A table, a clock, LEDs and a camera over them."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.clock = Clock()
        self.table = SimTable(board, random.Random(7))
        self.leds = [(0, 0, 0)] * board.lights.count
        self.camera = SimCamera(
            self.table, board, self.clock, seed=3, light="daylight", leds=lambda: self.leds
        )


@pytest.fixture(scope="session")
def board() -> Board:
    return profile.load("reference")


@pytest.fixture(scope="session")
def one_studio(board: Board) -> Studio:
    return Studio(board)


@pytest.fixture
def studio(one_studio: Studio) -> Studio:
    """The studio with an empty board, dark LEDs and no hand."""
    one_studio.table.set_up({})
    one_studio.leds = [(0, 0, 0)] * one_studio.board.lights.count
    one_studio.clock.now += 1.0
    return one_studio


@pytest.fixture
def table(board: Board) -> SimTable:
    return SimTable(board, random.Random(1))
