"""The page's sentences, from snapshots that a test makes up."""

from dataclasses import replace

import pytest

from companion.board import Change, DeviceView
from companion.games.game import CHANCE
from companion.referee.verdict import Kind, Verdict
from companion.service.requests import NewGame
from companion.web import Hub
from companion.web.words import (
    alerts,
    answers,
    banner,
    choice_words,
    coach,
    described,
    guide,
    heading,
    history,
    keys,
    rounds,
    tap,
)
from tests.games.pacman.tables import put_up as pacman_put_up
from tests.web.fake import BOARD, FakeTable


@pytest.fixture
def table():
    return FakeTable(Hub())


@pytest.fixture
def snapshot(table):
    return table.snapshot()


def sensor(name, state, partly=False):
    return DeviceView(name, state, f"the {name} is {state}", partly=partly)


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


def test_before_anything_is_rolled_the_board_is_put_right(snapshot):
    led = set_up(snapshot, ("e2",), Change("pacman", "e1", "e2"))
    said = banner(replace(led, to_act=CHANCE, chance="Roll the dice"), BOARD)
    assert (said["text"], said["note"]) == ("Move Pac-Man to e2", "then roll the dice")
    assert said["piece"] == "pacman"


def test_while_the_table_is_being_set_up_nobody_is_asked_to_move(snapshot):
    said = banner(replace(snapshot, setting_up=True), BOARD)
    assert (said["text"], said["note"]) == ("Being set up", "moves count again when that is done")


def choices_of(snapshot):
    return {each.move: choice_words(each, snapshot, BOARD) for each in snapshot.choices}


def test_moves_are_told_in_words(table):
    told = choices_of(table.snapshot())
    assert told["e2"] == "Pac-Man to e2"
    assert told["e3h"] == "a horizontal fence on e3h"
    assert told["e3v"] == "a vertical fence on e3v"


def test_walks_are_told_in_words(table):
    table.begin(NewGame("pacman"))
    told = choices_of(table.snapshot())
    assert told["d5-d4"] == "Pac-Man over d5 to d4"
    assert told["e6-e5"] == "Pac-Man out to e6 and back"
    table.play("d5-d4")
    assert choices_of(table.snapshot())["Be8"] == "Blinky to e8"
    table.states[-1] = pacman_put_up("e5 Ce1", "d1v e1v e1h", waiting="C")
    assert choices_of(table.snapshot()) == {"C=": "Clyde stays"}
    assert tap(table.snapshot(), BOARD) == "No move is possible: pass"


def test_there_is_no_question_about_a_game_that_is_over(snapshot):
    asked = replace(snapshot, verdict=Verdict(Kind.UNSURE, "?", moves=("e2",)))
    assert [answer["text"] for answer in answers(asked, BOARD)] == ["Yes", "No"]
    over = replace(asked, verdict=Verdict(Kind.WAITING, "The game is over."), to_act=None)
    assert answers(over, BOARD) == []


# --- rounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("movers", "seats", "rows"),
    [
        ([], 2, []),
        ([0, 1, 0], 2, [[[0], [1]], [[2], []]]),
        ([1, 0, 1], 2, [[[0], [1]], [[2], []]]),
        ([2, 3, 0, 1, 2], 4, [[[0], [1], [2], [3]], [[4], [], [], []]]),
        ([0, 1, 1, 1, 0, 1], 2, [[[0], [1, 2, 3]], [[4], [5]]]),
        ([0, 0, 1], 2, [[[0], []], [[1], [2]]]),  # whose opponents are all off the board
        ([CHANCE, 0, CHANCE, 1, CHANCE, 0], 2, [[[0, 1], [2, 3]], [[4, 5], []]]),
        ([CHANCE, 0, 0, 1], 2, [[[0, 1], []], [[2], [3]]]),
        ([CHANCE, 0, CHANCE], 2, [[[0, 1, 2], []]]),
        ([CHANCE], 2, [[[0], []]]),
    ],
)
def test_moves_are_told_by_rounds_and_by_who_made_them(movers, seats, rows):
    assert rounds(movers, seats) == rows


def test_the_history_has_a_column_for_each_seat_who_began_first(table):
    table.begin(NewGame("quoridor", {"first": "2"}))
    table.play("e8", "e2", "e7")
    told = history(table.snapshot())
    assert told == {"columns": [1, 0], "rows": [[["e8"], ["e2"]], [["e7"], []]], "called": "Turn"}


def test_the_history_of_several_moves_a_turn_is_told_by_rounds(table):
    table.begin(NewGame("pacman"))
    table.play("d5-d4", "Be8", "Cd1")
    told = history(table.snapshot())
    assert told["rows"] == [[["d5-d4"], ["Be8", "Cd1"]]]
    assert told["called"] == "Round"


def test_what_was_rolled_stands_with_the_move_it_is_for(snapshot):
    rolled = replace(snapshot, moves=("die:2", "e2", "die:1"), movers=(CHANCE, 0, CHANCE), to_act=1)
    assert history(rolled)["rows"] == [[["die:2", "e2"], ["die:1"]]]
    assert history(replace(rolled, to_act=CHANCE))["rows"] == [[["die:2", "e2", "die:1"], []]]
    first = replace(rolled, moves=("die:2",), movers=(CHANCE,))
    assert history(first) == {"columns": [1, 0], "rows": [[["die:2"], []]], "called": "Turn"}


# --- what to do next ----------------------------------------------------------------------------


def led(table, *repair):
    table.say(Kind.SET_UP, "Put it right.", repair=repair)
    return guide(table.snapshot(), BOARD)


def test_nothing_is_led_while_the_board_is_right(snapshot):
    assert guide(snapshot, BOARD) is None


