"""Pieces between squares and fences that lie loose, as the referee judges them."""

import math
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import FENCE, Change, Position, Reading, Sighting, Spot, patches
from companion.games.catalogue import find_game, find_kit
from companion.games.game import Move, State
from companion.games.pacman.rules import Pacman, arrange
from companion.referee.explain import Expectation, real_position
from companion.referee.judge import Company, guide, judge
from companion.referee.table import Table
from companion.referee.verdict import Kind, Verdict
from companion.sensing.vision.placed import placed
from companion.service.seating import seat
from tests.counts import examples

from .seeing import BOARD, TWO, after, evidence_of

START = {"e1": "pacman", "e9": "blinky"}
PACMAN = find_game("pacman")
HUNT = seat(BOARD, (), find_kit("pacman"))


def off(spot: Spot, east_mm: float = 0.0, north_mm: float = 0.0, thing: str = "pacman") -> Sighting:
    """Return a thing that is seen so far from the middle of a square."""
    x, y = BOARD.at(spot)
    return BOARD.sighting(thing, x + east_mm, y + north_mm, 8.0)


def seen(position: Position, sightings: Iterable[Sighting], time: float = 0.0) -> Reading:
    """Return the reading of a position with some pieces where they are sighted instead."""
    sightings = tuple(sightings)
    moved = {sighting.thing for sighting in sightings}
    rest = {spot: thing for spot, thing in position.items() if thing == FENCE or thing not in moved}
    return Reading(time, placed(evidence_of(rest), sightings), sightings=sightings)


def verdict_on(reading: Reading, state: State | None = None, who: Company = TWO) -> Verdict:
    state = state or after("quoridor", "")
    return judge(Expectation(state, who.cast), reading, who)


@pytest.mark.parametrize(("east", "north"), [(6.0, 0.0), (0.0, -8.0), (-6.0, 6.0)])
def test_a_legal_move_that_ends_a_little_off_the_middle_is_accepted(east, north):
    verdict = verdict_on(seen(START, [off("e2", east, north)]))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e2",))


@pytest.mark.parametrize(("east", "north"), [(11.5, 0.0), (0.0, 11.5), (8.5, -8.5)])
def test_a_pawn_further_off_is_asked_about(east, north):
    verdict = verdict_on(seen(START, [off("e2", east, north)]))
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, ("e2",))


def test_a_pawn_on_the_edge_of_a_square_is_to_be_pushed_to_its_middle():
    verdict = verdict_on(seen(START, [off("e2", 13.5)]))
    assert verdict.text == "Push Pac-Man to the middle of e2."
    assert verdict.repair == (Change("pacman", "e2", "e2"),)
    assert verdict.places == ("e2",)


def test_a_pawn_that_was_only_knocked_aside_is_to_be_pushed_back():
    verdict = verdict_on(seen(START, [off("e1", 13.5)]))
    assert verdict.text == "Push Pac-Man to the middle of e1."


def test_a_pawn_as_near_to_a_forbidden_square_is_meant_for_the_allowed_one():
    between = off("d2", 14.3)  # d2 is two steps away
    assert between.spot == "d2"
    assert verdict_on(seen(START, [between])).text == "Push Pac-Man to the middle of e2."


def test_a_pawn_on_the_edge_of_a_forbidden_square_is_refused_with_the_reason():
    verdict = verdict_on(seen(START, [off("e4", 0.0, 13.0)]))
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.repair == (Change("pacman", "e4", "e1"),)


def test_a_crooked_pawn_of_another_seat_does_not_keep_a_move_from_being_accepted():
    verdict = verdict_on(seen({"e2": "pacman", "e9": "blinky"}, [off("e9", 13.0, 0.0, "blinky")]))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e2",))


@given(st.sampled_from(BOARD.squares), st.floats(5.0, 14.0), st.floats(0.0, 2 * math.pi))
@settings(max_examples=examples(100, 5000))
def test_a_pawn_that_is_seen_is_never_off_the_board(spot, away, turn):
    sighting = off(spot, away * math.cos(turn), away * math.sin(turn))
    if sighting.spot == "e9":
        return  # Blinky stands there
    verdict = verdict_on(seen(START, [sighting]))
    assert "off the board" not in verdict.text
    if verdict.kind is Kind.ACCEPTED:
        assert verdict.moves == (sighting.spot,)
    if spot == "e1":
        assert verdict.kind is not Kind.NOT_ALLOWED
    else:
        assert verdict.kind is not Kind.WAITING


def test_a_companions_move_that_ends_between_squares_is_to_be_pushed_home():
    corner = off("e1", 14.4, 14.4)
    advice = guide(Expectation(after("quoridor", ""), TWO.cast), seen(START, [corner]), TWO)
    assert advice is not None
    assert advice.text == "Push Pac-Man to the middle of e1."


# --- a ghost beside a pellet ------------------------------------------------------------------


def hunt(pacman: Spot, *pellets: Spot) -> State:
    start = PACMAN.start({})
    assert isinstance(start, Pacman)
    ghosts = {"blinky": "b9", "inky": "i5", "pinky": "a5", "clyde": "e1"}
    return arrange(start.ground, pacman, ghosts, pellets)


