"""The Ms. Pac-Man game, rule by rule. The ids are those of docs/games/mspacman.md."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import IllegalMove, MalformedMove
from companion.games.game import CHANCE, Outcome
from companion.games.mspacman.rules import MsPacMan
from companion.games.mspacman.worth import worth
from companion.games.record import parse
from tests.games.mspacman.tables import after, game, put_up, reason, start, taken, where

# -- the start


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_has_a_ghost_and_seventeen_dots(players: int) -> None:
    """MS-1, MS-A24: the dots of all four quarters are laid, whoever plays."""
    state = start(players)
    assert state.seats == players
    assert state.tallies() == {"dots": (17,) * players}
    things = list(state.position().values())
    assert things.count("dot") == 68
    assert len(things) == 68 + players


def test_every_square_but_the_exits_has_a_dot() -> None:
    """MS-2: white circles and power squares too."""
    state = start()
    position = state.position()
    field = state.field
    assert all(position[spot] == "dot" for spot in field.spots(field.power | field.white))
    assert [spot for spot in field.names if spot not in position] == field.spots(field.exits)
    assert len(field.spots(field.exits)) == 4


def test_ghosts_start_strong_in_the_centre() -> None:
    """MS-3"""
    position = start().position()
    assert {spot: position[spot] for spot in ("f6", "g6", "g5", "f5")} == {
        "f6": "inky",
        "g6": "blinky",
        "g5": "pinky",
        "f5": "sue",
    }


def test_the_highest_spin_has_her_and_puts_her_on_a_white_circle() -> None:
    """MS-4, MS-A20: the dot under her stays."""
    state = after(start(), "spin:2 spin:5 spin:1")
    assert state.to_act is CHANCE
    state = state.play("spin:4")
    assert state.to_act == state.control == 1
    assert where(state, "blinky") is None
    circles = ("e4", "e5", "e6", "e7", "h4", "h5", "h6", "h7")
    assert state.legal_moves() == [f"place:{spot}" for spot in circles]
    state = state.play("place:h7")
    assert where(state, "mspacman") == "h7"
    assert state.tallies() == {"dots": (17, 17, 17, 17)}
    for move in ("place:e8", "spin:3"):
        assert reason(after(start(2), "spin:2 spin:1"), move)[0] == "MS-4"


def test_those_who_tie_spin_again_until_one_is_ahead() -> None:
    """MS-A1: by the spinner, not by the die."""
    state = after(start(), "spin:5 spin:2 spin:5 spin:5")
    assert (state.turn, state.spins) == (0, (0, -1, 0, 0))
    state = after(state, "spin:1 spin:3 spin:3")
    assert (state.turn, state.spins) == (2, (-1, -1, 0, 0))
    assert after(state, "spin:1 spin:6").control == 3
    assert reason(start(), "roll:4") == (
        "MS-4",
        "first the spinner decides who has Ms. Pac-Man: Ann spins",
    )


def test_her_player_begins_then_it_goes_to_the_left() -> None:
    """MS-5"""
    state = after(start(3), "spin:1 spin:6 spin:2 place:e7")
    order = [state.turn]
    for moves in ("spin:1 e8", "roll:1 g4", "roll:1 f7"):
        state = after(state, moves)
        order.append(state.turn)
    assert order == [1, 2, 0, 1]


# -- walking


def test_she_takes_the_dots_of_the_squares_she_moves_off() -> None:
    """MS-6: whoever owns them; squares without a dot count as well."""
    before = put_up("f7", steps=3, dots="f7 d8 h7 i8 e1 h1")
    state = before.play("g7-h7-h8")
    assert taken(before, state) == ["f7", "h7"]
    assert where(state, "mspacman") == "h8"
    assert state.turn == 1


def test_she_moves_only_after_the_spin_and_ghosts_after_the_roll() -> None:
    """MS-6, MS-7"""
    state = put_up("e7")
    assert state.to_act is CHANCE
    assert reason(state, "e8") == (
        "MS-6",
        "Ann has Ms. Pac-Man and spins before anything moves",
    )
    state = put_up("e7", turn=1)
    assert reason(state, "g7") == ("MS-7", "Ben rolls the die for Blinky before anything moves")
    assert reason(state, "spin:2")[0] == "MS-7"
    assert reason(state.play("roll:3"), "roll:3") == ("MS-7", "Ben moves Blinky 3 squares now")
    assert reason(put_up(steps=1), "place:e7") == ("MS-6", "Ann moves Ms. Pac-Man 1 square now")


def test_a_ghost_moves_as_many_squares_as_it_rolled() -> None:
    """MS-7"""
    state = put_up("e1", "blinky:h8", turn=1).play("roll:3")
    assert where(state.play("h9-h10-i10"), "blinky") == "i10"


def test_pawns_may_turn_round_and_go_over_the_same_squares_again() -> None:
    """MS-10"""
    before = put_up("c10", steps=4)
    state = before.play("d10-e10-d10-c10")
    assert where(state, "mspacman") == "c10"
    assert taken(before, state) == ["c10", "d10", "e10"]


def test_nobody_goes_through_walls() -> None:
    """MS-10"""
    state = put_up("d6", steps=1)
    assert reason(state, "d5") == ("MS-10", "no way leads from d6 straight to d5, only to c6 or e6")
    assert reason(state, "d6")[0] == "MS-10"
    assert state.legal_moves() == ["c6", "e6"]


def test_the_whole_number_is_moved() -> None:
    """MS-A5"""
    state = put_up("b9", steps=3)
    for walk in ("b10", "b10-c10", "b10-c10-d10-e10"):
        assert reason(state, walk)[0] == "MS-A5"
    assert "exactly 3 squares, not 1" in reason(state, "b8")[1]


def test_from_an_exit_to_any_other_and_each_counts() -> None:
    """MS-12, MS-A21: one for the first, one for the second; stopping there is fine."""
    state = put_up("b8", steps=3)
    for exit, square in (("l8", "k8"), ("a3", "b3"), ("l3", "k3")):
        assert where(state.play(f"a8-{exit}-{square}"), "mspacman") == square
    assert where(put_up("b8", steps=1).play("a8"), "mspacman") == "a8"
    assert reason(state, "a8-a8-b8") == (
        "MS-A21",
        "who leaves at a8 comes back on at another exit, not the same",
    )
    assert where(put_up("a8", steps=1).play("l3"), "mspacman") == "l3"


def test_a_pawn_on_an_exit_is_met_as_anywhere() -> None:
    """MS-A22"""
    state = put_up("b8", "blinky:l8 pinky:a3", "pinky:2", steps=2)
    assert state.play("a8-l8").control == 1
    assert where(state.play("a8-a3"), "pinky") == "g5"
    onward = put_up("e1", "blinky:k8 pinky:l8", turn=1, steps=1)
    assert where(onward.play("l8+a3"), "blinky") == "a3"


def test_ghosts_leave_the_centre_and_nobody_enters_it() -> None:
    """MS-A23: the first square outside counts one."""
    state = put_up("e1", turn=1, steps=1)
    assert state.legal_moves() == ["g7"]
    assert reason(state, "h6") == ("MS-A23", "Blinky leaves the centre by g7, not by h6")
    assert reason(put_up("f7", steps=1), "f6")[0] == "MS-A23"
    assert reason(put_up("e1", turn=1, steps=2), "g7-g6")[0] == "MS-A23"


# -- strong and weak


def test_f2_turns_a_strong_ghost_weak_until_its_next_turn() -> None:
    """MS-8, MS-A8: weak at once, two squares, strong again before it rolls."""
    state = put_up("e1", "blinky:h8", turn=1, players=2).play("roll:F2")
    assert state.position()["h8"] == "blinky-weak"
    assert state.steps == 2
    state = state.play("h9-h10")
    assert state.position()["h10"] == "blinky-weak"
    state = after(state, "spin:1 d1")
    assert (state.phase, state.position()["h10"]) == ("roll", "blinky")


def test_f2_turns_a_ghost_that_a_power_dot_made_weak_strong() -> None:
    """MS-9: and it is not turned again in the next turn."""
    state = put_up("b10", "blinky:h8", players=2, steps=1).play("c10")
    assert (state.timers, state.phase) == ((0, 1), "roll")  # its turn has begun once
    assert state.position()["h8"] == "blinky-weak"
    state = state.play("roll:F2")
    assert state.position()["h8"] == "blinky"
    state = after(state, "h9-h10 spin:1 d10 roll:3")
    assert state.position()["h10"] == "blinky"


def test_a_power_dot_makes_all_ghosts_weak_for_one_turn_of_theirs() -> None:
    """MS-13, MS-A7, MS-A8: also those in the centre; strong at the start of the turn after."""
    state = put_up("b10", "blinky:h8", steps=1).play("c10")
    things = state.position().values()
    assert {"blinky-weak", "pinky-weak", "sue-weak"} <= set(things)
    assert state.timers == (0, 1, 2, 2)
    state = after(state, "roll:1 h9 roll:1 g4 roll:1 f4")
    assert state.timers == (0, 1, 1, 1)
    state = after(state, "spin:1 d10")
    assert state.timers == (0, 0, 1, 1)
    assert state.position()["h9"] == "blinky"


def test_a_power_square_without_its_dot_does_nothing() -> None:
    """MS-13"""
    state = put_up("b10", dots="e1 h1 i8 d8", steps=1).play("c10")
    assert state.timers == (0, 0, 0, 0)
    entered = put_up("c10", steps=1).play("b10")  # entering is not moving off
    assert entered.timers == (0, 0, 0, 0)


def test_a_power_dot_under_her_works_with_her_first_step() -> None:
    """MS-A6: the ghost next to her is weak before she lands on it."""
    state = put_up("b10", "blinky:c10", steps=2).play("c10-d10")
    assert where(state, "blinky") == "g6"
    assert (state.turn, state.phase) == (0, "spin")


def test_a_power_dot_starts_the_count_anew() -> None:
    """MS-A9"""
    state = put_up("b10", "blinky:h8 pinky:h1", "blinky:1 pinky:2", steps=1).play("c10")
    assert state.timers == (0, 1, 2, 2)  # two for all, and Blinky's turn has begun


def test_weak_by_f2_then_a_power_dot_then_f2_is_strong() -> None:
    """MS-A10"""
    state = put_up("b10", "blinky:h8", turn=1, players=2)
    state = after(state, "roll:F2 h9-h10")
    assert state.timers == (0, 1)
    state = after(state, "spin:1 c10")
    assert state.timers == (0, 1)
    assert state.play("roll:F2").timers == (0, 0)


def test_f2_twice_in_a_row_makes_weak_twice() -> None:
    """MS-A11"""
    state = put_up("e1", "blinky:h8", turn=1, players=2)
    state = after(state, "roll:F2 h9-h10 spin:1 d1")
    assert state.timers == (0, 0)
    assert state.play("roll:F2").timers == (0, 1)


# -- meeting


def test_she_sends_a_weak_ghost_back_and_spins_again() -> None:
    """MS-14, MS-A2, MS-A15: on any square she enters, and she goes on."""
    state = put_up("c10", "blinky:d10", "blinky:2", steps=3).play("d10-e10-f10")
    assert where(state, "blinky") == "g6"
    assert where(state, "mspacman") == "f10"
    assert (state.turn, state.phase) == (0, "spin")
    assert state.position()["g6"] == "blinky"


def test_two_ghosts_in_a_turn_earn_one_extra_turn() -> None:
    """MS-14"""
    state = put_up("c10", "blinky:d10 sue:e10", "blinky:2 sue:1", steps=2).play("d10-e10")
    assert (where(state, "blinky"), where(state, "sue")) == ("g6", "f5")
    assert (state.turn, state.phase) == (0, "spin")
    assert after(state, "spin:1 f10").turn == 1


def test_a_catch_in_the_extra_turn_earns_another() -> None:
    """MS-A13"""
    state = put_up("c10", "blinky:d10 sue:e10", "blinky:2 sue:2", steps=1).play("d10")
    state = after(state, "spin:1 e10")
    assert (state.turn, state.phase) == (0, "spin")


def test_extra_turns_do_not_count_for_weak_ghosts() -> None:
    """MS-A16"""
    state = put_up("c10", "blinky:d10 pinky:h1", "blinky:2 pinky:2", steps=1).play("d10")
    assert state.timers == (0, 0, 2, 0)
    assert after(state, "spin:1 e10").timers == (0, 0, 2, 0)


def test_a_ghost_sent_back_is_strong() -> None:
    """MS-A12: however it was caught, its count is over."""
    hers = put_up("c10", "sue:d10", "sue:2", steps=1).play("d10")
    assert hers.timers == (0, 0, 0, 0)
    its = put_up("c10", "sue:d10", "sue:2", turn=3, steps=1).play("c10")
    assert (its.timers, where(its, "sue")) == ((0, 0, 0, 0), "f5")


def test_a_weak_ghost_that_lands_on_her_goes_back_without_an_extra_turn() -> None:
    """MS-15, MS-A4: the rest of its move is void."""
    state = put_up("e8", "pinky:e10", "pinky:1", turn=2, steps=5)
    later = state.play("e9-e8")
    assert (where(later, "pinky"), later.turn, later.phase) == ("g5", 3, "roll")
    assert where(later, "mspacman") == "e8"
    assert reason(state, "e9-e8-d8") == (
        "MS-A4",
        "Pinky meets Ms. Pac-Man on e8; the rest of the move is void",
    )


def test_a_strong_ghost_that_meets_her_takes_her_over() -> None:
    """MS-16, MS-A4, MS-A26: also on the way; its player begins, right after moving the ghost."""
    before = put_up("e8", "pinky:e10 sue:h1", turn=2, steps=5, dots="e8 i8 e1 h1")
    state = before.play("e9-e8")
    assert (state.control, state.turn, state.phase) == (2, 2, "place")
    assert (where(state, "mspacman"), where(state, "pinky")) == (None, None)
    assert where(state, "inky") == "f6"
    assert where(state, "sue") == "h1"
    assert taken(before, state) == []
    assert reason(state, "spin:3") == ("MS-16", "Cleo puts Ms. Pac-Man on a white circle first")
    state = after(state, "place:h4 spin:1 h3")
    assert state.turn == 3


def test_she_is_caught_by_a_strong_ghost_on_her_way() -> None:
    """MS-16, MS-A2, MS-A3: dots she left are gone, the one she stands on stays."""
    before = put_up("e8", "blinky:e10", steps=5)
    state = before.play("e9-e10")
    assert taken(before, state) == ["e8", "e9"]
    assert (state.control, state.phase) == (1, "place")
    assert (where(state, "inky"), where(state, "blinky")) == ("f6", None)
    assert reason(before, "e9-e10-f10") == (
        "MS-A3",
        "Blinky catches Ms. Pac-Man on e10; the rest of the move is void",
    )


def test_the_extra_turn_is_lost_when_a_strong_ghost_catches_her() -> None:
    """MS-A14"""
    state = put_up("c10", "blinky:d10 sue:e10", "blinky:2", steps=4).play("d10-e10")
    assert where(state, "blinky") == "g6"
    assert (state.control, state.turn, state.phase) == (3, 3, "place")


def test_other_weak_ghosts_stay_weak_at_a_take_over() -> None:
    """MS-A31: with what they had left."""
    state = put_up("e8", "pinky:e10 sue:h1", "sue:2", turn=2, steps=2).play("e9-e8")
    assert state.timers == (0, 0, 0, 2)
    assert where(state, "sue") == "h1"


def test_she_is_not_put_where_a_ghost_stands() -> None:
    """MS-A19"""
    state = put_up("e8", "pinky:e10 sue:e4", turn=2, steps=2).play("e9-e8")
    assert "place:e4" not in state.legal_moves()
    rule, text = reason(state, "place:e4")
    assert (rule, text.split(";")[0]) == ("MS-A19", "Sue stands on e4")


# -- ghosts among themselves


def test_a_ghost_passes_other_ghosts() -> None:
    """MS-A18"""
    state = put_up("e1", "blinky:h8 pinky:h9", turn=1, steps=2)
    assert where(state.play("h9-h10"), "blinky") == "h10"


def test_a_ghost_that_ends_on_a_ghost_moves_on() -> None:
    """MS-11, MS-A17: straight on where the corridor does not fork."""
    state = put_up("e1", "blinky:h8 pinky:h9", turn=1, steps=1)
    assert state.legal_moves() == ["h7", "h9+h10", "i8"]
    assert where(state.play("h9+h10"), "blinky") == "h10"
    assert reason(state, "h9") == (
        "MS-11",
        "Pinky stands on h9; Blinky moves on to the next open square: +h10",
    )
    assert reason(state, "h9+h8")[0] == "MS-A17"
    assert reason(state, "h7+g7") == ("MS-11", "no ghost stands on h7, so Blinky stays there")
    assert reason(put_up("e1", steps=1), "d1+c1")[0] == "MS-11"


def test_at_a_fork_the_next_open_square_is_chosen() -> None:
    """MS-A17: any neighbour without a pawn, but never hers."""
    state = put_up("i10", "blinky:h9 pinky:h10", turn=1, steps=1)
    assert [move for move in state.legal_moves() if "+" in move] == ["h10+g10", "h10+h9"]
    assert reason(state, "h10+i10")[0] == "MS-A17"


def test_with_no_open_neighbour_the_nearest_square_is_taken() -> None:
    """MS-A17: behind a pawn straight on, back; with all taken, further away."""
    blocked = put_up("h10", "blinky:h8 pinky:h9", turn=1, steps=1)
    assert "h9+h8" in blocked.legal_moves()  # where it came from is open
    jammed = put_up("f7", "pinky:h7 sue:h8 blinky:g7", turn=1, steps=2)
    assert "h7-g7" in jammed.legal_moves()  # its own square counts as open
    back = put_up("d10", "blinky:a8 pinky:b10 sue:c10", turn=1, steps=3)
    assert reason(back, "b8-b9-b10")[1].endswith("moves on to the next open square: +b9")
    full = put_up("b9", "blinky:e10 pinky:b10 sue:c10", turn=1, steps=3)
    assert reason(full, "d10-c10-b10")[1].endswith("the next open square: +b8 or +d10")
    assert where(full.play("d10-c10-b10+b8"), "blinky") == "b8"


# -- winning


def test_whose_dots_are_gone_first_wins_whoever_took_them() -> None:
    """MS-17, MS-A25: at that instant, in another player's turn too."""
    state = put_up("h8", steps=4, dots="h8 e1 i1 d8").play("h9")
    assert state.outcome() == Outcome((1,), "all dots of one colour are gone")
    assert state.to_act is None
    assert state.legal_moves() == []
    assert reason(state, "spin:1") == ("MS-17", "the game is over: Ben has won")


