"""The rules of Quoridor PAC-MAN one by one; each test names the rule or ruling it holds to."""

import re
from pathlib import Path
from random import Random

import pytest

from companion.errors import IllegalMove, MalformedMove, OptionError
from companion.games.catalogue import find_game
from companion.games.pacman.data import load_layout
from companion.games.pacman.ground import Ground
from companion.games.pacman.rules import Pacman, arrange
from companion.games.record import Record
from tests.games.pacman.tables import after, game_on, play, put_up, start

FAR = "Ba7 Ia6 Pa5 Ca4"  # ghosts that see nobody east of column a unless in their row


def refused(state: Pacman, move: str) -> tuple[str, str]:
    """Return rule and text of a refusal, and make sure the move is refused everywhere."""
    refusal = state.why_not(move, ("Ann", "Ben"))
    assert refusal is not None
    assert move not in state.legal_moves()
    with pytest.raises((IllegalMove, MalformedMove)):
        state.play(move)
    return refusal.rule, refusal.text


def moves_of(state: Pacman, letter: str) -> list[str]:
    return [move for move in state.legal_moves() if move[0] == letter]


def pieces(state: Pacman) -> dict[str, str]:
    """Return where each piece stands, pellets and fences left out."""
    position = state.position().items()
    return {thing: spot for spot, thing in position if thing not in ("pellet", "fence")}


STARTS = {"pacman": "e5", "blinky": "e9", "inky": "i5", "pinky": "a5", "clyde": "e1"}


# -- the rules


def test_sv1_one_seat_is_pacman_and_one_all_the_ghosts() -> None:
    """SV-1, SV-A31"""
    assert start().seats == find_game("pacman").seats == 2
    assert start().to_act == 0
    state = after("e6-d6")
    for move in ("Cd1", "Be8", "Pa4", "Ii4"):
        assert state.to_act == 1
        state = state.play(move)
    assert state.to_act == 0


def test_sv2_the_game_starts_as_the_layout_says() -> None:
    """SV-2"""
    assert pieces(start()) == STARTS
    position = start().position()
    assert {spot for spot, thing in position.items() if thing == "pellet"} == {
        "a1", "a9", "i1", "i9",
    }  # fmt: skip
    fences = [spot for spot, thing in position.items() if thing == "fence"]
    assert sorted(slot[2] for slot in fences) == list("hhhvvv")
    with pytest.raises(OptionError, match="the option layout takes one of pacman, pacman-short"):
        start(layout="moon")


def test_sv3_pacman_has_three_lives() -> None:
    """SV-3"""
    assert start().lives == 3
    assert start().tallies() == {"lives": (3, 0), "pellets": (0, 0)}


def test_sv4_fences_are_no_moves_and_shut_the_way() -> None:
    """SV-4"""
    assert refused(start(), "e3h")[0] == "notation"
    state = put_up(f"e5 {FAR}", "e5h")
    assert not any(move.startswith("e6") for move in state.legal_moves())
    text = "the fence at e5h is in the way from e5 to e6"
    assert refused(state, "e6-e7") == ("SV-6", text)
    assert refused(put_up(f"f5 {FAR}", "e5h"), "f6-f7")[1].startswith("the fence at e5h")
    ghost = put_up("h8 Be5", "e4v", waiting="B")
    text = "the fence at e4v is in the way from e5 to f5"
    assert refused(ghost, "Bf5") == ("SV-9", text)
    assert moves_of(ghost, "B") == ["Bd5", "Be4", "Be6"]


def test_sv5_a_round_is_pacman_and_then_every_ghost() -> None:
    """SV-5"""
    assert refused(start(), "Be8") == ("SV-5", "it is Pac-Man's turn, not Blinky's")
    state = after("e6-d6")
    assert refused(state, "e6-e5") == ("SV-5", "it is the ghosts' turn, not Pac-Man's")
    assert refused(state, "pass") == ("SV-5", "it is the ghosts' turn, not Pac-Man's")
    assert not state.starts_turn
    state = play(state, "Be8 Ii4 Pa4 Cd1")
    assert (state.to_act, state.starts_turn) == (0, True)
    text = str(Record("pacman", ("e6-d6", "Be8", "Ii4", "Pa4", "Cd1", "d5-d4")))
    assert "\n1. e6-d6 Be8 Ii4 Pa4 Cd1 2. d5-d4 *\n" in text


