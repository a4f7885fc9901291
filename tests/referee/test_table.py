"""The table over time: patience, set-up, taking back, answers, and sensors that are wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import FENCE, Position, Reading
from companion.errors import CompanionError, IllegalMove
from companion.games.catalogue import find_game
from companion.referee.table import Table
from companion.referee.verdict import Kind

from .seeing import FOUR, TWO, evidence_of, reading_of

FRAME_SECONDS = 1 / 15


class Watched:
    """A table and the time that passes while it is looked at."""

    def __init__(self, *moves: str) -> None:
        self.table = Table(find_game("quoridor"), {}, TWO, moves)
        self.time = 100.0

    def see(self, position: Position, seconds: float = 1.0, **kwargs) -> list[str]:
        """Show a position for some time; play and return what is accepted."""
        played: list[str] = []
        for _ in range(round(seconds / FRAME_SECONDS)):
            self.time += FRAME_SECONDS
            reading = Reading(self.time, evidence_of(position), **kwargs)
            moves = self.table.judge(reading)
            if moves:
                self.table.play(moves, on_board=True)
                played += moves
        return played

    def agreed(self) -> dict[str, str]:
        return dict(self.table.expected.position)

    def after(self, *moves: str) -> dict[str, str]:
        later = Table(self.table.game, {}, TWO, [*self.table.moves, *moves])
        return dict(later.expected.position)


@pytest.fixture
def watched():
    table = Watched()
    table.see(table.agreed())
    return table


def test_new_game_first_asks_for_the_set_up():
    fresh = Watched()
    assert fresh.table.verdict.kind is Kind.SET_UP
    assert fresh.table.verdict.text == "Put Pac-Man on e1 and put Blinky on e9."
    assert fresh.see({"e2": "pacman", "e9": "blinky"}) == []  # not a move: a board set up wrongly
    assert fresh.table.verdict.text == "Move Pac-Man from e2 to e1."
    fresh.see(fresh.agreed())
    assert fresh.table.verdict.text == "Pac-Man to move."


def test_move_is_accepted_once_it_has_settled(watched):
    after = watched.after("e2")
    assert watched.see(after, FRAME_SECONDS) == []
    assert watched.see(after, 0.25) == ["e2"]
    assert watched.table.verdict.kind is Kind.ACCEPTED
    assert watched.table.verdict.text == "Pac-Man went to e2. Blinky to move."
    assert watched.see(after, 4.0) == []
    assert watched.table.verdict.text == "Blinky to move."


def test_board_is_not_as_agreed_while_a_move_settles(watched):
    assert watched.table.is_as_agreed
    watched.see(watched.after("e2"), FRAME_SECONDS)
    assert not watched.table.is_as_agreed  # so nothing is learned from it as the old position


def test_move_that_is_only_felt_takes_longer_for_it_may_be_in_a_hand(watched):
    after = watched.after("e2")
    assert watched.see(after, 1.2, seen=False) == []
    assert watched.see(after, 0.5, seen=False) == ["e2"]


def test_move_counts_from_the_first_frame_that_showed_it(watched):
    after = watched.after("e2")
    assert watched.see(after, FRAME_SECONDS, moving=True) == []  # the hand was there before it
    assert watched.see(after, 2 * FRAME_SECONDS) == []
    assert watched.see(after, FRAME_SECONDS) == ["e2"]


def test_motion_over_a_covered_board_counts_for_nothing(watched):
    after, hand = watched.after("e2"), frozenset({"a1", "a2", "b1", "b2"})
    watched.see(after, FRAME_SECONDS, moving=True, covered=hand)
    assert watched.see(after, 3 * FRAME_SECONDS) == []
    assert watched.see(after, FRAME_SECONDS) == ["e2"]


def test_blink_of_a_move_is_not_accepted(watched):
    for _ in range(5):
        assert watched.see(watched.after("e2"), 2 * FRAME_SECONDS) == []
        assert watched.see(watched.agreed(), FRAME_SECONDS) == []


def test_nothing_is_accepted_while_a_hand_is_there(watched):
    assert (
        watched.see(
            watched.after("e2"), 3.0, covered=frozenset({"e2", "d2", "e3", "d3"}), moving=True
        )
        == []
    )
    assert watched.table.verdict.kind is Kind.HANDS


def test_thing_left_on_the_board_does_not_freeze_the_game(watched):
    covered = frozenset({"a9", "b9", "a8", "b8"})
    assert watched.see(watched.after("e2"), 6.0, covered=covered) == ["e2"]


def test_illegal_move_is_refused_and_play_goes_on_when_it_is_put_right(watched):
    watched.see({"e3": "pacman", "e9": "blinky"})
    assert watched.table.verdict.kind is Kind.NOT_ALLOWED
    watched.see(watched.agreed())
    assert watched.table.verdict.kind is Kind.WAITING
    assert watched.see(watched.after("e2")) == ["e2"]


def test_taken_back_move_is_not_accepted_again_before_the_board_follows(watched):
    after = watched.after("e2")
    watched.see(after)
    assert watched.table.take_back() == "e2"
    assert watched.see(after, 3.0) == []
    assert watched.table.verdict.text == "Move Pac-Man from e2 to e1."
    watched.see(watched.agreed())
    assert watched.see(after) == ["e2"]


def test_one_frame_without_evidence_does_not_count_as_a_board_put_right(watched):
    after = watched.after("e2")
    watched.see(after)
    watched.table.take_back()
    watched.see(after, 1.0)
    watched.time += FRAME_SECONDS
    assert watched.table.judge(Reading(watched.time, {})) == ()
    assert watched.see(after, 2.0) == []


def test_taking_back_with_no_move_says_so(watched):
    with pytest.raises(CompanionError, match="no move to take back"):
        watched.table.take_back()


def test_entered_move_waits_for_the_board_to_follow_but_takes_the_answer_too(watched):
    before = watched.agreed()
    watched.table.play(["e2"], on_board=False)
    assert watched.see(before) == []
    assert watched.table.verdict.text == "Move Pac-Man from e1 to e2."
    assert watched.see(watched.after("e8")) == ["e8"]


def test_illegal_entry_is_refused_with_the_reason(watched):
    with pytest.raises(IllegalMove, match="e5 is too far"):
        watched.table.check("e5")


def test_sensor_that_is_wrong_can_be_disregarded(watched):
    ghost = watched.agreed() | {"c3h": FENCE, "c5h": FENCE, "c7h": FENCE}
    watched.see(ghost)
    assert watched.table.verdict.kind is Kind.NOT_ALLOWED
    watched.table.look_again()
    assert watched.see(ghost) == []
    assert watched.table.verdict.kind is Kind.WAITING
    assert watched.see(ghost | {"e2": "pacman"} | {"e1": ""}) == ["e2"]


def test_disregarded_place_is_believed_again_once_it_agrees(watched):
    ghost = watched.agreed() | {"c3h": FENCE, "c5h": FENCE, "c7h": FENCE}
    watched.see(ghost)
    watched.table.look_again()
    watched.see(watched.agreed())
    assert watched.see(watched.after("c3h")) == ["c3h"]


def test_win_ends_the_game_and_the_board_may_be_cleared():
    moves = "e2 a8h e3 c8h e4 a6h e5 c6h e6 a4h e7 c4h e8 a2h"
    late = Watched(*moves.split(" "))
    late.see(late.agreed())
    target = next(m for m in late.table.expected.legal if m.endswith("9") and len(m) == 2)
    assert late.see(late.after(target)) == [target]
    assert "Pac-Man won" in late.table.verdict.text
    assert late.see({}) == []
    assert "Pac-Man won" in late.table.verdict.text


def test_agreed_draw_ends_the_game_q_a13(watched):
    watched.table.draw()
    outcome = watched.table.outcome()
    assert outcome is not None
    assert outcome.winners == ()
    with pytest.raises(IllegalMove, match="drawn"):
        watched.table.check("e2")


def test_resumed_game_takes_the_board_as_it_stands():
    resumed = Watched("e2", "e8")
    assert resumed.see(resumed.after("e3")) == ["e3"]


# --- how the board stands to the game -------------------------------------------------------------

FAR = {"e4": "pacman", "e9": "blinky"}  # no move at all, wherever the board stood before


def is_led_through_hands(watched: Watched, position: Position) -> bool:
    """Tell whether what is to be done stays to be read while hands are on the board."""
    watched.see(position, 1.5)
    assert watched.table.verdict.kind is Kind.SET_UP
    said = watched.table.verdict
    watched.see(position, 0.5, moving=True)
    return watched.table.verdict is said


def test_a_new_game_is_led_until_the_board_is_set_up():
    fresh = Watched()
    assert fresh.table.must_follow
    assert is_led_through_hands(fresh, FAR)
    fresh.see(fresh.agreed())
    assert not fresh.table.must_follow


def test_who_says_that_an_unset_board_is_right_still_reads_what_belongs_there():
    fresh = Watched()
    fresh.table.look_again()
    assert fresh.table.verdict.text == "Put Pac-Man on e1 and put Blinky on e9."


def test_a_resumed_game_does_not_wait_for_the_board():
    resumed = Watched("e2", "e8")
    assert not resumed.table.must_follow
    assert resumed.table.verdict.text == "Pac-Man to move."
    resumed.see(FAR)
    assert resumed.table.verdict.kind is Kind.NOT_ALLOWED


def test_two_moves_at_once_on_a_board_that_may_not_have_followed_are_asked_about():
    resumed = Watched("e2", "e8")
    assert resumed.see(resumed.after("e3", "e7")) == []
    assert resumed.table.verdict.kind is Kind.UNSURE
    assert resumed.table.verdict.text == "Did Pac-Man go to e3?"


def test_a_move_that_was_seen_leaves_nothing_to_follow(watched):
    assert watched.see(watched.after("e2"), 0.3) == ["e2"]
    assert not watched.table.must_follow
    watched.see({"e2": "pacman", "e6": "blinky"}, 0.9)
    assert watched.table.verdict.kind is Kind.NOT_ALLOWED


def test_a_move_by_somebodys_word_alone_leaves_nothing_to_follow_either(watched):
    watched.table.play(["e2"], on_board=True)
    assert not watched.table.must_follow


def test_the_board_is_led_after_a_move_that_was_entered(watched):
    before = watched.agreed()
    watched.table.play(["e2"], on_board=False)
    assert watched.table.must_follow
    assert is_led_through_hands(watched, before)
    assert watched.table.must_follow
    watched.see(watched.agreed())
    assert not watched.table.must_follow


def test_two_more_moves_on_a_board_that_is_to_follow_are_led_back(watched):
    watched.table.play(["e2"], on_board=False)
    assert watched.see(watched.after("e8", "e3")) == []
    assert watched.table.verdict.kind is Kind.SET_UP


def test_the_board_is_led_after_a_move_of_the_companion(watched):
    before = watched.agreed()
    watched.table.play_own("e2")
    assert watched.table.must_follow
    assert is_led_through_hands(watched, before)


def test_the_board_is_led_after_a_move_was_taken_back(watched):
    after = watched.after("e2")
    watched.see(after)
    watched.table.take_back()
    assert watched.table.must_follow
    assert watched.table.verdict.text == "Pac-Man to move."  # the game goes on, it does not begin
    assert is_led_through_hands(watched, after)


def test_who_says_that_the_board_has_followed_reads_whose_turn_it_is(watched):
    watched.table.play(["e2"], on_board=False)
    watched.table.look_again()
    assert watched.table.verdict.text == "Blinky to move."


def test_a_board_that_served_something_else_is_to_be_set_up_again(watched):
    after = watched.after("e2")
    watched.table.set_up_again()
    assert watched.table.must_follow
    assert watched.see(after) == []
    assert watched.table.verdict.text == "Move Pac-Man from e2 to e1."
    assert is_led_through_hands(watched, after)
    watched.table.look_again()
    assert watched.table.verdict.text == "Put Pac-Man on e1 and put Blinky on e9."


def test_what_is_put_right_on_a_board_that_goes_along_is_well_at_once(watched):
    watched.see(FAR)
    assert watched.table.verdict.kind is Kind.NOT_ALLOWED
    watched.see(watched.agreed(), FRAME_SECONDS)
    assert watched.table.verdict.text == "Pac-Man to move."


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from("abcdefghi"), min_size=1, max_size=6), st.integers(0, 2**32))
def test_from_any_muddle_two_prompts_lead_back_to_play(columns, seed):
    """However wrong the sensors are, putting the board right or saying so ends the quarrel."""
    watched = Watched()
    watched.see(watched.agreed())
    muddle = {
        f"{c}{1 + (seed + n) % 8}{'hv'[(seed >> n) % 2]}": FENCE
        for n, c in enumerate(columns)
        if c != "i"
    }
    watched.see(watched.agreed() | muddle, 2.0)
    for _ in range(2):
        if watched.table.verdict.kind is Kind.WAITING:
            break
        watched.table.look_again()
        watched.see(watched.agreed() | muddle, 2.0)
    assert watched.table.verdict.kind in (Kind.WAITING, Kind.ACCEPTED)


def test_readings_judged_once_are_not_judged_twice(watched):
    moves = watched.table.judge(reading_of(watched.after("e2"), watched.time + 1))
    assert moves == ()
    moves = watched.table.judge(reading_of(watched.after("e2"), watched.time + 2))
    assert moves == ("e2",)
    watched.table.play(moves, on_board=True)
    assert watched.table.judge(reading_of(watched.agreed(), watched.time + 2.1)) == ()


def test_forced_pass_is_played_by_itself_q_a12():
    """Pac-Man on e1, out of fences, between two fences and behind two pawns, can do nothing."""
    rounds = """
        e2 b5 e8 h5  e1 c5 e7 i5  e2 d5 e6 h5  e1 e5 h8h i5  d1v e4 e5 h5
        e1v e3 e4 i5  a7h e2 e3 h5  c7h g6h g7h i5  a3h a5h c5h h5
    """
    shut = Table(find_game("quoridor4"), {}, FOUR, rounds.split())
    assert shut.expected.legal == ("pass",)
    position = dict(shut.expected.position)
    assert shut.judge(Reading(1.0, evidence_of(position))) == ("pass",)
    assert shut.play(("pass",), on_board=True) == "Pac-Man cannot move and passes."
    assert shut.state.to_act == 1
