"""The page's sentences, from snapshots that a test makes up."""

from dataclasses import replace

import pytest

from companion.board import Change
from companion.device import DeviceView
from companion.referee.verdict import Kind, Verdict
from companion.web import Hub
from companion.web.words import alerts, answers, banner, heading, words_of
from tests.web.fake import BOARD, FakeTable


@pytest.fixture
def snapshot():
    return FakeTable(Hub()).snapshot()


def sensor(name, state, partly=False):
    return DeviceView(name, state, f"the {name} is {state}", partly)


CAMERA, GRID = "camera", "hall grid"


@pytest.mark.parametrize(
    ("views", "meanwhile"),
    [
        ([sensor(CAMERA, "trouble"), sensor(GRID, "ok")], ["only felt: enter fences"]),
        ([sensor(CAMERA, "trouble")], ["nothing sees the board"]),
        ([sensor(CAMERA, "ok"), sensor(GRID, "trouble")], ["The camera watches on"]),
        ([sensor(GRID, "trouble")], ["nothing sees the board"]),
        ([sensor(GRID, "trouble", True)], ["enter moves on these squares"]),
        (
            [sensor(CAMERA, "trouble"), sensor(GRID, "trouble", True)],
            ["only felt", "enter moves on these squares"],
        ),
    ],
)
def test_what_still_sees_the_board_is_told(snapshot, views, meanwhile):
    told = alerts(replace(snapshot, devices=tuple(views)))
    assert len(told) == len(meanwhile)
    for alert, part in zip(told, meanwhile, strict=True):
        assert part in alert["meanwhile"]
        assert alert["text"].startswith("The ")


def test_only_a_table_that_sees_nothing_is_not_watching(snapshot):
    blind = replace(snapshot, devices=(sensor(CAMERA, "trouble"), sensor(GRID, "trouble")))
    partly = replace(snapshot, devices=(sensor(CAMERA, "trouble"), sensor(GRID, "trouble", True)))
    bare = replace(snapshot, devices=())
    assert [heading(each) for each in (blind, partly, bare)] == [
        "Not watching",
        "Watching",
        "Watching",
    ]


def set_up(snapshot, moves, *repair):
    verdict = Verdict(Kind.SET_UP, "Put it right.", repair=repair)
    return replace(snapshot, moves=moves, verdict=verdict)


@pytest.mark.parametrize(
    ("moves", "repair", "text", "note"),
    [
        (
            ("e2",),
            [Change("pacman", "e1", "e2")],
            "Move Pac-Man to e2",
            "then it is Pac-Man’s turn",
        ),
        (
            ("e2",),
            [Change("fence", None, "e3h"), Change("blinky", "e8", "e9")],
            "Put a fence on e3h",
            "and 1 more thing, then it is Pac-Man’s turn",
        ),
        (
            ("e2",),
            [Change("pacman", "e2", "e2")],
            "Push Pac-Man to the middle of e2",
            "then it is Pac-Man’s turn",
        ),
        ((), [Change("pacman", "e2", "e1")], "Move Pac-Man to e1", "then it is Pac-Man’s turn"),
        (
            (),
            [Change(piece, None, "e1") for piece in ("pacman", "blinky", "inky")],
            "Set the board up",
            "then it is Pac-Man’s turn",
        ),
    ],
)
def test_the_banner_says_what_is_to_be_done(snapshot, moves, repair, text, note):
    said = banner(set_up(snapshot, moves, *repair), BOARD)
    assert (said["text"], said["note"]) == (text, note)


def test_while_the_table_is_being_set_up_nobody_is_asked_to_move(snapshot):
    said = banner(replace(snapshot, setting_up=True), BOARD)
    assert (said["text"], said["note"]) == ("Being set up", "moves count again when that is done")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("e2", "The ghosts to e2"),
        ("e3h", "a horizontal fence on e3h"),
        ("Be8", "Blinky to e8"),
        ("Pe8-e7", "Pinky over e8 to e7"),
        ("d5-d4-d3", "The ghosts over d5, d4 to d3"),
        ("C=", "Clyde stays"),
    ],
)
def test_moves_are_told_in_words(move, words):
    assert words_of(move, "The ghosts") == words


def test_there_is_no_question_about_a_game_that_is_over(snapshot):
    asked = replace(snapshot, verdict=Verdict(Kind.UNSURE, "?", moves=("e2",)))
    assert [answer["text"] for answer in answers(asked, BOARD)] == ["Yes", "No"]
    assert answers(replace(asked, to_act=None), BOARD) == []
