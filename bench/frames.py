"""The processor's time from a picture to the verdict, beside one marker search in the same picture.

Both sides run on one thread, by turns, on the frames of a move with a hand over the board.
"""

import time
from collections.abc import Callable, Iterator

import cv2

from bench.report import Row, share
from companion.board import Reading
from companion.boards.profile import load
from companion.commands.progress import progress
from companion.games.catalogue import find_game, find_kit
from companion.referee.table import Table
from companion.sensing.camera.frame import Frame
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.pose import marker_words
from companion.service.seating import seat
from companion.sim.hands import Person
from companion.sim.room import FPS, Room, Setting

LIGHTS = ("daylight", "lamp", "dim")
CALM_FRAMES = 10  # after each move
AIMS_MS = {"changed": 25.0, "come to rest": 30.0, "unchanged": 3.0}
BEFORE = "e2 e8 c3h e7 e3 f6v e4 g7h d5v e6 h2v f3h"


class Watcher:
    """Eyes and a table, timed; the marker search of the same picture is timed beside them."""

    def __init__(self) -> None:
        board = load("reference")
        game = find_game("quoridor")
        self.eyes = Eyes(board)
        self.table = Table(game, {}, seat(board, (), find_kit(game.name)), BEFORE.split())
        self._detector = cv2.aruco.ArucoDetector(marker_words(board.marker_dictionary))
        self.costs: dict[str, list[tuple[float, float]]] = {}
        self._moving = False

    def see(self, frame: Frame, kind: str = "") -> bool:
        """Time one frame; tell whether a move was accepted.

        Without a ``kind`` it is what the eyes make of the frame that tells.
        """
        was_moving = self._moving
        proved: list[tuple[str, ...]] = []

        def work() -> None:
            sight = self.eyes.look(frame)
            self._moving = sight.moving
            covered, sightings = sight.covered, sight.sightings
            reading = Reading(
                sight.time,
                sight.evidence,
                covered,
                sight.moving,
                sightings=sightings,
                half_in=sight.half_in,
            )
            proved.append(self.table.judge(reading))

        ours = timed(work)
        peer = timed(lambda: self._detector.detectMarkers(frame.picture))
        at_rest = "come to rest" if was_moving else "unchanged"
        kind = kind or ("changed" if self._moving else at_rest)
        self.costs.setdefault(kind, []).append((ours, peer))
        if proved[0]:
            self.table.play(proved[0], on_board=True)
        return bool(proved[0])


def timed(do: Callable[[], object]) -> float:
    """Return the milliseconds of processor time something takes."""
    begun = time.process_time()
    do()
    return 1000 * (time.process_time() - begun)


def run() -> list[Row]:
    """Return the figures."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        lights = enumerate(progress(LIGHTS, "lights"), 3)
        watchers = [watch(light, seed) for seed, light in lights]
    finally:
        cv2.setNumThreads(threads)
    costs: dict[str, list[tuple[float, float]]] = {}
    for watcher in watchers:
        for kind, pairs in watcher.costs.items():
            costs.setdefault(kind, []).extend(pairs)
    kinds = ("unchanged", "changed", "come to rest", "camera moved")
    return [_row(kind, costs[kind]) for kind in kinds]


def watch(light: str, seed: int) -> Watcher:
    """Return the costs of the frames in one light."""
    watcher = Watcher()
    room = Room(load("reference"), Setting(light, seed))
    room.table.set_up(watcher.table.expected.position)
    for frame in _frames(room, 4):
        watcher.see(frame, "warm")
    watcher.eyes.learn(watcher.table.expected.position)
    for frame in _frames(room, 2):
        watcher.see(frame, "warm")
    person = Person(room.table, room.board)
    for steps in (
        person.move_pawn("pacman", "e4", "e5"),
        person.place_fence("a7h"),
        person.place_fence("b2v"),
        person.move_pawn("blinky", "e6", "e4"),
    ):
        accepted = [
            watcher.see(frame)
            for step in steps
            for frame in _frames(room, max(1, round(step.seconds * FPS)))
        ]
        accepted += [watcher.see(frame) for frame in _frames(room, CALM_FRAMES)]
        assert any(accepted), f"a move was not seen in {light}"
    for yaw in (2.0, -3.0):
        room.camera.move(yaw=room.camera.pose.yaw + yaw)
        watcher.see(next(_frames(room, 1)), "camera moved")
    return watcher


def _frames(room: Room, count: int) -> Iterator[Frame]:
    """Take some pictures, a fifteenth of a second apart."""
    for _ in range(count):
        yield room.shoot(1 / FPS)


def _row(kind: str, pairs: list[tuple[float, float]]) -> Row:
    ours, peer = (share([pair[side] for pair in pairs], 0.5) for side in (0, 1))
    most = share([pair[0] for pair in pairs], 0.9)
    aim = AIMS_MS.get(kind)
    slow = aim is not None and (ours > aim or (kind == "changed" and ours > peer))
    said = "" if aim is None else f"; aim ≤ {aim:g} ms" + (", < 1×" if kind == "changed" else "")
    return Row(
        f"picture → verdict, {kind}",
        f"{ours:.1f} ms, nine in ten within {most:.1f}",
        f"ArUco search {peer:.1f} ms{said}",
        ours / peer,
        slow=slow,
    )
