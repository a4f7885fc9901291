"""Another program in a seat: it plays by UGI, and what it does wrong is told in a sentence."""

import sys
from pathlib import Path
from random import Random

import pytest

from companion.engine.client import ExternalPlayer
from companion.errors import EngineError
from companion.games.catalogue import find_game
from companion.games.game import CHANCE, Move, State, leave_to_chance
from companion.players.player import Limits

#: An engine in a few lines; what it answers to ``go`` is put in.
FAKE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi":
        print("id name Fake", flush=True)
        print("ugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {answer}
    elif word == "stop":
        print("bestmove e2", flush=True)
    elif word == "quit":
        break
"""


def fake(folder: Path, answer: str) -> list[str]:
    program = folder / "fake.py"
    program.write_text(FAKE.format(answer=answer))
    return [sys.executable, str(program)]


def ask(command: list[str], seconds: float = 1.0, limits: Limits | None = None) -> Move:
    with ExternalPlayer(command, history=lambda: (), seconds=seconds) as player:
        return player.choose(find_game("quoridor").start(), Random(1), limits or Limits())


@pytest.mark.parametrize(("game", "plies"), [("quoridor", 3), ("pacman", 6), ("marbles", 6)])
def test_our_own_engine_takes_a_seat(game: str, plies: int) -> None:
    moves: list[Move] = []
    command = [sys.executable, "-m", "companion", "engine", game, "--seed", "1"]
    state: State = find_game(game).start()
    rng = Random(3)
    with ExternalPlayer(command, lambda: moves, 0.05, {"level": "2"}) as player:
        assert player.name.startswith("Board Companion")
        for _ in range(plies):
            if state.to_act is CHANCE:
                move = leave_to_chance(state, rng)
            else:
                move = player.choose(state, rng, Limits(nodes=50))
            state = state.play(move)
            moves.append(move)


def test_an_answer_that_is_not_legal_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"engine Fake answered 'e5', which is not legal: .*e5"):
        ask(fake(tmp_path, 'print("bestmove e5", flush=True)'))


def test_a_program_that_dies_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="the engine Fake has ended"):
        ask(fake(tmp_path, "sys.exit(1)"))


def test_an_error_of_the_program_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot follow the game: no such move"):
        ask(fake(tmp_path, 'print("error no such move", flush=True)'))


def test_a_program_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.engine.client.GRACE_SECONDS", 0.05)
    with pytest.raises(EngineError, match=r"did not answer bestmove in 0.1 seconds"):
        ask(fake(tmp_path, "pass"), seconds=0.05)


def test_stopping_is_passed_on(tmp_path: Path) -> None:
    assert ask(fake(tmp_path, "pass"), 30, Limits(stop=lambda: True)) == "e2"


def test_a_program_that_will_not_stop_is_ended(tmp_path: Path) -> None:
    deaf = fake(tmp_path, "import time; time.sleep(1000)")
    with pytest.raises(EngineError, match=r"did not answer bestmove in 0.25 seconds"):
        ask(deaf, 30, Limits(stop=lambda: True))


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(EngineError, match="the engine 'no-such-program' does not start"):
        ExternalPlayer(["no-such-program"], history=lambda: ())
