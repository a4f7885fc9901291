"""The black boxes on disk: a folder for each game that is recorded, all of them in one folder.

A black box holds

* ``game.json``: which game on which board, what was played before it begins, and the moves;
* ``board.toml``: its profile, where that is none of those that come along;
* ``frame_0000.jpg`` … the pictures in their order, each with its truth (``frame_0000.json``) where
  the position was agreed on; those without show what the companion asked about or refused;
* ``decisions.jsonl``: what the referee said, and when;
* ``serial.jsonl``: the bytes of the hall grid's line, and when they came.

Times are seconds since the box was begun. Files are whole or not there at all, but for the last
line of the two that grow; a power cut costs at most what came in the last second.
"""

import contextlib
import json
import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.errors import CornersError, RecordingError
from companion.sensing.corners import Corners

FOLDER = "recordings"
GAME = "game.json"
BOARD = "board.toml"
DECISIONS = "decisions.jsonl"
SERIAL = "serial.jsonl"
VERSION = 1
MOST_BYTES = 1_000_000  # of a file that says which game it is

#: While this file is there, games are recorded.
SWITCH = "on"

_NAME = re.compile(r"\d{8}T\d{6}Z-[a-z0-9-]{1,40}-\d{1,12}(-\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class Played:
    """The game of a folder of pictures, as its ``game.json`` has it.

    ``before`` are the moves played before the first picture, ``moves`` those that the pictures
    show. ``corners`` say where the board lies where markers do not.
    """

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    before: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    corners: Corners | None = None


@dataclass(frozen=True)
class Kept:
    """A recording among others."""

    name: str
    game: str
    moves: int
    pictures: int
    size: int  # bytes


class Recordings:
    """All recordings of one companion, the oldest first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, journal: str | Path) -> "Recordings":
        """Return the recordings that belong to a journal."""
        return cls(Path(journal).with_name(FOLDER))

    @property
    def are_wanted(self) -> bool:
        """Tell whether somebody has switched recording on."""
        return os.path.exists(self.folder / SWITCH)  # no, too, when the folder is not to be read

    def switch(self, on: bool) -> None:
        """Have games recorded from now on, or no longer; RecordingError if that fails."""
        with _telling(self.folder):
            if on:
                make_folder(self.folder)
                (self.folder / SWITCH).touch(mode=0o600)
            else:
                (self.folder / SWITCH).unlink(missing_ok=True)

    def paths(self) -> list[Path]:
        """Return the folders of all recordings; nothing else that lies beside them counts."""
        with _telling(self.folder):
            if not self.folder.exists():
                return []
            found = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.name)]
        return sorted(path for path in found if path.is_dir() and not path.is_symlink())

    def all(self) -> Iterator[Kept]:
        """Yield what there is; a recording whose game cannot be read has no game."""
        for path in self.paths():
            try:
                played = read_game(path)
            except RecordingError:
                played = None
            with _telling(path):
                pictures = sum(1 for file in path.iterdir() if file.suffix == ".jpg")
            game, moves = (played.game, len(played.moves)) if played else ("", 0)
            yield Kept(path.name, game, moves, pictures, size_of(path))

    def forget(self, names: Collection[str] = ()) -> int:
        """Delete recordings for good, all of them unless some are named; return how many."""
        there = {path.name: path for path in self.paths()}
        unknown = [name for name in names if name not in there]
        if unknown:
            raise RecordingError(f"no recording {unknown[0]!r:.80} in {self.folder}")
        chosen = [there[name] for name in names or there]
        for path in chosen:
            delete(path)
        return len(chosen)

    def make_room(self, most: int, least_free: int, current: Path | None = None) -> str:
        """Delete the oldest recordings until all take no more than ``most`` bytes and
        ``least_free`` are free on the disk; return why there is no room for more, if so."""
        sizes = {path: size_of(path) for path in self.paths()}
        for path in [path for path in sizes if path != current]:
            if sum(sizes.values()) <= most and self._free() >= least_free:
                break
            delete(path)
            del sizes[path]
        if self._free() < least_free:
            return f"less than {least_free // 1_000_000} MB are free on the disk"
        if sum(sizes.values()) > most:
            return f"this game alone takes {most // 1_000_000} MB"
        return ""

    def try_writing(self) -> None:
        """Raise RecordingError if nothing can be written now."""
        probe = self.folder / ".probe"
        with _telling(self.folder):
            make_folder(self.folder)
            write_whole(probe, b"?")
            probe.unlink()

    def begin(self, game: str, number: int, at: datetime) -> Path:
        """Make the folder of a new recording; ``number`` is the game's in the journal."""
        stamp = at.strftime("%Y%m%dT%H%M%SZ")
        first = f"{stamp}-{game}-{number}"
        with _telling(self.folder):
            make_folder(self.folder)
            names = [first, *(f"{first}-{again}" for again in range(2, 1000))]
            name = next(name for name in names if not (self.folder / name).exists())
            (self.folder / name).mkdir(mode=0o700)
        return self.folder / name

    def _free(self) -> int:
        there = next(path for path in (self.folder, *self.folder.parents) if path.exists())
        with _telling(there):
            return shutil.disk_usage(there).free


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner may look into, if it is not there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that after a power cut it is there as a whole, as it was, or not at all."""
    part = path.with_name(f"{path.name}.part")
    with open(part, "wb", opener=_private) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the new name, too, must be on the disk
    finally:
        os.close(folder)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write JSON, whole or not at all."""
    write_whole(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


class Lines:
    """A file of JSON lines that grows."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "ab", opener=_private)  # noqa: SIM115 (until close)
        self._fresh = False

    def add(self, value: Mapping[str, Any]) -> None:
        """Add a line; a power cut may take it until :meth:`sync`."""
        self._file.write((json.dumps(value, ensure_ascii=False) + "\n").encode())
        self._fresh = True

    def sync(self) -> None:
        """Put on disk what was added."""
        if self._fresh:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._fresh = False

    def close(self) -> None:
        """Put everything on disk and close the file."""
        with self._file:
            self.sync()


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file of JSON lines; a torn one at its end is left out."""
    with _telling(path):
        lines = path.read_bytes().split(b"\n")
    found = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            found.append(json.loads(line))
        except ValueError as error:
            raise RecordingError(f"{path}: expected JSON in line {number}") from error
    return found


def serial_bytes(folder: Path) -> Iterator[tuple[float, bytes]]:
    """Yield when bytes came from the hall grid, and which; what was sent to it is left out."""
    for line in read_lines(folder / SERIAL):
        if "line" in line:
            yield line["time"], bytes.fromhex(line["line"])


def read_game(folder: Path) -> Played | None:
    """Return the game of a folder of pictures, None when it does not say which it is;
    RecordingError when what it says cannot be used."""
    path = folder / GAME
    if not path.is_file():
        return None
    with _telling(path), path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecordingError(f"{path} is too large: expected {MOST_BYTES} bytes at most")
    try:
        top = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{path} is damaged: expected JSON") from error
    if not isinstance(top, dict) or not isinstance(top.get("game"), str):
        raise RecordingError(f"{path}: expected an object with the name of a game")
    named, own = top.get("board"), folder / BOARD
    board = str(own) if own.is_file() else named
    return Played(
        top["game"],
        _options(path, top.get("options", {})),
        board if isinstance(board, str) else None,
        _moves(path, "moves_before", top.get("moves_before", [])),
        _moves(path, "moves", top.get("moves", [])),
        _corners(path, top.get("corners")),
    )


def _options(path: Path, value: object) -> dict[str, str]:
    if isinstance(value, dict) and all(isinstance(text, str) for text in value.values()):
        return value
    raise RecordingError(f"{path}: expected options as names and texts, got {value!r:.60}")


def _moves(path: Path, key: str, value: object) -> tuple[str, ...]:
    moves = value.split() if isinstance(value, str) else value
    if isinstance(moves, list) and all(isinstance(move, str) for move in moves):
        return tuple(moves)
    raise RecordingError(f"{path}: expected a list of moves as {key}, got {value!r:.60}")


def _corners(path: Path, value: object) -> Corners | None:
    if value is None:
        return None
    known = value if isinstance(value, dict) else {}
    try:
        return Corners.checked(known.get("points"), known.get("width"), known.get("height"))
    except CornersError as error:
        raise RecordingError(f"{path}: {error}") from error


def corners_json(corners: Corners | None) -> dict[str, Any] | None:
    """Return corners as ``game.json`` has them."""
    if corners is None:
        return None
    points: Sequence[Sequence[float]] = [list(point) for point in corners.points]
    return {"points": points, "width": corners.width, "height": corners.height}


def size_of(folder: Path) -> int:
    """Return how many bytes the files of a folder take."""
    total = 0
    with _telling(folder):
        for file in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # it is being renamed just now
                total += file.lstat().st_size
    return total


def delete(folder: Path) -> None:
    """Delete a recording for good: its ``game.json`` goes last, so that one half deleted is still
    known as one."""
    with _telling(folder):
        for file in sorted(folder.iterdir(), key=lambda file: file.name == GAME):
            file.unlink(missing_ok=True)
        folder.rmdir()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Raise RecordingError, in one sentence, for whatever the disk says."""
    try:
        yield
    except OSError as error:
        raise RecordingError(why(error, path)) from error


def why(error: OSError, path: Path | None = None) -> str:
    """Return what the disk says, and of which file."""
    where = error.filename or path
    reason = (error.strerror or str(error)).lower()
    return f"{where}: {reason}" if where else reason
