"""A game is a folder and one call: everything plays one that it has never heard of."""

import io
from collections.abc import Iterator
from random import Random

import pytest

from companion.engine.server import Engine, serve
from companion.games.catalogue import KITS, find_game, find_kit, register
from companion.games.game import CHANCE, State, leave_to_chance
from companion.games.record import Record, parse
from companion.players.player import Limits
from tests.games.dash import kit as dash


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register(*dash.KITS)
    yield
    for kit in dash.KITS:
        del KITS[kit.name]


def told(*lines: str) -> list[str]:
    out = io.StringIO()
    serve(Engine(find_game("dash"), lambda: 0.0, Random(1)), lines, out)
    return out.getvalue().splitlines()


def test_the_engine_speaks_for_it() -> None:
    assert told("position startpos", "legal")[-1] == "legal die:1 die:2 die:3"
    assert told("position startpos moves die:2", "legal")[-1] == "legal c3 g1h"
    assert told("position startpos", "perft 2")[-1] == "nodes 6"
    assert told("position startpos moves die:3", "go depth 2")[-1] in (
        "bestmove c4",
        "bestmove g1h",
    )


def test_a_good_move_has_a_reason() -> None:
    state, kit = find_game("dash").start().play("die:2"), find_kit("dash")
    move = kit.player(10).choose(state, Random(1), Limits(depth=1))
    assert move in state.legal_moves()
    assert kit.reason(state, move, ()) in ("gets you on", "keeps the other back")


def test_a_game_is_played_to_its_end_and_its_record_read_again() -> None:
    rng, moves = Random(3), []
    state: State = find_game("dash").start()
    while state.to_act is not None:
        by_die = state.to_act is CHANCE
        move = leave_to_chance(state, rng) if by_die else rng.choice(state.legal_moves())
        moves.append(move)
        state = state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    record = Record("dash", tuple(moves), ("Ann", "Bob"), {}, outcome.result(2))
    assert parse(str(record)) == record
