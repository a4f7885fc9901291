"""The rules of the advanced variant one by one; each test names what it holds the code to."""

import re
from pathlib import Path

import pytest

from companion.board import Change
from companion.errors import IllegalMove, MalformedMove
from companion.games.advanced.ground import ground
from companion.games.advanced.rules import Advanced
from companion.games.bits import BIT, SLOT_BIT, SLOTS
from companion.games.game import Outcome
from tests.games.advanced.tables import after, put_up, start

EARLY = "@e1 e2 end d3h>a1h e3 end d5h>a2h"  # two rounds, the chamber's long sides gone


def refused(state: Advanced, move: str) -> tuple[str, str]:
    """Return rule and text of a refusal, and make sure the move is refused everywhere."""
    refusal = state.why_not(move)
    assert refusal is not None
    assert move not in state.legal_moves()
    with pytest.raises(MalformedMove if refusal.rule == "notation" else IllegalMove):
        state.play(move)
    return refusal.rule, refusal.text


def walks(state: Advanced) -> set[str]:
    """Return the moves on foot among the legal ones."""
    return {move for move in state.legal_moves() if move != "end" and move not in SLOT_BIT}


def ends(state: Advanced, letter: str) -> set[str]:
    """Return the squares where a ghost's move may end."""
    return {move[-2:] for move in state.legal_moves() if move[0] == letter}


# -- set-up


def test_av1_pacman_is_one_seat_and_the_ghosts_share_the_other() -> None:
    """AV-1, AV-A25: whoever plays them, every ghost has a turn of its own."""
    state = put_up(hunting="BIPC", left=(12, 0))
    assert (state.seats, state.to_act) == (2, 1)
    state = after("Bb8 Ic8 Pg8", state)
    assert (state.to_act, state.hunters()) == (1, [3])
    assert after("Ch8", state).to_act == 0
    assert refused(state, "Bb7") == ("AV-A25", "Blinky has already played in this round")


def test_av2_pacman_wins_with_the_fourth_pellet() -> None:
    """AV-2, AV-21: at once, no fence and no ghost comes after it."""
    state = put_up("b1", pellets="a1").play("a1")
    assert state.outcome() == Outcome((0,), "ate all four pellets")
    assert (state.to_act, state.legal_moves()) == (None, [])
    assert refused(state, "end") == ("AV-21", "the game is over: Pac-Man ate all four pellets")


def test_av21_the_game_ends_on_the_square_of_the_last_pellet() -> None:
    """AV-21"""
    text = "the last pellet lies on a1: the game ends there"
    assert refused(put_up("b1", pellets="a1"), "a1-a2") == ("AV-21", text)


def test_av2_the_ghosts_win_with_the_third_catch() -> None:
    """AV-2, AV-21"""
    state = put_up("b7", hunting="BIPC", lives=1).play("Bb8")
    assert state.to_act == 1
    state = put_up("b8", hunting="BIPC", lives=1).play("Bb8")
    assert state.outcome() == Outcome((1,), "caught Pac-Man three times")
    assert refused(state, "end")[1] == "the game is over: the ghosts caught Pac-Man three times"


def test_av3_pacman_comes_in_in_the_middle_of_a_side() -> None:
    """AV-3, AV-6, AV-8: his player chooses, and begins."""
    assert start().to_act == 0
    assert start().legal_moves() == ["@a5", "@e1", "@e9", "@i5"]
    assert refused(start(), "@e2") == ("AV-3", "Pac-Man comes in on a5, e1, e9 or i5, not on e2")
    rule, text = refused(start(), "e2")
    assert (rule, text) == ("AV-6", "Pac-Man has to be put on the board first, on a5, e1, e9 or i5")
    assert start().play("@i5").position()["i5"] == "pacman"


def test_av4_the_pellets_lie_in_the_corners_until_somebody_knows() -> None:
    """AV-4"""
    pellets = {spot for spot, thing in start().position().items() if thing == "pellet"}
    assert pellets == {"a1", "a9", "i1", "i9"}


def test_av5_the_ghosts_start_in_the_chamber() -> None:
    """AV-5"""
    position = start().position()
    assert {spot: position[spot] for spot in ("d4", "e4", "d5", "e5")} == {
        "d4": "pinky",
        "e4": "clyde",
        "d5": "blinky",
        "e5": "inky",
    }
    assert start().fences == ("c4v", "d3h", "d5h", "e4v")


@pytest.mark.parametrize(
    ("chamber", "block"),
    [
        ("d4", {"d4", "e4", "d5", "e5"}),
        ("e4", {"e4", "f4", "e5", "f5"}),
        ("d5", {"d5", "e5", "d6", "e6"}),
        ("e5", {"e5", "f5", "e6", "f6"}),
    ],
)
def test_ava28_four_fences_close_a_block_that_holds_e5(chamber: str, block: set[str]) -> None:
    """AV-A28, AV-5"""
    state = start(chamber=chamber)
    reached = ground(state.fenced).reach(BIT["e5"])
    assert {square for square, bit in BIT.items() if bit & reached} == block
    assert set(state.ghosts) == {BIT[square] for square in block}


def test_ava28_the_pinwheel_is_open() -> None:
    """AV-A28: each side of the nine squares in the middle has one gap."""
    state = start(chamber="pinwheel")
    assert state.fences == ("c5v", "d3h", "e6h", "f4v")
    near = ground(state.fenced).near
    out = {"d4": "c4", "f4": "f3", "f6": "g6", "d6": "d7"}
    for inside, outside in out.items():
        assert outside in {name for _, name in near(BIT[inside])}
    assert {name for _, name in near(BIT["e4"])} == {"d4", "f4", "e5"}


