"""How far a long command has come: told on a terminal, and nowhere else."""

import io
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench import positions
from bench.__main__ import main as bench
from companion.__main__ import main
from companion.commands.progress import progress, say
from companion.sensing.camera.files import count_frames

PHOTO = Path(__file__).parents[1] / "photos/still_0001.jpg"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Let errors go to a terminal from here on: before a test begins, pytest takes them itself."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    (tmp_path / "stills").mkdir()
    for suffix in (".jpg", ".json"):
        shutil.copy(PHOTO.with_suffix(suffix), tmp_path / "stills")
    return tmp_path


def test_a_terminal_shows_how_many_are_through_and_keeps_what_is_printed_whole(capsys, monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    for number in progress(iter(range(3)), "moves", lambda: 3):
        say(f"move {number}")
    assert "moves:   0%" in terminal.getvalue()
    assert "/3" in terminal.getvalue()
    assert capsys.readouterr().out.splitlines() == ["move 0", "move 1", "move 2"]
    assert terminal.getvalue().count("\r  ") >= 3  # the bar makes room for each line


def test_leaving_early_leaves_nothing_on_the_line(monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    shown = progress(range(9), "moves")
    next(shown)
    shown.close()
    assert terminal.getvalue().endswith("\r")


def test_scoring_photographs_and_watching_show_their_progress(photos, capsys, monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    bench(["photos", str(photos)])
    assert "pictures:   0%" in terminal.getvalue()
    main(["watch", str(photos / "stills"), "--game", "pacman", "--json"])
    assert "frames:   0%" in terminal.getvalue()
    assert "squares right" in capsys.readouterr().out


def test_a_bench_shows_its_progress(capsys, monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    monkeypatch.setattr(positions, "measure", lambda game, rng: (200_000.0, 40.0))
    assert bench(["positions"]) == 0
    assert "games:   0%" in terminal.getvalue()
    assert "legal moves and one played" in capsys.readouterr().out


def test_without_a_terminal_nothing_is_shown_and_no_library_is_loaded(photos):
    code = (
        "import sys; from bench.__main__ import main; "
        f"main(['photos', {str(photos)!r}]); sys.exit('tqdm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0
    assert done.stderr == ""


def test_the_frames_of_a_source_are_counted_where_they_can_be(photos, tmp_path):
    assert count_frames(photos / "stills") == 1
    assert count_frames("http://127.0.0.1:1/video") is None
    assert count_frames(tmp_path / "none.avi") is None
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 30, (64, 48))
    for _ in range(5):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    assert count_frames(film) == 5
