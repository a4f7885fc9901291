"""Where the board lies in the picture of each camera, kept in a small file beside the journal.

The file is a convenience, not a treasure: one that cannot be read is told about and ignored, and
the next corners that are set take its place.
"""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.corners import Corners
from companion.errors import CalibrationError, CornersError

log = logging.getLogger(__name__)

VERSION = 1
NAME = "calibration.json"
MOST_BYTES = 100_000


@dataclass(frozen=True)
class Calibrated:
    """Corners in the pictures of a camera, and when they were set."""

    corners: Corners
    at: datetime


class Calibration:
    """The file of one companion; cameras are told apart by the text of ``camera.source``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, journal: str | Path) -> "Calibration":
        """Return the calibration that belongs to a journal."""
        return cls(Path(journal).with_name(NAME))

    def corners(self, source: str) -> Corners | None:
        """Return the corners kept for a camera, None when there are none that can be used."""
        try:
            kept = self.read().get(source)
        except CalibrationError as error:
            log.warning("%s; it is ignored", error)
            return None
        return kept.corners if kept else None

    def keep(self, source: str, corners: Corners | None, at: datetime) -> None:
        """Keep these corners for a camera, or forget those it had; CalibrationError if it fails."""
        try:
            cameras = dict(self.read())
        except CalibrationError as error:
            log.warning("%s; it is replaced", error)
            cameras = {}
        cameras.pop(source, None)
        if corners is not None:
            cameras[source] = Calibrated(corners, at)
        self._write(cameras)

    def read(self) -> Mapping[str, Calibrated]:
        """Return what is kept for all cameras; CalibrationError with one sentence if it is bad."""
        try:
            with self.path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise CalibrationError(f"cannot read {self.path}: {_why(error)}") from error
        if len(data) > MOST_BYTES:
            raise CalibrationError(f"{self.path} is too large: expected {MOST_BYTES} bytes at most")
        try:
            top = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise CalibrationError(f"{self.path} is damaged: expected JSON") from error
        return self._cameras(top)

    def _cameras(self, top: Any) -> dict[str, Calibrated]:
        if not isinstance(top, dict) or not isinstance(top.get("cameras"), dict):
            raise CalibrationError(f"{self.path} is damaged: expected an object with cameras")
        if top.get("version") != VERSION:
            raise CalibrationError(
                f"{self.path}: expected version {VERSION}, got {top.get('version')!r:.40}"
            )
        return {source: self._camera(source, said) for source, said in top["cameras"].items()}

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

    def _write(self, cameras: Mapping[str, Calibrated]) -> None:
        """Replace the file at once: a power cut leaves the old one or the new one."""
        top = {
            "version": VERSION,
            "cameras": {
                source: {
                    "corners": [[round(x, 2), round(y, 2)] for x, y in kept.corners.points],
                    "size": [kept.corners.width, kept.corners.height],
                    "at": kept.at.astimezone(UTC).isoformat(timespec="seconds"),
                }
                for source, kept in cameras.items()
            },
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
                f"cannot keep the corners in {self.path}: {_why(error)}"
            ) from error


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
