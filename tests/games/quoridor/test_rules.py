"""The rules of Quoridor one by one; each test names the rule or ruling it holds the code to."""

import re
from pathlib import Path

import pytest

from companion.board import Change
from companion.errors import IllegalMove, MalformedMove, OptionError, UnknownGame
from companion.games.catalogue import find_game
from companion.games.game import Outcome, replay
from companion.games.quoridor.rules import Quoridor
from tests.games.tables import after, put_up, start

NAMES = ("Pac-Man", "Blinky", "Pinky", "Inky")


def refused(state: Quoridor, move: str) -> tuple[str, str]:
    """Return rule and text of a refusal, and make sure the move is refused everywhere."""
    refusal = state.why_not(move, NAMES)
    assert refusal is not None
    assert move not in state.legal_moves()
    with pytest.raises((IllegalMove, MalformedMove)):
        state.play(move)
    return refusal.rule, refusal.text


def pawn_moves(state: Quoridor) -> set[str]:
    return {move for move in state.legal_moves() if len(move) == 2}


def test_q1_the_board_has_81_squares_and_128_slots() -> None:
    """Q-1"""
    slots = {move for move in start().legal_moves() if len(move) == 3}
    assert len(slots) == 128
    assert {"a1h", "a1v", "h8h", "h8v"} <= slots


def test_q2_twenty_fences_are_shared_out() -> None:
    """Q-2"""
    assert start().fences_left == (10, 10)
    assert start("quoridor4").fences_left == (5, 5, 5, 5)


def test_q3_everybody_starts_in_the_middle_of_a_side() -> None:
    """Q-3"""
    assert start().pawns == ("e1", "e9")
    assert start("quoridor4").pawns == ("e1", "a5", "e9", "i5")
    assert start().position() == {"e1": "pawn1", "e9": "pawn2"}


def test_q4_the_seat_that_was_drawn_starts() -> None:
    """Q-4"""
    assert start().to_act == 0
    assert start(first="2").to_act == 1
    assert start("quoridor4", first="3").to_act == 2


def test_q5_a_turn_is_one_pawn_move_or_one_fence() -> None:
    """Q-5"""
    moved = start().play("e2")
    fenced = start().play("e3h")
    assert (moved.pawns, moved.fences, moved.to_act) == (("e2", "e9"), (), 1)
    assert (fenced.pawns, fenced.fences, fenced.to_act) == (("e1", "e9"), ("e3h",), 1)
    assert fenced.fences_left == (9, 10)
    assert fenced.position() == {"e1": "pawn1", "e9": "pawn2", "e3h": "fence"}


def test_q5_standing_still_is_no_move() -> None:
    """Q-5"""
    assert refused(start(), "e1") == ("Q-5", "Pac-Man already stands on e1 and must move on")


def test_q6_without_fences_the_pawn_must_move() -> None:
    """Q-6"""
    state = put_up("e1 e9", left=(0, 10))
    assert state.legal_moves() == ["d1", "e2", "f1"]
    assert refused(state, "e3h") == ("Q-6", "Pac-Man has no fence left and must move the pawn")


def test_q7_a_pawn_moves_one_square_in_four_directions() -> None:
    """Q-7"""
    assert pawn_moves(put_up("e5 e9")) == {"e6", "e4", "d5", "f5"}
    rule, text = refused(put_up("e5 e9"), "c4")
    assert rule == "Q-7"
    assert text == "c4 is too far: a pawn moves one square up, down, left or right"
    assert refused(put_up("e5 e9"), "e8")[0] == "Q-7"
    assert refused(put_up("e5 e9"), "d6")[0] == "Q-7"


@pytest.mark.parametrize(
    ("fence", "target"),
    [
        ("e5h", "e6"),
        ("d5h", "e6"),
        ("e4h", "e4"),
        ("d4h", "e4"),
        ("e5v", "f5"),
        ("e4v", "f5"),
        ("d5v", "d5"),
        ("d4v", "d5"),
    ],
)
def test_q7_a_fence_is_never_crossed(fence: str, target: str) -> None:
    """Q-7"""
    state = put_up("e5 e9", fence)
    assert pawn_moves(state) == {"e6", "e4", "d5", "f5"} - {target}
    assert refused(state, target) == (
        "Q-7",
        f"the fence at {fence} is in the way from e5 to {target}",
    )


