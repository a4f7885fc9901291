"""The lights around a game of cards: a part of the way around for every seat."""

import pytest

from companion.boards import profile
from companion.games.catalogue import find_kit
from companion.lights.layers.game import hands
from companion.lights.scene import paint
from companion.lights.view import View
from companion.service.requests import NewGame
from tests.service.cards import Party

BOARD = profile.load("reference")


@pytest.fixture
def party():
    game = Party().begin(players="4")
    yield game
    game.close()


def view(game, time=0.5):
    return View(game.loop.snapshot, BOARD, time)


def test_every_seat_has_lights_of_its_own_and_all_are_used(party):
    looked = view(party)
    parts = [looked.side(seat) for seat in range(4)]
    assert sum(map(len, parts)) == len({name for part in parts for name in part}) == 36
    colours = find_kit("cards").hands.colours
    assert [looked.seat_colour(seat) for seat in range(4)] == list(colours[:4])


def test_the_seat_to_act_is_brightest(party):
    lit = paint(view(party))
    looked = view(party)
    assert sum(lit[looked.side(0)[4]]) > 2 * sum(lit[looked.side(1)[4]])


def test_who_has_shut_down_keeps_one_light(party):
    party.play(0, "down")
    looked = view(party)
    lit = hands({}, looked)
    assert [name for name in looked.side(0) if name in lit] == [looked.side(0)[4]]
    assert all(name in lit for name in looked.side(2))


def test_games_on_the_board_have_none_of_it(party):
    party.ask(NewGame("quoridor"))
    assert hands({}, view(party)) == {}
