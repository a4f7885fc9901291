"""Fault injection: what can go wrong with sensors, line, camera and power on the simulated table.

Each fault has a name, what happens, and what the player reads; ``companion play --sim --fault
NAME`` and the table page start it, and whatever it does must end with it.
"""

import random
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.board import COLUMNS, ROWS, Board, Spot
from companion.errors import OptionError
from companion.sim.faults.line import LINE
from companion.sim.faults.sensors import SENSORS, spoil

USUAL_SPOT = "e5"


@dataclass(frozen=True)
class Fault:
    """One thing that can go wrong: on which device, what happens, and a part of what is said."""

    device: str
    about: str
    says: str


#: All faults by name. An empty ``says`` means that play goes on and nobody needs to know.
FAULTS: Mapping[str, Fault] = {
    "dead-sensor": Fault("hall grid", "a sensor always reads its rest value", "not believed"),
    "stuck-sensor": Fault("hall grid", "a sensor always reads the same high value", "stuck at"),
    "shorted-sensor": Fault("hall grid", "a sensor reads full scale", "end of its range"),
    "cut-sensor": Fault("hall grid", "the wire of a sensor is cut", "end of its range"),
    "noisy-sensor": Fault("hall grid", "a sensor crackles", "jumps by"),
    "bouncing-sensor": Fault("hall grid", "a sensor jumps between two values", "jumps by"),
    "weak-sensor": Fault("hall grid", "a sensor has lost most of its strength", "not believed"),
    "drifting-sensor": Fault("hall grid", "a sensor drifts up and down", "not believed"),
    "bleeding-sensor": Fault("hall grid", "a sensor feels its neighbour's magnet", "not believed"),
    "open-row": Fault("hall grid", "the wire of a row is open", "all of row"),
    "open-column": Fault("hall grid", "the wire of a column is open", "all of column"),
    "flipped-bits": Fault("hall grid", "bits flip on the line", ""),
    "lost-frames": Fault("hall grid", "frames are lost", ""),
    "missing-bytes": Fault("hall grid", "bytes are lost", ""),
    "inserted-bytes": Fault("hall grid", "bytes come that nobody sent", ""),
    "half-frames": Fault("hall grid", "frames end in their middle", ""),
    "doubled-frames": Fault("hall grid", "frames come twice", ""),
    "foreign-text": Fault("hall grid", "another program talks on the line", ""),
    "silent-line": Fault("hall grid", "the port is open but nothing comes", "silent"),
    "garbage-line": Fault("hall grid", "nothing but noise comes", "not the hall grid's protocol"),
    "wrong-version": Fault("hall grid", "the firmware speaks a later protocol", "Update the older"),
    "closed-port": Fault("hall grid", "the cable is pulled", "plug"),
    "brown-out": Fault("hall grid", "the Pico loses power for a moment, again and again", ""),
    "camera-stalled": Fault("camera", "the camera sends no more pictures", "stopped sending"),
    "camera-gone": Fault("camera", "the camera is unplugged", "unplugged"),
    "black-picture": Fault("camera", "the pictures are black", "black"),
    "white-picture": Fault("camera", "the pictures are blown out", "white"),
    "grey-picture": Fault("camera", "the pictures have no colours", "no colours"),
    "torn-picture": Fault("camera", "half of each picture is missing", "broken pictures"),
    "repeated-picture": Fault("camera", "the camera repeats one picture", "very same picture"),
    "resized-picture": Fault("camera", "the pictures come in another size", "pixels now"),
    "turned-camera": Fault("camera", "the camera is turned away", "turn the camera"),
    "lights-gone": Fault("lights", "the strip does not answer", "do not answer"),
}

BROWN_OUT_SECONDS = 4.0


@dataclass(frozen=True)
class Started:
    """A fault that is on, and where."""

    name: str
    spots: tuple[Spot, ...] = ()

    def __str__(self) -> str:
        """Return it as it is written on the command line."""
        return f"{self.name}:{self.spots[0]}" if self.spots else self.name


def parse(text: str, board: Board) -> Started:
    """Return the fault a text such as ``dead-sensor:e4`` or ``black-picture`` names."""
    name, _, where = text.partition(":")
    if name not in FAULTS:
        raise OptionError(f"expected a fault, one of {', '.join(FAULTS)}; got {text!r}")
    if name not in SENSORS:
        if where:
            raise OptionError(f"{name} has no place, got {text!r}")
        return Started(name)
    if name in ("open-row", "open-column"):
        lines = ROWS[: board.rows] if name == "open-row" else COLUMNS[: board.columns]
        where = where or lines[len(lines) // 2]
        if where not in lines:
            raise OptionError(f"expected {name} with one of {', '.join(lines)}, got {text!r}")
        return Started(name, tuple(s for s in board.hall.channels if where in s))
    where = where or USUAL_SPOT
    if where not in board.hall.channels:
        raise OptionError(f"expected {name} with a square that has a sensor, got {text!r}")
    return Started(name, (where,))


class Faults:
    """The faults of one simulated table, started and ended while it is played on."""

    def __init__(self, board: Board, started: Iterable[Started] = (), seed: int = 0) -> None:
        self._board = board
        self._rng = random.Random(seed)
        self._lock = threading.Lock()
        self._started = {fault.name: fault for fault in started}

    @property
    def active(self) -> frozenset[str]:
        """Return the names of the faults that are on."""
        return frozenset(self._started)

    def listed(self) -> list[dict[str, Any]]:
        """Return all faults as plain data for a page."""
        on = self._started
        return [
            {"name": name, "device": fault.device, "about": fault.about, "on": name in on}
            for name, fault in FAULTS.items()
        ]

    def start(self, text: str) -> Started:
        """Begin a fault."""
        fault = parse(text, self._board)
        with self._lock:
            self._started = {**self._started, fault.name: fault}
        return fault

    def end(self, name: str) -> None:
        """End a fault; one that is not on is fine."""
        with self._lock:
            self._started = {n: fault for n, fault in self._started.items() if n != name}

    def values(self, values: list[int], now: float) -> list[int]:
        """Return a scan as the faulty sensors give it."""
        for name, fault in self._started.items():
            if name in SENSORS:
                spoil(name, self._board, values, fault.spots, now, self._rng)
        return values

    def bytes(self, frame: bytes) -> bytes:
        """Return what comes of a frame on the faulty line."""
        for name in self._started:
            if name in LINE and frame:
                frame = LINE[name](frame, self._rng)
        return frame
