"""Boards that look like none of the profiles."""

import random

import pytest

from bench.themes import Theme, read, themes

SEEN_BY_FEW = [
    Theme("white", "brown", "daylight"),
    Theme("grey", "black", "daylight"),
    Theme("brown", "green", "lamp", depth=0.9, brightness=0.9),
    Theme("green", "white", "dim", depth=0.8, brightness=0.8),
    Theme("white", "brown", "lamp"),
    Theme("green", "black", "lamp", brightness=0.9),
]


@pytest.mark.parametrize("theme", SEEN_BY_FEW, ids=lambda theme: f"{theme.fences} on {theme.cells}")
def test_a_board_in_colours_of_its_own_is_read_at_first_sight(theme: Theme) -> None:
    counts, faults = read(theme, seed=11)
    assert faults == []
    assert counts["doubted"] <= 1


def test_themes_differ() -> None:
    found = list(themes(12, random.Random(2)))
    assert len({(theme.cells, theme.fences) for theme in found}) == 12
