"""A simulated table and its camera, shared because drawing the scenery takes a while."""

import random

import pytest

from companion.board import Board
from companion.boards import profile
from companion.sim.room import Room, Setting
from companion.sim.table import SimTable


@pytest.fixture(scope="session")
def board() -> Board:
    return profile.load("reference")


@pytest.fixture(scope="session")
def one_studio(board: Board) -> Room:
    return Room(board, Setting(seed=3))


@pytest.fixture
def studio(one_studio: Room) -> Room:
    """The studio with an empty board, dark LEDs and no hand."""
    one_studio.table.set_up({})
    one_studio.pixels.fill((0, 0, 0))
    one_studio.pixels.show()
    one_studio.clock.now += 1.0
    return one_studio


@pytest.fixture
def table(board: Board) -> SimTable:
    return SimTable(board, random.Random(1))