def test_av7_twelve_fences_and_three_lives_against_four_fences() -> None:
    """AV-7: with the chamber's four they are all twenty."""
    assert start().tallies() == {
        "lives": (3, 0),
        "pellets": (0, 0),
        "reserve": (0, 0),
        "fences": (12, 4),
        "chamber": (0, 4),
    }
    state = put_up(left=(0, 4)).play("e4")
    assert refused(state, "a1h") == ("AV-7", "there is no fence left for Pac-Man")
    state = put_up(left=(12, 0), hunting="B")
    assert refused(state, "a1h")[0] == "AV-10"


# -- rounds 1 to 4


def test_av8_pacman_plays_first() -> None:
    """AV-8"""
    assert refused(start(), "Be6") == ("AV-9", "it is the turn of Pac-Man, not of the ghosts")


def test_av9_pacman_moves_or_places_in_the_first_rounds() -> None:
    """AV-9"""
    placed = after("@e1 a1v")
    assert (placed.to_act, placed.fences_left) == (1, (11, 4))
    moved = after("@e1 e2-e3")
    assert (moved.to_act, moved.phase) == (1, "shift")
    halfway = after("@e1 e2")
    assert walks(halfway) == {"d2", "e3", "f2"}
    text = "in rounds 1 to 4 Pac-Man moves or places a fence, not both"
    assert refused(halfway, "a1h") == ("AV-9", text)
    assert refused(after("@e1"), "end") == ("AV-9", "Pac-Man has to move or to place a fence")
    assert refused(after("@e1"), "=")[0] == "AV-9"


def test_av9_the_ghosts_have_to_move_one_fence_of_the_chamber() -> None:
    """AV-9, AV-A24: nothing else is theirs to do."""
    state = after("@e1 e2-e3")
    assert all(">" in move for move in state.legal_moves())
    text = "in rounds 1 to 4 the ghosts have to put one fence of the chamber elsewhere"
    for move in ("end", "a1h", "pass"):
        assert refused(state, move) == ("AV-9", text)
    assert refused(state, "Bd6") == ("AV-A24", "in rounds 1 to 4 the ghosts do not move")
    moved = state.play("d3h>f6v")
    assert moved.fences == ("c4v", "d5h", "e4v", "f6v")
    assert (moved.to_act, moved.round, moved.starts_turn) == (0, 2, True)
    assert moved.tallies()["chamber"] == (0, 3)
    assert moved.fences_left == (12, 4)


def test_av9_after_round_four_all_fences_stay() -> None:
    """AV-9, AV-19, AV-A21: by then each of the four has moved."""
    state = after(EARLY + " e3h c4v>a3h g3h e4v>a4h")
    assert (state.round, state.chamber) == (5, 0)
    assert {"a1h", "a2h", "a3h", "a4h"} <= set(state.fences)
    state = after("d3 end", state)
    text = "fences of the chamber are moved in rounds 1 to 4 only, later all fences stay"
    assert refused(state, "a1h>c7h") == ("AV-9", text)


def test_ava21_a_fence_is_moved_only_once() -> None:
    """AV-A21"""
    state = after("@e1 e2 end d3h>f6v a1v")
    text = "the fence at f6v is none of the chamber's that have not been moved yet"
    assert refused(state, "f6v>g1h") == ("AV-A21", text)
    assert refused(state, "a1v>g1h")[0] == "AV-A21"
    assert refused(state, "d3h>g1h") == ("AV-9", "there is no fence at d3h")


def test_ava22_elsewhere_is_any_other_slot() -> None:
    """AV-A22: touching the chamber too, but not the slot it came from."""
    state = after("@e1 e2-e3")
    assert refused(state, "d3h>d3h") == ("AV-A22", "the fence at d3h has to go somewhere else")
    assert {"d3h>c3h", "d3h>e3h", "d3h>d2h"} <= set(state.legal_moves())
    assert refused(state, "d3h>c4h") == ("AV-19", "that fence would cross the fence at c4v")


def test_ava23_ghosts_that_can_move_no_fence_pass() -> None:
    """AV-A23: with every crossing taken there is no other slot."""
    everywhere = SLOTS & (1 << 81) - 1  # fences across: more than there are, and overlapping
    state = after("@e1 e2-e3")._replace(fenced=everywhere, chamber=SLOT_BIT["d3h"])
    assert state.legal_moves() == ["pass"]
    assert state.why_not("pass") is None
    assert refused(state, "d3h>d3v")[0] == "AV-20"
    assert state.play("pass").round == 2


def test_ava10_pellets_may_be_spent_before_a_fence() -> None:
    """AV-A10: in rounds 1 to 4 the pellet steps are no action."""
    state = put_up("e3", round=3, reserve=1)
    spent = state.play("+e4+e5")
    assert (spent.to_act, spent.reserve, spent.owes_move) == (0, 0, True)
    placed = spent.play("c3h")
    assert (placed.to_act, placed.fences_left[0]) == (1, 11)
    assert placed.previous == BIT["e3"]
    assert refused(spent, "end")[0] == "AV-9"


# -- rounds 5 and after


def test_av10_a_normal_turn_is_a_move_and_then_a_fence_or_none() -> None:
    """AV-10"""
    state = put_up()
    text = "Pac-Man has to move first, and may place a fence after that"
    assert refused(state, "a1h") == ("AV-10", text)
    assert refused(state, "end")[0] == "AV-10"
    assert refused(state, "wait")[0] == "AV-10"
    assert state.play("e4").play("a1h").to_act == 1
    assert state.play("e4").play("end").to_act == 1
    assert refused(state.play("e4-e5"), "=")[0] == "AV-10"