@pytest.mark.parametrize("slot", ["i3h", "i3v", "c9h", "c9v", "i9h"])
def test_q8_a_fence_may_not_stick_out(slot: str) -> None:
    """Q-8"""
    rule, text = refused(start(), slot)
    assert rule == "Q-8"
    assert "stick out" in text


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("e3h", "there is already a fence at e3h"),
        ("d3h", "that fence would overlap the fence at e3h"),
        ("f3h", "that fence would overlap the fence at e3h"),
        ("e3v", "that fence would cross the fence at e3h"),
    ],
)
def test_q8_fences_neither_overlap_nor_cross(slot: str, text: str) -> None:
    """Q-8"""
    assert refused(put_up("e1 e9", "e3h"), slot) == ("Q-8", text)


@pytest.mark.parametrize("slot", ["e2v", "e4v"])
def test_q8_upright_fences_overlap_too(slot: str) -> None:
    """Q-8"""
    text = "that fence would overlap the fence at e3v"
    assert refused(put_up("e1 e9", "e3v"), slot) == ("Q-8", text)


def test_q8_fences_may_touch() -> None:
    """Q-8"""
    legal = put_up("e1 e9", "e3h").legal_moves()
    assert {"c3h", "g3h", "d3v", "f3v", "e4v", "e2v", "d2v", "e4h"} <= set(legal)


def test_q9_nobody_may_be_shut_in() -> None:
    """Q-9"""
    state = put_up("e1 e9", "a8h c8h e8h g8h")
    assert refused(state, "h8v") == ("Q-9", "that fence would shut Blinky in")
    assert "h7v" in state.legal_moves()


def test_q9_all_who_are_shut_in_are_named() -> None:
    """Q-9"""
    state = put_up("e4 b5 d4 h5", "d3h d5h c4v", left=(5, 5, 5, 5), turn=1)
    assert refused(state, "e4v") == ("Q-9", "that fence would shut Pac-Man and Pinky in")


def test_q10_face_to_face_one_may_jump() -> None:
    """Q-10"""
    state = after("e2 e8 e3 e7 e4 e6 e5")
    assert pawn_moves(state) == {"e7", "d6", "f6", "e4"}
    assert state.play("e4").pawns == ("e5", "e4")


def test_q10_there_must_be_a_pawn_to_jump_over() -> None:
    """Q-10"""
    rule, text = refused(put_up("e4 a9"), "e6")
    assert (rule, text) == ("Q-10", "there is no pawn on e5 to jump over; a pawn moves one square")


def test_q11_with_a_fence_behind_one_steps_to_either_side() -> None:
    """Q-11"""
    state = after("e2 e8 e3 e7 e4 e6 e5 e6h")
    assert pawn_moves(state) == {"e4", "d5", "f5", "d6", "f6"}
    rule, text = refused(state, "e7")
    assert rule == "Q-11"
    assert text == "the fence at e6h stands behind Blinky; step to the side of Blinky instead"


def test_q11_the_side_step_crosses_no_fence() -> None:
    """Q-11, Q-7"""
    state = put_up("e5 e6", "e6h d5v")
    assert pawn_moves(state) == {"e4", "f5", "f6"}
    assert refused(state, "d6") == ("Q-11", "the fence at d5v is in the way from e6 to d6")


def test_q12_the_first_to_arrive_wins_at_once() -> None:
    """Q-12"""
    won = put_up("d8 e2").play("d9")
    assert won.outcome() == Outcome((0,), "reached the far side")
    assert won.to_act is None
    assert won.legal_moves() == []
    assert refused(won, "e1") == ("Q-12", "the game is over: Pac-Man has won")


@pytest.mark.parametrize(
    ("seat", "pawn", "target"), [(0, "c8", "c9"), (1, "h3", "i3"), (2, "c2", "c1"), (3, "b3", "a3")]
)
def test_q12_with_four_the_goal_is_the_side_opposite_too(seat: int, pawn: str, target: str) -> None:
    """Q-12"""
    pawns = ["e5", "d5", "f5", "g5"]
    pawns[seat] = pawn
    state = put_up(" ".join(pawns), turn=seat)
    assert target in state.goal(seat)
    assert len(state.goal(seat)) == 9
    won = state.play(target).outcome()
    assert won is not None
    assert won.winners == (seat,)


def test_q13_only_one_pawn_is_jumped_at_a_time() -> None:
    """Q-13"""
    state = put_up("e4 e5 e6 i5")
    assert pawn_moves(state) == {"e3", "d4", "f4"}
    rule, text = refused(state, "e7")
    assert (rule, "Blinky and Pinky" in text) == ("Q-13", True)
    rule, text = refused(state, "e6")
    assert rule == "Q-13"
    assert text == "Pinky stands right behind Blinky, and a jump goes over one pawn only"


