"""The set-up card and the tokens of Quoridor PAC-MAN: drawn from the layout that the rules use."""

import numpy as np
import pytest

from companion.boards import profile
from companion.boards.paper import Press
from companion.commands.boards import marker_bits
from companion.games.pacman.data import load_layout
from companion.games.pacman.sheets import CARD_MM, PRINTS
from tests.printed import Sheet, sheets

BOARD = profile.load("reference")
LAYOUTS = ("pacman", "pacman-short", "pacman-even", "pacman-flank")


def printed(name: str, only: str, paper: str = "a4") -> Sheet:
    (sheet,) = sheets(PRINTS.pdf(load_layout(name), Press(paper, marker_bits), only))
    return sheet


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_card_shows_a_fence_in_each_slot_of_the_layout_and_in_no_other(name, paper):
    layout, sheet = load_layout(name), printed(name, "card", paper)
    (frame, *_) = [s for s in sheet.shapes(CARD_MM - 1, CARD_MM + 1)]
    scale = (CARD_MM - 18) / BOARD.field_mm
    for column in range(8):
        for row in range(8):
            for way in "hv":
                slot = f"{'abcdefgh'[column]}{row + 1}{way}"
                at = np.add(frame[:2], np.multiply(BOARD.at(slot), scale))
                along = np.array((1, 0) if way == "h" else (0, 1)) * 0.4 * BOARD.fence.length_mm
                dark = all(
                    sheet.at(*(at + side * along * scale), 0.2).max() < 60 for side in (-1, 0, 1)
                )
                assert dark == (slot in layout.fences), slot


def test_every_piece_is_named_on_its_square():
    layout, sheet = load_layout("pacman"), printed("pacman", "card")
    (frame, *_) = [s for s in sheet.shapes(CARD_MM - 1, CARD_MM + 1)]
    scale = (CARD_MM - 18) / BOARD.field_mm
    for ghost, spot in layout.ghosts.items():
        (at,) = [(x, y) for word, x, y in sheet.words if word == ghost.title()]
        away = np.subtract(at, np.add(frame[:2], np.multiply(BOARD.at(spot), scale)))
        assert abs(away).max() < BOARD.cell_mm * scale / 2 + 1
    assert "Stand-in, not known from the game's own picture: ghosts, fences." in sheet.text


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_there_are_as_many_pellets_and_lives_as_the_game_has(paper):
    sheet = printed("pacman", "tokens", paper)
    size = BOARD.pellet.diameter_mm
    pellets = {
        (round(x), round(y))
        for x, y, width, _ in sheet.shapes(size - 0.5, size + 0.6)
        if width == pytest.approx(size + 0.3, abs=0.2)
    }
    assert len(pellets) == len(load_layout("pacman").pellets) == 4
    assert sheet.text.count("life") == 3
    assert sheet.ruler_mm() == pytest.approx(100, abs=0.4)