def test_sv6_pacman_moves_two_squares_and_may_turn() -> None:
    """SV-6"""
    assert put_up(f"e5 {FAR}").legal_moves() == [
        "d5-c5", "d5-d4", "d5-d6", "d5-e5", "e4-d4", "e4-e3", "e4-e5", "e4-f4",
        "e6-d6", "e6-e5", "e6-e7", "e6-f6", "f5-e5", "f5-f4", "f5-f6", "f5-g5",
    ]  # fmt: skip
    assert refused(start(), "f6-f7") == (
        "SV-6", "Pac-Man does not move diagonally from e5 to f6",
    )  # fmt: skip
    assert refused(start(), "e6-f6-f7") == ("SV-6", "Pac-Man moves two squares, no more")
    assert refused(start(), "e7-e8") == ("SV-6", "e5 and e7 are not next to each other")
    assert refused(start(), "e5-e6")[1] == "Pac-Man is on e5 already and must move on"


def test_sv7_a_pellet_is_eaten_and_gives_three_more_squares() -> None:
    """SV-7"""
    state = put_up(f"c1 {FAR}")
    assert {"b1-a1", "b1-a1-a2", "b1-a1-a2-b2", "b1-a1-a2-b2-b3"} <= set(state.legal_moves())
    eaten = state.play("b1-a1-a2-b2-b3")
    assert pieces(eaten)["pacman"] == "b3"
    assert "a1" not in eaten.position()
    assert eaten.tallies()["pellets"] == (1, 0)
    text = "Pac-Man's bonus is three squares, no more"
    assert refused(state, "b1-a1-a2-b2-b3-b4") == ("SV-7", text)
    later = play(eaten, "Bb7 Ib6 Pb5 Cb4")  # for this turn only
    assert all(len(move) == 5 for move in later.legal_moves())


@pytest.mark.parametrize("move", ["b1-a1-a2-a3", "b1-a1-a2-a3-b3"])
def test_sv8_a_ghost_reached_in_the_bonus_is_eaten(move: str) -> None:
    """SV-8: passing through it or ending on it."""
    state = put_up("c1 Ba3 Ii5 Pe9 Ce1").play(move)
    assert "blinky" not in pieces(state)
    assert state.moving_ghosts == ("clyde", "inky", "pinky")


def test_sv9_a_ghost_moves_one_square_wherever_it_likes() -> None:
    """SV-9"""
    state = put_up("h8 Be5", waiting="B")
    assert moves_of(state, "B") == ["Bd5", "Be4", "Be6", "Bf5"]
    assert pieces(state.play("Bd5"))["blinky"] == "d5"
    assert refused(state, "Bf6") == ("SV-9", "Blinky does not move diagonally from e5 to f6")
    assert refused(state, "Be6-e7") == (
        "SV-9",
        "Blinky does not see Pac-Man: not frenzied, it moves one square",
    )


def test_sv10_a_ghost_cannot_stop_on_a_pellet() -> None:
    """SV-10"""
    state = put_up("e5 Ba2", waiting="B")
    assert moves_of(state, "B") == ["Ba3", "Bb2"]
    assert refused(state, "Ba1") == ("SV-10", "Blinky cannot stop on a power pellet")
    assert "Ba1" in moves_of(put_up("e5 Ba2", pellets="i9", waiting="B"), "B")


def test_sv11_a_ghost_that_sees_pacman_moves_two_squares() -> None:
    """SV-11"""
    state = put_up("e5 Be9 Ii4", waiting="BI")
    assert all(len(move) == 6 for move in moves_of(state, "B"))
    assert all(len(move) == 3 for move in moves_of(state, "I"))
    assert state.seen_by() == {"blinky": ("e8", "e7", "e6")}
    text = "Blinky is frenzied and moves two squares, no more"
    assert refused(state, "Be8-e7-e6") == ("SV-11", text)


