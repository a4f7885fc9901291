"""Hints: a good move, and a reason that is true of the position."""

from random import Random

import pytest

from companion.games.catalogue import KITS, find_game, find_kit
from companion.games.game import CHANCE, State, leave_to_chance
from companion.games.pacman.hint import reason as pacman_reason
from companion.games.quoridor.hint import reason as quoridor_reason
from companion.players.player import Limits
from tests.games import tables
from tests.games.pacman import tables as pacman_tables

FEW = Limits(nodes=40)
FAR = "Bi9 Ii8 Ph9 Ch8"


@pytest.mark.parametrize("game", KITS)
def test_every_game_gives_a_legal_hint_and_a_reason_for_every_move(game: str) -> None:
    state: State = find_game(game).start()
    rng = Random(2)
    for _ in range(25):
        if state.to_act is None:
            break
        if state.to_act is CHANCE:
            state = state.play(leave_to_chance(state, rng))
            continue
        moves = state.legal_moves()
        good = find_kit(game).player(3).choose(state, rng, FEW)
        assert good in moves
        for move in (good, *rng.sample(list(moves), min(4, len(moves)))):
            assert find_kit(game).reason(state, move, ())[-1] != "."
        state = state.play(rng.choice(moves))


@pytest.mark.parametrize(
    ("pieces", "pellets", "move", "reason"),
    [
        ("c1 Bd1 Ic2", "a1", "b1-a1", "eats the pellet on a1 and wins"),
        ("c1 Ba3 Ii9 Ph9 Ch8", "a1 e9", "b1-a1-a2-a3",
         "eats the pellet on a1 and Blinky, and keeps 11 squares between you and Clyde"),
        (f"a1 {FAR}", "e5", "b1-c1",
         "keeps 11 squares between you and Clyde; the pellet on e5 is 6 steps off"),
        ("e5 Be8 Ia1 Pa2 Cb1", "i9", "e4-e3",
         "avoids the 1 of 9 squares where a ghost would catch you, and keeps 4 squares between "
         "you and Blinky, who sees you"),
    ],
)  # fmt: skip
def test_pacman_is_told_why(pieces: str, pellets: str, move: str, reason: str) -> None:
    assert pacman_reason(pacman_tables.put_up(pieces, pellets=pellets), move) == reason


@pytest.mark.parametrize(
    ("pieces", "move", "reason"),
    [
        ("e5 Be6", "Be5", "catches Pac-Man"),
        ("e2 Bb3", "Bb2", "keeps Blinky between Pac-Man and the pellet on a1"),
        ("e5 Bg8", "Bg7", "leaves Pac-Man 7 safe squares instead of 9"),
        ("a5 Bi7", "Bh7", "brings Blinky within 9 steps of Pac-Man"),
    ],
)  # fmt: skip
def test_a_ghost_is_told_why(pieces: str, move: str, reason: str) -> None:
    state = pacman_tables.put_up(pieces, pellets="a1", waiting="B")
    assert pacman_reason(state, move) == reason


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (tables.put_up("d8 e2"), "d9", "reaches the far side"),
        (tables.put_up("e4 e5"), "e6", "your way is then 3 steps, Blinky's 4"),
        (tables.put_up("e4 a9", "a7h"), "c7h", "Blinky's way becomes 12 steps instead of 10, "
         "yours stays 5"),
        (tables.put_up("e4 a5", left=(0, 0)), "e5", "your way is then 4 steps, Blinky's 4"),
        (tables.put_up("e6 a5", left=(0, 0)), "e7", "your way is then 2 steps, Blinky's 4, and no "
         "fence is left to stop you"),
    ],
)  # fmt: skip
def test_a_racer_is_told_why(state: State, move: str, reason: str) -> None:
    assert quoridor_reason(state, move, ("Ann", "Blinky")) == reason
