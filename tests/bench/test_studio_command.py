"""``python -m bench.studio``: what it says, what it makes, and what it needs."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import cv2
import numpy as np
import pytest

from bench.studio.__main__ import NO_BLENDER, main
from bench.studio.claims import MOST_TRIES
from bench.studio.sheet import BIGGEST, COLUMNS, ROWS
from companion.boards import profile
from companion.sensing.vision.pose import find_markers
from tests.doctext import ROOT

PLAIN = 188  # of seed 1: the reference board in daylight, with its four markers in view
SHOWN = ROOT / "docs" / "pictures" / "other-colours.jpg"
PURE = (
    "spreads dice builds colours themes pawns staves setting clutter hands lights lens sensor plan "
    "games truth claims sheet __main__"
)


def _run_without_blender(code: str) -> subprocess.CompletedProcess[str]:
    """Run some Python in which there is no bpy, wherever this is."""
    hide = "import sys; sys.modules.update(bpy=None, bmesh=None, mathutils=None)\n"
    return subprocess.run(
        [sys.executable, "-c", hide + code], capture_output=True, text=True, cwd=ROOT, timeout=60
    )


def test_without_blender_the_command_says_what_it_expected_and_how_to_get_it(tmp_path):
    code = f"from bench.studio.__main__ import main\nsys.exit(main([{str(tmp_path / 'new')!r}]))"
    done = _run_without_blender(code)
    assert done.returncode == 2
    assert done.stderr == f"{NO_BLENDER}\n"
    assert done.stdout == ""
    assert not (tmp_path / "new").exists()
    assert "pip install bpy" in NO_BLENDER


def test_everything_but_the_scene_is_imported_without_blender():
    imports = "\n".join(f"import bench.studio.{name}" for name in PURE.split())
    assert _run_without_blender(imports).returncode == 0


def test_a_folder_or_a_sheet_is_asked_for_and_not_both(capsys, tmp_path):
    for words in ([], [str(tmp_path), "--sheet", str(tmp_path), "out.jpg"]):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 2
        assert "expected a FOLDER for new pictures or --sheet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--samples", "0"), "--samples: expected a number from 1, got '0'"),
        (("--seed", "-1"), "--seed: expected a number from 0, got '-1'"),
        (("--only", "2", "x"), "--only: expected a number from 0, got 'x'"),
        (("--scale", "2"), "--scale: expected a number from 0.1 to 1, got '2'"),
        (("--scale", "small"), "--scale: expected a number from 0.1 to 1, got 'small'"),
        (("--games", "0"), "--games: expected a number from 1, got '0'"),
    ],
)
def test_a_number_that_makes_no_picture_is_refused_in_a_sentence(capsys, tmp_path, words, said):
    with pytest.raises(SystemExit) as end:
        main([str(tmp_path), *words])
    assert end.value.code == 2
    assert said in capsys.readouterr().err


@pytest.fixture
def taken(monkeypatch) -> Iterator[list[str]]:
    """The names of pictures that are taken, by a camera that needs no Blender."""
    names: list[str] = []

    def take_picture(plan, path, samples, threads, facts, margin):
        names.append(path.stem)
        path.with_suffix(".json").write_text(json.dumps(facts))
        path.touch()

    camera = ModuleType("picture")
    camera.take_picture = take_picture
    monkeypatch.setitem(sys.modules, "bench.studio.picture", camera)
    kept = [(each, signal.getsignal(each)) for each in (signal.SIGINT, signal.SIGTERM)]
    yield names
    for each, handler in kept:
        signal.signal(each, handler)


def _still(number: int) -> str:
    return f"studio_1_{number:05d}"


def test_pictures_that_are_there_are_not_made_again(tmp_path, taken, capsys):
    assert main([str(tmp_path), "--only", "3"]) == 0
    assert main([str(tmp_path), "--start", "2", "--count", "3"]) == 0
    assert taken == [_still(3), _still(2), _still(4)]
    assert "studio_1_00004.jpg: " in capsys.readouterr().out


@pytest.mark.parametrize("ask", [signal.SIGINT, signal.SIGTERM])
def test_when_asked_to_stop_the_picture_in_work_is_the_last(tmp_path, taken, monkeypatch, ask):
    camera = sys.modules["bench.studio.picture"]
    take = camera.take_picture

    def interrupted(plan, *options):
        signal.raise_signal(ask)
        return take(plan, *options)

    monkeypatch.setattr(camera, "take_picture", interrupted)
    assert main([str(tmp_path), "--count", "3"]) == 130
    assert taken == [_still(0)]


def test_a_picture_that_fails_does_not_stop_the_others(tmp_path, taken, monkeypatch, capsys):
    camera = sys.modules["bench.studio.picture"]
    take = camera.take_picture

    def clumsy(plan, *options):
        if plan.number == 1:
            raise RuntimeError("the lamp fell down")
        return take(plan, *options)

    monkeypatch.setattr(camera, "take_picture", clumsy)
    assert main([str(tmp_path), "--count", "3"]) == 1
    assert taken == [_still(0), _still(2)]
    assert "the lamp fell down" in capsys.readouterr().err
    assert not list((tmp_path / "stills").glob(".*"))  # so it is tried again next time


def test_a_picture_that_another_process_is_at_is_left_to_it(tmp_path, taken):
    note = tmp_path / "stills" / f".{_still(1)}.jpg.claim"
    note.parent.mkdir()
    note.write_text(f"{os.getpid()} 1")
    assert main([str(tmp_path), "--count", "3"]) == 0
    assert taken == [_still(0), _still(2)]
    assert note.exists()


@pytest.mark.parametrize(("tries", "again"), [(1, True), (MOST_TRIES, False)])
def test_a_picture_that_ended_its_process_is_tried_once_more(tmp_path, taken, tries, again):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    note = tmp_path / "stills" / f".{_still(0)}.jpg.claim"
    note.parent.mkdir()
    note.write_text(f"{gone.pid} {tries}")
    assert main([str(tmp_path), "--count", "1"]) == 0
    assert taken == ([_still(0)] if again else [])


def test_games_come_in_folders_with_what_is_to_be_found_in_them(tmp_path, taken):
    assert main([str(tmp_path), "--games", "1", "--seed", "4"]) == 0
    (folder,) = (tmp_path / "games").iterdir()
    told = json.loads((folder / "game.json").read_text())
    assert set(told) == {"game", "seats", "moves_before", "moves"}
    assert len(taken) == 1 + 4 * len(told["moves"])
    assert sorted(path.stem for path in folder.glob("*.jpg")) == taken
    last = json.loads((folder / f"{taken[-1]}.json").read_text())
    assert last["settled"]
    assert last["ply"] == len(told["moves"])


def _fill(folder, count):
    (folder / "stills").mkdir()
    rng = np.random.default_rng(1)
    for number in range(count):
        picture = rng.integers(0, 255, (486, 648, 3), np.uint8)
        picture[:] = cv2.GaussianBlur(picture, (0, 0), 3)
        picture[..., number % 3] //= 4
        cv2.imwrite(str(folder / "stills" / f"a_{number:03d}.jpg"), picture)


def test_a_sheet_has_six_pictures_and_is_small(tmp_path):
    _fill(tmp_path, 7)
    assert main(["--sheet", str(tmp_path), str(tmp_path / "out.jpg")]) == 0
    sheet = cv2.imread(str(tmp_path / "out.jpg"))
    assert 1150 < sheet.shape[1] < 1250
    assert sheet.shape[0] / sheet.shape[1] == pytest.approx(ROWS / COLUMNS * 3 / 4, abs=0.01)
    assert (tmp_path / "out.jpg").stat().st_size <= BIGGEST


def test_a_sheet_of_too_few_pictures_is_refused_in_a_sentence(tmp_path, capsys):
    _fill(tmp_path, 2)
    assert main(["--sheet", str(tmp_path), str(tmp_path / "out.jpg")]) == 2
    assert "expected 6 pictures in" in capsys.readouterr().err
    assert not (tmp_path / "out.jpg").exists()


def test_the_sheet_of_the_page_is_one_that_the_command_makes():
    sheet = cv2.imread(str(SHOWN))
    assert sheet.shape[1] == pytest.approx(1200, abs=20)
    assert 50_000 < SHOWN.stat().st_size <= BIGGEST
    assert f"pictures/{SHOWN.name}" in (ROOT / "docs" / "vision.md").read_text(encoding="utf-8")


@pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="no bpy: pip install bpy")
def test_markers_of_a_rendered_picture_are_found_where_the_truth_has_them(tmp_path):
    """In a process of its own, for Blender keeps its state in the one it is loaded into."""
    words = ["bench.studio", str(tmp_path), "--only", str(PLAIN), "--samples", "1"]
    subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=True, timeout=300)
    (path,) = (tmp_path / "stills").glob("*.jpg")
    truth = json.loads(path.with_suffix(".json").read_text())
    found = find_markers(profile.load("reference"), cv2.imread(str(path)))
    assert found
    for number, corners in found.items():
        told = truth["marker_centers_px"][str(number)]
        assert np.mean(corners, axis=0) == pytest.approx(told, abs=1.5)
