"""The engine line by line, and once as a process of its own."""

import io
import subprocess
import sys
from random import Random

import pytest

from companion.commands.engine import read_options
from companion.engine.server import Engine, serve
from companion.games.catalogue import KITS, find_game
from companion.players.native import load

#: What else must be chosen before an option of the card game may have its highest value (CG-1).
MANY_PLAYERS = {"players": ["level=bonus"], "first": ["level=bonus", "players=8"]}


def talk(*lines: str, game: str = "quoridor") -> list[str]:
    """Return everything the engine answers to some lines."""
    out = io.StringIO()
    clock = iter(range(10**9))  # a second passes whenever it is looked at
    serve(Engine(find_game(game), lambda: float(next(clock)), Random(1)), lines, out)
    return out.getvalue().splitlines()


def test_it_introduces_itself_with_its_options() -> None:
    answer = talk("ugi")
    assert answer[0].startswith("id name ")
    assert answer[1].startswith("id author ")
    assert "option name pawnBehind type combo default blocked var blocked var diagonal" in answer
    assert "option name first type combo default 1 var 1 var 2" in answer
    assert answer[-1] == "ugiok"


def test_it_says_how_quoridor_is_searched() -> None:
    how = "compiled" if load() else "in Python"
    assert f"info string the search is {how}" in talk("ugi")
    assert not any(line.startswith("info") for line in talk("ugi", game="pacman"))


def test_how_well_it_plays_is_an_option_and_no_rule() -> None:
    assert "option name level type spin default 10 min 1 max 10" in talk("ugi")
    lines = ("position startpos moves e2", "setoption name Level value 3", "go nodes 9")
    (best,) = talk(*lines)
    assert best.split()[0] == "bestmove"
    (answer,) = talk("setoption name level value 11")
    assert answer == "error the option level takes a whole number from 1 to 10, not '11'"


def test_a_rule_called_level_keeps_its_name() -> None:
    answer = talk("ugi", game="cards")
    assert "option name level type combo default 1 var 1 var 2 var bonus" in answer
    assert "option name playerLevel type spin default 10 min 1 max 10" in answer
    assert talk("setoption name playerLevel value 2", "isready", game="cards") == ["readyok"]


@pytest.mark.parametrize("game", KITS)
def test_every_game_is_played(game: str) -> None:
    engine = Engine(find_game(game), lambda: 0.0, Random(1))
    for _ in range(8):
        if engine.state.to_act is None:
            break
        (best,) = engine.answer("go depth 1 nodes 20")
        moves = [*engine.moves, best.split()[1]]
        assert list(engine.answer(" ".join(["position startpos moves", *moves]))) == []


def test_it_is_ready() -> None:
    assert talk("isready") == ["readyok"]


def test_it_lists_the_legal_moves_sorted() -> None:
    (answer,) = talk("position startpos moves e2 e8", "legal")
    words = answer.split()
    assert words[0] == "legal"
    assert words[1:] == sorted(words[1:])
    assert len(words[1:]) == 132


def test_it_counts_leaves() -> None:
    assert talk("perft 0", "perft 1", "perft 2") == ["nodes 1", "nodes 131", "nodes 16677"]
    moves = "e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5 e5"
    assert talk(f"position startpos moves {moves}", "perft 1", game="quoridor4") == ["nodes 131"]


def test_an_option_changes_the_rules_before_and_after_the_position() -> None:
    position = "position startpos moves e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5 e5"
    option = "setoption name pawnBehind value diagonal"
    assert talk(option, position, "perft 1", game="quoridor4") == ["nodes 132"]
    assert talk(position, option, "perft 1", game="quoridor4") == ["nodes 132"]


def test_an_option_under_which_the_moves_are_impossible_starts_afresh() -> None:
    lines = ("position startpos moves e2", "setoption name FIRST value 2", "query p1turn")
    assert talk(*lines, "perft 1", "position startpos moves e8", "query p1turn") == [
        "response false",
        "nodes 131",
        "response true",
    ]


def test_queries_in_a_running_game() -> None:
    assert talk("query p1turn", "query gameover", "query result") == [
        "response true",
        "response false",
        "response none",
    ]
    assert talk("position startpos moves e2", "query p1turn") == ["response false"]


