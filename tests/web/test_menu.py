"""The games a visitor can choose from, in words."""

from dataclasses import replace

import pytest

from companion.games.catalogue import find_game
from companion.web.menu import menu_json, words
from tests.web.fake import BOARD


@pytest.fixture
def menu():
    return {entry["name"]: entry for entry in menu_json(BOARD)}


def test_every_game_of_the_table_is_offered(menu):
    assert list(menu) == ["pacman", "pacman-advanced", "quoridor", "quoridor4", "cards"]
    assert [seat["name"] for seat in menu["pacman"]["seats"]] == ["Pac-Man", "The ghosts"]
    assert [len(entry["seats"]) for entry in menu.values()] == [2, 2, 2, 4, 8]
    assert [entry["choose"] for entry in menu.values()] == [False, False, True, True, False]


def test_what_is_offered_can_be_played(menu):
    for name, entry in menu.items():
        for option in entry["options"]:
            for value in option["values"]:
                chosen = {option["name"]: value["value"]}
                if name == "cards":  # more than four need all the cards
                    chosen = {"level": "bonus", "players": "8"} | chosen
                if chosen.get("level") in ("1", "2"):
                    del chosen["players"]
                assert find_game(name).start(chosen)
                assert option["label"]
                assert value["label"]


def test_every_level_has_a_word(menu):
    for entry in menu.values():
        first, last = entry["levels"]
        assert len(entry["level_words"]) == last - first + 1
        assert entry["level_words"][-1] == "merciless"


def test_an_option_with_one_value_is_not_asked_for(menu):
    assert "suicide" not in [option["name"] for option in menu["pacman"]["options"]]


def test_a_board_without_all_ghosts_offers_what_it_can():
    pieces = {name: piece for name, piece in BOARD.pieces.items() if name != "pinky"}
    names = [entry["name"] for entry in menu_json(replace(BOARD, pieces=pieces))]
    assert names == ["quoridor", "quoridor4", "cards"]


@pytest.mark.parametrize(
    ("name", "said"), [("frenzyUpTo", "Frenzy up to"), ("pacman-even", "Pacman even"), ("3", "3")]
)
def test_what_has_no_words_of_its_own_is_spelled_out(name, said):
    assert words(name) == said