def test_nothing_after_the_last_dot_counts() -> None:
    """MS-A25: neither the rest of the move nor the ghost on the next square."""
    before = put_up("h8", "pinky:h9", steps=4, dots="h8 e1 i1 d8")
    state = before.play("h9")
    assert (state.winner, state.control) == (1, 0)
    assert (where(state, "mspacman"), where(state, "pinky")) == ("h8", "h9")
    assert reason(before, "h9-h10") == (
        "MS-A25",
        "the last dot goes with the step to h9; that ends it all",
    )
    power = put_up("k10", steps=1, dots="k10 e1 i1 d8").play("k9")
    assert (power.winner, power.timers) == (1, (0, 0, 0, 0))


def test_a_quarter_that_nobody_plays_wins_nothing() -> None:
    """MS-A24"""
    state = put_up("h3", steps=1, dots="h3 e1 i8 d8", players=2).play("h2")
    assert state.outcome() is None
    assert state.view(None)["left"] == {"blue": 1, "red": 1, "pink": 0, "purple": 1}


# -- spinner, die and texts


def test_only_numbers_of_the_profile_are_taken() -> None:
    """MS-A27"""
    assert reason(start(), "spin:7") == (
        "MS-A27",
        "the spinner shows 1, 2, 3, 4, 5, 6, never 7",
    )
    state = put_up("e1", turn=1)
    assert state.legal_moves() == [f"roll:{face}" for face in ("1", "3", "4", "5", "6", "F2")]
    assert reason(state, "roll:2") == ("MS-A27", "the die shows 1, F2, 3, 4, 5, 6, never 2")