def test_sv12_fences_block_sight_and_ghosts_do_not() -> None:
    """SV-12"""
    ghosts = "e5 Be9 Ie7 Pa5 Ci5"
    assert put_up(ghosts, "e7h d4v", waiting="BIPC").seen_by() == {
        "inky": ("e6",),
        "clyde": ("h5", "g5", "f5"),
    }
    assert put_up(ghosts).sight("blinky") == ("e8", "e7", "e6")
    assert put_up(ghosts, "e7h").sight("blinky") is None


def test_sv13_a_ghost_that_reaches_pacman_takes_a_life() -> None:
    """SV-13"""
    state = put_up("e5 Be6 Ii8", waiting="BI").play("Be5")
    assert state.lives == 2
    assert state.tallies()["lives"] == (2, 0)
    assert state.outcome() is None


def test_sv14_then_everybody_returns_to_the_start() -> None:
    """SV-14"""
    state = put_up("h8 Bh7 Pb2", pellets="a9 i1", waiting="BP").play("Bh8")
    assert pieces(state) == STARTS
    assert state.to_act == 0


def test_sv15_the_fourth_pellet_or_the_third_life_ends_the_game() -> None:
    """SV-15"""
    won = put_up(f"c1 {FAR}", pellets="a1").play("b1-a1")
    outcome = won.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.result(2)) == ((0,), "1-0")
    assert won.to_act is None
    assert won.legal_moves() == []
    assert refused(won, "Ba8") == ("SV-15", "the game is over: Ann has eaten the last pellet")
    lost = put_up("e5 Be6", waiting="B", lives=1).play("Be5")
    outcome = lost.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.result(2)) == ((1,), "0-1")
    assert refused(lost, "e6-e7") == ("SV-15", "the game is over: Ben took the last life")


@pytest.mark.parametrize(
    ("left", "level"),
    [
        ("a1 a9 i1", "beginner (1 of 4 pellets)"),
        ("a1 a9", "promising (2 of 4 pellets)"),
        ("a1", "advanced (3 of 4 pellets)"),
    ],
)
def test_sv16_the_level_is_told_by_the_pellets_eaten(left: str, level: str) -> None:
    """SV-16"""
    outcome = put_up("e5 Be6", pellets=left, waiting="B", lives=1).play("Be5").outcome()
    assert outcome is not None
    assert outcome.reason == f"Pac-Man lost his last life; his level: {level}"


def test_sv16_all_four_pellets_make_an_elite() -> None:
    """SV-16"""
    outcome = put_up(f"c1 {FAR}", pellets="a1").play("b1-a1").outcome()
    assert outcome is not None
    assert outcome.reason == "Pac-Man ate the last pellet; his level: elite (4 of 4 pellets)"


# -- the rulings


def test_sv_a1_both_steps_must_be_used() -> None:
    """SV-A1"""
    assert refused(start(), "e6") == ("SV-A1", "Pac-Man must move two squares")
    assert "b1-a1" in put_up(f"c1 {FAR}").legal_moves()  # where a pellet stops him


def test_sv_a2_pacman_may_step_out_and_back() -> None:
    """SV-A2"""
    state = start().play("e6-e5")
    assert state.position() == start().position()
    assert state.to_act == 1


def test_sv_a3_a_ghosts_square_is_shut_outside_the_bonus() -> None:
    """SV-A3"""
    state = put_up("e5 Be6 Ie3 Pa5 Ci9", pellets="a1")
    text = "Blinky stands on e6, and Pac-Man eats ghosts only in his bonus"
    assert refused(state, "e6-e7") == ("SV-A3", text)
    assert refused(state, "e4-e3")[0] == "SV-A3"
    assert {"d5-d6", "f5-f6"} <= set(state.legal_moves())
    assert find_game("pacman").options["suicide"] == ("no",)
    with pytest.raises(OptionError, match="the option suicide takes one of no, not 'yes'"):
        start(suicide="yes")


