"""What the buttons ask of the loop, and what people hear."""

from concurrent.futures import Future
from dataclasses import replace

import pytest

from companion.errors import CompanionError
from companion.panel.panel import BUTTONS, Panel
from companion.panel.sounds import TUNES, Tune
from companion.referee.verdict import Kind, Verdict
from companion.service.requests import Answer, Command, LookAgain, TakeBack
from tests.lights.views import snapshot


class Table:
    """A panel, with everything that it asks for and plays written down."""

    def __init__(self, **more: object) -> None:
        self.asked: list[Command] = []
        self.played: list[Tune] = []
        self.events: list[str] = []
        self.refusal: CompanionError | None = None
        self.panel = Panel(
            self.post,
            self,
            wake=lambda: self.events.append("wake"),
            pair=lambda: self.events.append("pair"),
            **more,  # type: ignore[arg-type]
        )

    def post(self, command: Command) -> "Future[str]":
        self.asked.append(command)
        answer: Future[str] = Future()
        if self.refusal:
            answer.set_exception(self.refusal)
        else:
            answer.set_result("Done.")
        return answer

    def play(self, tune: Tune) -> None:
        self.played.append(tune)

    def show(self, kind: Kind, *moves: str) -> "Table":
        self.panel(snapshot(verdict=Verdict(kind, "", moves=moves)), 0.0)
        return self


def test_confirm_answers_a_question_with_the_first_choice():
    table = Table().show(Kind.UNSURE, "e4", "e5")
    answer = table.panel.press("confirm")
    assert table.asked == [Answer("e4")]
    assert answer.result(timeout=0) == "Done."


def test_holding_confirm_answers_that_it_was_none_of_them():
    table = Table().show(Kind.UNSURE, "e4", "e5")
    table.panel.hold("confirm")
    assert table.asked == [Answer("")]


@pytest.mark.parametrize("kind", [Kind.NOT_ALLOWED, Kind.SET_UP])
def test_holding_confirm_says_that_the_board_is_right(kind):
    table = Table().show(kind)
    assert table.panel.press("confirm") is None
    assert table.asked == []
    table.panel.hold("confirm")
    assert table.asked == [LookAgain()]


@pytest.mark.parametrize("kind", [Kind.WAITING, Kind.HANDS, Kind.ACCEPTED])
def test_when_nothing_is_asked_confirm_only_wakes(kind):
    table = Table().show(kind)
    table.panel.press("confirm")
    table.panel.hold("confirm")
    assert table.asked == []
    assert table.events == ["wake", "wake"]


def test_before_the_first_snapshot_confirm_does_nothing():
    table = Table()
    assert table.panel.press("confirm") is None
    assert table.panel.hold("confirm") is None


def test_take_back_takes_back_and_held_it_pairs_a_phone():
    table = Table().show(Kind.WAITING)
    table.panel.press("take back")
    assert table.asked == [TakeBack()]
    assert table.panel.hold("take back") is None
    assert table.asked == [TakeBack()]
    assert table.events == ["wake", "wake", "pair"]


@pytest.mark.parametrize("button", BUTTONS)
def test_every_button_wakes_the_lights(button):
    table = Table()
    table.panel.press(button)
    assert table.events == ["wake"]


def test_a_wish_that_is_not_granted_is_heard():
    table = Table().show(Kind.WAITING)
    table.refusal = CompanionError("there is no move to take back")
    table.panel.press("take back")
    assert table.played == [TUNES["refused"]]


def test_an_unknown_button_is_refused():
    with pytest.raises(CompanionError, match="expected one of the buttons confirm, take back"):
        Table().panel.press("eject")
    with pytest.raises(CompanionError, match="got 'eject'"):
        Table().panel.hold("eject")


def test_what_happens_is_heard_once():
    table = Table().show(Kind.WAITING)
    refused = snapshot(verdict=Verdict(Kind.NOT_ALLOWED, ""))
    for _ in range(3):
        table.panel(refused, 1.0)
    assert table.played == [TUNES["refused"]]


def test_the_state_at_the_start_makes_no_sound():
    assert Table().show(Kind.NOT_ALLOWED).played == []


def test_each_sound_can_be_switched_off():
    table = Table(sounds=("question",)).show(Kind.WAITING).show(Kind.NOT_ALLOWED)
    assert table.played == []
    table.show(Kind.UNSURE, "e4")
    assert table.played == [TUNES["question"]]


def test_without_a_speaker_there_is_silence():
    panel = Panel(lambda command: Future())
    panel(snapshot(), 0.0)
    panel(replace(snapshot(), verdict=Verdict(Kind.NOT_ALLOWED, "")), 1.0)
