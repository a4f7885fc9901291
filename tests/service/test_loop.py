"""The loop: what it writes, what it says, in which order, and what it does when asked."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from companion.board import DeviceView
from companion.errors import CompanionError, IllegalMove, JournalError, MalformedMove, UnknownGame
from companion.referee.verdict import Kind
from companion.service.requests import (
    AgreeDraw,
    Answer,
    EnterMove,
    LookAgain,
    NewGame,
    TakeBack,
)
from companion.service.snapshot import Snapshot
from companion.store.journal import Journal
from tests.acting import Stage, position_of

Open = Callable[..., Stage]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Open]:
    """Open stages on one folder; opening another closes the one before, as a restart would."""
    stages: list[Stage] = []

    def open_stage(*outputs: Callable[[Snapshot, float], None]) -> Stage:
        if stages:
            stages[-1].close()
        stages.append(Stage(tmp_path, list(outputs)))
        return stages[-1]

    yield open_stage
    stages[-1].close()


def written(folder: Path) -> list[tuple[str, str]]:
    """Return the journal's entries as another program reads them from the disk."""
    with sqlite3.connect(f"file:{folder / 'journal.db'}?mode=ro", uri=True) as other:
        rows = other.execute("SELECT kind, text FROM entry ORDER BY id").fetchall()
    other.close()
    return rows


def devices(stage: Stage) -> dict[str, DeviceView]:
    return {view.name: view for view in stage.loop.snapshot.devices}


def test_a_move_is_on_disk_before_anybody_hears_of_it(stage, tmp_path):
    told: list[tuple[str, ...]] = []

    def output(snapshot: Snapshot, now: float) -> None:
        if snapshot.moves[len(told) :]:
            on_disk = tuple(text for kind, text in written(tmp_path) if kind == "move")
            assert on_disk == snapshot.moves
            told.append(snapshot.moves)

    table = stage(output).begin()
    table.play("e2", "e8", "e3h")
    table.senses.look = None
    table.ask(EnterMove("d8"))
    assert told == [("e2",), ("e2", "e8"), ("e2", "e8", "e3h"), ("e2", "e8", "e3h", "d8")]


def test_a_move_waits_while_the_disk_fails_and_is_accepted_when_it_is_back(stage, monkeypatch):
    table = stage().begin()

    def full(*_: object) -> None:
        raise JournalError("the journal does not fit on the disk any more: make room")

    with monkeypatch.context() as broken:
        broken.setattr(table.journal, "append_moves", full)
        table.put("e2")
        table.wait(1)
        assert table.moves == ()
        assert devices(table)["journal"].state == "trouble"
        assert "make room" in devices(table)["journal"].text
        with pytest.raises(JournalError, match="make room"):
            table.ask(EnterMove("e2"))
    table.wait(0.2)
    assert table.moves == ("e2",)
    assert devices(table)["journal"].state == "ok"


def test_while_the_disk_fails_nothing_is_taken_back_and_no_draw_agreed(stage, monkeypatch):
    table = stage().begin()
    table.play("e2")

    def full(*_: object) -> None:
        raise JournalError("the journal does not fit on the disk any more: make room")

    monkeypatch.setattr(table.journal, "append", full)
    with pytest.raises(JournalError):
        table.ask(TakeBack())
    with pytest.raises(JournalError):
        table.ask(AgreeDraw())
    assert table.moves == ("e2",)
    assert table.loop.snapshot.outcome is None


def test_a_winning_move_counts_when_only_its_result_cannot_be_written(stage, monkeypatch):
    table = stage().begin()
    table.play("e2", "d9", "e3", "e9", "e4", "d9", "e5", "e9", "e6", "d9", "e7", "e9", "e8", "d9")

    def full(*_: object) -> None:
        raise JournalError("the journal does not fit on the disk any more: make room")

    monkeypatch.setattr(table.journal, "finish", full)
    assert table.ask(EnterMove("e9")) == "Pac-Man went to e9."
    assert table.loop.snapshot.outcome.winners == (0,)
    again = stage().begin()  # a restart writes down what was missing
    assert again.journal.current() is None
    assert again.journal.games()[0].result == "1-0"


def test_an_entered_move_is_played_and_the_board_follows(stage):
    table = stage().begin()
    before = position_of("quoridor")
    table.senses.look = lambda: before
    assert table.ask(EnterMove("e2")) == "Pac-Man went to e2."
    table.wait(1.5)
    assert table.loop.snapshot.verdict.kind is Kind.SET_UP
    assert "Move Pac-Man from e1 to e2" in table.loop.snapshot.verdict.text
    table.senses.look = lambda: table.loop.snapshot.position
    table.wait(1.5)
    assert table.loop.snapshot.verdict.kind is Kind.WAITING
    table.play("e8")


def test_a_board_left_alone_after_entered_moves_adds_none_even_after_a_restart(stage):
    table = stage().begin()
    before = position_of("quoridor")
    table.senses.look = lambda: before
    table.ask(EnterMove("e2"))
    table.ask(EnterMove("e8"))
    table.wait(5)
    assert table.moves == ("e2", "e8")
    again = stage()
    again.loop.begin(NewGame("quoridor"))
    again.senses.look = lambda: before
    again.wait(5)
    assert again.moves == ("e2", "e8")
    assert "move Pac-Man from e1 to e2" in again.loop.snapshot.verdict.text