def test_sv_a4_pacman_passes_when_he_is_shut_in_and_only_then() -> None:
    """SV-A4"""
    assert refused(start(), "pass") == ("SV-A4", "Pac-Man can still move, so he may not pass")
    state = put_up("e5 Be6 If5 Pe4 Cd5")
    assert state.legal_moves() == ["pass"]
    assert state.why_not("pass") is None
    assert pieces(state.play("pass"))["pacman"] == "e5"
    assert state.play("pass").to_act == 1
    assert put_up("e5 Be6 If5 Pe4 Ca1", pellets="i9").legal_moves()[0] == "d5-c5"
    one = put_up("a1 Bb1 Ia3 Pb2 Ce1", pellets="i9")
    assert one.legal_moves() == ["a2-a1"]  # a step out always has a step back


def test_sv_a5_a_pellet_on_the_first_step_takes_the_second() -> None:
    """SV-A5"""
    state = put_up(f"b1 {FAR}")
    lengths = {len(move.split("-")) for move in state.legal_moves() if move.startswith("a1")}
    assert lengths == {1, 2, 3, 4}
    assert refused(state, "a1-a2-b2-b3-b4")[0] == "SV-7"


def test_sv_a6_the_bonus_may_be_left_out_or_used_in_part() -> None:
    """SV-A6"""
    legal = put_up(f"b1 {FAR}").legal_moves()
    assert {"a1", "a1-a2", "a1-a2-a3", "a1-a2-a3-b3"} <= set(legal)


def test_sv_a7_another_pellet_in_the_bonus_gives_a_fresh_one() -> None:
    """SV-A7"""
    state = put_up("c1 Bi9 Ii8 Pi7 Ci6", pellets="a1 a2 h1")
    after_two = state.play("b1-a1-a2-a3-a4-a5")
    assert pieces(after_two)["pacman"] == "a5"
    assert after_two.eaten == 3  # of four, one of which was gone before
    assert refused(state, "b1-a1-a2-a3-a4-a5-a6")[0] == "SV-7"
    assert "b1-a1-a2" in state.legal_moves()  # and this one may be left out, too


def test_sv_a8_the_last_pellet_has_no_bonus() -> None:
    """SV-A8"""
    state = put_up(f"c1 {FAR}", pellets="a1")
    assert [move for move in state.legal_moves() if "a1" in move] == ["b1-a1"]
    text = "the last pellet ends the game at once, so there is no bonus"
    assert refused(state, "b1-a1-a2") == ("SV-A8", text)


def test_sv_a9_several_ghosts_can_be_eaten_and_squares_crossed_again() -> None:
    """SV-A9"""
    state = put_up("c1 Ba2 Ia3 Pe9 Ci5", pellets="a1 i1").play("b1-a1-a2-a3-a2")
    assert pieces(state) == {"pacman": "a2", "pinky": "e9", "clyde": "i5"}


def test_sv_a10_eaten_ghosts_return_with_the_next_lost_life_only() -> None:
    """SV-A10"""
    state = put_up("e5 Ie7 Pb2", waiting="IP")
    assert refused(state, "Be8") == (
        "SV-A10", "Blinky has been eaten and comes back when Pac-Man loses a life",
    )  # fmt: skip
    state = play(state, "Pb3 Id7-d8 d5-c5")
    assert set(pieces(state)) == {"pacman", "inky", "pinky"}
    caught = put_up("e5 Ie6", waiting="I").play("Ie5")
    assert pieces(caught) == STARTS


def test_sv_a11_with_all_four_eaten_pacman_moves_again() -> None:
    """SV-A11"""
    state = put_up("e5")
    for move in ("e6-e7", "e8-e9", "d9-c9"):
        state = state.play(move)
        assert (state.to_act, state.lives) == (0, 3)
    last = put_up("c1 Ba2").play("b1-a1-a2")
    assert (last.to_act, last.moving_ghosts) == (0, ())


def test_sv_a12_the_order_of_the_ghosts_is_free_but_each_moves_once() -> None:
    """SV-A12"""
    state = after("e6-d6 Cd1")
    assert {move[0] for move in state.legal_moves()} == set("BIP")
    assert state.legal_moves() == sorted(state.legal_moves())
    assert refused(state, "Cc1") == ("SV-A12", "Clyde has already moved this round")


def test_sv_a12_the_order_can_be_fixed() -> None:
    """SV-A12"""
    state = after("e6-d6", ghostOrder="fixed")
    order = ""
    while state.to_act == 1:
        assert len(state.moving_ghosts) == 1
        order += state.legal_moves()[0][0]
        state = state.play(state.legal_moves()[0])
    assert order == "BIPC"
    state = after("e6-d6 Be8", ghostOrder="fixed")
    assert refused(state, "Cd1") == ("SV-A12", "Inky moves before Clyde")


