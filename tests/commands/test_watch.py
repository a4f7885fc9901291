"""``companion watch``: what the service's own loop makes of a recording, line by line."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.board import Position
from companion.sensing.camera.frame import Picture
from companion.sensing.camera.health import BLACK, TORN
from companion.sim.hands import Person
from companion.sim.room import Room, Setting
from companion.text import sentence
from tests.sensing.lab import BARE
from tests.sensing.studio import BOARD

Told = list[tuple[object, ...]]

BEGUN = [
    (0, "set up", "Put Pac-Man on e1 and put Blinky on e9."),
    (0, "waiting", "Pac-Man to move."),
]
FPS = 15


@pytest.fixture(scope="module")
def pictures() -> dict[str, Picture]:
    """Pictures by one camera, and what a camera in trouble may send."""
    studio = Room(BOARD, Setting("daylight", 5))

    def shoot(position: Position) -> Picture:
        studio.table.set_up(position)
        return studio.shoot().picture

    def smaller(picture: Picture) -> Picture:
        return np.asarray(cv2.resize(picture[6:-30], None, fx=0.9, fy=0.9))

    taken = {
        "start": shoot({"e1": "pacman", "e9": "blinky"}),
        "one": shoot({"e2": "pacman", "e9": "blinky"}),
        "two": shoot({"e2": "pacman", "e8": "blinky"}),
        "too far": shoot({"e2": "pacman", "c7": "blinky"}),
        "others": shoot({"e1": "clyde", "e9": "pacman"}),
        "others, one": shoot({"e2": "clyde", "e9": "pacman"}),
        "empty": shoot({}),
        "one, smaller": smaller(shoot({"e2": "pacman", "e9": "blinky"})),
        "bare": BARE,
    }
    torn = taken["one"].copy()
    torn[len(torn) // 2 :] = 128
    return taken | {"black": np.full_like(torn, 3), "torn": torn}


@pytest.fixture
def watch(tmp_path, pictures, capsys, monkeypatch) -> Callable[..., tuple[int, Told]]:
    """Return what watches a folder of such pictures; it returns the exit code and what is told."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "frames"
    folder.mkdir()

    def watch(names: str, *options: str) -> tuple[int, Told]:
        for number, name in enumerate(names.split("; ")):
            assert cv2.imwrite(str(folder / f"frame_{number}.png"), pictures[name])
        code = main(["watch", str(folder), "--json", *options])
        assert list(tmp_path.iterdir()) == [folder]  # and no journal
        shown = capsys.readouterr()
        assert shown.err == ""
        return code, told(shown.out)

    return watch


def test_a_game_goes_on_in_pictures_of_another_size(watch):
    code, lines = watch("start; one, smaller; two")
    assert code == 0
    assert [line[2] for line in lines if line[1] == "accepted"] == ["e2", "e8"]


def told(out: str) -> Told:
    return [tuple(json.loads(line).values()) for line in out.splitlines()]


def test_every_change_of_verdict_is_a_line_and_the_last_frame_counts(watch):
    refused = "c7 is too far: a pawn moves one square up, down, left or right."
    assert watch("start; one; one; too far; too far; one; two") == (
        0,
        [
            *BEGUN,
            (1, "accepted", "e2", "Pac-Man went to e2."),
            (3, "not allowed", "Q-7", f"{refused} Move Blinky from c7 to e9."),
            (5, "waiting", "Blinky to move."),
            (6, "accepted", "e8", "Blinky went to e8."),
        ],
    )


def test_a_line_has_the_names_that_programs_know_and_people_can_read_it(watch, capsys):
    watch("start; one")
    main(["watch", "frames", "--json"])
    last = '{"frame": 1, "verdict": "accepted", "move": "e2", "text": "Pac-Man went to e2."}'
    assert capsys.readouterr().out.splitlines()[-1] == last
    main(["watch", "frames"])
    assert capsys.readouterr().out.endswith("\nframe 1: accepted e2: Pac-Man went to e2.\n")


def test_moves_made_at_once_are_a_line_each(watch):
    said = "Pac-Man went to e2. Blinky went to e8."
    _, lines = watch("start; two; two")
    assert lines[2:] == [(1, "accepted", "e2", said), (1, "accepted", "e8", said)]


def test_moves_played_before_the_first_frame_are_gone_on_from(watch):
    assert watch("one; two", "--moves", "e2") == (
        0,
        [(0, "waiting", "Blinky to move."), (1, "accepted", "e8", "Blinky went to e8.")],
    )