def test_queries_after_the_end() -> None:
    moves = "e2 e8 e3 e7 e4 e6 d4 e5 d5 e4 d6 e3 d7 e2 d8 e1"
    queries = ("query p1turn", "query gameover", "query result", "legal", "perft 3")
    assert talk(f"position startpos moves {moves}", *queries) == [
        "response false",
        "response true",
        "response p2win",
        "legal",
        "nodes 1",
    ]


@pytest.mark.parametrize("limits", ["movetime 50", "depth 1", "nodes 30", "depth 2 nodes 100", ""])
@pytest.mark.parametrize("game", ["quoridor", "quoridor4"])
def test_go_answers_with_a_legal_move(game: str, limits: str) -> None:
    best, legal = talk(f"go {limits}", "legal", game=game)
    assert best.split()[0] == "bestmove"
    assert best.split()[1] in legal.split()[1:]


def test_uginewgame_goes_back_to_the_start() -> None:
    assert talk("position startpos moves e2", "uginewgame", "query p1turn") == ["response true"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", "error 'hello' is no command; the commands are ugi, "),
        ("position", "error expected 'position startpos'"),
        ("position fen x", "error expected 'position startpos'"),
        ("position startpos e2", "error expected 'position startpos'"),
        ("position startpos moves e2 e2", "error move 2, e2: player 1 already stands on e2"),
        ("position startpos moves e2 hm", "error move 2, hm: 'hm' is no move"),
        ("go fast", "error expected 'go' with movetime MS, depth N or nodes N, not 'go fast'"),
        ("go depth", "error expected 'go' with"),
        ("go depth -1", "error go depth takes a whole number of 1 or more, not '-1'"),
        ("go movetime 1e3", "error go movetime takes a whole number"),
        ("query", "error expected 'query' with p1turn to p2turn, chanceturn, gameover or"),
        ("query mood", "error expected 'query' with p1turn to p2turn, chanceturn, gameover or"),
        ("perft", "error expected 'perft N'"),
        ("perft x", "error perft takes a whole number from 0 to 9, not 'x'"),
        ("perft 10", "error perft takes a whole number from 0 to 9"),
        ("setoption pawnBehind diagonal", "error expected 'setoption name X value Y'"),
        ("setoption name depth value 3", "error quoridor has no option 'depth'"),
        ("setoption name first value 3", "error the option first takes one of 1, 2, not '3'"),
    ],
)
def test_a_bad_line_is_answered_and_changes_nothing(line: str, message: str) -> None:
    before, error, after = talk("position startpos moves e2 e8 e3h", "legal", line, "legal")
    assert error.startswith(message)
    assert before == after


def test_go_after_the_end_is_an_error() -> None:
    moves = "e2 e8 e3 e7 e4 e6 d4 e5 d5 e4 d6 e3 d7 e2 d8 e1"
    assert talk(f"position startpos moves {moves}", "go depth 1", "isready") == [
        "error the game is over, there is no move to choose",
        "readyok",
    ]


def test_empty_lines_and_stop_are_silent() -> None:
    assert talk("", "  ", "stop", "isready") == ["readyok"]


def test_nothing_is_read_after_quit() -> None:
    assert talk("isready", "quit", "isready") == ["readyok"]


def test_d_draws_pawns_and_fences() -> None:
    picture = talk("position startpos moves e2 e8 e3h a1v", "d")
    assert "2 │ · ┃ ·   ·   ·   1   ·   ·   ·   · │ 2" in picture
    assert "8 │ ·   ·   ·   ·   2   ·   ·   ·   · │ 8" in picture
    assert "  │                ━━━━━━━            │" in picture
    assert "fences: player 1: 9, player 2: 9" in picture
    assert picture[-1] == "player 1 to move"


def test_go_leaves_it_to_chance_where_a_card_is_drawn() -> None:
    position = "position startpos moves draw"
    best, legal = talk(position, "go", "legal", game="cards")
    assert best.split()[0] == "bestmove"
    assert best.split()[1] in legal.split()[1:]
    assert talk(position, "query chanceturn", "query p1turn", game="cards") == [
        "response true",
        "response false",
    ]


