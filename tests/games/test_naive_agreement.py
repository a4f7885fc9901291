"""The two Quoridor PAC-MAN variants against a second, slow reading of the same rules."""

from collections.abc import Mapping
from random import Random

import pytest

from companion.games.catalogue import find_game
from tests.games.agreement import OPTIONS, Disagreement, Pair, Temper, play_games

POSITIONS = {"pacman": 200, "pacman-advanced": 140}
GAMES = [(name, options) for name, choices in OPTIONS.items() for options in choices]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_both_readings_of_the_rules_agree_in_random_games(
    name: str, options: Mapping[str, str]
) -> None:
    met = play_games(name, options, POSITIONS[name], seed=1)
    assert met["positions"] == POSITIONS[name]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_every_option_is_played(name: str) -> None:
    for option, values in find_game(name).options.items():
        played = {options.get(option, values[0]) for options in OPTIONS[name]}
        assert played == set(values)


def test_a_difference_is_told_with_moves_position_and_both_answers() -> None:
    pair = Pair("pacman", {})
    pair.play(pair.choose(Random(3), Temper(0, 0, 0)))
    pair.compare()
    pair.naive.lives = 2
    with pytest.raises(Disagreement) as caught:
        pair.compare()
    text = str(caught.value)
    assert "differs in tallies" in text
    assert f"moves: {pair.moves[0]}\n" in text
    assert "'e9': 'blinky'" in text
    assert "real: {'lives': (3, 0)" in text
    assert "naive: {'lives': (2, 0)" in text


def test_both_readings_call_the_third_repetition_a_draw() -> None:
    """SV-A29"""
    pair = Pair("pacman", {"noProgress": "3"})
    for move in ("e6-e5 Be8 Ih5 Pb5 Ce2 e6-e5 Be9 Ii5 Pa5 Ce1 " * 2).split():
        assert pair.real.outcome() is None
        pair.play(move)
        pair.compare()
    assert pair.naive.winners() == ()


def test_both_readings_call_fifty_quiet_rounds_a_draw() -> None:
    pair, rng = Pair("pacman-advanced", {"noProgress": "50"}), Random(4)
    while pair.real.to_act is not None:
        counts = pair.real.tallies()
        moves = pair.real.legal_moves()
        if pair.naive.phase != "chamber":
            moves = [move for move in moves if pair.real.play(move).tallies() == counts]
        pair.play(rng.choice(moves))
        pair.compare()
    assert pair.naive.winners() == ()
    assert pair.naive.round == 4 + 50 + 1
