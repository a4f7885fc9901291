"""The rules of the marble game, one by one; the ids are those of docs/games/marbles.md."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.board import Change
from companion.errors import IllegalMove, MalformedMove, ProfileError
from companion.games.game import CHANCE
from companion.games.marbles.data import FILE
from companion.games.marbles.field import make_field
from companion.games.marbles.rules import ROLLS, Marbles, MarblesGame
from companion.games.maze.data import load_maze
from tests.games.marbles.tables import after, bits, game, play, put_up


def ways(state: Marbles, piece: str) -> list[str]:
    """Return the ways of a piece among the legal moves, such as ``P3`` or ``G1/5``."""
    moves = [move for move in state.legal_moves() if move.startswith((f"{piece}:", f"{piece}="))]
    return [move.removeprefix(piece).removeprefix(":") for move in moves]


def ends(state: Marbles, piece: str) -> set[str]:
    """Return where the ways of a piece end; ``=`` for staying."""
    return {re.split("[-~]", way)[-1] for way in ways(state, piece)}


def rule(state: Marbles, move: str) -> str:
    """Return the rule that a move breaks, "" when it is allowed."""
    refusal = state.why_not(move, ["Ann", "Bob", "Cem", "Dee"])
    return refusal.rule if refusal else ""


# -- set-up and start


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_two_to_four_play(players: str) -> None:
    """MB-1"""
    state = game().start({"players": players})
    assert state.seats == int(players)


def test_everybody_starts_at_home_the_ghosts_in_the_centre() -> None:
    """MB-2"""
    position = game().start({"players": "4"}).position()
    assert [position[home] for home in ("b2", "b12", "l12", "l2")] == [
        "pacyellow",
        "pacred",
        "pacgreen",
        "pacblue",
    ]
    assert (position["f6"], position["h8"]) == ("ghost1", "ghost2")


def test_two_players_sit_opposite_each_other() -> None:
    assert game().start().table.colours == ("yellow", "green")


def test_marbles_lie_in_all_holes() -> None:
    """MB-3"""
    things = list(game().start().position().values())
    assert things.count("white") == 72
    assert things.count("yellow") == 4
    assert game().start().position()["d4"] == "yellow"


def test_a_hole_counts_with_or_without_its_marble() -> None:
    """MB-4"""
    full, bare = put_up(), put_up(white="g9")
    assert ends(full, "P3") == ends(bare, "P3") == {"b5", "c4", "d3", "e2"}


def test_the_highest_sum_of_the_dice_starts() -> None:
    """MB-5, MB-A29"""
    state = after("roll:3-5 roll:6-3")
    assert (state.turn, state.due) == (1, "roll")
    state = after("roll:1-1 roll:6-3 roll:2-2 roll:4-4", players="4")
    assert [play(state, "roll:1-2").turn, state.turn] == [1, 1]


def test_equal_rolls_are_rolled_again_by_those_who_tie() -> None:
    """MB-A29"""
    state = after("roll:6-3 roll:1-2 roll:5-4", players="3")
    assert (state.due, state.rolling) == ("start", 0)
    state = play(state, "roll:1-1")
    assert state.rolling == 2
    assert play(state, "roll:2-1").turn == 2


def test_turns_go_around_to_the_left() -> None:
    """MB-5"""
    state = after("roll:1-1 roll:6-3 roll:2-2", players="3")
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state = state.play("roll:1-2")
        while state.due == "move":
            state = state.play(state.legal_moves()[0])
    assert turns == [1, 2, 0, 1]


def test_chance_rolls_and_the_order_of_the_dice_is_no_matter() -> None:
    """MB-6"""
    state = put_up(dice=())
    assert state.to_act is CHANCE
    assert state.legal_moves() == sorted(ROLLS)
    assert state.play("roll:3-5") == state.play("roll:5-3")
    assert len(ROLLS) == 36


# -- a turn


def test_one_die_moves_pacman_the_other_a_ghost() -> None:
    """MB-6"""
    state = put_up().play("P3:b3-b4-b5")
    assert state.dice == (5,)
    assert not ways(state, "P5")
    assert ways(state, "G1/5")
    assert not ways(state, "G1/3")
    assert rule(state, "P5:b4-b3-c2-d2-d3") == "MB-6"
    assert rule(put_up(), "P4:b3-b4-b5-b6") == "MB-6"


def test_the_ghost_may_move_first() -> None:
    """MB-6, MB-A7"""
    blocked = put_up(pacmen="b2 l12", ghosts="b3 c2", dice=(1, 2))
    assert ways(blocked, "P1") == ["="]
    cleared = blocked.play("G1/2:b4-b5")
    assert ways(cleared, "P1") == ["b3"]


def test_anybody_moves_either_ghost() -> None:
    """MB-7"""
    for turn in (0, 1):
        state = put_up(turn=turn)
        assert ways(state, "G1/3")
        assert ways(state, "G2/3")


def test_pacman_cannot_be_interrupted_by_the_ghost() -> None:
    """MB-A9"""
    state = put_up()
    assert rule(state, "P3:b3-b4") == "MB-11"
    assert rule(state.play("P3:b3-b4-b5"), "P3:b6") == "MB-6"


def test_moves_follow_the_paths() -> None:
    """MB-8"""
    assert rule(put_up(), "P3:b3-c3-c4") in ("notation", "MB-8")
    assert rule(put_up(), "P3:b3-d3-d4") == "MB-8"
    assert rule(put_up(ghosts="e8 h8"), "G1/3:f8-f9-g9") in ("notation", "MB-8")


def test_pacman_leaves_the_board_and_comes_back_without_a_cost() -> None:
    """MB-9: one space to the edge, off and on, two more"""
    state = put_up(pacmen="b6 l12", dice=(3, 1))
    assert "b7~g12-f12" in ways(state, "P3")
    assert "b7~l7-l8" in ways(state, "P3")
    assert play(state, "P3:b7~l7-l8").position()["l8"] == "pacyellow"
    assert rule(state, "P3:b7-a7-m7") == "MB-9"
    assert rule(state, "P3:~l7-l8-l9") == "MB-9"


def test_a_way_may_start_off_the_board() -> None:
    """MB-9"""
    state = put_up(pacmen="b7 l12", dice=(1, 1))
    assert {"~g2", "~g12", "~l7"} <= set(ways(state, "P1"))


def test_nobody_comes_back_by_the_same_arrow() -> None:
    """MB-A4"""
    assert rule(put_up(pacmen="b7 l12", dice=(1, 1)), "P1:~b7") == "MB-A4"


def test_pacman_swallows_every_marble_of_his_way() -> None:
    """MB-10"""
    state = put_up(trays=(4, 0)).play("P3:b3-b4-b5")
    assert state.tallies()["belly"] == (3, 0)
    assert state.tallies()["tray"] == (4, 0)
    assert not {"b3", "b4"} & set(state.position())
    state = state.play("G1/5:" + ways(state, "G1/5")[0])
    assert state.tallies()["belly"] == (0, 0)
    assert state.tallies()["tray"] == (7, 0)


def test_pacman_moves_the_full_number() -> None:
    """MB-11"""
    assert rule(put_up(), "P3:b3-b4") == "MB-11"
    assert rule(put_up(), "P3:b3-b4-b5-b6") == "MB-11"


def test_pacman_goes_another_way_when_one_is_blocked() -> None:
    """MB-12"""
    state = put_up(ghosts="b4 h8")
    assert ends(state, "P3") == {"d3", "e2"}
    assert rule(state, "P3=") == "MB-12"


def test_pacman_stays_when_no_way_has_the_full_count_but_a_ghost_moves() -> None:
    """MB-12"""
    state = put_up(ghosts="b4 d2", dice=(3, 5))
    assert ways(state, "P3") == ["="]
    state = state.play("P3=")
    assert state.to_act == 0
    assert rule(state, "G/5=") == "MB-A8"
    assert ways(state, "G1/5")


def test_the_die_that_is_chosen_is_the_one_that_is_tested() -> None:
    """MB-A6: with the 2 he could not move, with the 1 he could; he may choose the 2"""
    state = put_up(ghosts="b4 d2", dice=(1, 2))
    assert ways(state, "P1") == ["b3", "c2"]
    assert ways(state, "P2") == ["="]


def test_pacman_never_goes_straight_back() -> None:
    """MB-A3"""
    state = put_up(pacmen="b4 l12", dice=(3, 3))
    assert rule(state, "P3:b5-b4-b3") == "MB-A3"
    assert "b7~g12-f12" in ways(put_up(pacmen="b6 l12"), "P3")
    assert rule(put_up(pacmen="b6 l12"), "P3:b7~g12~l7") == "MB-A3"
    assert rule(put_up(pacmen="b7 l12"), "P3:~g12~b7-c7") == "MB-A3"


def test_pacman_may_go_around_a_loop() -> None:
    """MB-A3: branches and loops are free"""
    state = put_up(pacmen="d4 l12", dice=(6, 1))
    assert "d4" not in ends(state, "P6")
    state = put_up(pacmen="b4 l12", dice=(6, 6))
    assert {"c4-d4-d3-d2-c2-b2", "b3-b2-c2-d2-d3-d4"} <= set(ways(state, "P6"))


def test_homes_of_others_are_passed_not_landed_on() -> None:
    """MB-13"""
    state = put_up(pacmen="b10 l12 f2", dice=(2, 4))
    assert "b12" not in ends(state, "P2")
    assert rule(state, "P2:b11-b12") == "MB-13"
    assert "b11-b12-c12-d12" in ways(state, "P4")


def test_a_home_counts_as_a_space_unless_switched() -> None:
    """MB-A1"""
    assert "d12" in ends(put_up(pacmen="b10 l12", dice=(4, 4)), "P4")
    state = put_up(pacmen="b10 l12", dice=(4, 4), homeCounts="no")
    assert "e12" in ends(state, "P4")
    assert "b11-b12-c12-d12-e12" in ways(state, "P4")
    own = put_up(pacmen="b4 l12", dice=(2, 1), homeCounts="no")
    assert rule(own, "P2:b3-b2") == "MB-A1"
    assert "c2" in ends(own, "P2")


def test_the_own_home_may_be_landed_on() -> None:
    """MB-A2"""
    assert "b2" in ends(put_up(pacmen="b4 l12", dice=(2, 1)), "P2")


def test_the_home_of_a_colour_nobody_plays_is_not_landed_on() -> None:
    """MB-A30"""
    state = put_up(pacmen="b10 l12", dice=(2, 4))
    assert rule(state, "P2:b11-b12") == "MB-A30"


def test_pawns_block_pacman() -> None:
    """MB-14"""
    state = put_up(pacmen="b2 b5", ghosts="d3 h8", dice=(3, 4))
    assert ends(state, "P3") == {"c4", "e2"}
    assert rule(state, "P3:b3-b4-b5") == "MB-14"
    assert rule(state, "P4:b3-b4-b5-b6") == "MB-14"
    assert rule(state, "P3:c2-d2-d3") == "MB-14"
    refusal = state.why_not("P3:b3-b4-b5", ["Ann", "Bob"])
    assert refusal
    assert refusal.text == "Bob's Pac-Man blocks the way at b5"


# -- ghosts


def test_a_ghost_moves_the_full_number() -> None:
    """MB-15"""
    state = put_up(ghosts="g9 h8", dice=(2, 2))
    assert ends(state, "G1/2") == {"e9", "g11", "i9"}
    assert rule(state, "G1/2:g10") == "MB-15"
    assert rule(state, "G1/2:g10-g11-g12") == "MB-15"


def test_a_ghost_lands_without_the_exact_count_and_stops() -> None:
    """MB-15, MB-A12"""
    state = put_up(pacmen="b2 g11", ghosts="g9 h8", dice=(5, 2))
    assert "g10-g11x" in ways(state, "G1/5")
    assert rule(state, "G1/5:g10-g11-g12-f12-e12") == "MB-A12"
    assert rule(state, "G1/5:g10-g11") == "notation"
    assert rule(state, "G1/5:g10x") == "MB-15"


def test_who_is_landed_on_goes_home_and_pays_two() -> None:
    """MB-16"""
    state = put_up(pacmen="b2 g11", ghosts="g9 h8", trays=(1, 9), dice=(5, 2))
    state = state.play("G1/5:g10-g11x")
    assert state.position()["l12"] == "pacgreen"
    assert state.position()["g11"] == "ghost1"
    assert state.trays == (3, 7)


@pytest.mark.parametrize(("has", "pays"), [(0, 0), (1, 1), (2, 2)])
def test_who_has_less_pays_what_there_is(has: int, pays: int) -> None:
    """MB-A13"""
    state = put_up(pacmen="b2 g11", ghosts="g9 h8", trays=(5, has), dice=(5, 2))
    assert state.play("G1/5:g10-g11x").trays == (5 + pays, has - pays)


def test_only_white_marbles_are_paid() -> None:
    """MB-A14"""
    state = put_up(pacmen="b2 g11", ghosts="g9 h8", gold=(0, 2), yellow="d4 d10", dice=(5, 2))
    state = state.play("G1/5:g10-g11x")
    assert state.gold == (0, 2)
    assert state.trays == (0, 0)


def test_the_own_pacman_is_sent_home_for_nothing() -> None:
    """MB-17, MB-A11"""
    state = put_up(pacmen="g11 l12", ghosts="g9 h8", trays=(6, 6), dice=(5, 2))
    state = state.play("G1/5:g10-g11x")
    assert state.trays == (6, 6)
    assert state.position()["b2"] == "pacyellow"


def test_a_ghost_jumps_nobody() -> None:
    """MB-18, MB-A10"""
    state = put_up(ghosts="g9 g10", dice=(3, 1))
    assert rule(state, "G1/1:g10") == "MB-A10"
    assert rule(state, "G1/3:g10-g11-g12") == "MB-A10"
    state = put_up(pacmen="g10 g12", ghosts="g9 h8", dice=(3, 1))
    assert rule(state, "G1/3:g10-g11-g12x") == "MB-A12"


def test_a_ghost_stays_on_the_board_and_out_of_homes() -> None:
    """MB-18, MB-9"""
    state = put_up(ghosts="b7 b11", pacmen="b2 b12 l12", dice=(1, 3))
    assert rule(state, "G1/1:~g12") == "MB-18"
    assert rule(state, "G2/1:b12x") == "MB-18"
    assert rule(state, "G2/3:b12-c12-d12") == "MB-18"
    assert ends(state, "G1/1") == {"b6", "b8", "c7"}
    assert ends(state, "G2/1") == {"b10"}


def test_ghosts_do_not_turn_back_unless_switched() -> None:
    """MB-A5"""
    move = "G1/3:g10-g11-g10"
    assert rule(put_up(ghosts="g9 h8"), move) == "MB-A5"
    assert "g10" not in ends(put_up(ghosts="g9 h8"), "G1/3")
    assert "g10" in ends(put_up(ghosts="g9 h8", ghostsReverse="yes"), "G1/3")


def test_when_one_ghost_cannot_move_the_other_must() -> None:
    """MB-A8"""
    state = put_up(ghosts="b11 b10", dice=(1, 2))
    assert ways(state, "G1/1") == []
    assert ways(state, "G2/1")
    assert rule(state, "G/1=") == "MB-A8"


SMALL = """
Y---o---o---R
|           |
o   1   2   o
|   |   |   |
B---o---o---G
"""


def test_when_no_ghost_can_move_none_does(tmp_path: Path) -> None:
    """MB-A8: both stand between two homes, which they cannot enter"""
    small = MarblesGame(lambda: load_maze(redrawn(tmp_path, SMALL)))
    number = small.field.number
    state = replace(
        small.start(),
        ghosts=(number["b3"], number["c3"]),
        due="move",
        dice=(1, 2),
        pacman_due=True,
        ghost_due=True,
    )
    assert [move for move in state.legal_moves() if move.startswith("G")] == ["G/1=", "G/2="]
    state = state.play("G/2=")
    assert (state.dice, state.ghost_due) == ((1,), False)
    assert rule(state, "G/1=") == "MB-6"


def redrawn(folder: Path, picture: str) -> Path:
    """Return a profile like the one that comes along, with another picture and its counts."""
    text = FILE.read_text(encoding="utf-8")
    old = text.split("'''")[1]
    file = folder / "small.toml"
    file.write_text(counted(text.replace(old, picture)), encoding="utf-8")
    return file


def counted(text: str) -> str:
    """Return a profile with the counts that its picture has."""
    legend = dict(re.findall(r'^"?(\S)"? = \{ kind = "(\w+)"', text, re.M))
    picture = text.split("'''")[1]
    counts: dict[str, int] = {}
    for sign, kind in legend.items():
        counts[kind] = counts.get(kind, 0) + picture.count(sign)
    lines = "".join(f"{kind} = {count}\n" for kind, count in counts.items())
    return re.sub(r"\[counts\]\n.*?\n\n", f"[counts]\n{lines}\n", text, flags=re.S)


def test_both_ghosts_have_a_place_in_the_centre() -> None:
    """MB-A10"""
    state = put_up(ghosts="f6 h8")
    assert state.position()["f6"] == "ghost1"
    assert state.position()["h8"] == "ghost2"


def test_the_first_hole_out_of_centre_and_home_counts_one() -> None:
    """MB-A22"""
    state = put_up(dice=(1, 1))
    assert ends(state, "G1/1") == {"e6", "f9", "h5", "i8"} == ends(state, "G2/1")
    assert ends(state, "P1") == {"b3", "c2"}


def test_nobody_moves_into_the_centre() -> None:
    """MB-A23"""
    state = put_up(pacmen="f9 l12", ghosts="e6 h8", dice=(1, 2))
    assert rule(state, "P1:f6") == "MB-A23"
    assert rule(state, "G1/1:f6") == "MB-A23"
    assert "f6" not in ends(state, "P1") | ends(state, "G1/1")


# -- the privilege


GOBBLE = dict(pacmen="b2 l12", ghosts="b4 h8", gold=(1, 0), yellow="d4 d10 j10", trays=(0, 9))


def gobbling(**more: object) -> Marbles:
    return put_up(**{**GOBBLE, **more})  # type: ignore[arg-type]


def test_a_yellow_marble_gives_the_privilege() -> None:
    """MB-19, MB-A17"""
    state = put_up(pacmen="c4 l12", dice=(1, 2)).play("P1:d4")
    assert state.gold == (1, 0)
    assert state.tallies()["belly"] == (0, 0)
    assert state.position()["d4"] == "pacyellow"


def test_the_privilege_need_not_be_used() -> None:
    """MB-19: the other way is open, and where none is he may stay"""
    state = gobbling()
    assert {"b3-b4x", "c2-d2-e2"} <= set(ways(state, "P3"))
    shut = gobbling(ghosts="b4 d2")
    assert ways(shut, "P3") == ["b3-b4x", "c2-d2x", "="]


def test_without_the_privilege_a_ghost_blocks() -> None:
    """MB-14, MB-19"""
    assert rule(gobbling(gold=(0, 0), yellow="d4 d10 j10 j4"), "P3:b3-b4x") == "MB-14"


def test_a_gobbled_ghost_goes_back_to_the_centre() -> None:
    """MB-20, MB-21, MB-A32: no exact count, and the marble under the ghost is taken"""
    state = gobbling().play("P3:b3-b4x")
    assert state.position()["b4"] == "pacyellow"
    assert state.position()["f6"] == "ghost1"
    assert state.belly == 2
    assert not state.white & bits("b4")


def test_the_way_ends_where_the_ghost_was() -> None:
    """MB-21, MB-A19"""
    assert rule(gobbling(), "P3:b3-b4-b5") == "MB-A19"
    assert rule(gobbling(), "P3:b3-b4") == "notation"
    assert rule(gobbling(), "P3:b3x") == "MB-20"


def test_the_yellow_marble_goes_back_to_an_empty_ringed_hole() -> None:
    """MB-22"""
    state = gobbling().play("P3:b3-b4x")
    assert state.legal_moves() == ["return:j4"]
    assert rule(state, "return:d4") == "MB-22"
    assert rule(state, "return:b5") == "MB-22"
    state = state.play("return:j4")
    assert state.position()["j4"] == "yellow"
    assert (state.gold, state.owed) == ((0, 0), (0, 0))


def test_the_owner_chooses_among_several_empty_rings() -> None:
    """MB-22, MB-A17"""
    state = gobbling(gold=(2, 1), yellow="d4").play("P3:b3-b4x")
    assert state.legal_moves() == ["return:d10", "return:j10", "return:j4"]
    assert state.gold == (1, 1)


def test_two_marbles_are_taken_from_one_other_player() -> None:
    """MB-23, MB-A15"""
    state = gobbling(pacmen="b2 b12 l12", gold=(1, 0, 0), trays=(0, 1, 9))
    state = play(state, "P3:b3-b4x return:j4")
    assert state.legal_moves() == ["take:green", "take:red"]
    assert rule(state, "take:yellow") == "MB-23"
    assert rule(state, "take:blue") == "MB-23"
    assert state.play("take:green").trays == (2, 1, 7)
    assert state.play("take:red").trays == (1, 0, 9)


def test_even_an_empty_tray_may_be_chosen() -> None:
    """MB-A15"""
    state = play(gobbling(trays=(0, 0)), "P3:b3-b4x return:j4")
    assert state.play("take:green").trays == (0, 0)


def test_the_privilege_works_in_the_move_that_wins_it() -> None:
    """MB-A16"""
    state = put_up(pacmen="c4 l12", ghosts="d5 h8", dice=(3, 1))
    assert "d4-d5x" in ways(state, "P3")
    state = state.play("P3:d4-d5x")
    assert state.legal_moves() == ["return:d4"]


def test_the_yellow_marble_under_a_ghost_does_not_help_to_gobble_it() -> None:
    """MB-A16, MB-A32"""
    state = put_up(pacmen="c4 l12", ghosts="d4 h8", dice=(3, 1))
    assert rule(state, "P3:d4x") == "MB-14"
    holding = put_up(pacmen="c4 l12", ghosts="d4 h8", gold=(1, 0), yellow="d4 d10 j10")
    assert holding.play("P3:d4x").tallies()["yellow"] == (1, 0)


def test_each_yellow_marble_is_good_for_one_ghost() -> None:
    """MB-A17"""
    state = play(gobbling(gold=(2, 0), yellow="d4 d10"), "P3:b3-b4x return:j4")
    assert state.gold == (1, 0)


def test_the_privilege_is_not_lost_when_caught() -> None:
    """MB-A18"""
    state = put_up(pacmen="b2 g11", ghosts="g9 h8", gold=(0, 1), yellow="d4 d10 j10", dice=(5, 2))
    assert state.play("G1/5:g10-g11x").gold == (0, 1)


def test_after_a_gobble_the_ghost_die_is_still_played_unless_switched() -> None:
    """MB-A20"""
    moves = "P3:b3-b4x return:j4 take:green"
    state = play(gobbling(), moves)
    assert (state.to_act, state.dice) == (0, (5,))
    state = play(gobbling(ghostAfterGobble="no"), moves)
    assert (state.to_act, state.turn, state.dice) == (CHANCE, 1, ())
    assert state.trays == (4, 7)


def test_a_ghost_die_played_before_the_gobble_is_not_played_again() -> None:
    """MB-A20"""
    state = gobbling().play("G2/5:" + ways(gobbling(), "G2/5")[0])
    state = play(state, "P3:b3-b4x return:j4 take:green")
    assert state.turn == 1


def test_the_gobbled_ghost_may_be_moved_out_again() -> None:
    """MB-A21"""
    state = play(gobbling(dice=(3, 1)), "P3:b3-b4x return:j4 take:green")
    assert ends(state, "G1/1") == {"e6", "f9", "h5", "i8"}


def test_a_ring_with_a_pawn_on_it_is_not_empty() -> None:
    """MB-A24"""
    state = gobbling(pacmen="c4 l12", ghosts="d4 h8", yellow="d10 j10 j4", dice=(1, 2))
    state = state.play("P1:d4x")
    assert state.to_act == 0
    assert state.due == "take"
    assert state.owed == (1, 0)
    two_free = gobbling(pacmen="c4 l12", ghosts="b4 h8", yellow="d10", gold=(1, 2), dice=(1, 2))
    two_free = replace(two_free, ghosts=(two_free.ghosts[0], two_free.table.field.number["j4"]))
    assert rule(two_free.play("P1:b4x"), "return:j4") == "MB-A24"


def test_a_yellow_marble_that_waits_goes_back_as_soon_as_a_ring_is_free() -> None:
    """MB-A25, MB-22"""
    state = gobbling(pacmen="c4 l12", ghosts="d4 h8", yellow="d10 j10 j4", dice=(1, 2))
    state = play(state, "P1:d4x take:green G1/2:e6-e5")
    assert (state.turn, state.to_act) == (1, CHANCE)
    state = play(state, "roll:1-2 P1:l11 G1/2:f5-g5 roll:1-2")
    assert state.to_act == 0
    assert rule(state, "return:d4") == "MB-22"
    state = state.play("P1:d5")
    assert (state.to_act, state.legal_moves()) == (0, ["return:d4"])
    state = state.play("return:d4")
    assert state.owed == (0, 0)
    assert ways(state, "G1/2")


def test_the_owner_of_a_waiting_marble_acts_even_in_the_turn_of_another() -> None:
    """MB-A25"""
    state = put_up(
        pacmen="b2 c4", ghosts="d4 h8", yellow="d10 j10 j4", owed=(0, 1), dice=(1, 2)
    ).play("G1/1:d5")
    assert state.to_act == 1
    assert not state.starts_turn
    assert state.legal_moves() == ["return:d4"]
    assert state.play("return:d4").to_act == 0


@pytest.mark.parametrize(("turn", "order"), [(0, (0, 1)), (1, (1, 0))])
def test_of_two_who_owe_a_marble_the_one_in_turn_places_first(
    turn: int, order: tuple[int, int]
) -> None:
    """MB-A25"""
    state = put_up(yellow="d10 j10", owed=(1, 1), dice=(1, 2), turn=turn)
    acted = []
    for _ in order:
        acted.append(state.to_act)
        assert state.legal_moves() == sorted(
            f"return:{n}" for n in ("d4", "j4") if n in free(state)
        )
        state = state.play(state.legal_moves()[0])
    assert tuple(acted) == order
    assert (state.owed, state.to_act) == ((0, 0), turn)


def test_of_those_who_owe_a_marble_and_are_not_in_turn_the_next_to_the_left_places_first() -> None:
    """MB-A25"""
    state = put_up(pacmen="b2 b12 l12 l2", yellow="d10 j10", owed=(1, 0, 0, 1), dice=(1, 2), turn=2)
    assert state.to_act == 3
    assert state.play("return:d4").to_act == 0


def free(state: Marbles) -> set[str]:
    names = state.table.field.names
    return {name for number, name in enumerate(names) if state.free_rings >> number & 1}


# -- the end


def test_turns_without_a_white_marble_end_the_game_when_the_table_wants_it() -> None:
    """MB-24, noProgress"""
    quiet = replace(put_up(white="l3", trays=(5, 4), dice=(1, 1), noProgress="40"), quiet=38)
    once = play(quiet, "P1:b3 G1/1:e6")
    assert (once.quiet, once.outcome()) == (39, None)
    over = play(once, "roll:1-1 P1:l11 G2/1:h5")
    outcome = over.outcome()
    assert outcome
    assert (outcome.winners, over.to_act, over.legal_moves()) == ((0,), None, [])
    assert outcome.reason == "most white marbles: 5, and none was swallowed for 40 turns"
    assert rule(over, "roll:1-1") == "MB-24"


def test_a_white_marble_starts_the_count_of_quiet_turns_anew() -> None:
    """MB-24, noProgress"""
    quiet = replace(put_up(white="b3 l3", dice=(1, 1), noProgress="40"), quiet=39)
    assert play(quiet, "P1:b3 G1/1:e6").quiet == 0
    usual = replace(put_up(white="l3", dice=(1, 1)))
    assert play(usual, "P1:b3 G1/1:e6") == replace(play(usual, "P1:b3 G1/1:e6"), quiet=0)
    assert usual.table.no_progress == 0


def test_the_game_ends_with_the_last_white_marble() -> None:
    """MB-24, MB-A26, MB-A27: at once, with those in the belly, the other die not played"""
    state = put_up(white="b4", trays=(30, 31), dice=(3, 5))
    assert "b3-b4" in ways(state, "P3")
    assert rule(state, "P3:b3-b4-b5") == "MB-A26"
    done = state.play("P3:b3-b4")
    outcome = done.outcome()
    assert outcome
    assert outcome.winners == (0, 1)
    assert done.legal_moves() == []
    assert done.tallies()["belly"] == (1, 0)
    assert rule(done, "G1/5:f9-g9-g10-g11-g12") == "MB-24"
    assert "yellow" in done.position().values()


def test_the_last_white_marble_needs_a_way_of_full_length() -> None:
    """MB-A26, MB-12"""
    state = put_up(white="b4", ghosts="b5 d3", dice=(4, 4))
    assert "b3-b4" in ways(state, "P4")
    shut = put_up(pacmen="b2 d4", white="b4", ghosts="b5 h8", dice=(4, 4))
    assert "b4" not in ends(shut, "P4")
    assert rule(shut, "P4:b3-b4") == "MB-12"


def test_the_last_white_marble_under_a_ghost_ends_the_game_without_a_reward() -> None:
    """MB-A26"""
    state = gobbling(white="b4", trays=(40, 31)).play("P3:b3-b4x")
    outcome = state.outcome()
    assert outcome
    assert outcome.winners == (0,)
    assert state.legal_moves() == []


def test_equal_numbers_share_the_win() -> None:
    """MB-A28"""
    state = put_up(pacmen="b2 b12 l12", white="b4", trays=(30, 31, 10), dice=(3, 5))
    outcome = state.play("P3:b3-b4").outcome()
    assert outcome
    assert outcome.winners == (0, 1)
    assert outcome.result(3) == "1-1-0"


def test_a_missed_marble_is_taken_unless_switched() -> None:
    """MB-A31"""
    moves = "P3:b3-b4-b5 G1/5:f9-g9-g10-g11-g12"
    state = play(put_up(), moves)
    assert state.turn == 1
    assert "b4" not in state.position()
    assert rule(state, "missed:b4") == "MB-6"
    state = play(put_up(missed="stays"), moves)
    assert state.legal_moves() == ["end", "missed:b3", "missed:b4", "missed:b5"]
    assert rule(state, "missed:b6") == "MB-A31"
    assert rule(state, "roll:1-2") == "MB-10"
    state = state.play("missed:b4")
    assert state.position()["b4"] == "white"
    assert state.play("end").trays == (2, 0)


def test_a_missed_yellow_marble_takes_the_privilege_with_it() -> None:
    """MB-A31"""
    state = put_up(pacmen="b4 l12", missed="stays", dice=(2, 5))
    state = play(state, "P2:c4-d4 G1/5:f9-g9-g10-g11-g12 missed:d4")
    assert state.gold == (0, 0)
    assert state.yellow & bits("d4")
    assert rule(state, "missed:d4") == "MB-A31"


def test_a_yellow_marble_that_is_back_in_its_hole_was_not_missed() -> None:
    """MB-A31, MB-22"""
    state = put_up(
        pacmen="c4 l12",
        ghosts="d5 h8",
        gold=(1, 0),
        yellow="d4 d10 j10",
        dice=(3, 1),
        missed="stays",
    )
    state = play(state, "G2/1:i8 P3:d4-d5x return:d4 take:green")
    assert state.gold == (1, 0)
    assert state.legal_moves() == ["end", "missed:d5"]


def test_pacmen_that_block_each_other_have_no_rule() -> None:
    """MB-A33: who cannot move stays, and the game goes on"""
    state = put_up(pacmen="b3 b4", ghosts="d2 f5", dice=(4, 4))
    assert ways(state, "P4") == ["="]
    assert ways(state.play("P4="), "G1/4")


# -- notation, refusals, the table


@pytest.mark.parametrize(
    "text",
    ["", "P7:b3", "P3:", "P3:b3-", "P3:b3--b4", "G3/5:f9", "G1:f9", "G/5:f9", "take:", "roll:0-1"],
)
def test_what_is_no_move_is_told(text: str) -> None:
    assert rule(put_up(), text) == "notation"
    with pytest.raises(MalformedMove):
        put_up().play(text)


def test_of_ways_that_come_to_the_same_one_is_listed() -> None:
    one, two = "P4:b3-b4-c4-d4", "P4:c2-d2-d3-d4"
    four = put_up(white="l11", yellow="j4", dice=(4, 4))
    assert sorted(map(bool, (four.why_not(one), four.why_not(two)))) == [False, True]
    said = four.why_not(one) or four.why_not(two)
    assert said
    assert said.rule == "notation"
    assert "comes to the same as P4:" in said.text


def test_every_phase_says_what_is_due() -> None:
    start = game().start()
    assert rule(start, "P3:b3-b4-b5") == "MB-5"
    assert rule(put_up(dice=()), "P3:b3-b4-b5") == "MB-6"
    assert rule(put_up(), "roll:1-2") == "MB-6"
    assert rule(put_up(), "return:d4") == "MB-22"
    assert rule(put_up(), "take:green") == "MB-23"
    assert rule(put_up(), "missed:b4") == "MB-A31"
    assert rule(put_up(), "end") == "MB-6"
    gobbled = gobbling().play("P3:b3-b4x")
    assert rule(gobbled, "take:green") == "MB-22"
    assert rule(gobbled.play("return:j4"), "roll:1-2") == "MB-23"
    with pytest.raises(IllegalMove, match="first player 1 says whose two marbles"):
        gobbled.play("return:j4").play("end")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([Change("pacgreen", "l12", "l10")], "MB-6"),
        ([Change("ghost1", "f6", "f9"), Change("ghost2", "h8", "i8")], "MB-6"),
        ([Change("pacyellow", "b2", "b6")], "MB-11"),
        ([Change("pacyellow", "b2", "l12")], "MB-13"),
        ([Change("pacyellow", "b2", "f6")], "MB-14"),
        ([Change("pacyellow", "b2", None)], "MB-8"),
        ([Change("pacyellow", "b2", "b5")], "MB-10"),
        ([Change("ghost1", "f6", "b3")], "MB-15"),
        ([Change("ghost1", "f6", "b2")], "MB-18"),
        ([Change("white", "b3", None)], "MB-10"),
    ],
)
def test_what_was_done_on_the_board_has_a_reason(changes: list[Change], expected: str) -> None:
    assert put_up().refuse(changes).rule == expected


def test_what_was_done_too_early_or_twice_has_a_reason() -> None:
    step = [Change("pacyellow", "b5", "b6")]
    assert put_up(dice=()).refuse(step).rule == "MB-6"
    assert put_up().play("P3:b3-b4-b5").refuse(step).rule == "MB-6"
    moved = put_up().play("G1/5:f9-g9-g10-g11-g12")
    assert moved.refuse([Change("ghost1", "i8", "i7")]).rule == "MB-6"
    assert put_up(white="b3", dice=(1, 2)).play("P1:b3").refuse(step).rule == "MB-24"


def test_the_view_tells_whose_dice_are_rolled() -> None:
    view = after("roll:3-5").view(None)
    assert (view["rolling"], view["due"], view["dice"]) == (1, "start", [])
    assert put_up().view(0)["dice"] == [3, 5]
    assert gobbling().play("P3:b3-b4x").view(1)["due"] == "return"


def test_the_game_draws_its_maze() -> None:
    drawn = put_up().draw()
    assert "●" in drawn
    assert "◎" in drawn
    assert re.search(r"^ 2 +Y", drawn, re.M)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'B = { kind = "home", owner = "blue" }',
            'B = { kind = "hole" }',
            "blue: expected one home",
        ),
        ('2 = { kind = "centre"', '2 = { kind = "ringed"', "centre: expected a spot for each of 2"),
        ('O = { kind = "ringed" }', 'O = { kind = "power" }', "d4: expected one of hole"),
    ],
)
def test_a_maze_that_does_not_suit_the_game_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = FILE.read_text(encoding="utf-8")
    file = tmp_path / "m.toml"
    file.write_text(counted(text.replace(old, new)), encoding="utf-8")
    with pytest.raises(ProfileError, match=message):
        make_field(load_maze(file))


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (
            SMALL.replace("1   2", "1---2")
            .replace("|   |   |", "|   |    ")
            .replace("B---o", "o   B"),
            "centre: expected a way out of the centre",
        ),
        (
            SMALL.replace("o---o", "o   o").replace("1   2", "1---2"),
            "c1: expected a path from b1",
        ),
        (
            SMALL.replace("B---o---o---G", "B---o---o---G\n|\n^"),
            "a1: expected an exit beside a hole",
        ),
    ],
)
def test_a_maze_with_spots_that_cannot_be_played_is_refused(
    tmp_path: Path, picture: str, message: str
) -> None:
    with pytest.raises(ProfileError, match=message):
        make_field(load_maze(redrawn(tmp_path, picture)))


def test_every_rule_and_ruling_is_tested_and_told() -> None:
    here = Path(__file__)
    told = re.findall(
        r"^\| (MB-A?\d+) ", (here.parents[3] / "docs/games/marbles.md").read_text(), re.M
    )
    expected = [f"MB-{n}" for n in range(1, 25)] + [f"MB-A{n}" for n in range(1, 34)]
    assert told == expected
    docstrings = " ".join(re.findall(r'^    """(.*?)"""', here.read_text(), re.M | re.S))
    assert set(re.findall(r"MB-A?\d+", docstrings)) >= set(told)