def test_sv_a13_a_ghost_stays_only_when_it_cannot_move() -> None:
    """SV-A13"""
    state = put_up("h8 Be5", waiting="B")
    assert refused(state, "B=") == ("SV-A13", "Blinky can move, so it may not stay")
    stuck = put_up("h8 Ba1 Ia2 Pb1", pellets="i9", waiting="B")
    assert stuck.legal_moves() == ["B="]
    assert stuck.why_not("B=") is None
    assert pieces(stuck.play("B="))["blinky"] == "a1"
    assert stuck.play("B=").to_act == 0


def test_sv_a14_a_frenzied_ghost_must_use_both_steps() -> None:
    """SV-A14"""
    state = put_up("e5 Be9", waiting="B")
    text = "Blinky sees Pac-Man, is frenzied and must move two squares"
    assert refused(state, "Be8") == ("SV-A14", text)
    assert "Be8" in put_up("e5 Be9", waiting="B", frenzyUpTo="yes").legal_moves()
    assert "Be8-e7" in put_up("e5 Be9", waiting="B", frenzyUpTo="yes").legal_moves()


def test_sv_a14_with_no_way_of_two_steps_it_moves_one() -> None:
    """SV-A14"""
    state = put_up("a3 Ba1", "a1v", pellets="i9", waiting="B", frenzyStraight="yes")
    assert state.legal_moves() == ["Ba2-a3"]
    shut = put_up("a2 Ba1", "b1v", pellets="i9", waiting="B", frenzyStraight="yes")
    assert shut.legal_moves() == ["Ba2", "Bb1"]  # not a2-a3: Pac-Man is caught on a2
    free = put_up("a2 Ba1", pellets="i9", waiting="B")
    assert free.legal_moves() == ["Ba2", "Bb1-a1", "Bb1-b2", "Bb1-c1"]


def test_sv_a15_a_frenzied_ghost_may_turn_unless_the_switch_forbids_it() -> None:
    """SV-A15"""
    assert "Be8-d8" in put_up("e5 Be9", waiting="B").legal_moves()
    state = put_up("e5 Be9", waiting="B", frenzyStraight="yes")
    assert state.legal_moves() == ["Bd9-c9", "Be8-e7", "Bf9-g9"]
    text = "Blinky must move its two squares in one direction"
    assert refused(state, "Be8-d8") == ("SV-A15", text)


def test_sv_a16_a_frenzied_ghost_may_go_anywhere() -> None:
    """SV-A16"""
    assert "Bd9-c9" in put_up("e5 Be9", waiting="B").legal_moves()
    assert "Be8-e9" in put_up("e5 Be7", waiting="B").legal_moves()


def test_sv_a17_a_frenzied_ghost_crosses_a_pellet_but_does_not_stop_there() -> None:
    """SV-A17"""
    state = put_up("a5 Ba2", waiting="B")
    assert "Ba1-b1" in state.legal_moves()
    assert refused(state, "Bb2-a2-a1")[0] == "SV-11"
    assert refused(put_up("a5 Ba3", waiting="B"), "Ba2-a1") == (
        "SV-10", "Blinky cannot stop on a power pellet",
    )  # fmt: skip


def test_sv_a18_a_frenzied_ghost_may_come_back_to_its_square() -> None:
    """SV-A18"""
    state = put_up("e5 Be9 Ii1", pellets="a1", waiting="BI").play("Be8-e9")
    assert pieces(state)["blinky"] == "e9"
    assert state.moving_ghosts == ("inky",)


def test_sv_a19_ghosts_may_cross_but_not_share_a_square() -> None:
    """SV-A19"""
    state = put_up("e5 Be9 Ie8 Pe7 Ci1", pellets="a1", waiting="BIPC")
    assert "Be8-d8" in state.legal_moves()
    text = "Blinky cannot stop on e7: Pinky is there"
    assert refused(state, "Be8-e7") == ("SV-A19", text)
    assert refused(put_up("h3 Ba1 Ia2", pellets="i9", waiting="B"), "Ba2")[0] == "SV-A19"