def test_chance_is_as_likely_as_the_deck_is_full() -> None:
    answers = talk("position startpos moves draw", *["go"] * 500, game="cards")
    dots = answers.count("bestmove deal:dot")
    assert 130 < dots < 250  # 20 of 54 cards


def test_d_draws_a_table_of_cards_as_an_onlooker_sees_it() -> None:
    moves = "position startpos moves draw deal:orange draw deal:swap"
    assert talk(moves, "d", game="cards")[:4] == [
        "deck: 52 cards",
        "discard: 1 swap",
        "player 1: 1 card, on turn, 2 drawn, carries out swap",
        "player 2: 0 cards",
    ]
    assert talk("position startpos moves draw", "d", game="cards")[-1] == "chance to move"


def test_players_are_counted_by_the_position() -> None:
    lines = ("setoption name players value 3", "query p3turn", "query p4turn")
    yes, no = talk(*lines, game="cards")
    assert yes == "response false"
    assert no.startswith("error expected 'query' with p1turn to p3turn")


def run(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "companion", "engine", *arguments]
    return subprocess.run(command, input=text, capture_output=True, timeout=60, check=False)


def test_the_command_speaks_ugi_and_survives_stray_bytes() -> None:
    done = run("quoridor", text=b"\xff\xfe\nisready\nperft 1")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[1:] == ["readyok", "nodes 131"]
    assert done.stderr == b""


def test_options_can_be_given_on_the_command_line() -> None:
    done = run("quoridor", "--option", "first=2", "--players", "2", text=b"query p2turn\n")
    assert done.stdout.decode().splitlines() == ["response true"]


@pytest.mark.parametrize("name", list(KITS))
def test_every_option_that_ugi_lists_can_be_given_on_the_command_line(name: str) -> None:
    game = find_game(name)
    listed = [line.split()[2:] for line in talk("ugi", game=name) if line.startswith("option ")]
    for option, _, kind, _, default, *rest in listed:
        values = rest[1::2] if kind == "combo" else [rest[1], rest[3]]
        assert default in values or kind == "spin"
        for value in values:
            needed = MANY_PLAYERS.get(option, []) if name == "cards" else []
            given = read_options(game, [*needed, f"{option}={value}"], None)
            assert Engine(game, lambda: 0.0, Random(1), given).state.to_act is not None


def test_an_option_of_the_command_line_sets_how_well_it_plays() -> None:
    engine = Engine(find_game("quoridor"), lambda: 0.0, Random(1), {"LEVEL": "3"})
    assert engine.level == 3
    assert Engine(find_game("cards"), lambda: 0.0, Random(1), {"playerLevel": "4"}).level == 4


def test_options_that_fit_only_together_are_taken_in_any_order() -> None:
    for given in ({"first": "3", "players": "3"}, {"players": "3", "first": "3"}):
        assert Engine(find_game("cards"), lambda: 0.0, Random(1), given).state.to_act == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--option", "first"], "expected an option such as name=value, not 'first'"),
        (
            ["--option", "frist=2"],
            "quoridor has no option 'frist'; its options are: pawnBehind, first, level",
        ),
        (["--option", "first=9"], "the option first takes one of 1, 2, not '9'"),
        (["--option", "first="], "the option first takes one of 1, 2, not ''"),
        (["--option", "level="], "the option level takes a whole number from 1 to 10, not ''"),
        (["--option", "level=11"], "the option level takes a whole number from 1 to 10, not '11'"),
        (["--players", "3"], "quoridor is played by 2, not by 3"),
    ],
)
def test_a_wrong_option_on_the_command_line_is_one_line(arguments: list[str], message: str) -> None:
    done = run("quoridor", *arguments)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"companion engine: {message}")
    assert len(done.stderr.decode().splitlines()) == 1


def test_the_command_does_not_know_every_game() -> None:
    done = run("quoridr")
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "companion engine: there is no game 'quoridr'; "
        f"the games are {', '.join(KITS)}; did you mean quoridor?"
    ]


def test_the_engine_loads_no_picture_or_web_library() -> None:
    code = (
        "import sys, companion.commands.engine; "
        "sys.exit(bool({'cv2', 'numpy', 'flask', 'sqlite3', 'serial'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