def test_av10_the_same_for_every_ghost() -> None:
    """AV-10, AV-A9: the fence comes last."""
    state = put_up(hunting="BIPC")
    for move in ("end", "a1h", "pass"):
        rule, text = refused(state, move)
        assert rule == "AV-10"
    assert text == (
        "first a ghost has to move; Blinky, Inky, Pinky and Clyde still to play this round"
    )
    moved = state.play("Pg8")
    assert moved.phase == "place"
    assert refused(moved, "Bb8") == ("AV-10", "that ghost has moved; place a fence or end the turn")
    placed = moved.play("a1h")
    assert (placed.fences_left, placed.phase) == ((12, 3), "hunt")
    assert moved.play("end").fences_left == (12, 4)
    assert refused(placed, "e4") == ("AV-10", "it is the turn of the ghosts, not of Pac-Man")


def test_ava9_nothing_is_spent_after_a_fence() -> None:
    """AV-A9: the fence ends Pac-Man's turn."""
    state = put_up(reserve=2).play("e4").play("a1h")
    assert (state.to_act, state.reserve) == (1, 2)


def test_ava30_fences_are_never_compulsory() -> None:
    """AV-A30: nor on a turn of coming in."""
    state = after("@e1 e2 end", put_up("-", round=6))
    assert (state.to_act, state.fences_left) == (1, (12, 4))
    state = after("@e1 end", put_up("-", round=6, respawnConsumesMove="yes"))
    assert (state.to_act, state.fences_left) == (1, (12, 4))
    state = after("@e1 a1h", put_up("-", round=6, respawnConsumesMove="yes"))
    assert (state.to_act, state.fences_left) == (1, (11, 4))


# -- steps


@pytest.mark.parametrize(
    ("fence", "target"), [("e3h", "e4"), ("d2h", "e2"), ("e2v", "f3"), ("d3v", "d3")]
)
def test_av11_a_fence_is_never_crossed(fence: str, target: str) -> None:
    """AV-11"""
    state = put_up("e3", fences=fence)
    assert {move for move in walks(state) if len(move) == 2} == {"e4", "e2", "d3", "f3"} - {target}
    text = f"the fence at {fence} is in the way from e3 to {target}"
    assert refused(state, target) == ("AV-11", text)
    assert refused(put_up("a5", "e3 - - -", fence, hunting="B"), "B" + target)[1] == text


def test_av11_steps_go_from_square_to_square() -> None:
    """AV-11"""
    text = "f4 is no neighbour of e3: Pac-Man moves square by square, not diagonally"
    assert refused(put_up("e3"), "f4") == ("AV-11", text)
    assert refused(put_up("e3"), "e4-e6")[0] == "AV-11"
    assert refused(put_up("e3"), "e3") == (
        "AV-11",
        "Pac-Man is on e3 already: every step is one square",
    )


def test_av12_opposite_middles_are_neighbours() -> None:
    """AV-12, AV-A18: one step, and no fence can be there."""
    assert {"e9", "e9-e8", "d1"} <= walks(put_up("e1"))
    assert {"a5", "a5-a4"} <= walks(put_up("i5"))
    assert put_up("e1").play("e9-e8").steps == 0
    assert "Be1" in put_up("a5", "e9 - - -", hunting="B").legal_moves()
    text = "only e1 and e9, and a5 and i5 are joined, not d1 and d9"
    assert refused(put_up("d1"), "d9") == ("AV-12", text)
    assert refused(put_up("a4"), "i4")[0] == "AV-12"
    for slot in ("e9h", "i5v"):
        assert refused(put_up("e1").play("e2"), slot)[0] == "AV-19"


def test_av13_a_move_may_not_end_where_it_began() -> None:
    """AV-13"""
    text = "Pac-Man may not end his move on e3, where it began"
    assert refused(put_up("e3"), "e4-e3") == ("AV-13", text)
    ghost = put_up("a5", "e3 - - -", pellets="a1 a9", hunting="B")
    assert ends(ghost, "B") == {"e4", "e2", "d3", "f3", "e5", "e1", "c3", "g3"} | {
        "d4",
        "f4",
        "d2",
        "f2",
    }
    text = "Blinky may not end its move on e3, where it began"
    assert refused(ghost, "Be4-e3") == ("AV-13", text)


def test_av14_no_piece_goes_back() -> None:
    """AV-14, AV-A1: the square where the last move began; crossing it is fine."""
    state = put_up("e3", previous="e4")
    assert "e4-e5" in walks(state)
    halfway = state.play("e4")
    text = "Pac-Man may not go back to e4, where he was before"
    assert refused(halfway, "end") == ("AV-14", text)
    assert refused(halfway, "a1h") == ("AV-14", text)
    assert refused(put_up("e3", previous="f4"), "e4-f4") == (
        "AV-14",
        "Pac-Man may not go back to f4, where he was before",
    )
    assert after("e5 end", halfway).previous == BIT["e3"]


def test_av14_nor_does_a_ghost() -> None:
    """AV-14, AV-A1"""
    state = put_up("a5", "e3 - - -", memory="e4 - - -", hunting="B")
    assert ends(state, "B") == {"e2", "d3", "f3"}
    text = "Blinky may not go back to e4, where it was before"
    assert refused(state, "Be4") == ("AV-14", text)
    fast = put_up("a5", "e3 - - -", memory="e4 - - -", pellets="a1", hunting="B")
    assert "Be4-e5" in fast.legal_moves()
    assert refused(fast, "Bd3-d4-e4")[0] == "AV-14"
    assert state.play("Bd3").memory[0] == BIT["e3"]


def test_ava1_meeting_somebody_ends_a_move_so_not_on_the_previous_square() -> None:
    """AV-A1"""
    state = put_up("e3", "e4 - - -", previous="e4")
    text = "meeting Blinky on e4 would end Pac-Man's move where he was before"
    assert refused(state, "e4") == ("AV-14", text)
    ghost = put_up("e4", "e3 - - -", memory="e4 - - -", hunting="B")
    assert refused(ghost, "Be4")[0] == "AV-14"


