"""Four ghosts with one mind, and Pac-Man: legal, repeatable, and awake to what one move decides."""

from random import Random

import pytest

from companion.games.pacman.player import Hunter
from companion.games.pacman.rules import Pacman
from companion.players.player import Limits
from tests.games.pacman.tables import after, play, put_up, start

FEW = Limits(nodes=60)


def choose(state: Pacman, level: int = 5, limits: Limits = FEW, seed: int = 1) -> str:
    return Hunter(level).choose(state, Random(seed), limits)


def ghosts_round(state: Pacman, level: int = 5) -> Pacman:
    """Return the state after one round of the ghosts."""
    ghosts, rng = Hunter(level), Random(1)
    while state.to_act == 1:
        state = state.play(ghosts.choose(state, rng, FEW))
    return state


@pytest.mark.parametrize("level", range(1, 11))
def test_both_sides_play_legal_moves_at_every_level(level: int) -> None:
    state, rng = start(), Random(level)
    players = Hunter(level), Hunter(11 - level)
    for _ in range(50):
        if state.to_act is None:
            break
        state = state.play(players[state.to_act].choose(state, rng, FEW))


@pytest.mark.parametrize(
    "options",
    [{"ghostOrder": "fixed"}, {"frenzyStraight": "yes"}, {"noProgress": "3"}, {"lives": "5"}],
)
def test_house_rules_are_followed(options: dict[str, str]) -> None:
    state, rng = start(**options), Random(4)
    players = Hunter(2), Hunter(4)
    for _ in range(100):
        if state.to_act is None:
            break
        state = state.play(players[state.to_act].choose(state, rng, FEW))


@pytest.mark.parametrize("level", [1, 5, 10])
@pytest.mark.parametrize("pieces", ["e5 Be6 Ia1 Pa3 Ci9", "e5 Be7 Ia1 Pa3 Ci9", "e5 Bi1 Ic5"])
def test_a_ghost_that_can_catch_pacman_does(pieces: str, level: int) -> None:
    state = put_up(pieces, waiting="BIPC" if "P" in pieces else "BI", pellets="h2")
    assert ghosts_round(state, level).lives == 2


def test_the_ghosts_shut_pacman_in_when_they_can() -> None:
    """In the corner every square he could go to is threatened after their move."""
    state = put_up("a1 Bc2 Ib4 Pd1 Ca5", pellets="i9", waiting="BIPC")
    after_round = ghosts_round(state)
    for move in after_round.legal_moves():
        assert ghosts_round(after_round.play(move)).lives == 2


@pytest.mark.parametrize("level", [1, 5, 10])
@pytest.mark.parametrize("seed", range(6))
def test_pacman_does_not_walk_into_a_capture_he_can_avoid(level: int, seed: int) -> None:
    state = put_up("e5 Be8 Ic3 Pg7 Ch2")
    moved = state.play(choose(state, level, seed=seed))
    assert ghosts_round(moved).lives == 3


@pytest.mark.parametrize("level", [1, 5, 10])
def test_pacman_eats_the_last_pellet(level: int) -> None:
    state = put_up("c1 Bd1 Ic2 Pb3 Ca4", pellets="a1", lives=1)
    assert state.play(choose(state, level)).outcome() is not None


def test_pacman_eats_the_ghosts_he_reaches_in_his_bonus() -> None:
    state = put_up("c1 Ba3 Ia4 Pi5 Ci6", pellets="a1 i9")
    assert state.play(choose(state)).moving_ghosts == ("clyde", "pinky")


def test_a_round_is_planned_once_and_kept_to() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return False

    ghosts, state = Hunter(5), after("e6-d6")
    state = state.play(ghosts.choose(state, Random(1), Limits(nodes=60, stop=stop)))
    asked.clear()
    while state.to_act == 1:
        state = state.play(ghosts.choose(state, Random(1), Limits(nodes=60, stop=stop)))
    assert not asked


def test_a_plan_is_dropped_when_the_table_goes_another_way() -> None:
    ghosts, state = Hunter(5), after("e6-d6")
    planned = ghosts.choose(state, Random(1), FEW)
    other = next(move for move in state.legal_moves() if move[0] != planned[0])
    state = state.play(other)
    assert ghosts.choose(state, Random(1), FEW) in state.legal_moves()


def test_ghosts_in_each_others_way_still_move() -> None:
    """Clyde in the corner has no step: he stays, and only then."""
    state = put_up("h8 Ba2 Ib1 Pb2 Ca1", pellets="i9", waiting="C")
    assert choose(state) == "C="


@pytest.mark.parametrize("level", [2, 5, 10])
def test_the_same_seed_gives_the_same_move(level: int) -> None:
    for state in (start(), after("e6-d6")):
        assert choose(state, level, seed=7) == choose(state, level, seed=7)


def test_it_stops_when_told_and_still_answers() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return True

    for state in (start(), play(start(), "e6-d6")):
        asked.clear()
        assert choose(state, 10, Limits(stop=stop)) in state.legal_moves()
        assert len(asked) == 1


def test_it_has_nothing_to_choose_when_the_game_is_over() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        choose(put_up("c1 Bd1", pellets="a1").play("b1-a1"))