def test_qa1_the_rim_counts_as_a_fence() -> None:
    """Q-A1"""
    state = put_up("e1 e2", turn=1)
    assert pawn_moves(state) == {"e3", "d2", "f2", "d1", "f1"}


@pytest.mark.parametrize(("switch", "count"), [("blocked", 131), ("diagonal", 132)])
def test_qa2_a_pawn_behind_blocks_unless_the_house_says_otherwise(switch: str, count: int) -> None:
    """Q-A2"""
    moves = "e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5 e5"
    state = after(moves, "quoridor4", pawnBehind=switch)
    assert len(state.legal_moves()) == state.count_legal() == count
    assert ("e4" in state.legal_moves()) == (switch == "diagonal")


def test_qa2_says_who_stands_behind() -> None:
    """Q-A2"""
    state = after("e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5 e5", "quoridor4")
    text = "behind Pac-Man stands Inky, not a fence, so there is no step to the side"
    assert refused(state, "e4") == ("Q-A2", text)


def test_qa3_one_pawn_a_square() -> None:
    """Q-A3"""
    state = put_up("e5 e6 d6 i5", "e6h")
    assert "f6" in pawn_moves(state)
    assert refused(state, "d6") == ("Q-A3", "Pinky already stands on d6")
    assert refused(state, "e6") == ("Q-A3", "Blinky already stands on e6")


def test_qa4_nobody_may_shut_himself_in() -> None:
    """Q-A4"""
    rule, text = refused(put_up("e1 a9", "d2h c1v"), "e1v")
    assert rule == "Q-A4"
    assert text == "that fence would shut Pac-Man in, and nobody may do that"


def test_qa5_pawns_do_not_close_a_route() -> None:
    """Q-A5"""
    state = put_up("e1 e2", "d1v e1v", left=(5, 5))  # Blinky stands in the only way out
    assert "a5h" in state.legal_moves()
    assert state.distance(0) == 8


def test_qa6_an_empty_region_may_be_closed_off() -> None:
    """Q-A6"""
    closed = put_up("e5 e9", "a2h").play("b1v")  # a1, b1, a2 and b2 are now out of reach
    assert closed.fences == ("a2h", "b1v")
    assert "a5h" in closed.legal_moves()


def test_qa7_a_fence_stays_where_it_is() -> None:
    """Q-A7"""
    state = after("e3h e8 e2")
    assert "e3h" not in state.legal_moves()
    assert "e3h" in state.play("e7").play("d2").position()


def test_qa8_the_jump_is_not_compulsory() -> None:
    """Q-A8"""
    assert {"d6", "f6", "e7", "a1h"} <= set(after("e2 e8 e3 e7 e4 e6 e5").legal_moves())


def test_qa9_no_side_step_while_the_straight_jump_is_open() -> None:
    """Q-A9"""
    text = "the way straight over Blinky is open, so jump to e7 instead"
    assert refused(put_up("e5 e6"), "d6") == ("Q-A9", text)


def test_qa10_no_jump_across_a_fence_between() -> None:
    """Q-A10"""
    state = put_up("e5 e6", "e5h")
    text = "the fence at e5h stands between Pac-Man and Blinky, so there is no jump"
    assert refused(state, "e7") == ("Q-A10", text)
    assert refused(state, "d6") == ("Q-A10", text)
    assert pawn_moves(state) == {"e4", "d5", "f5"}


def test_qa11_with_two_players_nobody_passes() -> None:
    """Q-A11"""
    rule, text = refused(start(), "pass")
    assert (rule, text) == ("Q-A11", "Pac-Man can still move, so passing is not allowed")


def test_qa12_with_four_a_seat_that_can_do_nothing_passes() -> None:
    """Q-A12"""
    state = put_up("e1 e2 e3 i5", "d1v e1v", left=(0, 5, 5, 5))
    assert state.legal_moves() == ["pass"]
    assert state.count_legal() == 1
    assert [after.to_act for after in state.successors()] == [1]
    assert state.why_not("pass") is None
    passed = state.play("pass")
    assert (passed.to_act, passed.pawns) == (1, state.pawns)
    assert refused(passed, "pass")[0] == "Q-A12"


def test_qa12_a_fence_in_hand_is_an_action_too() -> None:
    """Q-A12"""
    state = put_up("e1 e2 e3 i5", "d1v e1v")
    assert "pass" not in state.legal_moves()
    assert pawn_moves(state) == set()


def test_qa12_four_passes_in_a_row_are_a_draw() -> None:
    """Q-A12"""
    state = put_up("d4 e4 d5 e5", "d3h d5h c4v e4v", left=(0, 0, 0, 0))
    for _ in range(4):
        assert state.legal_moves() == ["pass"]
        state = state.play("pass")
    assert state.outcome() == Outcome((), "nobody can move")
    assert refused(state, "pass")[0] == "Q-A12"


