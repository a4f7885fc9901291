"""Games around the frame: whose turn, what everybody has, privileges and weak ghosts."""

import random

import pytest

from companion.games import find_game
from companion.lights.paint import faded
from companion.lights.roundtable import NAMED, Person, part, scene_of, sit
from companion.rules.game import State
from tests.lights.views import BOARD, CELLS

OPTIONS = [
    ("marbles", {"players": "2"}),
    ("marbles", {"players": "3"}),
    ("marbles", {"players": "4"}),
    ("mspacman", {"players": "4"}),
    ("mspacman", {"players": "3"}),
    ("cards", {"players": "2"}),
    ("cards", {"players": "7", "level": "bonus"}),
]


def games(name: str, options: dict[str, str], moves: int = 60) -> list[State]:
    """Return the states of a game by chance."""
    chosen = random.Random(5)
    states = [find_game(name).start(options)]
    for _ in range(moves):
        legal = list(states[-1].legal_moves())
        if not legal:
            break
        states.append(states[-1].play(chosen.choice(legal)))
    return states


def sides(lit: dict) -> set[str]:
    return {name[0] for name, colour in lit.items() if any(colour)}


@pytest.mark.parametrize(("name", "options"), OPTIONS)
@pytest.mark.parametrize("board", [BOARD, CELLS], ids=["frame", "cells"])
def test_every_moment_of_a_game_has_a_scene(name, options, board):
    for state in games(name, options):
        lit = scene_of(name, state.view(None), board, 1.3)
        assert set(lit) <= set(board.lights.names)
        assert all(0 <= part <= 255 for colour in lit.values() for part in colour)


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_the_part_of_whose_turn_it_is_is_the_brightest(name, options):
    for state in games(name, options, 20):
        view = state.view(None)
        if view["to_act"] is None or view["to_act"] == -1:
            continue
        lit = scene_of(name, view, BOARD, 0.5)
        people = len(view.get("colours") or view.get("ghosts") or view["players"])
        own = part(BOARD, people, view["turn"])
        rest = [max(c) for n, c in lit.items() if n not in own and c != (255, 255, 255)]
        assert max(max(lit.get(n, (0, 0, 0))) for n in own) >= max(rest, default=0)


THREE = [Person(NAMED["red"]), Person(NAMED["blue"], share=0.5), Person(NAMED["green"])]


def test_people_share_the_frame_equally():
    parts = [part(BOARD, 3, number) for number in range(3)]
    assert [len(lights) for lights in parts] == [12, 12, 12]
    assert len({name for lights in parts for name in lights}) == 36


def test_what_is_counted_is_the_length_of_the_light():
    lit = sit(THREE, 0, False, BOARD, 0.0)
    assert sum(name in lit for name in part(BOARD, 3, 1)) == 6
    assert lit[part(BOARD, 3, 0)[0]] == faded(NAMED["red"], 0.5)


def test_who_has_nothing_yet_is_still_seen():
    assert len(sit([Person(NAMED["red"], 0.0)] * 2, 0, False, BOARD, 0.0)) == 2


def test_who_holds_a_privilege_has_a_white_light():
    people = [Person(NAMED["red"], holds=True), Person(NAMED["blue"])]
    lit = sit(people, 1, False, BOARD, 0.0)
    assert [name for name, colour in lit.items() if colour == (255, 255, 255)] == ["S5"]


def test_weak_ghosts_pulse_in_blue():
    people = [Person(NAMED["red"], weak=True), Person(NAMED["red"])]
    low, high = (sit(people, 0, False, BOARD, time)["S3"] for time in (0.0, 0.5))
    assert low[0] == high[0] == 0
    assert high[2] > 2 * low[2] > 0


def test_who_is_out_is_dark():
    people = [Person(NAMED["red"], gone=True), Person(NAMED["blue"])]
    assert sides(sit(people, 1, False, BOARD, 0.0)) == {"N"}


def test_a_die_that_is_due_is_a_light_that_wanders():
    people = [Person(NAMED["red"]), Person(NAMED["blue"])]
    first, later = (sit(people, 0, True, BOARD, time) for time in (0.0, 1.5))
    assert first["S1"] == later["S9"] == (255, 255, 255)
    assert sides(first) == {"N", "S"}


def test_in_mspacman_the_one_who_controls_her_and_the_weak_ghosts_are_told():
    seen_weak = seen_control = False
    for state in games("mspacman", {"players": "4"}, 400):
        view = state.view(None)
        lit = scene_of("mspacman", view, BOARD, 0.5)
        if view["control"] is not None and view["to_act"] not in (None, -1):
            seen_control = True
            assert (255, 255, 255) in (lit.get(n) for n in part(BOARD, 4, view["control"]))
        if view["weak"]:
            seen_weak = True
    assert seen_weak
    assert seen_control


def test_another_game_is_refused():
    with pytest.raises(ValueError, match="expected one of marbles, mspacman, cards, got 'chess'"):
        scene_of("chess", {}, BOARD, 0.0)