def beside_pellet() -> State:
    return hunt("e5", "a9", "i9").play("e6-e5")


@pytest.mark.parametrize(("east", "north"), [(9.4, 9.4), (-9.4, 9.4), (0.0, -13.3)])
def test_a_ghost_beside_a_pellet_on_its_square_is_told_why_not_sv_10(east, north):
    state = beside_pellet()
    sighting = off("a9", east, north, "blinky")
    verdict = verdict_on(seen(state.position(), [sighting]), state, HUNT)
    assert (verdict.kind, verdict.rule) == (Kind.NOT_ALLOWED, "SV-10")
    assert verdict.repair == (Change("blinky", "a9", "b9"),)


def test_a_ghost_that_hides_the_pellet_beside_it_is_told_the_same_sv_10():
    state = beside_pellet()
    bare = {spot: thing for spot, thing in state.position().items() if spot != "a9"}
    verdict = verdict_on(seen(bare, [off("a9", 9.4, 9.4, "blinky")]), state, HUNT)
    assert (verdict.kind, verdict.rule) == (Kind.NOT_ALLOWED, "SV-10")


def test_pac_man_who_half_hides_the_pellet_he_came_to_eat_is_not_off_the_board():
    state = hunt("b2", "a1", "i9")
    arrived = {"b2": {"pacman": -8.0}, "a1": {"pacman": 5.0, "pellet": 8.0}}
    verdict = verdict_on(Reading(0.0, evidence_of(state.position()) | arrived), state, HUNT)
    assert verdict.kind is Kind.UNSURE
    assert all(move.endswith("a1") for move in verdict.moves)


# --- loose fences -----------------------------------------------------------------------------


def test_a_loose_fence_is_to_be_taken_off_and_its_place_is_told():
    verdict = verdict_on(seen(START, [off("c5", 4.0, 9.0, FENCE)]))
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.text == "A fence lies loose near c5. Take it off."
    assert verdict.places == ("c5",)


def test_loose_fences_are_told_together():
    verdict = verdict_on(seen(START, [off("c5", thing=FENCE), off("f7", thing=FENCE)]))
    assert verdict.text == "Fences lie loose near c5 and f7. Take them off."
    assert verdict.places == ("c5", "f7")


def test_a_loose_fence_does_not_keep_a_move_from_being_accepted():
    verdict = verdict_on(seen({"e2": "pacman", "e9": "blinky"}, [off("c5", thing=FENCE)]))
    assert (verdict.kind, verdict.moves) == (Kind.ACCEPTED, ("e2",))


def test_a_loose_fence_is_told_while_the_board_is_set_up():
    expected = Expectation(after("quoridor", ""), TWO.cast)
    advice = guide(expected, seen(START, [off("c5", thing=FENCE)]), TWO)
    assert advice is not None
    assert (advice.kind, advice.places) == (Kind.SET_UP, ("c5",))


def test_a_fence_over_a_slot_that_another_crosses_is_to_be_taken_off():
    state = after("quoridor", "e3h")
    raised = {"e3e": {FENCE: 4.0}, "e4e": {FENCE: -1.0}}
    reading = Reading(0.0, evidence_of({**START, "e3h": FENCE}) | raised)
    verdict = verdict_on(reading, state)
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.text == "The fence near e3v does not fit there. Take it off."
    assert "e3x" in verdict.places


def raised(slot: Spot, position: Position) -> Reading:
    """Return the reading of a fence that lies over a slot with one end high out of it."""
    first, middle, last = patches(slot)
    over = {first: {FENCE: 4.0}, middle: {FENCE: 4.0}, last: {FENCE: -8.0}}
    return Reading(0.0, evidence_of(position) | over)


def test_a_fence_that_is_not_all_the_way_in_is_a_question_where_it_is_allowed():
    verdict = verdict_on(raised("c4h", START))
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, ("c4h",))
    assert verdict.text == "A fence near c4h is not all the way in."
    assert verdict.places == patches("c4h")


def test_a_fence_that_is_not_all_the_way_in_is_no_move_where_it_is_not_allowed():
    state = after("quoridor", "d8v a1h e8v c1h")  # on e7h it would shut Blinky in
    verdict = verdict_on(raised("e7h", real_position(state, TWO.cast)), state)
    assert (verdict.kind, verdict.moves) == (Kind.WAITING, ())
    assert verdict.text == "A fence near e7h is not all the way in."
    assert verdict.places == patches("e7h")


def test_a_sure_move_is_asked_about_while_a_fence_elsewhere_is_not_all_the_way_in():
    verdict = verdict_on(raised("c4h", {"e2": "pacman", "e9": "blinky"}))
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, ("e2",))
    assert verdict.text == "Did Pac-Man go to e2?"


def doubted(slot: Spot, position: Position) -> Reading:
    """Return the reading of a position with a fence that seems not to be all the way in."""
    unseen = {patch: {FENCE: -1.0} for patch in patches(slot)}
    return Reading(0.0, evidence_of(position) | unseen, half_in=frozenset((slot,)))