@pytest.mark.parametrize(
    ("command", "error", "text"),
    [
        (EnterMove("e5"), IllegalMove, "e5"),
        (EnterMove("z0"), MalformedMove, "z0"),
        (EnterMove(""), MalformedMove, "is no move"),
        (Answer("a1"), IllegalMove, "a1"),
        (TakeBack(), CompanionError, "no move to take back"),
        (NewGame("chess"), UnknownGame, "chess"),
        (NewGame("quoridor", {"colour": "red"}), CompanionError, "no option 'colour'"),
        (NewGame("quoridor", {}, ("inky",)), CompanionError, "2 different pieces"),
        (NewGame("quoridor", {}, ("inky", "pawn")), CompanionError, "unknown piece 'pawn'"),
    ],
)
def test_what_cannot_be_done_is_answered_and_changes_nothing(stage, command, error, text):
    table = stage().begin()
    before = table.loop.snapshot
    with pytest.raises(error, match=text):
        table.ask(command)
    table.wait(0.2)
    assert table.loop.snapshot == before
    table.play("e2")


def test_a_command_nobody_waits_for_any_more_is_not_obeyed(stage):
    table = stage().begin()
    given_up = table.loop.post(EnterMove("e2"))
    assert given_up.cancel()
    table.loop.step()
    assert table.moves == ()
    table.play("d1")


def test_an_answer_plays_the_move_in_question(stage):
    table = stage().begin()
    table.senses.strange = {"e3n": {"fence": 4.0}, "e3x": {"fence": 4.0}, "f3n": {"fence": -4.0}}
    table.wait(1.5)
    verdict = table.loop.snapshot.verdict
    assert verdict.kind is Kind.UNSURE
    assert "e3h" in verdict.moves
    assert table.ask(Answer("e3h")) == "Pac-Man put a fence on e3h."
    assert table.moves == ("e3h",)


def test_answering_none_of_these_lets_the_game_stand(stage):
    table = stage().begin()
    table.senses.strange = {"e3n": {"fence": 4.0}, "e3x": {"fence": 4.0}, "f3n": {"fence": -4.0}}
    table.wait(1.5)
    assert table.ask(Answer("")) == "The board stands as the game has it."
    table.wait(1.5)
    assert table.loop.snapshot.verdict.kind is Kind.WAITING
    assert table.moves == ()
    table.play("e2")


def test_look_again_disregards_what_the_sensors_make_up(stage):
    table = stage().begin()
    table.senses.strange = {"c7": {"inky": 8.0}}
    table.wait(1.5)
    assert table.loop.snapshot.verdict.kind is Kind.NOT_ALLOWED
    table.ask(LookAgain())
    table.wait(1.5)
    assert table.loop.snapshot.verdict.kind is Kind.WAITING
    assert table.senses.learned[-1] == position_of("quoridor")
    table.play("e2")


def test_what_is_refused_names_reason_and_repair_and_play_goes_on(stage):
    table = stage().begin()
    table.put("e4")
    table.wait(1.5)
    verdict = table.loop.snapshot.verdict
    assert verdict.kind is Kind.NOT_ALLOWED
    assert [(c.thing, c.source, c.target) for c in verdict.repair] == [("pacman", "e4", "e1")]
    assert table.moves == ()
    table.play("e2")


def test_a_taken_back_move_stays_taken_back_after_a_restart(stage, tmp_path):
    table = stage().begin()
    table.play("e2", "e8")
    assert table.ask(TakeBack()) == "Taken back: Blinky went to e8."
    assert table.loop.snapshot.verdict.kind is not Kind.ACCEPTED
    again = stage().begin()
    assert again.moves == ("e2",)
    assert again.loop.snapshot.to_act == 1
    again.play("d9")
    assert stage().begin().moves == ("e2", "d9")
    kinds = [kind for kind, _ in written(tmp_path)]
    assert kinds == ["move", "move", "takeback", "move"]


def test_after_taking_back_the_board_is_guided_and_play_goes_on(stage):
    table = stage().begin()
    table.play("e2")
    stands = table.loop.snapshot.position
    table.senses.look = lambda: stands
    table.ask(TakeBack())
    table.wait(1.5)
    verdict = table.loop.snapshot.verdict
    assert verdict.kind is Kind.SET_UP
    assert verdict.text == "Move Pac-Man from e2 to e1."
    table.senses.look = lambda: table.loop.snapshot.position
    table.wait(1)
    table.play("d1")


def test_a_draw_ends_the_game_and_a_restart_begins_another(stage):
    table = stage().begin()
    table.play("e2")
    number = table.loop.snapshot.game_id
    assert table.ask(AgreeDraw()) == "The game is drawn."
    outcome = table.loop.snapshot.outcome
    assert outcome.result(2) == "1/2"
    assert table.loop.snapshot.to_act is None
    assert table.loop.snapshot.choices == ()
    with pytest.raises(CompanionError, match="over already"):
        table.ask(AgreeDraw())
    with pytest.raises(IllegalMove, match="drawn"):
        table.ask(EnterMove("e8"))
    again = stage().begin()
    assert again.loop.snapshot.game_id == number + 1
    assert again.moves == ()
    assert again.journal.record(number).result == "1/2"


