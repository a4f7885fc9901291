"""The voice: each verdict once, the newest first, and no word when it is off or broken."""

import sys
from dataclasses import replace

import pytest

from companion.errors import DeviceError
from companion.panel.voice import Voice, espeak, speaking
from companion.referee.verdict import Kind, Verdict
from tests.lights.test_scene import snapshot
from tests.waiting import wait_for


class Sentence:
    def __init__(self) -> None:
        self.ended = False

    def poll(self) -> int | None:
        return 0 if self.ended else None

    def terminate(self) -> None:
        self.ended = True


class Mouth:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.talks: list[Sentence] = []
        self.broken = False

    def __call__(self, text: str) -> Sentence:
        if self.broken:
            raise OSError(2, "No such file")
        self.said.append(text)
        self.talks.append(Sentence())
        return self.talks[-1]


def told(kind: Kind, text: str):
    return replace(snapshot(), verdict=Verdict(kind, text))


def test_each_verdict_is_said_once_and_hands_and_waiting_never():
    mouth = Mouth()
    voice = Voice(mouth)
    for kind in (Kind.WAITING, Kind.HANDS):
        voice.show(told(kind, "nothing"), 0.0)
    for _ in range(3):
        voice.show(told(Kind.ACCEPTED, "Pac-Man went to e2."), 0.0)
    voice.show(told(Kind.SET_UP, "Move Blinky from e9 to e8."), 0.0)
    assert mouth.said == ["Pac-Man went to e2.", "Move Blinky from e9 to e8."]
    assert [talk.ended for talk in mouth.talks] == [True, False], "the newer one cuts it short"
    voice.close()
    assert mouth.talks[-1].ended


def test_a_voice_that_fails_is_told_and_comes_back():
    mouth = Mouth()
    voice = Voice(mouth)
    mouth.broken = True
    voice.show(told(Kind.ACCEPTED, "one"), 0.0)
    assert voice.view.state == "trouble"
    mouth.broken = False
    voice.show(told(Kind.ACCEPTED, "two"), 0.0)
    assert voice.view.state == "ok"


def test_a_program_is_given_the_sentence(tmp_path):
    target = tmp_path / "said"
    script = f"import sys; open({str(target)!r}, 'w').write(sys.stdin.read())"
    talk = speaking((sys.executable, "-c", script))("It is Pac-Man's turn.")
    wait_for(lambda: talk.poll() is not None)
    assert target.read_text() == "It is Pac-Man's turn."


def test_a_voice_without_espeak_is_told(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DeviceError, match="espeak-ng is not installed"):
        espeak("en")