def test_ava2_a_fence_instead_of_a_move_keeps_the_memory() -> None:
    """AV-A2"""
    state = put_up("e3", round=3, previous="e4").play("c3h")
    assert state.previous == BIT["e4"]


def test_ava2_being_caught_and_coming_in_clear_it() -> None:
    """AV-A2"""
    caught = put_up("e3", "e4 - - -", previous="e2").play("e4")
    assert (caught.pacman, caught.previous) == (0, 0)
    caught = put_up("e3", "e4 - - -", previous="e2", hunting="B").play("Be3")
    assert (caught.pacman, caught.previous) == (0, 0)
    back = caught.play("@e1")
    assert (back.previous, back.began) == (0, 0)


def test_ava3_a_ghost_in_a_dead_end_stays_and_forgets() -> None:
    """AV-A3, AV-A2: and may place a fence."""
    # d1 lies between two fences and the rim, d2 above it is where Blinky came from.
    state = put_up("a5", "d1 - - -", "c1v d1v", memory="d2 - - -", hunting="B")
    assert state.legal_moves() == ["B="]
    assert refused(state, "Bd2")[0] == "AV-14"
    stayed = state.play("B=")
    assert (stayed.memory[0], stayed.phase) == (0, "place")
    assert stayed.play("g7h").fences_left == (12, 3)
    free = put_up("a5", "d1 - - -", "c1v d1v", hunting="B")
    assert refused(free, "B=") == ("AV-A3", "Blinky can move, so it may not stay")


def test_ava3_pacman_stays_when_only_a_ghost_on_his_previous_square_is_left() -> None:
    """AV-A3: he need not spend a pellet, but may."""
    state = put_up("d1", "d2 - - -", "c1v d1v", previous="d2")
    assert state.legal_moves() == ["="]
    assert state.why_not("=") is None
    stayed = state.play("=")
    assert (stayed.phase, stayed.previous, stayed.to_act) == ("place", 0, 0)
    assert {"end", "g7h"} <= set(stayed.legal_moves())
    assert refused(stayed, "d2")[0] == "AV-10"
    rich = state._replace(reserve=1)
    assert {"=", "+d2", "+d2+d3"} <= walks(rich)
    assert refused(put_up("e3"), "=") == ("AV-A3", "Pac-Man can move, so he may not stay")
    poor = put_up("d1", "d2 - - -", "c1v d1v", previous="d2", left=(0, 4))
    assert poor.play("=").to_act == 1


def test_ava4_speed_is_a_limit() -> None:
    """AV-A4: one square is enough."""
    assert {"e4", "e4-e5", "e4-f4"} <= walks(put_up("e3"))
    state = put_up("a5", "e3 - - -", pellets="a1", hunting="B")
    assert {"Be4", "Be4-e5", "Be4-e5-e6"} <= set(state.legal_moves())


# -- meeting


def test_ava5_a_normal_step_on_a_ghost_costs_a_life() -> None:
    """AV-A5, AV-15: the turn ends, no fence, and Blinky stays where it is."""
    state = put_up("e3", "e4 - - -").play("e4")
    assert (state.lives, state.pacman, state.to_act) == (2, 0, 1)
    assert state.position()["e4"] == "blinky"
    assert "pacman" not in state.position().values()


def test_ava6_passing_through_is_meeting() -> None:
    """AV-A6: the rest of the move is lost."""
    text = "Pac-Man meets Blinky on e4, and his turn ends there"
    assert refused(put_up("e3", "e4 - - -"), "e4-e5") == ("AV-A6", text)


def test_av15_a_ghost_catches_pacman_and_its_turn_ends() -> None:
    """AV-15, AV-A14: no fence for it, the others play on, and nothing is put back."""
    state = put_up("b8", hunting="BIPC", reserve=2)
    caught = state.play("Bb8")
    assert (caught.lives, caught.phase, caught.hunters()) == (2, "hunt", [1, 2, 3])
    assert caught.position()["b8"] == "blinky"
    assert caught.reserve == 2
    fast = put_up("b8", pellets="a1 a9 i1", hunting="BIPC")
    text = "Blinky catches Pac-Man on b8, and its turn ends there"
    assert refused(fast, "Bb8-b7") == ("AV-15", text)


def test_ava32_ghosts_move_while_pacman_is_away() -> None:
    """AV-A32, AV-A14"""
    state = after("Bb8", put_up("b8", hunting="BIPC"))
    assert refused(state, "end")[0] == "AV-10"
    state = after("Ic8 end Pg8 end Ch8 end", state)
    assert (state.to_act, state.phase) == (0, "enter")


def test_av15_on_his_next_turn_pacman_comes_in_and_plays_on() -> None:
    """AV-15, AV-A15, AV-A17: a normal turn follows, and the reserve is kept."""
    state = put_up("-", round=6, reserve=2)
    assert refused(state, "e2")[0] == "AV-15"
    back = state.play("@a5")
    assert (back.phase, back.reserve, back.to_act) == ("walk", 2, 0)
    assert {"b5", "i5-h5", "+a6"} <= walks(back)
    assert refused(back, "@e1") == ("AV-15", "Pac-Man is on the board already, on a5")


def test_ava15_by_the_switch_coming_in_is_the_move() -> None:
    """AV-A15, AV-A30: only a fence is left, in rounds 1 to 4 not even that; never at the start."""
    back = put_up("-", round=6, respawnConsumesMove="yes").play("@a5")
    assert (back.phase, walks(back)) == ("place", set())
    assert refused(back, "b5") == ("AV-10", "Pac-Man has moved; place a fence or end the turn")
    assert put_up("-", round=6, left=(0, 4), respawnConsumesMove="yes").play("@a5").to_act == 1
    assert put_up("-", round=3, respawnConsumesMove="yes").play("@a5").to_act == 1
    assert start(respawnConsumesMove="yes").play("@a5").phase == "walk"