def test_taking_back_reopens_a_drawn_game(stage):
    table = stage().begin()
    table.play("e2", "e8")
    table.ask(AgreeDraw())
    table.ask(TakeBack())
    assert table.loop.snapshot.outcome is None
    assert stage().begin().moves == ("e2",)


def test_a_new_game_puts_the_old_one_away(stage):
    table = stage().begin()
    table.play("e2")
    old = table.loop.snapshot.game_id
    assert table.ask(NewGame("quoridor4")) == "A new game."
    snapshot = table.loop.snapshot
    assert (snapshot.game, snapshot.moves, snapshot.verdict.kind) == ("quoridor4", (), Kind.SET_UP)
    assert len(snapshot.seats) == 4
    assert table.journal.record(old).result == "*"
    assert stage().begin().loop.snapshot.game == "quoridor4"


def test_beginning_afresh_puts_the_old_one_away(stage):
    table = stage().begin()
    table.play("e2")
    assert stage().begin(afresh=True).moves == ()


def test_a_game_that_cannot_go_on_here_says_how_to_begin_another(stage):
    table = stage()
    table.journal.start("quoridor", {}, ("pacman", "tardis"), _moment())
    with pytest.raises(CompanionError, match=r"unknown piece 'tardis'.*begin another with --new"):
        table.loop.begin(NewGame("quoridor"))
    table.loop.begin(NewGame("quoridor"), afresh=True)


def test_the_number_grows_only_when_something_changes(stage):
    table = stage().begin()
    table.wait(4)
    number = table.loop.snapshot.number
    table.wait(3)
    assert table.loop.snapshot.number == number
    table.put("e2")
    table.wait(0.5)
    assert table.loop.snapshot.number == number + 1


def test_a_lost_sensor_is_told_even_when_no_reading_comes(stage):
    table = stage().begin()
    number = table.loop.snapshot.number
    table.senses.look = None
    table.senses.view = DeviceView("camera", "trouble", "The camera gives no pictures.")
    table.loop.step()
    assert table.loop.snapshot.number == number + 1
    assert devices(table)["camera"].state == "trouble"


def test_hands_over_the_board_are_waited_for(stage):
    table = stage().begin()
    table.put("e2")
    table.senses.covered = frozenset(f"{column}{row}" for column in "defg" for row in "3456")
    table.wait(1)
    assert table.loop.snapshot.verdict.kind is Kind.HANDS
    assert table.moves == ()
    table.senses.covered = frozenset()
    table.wait(0.5)
    assert table.moves == ("e2",)


def test_a_snapshot_cannot_be_changed(stage):
    snapshot = stage().begin().loop.snapshot
    with pytest.raises(FrozenInstanceError):
        snapshot.moves = ("e2",)
    with pytest.raises(TypeError):
        snapshot.position["a1"] = "inky"
    with pytest.raises(TypeError):
        snapshot.options["a"] = "b"
    assert replace(snapshot, number=0).moves == ()


def test_an_old_snapshot_keeps_its_moment(stage):
    table = stage().begin()
    old = table.loop.snapshot
    table.play("e2", "e8")
    assert (old.moves, old.to_act, dict(old.position)) == ((), 0, position_of("quoridor"))


def test_the_loop_runs_until_it_is_stopped(tmp_path):
    rounds = 0

    def output(snapshot: Snapshot, now: float) -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 5:
            stage.loop.stop()

    stage = Stage(tmp_path, [output])
    stage.loop.begin(NewGame("quoridor"))
    stage.loop.run()
    assert rounds == 5
    stage.close()


def test_every_command_of_the_page_has_an_answer(stage):
    table = stage().begin()
    asked = [EnterMove("e2"), TakeBack(), LookAgain(), Answer(""), AgreeDraw(), NewGame("quoridor")]
    assert all(table.ask(command).endswith(".") for command in asked)


def _moment():
    from datetime import UTC, datetime

    return datetime.now(UTC)


def test_two_loops_cannot_share_a_journal(stage, tmp_path):
    stage().begin()
    with pytest.raises(JournalError, match="in use"):
        Journal(tmp_path / "journal.db")


def test_two_moves_at_once_are_written_together(stage, tmp_path):
    table = stage().begin()
    table.senses.look = lambda: position_of("quoridor", "e2", "e8")
    table.wait(0.6)
    assert table.moves == ("e2", "e8")
    assert written(tmp_path) == [("move", "e2"), ("move", "e8")]


def test_a_piece_that_is_lifted_is_in_the_snapshot(stage):
    table = stage().begin()
    position = dict(table.loop.table.expected.position)
    assert table.loop.snapshot.lifted is None
    table.senses.look = lambda: {s: t for s, t in position.items() if t != "pacman"}
    table.wait(0.5)
    assert table.loop.snapshot.lifted == "pacman"
