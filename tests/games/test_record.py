"""Records: reading, writing, replaying, and saying what is wrong with one."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import RecordError
from companion.games.catalogue import find_game
from companion.games.record import Record, parse
from tests.games.quoridor.test_laws import wander
from tests.games.tables import start

SHORT = """\
[Game "quoridor"]
[Players "Pac-Man; Blinky"]
[Date "2024-05-22"]
[pawnBehind "blocked"]
[first "1"]
[Result "*"]

1. e2 e8 2. e3h e7 *
"""


def test_a_record_reads_as_it_is_written() -> None:
    record = parse(SHORT)
    assert record.moves == ("e2", "e8", "e3h", "e7")
    assert record.players == ("Pac-Man", "Blinky")
    assert record.headers == {"Date": "2024-05-22"}
    assert str(record) == SHORT


def test_replay_returns_the_start_and_every_state_after_it() -> None:
    states = parse(SHORT).replay()
    assert len(states) == 5
    assert states[0] == start()
    assert states[-1].position() == {"e2": "pawn1", "e7": "pawn2", "e3h": "fence"}


def test_only_the_game_must_be_named() -> None:
    record = parse('[Game "quoridor4"]\n\ne2 b5 e8\nh5 2. e3')
    assert record.options == {"pawnBehind": "blocked", "first": "1"}
    assert record.result == "*"
    assert len(record.replay()) == 6


CARDS = '[Game "cards"]\n[players "3"]\n\n'


def test_where_turns_differ_in_length_the_numbers_count_turns() -> None:
    record = parse(CARDS + "draw deal:dot stop draw deal:skip skip:1 draw deal:dot down")
    moves = str(record).split("\n\n")[1]
    assert moves.replace("\n", " ") == (
        "1. draw deal:dot stop 2. draw deal:skip skip:1 draw deal:dot down * "
    )
    assert parse(str(record)) == record


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("1. draw deal:dot 2. stop", "line 4: '2.' stands where move 3 of turn 1 is due"),
        ("1. draw deal:dot stop 3. draw", "line 4: '3.' stands where move 2 is due"),
        ("2. draw", "line 4: '2.' stands where move 1 is due"),
        ("1. draw deal:dot stop 2. down 2.", "line 4: '2.' stands where move 3 is due"),
    ],
)
def test_a_wrong_number_of_a_turn_is_told(moves: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse(CARDS + moves)


def test_a_bad_move_in_a_long_turn_is_told_with_its_turn() -> None:
    record = parse(CARDS + "1. draw deal:dot stop\n2. stop draw")
    with pytest.raises(RecordError, match="line 5, move 2: stop cannot be played"):
        record.replay()


def test_the_players_are_as_many_as_the_options_say() -> None:
    record = parse('[Game "cards"]\n[players "3"]\n[Players "a; b; c"]\n\n1. down')
    assert record.players == ("a", "b", "c")
    with pytest.raises(RecordError, match="cards has 2 players, the record names 3"):
        parse('[Game "cards"]\n[Players "a; b; c"]\n\n1. down')
    with pytest.raises(RecordError, match="level 1 is for 2 to 4 players"):
        parse('[Game "cards"]\n[players "7"]\n\n1. down')


def test_comments_and_glued_numbers_are_tolerated() -> None:
    text = '[Game "quoridor"]\n{a comment\nover lines 9. zz} 1.e2{good}e8 {so far} 2. e3'
    assert parse(text).moves == ("e2", "e8", "e3")


def test_four_moves_make_a_group_with_four_players() -> None:
    record = Record("quoridor4", ("e2", "b5", "e8", "h5", "e3"))
    assert str(record).endswith("\n\n1. e2 b5 e8 h5 2. e3 *\n")


def test_the_one_who_starts_opens_each_group() -> None:
    record = Record("quoridor", ("e8", "e2", "e7"), options={"first": "2"})
    assert parse(str(record)).replay()[-1].position() == {"e2": "pawn1", "e7": "pawn2"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e2", "needs a header such as"),
        ('[Game "chess"]', "there is no game 'chess'"),
        ('[Game "quoridor"]\n[first "3"]', "the option first takes one of 1, 2, not '3'"),
        ('[Game "quoridor"]\n[Date 2024]', "line 2: a header looks like"),
        ('[Game "quoridor"]\n[Date "1"]\n[Date "2"]', "line 3: a second header Date"),
        ('[Game "quoridor"]\n\n1. e2\n[Date "1"]', "line 4: the header Date stands among"),
        ('[Game "quoridor"]\n\n1. e2 3. e8', r"line 3: '3.' stands where move 2 of turn 1 is due"),
        ('[Game "quoridor"]\n\n1. e2 e8 3. e3', r"line 3: '3.' stands where move 2 is due"),
        ('[Game "quoridor"]\n\n1. e2 {never', "line 3: the comment that opens here"),
        ('[Game "quoridor"]\n\n1. e2 } e8', "line 3: a comment is closed that"),
        ('[Game "quoridor"]\n\n1. e2 * e8', "line 3: 'e8' follows the result"),
        ('[Game "quoridor"]\n[Players "a; b; c"]', "has 2 players, the record names 3"),
        ('[Game "quoridor"]\n[Players "a; "]', "a player's name is one line"),
        ('[Game "quoridor"]\n[Result "won"]', "a result is"),
        ('[Game "quoridor"]\n[Result "1-0"]\n\n1. e2 *', "the header says 1-0, but the moves end"),
    ],
)
def test_a_text_that_is_no_record_says_where_and_why(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse(text)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("1. e2 e8\n2. e9", "^line 5, move 2: e9 cannot be played: e9 is too far"),
        ("1. e2 hello", "^line 4, move 1: hello cannot be played: 'hello' is no move"),
        ("1. e2 e8 1-0", "the result says 1-0, but the moves do not end the game"),
    ],
)
def test_a_move_that_cannot_be_played_is_named_with_its_line(moves: str, message: str) -> None:
    record = parse(f'[Game "quoridor"]\n[Date "2024"]\n\n{moves}')
    with pytest.raises(RecordError, match=message):
        record.replay()


def test_a_wrong_result_is_noticed() -> None:
    moves = "e2 e8 e3 e7 e4 e6 d4 e5 d5 e4 d6 e3 d7 e2 d8 f2 d9".split()  # noqa: SIM905
    assert Record("quoridor", tuple(moves), result="1-0").replay()[-1].to_act is None
    with pytest.raises(RecordError, match="says 0-1, but the moves end in 1-0"):
        Record("quoridor", tuple(moves), result="0-1").replay()


def test_a_draw_can_be_agreed() -> None:
    """Q-A13"""
    assert len(Record("quoridor", ("e2", "e8"), result="1/2").replay()) == 3


def test_headers_of_the_game_cannot_be_given_twice() -> None:
    with pytest.raises(RecordError, match="belongs to the game itself"):
        Record("quoridor", headers={"first": "2"})


words = st.text(
    st.characters(blacklist_categories=["C", "Z"], blacklist_characters=";"), min_size=1
)


@given(
    st.sampled_from(["quoridor", "quoridor4"]),
    st.integers(0, 1000),
    st.integers(0, 50),
    st.dictionaries(st.from_regex(r"[A-Z][a-z]{3,8}", fullmatch=True), words, max_size=3),
    st.data(),
)
@settings(max_examples=30, deadline=None)
def test_writing_and_reading_give_the_same_record(
    game: str, seed: int, plies: int, headers: dict[str, str], data: st.DataObject
) -> None:
    seats = find_game(game).seats
    states = wander(game, "diagonal", seed, plies)
    moves = []
    for before, after in pairwise(states):
        moves.append(next(move for move in before.legal_moves() if before.play(move) == after))
    names = data.draw(st.lists(words, min_size=seats, max_size=seats) | st.just([]))
    outcome = states[-1].outcome()
    for reserved in ("Game", "Players", "Result"):
        headers.pop(reserved, None)
    record = Record(
        game,
        tuple(moves),
        tuple(names),
        {"pawnBehind": "diagonal"},
        outcome.result(seats) if outcome else "*",
        headers,
    )
    again = parse(str(record))
    assert again == record
    assert str(again) == str(record)
    assert again.replay() == states


def test_the_record_in_the_documentation_can_be_replayed() -> None:
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    example = text.split("```record\n")[1].split("```")[0]
    record = parse(example)
    assert len(record.replay()) == 11
    assert str(record) == example.replace("{face to face} ", "")