def test_setting_up_is_led_thing_by_thing(table):
    fence, inky = Change("fence", None, "e3h"), Change("inky", "e4", None)
    assert led(table, fence, inky, inky) == {
        "heading": "Set the board up",
        "said": "",
        "text": "Put a fence on e3h.",
        "then": "2 more things after that.",
        "progress": "",
    }
    assert led(table, fence, inky)["then"] == "One more thing after that."
    assert led(table, inky)["then"] == ""


def test_what_stands_crooked_is_to_be_put_straight(table):
    told = led(table, Change("pacman", "e1", "e1"))
    assert (told["heading"], told["text"]) == (
        "Put it straight",
        "Push Pac-Man to the middle of e1.",
    )


def test_a_persons_entered_move_is_to_be_finished(table):
    table.play("e2")
    assert led(table, Change("pacman", "e1", "e2"))["heading"] == "Finish the move"


@pytest.mark.parametrize(
    ("move", "change", "heading"),
    [
        ("e2", Change("pacman", "e1", "e2"), "Pac-Man’s move"),
        ("e3h", Change("fence", None, "e3h"), "Carry out the companion’s move"),
    ],
)
def test_the_companions_move_is_called_after_its_piece(table, move, change, heading):
    table.begin(NewGame("quoridor", levels={0: 3}))
    table.play(move)
    assert led(table, change)["heading"] == heading
    assert led(table, Change("inky", "e4", None))["heading"] == "Set the board up"


def test_which_move_of_the_companions_turn_is_told(table):
    table.begin(NewGame("pacman", levels={1: 3}))
    table.play("d5-d4", "Be8")
    assert led(table, Change("blinky", "e9", "e8"))["progress"] == "move 1 of 4"
    table.play("Cd1", "Pa4", "Ii4")
    assert led(table, Change("inky", "i5", "i4"))["progress"] == "move 4 of 4"
    assert led(table, Change("clyde", "e1", "d2"))["progress"] == ""


def test_a_move_that_changes_more_than_itself_is_told_as_a_whole(table):
    table.begin(NewGame("pacman", levels={1: 3}))
    table.states[-1] = pacman_put_up("e7 Be8", waiting="B")
    table.play("Be7")
    told = led(table, *table.last)
    assert told["said"] == "Blinky went to e7 and caught Pac-Man: two lives left."
    assert told["heading"] == "All go back to the start"
    table.begin(NewGame("pacman", levels={0: 3}))
    table.states[-1] = pacman_put_up("a3 Be9", pellets="a1 i9")
    table.play("a2-a1")
    assert led(table, *table.last)["heading"] == "Carry out the companion’s move"


# --- the board and what to do with it -----------------------------------------------------------


def test_the_board_is_described_for_who_does_not_see_it(table):
    assert described(table.snapshot(), BOARD) == "Pac-Man on e1, Blinky on e9. No fences yet."
    table.play("e3h", "c4v")
    assert described(table.snapshot(), BOARD).endswith("Fences: c4v, e3h.")


def test_who_is_seen_and_who_is_off_the_board_is_described(table):
    table.begin(NewGame("pacman"))
    table.states[-1] = pacman_put_up("e7 Be9 Ii4", pellets="a1")
    assert described(table.snapshot(), BOARD) == (
        "Pac-Man on e7, Blinky on e9, Inky on i4. Pellets: a1. Beside the board: Pinky, Clyde."
        " Pac-Man is seen by Blinky. No fences yet."
    )
    table.states[-1] = pacman_put_up("e7 Be1", pellets="")
    assert "No pellets left." in described(table.snapshot(), BOARD)


def test_somebody_at_the_simulated_table_is_told_what_to_do(table):
    assert coach(table.snapshot()) == (
        "It is Pac-Man’s turn: drag Pac-Man to a neighbouring square,"
        " or drag a fence from the tray into a groove."
    )
    table.say(Kind.HANDS, "A hand.")
    assert coach(table.snapshot()) == "The companion waits until no hand is over the board."
    table.chance = "Roll the dice"
    table.say(Kind.WAITING, "Roll the dice.")
    assert coach(table.snapshot()) == "Roll the dice: on the phone page."
    table.begin(NewGame("pacman", levels={1: 3}))
    table.play("d5-d4")
    assert coach(table.snapshot()) == "The ghosts think. Wait for the companion’s move."
    table.drawn = True
    assert coach(table.snapshot()) == "The game is over. Start another one on the phone page."


def test_how_a_move_is_entered_depends_on_the_game_and_on_who_moves(table):
    assert tap(table.snapshot(), BOARD) == "Move the real pieces, or tap the board."
    assert "H and V turn it into a fence" in keys(table.snapshot(), BOARD)
    table.begin(NewGame("pacman"))
    snapshot = table.snapshot()
    assert tap(snapshot, BOARD) == "Move the real Pac-Man, or tap the squares to walk over."
    assert keys(snapshot, BOARD) == (
        "Arrow keys walk square by square, Backspace goes a step back. Enter plays, Escape leaves."
    )
    table.play("d5-d4")
    snapshot = table.snapshot()
    assert tap(snapshot, BOARD) == "Move a real piece, or tap it and the squares to walk over."
    assert "B, C, I and P choose a piece." in keys(snapshot, BOARD)


def test_nobody_is_asked_for_a_move_while_something_else_comes_first(table):
    for kind in (Kind.SET_UP, Kind.NOT_ALLOWED, Kind.UNSURE):
        table.say(kind, "…")
        assert tap(table.snapshot(), BOARD) == ""
    table.begin(NewGame("quoridor", levels={0: 3}))
    assert tap(table.snapshot(), BOARD) == ""
