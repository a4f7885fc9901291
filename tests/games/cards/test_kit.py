"""What everybody else learns of the card game: nothing that is secret."""

from random import Random

from hypothesis import given, settings

from companion.games.cards.kit import KITS
from companion.games.cards.player import Guess
from companion.games.cards.rules import Cards
from companion.games.catalogue import find_game
from companion.games.game import CHANCE, Effect, Rolls
from tests.games.cards.test_laws import games, wander

(KIT,) = KITS


@given(games)
@settings(max_examples=30, deadline=None)
def test_a_card_is_told_only_when_it_then_lies_open(states: list[Cards]) -> None:
    """CG-4, CG-5, CG-6"""
    for state in states:
        for move in state.legal_moves():
            rolled, name = state.effect(move).rolled, move.partition(":")[2]
            if state.to_act is not CHANCE:
                assert rolled == ""
                continue
            after = state.play(move)
            discard, players = after.view(None)["discard"], after.view(None)["players"]
            assert isinstance(discard, dict)
            assert isinstance(players, list)
            on_the_pile = discard.get(name, 0) > _discarded(state, name)
            hand = players[state.drawing]["open"]
            assert rolled == (name if on_the_pile or hand else "")


def _discarded(state: Cards, name: str) -> int:
    return state.discard[state.table.index[name]]


@given(games)
@settings(max_examples=30, deadline=None)
def test_meters_tell_nobody_more_than_a_seat_sees(states: list[Cards]) -> None:
    """CG-A29: in all deals that a seat cannot tell apart the others' meters say the same."""
    rng = Random(1)
    for state in states:
        for seat in range(state.seats):
            dealt = Guess(state, seat).deal(rng)
            for other in range(state.seats):
                assert KIT.meters(dealt, other) == KIT.meters(state, other)


def test_a_guessed_deal_gives_everybody_as_many_cards_as_they_hold() -> None:
    """CG-5: late in a long game almost only ghosts are left to be dealt, two to a hand at most."""
    rng = Random(1)
    for state in wander("1", 4, 28, "reshuffle", 0.9):
        for seat in range(state.seats):
            dealt = Guess(state, seat).deal(rng)
            assert [sum(hand) for hand in dealt.hands] == [sum(hand) for hand in state.hands]


def test_a_hand_is_counted_and_worth_something_once_it_lies_open() -> None:
    state = find_game("cards").start({"players": "2"})
    assert [meter.text for meter in KIT.meters(state, 0)] == ["0 cards in hand"]
    for move in ("draw", "deal:dot", "down", "draw", "deal:cherry", "down"):
        state = state.play(move)
        if state.to_act is not None:
            assert "worth" not in KIT.meters(state, 0)[0].text
    (meter,) = KIT.meters(state, 0)
    assert meter.text == "one card in hand, worth one point"
    assert meter.note == "shut down"
    assert meter.tokens == (("card", False),)


def test_the_deck_decides_and_no_move_goes_over_a_board() -> None:
    state = find_game("cards").start({})
    assert isinstance(state, Rolls)
    assert state.chance == "deck"
    assert state.effect("draw") == Effect()
