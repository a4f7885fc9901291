"""The printed deck holds what the rules deal, in cards of the right size."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from companion.boards.paper import Press
from companion.commands.boards import marker_bits
from companion.errors import CompanionError, OptionError
from companion.games.cards.data import load_deck
from companion.games.cards.kinds import ROLES, Card
from companion.games.cards.kit import GAME
from companion.games.cards.rules import Cards
from companion.games.cards.sheets import HEIGHT_MM, PRINTS, WIDTH_MM, WORDS, index_of, words_of
from tests.printed import MM, Sheet, longest_run, sheets

DECK = load_deck("cards")
MARKS = {"1": (0, 0, 0), "2": (208, 80, 32)}  # blue, green, red


def printed(only: str, paper: str = "a4") -> list[Sheet]:
    return sheets(PRINTS.pdf(DECK, Press(paper, marker_bits), only))


def corners(sheet: Sheet) -> list[tuple[float, float]]:
    left = (sheet.size[0] - 3 * WIDTH_MM) / 2
    low = (sheet.size[1] - 3 * HEIGHT_MM) / 2
    return [
        (left + column * WIDTH_MM, low + row * HEIGHT_MM) for column in range(3) for row in range(3)
    ]


def cards_on(sheet: Sheet) -> list[tuple[str, str]]:
    """Return name and level of each card on a sheet, read from where they stand on the paper."""
    found = []
    for left, low in corners(sheet):
        within = [
            word
            for word, x, y in sheet.words
            if left <= x <= left + WIDTH_MM and low <= y <= low + HEIGHT_MM
        ]
        named = [card.name for card in DECK.kinds if card.title in within]
        levels = [within[at + 1] for at, word in enumerate(within) if word == "level"]
        found += [(name, level) for name in named for level in levels]
    return found


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_each_card_is_on_the_sheets_as_often_as_the_rules_deal_it(paper):
    counted = Counter(card for sheet in printed("fronts", paper) for card in cards_on(sheet))
    for level in ("1", "2"):
        state = GAME.start({"level": level})
        assert isinstance(state, Cards)
        dealt = {card.name: n for card, n in zip(DECK.kinds, state.deck, strict=True) if n}
        assert {name: n for (name, where), n in counted.items() if where == level} == dealt
    bonus = GAME.start({"level": "bonus", "players": "8"})
    assert isinstance(bonus, Cards)
    assert counted.total() == sum(bonus.deck) == 108


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_cards_are_cut_to_63_by_88_millimetres(paper):
    sheet = printed("fronts", paper)[0]
    dark = sheet.grey < 235
    across, down = dark.shape[1], dark.shape[0]
    columns = [x for x in range(across) if longest_run(dark[:, x]) * MM > 260]
    rows = [y for y in range(down) if longest_run(dark[y]) * MM > 185]
    for lines, size in ((columns, WIDTH_MM), (rows, HEIGHT_MM)):
        places = [
            group.mean() * MM for group in np.split(lines, np.flatnonzero(np.diff(lines) > 3) + 1)
        ]
        assert np.diff(places) == pytest.approx([size] * 3, abs=0.2)


def test_the_level_has_a_mark_of_its_own_shape_and_number():
    for sheet in (printed("fronts")[0], printed("fronts")[-1]):
        for left, low in corners(sheet):
            corner = sheet.at(left + WIDTH_MM - 10, low + HEIGHT_MM - 10, 4.4)
            (level,) = {level for _, level in cards_on(sheet)}
            # the first is a square, so its corners are black; the second a disc, so its are white
            assert (corner[1, 1] < 50) == (level == "1")


def test_there_are_backs_for_every_sheet_and_one_to_print_many_times():
    both = printed("")
    assert len(both) == 24
    assert all(cards_on(sheet) for sheet in both[::2])
    assert not any(cards_on(sheet) for sheet in both[1::2])
    (back,) = printed("backs")
    assert "12 times" in back.text


def test_backs_are_the_same_from_both_ends_and_from_either_side_of_the_paper():
    (back,) = printed("backs")
    left, low = corners(back)[0]
    inner = back.at(left + WIDTH_MM / 2, low + HEIGHT_MM / 2, 29).astype(int)
    for turned in (inner[::-1, ::-1], inner[:, ::-1]):
        assert np.abs(inner - turned).mean() < 12  # but for a pixel at the edges


def test_the_ruler_beside_the_cards_is_100_millimetres_long():
    for paper in ("a4", "letter"):
        sheet = printed("backs", paper)[0]
        right = (sheet.size[0] + 3 * WIDTH_MM) / 2 + 1.6
        columns = sheet.grey[:, int(right / MM) - 2 : int(right / MM) + 3] < 128
        assert max(longest_run(c) for c in columns.T) * MM == pytest.approx(100, abs=0.4)


def test_words_and_symbols_of_all_roles_and_of_fruit_that_we_do_not_know():
    assert set(WORDS) == set(ROLES)
    kinds = (*DECK.kinds, Card("durian", "durian", "fruit", 25))
    levels = {"1": (*DECK.levels["1"], 1), "2": (*DECK.levels["2"], 0)}
    own = replace(DECK, kinds=kinds, levels=levels)
    text = " ".join(s.text for s in sheets(PRINTS.pdf(own, Press("a4", marker_bits), "fronts")))
    assert "durian" in text
    assert words_of(kinds[-1]).endswith("25 points at the end.")
    assert index_of(kinds[-1]) == "25"
    assert len({index_of(card) for card in DECK.kinds if card.is_power}) == 6


def test_no_word_leaves_its_card():
    for sheet in printed("fronts"):
        for left, low in corners(sheet):
            for x in (left + 1.5, left + WIDTH_MM - 1.5):
                for y in range(3, 86, 2):
                    assert sheet.at(x, low + y, 1.0).min() > 150


def test_a_part_that_there_is_not_is_one_sentence():
    with pytest.raises(OptionError, match="cards has 'fronts', 'backs' to print, got 'faces'"):
        PRINTS.pdf(DECK, Press("a4", marker_bits), "faces")


def test_a_deck_of_thousands_is_one_sentence():
    own = replace(DECK, levels={"1": (9000, *DECK.levels["1"][1:]), "2": DECK.levels["2"]})
    with pytest.raises(CompanionError, match="expected at most 540 cards to print, got 9088"):
        PRINTS.pdf(own, Press("a4", marker_bits), "fronts")