def test_who_plays_which_pawn_is_learned_from_the_first_view_of_them_all(watch):
    assert watch("empty; others; others, one")[1] == [
        (0, "hands", "Waiting for a clear view of all pawns."),
        (1, "set up", "Put Clyde on e1 and put Pac-Man on e9."),
        (1, "waiting", "Clyde to move."),
        (2, "accepted", "e2", "Clyde went to e2."),
    ]


@pytest.mark.parametrize(("name", "fault"), [("black", BLACK), ("torn", TORN)])
def test_a_picture_that_cannot_be_believed_is_told_and_no_verdict(name, fault, watch):
    assert watch(f"{name}; start; {name}; {name}; one")[1] == [
        (0, "no board", sentence(fault)),
        *((1, *line[1:]) for line in BEGUN),
        (2, "no board", sentence(fault)),
        (4, "waiting", "Pac-Man to move."),
        (4, "accepted", "e2", "Pac-Man went to e2."),
    ]


def test_a_clear_frame_is_read_at_once_after_one_without_a_board(watch):
    _, lines = watch("bare; start; bare; one")
    assert [line[:3] for line in lines if line[1] == "accepted"] == [(3, "accepted", "e2")]
    assert [line[0] for line in lines if line[1] == "no board"] == [0, 2]
    assert str(lines[0][2]).startswith("No board in view: expected 4 markers")


@pytest.mark.parametrize("names", ["black", "bare; bare"])
def test_without_any_board_the_answer_is_no(names, watch):
    code, lines = watch(names)
    assert (code, [line[:2] for line in lines]) == (1, [(0, "no board")])


def test_a_recording_may_repeat_its_picture_for_as_long_as_it_likes(watch):
    _, lines = watch("; ".join(["start"] * 5 + ["one"] * 4))
    assert lines == [
        *BEGUN,
        (5, "accepted", "e2", "Pac-Man went to e2."),
        (7, "waiting", "Blinky to move."),
    ]


@pytest.mark.parametrize("interval", ["0.3", "1", "20"])
def test_a_clear_frame_is_steady_at_any_pace(interval, watch):
    accepted = [(1, "accepted", "e2"), (2, "accepted", "e8")]
    _, lines = watch("start; one; two", "--interval", interval)
    assert [line[:3] for line in lines if line[1] == "accepted"] == accepted


def test_a_video_is_refereed_at_its_own_pace(tmp_path, capsys):
    studio = Room(BOARD, Setting("lamp", 3))
    studio.table.set_up({"e1": "inky", "e9": "pacman"})
    path = tmp_path / "game.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (1296, 972))

    def film(seconds: float) -> None:
        for _ in range(max(1, round(seconds * FPS))):
            video.write(studio.shoot(1 / FPS).picture)

    film(0.6)
    for step in Person(studio.table, BOARD).move_pawn("inky", "e1", "e2"):
        film(step.seconds)
    film(0.6)
    video.release()
    assert main(["watch", str(path), "--json"]) == 0
    lines = told(capsys.readouterr().out)
    assert [line[1] for line in lines] == ["set up", "waiting", "hands", "accepted"]
    assert lines[-1][1:] == ("accepted", "e2", "Inky went to e2.")


def test_a_frame_that_is_no_picture_ends_it_with_its_name(watch, capsys):
    watch("start; one")
    Path("frames/frame_0.png").write_bytes(b"no picture")
    assert main(["watch", "frames", "--json"]) == 1
    assert "frame_0.png is not a picture" in capsys.readouterr().err


def say_which_game(**told: object) -> None:
    Path("frames/game.json").write_text(json.dumps({"game": "quoridor", **told}))


def test_a_folder_may_say_which_game_it_holds_and_what_was_played_before(watch):
    say_which_game(moves_before=["e2"], moves=["e8"], board="reference")
    assert [line[:3] for line in watch("one; two")[1]][-1] == (1, "accepted", "e8")


def test_options_go_before_what_a_folder_says(watch):
    say_which_game(moves_before=["e2", "e8"], board="no-such-board")
    board = ("--board", "reference")
    assert watch("start; one", "--moves", "", *board)[1][-1][:3] == (1, "accepted", "e2")
    say_which_game(game="pacman", moves_before=["e4-f4"])
    assert watch("start; one", "--game", "quoridor")[1][-1][:3] == (1, "accepted", "e2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "game.json is damaged: expected JSON"),
        ('{"game": "chess"}', "there is no game 'chess'"),
        ('{"game": "quoridor", "moves_before": ["e9"]}', "move 1, 'e9'"),
        ('{"game": "quoridor", "options": {"x": "y"}}', "x"),
    ],
)
def test_a_folder_that_says_nonsense_ends_it_with_a_line(watch, capsys, text, why):
    watch("start")
    Path("frames/game.json").write_text(text)
    assert main(["watch", "frames"]) in (1, 2)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert why in said