def test_a_fence_that_may_not_be_all_the_way_in_is_asked_about():
    verdict = verdict_on(doubted("c4h", START))
    assert (verdict.kind, verdict.moves) == (Kind.UNSURE, ("c4h",))
    assert verdict.text.endswith(
        "Is this Pac-Man's move: c4h? If it is a fence, push it all the way in."
    )


def test_nothing_else_is_this_players_move_while_such_a_fence_stands_there():
    moved = {"e2": "pacman", "e9": "blinky"}
    assert verdict_on(doubted("c4h", moved)).kind is not Kind.ACCEPTED
    fenced = START | {"f6v": FENCE}
    assert verdict_on(doubted("c4h", fenced)).kind is not Kind.ACCEPTED


def test_such_a_fence_is_refused_with_the_reason_where_it_is_not_allowed():
    state = after("quoridor", "d8v a1h e8v c1h")
    verdict = verdict_on(doubted("e7h", real_position(state, TWO.cast)), state)
    assert verdict.kind is Kind.NOT_ALLOWED
    assert "shut" in verdict.text


# --- with patience ----------------------------------------------------------------------------


def watched(table: Table, sightings: Iterable[Sighting], since: float) -> Verdict:
    sightings = tuple(sightings)
    for number in range(20):
        table.judge(seen(START, sightings, since + number / 15))
    return table.verdict


def test_what_people_say_may_stay_crooked_is_left_until_it_moves():
    table = Table(find_game("quoridor"), {}, TWO)
    assert watched(table, [], 1.0).kind is Kind.WAITING
    loose = [off("c5", thing=FENCE)]
    assert watched(table, loose, 10.0).kind is Kind.NOT_ALLOWED
    table.look_again()
    assert watched(table, loose, 20.0).text == "Pac-Man to move."
    assert watched(table, [off("f7", thing=FENCE)], 30.0).places == ("f7",)


def test_what_is_only_felt_may_be_between_squares_as_well_as_in_a_hand() -> None:
    felt = Reading(0.0, evidence_of({"e9": "blinky"}), seen=False)
    verdict = judge(Expectation(after("quoridor", ""), TWO.cast), felt, TWO)
    assert verdict.kind is Kind.WAITING
    assert verdict.text == "Pac-Man is off the board, or between squares."


def test_hands_that_straighten_a_piece_are_told_as_hands_again() -> None:
    table = Table(find_game("quoridor"), {}, TWO)
    assert watched(table, [], 1.0).kind is Kind.WAITING
    aside = [off("e1", 13.5)]
    assert watched(table, aside, 10.0).text == "Push Pac-Man to the middle of e1."
    table.judge(replace(seen(START, aside, 12.0), moving=True))
    assert table.verdict.kind is Kind.HANDS


def shown(table: Table, reading: Reading, since: float) -> list[Move]:
    """Show a reading for a second; return the moves that are accepted, and play them."""
    played: list[Move] = []
    for number in range(16):
        moves = table.judge(replace(reading, time=since + number / 15))
        if moves:
            table.play(moves, on_board=True)
            played += moves
    return played


@pytest.mark.parametrize("answer", ["e8", "f6v"])
def test_who_goes_on_without_a_word_has_answered_the_question_about_a_fence(answer):
    table = Table(find_game("quoridor"), {}, TWO)
    shown(table, seen(START, []), 1.0)
    assert shown(table, doubted("c4h", START), 10.0) == []
    assert table.verdict.moves == ("c4h",)
    then = START | ({answer: FENCE} if len(answer) == 3 else {})
    if len(answer) == 2:
        then = {"e1": "pacman", answer: "blinky"}
    assert shown(table, doubted("c4h", then), 20.0) == ["c4h", answer]


def test_a_faint_fence_that_was_asked_about_is_played_when_the_other_pawn_goes_on():
    table = Table(find_game("quoridor"), {}, TWO)
    shown(table, seen(START, []), 1.0)
    faint = {patch: {FENCE: 1.5} for patch in patches("c4h")}
    assert shown(table, Reading(0.0, evidence_of(START) | faint), 10.0) == []
    assert (table.verdict.kind, table.verdict.moves) == (Kind.UNSURE, ("c4h",))
    then = evidence_of({"e1": "pacman", "e8": "blinky"}) | faint
    assert shown(table, Reading(0.0, then), 20.0) == ["c4h", "e8"]


def test_a_faint_fence_that_nobody_asked_about_is_no_move_when_the_other_pawn_moves():
    table = Table(find_game("quoridor"), {}, TWO)
    shown(table, seen(START, []), 1.0)
    faint = {patch: {FENCE: 1.5} for patch in patches("c4h")}
    then = evidence_of({"e1": "pacman", "e8": "blinky"}) | faint
    assert shown(table, Reading(0.0, then), 20.0) == []


def test_two_fences_that_came_together_are_still_asked_about():
    table = Table(find_game("quoridor"), {}, TWO)
    shown(table, seen(START, []), 1.0)
    assert shown(table, doubted("c4h", START | {"f6v": FENCE}), 10.0) == []
    assert table.verdict.kind is Kind.UNSURE
