"""What the referee makes of evidence, with no regard to time."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import FENCE, Change, Place, Reading, Thing, patches
from companion.games.catalogue import find_game
from companion.games.game import State
from companion.referee.changes import DOUBT, slots_over
from companion.referee.explain import Expectation, real_position
from companion.referee.judge import guide, judge
from companion.referee.verdict import Kind, Verdict

from .seeing import BOARD, FOUR, PATCH, TWO, after, evidence_of, reading_of


def verdict_on(state: State, reading: Reading, who=TWO) -> Verdict:
    return judge(Expectation(state, who.cast), reading, who)


def shown(state: State, who=TWO) -> dict[str, str]:
    return dict(real_position(state, who.cast))


def test_board_as_agreed_is_waiting_for_the_seat_to_move():
    state = after("quoridor", "e2 e8")
    verdict = verdict_on(state, reading_of(shown(state)))
    assert (verdict.kind, verdict.text) == (Kind.WAITING, "Pac-Man to move.")


def test_no_evidence_at_all_is_waiting():
    assert verdict_on(after("quoridor", "e2"), Reading(0.0, {})).kind is Kind.WAITING


@pytest.mark.parametrize("move", ["e2", "d1", "e3h", "a1v", "h8h"])
def test_each_kind_of_legal_move_is_accepted(move):
    start = after("quoridor", "")
    verdict = verdict_on(start, reading_of(shown(start.play(move))))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, (move,))


def test_move_of_both_pawns_is_accepted_together():
    verdict = verdict_on(after("quoridor", ""), reading_of(shown(after("quoridor", "e2 e8"))))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e2", "e8"))


def test_fence_and_the_other_pawn_are_accepted_together():
    verdict = verdict_on(after("quoridor", ""), reading_of(shown(after("quoridor", "e3h e8"))))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e3h", "e8"))


@pytest.mark.parametrize("moves", ["e2 e3h", "a1h g7v"])
def test_fence_that_came_with_another_move_is_asked_about_q_a19(moves):
    verdict = verdict_on(after("quoridor", ""), reading_of(shown(after("quoridor", moves))))
    assert verdict.kind is Kind.UNSURE
    assert len(verdict.moves) == 1
    assert "If Blinky put it there" in verdict.text


def test_move_out_of_turn_is_refused_with_both_names():
    seen = {"e1": "pacman", "e8": "blinky"}
    verdict = verdict_on(after("quoridor", ""), reading_of(seen))
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.text == ("It is Pac-Man's turn, but Blinky moved. Move Blinky from e8 to e9.")
    assert verdict.repair == (Change("blinky", "e8", "e9"),)


@pytest.mark.parametrize("hidden", [{}, dict.fromkeys(("pacman", "blinky"), 0.0)])
def test_a_pawn_seen_elsewhere_has_left_a_square_that_cannot_be_seen(hidden):
    seen = shown(after("quoridor", "e2 e8"))
    verdict = verdict_on(after("quoridor", ""), reading_of(seen, changed={"e9": hidden}))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e2", "e8"))
    astray = reading_of({"e2": "pacman", "g8": "blinky"}, changed={"e9": hidden})
    assert verdict_on(after("quoridor", ""), astray).kind is Kind.NOT_ALLOWED


def test_illegal_jump_is_refused_with_the_rule():
    verdict = verdict_on(after("quoridor", ""), reading_of({"e3": "pacman", "e9": "blinky"}))
    assert (verdict.kind, verdict.rule) == (Kind.NOT_ALLOWED, "Q-10")
    assert "no pawn on e2 to jump over" in verdict.text
    assert verdict.repair == (Change("pacman", "e3", "e1"),)


def test_fence_that_shuts_a_player_in_is_refused_by_name():
    state = after("quoridor", "d8v a1h e8v c1h")  # Pac-Man closes the box round e9 next
    seen = shown(state) | {"e7h": FENCE}
    verdict = verdict_on(state, reading_of(seen))
    assert verdict.rule == "Q-9"
    assert "shut Blinky in" in verdict.text
    assert verdict.repair == (Change(FENCE, "e7h", None),)


def test_lifted_fence_must_go_back_q_a7():
    state = after("quoridor", "e3h")
    seen = {k: v for k, v in shown(state).items() if v != FENCE}
    verdict = verdict_on(state, reading_of(seen))
    assert (verdict.kind, verdict.rule) == (Kind.NOT_ALLOWED, "Q-A7")
    assert verdict.repair == (Change(FENCE, None, "e3h"),)


def test_pawn_and_fence_in_one_turn_are_one_too_many_q_a19():
    state = after("quoridor", "")
    seen = shown(state.play("e2")) | {"a1h": FENCE, "g3v": FENCE}
    verdict = verdict_on(state, reading_of(seen))
    assert verdict.kind is Kind.NOT_ALLOWED
    four = after("quoridor4", "")
    seen = shown(four.play("e2"), FOUR) | {"a1h": FENCE, "g3v": FENCE}
    verdict = verdict_on(four, reading_of(seen), FOUR)
    assert (verdict.kind, verdict.rule) == (Kind.NOT_ALLOWED, "Q-A19")
    assert len(verdict.repair) == 2  # one of the three may stay


def test_pawn_in_the_hand_is_waited_for():
    verdict = verdict_on(after("quoridor", ""), reading_of({"e9": "blinky"}))
    assert (verdict.kind, verdict.text) == (Kind.WAITING, "Pac-Man is off the board.")


def test_piece_that_does_not_play_is_sent_away():
    state = after("quoridor", "")
    verdict = verdict_on(state, reading_of(shown(state) | {"c4": "clyde"}))
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.text == "Clyde does not play in this game. Take Clyde off the board."


def test_a_pellet_in_a_game_without_any_is_sent_away():
    state = after("quoridor", "")
    verdict = verdict_on(state, reading_of(shown(state) | {"c4": "pellet"}))
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.text.startswith("Pellets do not play in this game.")


def test_a_gleam_like_a_pellet_stops_no_legal_move():
    state = after("quoridor", "")
    verdict = verdict_on(state, reading_of(shown(state.play("e2")) | {"e1": "pellet"}))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e2",))


def test_pawn_put_back_is_no_move_q_a17():
    state = after("quoridor", "e2 e8")
    assert verdict_on(state, reading_of(shown(state))).moves == ()


def half_in(slot: str) -> dict[Place, dict[Thing, float]]:
    """Return the evidence of a fence with one end still out of the groove."""
    first, middle, last = patches(slot)
    return {first: {FENCE: PATCH}, middle: {FENCE: PATCH}, last: {FENCE: -PATCH}}


def test_fence_half_way_in_is_a_question_never_a_move_q_a18():
    state = after("quoridor", "")
    verdict = verdict_on(state, reading_of(shown(state), changed=half_in("e3h")))
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, ("e3h",))


def test_one_bad_patch_is_never_a_move():
    state = after("quoridor", "")
    for patch in ("e3n", "e3x", "e3e"):
        verdict = verdict_on(state, reading_of(shown(state), changed={patch: {FENCE: PATCH}}))
        assert verdict.kind is not Kind.ACCEPTED


def test_gap_between_two_fences_in_a_line_is_no_third_fence():
    state = after("quoridor", "d8v e8 d6v e9")
    verdict = verdict_on(state, reading_of(shown(state), changed={"d7x": {FENCE: PATCH}}))
    assert (verdict.kind, verdict.text) == (Kind.WAITING, "Pac-Man to move.")
    alone = verdict_on(state, reading_of(shown(state), changed={"f5x": {FENCE: PATCH}}))
    assert "not all the way in" in alone.text


def test_gap_beside_a_fence_that_was_just_put_down_is_no_loose_fence():
    state = after("quoridor", "d8v e8")
    seen = reading_of(shown(state.play("d6v")), changed={"d7x": {FENCE: PATCH}})
    verdict = verdict_on(state, seen)
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("d6v",))


def test_hint_of_a_fence_is_no_loose_fence():
    state = after("quoridor", "")
    verdict = verdict_on(state, reading_of(shown(state), changed={"e3x": {FENCE: DOUBT}}))
    assert (verdict.kind, verdict.text) == (Kind.WAITING, "Pac-Man to move.")


def test_slots_over_a_patch_are_those_whose_fence_covers_it():
    slots = [f"{column}{row}{way}" for column in "abcdefgh" for row in range(1, 9) for way in "hv"]
    for patch in BOARD.patches:
        assert sorted(slots_over(patch)) == [
            slot for slot in sorted(slots) if patch in patches(slot)
        ]


def test_gap_that_looks_filled_is_no_first_move_of_two():
    state = after("quoridor4", "f4h b5 e8 h5 h4h c5 e7")
    moved = {spot: thing for spot, thing in shown(state, FOUR).items() if thing != "pacman"}
    moved["d1"] = "pacman"
    verdict = verdict_on(state, reading_of(moved, changed={"g4x": {FENCE: PATCH}}), FOUR)
    assert (verdict.kind, verdict.rule) == (Kind.NOT_ALLOWED, "Q-5")


def test_fence_across_a_gap_is_still_seen():
    state = after("quoridor", "f4h e8 h4h e7")
    verdict = verdict_on(state, reading_of(shown(state.play("g4v"))))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("g4v",))


def test_two_likely_targets_are_asked_about():
    state = after("quoridor", "")
    torn = {"e1": {"pacman": -8.0}, "e2": {"pacman": 5.0}, "d1": {"pacman": 4.5}}
    verdict = verdict_on(state, reading_of(shown(state), changed=torn))
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, ("e2", "d1"))
    assert verdict.text == "Which move did Pac-Man make: e2 or d1?"


@pytest.mark.parametrize(
    ("seen", "moves"),
    [
        ({"e1": {"pacman": 4.0}, "e2": {"pacman": 8.0}}, ("e2",)),  # still on e1, perhaps
        ({"e1": {"pacman": -8.0}, "e2": {"pacman": 8.0}, "d1": {"pacman": 4.0}}, ("e2", "d1")),
    ],
)
def test_pawn_that_shows_on_two_squares_is_asked_about(seen, moves):
    state = after("quoridor", "")
    verdict = verdict_on(state, reading_of(shown(state), changed=seen))
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, moves)


def test_nothing_is_accepted_under_a_hand():
    state = after("quoridor", "")
    seen = evidence_of(shown(state.play("e2")))
    hand = frozenset({"a9", "a8", "b9", "b8"})
    assert verdict_on(state, Reading(0.0, seen, covered=hand)).kind is Kind.HANDS
    assert verdict_on(state, Reading(0.0, seen, moving=True)).kind is Kind.HANDS


def test_crumb_on_the_board_hides_only_what_lies_under_it():
    state = after("quoridor", "")
    seen = evidence_of(shown(state.play("e3h")))
    assert verdict_on(state, Reading(0.0, seen, covered=frozenset({"a9"}))).moves == ("e3h",)
    under = verdict_on(state, Reading(0.0, seen, covered=frozenset(patches("e3h"))))
    assert under.kind is Kind.WAITING


def test_set_up_names_what_is_missing():
    expected = Expectation(after("quoridor", ""), TWO.cast)
    advice = guide(expected, reading_of({"e1": "pacman", "c3h": FENCE}), TWO)
    assert advice is not None
    assert advice.kind is Kind.SET_UP
    assert advice.text == "Take the fence on c3h off and put Blinky on e9."
    assert guide(expected, reading_of(expected.position), TWO) is None


def wander(seed: int, game: str) -> State:
    rng = random.Random(seed)
    state = find_game(game).start({})
    for _ in range(rng.randrange(30)):
        following = state.play(rng.choice(state.legal_moves()))
        if following.outcome() is not None:
            break
        state = following
    return state


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["quoridor", "quoridor4"]))
def test_every_legal_move_is_recognised_anywhere(seed, game):
    state, who = wander(seed, game), TWO if game == "quoridor" else FOUR
    rng = random.Random(seed)
    for move in rng.sample(state.legal_moves(), min(6, len(state.legal_moves()))):
        if move != "pass":
            verdict = verdict_on(state, reading_of(shown(state.play(move), who)), who)
            assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, (move,))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_illegal_fences_are_refused_with_a_reason_and_a_way_back(seed):
    state = wander(seed, "quoridor")
    before = shown(state)
    legal = set(state.legal_moves())
    rng = random.Random(seed)
    slot = rng.choice("abcdefgh") + rng.choice("12345678") + rng.choice("hv")
    taken = {patch for spot, thing in before.items() if thing == FENCE for patch in patches(spot)}
    if slot in legal or taken & set(patches(slot)):
        return
    verdict = verdict_on(state, reading_of(before | {slot: FENCE}))
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.rule
    assert verdict.repair == (Change(FENCE, slot, None),)


def test_set_up_leads_first_to_the_piece_whose_place_is_free():
    expected = Expectation(after("quoridor", ""), TWO.cast)
    advice = guide(expected, reading_of({"e9": "pacman", "d5": "blinky"}), TWO)
    assert advice is not None
    assert advice.text == "Move Pac-Man from e9 to e1 and move Blinky from d5 to e9."
