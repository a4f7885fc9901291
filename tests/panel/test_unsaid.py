"""The confirm button where nothing is asked: it says what leaves no trace on the board."""

from concurrent.futures import Future
from dataclasses import replace

import pytest

from companion.panel.panel import CONFIRM, Panel
from companion.referee.verdict import Kind, Verdict
from companion.service.requests import Answer
from tests.lights.views import snapshot


@pytest.mark.parametrize(
    ("kind", "level", "unsaid", "asked"),
    [
        (Kind.WAITING, None, "end", [Answer("end")]),
        (Kind.ACCEPTED, None, "end", [Answer("end")]),
        (Kind.WAITING, None, "", []),
        (Kind.WAITING, 4, "end", []),
        (Kind.HANDS, None, "end", []),
        (Kind.SET_UP, None, "end", []),
        (Kind.NOT_ALLOWED, None, "end", []),
    ],
)
def test_confirm_says_what_the_board_does_not_show(kind, level, unsaid, asked):
    posted = []
    panel = Panel(lambda command: posted.append(command) or Future())
    shown = snapshot()
    seats = tuple(replace(seat, level=level) for seat in shown.seats)
    panel(replace(shown, verdict=Verdict(kind, ""), unsaid=unsaid, seats=seats), 0.0)
    panel.press(CONFIRM)
    assert posted == asked
