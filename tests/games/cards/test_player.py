"""The player of the card game: it decides from what its seat sees, and from nothing else."""

from dataclasses import replace
from random import Random

import pytest

from companion.games.cards.player import Gambler, Guess
from companion.games.cards.rules import Cards
from companion.games.catalogue import find_game
from companion.games.game import CHANCE, leave_to_chance
from companion.players.player import Limits


def start(**options: str) -> Cards:
    state = find_game("cards").start(options)
    assert isinstance(state, Cards)
    return state


def decisions(seed: int, **options: str) -> list[Cards]:
    """Return the states of a random game in which somebody has a choice."""
    state, rng, found = start(**options), Random(seed), []
    while state.to_act is not None:
        if state.to_act is CHANCE:
            state = state.play(leave_to_chance(state, rng))
            continue
        moves = state.legal_moves()
        if len(moves) > 1 and sum(map(sum, state.hands)) > 2:
            found.append(state)
        calm = [move for move in moves if move != "down"]
        state = state.play(rng.choice(calm or moves))
    return found


def swapped(state: Cards, seat: int, rng: Random) -> Cards:
    """Return the state with what the seat cannot see dealt anew: other hands and the deck."""
    kinds = state.table.cards.kinds
    plain = [n for n, card in enumerate(kinds) if not card.is_power and card.role != "ghost"]
    deck, hands = list(state.deck), [list(hand) for hand in state.hands]
    for other, hand in enumerate(hands):
        if other == seat or state.status[other] == "out":
            continue
        for kind in plain:
            for _ in range(hand[kind]):
                drawn = rng.choice([n for n in plain if deck[n]] or [kind])
                if deck[drawn]:
                    for pile, given, taken in ((hand, drawn, kind), (deck, kind, drawn)):
                        pile[given] += 1
                        pile[taken] -= 1
    return replace(state, deck=tuple(deck), hands=tuple(map(tuple, hands)))


@pytest.mark.parametrize("level", [1, 5, 10])
def test_what_is_hidden_does_not_change_the_choice(level: int) -> None:
    rng, different = Random(8), 0
    limits = Limits(nodes=60)
    for seed in range(8):
        for state in decisions(seed, level="bonus", players="3")[:6]:
            seat = state.to_act
            assert seat is not None
            other = swapped(state, seat, rng)
            assert other.view(seat) == state.view(seat)
            different += other != state
            chosen = Gambler(level).choose(state, Random(seed), limits)
            assert Gambler(level).choose(other, Random(seed), limits) == chosen
    assert different > 10


def test_a_guess_looks_to_the_seat_like_the_truth() -> None:
    rng = Random(1)
    for seed in range(6):
        for state in decisions(seed, level="bonus", players="4"):
            seat = state.to_act
            assert seat is not None
            dealt = Guess(state, seat).deal(rng)
            assert dealt.view(seat) == state.view(seat)
            assert sum(dealt.deck) == sum(state.deck)


def test_two_ghosts_and_the_lead_are_reason_enough_to_stop() -> None:
    state = start(players="2")
    index, ghost = state.table.index, state.table.ghost
    mine, theirs = list(state.table.none), list(state.table.none)
    mine[ghost], mine[index["orange"]], theirs[index["dot"]] = 2, 3, 1
    deck = [n - a - b for n, a, b in zip(state.deck, mine, theirs, strict=True)]
    state = replace(state, deck=tuple(deck), hands=(tuple(mine), tuple(theirs)), drawn=1)
    for seed in range(2):
        assert Gambler(6).choose(state, Random(seed), Limits()) != "draw"
