"""From a snapshot to the bytes of the strip: every layer painted, current kept, bytes packed."""

import time
from collections.abc import Callable
from dataclasses import replace

from bench.report import Row, share
from companion.board import Board, Change, DeviceView
from companion.boards.profile import load
from companion.games.catalogue import find_game, find_kit
from companion.games.game import Outcome
from companion.games.pacman.rules import Pacman, arrange
from companion.lights.scene import scene
from companion.lights.strip import Strip
from companion.lights.view import Mood
from companion.referee.explain import Expectation
from companion.referee.verdict import Kind, Verdict
from companion.service.snapshot import SeatView, Snapshot
from companion.sim.strip import SimPixels

AIM_MS = 1.0
FRAMES = 600
GHOSTS = {"blinky": "e9", "pinky": "a5", "inky": "i5", "clyde": "e1"}


def run() -> list[Row]:
    """Return the figures for both layouts, the busiest scenes among them."""
    return [
        _row(f"{board.lights.count} LEDs ({board.title}): {name}", board, snapshot, mood)
        for board in (load("reference"), load("under-cells"))
        for name, (snapshot, mood) in _scenes(board).items()
    ]


def _row(what: str, board: Board, snapshot: Snapshot, mood: Mood) -> Row:
    strip = Strip(SimPixels(board.lights), board.lights.milliamps, 0.5)
    times = []
    for number in range(FRAMES):
        now = 1000.0 + number / 30

        def send(now: float = now) -> None:
            strip.show(scene(snapshot, board, now, mood), now)

        times.append(_timed(send))
    ours = share(times, 0.5)
    shown = f"{ours:.2f} ms, p99 {share(times, 0.99):.2f} ms"
    return Row(what, shown, f"at most {AIM_MS:g} ms", ours / AIM_MS, slow=ours > AIM_MS)


def _timed(do: Callable[[], object]) -> float:
    begun = time.thread_time()
    do()
    return 1000 * (time.thread_time() - begun)


def _scenes(board: Board) -> dict[str, tuple[Snapshot, Mood]]:
    """Return the scenes with the most to paint."""
    start = find_game("pacman").start({})
    assert isinstance(start, Pacman)
    corners = ["a1", "a9", "i1", "i9"]
    state = arrange(start.ground, "e5", GHOSTS, corners, waiting=list(GHOSTS))
    meters = find_kit("pacman").meters
    seats = tuple(
        SeatView(piece.title, piece.name, piece.colour, meters=meters(state, seat))
        for seat, piece in enumerate((board.pieces["pacman"], board.pieces["blinky"]))
    )
    hunted = Snapshot(
        number=1,
        game="pacman",
        game_id=1,
        options={},
        seats=seats,
        to_act=1,
        position=state.position(),
        moves=("e6-e5",),
        choices=Expectation(state, {}).choices,
        last_changes=(Change("pacman", "e6", "e5"),),
        verdict=Verdict(Kind.WAITING, ""),
        outcome=None,
        devices=(DeviceView("camera", "trouble", ""),),
        simulated=True,
        tallies=state.tallies(),
        sight={ghost: tuple(state.ground.layout.pellets) for ghost in GHOSTS},
        lifted="inky",
    )
    changes = (Change("pacman", "e1", "b4"), Change("fence", "e3h", None))
    refused = Verdict(Kind.NOT_ALLOWED, "", changes=changes, repair=changes)
    calm = Mood()
    return {
        "four ghosts see Pac-Man, one is lifted": (hunted, calm),
        "not allowed": (replace(hunted, verdict=refused), calm),
        "won": (replace(hunted, outcome=Outcome((0,), ""), to_act=None), calm),
        "a phone, at night": (hunted, Mood(pairing=True, level=0.3)),
    }
