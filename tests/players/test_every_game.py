"""Every game has a player at every level: legal, repeatable, interruptible."""

from random import Random

import pytest

from companion.games.catalogue import KITS, find_game, find_kit
from companion.games.game import CHANCE, Move, State, leave_to_chance
from companion.players.player import Limits, level_limits

FEW = Limits(nodes=40)
LEVELS = (1, 4, 7, 10)


def play(game: str, level: int, seed: int, plies: int, limits: Limits = FEW) -> list[Move]:
    """Return what our player did in all seats; every move has to be legal to be played."""
    state: State = find_game(game).start()
    player, rng = find_kit(game).player(level), Random(seed)
    moves = []
    for _ in range(plies):
        if state.to_act is None:
            break
        if state.to_act is CHANCE:
            move = leave_to_chance(state, rng)
        else:
            move = player.choose(state, rng, limits)
            moves.append(move)
        state = state.play(move)
    return moves


def decision(game: str, seed: int = 5) -> State:
    """Return a state some way into a game in which somebody has a choice."""
    state: State = find_game(game).start()
    rng = Random(seed)
    for _ in range(200):
        moves = state.legal_moves()
        if state.to_act is CHANCE:
            state = state.play(leave_to_chance(state, rng))
            continue
        if len(moves) > 1 and rng.random() < 0.1:
            break
        state = state.play(moves[len(moves) // 2])
    return state


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", KITS)
def test_every_seat_plays_legal_moves(game: str, level: int) -> None:
    assert play(game, level, level, 30)


@pytest.mark.parametrize("game", KITS)
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    for level in (2, 10):
        assert play(game, level, 3, 12) == play(game, level, 3, 12)


@pytest.mark.parametrize("game", KITS)
def test_thinking_stops_when_told(game: str) -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return True

    state = decision(game)
    move = find_kit(game).player(10).choose(state, Random(1), Limits(stop=stop))
    assert move in state.legal_moves()
    assert len(asked) == 1


@pytest.mark.parametrize("game", KITS)
def test_low_levels_are_done_without_a_clock(game: str) -> None:
    state = decision(game)
    assert find_kit(game).player(1).choose(state, Random(1), Limits()) in state.legal_moves()


@pytest.mark.parametrize("game", KITS)
def test_a_player_knows_its_own_game_only(game: str) -> None:
    other = next(name for name in KITS if name[:4] != game[:4])
    with pytest.raises(TypeError, match="this player plays"):
        find_kit(game).player(5).choose(decision(other), Random(1), FEW)


def test_there_are_ten_levels() -> None:
    seconds = [level_limits(level).seconds for level in range(1, 11)]
    assert seconds == sorted(seconds)
    for level in (0, 11):
        with pytest.raises(ValueError, match=f"expected a level from 1 to 10, not {level}"):
            find_kit("pacman").player(level)


def test_the_top_level_minds_the_given_limits_only() -> None:
    top, low = level_limits(10), level_limits(4)
    assert top.most_nodes(Limits(nodes=5_000_000)) == 5_000_000
    assert top.most_nodes(Limits()) == top.nodes
    assert low.most_nodes(Limits(nodes=5_000_000)) == low.nodes
    assert low.most_nodes(Limits(nodes=5)) == 5