def test_av17_after_coming_in_as_the_move_pellets_can_still_be_spent() -> None:
    """AV-17, AV-A15: to spend one is no action, whether or not an action is left."""
    text = "coming in was Pac-Man's move; only a pellet takes him further in this turn"
    for number in (3, 6):
        back = put_up("-", round=number, reserve=1, respawnConsumesMove="yes").play("@a5")
        assert {"+b5", "+b5+c5", "end"} <= set(back.legal_moves())
        assert refused(back, "b5") == ("AV-A15", text)
        assert refused(back, "+b5+a5")[0] == "AV-13"
        assert ("a1h" in back.legal_moves()) == (number == 6)
        assert back.play("end").to_act == 1


def test_av10_a_turn_with_nothing_left_to_do_ends_by_itself() -> None:
    """AV-10, AV-13, AV-14: one step is left, but it leads nowhere he may end."""
    state = put_up("a1", fences="b1v", left=(0, 4), round=6)
    stuck = state._replace(previous=BIT["b2"], pellets=BIT["i9"])
    assert stuck.play("b1").to_act == 1
    assert state._replace(pellets=BIT["i9"]).play("b1").to_act == 0


def test_ava16_pacman_does_not_come_in_on_a_ghost() -> None:
    """AV-A16: if all four squares are taken he waits a turn."""
    state = put_up("-", "e1 a5 e9 b2", round=6)
    assert state.legal_moves() == ["@i5"]
    assert refused(state, "@a5") == ("AV-A16", "Inky stands on a5")
    assert refused(state, "wait") == ("AV-A16", "Pac-Man can come in on i5")
    full = put_up("-", "e1 a5 e9 i5", round=6)
    assert full.legal_moves() == ["wait"]
    assert full.why_not("wait") is None
    assert (full.play("wait").to_act, full.play("wait").phase) == (1, "hunt")
    assert refused(full, "@e1")[0] == "AV-A16"


# -- pellets


def test_av16_pacman_moves_two_squares_and_gathers_pellets() -> None:
    """AV-16: by passing over one as by ending on it."""
    text = "Pac-Man moves two squares at most; more takes a pellet from his reserve"
    assert refused(put_up("e3"), "e4-e5-e6") == ("AV-16", text)
    for move in ("a1", "a1-a2"):
        state = put_up("b1").play(move)
        assert (state.reserve, state.collected) == (1, 1)
        assert "a1" not in state.position() or state.position()["a1"] == "pacman"


def test_av17_a_pellet_gives_two_squares_and_takes_ghosts() -> None:
    """AV-17, AV-A13: through two ghosts, and the turn goes on; they are gone for good."""
    state = put_up("e3", "e4 e5 b9 c9", reserve=1, pellets="a1 a9 i1")
    eaten = state.play("+e4+e5")
    assert eaten.ghosts[:2] == (0, 0)
    assert (eaten.reserve, eaten.lives, eaten.to_act, eaten.collected) == (0, 3, 0, 1)
    assert not {"blinky", "inky"} & set(eaten.position().values())
    hunted = after("e6 end", eaten)
    assert hunted.hunters() == [2, 3]
    assert refused(hunted, "Be4") == ("AV-A13", "Blinky was eaten and is out of the game")


def test_av17_spending_is_no_action() -> None:
    """AV-17, AV-A7: a normal step is still due."""
    state = put_up("e3", reserve=1).play("+e4")
    rule, text = refused(state, "end")
    assert rule == "AV-17"
    assert text.startswith("spending a pellet is no action: Pac-Man still has to make a normal")
    assert refused(state, "a1h")[0] == "AV-17"
    assert "end" in state.play("e5").legal_moves()


def test_av17_without_a_pellet_there_is_no_pellet_step() -> None:
    """AV-17"""
    text = "Pac-Man has no pellet in reserve for that step"
    assert refused(put_up("e3"), "+e4") == ("AV-17", text)
    assert refused(put_up("e3", reserve=1).play("+e4+e5"), "+e6") == ("AV-17", text)


@pytest.mark.parametrize("moves", ["+e4+e5 e6-e7", "e4 +e5+e6 e7", "e4-e5 +e6+e7", "e4 e5 +e6 +e7"])
def test_ava7_pellet_steps_come_before_between_or_after(moves: str) -> None:
    """AV-A7"""
    state = after(moves, put_up("e3", reserve=1))
    assert (state.pacman, state.reserve, state.steps, state.boost) == (BIT["e7"], 0, 0, 0)


def test_ava7_a_pellet_is_two_steps_in_a_row_and_what_is_not_used_lapses() -> None:
    """AV-A7"""
    state = put_up("e3", reserve=2)
    assert (state.play("+e4").reserve, state.play("+e4").boost) == (1, 1)
    assert after("+e4 +e5", state).reserve == 1
    assert after("+e4 +e5+e6", state).reserve == 0
    assert after("+e4 d4", state).boost == 0
    assert after("+e4 d4 +d5", state).reserve == 0
    text = "a pellet gives two steps in a row; the next pellet is a move of its own"
    assert refused(state, "+e4+e5+e6") == ("AV-A7", text)


def test_ava7_only_declared_steps_take_ghosts() -> None:
    """AV-A7, AV-A5: the same square by a normal step costs a life, pellets or not."""
    state = put_up("e3", "e4 - - -", reserve=3)
    assert state.play("e4").lives == 2
    assert state.play("+e4").lives == 3


def test_ava8_a_pellet_can_be_spent_in_the_move_that_gathers_it() -> None:
    """AV-A8"""
    state = after("a1 +a2+a3 a4 end", put_up("b1"))
    assert (state.pacman, state.reserve, state.collected) == (BIT["a4"], 0, 1)


