"""Writes the black box of one game after the other, in whatever thread it is called."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from companion import __version__
from companion.games.game import Move
from companion.sensing.camera.files import to_jpeg
from companion.sensing.camera.frame import Picture
from companion.sensing.corners import Corners
from companion.store.recordings import (
    BOARD,
    GAME,
    SERIAL,
    VERSION,
    Lines,
    Recordings,
    corners_json,
    write_json,
    write_whole,
)

JPEG_QUALITY = 92


@dataclass(eq=False)
class Line:
    """A line of play that is recorded: one game, without taking back, in one run of the companion.

    ``before`` are the moves that led to the first position kept, ``begun`` is when it began on the
    companion's clock. One that is ``lost`` cannot be gone on with.
    """

    game_id: int
    game: str
    options: Mapping[str, str]
    board: str
    seats: tuple[str, ...]
    levels: tuple[int | None, ...]
    before: tuple[Move, ...]
    begun: float
    started: datetime
    pictures: int = 0
    agreed: int = 0  # of the pictures
    doubts: int = 0
    lost: bool = False


@dataclass(frozen=True)
class Shot:
    """A picture to be kept; where the position was agreed on, with its truth and the moves that
    led to it. ``corners`` are those of the board that were given by hand."""

    line: Line
    number: int
    picture: Picture
    corners: Corners | None = None
    moves: tuple[Move, ...] = ()
    truth: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Note:
    """Something for one of the files that grow."""

    line: Line
    file: str
    value: Mapping[str, Any]


def frame_name(number: int) -> str:
    """Return the name of a picture."""
    return f"frame_{number:04}.jpg"


def said(time: float, what: str, data: bytes) -> dict[str, Any]:
    """Return bytes of the hall grid's line as docs/serial-vectors.json has them, with a time."""
    return {"time": round(time, 3), what: data.hex()}


class BlackBox:
    """Writes what belongs to a line of play into a folder of its own.

    ``profile`` is the file of a board that does not come along with the companion; ``opening``
    says what was said on the hall grid's line before a line of play began.
    """

    def __init__(
        self,
        recordings: Recordings,
        profile: Path | None,
        opening: Callable[[Line], Iterable[Mapping[str, Any]]],
    ) -> None:
        self._recordings, self._profile, self._opening = recordings, profile, opening
        self._line: Line | None = None
        self.folder: Path | None = None
        self._files: dict[str, Lines] = {}

    def write(self, task: Shot | Note) -> None:
        """Write something down; RecordingError or OSError when it cannot be."""
        folder = self._folder_of(task.line)
        if isinstance(task, Note):
            self._file(folder, task.file).add(task.value)
            return
        name = frame_name(task.number)
        jpeg = to_jpeg(task.picture, JPEG_QUALITY)
        if task.truth:  # before its picture: one without truth is none that was agreed on
            write_json(folder / Path(name).with_suffix(".json"), task.truth)
        write_whole(folder / name, jpeg)
        if task.truth:
            write_json(folder / GAME, about(task.line, task.moves, task.corners))

    def sync(self) -> None:
        """Put on disk what is still on its way there."""
        for file in self._files.values():
            file.sync()

    def close(self) -> None:
        """Put everything on disk, and begin anew with whatever comes next."""
        files, self._files = self._files, {}
        self._line = self.folder = None
        for file in files.values():
            file.close()

    def _folder_of(self, line: Line) -> Path:
        if line is self._line and self.folder is not None:
            return self.folder
        self.close()
        folder = self._recordings.begin(line.game, line.game_id, line.started)
        self._line, self.folder = line, folder
        if self._profile is not None:
            write_whole(folder / BOARD, self._profile.read_bytes())
        write_json(folder / GAME, about(line))
        for value in self._opening(line):
            self._file(folder, SERIAL).add(value)
        return folder

    def _file(self, folder: Path, name: str) -> Lines:
        if name not in self._files:
            self._files[name] = Lines(folder / name)
        return self._files[name]


def about(
    line: Line, moves: tuple[Move, ...] = (), corners: Corners | None = None
) -> dict[str, Any]:
    """Return what ``game.json`` says."""
    given = corners_json(corners)
    return {
        "version": VERSION,
        "companion": __version__,
        "started": line.started.isoformat(timespec="seconds"),
        "game": line.game,
        "options": dict(line.options),
        "board": line.board,
        "seats": list(line.seats),
        "levels": list(line.levels),
        **({"corners": given} if given else {}),
        "moves_before": list(line.before),
        "moves": list(moves),
    }
