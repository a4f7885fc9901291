"""Our player of Quoridor, compiled and in Python: legal, quick to see what matters, repeatable."""

from collections.abc import Iterator
from random import Random

import pytest

from companion.games.quoridor.player import Racer
from companion.games.quoridor.rules import Quoridor
from companion.games.quoridor.track import Track, solve_race
from companion.players.native import load
from companion.players.player import Limits
from tests.games.tables import after, put_up, start

compiled = True


@pytest.fixture(autouse=True, params=[True, False], ids=["compiled", "in Python"])
def each_search(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run every test with the compiled core and without it."""
    global compiled
    if request.param and load() is None:
        pytest.skip(
            "the compiled core is not built here; tests/players/native says whether it may lack"
        )
    compiled = request.param
    yield
    compiled = True


def racer(level: int = 10) -> Racer:
    return Racer(level, compiled)


def choose(state: Quoridor, limits: Limits | None = None, seed: int = 1) -> str:
    return racer().choose(state, Random(seed), limits or Limits(depth=2))


@pytest.mark.parametrize("game", ["quoridor", "quoridor4"])
def test_it_plays_a_whole_game_and_somebody_wins(game: str) -> None:
    state, rng = start(game), Random(3)
    for _ in range(300):
        if state.to_act is None:
            break
        state = state.play(racer().choose(state, rng, Limits(depth=1)))
    assert state.outcome() is not None


def test_it_takes_a_win() -> None:
    assert choose(put_up("d8 e2")) == "d9"


def test_it_takes_a_win_by_a_jump() -> None:
    assert choose(put_up("e7 e8", left=(0, 0))) == "e9"


def test_it_stops_an_opponent_who_is_about_to_win() -> None:
    state = put_up("e4 e2", left=(3, 3))
    assert state.play(choose(state)).distance(1) > 1


def test_it_runs_when_it_is_ahead_and_fences_are_gone() -> None:
    assert choose(put_up("e5 a9", left=(0, 0))) == "e6"


@pytest.mark.parametrize(
    ("pawns", "fences", "turn"),
    [("e4 e6", "", 0), ("e5 e6", "", 1), ("d4 f7", "d5h f6h c4v", 0), ("e4 d5", "d6h e3h", 1)],
)
def test_a_race_without_fences_is_known_to_its_end(pawns: str, fences: str, turn: int) -> None:
    state = put_up(pawns, fences, left=(0, 0), turn=turn)
    values = solve_race(Track(state.table), state.fenced, state.at, turn, 16_000)
    assert values is not None
    best = max(values.values(), key=lambda plies: 1 / plies if plies else 0)
    plies = 0
    while state.to_act is not None:
        state = state.play(choose(state, Limits()))
        plies += 1
    assert plies == abs(best)
    assert state.winner == (turn if best > 0 else 1 - turn)


def test_it_does_not_walk_in_circles() -> None:
    player, state, rng = racer(9), put_up("e2 a9", "d2h f2h", left=(0, 0)), Random(1)
    seen = set()
    while state.to_act is not None:
        move = player.choose(state, rng, Limits(nodes=3_000))
        state = state.play(move)
        assert state not in seen
        seen.add(state)


@pytest.mark.parametrize("seed", range(3))
def test_a_slip_is_weak_but_no_nonsense(seed: int) -> None:
    """The lowest level does not step back with an open way before it."""
    state = after("e2 e8 e3 e7")
    for _ in range(4):
        step = racer(1).choose(state, Random(seed), Limits())
        assert step != "e2"


def test_it_passes_when_it_must() -> None:
    """Q-A12"""
    assert choose(put_up("e1 e2 e3 i5", "d1v e1v", left=(0, 5, 5, 5))) == "pass"


def test_the_same_seed_gives_the_same_move() -> None:
    state = after("e2 e8 e3 e7 e4 e6")
    assert {choose(state, seed=7) for _ in range(3)} == {choose(state, seed=7)}


def test_it_stops_when_told_and_still_answers() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return True

    state = after("e2 e8 e3 e7 e4 e6")
    assert choose(state, Limits(stop=stop)) in state.legal_moves()
    assert len(asked) == 1


def test_few_nodes_are_enough_for_a_legal_move() -> None:
    state = after("e2 e8 e3 e7 e4 e6", "quoridor")
    assert choose(state, Limits(nodes=1)) in state.legal_moves()


def test_without_limits_it_looks_a_few_plies_ahead() -> None:
    state = put_up("e7 a2", left=(1, 1))
    assert choose(state, Limits()) in state.legal_moves()


def test_it_has_nothing_to_choose_when_the_game_is_over() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        choose(put_up("d8 e2").play("d9"))
