"""The recorder: keeps pictures, serial bytes and decisions of the game that is played.

It is one more output of the loop, is told of every reading, and taps the hall grid's line. These
only put what is to be kept into a queue; a thread of its own writes it (a black box, see
:mod:`companion.service.blackbox`). When that cannot keep up, something is left out and counted, and
nobody waits.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Literal, Protocol

from companion.board import Board, DeviceView, Reading
from companion.config import RecordSettings
from companion.errors import CompanionError
from companion.games.game import Move
from companion.referee.verdict import Kind, Verdict
from companion.sensing.corners import Corners
from companion.sensing.fusion import Shown
from companion.service.blackbox import BlackBox, Line, Note, Shot, frame_name, said
from companion.service.snapshot import Snapshot
from companion.store.recordings import DECISIONS, SERIAL, Recordings, why
from companion.store.truth import truth_of

log = logging.getLogger(__name__)

MEGABYTE = 1_000_000

#: When nothing has happened for this long, the hall grid's line is not kept any more.
IDLE_SECONDS = 60.0

#: How often what was written is put on disk, the switch is looked at, and room is made.
SYNC_SECONDS = 1.0
LOOK_SECONDS = 2.0
ROOM_SECONDS = 20.0

#: What may wait to be written; a picture takes megabytes.
MOST_WAITING = 1000
MOST_PICTURES_WAITING = 3

#: Of what is said on a newly opened line, with which every black box begins: versions, rest values.
OPENING_BYTES = 6000

#: What the companion doubts is kept as a picture, this often in a game at most.
DOUBTS = (Kind.UNSURE, Kind.NOT_ALLOWED)
MOST_DOUBTS = 200


class Looking(Protocol):
    """What the recorder needs of the senses."""

    @property
    def shown(self) -> Shown | None:
        """Return the last frame in which there is a board, with where it lies."""

    @property
    def corners(self) -> Corners | None:
        """Return the corners of the board that were given."""


class Recorder:
    """Records games while that is wanted: by the settings, or by ``companion record``.

    ``profile`` is the file of a board that does not come along with the companion.

    Example::

        recorder = Recorder(board, Recordings.beside("journal.db"), settings, lambda: senses)
        loop = Loop(…, outputs=[recorder.show], watched=recorder.watched)
        link = HallLink("/dev/ttyACM0", clock, tap=recorder.heard)
    """

    def __init__(
        self,
        board: Board,
        recordings: Recordings,
        settings: RecordSettings,
        look: Callable[[], Looking],
        profile: Path | None = None,
    ) -> None:
        self._board, self._recordings, self._settings = board, recordings, settings
        self._look = look
        self._queue: queue.Queue[Shot | Note] = queue.Queue(MOST_WAITING)
        self._pictures_waiting = 0
        self._opening: list[tuple[float, str, bytes]] = []
        self._lock = threading.Lock()  # guards the two above
        self.dropped = 0
        self._line: Line | None = None
        self._snapshot: Snapshot | None = None
        self._kept: tuple[Move, ...] | None = None  # the moves to the last position kept
        self._late = False  # whether the picture of a position waits for room among the others
        self._active_at = float("-inf")
        self._trouble = ""
        self._is_on = False
        self._profile = profile
        self._box = self._new_box()
        self._look_around()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def views(self) -> tuple[DeviceView, ...]:
        """Return how recording goes; nothing while nobody wants it."""
        if not self._is_on:
            return ()
        if self._trouble:
            return (DeviceView("recorder", "trouble", self._trouble),)
        lost = " Something had to be left out: the disk is slow." if self.dropped else ""
        text = f"Games are recorded, with the camera's pictures, on this machine only.{lost}"
        return (DeviceView("recorder", "ok", text),)

    # --- what is to be kept: called by the loop, and in the link's thread; never waits -----------

    def show(self, snapshot: Snapshot, now: float) -> None:
        """Take in a snapshot: which game it is, and what the referee says."""
        before, self._snapshot = self._snapshot, snapshot
        if not self._is_on or self._trouble or snapshot.setting_up or not snapshot.on_board:
            self._line = None
            return
        line = self._line if self._line and not self._line.lost else None
        if line is not None and snapshot is before:
            return
        self._active_at = now
        if line is None or before is None or not _goes_on(before, snapshot):
            line, before = self._begin(snapshot, now), None
        self._note(line, before, snapshot, now)

    def watched(self, reading: Reading, agreed: bool) -> None:
        """Keep the picture of an agreed position, once. That it has stood still is the referee's
        business: before, it is not agreed."""
        line, snapshot = self._line, self._snapshot
        if line is None or snapshot is None or not agreed or not reading.seen or reading.moving:
            return
        if self._kept == snapshot.moves:
            return
        shown = self._look().shown
        if shown is None or shown.moving:
            return
        moves = snapshot.moves
        if not line.agreed:
            line.before = moves
        truth = {
            **truth_of(self._board, snapshot.position, shown.corners, shown.covered),
            "settled": True,
            "ply": len(moves),
            "move": moves[-1] if moves else None,
            "time": round(shown.frame.time - line.begun, 3),
        }
        self._late = not self._shoot(line, shown, moves[len(line.before) :], truth)
        if not self._late:
            self._kept = moves
            line.agreed += 1

    def heard(self, now: float, what: Literal["opened", "line", "sent"], data: bytes) -> None:
        """Keep what is said on the hall grid's line."""
        with self._lock:
            if what == "opened":
                self._opening = []
                return
            if sum(len(each) for _, _, each in self._opening) < OPENING_BYTES:
                self._opening.append((now, what, data))
        line = self._line
        if line is not None and now >= line.begun and now - self._active_at < IDLE_SECONDS:
            self._put(Note(line, SERIAL, said(now - line.begun, what, data)))

    def close(self) -> None:
        """Write what is left and end; twice is fine."""
        self._closing.set()
        self._thread.join(timeout=5)

    def _begin(self, snapshot: Snapshot, now: float) -> Line:
        self._kept = None
        self._line = Line(
            snapshot.game_id,
            snapshot.game,
            dict(snapshot.options),
            self._board.name,
            tuple(seat.piece for seat in snapshot.seats),
            tuple(seat.level for seat in snapshot.seats),
            snapshot.moves,
            now,
            datetime.now(UTC),
        )
        return self._line

    def _note(self, line: Line, before: Snapshot | None, snapshot: Snapshot, now: float) -> None:
        """Write down what is new in a snapshot."""
        told: dict[str, Any] = {}
        played = snapshot.moves[len(before.moves if before else line.before) :]
        if played:
            told["played"] = list(played)
            self.dropped += self._late
            self._late = False
        decided = _verdict(snapshot.verdict)
        if before is None or decided != _verdict(before.verdict):
            told |= decided | self._doubt(line, snapshot.verdict)
        troubles = _troubles(snapshot)
        if troubles != (_troubles(before) if before else {}):
            told["trouble"] = troubles
        if told:
            self._put(Note(line, DECISIONS, {"time": round(now - line.begun, 3), **told}))

    def _doubt(self, line: Line, verdict: Verdict) -> dict[str, str]:
        """Keep the picture that the companion asks about, or refuses; return its name."""
        if verdict.kind not in DOUBTS or not line.agreed or line.doubts >= MOST_DOUBTS:
            return {}
        line.doubts += 1
        shown = self._look().shown
        if shown is None or not self._shoot(line, shown):
            return {}
        return {"picture": frame_name(line.pictures - 1)}

    def _shoot(
        self,
        line: Line,
        shown: Shown,
        moves: tuple[Move, ...] = (),
        truth: Mapping[str, Any] | None = None,
    ) -> bool:
        """Have a picture written; tell whether there is room for it among those that wait."""
        if self._pictures_waiting >= MOST_PICTURES_WAITING:
            return False
        picture, corners = shown.frame.picture, self._look().corners
        if not self._put(Shot(line, line.pictures, picture, corners, moves, truth or {})):
            return False
        with self._lock:
            self._pictures_waiting += 1
        line.pictures += 1
        return True

    def _put(self, task: Shot | Note) -> bool:
        try:
            self._queue.put_nowait(task)
        except queue.Full:
            self.dropped += 1
            return False
        return True

    # --- writing: in the recorder's own thread ----------------------------------------------------

    def _run(self) -> None:
        looked = made_room = synced = monotonic()
        while not (self._closing.is_set() and self._queue.empty()):
            self._write_next()
            now = monotonic()
            if now - synced >= SYNC_SECONDS:
                synced = now
                self._guarded(self._box.sync)
            if now - looked >= LOOK_SECONDS:
                looked = now
                self._look_around(room=bool(self._trouble) or now - made_room >= ROOM_SECONDS)
                made_room = now if now - made_room >= ROOM_SECONDS else made_room
        self._guarded(self._box.close)

    def _write_next(self) -> None:
        try:
            task = self._queue.get(timeout=0.2)
        except queue.Empty:
            return
        if isinstance(task, Shot):
            with self._lock:
                self._pictures_waiting -= 1
        if not task.line.lost:
            self._guarded(lambda: self._box.write(task), task.line)

    def _look_around(self, room: bool = True) -> None:
        """See whether recording is wanted, and whether there is room for it."""
        wanted = self._settings.on or self._recordings.are_wanted
        if self._is_on and not wanted:
            self._guarded(self._box.close)
        if wanted and (room or not self._is_on):
            self._guarded(self._make_room)
        self._is_on = wanted

    def _make_room(self) -> None:
        settings = self._settings
        if self._trouble:
            self._recordings.try_writing()
        full = self._recordings.make_room(
            settings.most_mb * MEGABYTE, settings.least_free_mb * MEGABYTE, self._box.folder
        )
        self._report(f"Recording waits: {full}." if full else "")

    def _guarded(self, do: Callable[[], None], line: Line | None = None) -> None:
        """Do something on the disk; what fails is reported, and what was being written is lost."""
        try:
            do()
        except (OSError, CompanionError) as error:
            if line is not None:
                line.lost = True
            reason = str(error) if isinstance(error, CompanionError) else why(error)
            self._report(f"Recording waits, it cannot be written: {reason}.")
            broken, self._box = self._box, self._new_box()
            with suppress(OSError):
                broken.close()

    def _new_box(self) -> BlackBox:
        return BlackBox(self._recordings, self._profile, self._said_at_first)

    def _report(self, trouble: str) -> None:
        if trouble and not self._trouble:
            log.warning("%s", trouble)
        elif self._trouble and not trouble:
            log.info("games are recorded again")
        self._trouble = trouble

    def _said_at_first(self, line: Line) -> list[Mapping[str, Any]]:
        """Return what was said on the hall grid's line when it was opened, if that was before."""
        with self._lock:
            opening = list(self._opening)
        return [said(at - line.begun, what, data) for at, what, data in opening if at < line.begun]


def _goes_on(before: Snapshot, snapshot: Snapshot) -> bool:
    """Tell whether a snapshot goes on with the game of the one before, and takes nothing back."""
    known = before.moves
    return before.game_id == snapshot.game_id and snapshot.moves[: len(known)] == known


def _verdict(verdict: Verdict) -> dict[str, Any]:
    told = {"verdict": verdict.kind.value, "text": verdict.text}
    more = {"moves": list(verdict.moves), "rule": verdict.rule}
    return told | {name: value for name, value in more.items() if value}


def _troubles(snapshot: Snapshot) -> dict[str, str]:
    return {view.name: view.text for view in snapshot.devices if view.state == "trouble"}