def test_sv_a20_ghosts_that_moved_before_change_no_sight() -> None:
    """SV-A20"""
    state = put_up("e5 Be9 Id6 Pa1 Ci1", pellets="i9", waiting="BIPC")
    assert state.sight("blinky") == ("e8", "e7", "e6")
    between = state.play("Ie6")
    assert between.sight("blinky") == state.sight("blinky")
    assert set(moves_of(state, "B")) == set(moves_of(between, "B"))


def test_sv_a21_only_a_fence_across_the_line_blocks_sight() -> None:
    """SV-A21"""
    assert put_up("a9 Ba1", pellets="a2 a5").sight("blinky") == tuple(f"a{n}" for n in range(2, 9))
    assert put_up("e1 Be9", "e4v d2v").sight("blinky") is not None  # along the line
    assert put_up("e1 Be9", "d4h").sight("blinky") is None
    assert put_up("e1 Be9", "f4h").sight("blinky") is not None  # ends beside it
    assert put_up("e1 Bf2").sight("blinky") is None
    assert put_up("e1").sight("blinky") is None  # eaten
    assert put_up("e5 Be6").seen_by() == {"blinky": ()}  # next to him: nothing between


def test_sv_a22_a_capture_on_the_first_frenzied_step_ends_the_move() -> None:
    """SV-A22"""
    state = put_up("e5 Be6 Ii8", waiting="BI")
    assert "Be5" in state.legal_moves()
    text = "Blinky catches Pac-Man on e5 and stops there"
    assert refused(state, "Be5-e4") == ("SV-A22", text)
    assert state.play("Be5").lives == 2


def test_sv_a23_after_a_capture_no_other_ghost_moves() -> None:
    """SV-A23"""
    state = put_up("e5 Be6 Ii8 Pa2 Ce1", waiting="BIPC").play("Be5")
    assert (state.to_act, state.moving_ghosts) == (0, ())


def test_sv_a24_pellets_stay_eaten_after_a_capture() -> None:
    """SV-A24"""
    state = put_up("e5 Be6", pellets="a9 i1", waiting="B").play("Be5")
    assert {spot for spot, thing in state.position().items() if thing == "pellet"} == {"a9", "i1"}
    assert state.tallies()["pellets"] == (2, 0)


def test_sv_a25_the_third_capture_ends_the_game_where_all_stand() -> None:
    """SV-A25"""
    state = put_up("e5 Be7 Ii8", waiting="BI", lives=1).play("Be6-e5")
    assert (state.to_act, state.lives) == (None, 0)
    assert pieces(state) == {"blinky": "e5", "inky": "i8"}
    assert state.view(None)["sight"] == {}


def test_sv_a26_without_a_pellet_there_is_no_level() -> None:
    """SV-A26"""
    outcome = put_up("e5 Be6", waiting="B", lives=1).play("Be5").outcome()
    assert outcome is not None
    assert outcome.reason.endswith("his level: no level (0 of 4 pellets)")


def test_sv_a27_there_are_no_jumps() -> None:
    """SV-A27"""
    state = put_up("e5 Be6 Ii8 Pa2 Ce1")
    text = "Pac-Man cannot jump over e6: there are no jumps here"
    assert refused(state, "e7-e8") == ("SV-A27", text)
    ghosts = put_up("h8 Be6 Ie5", waiting="BI")
    assert refused(ghosts, "Be4")[0] == "SV-A27"


def test_sv_a28_start_squares_that_are_taken_are_free_when_all_return() -> None:
    """SV-A28"""
    state = put_up("e1 Be2 Ie5 Pe9 Ca5", waiting="BIPC").play("Be1")
    assert pieces(state) == STARTS