def test_av13_a_walk_may_come_back_if_it_can_go_on() -> None:
    """AV-13, AV-A7: with a pellet in reserve, but it may not end there."""
    state = put_up("e3", reserve=1).play("e4-e3")
    assert refused(state, "end")[0] == "AV-13"
    assert walks(state) == {move for move in walks(state) if move[0] == "+"} != set()
    assert refused(put_up("e3", reserve=1).play("+e4+e3"), "=")[0] == "AV-13"


def test_ava11_eaten_means_collected() -> None:
    """AV-A11: spending a pellet changes neither the count nor the ghosts' speed."""
    state = put_up("e3", pellets="a1 a9 i1", reserve=1)
    assert (state.collected, state.speed) == (1, 2)
    spent = state.play("+e4")
    assert (spent.collected, spent.speed) == (1, 2)


@pytest.mark.parametrize(
    ("pellets", "speed"), [("a1 a9 i1 i9", 1), ("a1 a9 i1", 2), ("a1 a9", 2), ("a1", 3)]
)
def test_av18_ghosts_grow_faster_with_every_pellet(pellets: str, speed: int) -> None:
    """AV-18, AV-A12: what counts is the moment of their own turn."""
    state = put_up("e1", "e5 - - -", pellets=pellets, hunting="B")
    steps = {len(move[1:].split("-")) for move in state.legal_moves()}
    assert steps == set(range(1, speed + 1))
    way = ["e6", "e7", "e8", "d8"]
    rule, text = refused(state, "B" + "-".join(way[: speed + 1]))
    assert rule == "AV-18"
    assert text.startswith("Blinky moves")


def test_ava12_a_pellet_gathered_in_this_round_counts_in_this_round() -> None:
    """AV-A12"""
    state = after("a1 end", put_up("b1"))
    assert (state.to_act, state.speed) == (1, 2)


def test_av18_a_ghost_crosses_a_pellet_but_does_not_stop_on_it() -> None:
    """AV-18"""
    state = put_up("e1", "a2 - - -", pellets="a1", hunting="B")
    assert "Ba1-b1" in state.legal_moves()
    assert refused(state, "Ba1") == ("AV-18", "Blinky cannot stop on a1, where a pellet lies")


def test_av18_the_ghosts_play_in_any_order() -> None:
    """AV-18"""
    state = put_up(hunting="BIPC", left=(12, 0))
    assert after("Ch8 Bb8 Pg8 Ic8", state) == after("Bb8 Ic8 Pg8 Ch8", state)


def test_ava26_two_ghosts_do_not_stop_on_one_square() -> None:
    """AV-A26: crossing is fine."""
    state = put_up("e1", "b5 c5 - -", pellets="a1 a9", hunting="BI")
    assert refused(state, "Bc5") == ("AV-A26", "Inky already stands on c5")
    assert "Bc5-d5" in state.legal_moves()


def test_ava27_a_ghost_with_nowhere_to_stop_stays() -> None:
    """AV-A27: pellets, ghosts and where it came from all around it."""
    state = put_up("e1", "a2 a3 b2 -", hunting="BIP")
    assert [move for move in state.legal_moves() if move[0] == "B"] == ["B="]
    assert state.play("B=").phase == "place"


def test_ava29_without_ghosts_pacman_plays_on_alone() -> None:
    """AV-A29: he cannot lose; in rounds 1 to 4 no fence is moved either."""
    state = after("e4 end", put_up("e3", "- - - -"))
    assert (state.to_act, state.round) == (0, 6)
    early = put_up("e3", "- - - -", round=2).play("c3h")
    assert (early.to_act, early.round) == (0, 3)


def test_ava33_a_ghost_never_stands_on_a_pellet_so_nobody_wins_together() -> None:
    """AV-A33: the pellet that wins is never on a ghost's square."""
    state = put_up("b1", "a2 b2 - -", pellets="a1", lives=1, hunting="BI")
    assert not {move for move in state.legal_moves() if move.endswith("a1")}


# -- fences


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("e5h", "there is already a fence at e5h"),
        ("d5h", "that fence would overlap the fence at e5h"),
        ("f5h", "that fence would overlap the fence at e5h"),
        ("e5v", "that fence would cross the fence at e5h"),
        ("i5h", "a fence at i5h would stick out of the field; it must part 2 squares from 2"),
        ("e9v", "a fence at e9v would stick out of the field; it must part 2 squares from 2"),
    ],
)
def test_av19_a_fence_parts_two_squares_from_two(slot: str, text: str) -> None:
    """AV-19"""
    assert refused(put_up("e3", fences="e5h").play("e4"), slot) == ("AV-19", text)


def test_av20_a_fence_may_not_cut_a_square_off() -> None:
    """AV-20: nobody need stand there."""
    text = "that fence would cut a1 and b1 off from the rest of the board"
    assert refused(put_up("e5", fences="a1h").play("e6"), "b1v") == ("AV-20", text)
    text = "that fence would cut a1, b1, a2 and b2 off from the rest of the board"
    assert refused(put_up("e5", fences="b1v").play("e6"), "a2h") == ("AV-20", text)
    assert put_up("e5", fences="b1v").play("e6").why_not("a3h") is None


def test_ava19_a_tunnel_is_a_way_out() -> None:
    """AV-A19: e1 and e2 walled in are still reached from e9, as long as that is open."""
    state = put_up("a8", fences="d1v e1v").play("b8")
    assert {"d2h", "e2h"} <= set(state.legal_moves())
    state = put_up("a8", fences="d1v e1v d2h d8v e8v").play("b8")
    text = "that fence would cut e1, e2, e8 and e9 off from the rest of the board"
    assert refused(state, "d7h") == ("AV-20", text)


