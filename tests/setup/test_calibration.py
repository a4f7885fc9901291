"""The corners on disk: kept per camera, and never a reason not to start."""

import errno
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.errors import CalibrationError
from companion.sensing.corners import Corners
from companion.setup.calibration import MOST_BYTES, Calibration

AT = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
ONE = Corners.checked([[342, 780], [884, 804], [896, 273], [377, 251]], 1296, 972)
OTHER = Corners.checked([[20, 400], [600, 410], [590, 60], [30, 50]], 640, 480)


@pytest.fixture
def kept(tmp_path: Path) -> Calibration:
    return Calibration.beside(tmp_path / "data" / "journal.db")


def test_nothing_is_kept_at_first(kept):
    assert kept.corners("0") is None


def test_corners_are_kept_for_each_camera(kept):
    kept.keep("0", ONE, AT)
    kept.keep("http://cam.local/stream", OTHER, AT)
    again = Calibration(kept.path)
    assert again.corners("0") == ONE
    assert again.corners("http://cam.local/stream") == OTHER
    assert again.read().cameras["0"].at == AT
    assert os.listdir(kept.path.parent) == [kept.path.name]


def test_corners_can_be_forgotten(kept):
    kept.keep("0", ONE, AT)
    kept.keep("1", OTHER, AT)
    kept.keep("0", None, AT)
    assert kept.corners("0") is None
    assert kept.corners("1") == OTHER


def test_magnets_are_kept_beside_the_corners(kept):
    kept.keep("0", ONE, AT)
    kept.keep_magnets({"pacman": 1700, "blinky": -1650})
    kept.keep_magnets({"clyde": 310})
    assert kept.magnets() == {"pacman": 1700, "blinky": -1650, "clyde": 310}
    assert kept.corners("0") == ONE
    kept.keep_magnets({})
    assert kept.magnets() == {}
    assert kept.corners("0") == ONE


def _with(**changes: object) -> bytes:
    camera = {"size": [1296, 972], "corners": [list(p) for p in ONE.points], "at": AT.isoformat()}
    return json.dumps({"version": 1, "cameras": {"0": camera | changes}}).encode()


BROKEN = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[]",
    b"null",
    b'{"version": 1}',
    b'{"version": 2, "cameras": {}}',
    b'{"version": 1, "cameras": {"0": 7}}',
    b'{"version": 1, "cameras": {}, "magnets": 7}',
    b'{"version": 1, "cameras": {}, "magnets": {"pacman": "strong"}}',
    b'{"version": 1, "cameras": {}, "magnets": {"pacman": 1e9}}',
    b'{"version": 1, "cameras": {}, "steps": ["camera"]}',
    b'{"version": 1, "cameras": {}, "steps": {"camera": "perhaps"}}',
    b'{"version": 1, "cameras": {}, "steps": {"camera": []}}',
    b"[" * 50_000,
    b" " * (MOST_BYTES + 1),
    _with(size=[1296]),
    _with(size="12"),
    _with(size=[1e9, 2]),
    _with(corners=[[0, 0]] * 4),
    _with(corners=[[0, float("nan")]] * 4),
    _with(at=5),
    _with(at="yesterday"),
]


@pytest.mark.parametrize("data", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_told_about_ignored_and_replaced(kept, caplog, data):
    kept.path.parent.mkdir()
    kept.path.write_bytes(data)
    with pytest.raises(CalibrationError, match=r"calibration\.json"):
        kept.read()
    assert kept.corners("0") is None
    assert len(caplog.records) == 1
    kept.keep("0", ONE, AT)
    assert kept.corners("0") == ONE


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(CalibrationError, match="cannot keep what was measured"):
        Calibration(tmp_path / "file" / "calibration.json").keep("0", ONE, AT)


def test_what_is_measured_is_on_disk_before_it_takes_the_place_of_the_old(kept, monkeypatch):
    kept.keep("0", ONE, AT)
    synced = []

    def fsync(descriptor: int) -> None:
        """Note which file is brought to disk, what it holds, and what is kept meanwhile."""
        fresh = kept.path.with_suffix(".new")
        synced.append(
            (os.fstat(descriptor).st_ino, Calibration(fresh).corners("0"), kept.corners("0"))
        )

    monkeypatch.setattr(os, "fsync", fsync)
    kept.keep("0", OTHER, AT)
    assert synced == [(kept.path.stat().st_ino, OTHER, ONE)]
    assert kept.corners("0") == OTHER


def test_a_disk_that_takes_nothing_leaves_what_was_kept(kept, monkeypatch):
    kept.keep("0", ONE, AT)

    def fsync(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(CalibrationError, match="no space left"):
        kept.keep("0", OTHER, AT)
    assert kept.corners("0") == ONE


def test_a_file_that_is_a_folder_is_ignored(kept, caplog):
    kept.path.mkdir(parents=True)
    assert kept.corners("0") is None
    assert "cannot read" in caplog.text


def test_steps_of_setting_up_are_kept_beside_the_rest(kept):
    kept.keep("0", ONE, AT)
    kept.keep_magnets({"pacman": 1700})
    kept.keep_steps({"camera": "done", "lights": "skipped"})
    assert kept.steps() == {"camera": "done", "lights": "skipped"}
    kept.keep_steps({"camera": "done"})
    assert kept.steps() == {"camera": "done"}
    assert kept.corners("0") == ONE
    assert kept.magnets() == {"pacman": 1700}


def test_the_simulated_table_has_a_file_of_its_own(tmp_path):
    real = Calibration.beside(tmp_path / "journal.db")
    simulated = Calibration.beside(tmp_path / "journal.db", simulated=True)
    simulated.keep_steps({"camera": "done"})
    assert real.steps() == {}
    assert simulated.path != real.path
