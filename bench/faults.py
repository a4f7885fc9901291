"""Every fault of the simulated table, and pairs of them, on the whole service in real time.

A pawn is moved to and fro while a fault is on and after it has ended: nothing wrong may be
accepted, the player is told what is wrong, and play goes on soon after.
"""

import itertools
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.report import Row, share
from companion.commands.progress import progress, say
from companion.config import Settings, StoreSettings, WebSettings
from companion.errors import MoveError
from companion.service.app import App
from companion.service.requests import EnterMove, LookAgain
from companion.sim.faults import FAULTS

BEFORE = "e2 f9 e3 f8 e4 f7 d4 f6 e4 f5"
THERE, BACK = ("e5", "f6"), ("e4", "f5")
TOLD_SECONDS = 9.0
MOVE_SECONDS = 5.0
AGAIN_SECONDS = 5.0
PAIRS = 24
EVERY_PAIR = 10_000


@dataclass(frozen=True)
class Trial:
    """What came of some faults at once."""

    names: tuple[str, ...]
    told: bool
    wrong: bool
    under: bool  # the move was understood while they were on
    again: float  # seconds until everything was well again and a move was accepted

    @property
    def good(self) -> bool:
        """Tell whether it went as it should."""
        return self.told and not self.wrong and self.again <= AGAIN_SECONDS


class Service:
    """A simulated table in the middle of a game, whose pieces are put down by program."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(
            web=WebSettings(host="127.0.0.1", port=0), store=StoreSettings(folder / "journal.db")
        )
        self.app = App(settings, simulate=True, new=True)
        self.app.start()
        assert self.app.sim is not None
        self.table = self.app.sim.table
        self.until(self._as_agreed, 20)
        for move in BEFORE.split():
            self.app.loop.post(EnterMove(move)).result(5)
        self.until(lambda: len(self.app.loop.snapshot.moves) == len(BEFORE.split()), 5)
        self.table.set_up(self.app.loop.snapshot.position)
        self.until(lambda: self._as_agreed() and self.well(), 30)
        self.here, self.there = BACK, THERE

    def close(self) -> None:
        """End it."""
        self.app.close()

    def until(self, come: Callable[[], bool], seconds: float) -> bool:
        """Wait for something, at most so long; tell whether it came."""
        end = time.monotonic() + seconds
        while not come():
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def _has_more_than(self, count: int) -> bool:
        return len(self.app.loop.snapshot.moves) > count

    def move(self, seconds: float) -> bool:
        """Move both pawns, one after the other; tell whether both moves were accepted in time."""
        done = True
        for piece, spot in zip(("pacman", "blinky"), self.there, strict=True):
            count = len(self.app.loop.snapshot.moves)
            self.table.put(piece, *self.app.board.at(spot))
            seen = self.until(partial(self._has_more_than, count), seconds)
            if not seen:  # what people do then: they say it on the page
                with suppress(MoveError):  # it was seen in the very last moment
                    self.app.loop.post(EnterMove(spot)).result(5)
                    self.app.loop.post(LookAgain()).result(5)
                    done = False
        self.here, self.there = self.there, self.here
        return done

    def _as_agreed(self) -> bool:
        return self.app.loop.table.is_as_agreed

    def telling(self, names: Iterable[str]) -> set[str]:
        """Return the devices of which the player reads now that one of these faults is on."""
        texts = {view.name: view.text.lower() for view in self.app.loop.snapshot.devices}
        known = [FAULTS[name] for name in names]
        return {f.device for f in known if f.says and f.says.lower() in texts.get(f.device, "")}

    def well(self) -> bool:
        """Tell whether every device is in order."""
        return all(view.state == "ok" for view in self.app.loop.snapshot.devices)


def trial(service: Service, names: Sequence[str]) -> Trial:
    """Begin some faults, play, end them, and play on."""
    faults = service.app.faults
    before = len(service.app.loop.snapshot.moves)
    expected = list(service.there) + list(service.here)
    for name in names:
        faults.start(name)
    untold = {FAULTS[name].device for name in names if FAULTS[name].says}

    def told() -> bool:  # a new size of the pictures is told for some seconds only
        untold.difference_update(service.telling(names))
        return not untold

    service.until(told, TOLD_SECONDS)
    under = service.move(MOVE_SECONDS)
    if not told():  # some are only found out while a piece stands on the sensor
        service.until(told, TOLD_SECONDS)
    for name in names:
        faults.end(name)
    began = time.monotonic()
    service.until(service.well, 3 * AGAIN_SECONDS)
    service.move(3 * AGAIN_SECONDS)
    again = time.monotonic() - began
    wrong = list(service.app.loop.snapshot.moves[before:]) != expected
    return Trial(tuple(names), not untold, wrong, under, again)


def run(pairs: int = PAIRS, seed: int = 1) -> list[Row]:
    """Return the figures: every fault once, and some pairs or all of them."""
    rng = random.Random(seed)
    both = list(itertools.combinations(FAULTS, 2))
    chosen = [(name,) for name in FAULTS] + rng.sample(both, min(pairs, len(both)))
    found: list[Trial] = []
    with tempfile.TemporaryDirectory(prefix="companion-faults-") as folder:
        service = Service(Path(folder))
        try:
            for names in progress(chosen, "faults"):
                found.append(trial(service, names))
                if not found[-1].good:
                    say(f"  {found[-1]}")
        finally:
            service.close()
    return rows(found)


def rows(found: Sequence[Trial]) -> list[Row]:
    """Return trials as lines of the bench."""
    single = [trial for trial in found if len(trial.names) == 1]
    again = [trial.again for trial in found]
    wrong = sum(trial.wrong for trial in found)
    untold = [trial for trial in found if not trial.told]
    slow = [trial for trial in found if trial.again > AGAIN_SECONDS]
    return [
        Row("faults, pairs of faults", f"{len(single)}, {len(found) - len(single)}"),
        Row("wrong moves accepted", f"{wrong}", "aim 0", wrong=wrong > 0),
        Row("moves understood while it lasts", f"{sum(t.under for t in found)} of {len(found)}"),
        Row("not named to the player", f"{len(untold)}", "aim 0", slow=bool(untold)),
        Row(
            "ended → well and two moves accepted, p50 / worst",
            f"{share(again, 0.5):.1f} / {max(again):.1f} s",
            f"aim ≤ {AGAIN_SECONDS:g} s",
            slow=bool(slow),
        ),
    ]