def test_ava19_the_same_pocket_elsewhere_may_not_be_closed() -> None:
    """AV-A19"""
    state = put_up("a8", fences="b1v c1v").play("b8")
    assert refused(state, "b2h") == (
        "AV-20",
        "that fence would cut c1 and c2 off from the rest of the board",
    )


def test_ava20_the_shut_chamber_does_not_count() -> None:
    """AV-A20: squares that were shut off before are no reason, new ones are."""
    state = after("@e1")
    assert "a1h" in state.legal_moves()
    text = "that fence would cut d4 and e4 off from the rest of the board"
    assert refused(state, "d4h") == ("AV-20", text)


def test_ava20_a_lifted_fence_may_not_shut_anything_in_again() -> None:
    """AV-A20: compared with the board after lifting it."""
    state = put_up("-", "d5 e5 d4 e4", "d3h d5h c4v e4v")._replace(
        chamber=SLOT_BIT["d3h"], turn=1, phase="shift", round=1
    )
    assert "d3h>d2h" in state.legal_moves()
    around = state._replace(fenced=state.fenced | SLOT_BIT["c2v"] | SLOT_BIT["e2v"])
    rule, text = refused(around, "d3h>d2h")
    assert rule == "AV-20"
    assert text == "that fence would cut 6 squares off from the rest of the board"
    assert refused(around, "d3h>d4h")[0] == "AV-20"


# -- the rest


def test_ava31_the_rules_are_named() -> None:
    """AV-A31"""
    assert start().view(None)["rules"] == "AV-FR"


def test_a_game_without_progress_is_drawn_by_the_option() -> None:
    state = put_up("e3", "b8 - - -", noProgress="50", left=(0, 0), round=60)
    state = state._replace(quiet=49)
    assert state.outcome() is None
    over = after("e4 end Bb7", state)
    assert over.outcome() == Outcome((), "nothing happened for 50 rounds")
    assert refused(over, "e4")[1] == "the game is over: nothing happened for 50 rounds"
    assert after("e4 end Bb7", state._replace(table=start().table)).outcome() is None
    placed = put_up("e3", "b8 - - -", noProgress="50", left=(1, 0), round=60)
    placed = after("e4 a1h Bb7", placed._replace(quiet=30))
    assert placed.quiet == 0  # a round in which something happened is no quiet one


def test_the_first_moves_are_those_that_a_hand_can_count() -> None:
    """AV-9, AV-A20

    From each respawn square 4 squares in one step and 10 more in two; of 128 slots 4 hold the
    chamber, 12 cross or overlap it, and 2 would part the squares inside.
    """
    for square in ("a5", "e1", "e9", "i5"):
        state = start().play("@" + square)
        assert len(walks(state)) == 4 + 10
        assert len(state.legal_moves()) == 14 + 128 - 4 - 12 - 2


@pytest.mark.parametrize(
    "text", ["", "e10", "E2", "+", "+e3-e4", "e3+e4", "B", "Be4+e5", "Xe4", "@", "d3h>", "e3 e4"]
)
def test_what_is_no_move_is_said_so(text: str) -> None:
    rule, sentence = refused(put_up("e3"), text)
    assert rule == "notation"
    assert sentence.startswith(f"{text!r} is no move; moves look like @e1")


def test_names_stand_for_the_seats() -> None:
    refusal = put_up("e3").why_not("Be4", ("Ada", "Bo"))
    assert refusal is not None
    assert refusal.text == "it is the turn of Ada, not of Bo"


def test_the_view_tells_what_is_remembered_and_who_is_due() -> None:
    state = put_up("e3", previous="e4", memory="b8 - - -", hunting="BI")
    view = state.view(1)
    assert view["previous"] == {"pacman": "e4", "blinky": "b8"}
    assert view["waiting"] == ["blinky", "inky"]
    assert view["legal"] == state.legal_moves()
    assert start().view(None)["chamber"] == ["d3h", "d5h", "c4v", "e4v"]


# -- what hands did


