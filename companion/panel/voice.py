"""A voice that says what the referee says, through espeak-ng; off unless it is asked for."""

import logging
import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import Protocol

from companion.board import DeviceView
from companion.errors import DeviceError
from companion.referee.verdict import Kind
from companion.service.snapshot import Snapshot

log = logging.getLogger(__name__)

#: What is worth saying aloud; that somebody's hands are on the board is not.
SAID = (Kind.ACCEPTED, Kind.SET_UP, Kind.NOT_ALLOWED, Kind.UNSURE)
LONGEST = 300


class Talk(Protocol):
    """A sentence that is being said."""

    def poll(self) -> int | None:
        """Return None while it is being said."""

    def terminate(self) -> None:
        """Be silent at once."""


Say = Callable[[str], Talk]


class Voice:
    """Says each new verdict once; a newer one cuts an older one short."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._said = ""
        self._talk: Talk | None = None
        self._trouble = ""

    @property
    def view(self) -> DeviceView:
        """Return how the voice is doing."""
        if self._trouble:
            return DeviceView("voice", "trouble", self._trouble)
        return DeviceView("voice", "ok", "The voice is on.")

    def show(self, snapshot: Snapshot, now: float) -> None:
        """Say what is new; never waits."""
        verdict = snapshot.verdict
        if verdict.kind not in SAID or verdict.text == self._said:
            return
        self._said = verdict.text
        self.close()
        try:
            self._talk = self._say(verdict.text[:LONGEST])
            self._trouble = ""
        except OSError as error:
            if not self._trouble:
                log.warning("the voice has failed: %s", error)
            self._trouble = (
                f"The voice has failed ({error.strerror or error}). See whether espeak-ng speaks."
            )

    def close(self) -> None:
        """Be silent."""
        if self._talk is not None and self._talk.poll() is None:
            self._talk.terminate()
        self._talk = None


def espeak(language: str) -> Say:
    """Return how to say a sentence with espeak-ng; DeviceError when it is not installed."""
    program = shutil.which("espeak-ng")
    if program is None:
        raise DeviceError(
            "voice.language is set but espeak-ng is not installed: apt-get install espeak-ng"
        )
    return speaking((program, "-v", language, "--stdin"))


def speaking(command: Sequence[str]) -> Say:
    """Return how to say a sentence with a program that reads it from its standard input."""

    def say(text: str) -> Talk:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert process.stdin is not None
        process.stdin.write(text.encode())
        process.stdin.close()
        return process

    return say
