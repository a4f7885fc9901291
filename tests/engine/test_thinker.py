"""Engines in processes of their own: ours, foreign ones, and those that fail."""

import sys
import textwrap
from dataclasses import replace

import pytest

from companion.engine.thinker import HINT_SECONDS, EngineThinker, Purpose, Task, Thought, _seconds
from companion.games.catalogue import find_game
from companion.players.player import level_limits
from companion.sim.room import Clock
from tests.waiting import wait_for

TASK = Task("quoridor", {}, ("e2",), 1)
HINT = replace(TASK, purpose=Purpose.HINT)
DEMO = replace(TASK, purpose=Purpose.DEMO)

#: Answers at once, and notes in a file when it begins and when it ends.
NOTING = """
import pathlib, sys
notes = pathlib.Path(__file__).with_name("notes")
def note(word):
    with notes.open("a") as file:
        file.write(word + " ")
said = {"ugi": "ugiok", "isready": "readyok", "go": "bestmove e8"}
note("begins")
for line in sys.stdin:
    print(said.get(line.split()[0], ""), flush=True)
    if line.startswith("quit"):
        break
note("ends")
"""


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


def notes_of(folder) -> str:
    return (folder / "notes").read_text()


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


def test_a_search_that_nobody_wants_any_more_keeps_nobody_waiting(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.engine.client.GRACE_SECONDS", 1000)
    deaf = (
        "import sys\nfor l in sys.stdin:\n    if l[0] in 'ui': print('ugiok\\nreadyok', flush=True)"
    )
    thinker = EngineThinker(program(tmp_path, deaf))
    thinker.think(TASK)
    wait_for(lambda: thinker._engines)
    thinker.think(HINT)
    assert wait_for(thinker.poll).task == HINT
    thinker.close()


def test_hints_are_ours_whoever_plays_the_companions_seats(think):
    thought = think(HINT, "no-such-engine")
    assert find_game("quoridor").start({}).play("e2").why_not(thought.move) is None


def asked(thinker: EngineThinker, *tasks: Task) -> None:
    for task in tasks:
        thinker.think(task)
        assert wait_for(thinker.poll).move == "e8"


@pytest.mark.parametrize(("game", "moves"), [("quoridor", 1), ("pacman", 4)])
def test_the_moves_of_a_turn_share_the_time_of_its_level_and_a_hint_has_its_own(game, moves):
    task = Task(game, {}, (), 10)
    assert moves * _seconds(task) == level_limits(10).seconds < 2
    assert _seconds(replace(task, level=4)) < _seconds(task)
    assert _seconds(replace(task, purpose=Purpose.HINT)) == HINT_SECONDS


def test_an_engine_for_hints_ends_when_it_is_idle_and_that_of_a_seat_stays(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.engine.thinker.LOOK_SECONDS", 0.01)
    own, hints = tmp_path / "own", tmp_path / "hints"
    own.mkdir()
    hints.mkdir()
    clock = Clock()
    thinker = EngineThinker(program(own, NOTING), clock, program(hints, NOTING))
    asked(thinker, TASK, HINT)
    clock.now += 59
    asked(thinker, replace(HINT, moves=("d1",)))
    clock.now += 59
    asked(thinker, HINT)
    assert notes_of(hints) == "begins "
    clock.now += 61
    wait_for(lambda: notes_of(hints) == "begins ends ")
    asked(thinker, TASK)
    assert notes_of(own) == "begins "
    thinker.close()
    assert notes_of(own) == "begins ends "


def test_there_is_one_engine_beside_those_of_the_companions_seats(tmp_path):
    thinker = EngineThinker(ours=program(tmp_path, NOTING))
    asked(thinker, HINT, DEMO)
    assert notes_of(tmp_path) == "begins ends begins "
    thinker.close()
