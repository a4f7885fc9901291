"""The calibration of this table, kept in a small file beside the journal: where the board lies in
the picture of each camera, how strong the magnet of each piece is, and which steps of setting the
table up were done or skipped. The simulated table has a file of its own.

The file is a convenience, not a treasure: one that cannot be read is reported and ignored, and the
next measurement replaces it.
"""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.errors import CalibrationError, CornersError
from companion.sensing.corners import Corners

log = logging.getLogger(__name__)

VERSION = 1
NAME = "calibration.json"
SIMULATED = "calibration-simulated.json"
MARKS = ("done", "skipped")
MOST_BYTES = 100_000
MOST_COUNTS = 65_535


@dataclass(frozen=True)
class Calibrated:
    """Corners in the pictures of a camera, and when they were set."""

    corners: Corners
    at: datetime


@dataclass(frozen=True)
class Contents:
    """All that the file holds: corners by camera, strength by piece, mark by step."""

    cameras: Mapping[str, Calibrated] = field(default_factory=dict)
    magnets: Mapping[str, int] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)


class Calibration:
    """The file of one companion; cameras are identified by the text of ``camera.source``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, journal: str | Path, *, simulated: bool = False) -> "Calibration":
        """Return the calibration that belongs to a journal."""
        return cls(Path(journal).with_name(SIMULATED if simulated else NAME))

    def corners(self, source: str) -> Corners | None:
        """Return the corners kept for a camera, None when there are none that can be used."""
        kept = self._read_or("it is ignored").cameras.get(source)
        return kept.corners if kept else None

    def magnets(self) -> Mapping[str, int]:
        """Return the measured strength of each piece, nothing when it was never measured."""
        return self._read_or("it is ignored").magnets

    def steps(self) -> Mapping[str, str]:
        """Return the steps of setting up that were ``done`` or ``skipped``."""
        return self._read_or("it is ignored").steps

    def keep(self, source: str, corners: Corners | None, at: datetime) -> None:
        """Keep these corners for a camera, or forget those it had; CalibrationError if it fails."""
        kept = self._read_or("it is replaced")
        cameras = {name: camera for name, camera in kept.cameras.items() if name != source}
        if corners is not None:
            cameras[source] = Calibrated(corners, at)
        self._write(replace(kept, cameras=cameras))

    def keep_magnets(self, magnets: Mapping[str, int]) -> None:
        """Keep the strengths of these pieces beside those of the others; none forgets them all."""
        kept = self._read_or("it is replaced")
        self._write(replace(kept, magnets={**kept.magnets, **magnets} if magnets else {}))

    def keep_steps(self, steps: Mapping[str, str]) -> None:
        """Keep which steps of setting up were done or skipped, in place of what was kept."""
        self._write(replace(self._read_or("it is replaced"), steps=dict(steps)))

    def read(self) -> Contents:
        """Return all that is kept; CalibrationError with one sentence if it is bad."""
        try:
            with self.path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return Contents()
        except OSError as error:
            raise CalibrationError(f"cannot read {self.path}: {_why(error)}") from error
        if len(data) > MOST_BYTES:
            raise CalibrationError(f"{self.path} is too large: expected {MOST_BYTES} bytes at most")
        try:
            top = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise CalibrationError(f"{self.path} is damaged: expected JSON") from error
        return self._contents(top)

    def _read_or(self, consequence: str) -> Contents:
        try:
            return self.read()
        except CalibrationError as error:
            log.warning("%s; %s", error, consequence)
            return Contents()

    def _contents(self, top: Any) -> Contents:
        if not isinstance(top, dict) or not isinstance(top.get("cameras"), dict):
            raise CalibrationError(f"{self.path} is damaged: expected an object with cameras")
        if top.get("version") != VERSION:
            raise CalibrationError(
                f"{self.path}: expected version {VERSION}, got {top.get('version')!r:.40}"
            )
        magnets = top.get("magnets", {})
        if not isinstance(magnets, dict) or not all(_is_strength(m) for m in magnets.values()):
            raise CalibrationError(f"{self.path}: expected magnets to be counts by piece")
        steps = top.get("steps", {})
        if not isinstance(steps, dict) or not all(mark in MARKS for mark in steps.values()):
            raise CalibrationError(f"{self.path}: expected steps to be done or skipped")
        cameras = {source: self._camera(source, said) for source, said in top["cameras"].items()}
        return Contents(cameras, magnets, steps)

    def _camera(self, source: str, said: Any) -> Calibrated:
        try:
            width, height = said["size"]
            corners = Corners.checked(said["corners"], width, height)
            at = datetime.fromisoformat(said["at"])
        except CornersError as error:
            raise CalibrationError(f"{self.path}, camera {source!r:.60}: {error}") from error
        except (LookupError, TypeError, ValueError) as error:
            raise CalibrationError(
                f"{self.path}, camera {source!r:.60}: expected size, corners and at"
            ) from error
        return Calibrated(corners, at)

    def _write(self, contents: Contents) -> None:
        """Replace the file atomically (fsync, then rename): a power cut leaves the old one or the
        new one."""
        top = {
            "version": VERSION,
            "cameras": {
                source: {
                    "corners": [[round(x, 2), round(y, 2)] for x, y in kept.corners.points],
                    "size": [kept.corners.width, kept.corners.height],
                    "at": kept.at.astimezone(UTC).isoformat(timespec="seconds"),
                }
                for source, kept in contents.cameras.items()
            },
            "magnets": dict(contents.magnets),
            "steps": dict(contents.steps),
        }
        fresh = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8") as file:
                json.dump(top, file, indent=2)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            raise CalibrationError(
                f"cannot keep what was measured in {self.path}: {_why(error)}"
            ) from error


def _is_strength(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_COUNTS


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
