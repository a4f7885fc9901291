"""Engines in processes of their own: ours, foreign ones, and those that fail."""

import sys
import textwrap

import pytest

from companion.engine.thinker import EngineThinker
from companion.engine.thought import Task, Thought
from companion.games import find_game
from tests.waiting import wait_for

TASK = Task("quoridor", {}, ("e2",), 1)


@pytest.fixture
def think():
    started: list[EngineThinker] = []

    def answer(task: Task, *command: str) -> Thought:
        thinker = EngineThinker(command) if command else EngineThinker()
        started.append(thinker)
        thinker.think(task)
        return wait_for(thinker.poll)

    yield answer
    for thinker in started:
        thinker.close()


def program(tmp_path, text: str) -> tuple[str, str]:
    path = tmp_path / "engine.py"
    path.write_text(textwrap.dedent(text))
    return sys.executable, str(path)


def test_our_engine_finds_a_legal_move(think):
    thought = think(TASK)
    assert thought.task == TASK
    assert find_game("quoridor").start({}).play("e2").why_not(thought.move) is None


def test_a_foreign_engine_may_say_more_than_its_move(think, tmp_path):
    engine = program(
        tmp_path,
        """
        import sys
        for line in sys.stdin:
            if line == "ugi\\n":
                print("id name Other\\noption name Hash type spin default 1\\nugiok", flush=True)
            elif line == "isready\\n":
                print("readyok", flush=True)
            elif line.startswith("setoption"):
                print("error it has no such option", flush=True)
            elif line.startswith("go"):
                print("info depth 1\\nbestmove e8 ponder e3", flush=True)
        """,
    )
    assert think(TASK, *engine).move == "e8"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ended"),
        (
            "import sys\n"
            "said = {'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove z9'}\n"
            "for l in sys.stdin: print(said.get(l.split()[0], ''), flush=True)",
            "not legal",
        ),
    ],
)
def test_an_engine_that_fails_is_told_about(think, tmp_path, text, why):
    assert why in think(TASK, *program(tmp_path, text)).trouble


def test_an_engine_that_is_not_there_is_told_about(think):
    assert "does not start" in think(TASK, "no-such-engine").trouble


def test_what_is_dropped_is_never_answered():
    thinker = EngineThinker()
    thinker.think(TASK)
    thinker.drop()
    other = Task("quoridor", {}, ("e2", "e8"), 1)
    thinker.think(other)
    assert wait_for(thinker.poll).task == other
    thinker.close()
