"""What must hold in every position of Quoridor, and a second implementation to agree with."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bits import SQUARES, connected, ways
from companion.games.perft import perft
from companion.games.quoridor.rules import Quoridor
from tests.games.quoridor.naive import NaiveQuoridor
from tests.games.tables import after, start

WELL_FORMED = [*SQUARES, *(square + way for square in SQUARES for way in "hv"), "pass"]


def wander(game: str, switch: str, seed: int, plies: int) -> list[Quoridor]:
    """Return the states of a random game in which pawns like to move as much as fences."""
    rng = Random(seed)
    states = [start(game, pawnBehind=switch)]
    while len(states) <= plies and states[-1].to_act is not None:
        legal = states[-1].legal_moves()
        steps = [move for move in legal if len(move) == 2]
        states.append(states[-1].play(rng.choice(steps if steps and rng.random() < 0.5 else legal)))
    return states


games = st.builds(
    wander,
    st.sampled_from(["quoridor", "quoridor4"]),
    st.sampled_from(["blocked", "diagonal"]),
    st.integers(0, 2**32),
    st.integers(0, 60),
)


@given(games)
@settings(max_examples=25, deadline=None)
def test_exactly_the_legal_moves_have_no_refusal(states: list[Quoridor]) -> None:
    state = states[-1]
    assert [move for move in sorted(WELL_FORMED) if state.why_not(move) is None] == list(
        state.legal_moves()
    )


@given(games)
@settings(max_examples=25, deadline=None)
def test_counting_listing_and_playing_agree(states: list[Quoridor]) -> None:
    state = states[-1]
    played = {state.play(move) for move in state.legal_moves()}
    assert played == set(state.successors())
    assert state.count_legal() == len(state.legal_moves()) == len(played)


@given(games, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_playing_leaves_the_state_as_it_was(states: list[Quoridor], rng: Random) -> None:
    state = states[-1]
    before = (hash(state), repr(state), dict(state.position()))
    for move in rng.sample(state.legal_moves(), min(5, len(state.legal_moves()))):
        assert state.play(move) != state
    assert before == (hash(state), repr(state), dict(state.position()))


@given(games)
@settings(max_examples=25, deadline=None)
def test_fences_are_never_more_than_twenty_and_always_leave_a_route(states: list[Quoridor]) -> None:
    for state in states:
        assert len(state.fences) + sum(state.fences_left) == 20
        for pawn, goal in zip(state.at, state.table.goals, strict=True):
            assert connected(pawn, goal, *ways(state.fenced))


@given(games)
@settings(max_examples=10, deadline=None)
def test_what_is_handed_on_says_nothing_new(states: list[Quoridor]) -> None:
    """A state put up afresh has the same moves as one that inherited room and routes."""
    state = states[-1]
    fresh = Quoridor(
        state.table, state.at, state.fences_left, state.fenced, state.turn, state.passes
    )
    assert fresh == state
    assert fresh.legal_moves() == state.legal_moves()


@pytest.mark.parametrize("switch", ["blocked", "diagonal"])
@pytest.mark.parametrize("game", ["quoridor", "quoridor4"])
def test_a_naive_second_implementation_agrees(game: str, switch: str) -> None:
    compared = 0
    for seed in range(3):
        rng = Random(seed)
        state = start(game, pawnBehind=switch)
        naive = NaiveQuoridor(state.seats, switch)
        for _ in range(30):
            legal = naive.legal_moves()
            assert state.legal_moves() == legal
            compared += 1
            if not legal:
                break
            steps = [move for move in legal if len(move) == 2]
            move = rng.choice(steps if steps and rng.random() < 0.45 else legal)
            state = state.play(move)
            naive.play(move)
    assert compared > 60


@pytest.mark.parametrize(
    ("game", "moves", "figures"),
    [
        ("quoridor", "", (1, 131, 16_677)),
        ("quoridor4", "", (1, 131, 16_677)),
        ("quoridor", "e2 e8 e3 e7 e4 e6 e5", (1, 132, 16_938)),
        ("quoridor", "e2 e8 e3 e7 e4 e6 e5 e6h", (1, 129, 15_922)),
        (
            "quoridor",
            "a7h e8 c7h e7 a5h e6 c5h e5 a3h e4 c3h e3 a1h e2 c1h",
            (1, 109, 11_083),
        ),
        (
            "quoridor",
            "a7h e8 c7h e9 a5h e8 c5h e9 a3h e8 c3h e9 a1h e8 c1h e9 g7h e8 g5h e9",
            (1, 3, 296, 878),
        ),
    ],
)
def test_perft_gives_the_known_figures(game: str, moves: str, figures: tuple[int, ...]) -> None:
    state = after(moves, game)
    assert tuple(perft(state, depth) for depth in range(len(figures))) == figures


@pytest.mark.parametrize(("switch", "count"), [("blocked", 16_802), ("diagonal", 16_934)])
def test_perft_tells_the_readings_of_qa2_apart(switch: str, count: int) -> None:
    """Q-A2"""
    state = after("e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5 e5", "quoridor4", pawnBehind=switch)
    assert perft(state, 2) == count
