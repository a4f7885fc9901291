"""The card game in words: what everybody is told, what a seat reads, and who is refused."""

import re
from random import Random

import pytest
from hypothesis import given, settings

from companion.games.cards.kit import KITS
from companion.games.cards.player import Guess
from companion.games.cards.rules import Cards
from companion.games.game import CHANCE, Hides, Tells
from tests.games.cards.test_laws import games
from tests.games.cards.test_rules import NAMES, after, holding, refused, start

(KIT,) = KITS
HANDS = KIT.hands
assert HANDS is not None


def told(state: Cards, move: str) -> str:
    return state.told(move, NAMES)


@pytest.mark.parametrize(
    ("words", "move", "said"),
    [
        ("", "draw", "Ann draws a card"),
        ("draw", "deal:dot", "it goes into the hand unseen"),
        ("draw", "deal:skip", "it is a SKIP"),
        ("draw", "deal:giveghost", "it is a GIVE-GHOST, which has no effect and is discarded"),
        ("skip", "skip:2", "Ann lets Ben skip a turn"),
        ("skip skip:2", "stop", "Ann stops; Ben skips a turn"),
        ("swap", "swap:2-3", "Ben and Cleo swap hands"),
        ("choosedraw", "choose:2-3", "Ann has Ben draw 3 cards next turn"),
        ("choosedraw", "choose:1-1", "Ann has chosen to draw one card next turn"),
        ("draw deal:alldraw", "deal:dot", "Ann takes a card in hand unseen"),
        ("draw deal:alldraw", "deal:skip", "Ann gets a SKIP, which is discarded without effect"),
        ("draw", "deal:alldraw", "it is an ALL-DRAW"),
        ("dot", "down", "Ann shuts down with one card"),
        ("", "down", "Ann shuts down with no card"),
        ("dot stop dot passleft", "pass:dot", "Ben has chosen a card to pass"),
    ],
)
def test_what_happens_is_told_without_a_card_that_lies_face_down(
    words: str, move: str, said: str
) -> None:
    assert told(after(start(), words), move) == said


def test_a_knock_out_is_told_with_what_brought_it() -> None:
    state = holding(start(), "ghost ghost", "ghost ghost")
    assert told(after(state, "draw"), "deal:ghost") == (
        "Ann gets a third ghost; Ann is knocked out"
    )
    assert told(after(state, "draw deal:giveghost"), "give:2") == (
        "Ann gives Ben a ghost; Ben is knocked out"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "Ann to draw or shut down"),
        ("dot", "Ann to draw, stop or shut down"),
        ("dot dot dot", "Ann to stop or shut down"),
        ("choosedraw", "Ann to choose who draws how many"),
        ("choosedraw choose:2-2 stop", "Ben to draw 2 cards"),
        ("choosedraw choose:2-2 stop dot", "Ben to draw one more card"),
        ("dot stop dot passleft", "Ben to choose a card for the left"),
        ("draw", "Ann gets a card"),
    ],
)
def test_who_is_awaited_is_told(words: str, said: str) -> None:
    assert after(start(), words).awaited(NAMES) == said


def test_with_the_other_reading_one_may_shut_down_before_the_chosen_number() -> None:
    """CG-A9, by the option ``shutDown``."""
    state = after(start(shutDown="any"), "choosedraw choose:2-2 stop")
    assert state.legal_moves() == ["down", "draw"]
    assert state.awaited(NAMES) == "Ben to draw 2 cards or to shut down"
    assert refused(state, "stop")[0] == "CG-A9"
    assert after(state, "dot dot").legal_moves() == ["down", "stop"]
    assert after(state, "dot down").status[1] == "down"
    assert after(start(), "choosedraw choose:2-2 stop").legal_moves() == ["draw"]


def test_a_hand_is_told_with_its_points_and_its_danger() -> None:
    state = holding(start(), "dot cherry ghost", "ghost ghost")
    mine, next_ones = (HANDS.hand(state, seat, NAMES) for seat in (0, 1))
    assert mine["text"] == "3 cards, 3 points, one ghost."
    assert next_ones["text"] == "2 cards, 0 points, two ghosts: one more knocks you out."
    assert [card["title"] for card in mine["cards"]] == ["PAC-dot", "cherry", "ghost"]
    assert [each["legal"] for each in mine["choices"]] == [True, False, True]
    assert (mine["yours"], next_ones["yours"]) == (True, False)
    assert next_ones["choices"] == []
    assert next_ones["ask"] == ""


def test_choices_are_said_as_one_would_say_them() -> None:
    swap = HANDS.hand(after(start(), "swap"), 0, NAMES)
    assert [each["text"] for each in swap["choices"]] == [
        *("You and Ben", "You and Cleo", "Ben and Cleo"),
    ]
    choose = HANDS.hand(after(start(), "choosedraw"), 0, NAMES)
    assert choose["choices"][0]["text"] == "You draw one card"
    assert choose["choices"][-1]["text"] == "Cleo draws 3 cards"
    assert choose["said"]["choose:3-3"] == "Cleo draws 3 cards"


def test_lamps_tell_who_skips_and_who_is_out() -> None:
    state = after(holding(start(), "ghost ghost"), "skip skip:2")
    assert [HANDS.lamp(state, seat) for seat in range(3)] == ["", "skips", ""]
    state = after(state, "ghost")
    assert HANDS.lamp(state, 0) == "out"
    assert HANDS.lamp(after(state, "down"), 2) == "down"


@given(games)
@settings(max_examples=30, deadline=None)
def test_words_for_everybody_are_the_same_whatever_is_hidden(states: list[Cards]) -> None:
    """In all deals that a seat cannot tell apart, everybody is told the same; the seat, too."""
    rng = Random(2)
    for state in states[::3]:
        assert isinstance(state, Hides)
        assert isinstance(state, Tells)
        for seat in range(state.seats):
            other = Guess(state, seat).deal(rng)
            assert HANDS.table(other, NAMES) == HANDS.table(state, NAMES)
            assert HANDS.hand(other, seat, NAMES) == HANDS.hand(state, seat, NAMES)
            assert other.awaited(NAMES) == state.awaited(NAMES)
            for move in (
                "draw",
                "down",
                "pass:ghost",
                "deal:dot",
                "give:1",
                "swap:1-2",
                "nonsense",
            ):
                assert other.why_not_for(seat, move) == state.why_not_for(seat, move)


@given(games)
@settings(max_examples=30, deadline=None)
def test_a_move_is_opened_exactly_when_its_card_then_lies_open(states: list[Cards]) -> None:
    for state in states[::2]:
        for move in state.legal_moves():
            opened = state.opened(move)
            if opened != move:
                assert opened in ("deal:?", "pass:?")
                assert state.effect(move).rolled == ""
            elif state.to_act is CHANCE:
                assert state.effect(move).rolled == move.partition(":")[2]
            else:
                assert not re.match("pass:", move)