def test_sv_a29_the_third_time_is_a_draw_under_the_switch() -> None:
    """SV-A29"""
    there = "e6-e5 Be8 Ii4 Pa4 Cd1 e6-e5 Be9 Ii5 Pa5 Ce1"
    rounds = f"{there} {there}"
    assert after(rounds).outcome() is None
    twice = after(there, noProgress="3")
    assert twice.outcome() is None
    drawn = after(rounds, noProgress="3")
    outcome = drawn.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.result(2)) == ((), "1/2")
    assert outcome.reason == "no progress; Pac-Man's level: no level (0 of 4 pellets)"
    assert (drawn.to_act, drawn.legal_moves()) == (None, [])
    assert refused(drawn, "e6-e5") == (
        "SV-A29", "the game is over: the same position came too often",
    )  # fmt: skip


def test_sv_a29_a_pellet_or_a_life_begins_the_count_anew() -> None:
    """SV-A29"""
    state = put_up("c1 Be9 Ii5 Pi9 Ce4", pellets="a1 i1", noProgress="3")
    assert len(state.play("c2-c1").past) == 2
    assert len(state.play("b1-a1").past) == 1
    assert len(put_up("e5 Be6", waiting="B", noProgress="3").play("Be5").past) == 1


def test_sv_a30_lives_are_three_minus_the_captures() -> None:
    """SV-A30"""
    state = put_up("e5 Be6", waiting="B")
    assert state.play("Be5").tallies()["lives"] == (2, 0)
    assert put_up("e5 Be6", waiting="B", lives=2).play("Be5").tallies()["lives"] == (1, 0)


# -- the rest


@pytest.mark.parametrize(
    "move", ["", "e", "e0-e1", "j1-j2", "e6-", "-e6", "e6--e7", "be2", "B", "B=e2", "X=", "Pass"]
)
def test_text_that_is_no_move_is_malformed(move: str) -> None:
    with pytest.raises(MalformedMove, match="is no move; Pac-Man's move is the squares he enters"):
        start().play(move)


def test_a_view_tells_sight_and_who_may_move() -> None:
    state = put_up("e5 Be7 Ii8", waiting="BI")
    view = state.view(1)
    assert view["sight"] == {"blinky": ["e6"]}
    assert view["moving"] == ["blinky", "inky"]
    assert view["legal"] == state.legal_moves()
    assert state.view(0)["legal"] == []


def test_a_handicap_gives_pacman_fewer_lives_or_more() -> None:
    """SV-3, SV-A25, SV-A30"""
    for lives in range(1, 6):
        state, rng = start(lives=str(lives)), Random(lives)
        assert state.tallies()["lives"] == (lives, 0)
        while state.lives == lives:
            state = state.play(rng.choice(state.legal_moves()))
        assert state.tallies()["lives"] == (lives - 1, 0)
        assert (state.outcome() is None) == (lives > 1)
    with pytest.raises(OptionError, match="lives"):
        start(lives="6")


def test_games_on_equal_layouts_are_equal() -> None:
    one, other = (game_on("e3h").start() for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != game_on("e3v").start()
    assert one != game_on("e3h").start({"frenzyUpTo": "yes"})


def test_every_rule_and_ruling_has_a_test() -> None:
    """The ids of docs/games/pacman.md are those that tests name."""
    here = Path(__file__)
    listed = re.findall(
        r"^\| (SV-A?\d+) \|", (here.parents[3] / "docs/games/pacman.md").read_text(), re.M
    )
    named = set()
    for docstring in re.findall(r'^    """(SV-.*)"""', here.read_text(), re.M):
        named.update(re.findall(r"SV-A?\d+", docstring))
    assert named == set(listed)
    assert listed == [*(f"SV-{n}" for n in range(1, 17)), *(f"SV-A{n}" for n in range(1, 32))]


def test_with_the_exact_bonus_all_three_squares_are_used() -> None:
    ground = Ground(load_layout("pacman"), {"exactBonus": "yes", "noProgress": "off"})
    state = arrange(ground, "a3", {"blinky": "e9"}, ["a1", "i9"])
    walks = [move.split("-") for move in state.legal_moves() if move.startswith("a2-a1")]
    assert {len(walk) for walk in walks} == {5}
    refusal = state.why_not("a2-a1-b1")
    assert refusal is not None
    assert (refusal.rule, refusal.text) == (
        "SV-A6",
        "Pac-Man must use all three squares of his bonus",
    )
    last = arrange(ground, "a3", {"blinky": "e9"}, ["a1"])
    assert "a2-a1" in last.legal_moves()
