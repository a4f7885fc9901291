"""The serial line: wrong messages out of spoilt frames, and what the hall link costs the host."""

import dataclasses
import multiprocessing
import random
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from bench.report import Row, table
from bench.report import share as part
from companion.boards.profile import load
from companion.commands.progress import progress
from companion.sensing.hall import wire
from companion.sensing.hall.evidence import feel
from companion.sensing.hall.link import HallLink
from companion.sim.body import Body, Scene
from companion.sim.grid import SimGrid

FRAMES = 200_000
LONG_FRAMES = 10_000_000
SECONDS = 10.0
OUTAGES = 10
PER_SECOND = 100
LOOKS_PER_SECOND = 15


class Pawns:
    """A table with two pawns that stand still."""

    def scene(self) -> Scene:
        """Return the pawns."""
        pacman = Body("pacman", "pawn", "pacman", 0.0, -116.0, 0.0, "board")
        blinky = Body("blinky", "pawn", "blinky", 0.0, 116.0, 0.0, "board")
        return Scene(1, (pacman, blinky), ())


def spoil(line: bytearray, rng: random.Random) -> None:
    """Do what a bad cable does: flip, change, lose and add bytes, or a burst of them."""
    for _ in range(rng.randint(1, 4)):
        how, at = rng.randrange(5), rng.randrange(len(line))
        if how == 0:
            line[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            line[at] = rng.randrange(256)
        elif how == 2:
            del line[at]
        elif how == 3:
            line.insert(at, rng.randrange(256))
        else:
            line[at : at + 8] = rng.randbytes(len(line[at : at + 8]))


def corrupted(frames: int, seed: int = 1) -> tuple[int, int, int]:
    """Return how many spoilt frames were refused, still right and accepted although wrong."""
    rng = random.Random(seed)
    decoder = wire.Decoder()
    rest = tuple(rng.randrange(1990, 2100) for _ in range(wire.CHANNELS))
    pool: list[wire.Message] = [
        wire.Snapshot(0, 123_456, rest),
        wire.Put(0, 5_000, 40, 3900),
        wire.Lifted(0, 5_500, 40, 2050),
        wire.Ack(0, 7, wire.Status.DONE),
        wire.Hello(0),
        wire.Rate(0, 20),
    ]
    right = wrong = 0
    sent = pool[0]
    for _ in progress(range(frames), "spoilt frames"):
        before = sent
        sent = dataclasses.replace(rng.choice(pool), number=rng.randrange(wire.NUMBERS))
        line = bytearray(wire.encode(sent))
        spoil(line, rng)
        for message in decoder.feed(bytes(line)):
            if message in (before, sent):
                right += 1
            else:
                wrong += 1
    return decoder.bad, right, wrong


def _serve(end: Connection) -> None:
    grid = SimGrid(Pawns(), load("reference"), scans_per_second=PER_SECOND)
    end.send(grid.port)
    end.recv()
    grid.close()


def host_share(seconds: float) -> tuple[float, int, int]:
    """Return the host's share of one core at full rate, snapshots received and bad frames.

    The grid runs in a process of its own; the host looks as often as a camera would.
    """
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(there,), daemon=True)
    server.start()
    board = load("reference")
    link = HallLink(here.recv(), rate=PER_SECOND)
    while link.status.state != "ok":
        time.sleep(0.01)
    state = link.poll()
    assert state is not None
    feel(state.values, board)  # builds its tables once
    good = link.good_frames
    began, cpu = time.perf_counter(), time.process_time()
    while (passed := time.perf_counter() - began) < seconds:
        time.sleep(1 / LOOKS_PER_SECOND)
        if state := link.poll():
            feel(state.values, board, state.rest)
    share = (time.process_time() - cpu) / passed
    received, bad = link.good_frames - good, link.bad_frames
    link.close()
    here.send("done")
    server.join()
    return share, received, bad


def outages(times: int) -> list[float]:
    """Return how long after each outage of a second the state was right again, in seconds."""
    board = load("reference")
    grid = SimGrid(Pawns(), board, scans_per_second=PER_SECOND)
    link = HallLink(grid.port)
    found = []
    try:
        _until(lambda: link.poll() is not None)
        for _ in progress(range(times), "outages"):
            grid.unplug()
            time.sleep(1.0)
            grid.replug()
            began = time.perf_counter()
            _until(lambda: link.status.state == "ok" and link.poll() is not None)
            found.append(time.perf_counter() - began)
    finally:
        link.close()
        grid.close()
    return found


def _until(come: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not come():
        if time.monotonic() > end:
            raise TimeoutError("the hall grid did not come back")
        time.sleep(0.002)


def run(frames: int = FRAMES) -> list[Row]:
    """Return the figures."""
    refused, right, wrong = corrupted(frames)
    share, received, bad = host_share(SECONDS)
    back = outages(OUTAGES)
    return [
        Row(
            f"right again after an outage of 1 s, {OUTAGES} times, p50 / worst",
            f"{1000 * part(back, 0.5):.0f} / {1000 * max(back):.0f} ms",
            "aim 500 ms",
            slow=max(back) > 0.5,
        ),
        Row(
            f"wrong messages out of {frames:,} spoilt frames",
            f"{wrong}",
            f"{refused:,} refused, {right:,} unharmed",
            wrong=wrong > 0,
        ),
        Row(
            f"host at {PER_SECOND} snapshots a second for {SECONDS:g} s",
            f"{share:.1%} of a core",
            f"aim 2 %; {received} frames received, {bad} bad",
            slow=share > 0.02,
        ),
    ]


def main() -> int:
    """Print the figures; return 1 when a wrong message was accepted."""
    rows = run()
    print(table(rows))
    return 1 if any(row.wrong for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
