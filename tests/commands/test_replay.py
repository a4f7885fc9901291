"""``companion replay``."""

import json
from pathlib import Path

import pytest

from companion.__main__ import main

TEXT = '[Game "quoridor"]\n[Players "Ann; Ben"]\n\n1. e2 e8\n2. e3h e7\n'


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_it_shows_a_game_move_by_move(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "quoridor (pawnBehind blocked, first 1)",
        "1. Ann: e2",
        "1. Ben: e8",
        "2. Ann: e3h",
        "2. Ben: e7",
        "not finished",
    ]


def test_it_draws_boards(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "--board"]) == 0
    assert capsys.readouterr().out.count("┌") == 4


def test_it_writes_json_a_line_a_move(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["move"] for row in rows[:-1]] == ["e2", "e8", "e3h", "e7"]
    assert rows[2]["player"] == 1
    assert rows[2]["position"] == {"e2": "pawn1", "e8": "pawn2", "e3h": "fence"}
    assert rows[-1]["result"] == "*"


def test_it_tells_what_chance_did_and_shows_only_what_lies_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cards.txt"
    path.write_text('[Game "cards"]\n\n1. draw deal:dot stop 2. down', encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:5] == [
        "1. player 1: draw",
        "1. chance: deal:dot",
        "1. player 1: stop",
        "2. player 2: down",
    ]
    assert main(["replay", str(path), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["player"] for row in rows[:-1]] == [1, None, 1, 2]
    assert rows[1]["tallies"]["cards"] == [1, 0]
    assert main(["replay", str(path), "--board"]) == 0
    assert "player 1: 1 card\n" in capsys.readouterr().out


def test_it_says_who_won(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "won.txt"
    moves = "e2 e8 e3 e7 e4 e6 d4 e5 d5 e4 d6 e3 d7 e2 d8 e1"
    path.write_text(f'[Game "quoridor"]\n[Result "0-1"]\n\n{moves}', encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "player 2 won: reached the far side"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'[Game "quoridor"]\n\n1. e2 e8\n2. e5\n',
            "line 4, move 2: e5 cannot be played: e5 is too far",
        ),
        (b"hello", "a record needs a header such as"),
        (b"\xff\xfe", "is not a text in UTF-8"),
        (None, "no such file or directory"),
    ],
)
def test_a_bad_file_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, message: str
) -> None:
    path = tmp_path / "game.txt"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("companion replay: ")
    assert message in err
