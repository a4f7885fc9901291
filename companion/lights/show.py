"""Directs the lights: an output of the loop that turns snapshots into frames at a fixed rate.

It keeps what a single snapshot cannot tell: how long nothing has happened, when the game began,
whether a phone is awaited, and the hour of the day.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.board import Board, Place
from companion.lights.names import Lit, frame_of
from companion.lights.palette import USUAL, Palette
from companion.lights.scene import scene
from companion.lights.strip import Colours
from companion.lights.view import Mood
from companion.service.snapshot import Snapshot

#: The frame rate of the lights: smooth enough for any eye, and easy on the loop.
FRAME_SECONDS = 1 / 30

#: A table that cannot make up its mind must not flash: after a change the next one waits so long
#: (a rate limit). So changes alone light and darken something at most 1.25 times a second.
HOLD_SECONDS = 0.4

PAIRING_SECONDS = 60.0
TRIAL_SECONDS = 120.0


@dataclass(frozen=True)
class Taste:
    """How people want their lights: from the hour ``night[0]`` to ``night[1]`` they are dimmed."""

    palette: Palette = USUAL
    targets: bool = True
    attract_seconds: float = math.inf
    night: tuple[int, int] | None = None
    night_level: float = 0.25


def is_night(hour: int, night: tuple[int, int] | None) -> bool:
    """Tell whether an hour lies between two others, over midnight if need be."""
    if night is None:
        return False
    begin, end = night
    return begin <= hour < end if begin <= end else hour >= begin or hour < end


class Show:
    """Posts a frame for every moment; call it with each snapshot and the time."""

    def __init__(
        self,
        board: Board,
        post: Callable[[Colours], None],
        taste: Taste | None = None,
        hour: Callable[[], int] = lambda: 12,
    ) -> None:
        self._board = board
        self._post = post
        self._taste = taste or Taste()
        self._hour = hour
        self._shown: Snapshot | None = None
        self._game: int | None = None
        self._changed_at = -math.inf
        self._woken_at = -math.inf
        self._begun_at = -math.inf
        self._paired_until = -math.inf
        self._pointed: tuple[Place, ...] = ()
        self._trial: Callable[[float], Lit] | None = None
        self._tried_at = self._tried_until = -math.inf
        self._due = -math.inf

    def __call__(self, snapshot: Snapshot, now: float) -> None:
        """Post the frame of this moment, if it is time for one."""
        if now < self._due:
            return
        self._due = now + FRAME_SECONDS
        shown = self._take(snapshot, now)
        if self._trial and now < self._tried_until:
            self._post(frame_of(self._board, self._trial(now - self._tried_at)))
            return
        self._post(scene(shown, self._board, now, self._mood(now)))

    def wake(self, now: float) -> None:
        """End the idle lights' show (attract mode): somebody is here."""
        self._woken_at = now

    def pair(self, now: float, seconds: float = PAIRING_SECONDS) -> None:
        """Show for some time that a phone may be paired; 0 seconds when one has been."""
        self._paired_until = now + seconds
        self._woken_at = now

    def is_pairing(self, now: float) -> bool:
        """Tell whether the lights say that a phone may be paired."""
        return now < self._paired_until

    def point(self, *places: Place) -> None:
        """Show these places alone, until called without any."""
        self._pointed = places

    def try_out(
        self, paint: Callable[[float], Lit] | None, now: float, seconds: float = TRIAL_SECONDS
    ) -> None:
        """Show these lights instead of the game for some time, or with none the game again."""
        self._trial, self._tried_at, self._tried_until = paint, now, now + seconds
        self._woken_at = now

    def _take(self, snapshot: Snapshot, now: float) -> Snapshot:
        """Return the snapshot to show: the newest, or while that came too soon the one before."""
        shown = self._shown
        if shown is snapshot or (shown is not None and now - self._changed_at < HOLD_SECONDS):
            assert shown is not None
            return shown
        if snapshot.game_id != self._game:
            self._game, self._begun_at = snapshot.game_id, now
        if shown is None or _happening(shown) != _happening(snapshot):
            self._woken_at = now
        self._shown, self._changed_at = snapshot, now
        return snapshot

    def _mood(self, now: float) -> Mood:
        taste = self._taste
        dark = is_night(self._hour(), taste.night)
        return Mood(
            palette=taste.palette,
            targets=taste.targets,
            idle_seconds=now - self._woken_at,
            begun_seconds=now - self._begun_at,
            attract_seconds=taste.attract_seconds,
            pairing=self.is_pairing(now),
            pointed=self._pointed,
            level=taste.night_level if dark else 1.0,
        )


def _happening(snapshot: Snapshot) -> object:
    """Return what must change for people to count as present; a flaky device does not matter."""
    verdict = snapshot.verdict
    return snapshot.game_id, snapshot.moves, verdict.kind, verdict.text, snapshot.lifted