def test_qa13_positions_may_repeat() -> None:
    """Q-A13"""
    state = replay(start(), 5 * ("e2", "e8", "e1", "e9"))
    assert state == start()
    assert state.outcome() is None


def test_qa14_turns_go_clockwise_from_the_first_player() -> None:
    """Q-A14"""
    state = start("quoridor4", first="3")
    order = []
    for move in ("e8", "h5", "e2", "b5", "e7"):
        order.append(state.to_act)
        state = state.play(move)
    assert order == [2, 3, 0, 1, 2]


def test_qa15_the_first_arrival_ends_a_game_of_four() -> None:
    """Q-A15"""
    outcome = put_up("c8 h3 e5 d5").play("c9").outcome()
    assert outcome is not None
    assert outcome.result(4) == "1-0-0-0"


def test_qa16_there_are_games_for_two_and_for_four() -> None:
    """Q-A16"""
    assert [find_game(name).seats for name in ("quoridor", "quoridor4")] == [2, 4]


PAWN = Change("pawn1", "e1", "e2")
FENCE = Change("fence", None, "e3h")


@pytest.mark.parametrize(
    ("changes", "rule", "text"),
    [
        ([PAWN, FENCE], "Q-A19", "a turn is one step or one fence, not both"),
        ([FENCE, Change("fence", None, "a1h")], "Q-5", "only one fence may be placed in a turn"),
        ([Change("pawn2", "e9", "e8")], "Q-5", "it is Pac-Man's turn, but Blinky moved"),
        ([Change("fence", "c5h", "e3h")], "Q-A7", "a fence stays where it was put"),
        ([Change("pawn1", "e1", "e4")], "Q-7", "e4 is too far: a pawn moves one square up, down,"),
        ([Change("fence", None, "b5h")], "Q-8", "that fence would overlap the fence at c5h"),
    ],
)
def test_qa19_what_was_done_on_the_board_is_refused_with_its_rule(
    changes: list[Change], rule: str, text: str
) -> None:
    """Q-A19, Q-A7, Q-5"""
    refusal = put_up("e1 e9", "c5h").refuse(changes, NAMES)
    assert refusal.rule == rule
    assert refusal.text.startswith(text)


@pytest.mark.parametrize("text", ["", "e", "e10", "E2", "z5", "e3x", "e3hh", "passs", " e2", "e²"])
def test_text_that_is_no_move_is_told_apart_from_illegal_moves(text: str) -> None:
    assert refused(start(), text)[0] == "notation"
    with pytest.raises(MalformedMove):
        start().play(text)


def test_without_names_seats_go_by_number() -> None:
    refusal = put_up("e1 e9", "a8h c8h e8h g8h").why_not("h8v")
    assert refusal is not None
    assert refusal.text == "that fence would shut player 2 in"


def test_states_are_values() -> None:
    one, other = after("e2 e8 a1h"), after("a1h e8 e2").play("e7")
    assert after("e2 e8 a1h") == one
    assert hash(after("e2 e8 a1h")) == hash(one)
    assert one != other
    assert len({start(), start(), start(first="2")}) == 2


def test_the_distance_is_the_shortest_way_round_the_fences() -> None:
    assert start().distance(0) == start().distance(1) == 8
    assert after("e2").distance(0) == 7
    assert put_up("e1 e9", "e1h c1h").distance(0) == 10


def test_unknown_options_and_values_say_what_was_expected() -> None:
    with pytest.raises(
        OptionError, match=r"no option 'pawnbehind'; its options are: pawnBehind, first"
    ):
        find_game("quoridor").start({"pawnbehind": "blocked"})
    with pytest.raises(ValueError, match="one of 1, 2, not '3'"):
        find_game("quoridor").start({"first": "3"})


def test_an_unknown_game_names_the_nearest() -> None:
    with pytest.raises(UnknownGame, match="did you mean quoridor4"):
        find_game("quorridor4")
    with pytest.raises(UnknownGame, match="the games are quoridor"):
        find_game("chess")


def test_every_rule_of_the_documentation_has_a_test_that_names_it() -> None:
    here = Path(__file__).parent
    rules = re.findall(
        r"^\| (Q-A?\d+) ", (here.parents[2] / "docs/games/quoridor.md").read_text(), re.M
    )
    tests = Path(__file__).read_text(encoding="utf-8")
    assert len(rules) == 13 + 17
    assert [rule for rule in rules if not re.search(rf'"""[^"]*{rule}\b', tests)] == []