@pytest.mark.parametrize(
    ("state", "changes", "rule", "text"),
    [
        (
            put_up("e3"),
            [Change("pacman", "e3", "e6")],
            "AV-16",
            "Pac-Man moves two squares at most; more takes a pellet from his reserve",
        ),
        (
            put_up("e3", previous="f4"),
            [Change("pacman", "e3", "f4")],
            "AV-14",
            "Pac-Man may not go back to f4, where he was before",
        ),
        (
            put_up("e3"),
            [Change("pacman", "e3", None)],
            "AV-15",
            "Pac-Man leaves the board only when he meets a ghost",
        ),
        (
            put_up("e3"),
            [Change("blinky", "b9", "b8")],
            "AV-10",
            "it is the turn of Pac-Man, not of the ghosts",
        ),
        (
            put_up("e3", hunting="BIPC"),
            [Change("blinky", "b9", "b7")],
            "AV-18",
            "Blinky moves one square at most, for Pac-Man has eaten no pellet",
        ),
        (
            put_up("e3", hunting="BIPC"),
            [Change("blinky", "b9", "b8"), Change("inky", "c9", "c8")],
            "AV-10",
            "the ghosts move one after the other, each in a turn of its own",
        ),
        (
            put_up("e3", hunting="BIPC"),
            [Change("blinky", "b9", None)],
            "AV-17",
            "Blinky leaves the board only when a pellet step takes it",
        ),
        (
            put_up("e3", fences="c3h"),
            [Change("fence", "c3h", "c4h")],
            "AV-19",
            "a fence stays where it was put, as the one at c3h",
        ),
        (
            after("@e1 e2-e3"),
            [Change("fence", "d3h", "c4h")],
            "AV-19",
            "that fence would cross the fence at c4v",
        ),
        (
            after("@e1 e2-e3"),
            [Change("fence", "d3h", None)],
            "AV-9",
            "the fence from d3h has to go somewhere else",
        ),
        (
            after("@e1 e2-e3"),
            [Change("blinky", "d5", "d6")],
            "AV-A24",
            "in rounds 1 to 4 the ghosts do not move",
        ),
        (
            put_up("e3"),
            [Change("pellet", "a1", None)],
            "AV-16",
            "a pellet leaves its square only when Pac-Man comes there",
        ),
        (
            put_up("e3"),
            [Change("fence", None, "c3h"), Change("fence", None, "g3h")],
            "AV-10",
            "only one fence may be placed in a turn",
        ),
        (
            put_up("e3"),
            [Change("fence", None, "c3h")],
            "AV-10",
            "Pac-Man has to move first, and may place a fence after that",
        ),
        (
            put_up("e3", round=2),
            [Change("pacman", "e3", "e4"), Change("fence", None, "c3h")],
            "AV-9",
            "in rounds 1 to 4 Pac-Man moves or places a fence, not both",
        ),
        (
            put_up("-", round=6),
            [Change("pacman", None, "d4")],
            "AV-3",
            "Pac-Man comes in on a5, e1, e9 or i5, not on d4",
        ),
        (
            put_up("b1", pellets="a1").play("a1"),
            [Change("pacman", "a1", "a2")],
            "AV-21",
            "the game is over: Pac-Man ate all four pellets",
        ),
        (
            put_up("e3").play("e4"),
            [Change("fence", None, "c3h"), Change("pellet", "a1", None)],
            "AV-16",
            "a fence was placed, and a pellet was touched with it",
        ),
        (
            after("@e1 e2-e3"),
            [Change("fence", "d3h", "f6v"), Change("pellet", "a1", None)],
            "AV-9",
            "one fence of the chamber goes elsewhere, and nothing else",
        ),
        (
            after("@e1"),
            [Change("pacman", "e1", "d4")],
            "AV-11",
            "there is no way to d4 for Pac-Man",
        ),
        (
            put_up("e3"),
            [Change("pacman", "e3", "e4"), Change("pellet", "a1", None)],
            "AV-11",
            "Pac-Man moving there is not all that was done",
        ),
        (
            put_up("e3"),
            [Change("pacman", "e3", "e3")],
            "AV-11",
            "Pac-Man is on e3 already: every step is one square",
        ),
        (
            put_up("e3"),
            [Change("pacman", "e3", "tray")],
            "AV-11",
            "there is no way to tray for Pac-Man",
        ),
        (
            put_up("e3", "e4 - - -", reserve=1),
            [Change("blinky", "e4", None), Change("pacman", "e3", "e4")],
            "AV-A7",
            "pellet steps have to be declared before they are made",
        ),
        (
            put_up("e3", "e4 - - -"),
            [Change("blinky", "e4", None), Change("pacman", "e3", "e4")],
            "AV-17",
            "Pac-Man has no pellet in reserve for that step",
        ),
        (
            after("Bb8", put_up("e3", hunting="BI")),
            [Change("inky", "c9", "a9")],
            "AV-18",
            "Inky moves one square at most, for Pac-Man has eaten no pellet",
        ),
        (
            after("Bb8", put_up("e3", hunting="BI")),
            [Change("blinky", "b8", "b7")],
            "AV-A25",
            "Blinky has already played in this round",
        ),
    ],
)
def test_what_hands_did_is_answered(
    state: Advanced, changes: list[Change], rule: str, text: str
) -> None:
    refusal = state.refuse(changes)
    assert (refusal.rule, refusal.text) == (rule, text)


def test_every_rule_and_ruling_of_the_document_has_a_test() -> None:
    document = Path(__file__).parents[3] / "docs/games/pacman-advanced.md"
    listed = set(re.findall(r"^\| (AV-A?\d+) \|", document.read_text(), re.MULTILINE))
    assert listed == {f"AV-{n}" for n in range(1, 22)} | {f"AV-A{n}" for n in range(1, 34)}
    docs = " ".join(
        value.__doc__ or "" for name, value in globals().items() if name.startswith("test_")
    )
    assert listed - set(re.findall(r"AV-A?\d+", docs)) == set()


def test_with_exact_speed_a_move_is_as_many_squares_as_the_speed_says() -> None:
    state = put_up("e3", exactSpeed="yes")
    once = state.play("e4")
    assert "end" not in once.legal_moves()
    assert once.unsaid() == ""
    refusal = once.why_not("end")
    assert refusal is not None
    assert (refusal.rule, refusal.text) == ("AV-A4", "Pac-Man has to move exactly two squares")
    assert once.play("e5").unsaid() == "end"
    ghosts = put_up("e3", pellets="a1 i1", hunting="B", exactSpeed="yes")
    assert {move.count("-") for move in ghosts.legal_moves()} == {1}
    refusal = ghosts.why_not("Bb8")
    assert refusal is not None
    assert refusal.rule == "AV-A4"


def test_with_exact_speed_a_second_step_that_cannot_be_made_lapses() -> None:
    dead_end = put_up("a2", fences="a2h a1v", pellets="a9 i1 i9", exactSpeed="yes")
    assert "a1" in dead_end.legal_moves()
    assert dead_end.play("a1").unsaid() == "end"


def test_with_the_exact_bonus_both_squares_of_a_pellet_are_used() -> None:
    state = put_up("e3", pellets="a1 i1 i9", reserve=1, exactBonus="yes").play("+e4")
    assert all(move.startswith("+") for move in state.legal_moves())
    for move in ("e5", "end", "c7h"):
        refusal = state.why_not(move)
        assert refusal is not None
        assert refusal.rule in ("AV-A7", "AV-10", "AV-17"), (move, refusal)
