"""The recorder: what is kept of a game, that it can be replayed, and that nobody waits for it."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.config import RecordSettings
from companion.sensing.camera.files import in_order, read_picture
from companion.sensing.hall import wire
from companion.sensing.hall.session import Session
from companion.service import recorder as module
from companion.service.recorder import Recorder
from companion.service.requests import NewGame, TakeBack
from companion.service.simulated.rig import Rig
from companion.sim.hands import Person
from companion.sim.pico import Pico
from companion.sim.room import Room, Setting
from companion.store import recordings as files
from companion.store.recordings import Recordings, read_game, read_lines, serial_bytes
from tests.sensing.studio import BOARD
from tests.waiting import wait_for

STILL = [2048] * wire.CHANNELS
WANTED = RecordSettings(on=True, least_free_mb=0)


class Recorded:
    """A table in simulated time whose games are recorded."""

    def __init__(self, folder: Path, settings: RecordSettings = WANTED) -> None:
        room = Room(BOARD, Setting("daylight", 5))
        self.recordings = Recordings(folder / "recordings")
        self.recorder = Recorder(BOARD, self.recordings, settings, lambda: self.rig.senses)
        outputs, watched = [self.recorder.show], self.recorder.watched
        self.rig = Rig(room, folder=folder, outputs=outputs, watched=watched)
        self.person = Person(room.table, BOARD)
        self.rig.begin("quoridor")

    def pawn(self, piece: str, source: str, target: str) -> None:
        self.rig.watch(self.person.move_pawn(piece, source, target))
        self.rig.wait(1.5)

    def boxes(self) -> list[Path]:
        """Return what was recorded, once it is written."""
        wait_for(lambda: self.recorder._queue.empty())
        self.close()
        return self.recordings.paths()

    def close(self) -> None:
        self.recorder.close()
        self.rig.close()


Open = Callable[..., Recorded]


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Open]:
    """Open recorded tables; each is closed."""
    opened: list[Recorded] = []

    def open_one(settings: RecordSettings = WANTED) -> Recorded:
        opened.append(Recorded(tmp_path, settings))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def watched(box: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the moves that ``companion watch`` finds in a black box."""
    assert main(["watch", str(box), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [line["move"] for line in lines if line["verdict"] == "accepted"]


def test_a_recorded_game_is_replayed_with_the_same_moves(record, capsys):
    table = record()
    table.pawn("pacman", "e1", "e2")
    table.pawn("blinky", "e9", "e8")
    table.pawn("pacman", "e2", "f2")
    (box,) = table.boxes()
    assert read_game(box).moves == ("e2", "e8", "f2")
    assert watched(box, capsys) == ["e2", "e8", "f2"]
    pictures = in_order(box)
    assert [path.name for path in pictures] == [f"frame_{n:04}.jpg" for n in range(4)]
    told = [json.loads(path.with_suffix(".json").read_text()) for path in pictures]
    assert [(truth["ply"], truth["move"]) for truth in told] == [
        (0, None),
        (1, "e2"),
        (2, "e8"),
        (3, "f2"),
    ]
    assert told[3]["pieces"] == {"pacman": "f2", "blinky": "e8"}
    assert read_picture(pictures[0]).shape == (972, 1296, 3)


def test_the_corners_are_where_the_board_lies(record):
    table = record()
    shown = table.rig.senses.shown
    (box,) = table.boxes()
    truth = json.loads((box / "frame_0000.json").read_text())
    for found, seen in zip(truth["board_corners_px"], shown.corners, strict=True):
        assert found == pytest.approx(seen, abs=1.0)


def test_what_is_refused_is_kept_without_a_truth_and_refused_again(record, capsys):
    table = record()
    table.pawn("pacman", "e1", "e3")
    table.pawn("pacman", "e3", "e2")
    (box,) = table.boxes()
    refused = [line for line in read_lines(box / "decisions.jsonl") if "picture" in line]
    assert [(line["verdict"], line["picture"]) for line in refused] == [
        ("not allowed", "frame_0001.jpg")
    ]
    assert not (box / "frame_0001.json").exists()
    assert watched(box, capsys) == ["e2"]


def test_decisions_have_their_times_and_what_was_played(record):
    table = record()
    table.pawn("pacman", "e1", "e2")
    (box,) = table.boxes()
    lines = read_lines(box / "decisions.jsonl")
    times = [line["time"] for line in lines]
    assert times == sorted(times)
    played = next(line for line in lines if "played" in line)
    assert played["played"] == ["e2"]
    assert (played["verdict"], played["text"]) == (
        "accepted",
        "Pac-Man went to e2. Blinky to move.",
    )


def test_a_move_taken_back_begins_another_black_box(record, capsys):
    table = record()
    table.pawn("pacman", "e1", "e2")
    table.rig.ask(TakeBack())
    table.pawn("pacman", "e2", "e1")
    table.pawn("pacman", "e1", "d1")
    first, second = table.boxes()
    assert read_game(first).moves == ("e2",)
    assert read_game(second).before == ()
    assert [watched(box, capsys) for box in (first, second)] == [["e2"], ["d1"]]


def test_a_game_that_goes_on_after_a_restart_begins_with_the_moves_before(record, capsys):
    table = record()
    table.pawn("pacman", "e1", "e2")
    table.boxes()
    later = record()
    later.pawn("pacman", "e1", "e2")  # the new table is set up from the start
    later.pawn("blinky", "e9", "e8")
    _, second = later.boxes()
    assert read_game(second).before == ("e2",)
    assert watched(second, capsys) == ["e8"]


def test_nothing_is_kept_unless_it_is_wanted_and_everything_from_then_on(record, monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    table = record(RecordSettings(least_free_mb=0))
    assert table.recorder.views == ()
    assert not table.recordings.folder.exists()
    table.pawn("pacman", "e1", "e2")
    table.recordings.switch(on=True)
    wait_for(lambda: table.recorder.views)
    assert "on this machine only" in table.recorder.views[0].text
    table.pawn("blinky", "e9", "e8")
    table.recordings.switch(on=False)
    wait_for(lambda: not table.recorder.views)
    table.pawn("pacman", "e2", "e3")
    (box,) = table.boxes()
    assert read_game(box).before + read_game(box).moves == ("e2", "e8")


def test_nobody_waits_for_a_slow_disk_and_what_is_left_out_is_counted(record, monkeypatch):
    table = record()
    going_on = threading.Event()
    write_whole = files.write_whole

    def slow(path: Path, data: bytes) -> None:
        going_on.wait(10)
        write_whole(path, data)

    monkeypatch.setattr("companion.service.blackbox.write_whole", slow)
    table.pawn("pacman", "e1", "e2")
    table.pawn("blinky", "e9", "e8")
    start = time.monotonic()
    for _ in range(3000):
        table.recorder.heard(table.rig.clock.now, "line", b"x" * 40)
    assert time.monotonic() - start < 1.0
    assert table.recorder.dropped >= 1000
    assert "left out" in table.recorder.views[0].text
    going_on.set()
    (box,) = table.boxes()
    assert read_game(box).moves == ("e2", "e8")


def test_a_disk_that_fails_is_told_while_the_game_goes_on_and_used_again(record, monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    table = record()
    with monkeypatch.context() as broken:

        def full(path: Path, data: bytes) -> None:
            raise OSError(28, "No space left on device")

        broken.setattr(files, "write_whole", full)
        broken.setattr("companion.service.blackbox.write_whole", full)
        table.pawn("pacman", "e1", "e2")
        wait_for(lambda: table.recorder.views[0].state == "trouble")
        assert "no space left on device" in table.recorder.views[0].text
        assert table.rig.moves == ("e2",)
    wait_for(lambda: table.recorder.views[0].state == "ok")
    table.pawn("blinky", "e9", "e8")
    *_, last = table.boxes()
    assert read_game(last).before + read_game(last).moves == ("e2", "e8")


def test_recording_waits_when_a_game_alone_takes_all_that_it_may(record, monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(module, "ROOM_SECONDS", 0.01)
    monkeypatch.setattr(module, "MEGABYTE", 1000)
    table = record(RecordSettings(on=True, most_mb=100, least_free_mb=0))
    wait_for(lambda: table.recorder.views[0].state == "trouble")
    assert table.recorder.views[0].text.startswith("Recording waits: this game alone takes")


def test_a_recording_that_is_deleted_meanwhile_is_begun_anew(record, monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    table = record()
    wait_for(table.recordings.paths)
    wait_for(lambda: table.recorder._queue.empty())
    time.sleep(0.1)
    table.recordings.forget()
    table.pawn("pacman", "e1", "e2")
    wait_for(lambda: table.recorder.views[0].state == "ok")
    table.pawn("blinky", "e9", "e8")
    *_, last = table.boxes()
    assert read_game(last).before + read_game(last).moves == ("e2", "e8")


def talk(recorder: Recorder, begun: float, then: Callable[[], object]) -> Session:
    """Have a grid and a companion talk for two seconds; at half-time something is done."""
    pico, session = Pico(), Session(begun, first=7)
    recorder.heard(begun, "opened", b"")
    for tick in range(200):
        now = begun + 0.01 * tick
        if out := session.due(now):
            recorder.heard(now, "sent", out)
        values = [3800, *STILL[1:]] if tick > 150 else STILL
        for data in pico.receive(out) + pico.scan(values, now):
            recorder.heard(now, "line", data)
            session.receive(data, now)
        if tick == 100:
            then()
    return session


def test_the_line_of_the_grid_is_kept_as_a_session_that_can_be_had_again(record):
    table = record()
    begun = table.rig.clock.now
    session = talk(table.recorder, begun, lambda: None)
    (box,) = table.boxes()
    decoder = wire.Decoder()
    said = b"".join(data for _, data in serial_bytes(box))
    kinds = {type(message) for message in decoder.feed(said)}
    assert {wire.Welcome, wire.Rest, wire.Snapshot, wire.Put} <= kinds
    assert decoder.bad == 0
    again = Session(0.0, first=7)
    for when, data in serial_bytes(box):
        again.receive(data, when)
    assert again.take(when).values == session.take(begun + 2.0).values


def test_a_game_begun_later_has_what_the_grid_said_at_first(record):
    """Without its versions and rest values nobody could read the line."""
    table = record()

    def begin_another() -> None:
        table.rig.clock.now += 1.0
        table.rig.ask(NewGame("quoridor"))

    talk(table.recorder, table.rig.clock.now, begin_another)
    _, box = table.boxes()
    lines = list(serial_bytes(box))
    assert lines[0][0] < 0 < lines[-1][0]
    kinds = [type(m) for m in wire.Decoder().feed(b"".join(data for _, data in lines))]
    assert kinds.count(wire.Welcome) == kinds.count(wire.Rest) == 1


def test_a_table_at_which_nothing_happens_fills_no_disk(record):
    table = record()
    for second in range(600):
        table.recorder.heard(table.rig.clock.now + second, "line", b"x" * 40)
    (box,) = table.boxes()
    assert 10 < len(list(serial_bytes(box))) <= module.IDLE_SECONDS + 1
