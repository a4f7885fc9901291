"""What the buttons mean and when the buzzer speaks; the pins are :mod:`companion.panel.pins`.

The same panel serves real buttons, mock pins in tests and keys on the page.
"""

import logging
from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Protocol

from companion.errors import CompanionError
from companion.panel.sounds import TUNES, Tune, heard
from companion.referee.verdict import Kind
from companion.service.requests import Answer, Command, LookAgain, Reply, TakeBack
from companion.service.snapshot import Snapshot

log = logging.getLogger(__name__)

CONFIRM, TAKE_BACK, WAKE = BUTTONS = ("confirm", "take back", "wake")


class Speaker(Protocol):
    """Something that plays tunes without keeping anybody waiting."""

    def play(self, tune: Tune) -> None:
        """Begin a tune; one that still sounds gives way."""


class Panel:
    """Three buttons and a buzzer. Call it with each snapshot: it is an output of the loop.

    | button | pressed | held |
    |---|---|---|
    | confirm | yes, that is the move (the first one in question); or what leaves no trace on the
    board, such as no fence | none of them; or the board is right and the sensors are wrong |
    | take back | take the last move back | pair a phone |
    | wake | lights on | |

    ``post`` takes commands to the loop, ``wake`` and ``pair`` are called when somebody is there
    and when a phone is to be paired. ``sounds`` are those that are wanted.

        panel = Panel(loop.post, speaker)
        panel.press("confirm")
    """

    def __init__(
        self,
        post: Callable[[Command], "Future[Reply]"],
        speaker: Speaker | None = None,
        sounds: Collection[str] = tuple(TUNES),
        wake: Callable[[], None] = lambda: None,
        pair: Callable[[], None] = lambda: None,
    ) -> None:
        self._post = post
        self.speaker = speaker
        self._sounds = frozenset(sounds)
        self._wake = wake
        self._pair = pair
        self._snapshot: Snapshot | None = None

    def __call__(self, snapshot: Snapshot, now: float) -> None:
        """Let people hear what has happened since the last snapshot."""
        before, self._snapshot = self._snapshot, snapshot
        if before is not None and before is not snapshot:
            sound = heard(before, snapshot)
            if sound is not None:
                self.sound(sound)

    def press(self, button: str) -> "Future[Reply] | None":
        """Do what a press of a button means now; return the loop's future answer, if any."""
        self._check(button)
        self._wake()
        if button == TAKE_BACK:
            return self._ask(TakeBack())
        if button == CONFIRM and self._kind is Kind.UNSURE:
            assert self._snapshot is not None
            moves = self._snapshot.verdict.moves
            return self._ask(Answer(moves[0])) if moves else None
        if button == CONFIRM and self._kind in (Kind.WAITING, Kind.ACCEPTED):
            return self._ask(Answer(self._unsaid)) if self._unsaid else None
        return None

    def hold(self, button: str) -> "Future[Reply] | None":
        """Do what holding a button means now; return the loop's future answer, if any."""
        self._check(button)
        self._wake()
        if button == TAKE_BACK:
            self._pair()
        elif button == CONFIRM and self._kind is Kind.UNSURE:
            return self._ask(Answer(""))
        elif button == CONFIRM and self._kind in (Kind.NOT_ALLOWED, Kind.SET_UP):
            return self._ask(LookAgain())
        return None

    def sound(self, name: str) -> None:
        """Play a sound by its name, unless it is switched off."""
        if self.speaker is not None and name in self._sounds:
            self.speaker.play(TUNES[name])

    @property
    def _kind(self) -> Kind | None:
        return None if self._snapshot is None else self._snapshot.verdict.kind

    @property
    def _unsaid(self) -> str:
        """Return what a person who is to act may say that the board does not show, if anything."""
        snapshot = self._snapshot
        if snapshot is None or snapshot.acting is None or snapshot.acting.level is not None:
            return ""
        return snapshot.unsaid

    def _check(self, button: str) -> None:
        if button not in BUTTONS:
            raise CompanionError(
                f"expected one of the buttons {', '.join(BUTTONS)}, got {button!r}"
            )

    def _ask(self, command: Command) -> "Future[Reply]":
        answer = self._post(command)
        answer.add_done_callback(self._answered)
        return answer

    def _answered(self, answer: "Future[Reply]") -> None:
        """Play a sound when the loop has refused."""
        if not answer.cancelled() and (error := answer.exception()) is not None:
            log.info("a button was pressed in vain: %s", error)
            self.sound("refused")