def test_a_spinner_on_a_line_is_spun_again() -> None:
    """MS-A28"""
    assert reason(put_up("e1"), "spin:line")[0] == "MS-A28"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "spin",
        "spin:",
        "spin:04",
        "spin:x",
        "roll:f2",
        "place:",
        "e8-",
        "e8+",
        "e8--e9",
        "spin:" + "9" * 9999,
    ],
)
def test_other_texts_are_no_moves(text: str) -> None:
    for state in (start(), put_up(steps=2), put_up(turn=1, steps=2)):
        assert reason(state, text)[0] == "notation"
        with pytest.raises(MalformedMove, match="is no move here"):
            state.play(text)


def test_an_illegal_move_raises_with_its_reason() -> None:
    with pytest.raises(IllegalMove, match="no way leads from e7 straight to e9"):
        put_up("e7", steps=1).play("e9")


def test_any_walk_that_keeps_the_rules_can_be_played() -> None:
    """Of those that come to the same, the list has one: the first by its names."""
    state = put_up("d10", steps=2, dots="d10 d8 e1 h1 i8")
    assert state.legal_moves() == ["c10-b10", "c10-d10", "e10-e9", "e10-f10"]
    assert state.play("e10-d10") == state.play("c10-d10")


def test_the_view_tells_all_that_lies_open() -> None:
    state = put_up("b10", "blinky:h8", "blinky:1", turn=1, steps=1)
    view = state.view(1)
    assert view["weak"] == {"blinky": 1}
    assert (view["phase"], view["turn"], view["steps"], view["control"]) == ("chase", 1, 1, 0)
    assert view["legal"] == ["h7", "h9", "i8"]
    assert "b10" in view["dots"]  # under her
    assert start().view(None)["control"] is None


def test_it_draws_itself() -> None:
    picture = put_up("b10", "blinky:h8", "blinky:1").draw().splitlines()
    assert picture[0] == "10      M───•───•───•───•───•───•───•───•───◉"
    assert picture[4] == " 8  ·───•───•───•───•           b───•───•───•───·"
    assert picture[-1] == "player 1 has Ms. Pac-Man and spins before anything moves"
    assert len(picture) == 21


def test_every_rule_of_the_documentation_has_a_test_that_names_it() -> None:
    here = Path(__file__).parent
    text = (here.parents[2] / "docs/games/mspacman.md").read_text(encoding="utf-8")
    rules = re.findall(r"^\| (MS-A?\d+) ", text, re.M)
    tests = "".join(path.read_text(encoding="utf-8") for path in here.glob("test_*.py"))
    assert len(rules) == len(set(rules)) == 17 + 31
    assert [rule for rule in rules if not re.search(rf'"""[^"]*{rule}\b', tests)] == []


# -- games without an end


def quiet(limit: int, moves: int, dots: str) -> MsPacMan:
    """Return a position in which no dot went for so many of her moves."""
    state = put_up(dots=dots, steps=1)
    return replace(state, quiet=moves, limit=limit)


@pytest.mark.parametrize(("moves", "over"), [(38, False), (39, True)])
def test_her_moves_without_a_dot_end_the_game_in_a_draw_when_the_table_wants_it(
    moves: int, over: bool
) -> None:
    """MS-17, noProgress"""
    state = quiet(40, moves, dots="b1")
    after_it = state.play(state.legal_moves()[0])
    assert after_it.quiet == moves + 1
    assert (after_it.to_act is None) == over
    if over:
        text = "no dot went for 40 moves of Ms. Pac-Man"
        assert after_it.outcome() == Outcome((), text)
        assert after_it.legal_moves() == []
        assert reason(after_it, "roll:1") == ("MS-17", f"the game is drawn: {text}")
        assert [worth(after_it, seat) for seat in range(4)] == [0] * 4


def test_a_dot_starts_the_count_of_quiet_moves_anew_and_the_usual_game_counts_none() -> None:
    """MS-17, noProgress"""
    state = replace(put_up(steps=1), quiet=39, limit=40)
    assert state.play(state.legal_moves()[0]).quiet == 0
    usual = quiet(0, 0, dots="b1")
    assert usual.play(usual.legal_moves()[0]).quiet == 0
    assert game().start().limit == 0
    assert game().start({"noProgress": "40"}).limit == 40


def test_ghosts_turns_do_not_count_as_quiet_moves() -> None:
    """MS-17, noProgress"""
    state = replace(put_up(steps=1, turn=1), quiet=39, limit=40)
    chased = state.play(state.legal_moves()[0])
    assert (chased.quiet, chased.outcome()) == (39, None)


def test_records_without_the_switch_replay_and_those_with_it_name_it() -> None:
    """MS-17, noProgress"""
    old = parse('[Game "mspacman"]\n\n1. spin:4 2. spin:2 3. spin:3 4. spin:1 place:e7 *')
    assert (old.options["noProgress"], len(old.replay())) == ("off", 6)
    assert '[noProgress "off"]' in str(old)
    assert '[noProgress "40"]' in str(replace(old, options={"noProgress": "40"}))
