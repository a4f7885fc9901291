"""What must hold in every state of the card game: cards stay in the box, secrets stay secret."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.cards.data import load_deck
from companion.games.cards.kinds import PASS
from companion.games.cards.rules import Cards
from companion.games.cards.standing import ACTIVE, OUT
from companion.games.catalogue import find_game
from companion.games.game import CHANCE, leave_to_chance

SECRET = {"dot", "cherry", "strawberry", "orange", "apple", "melon", "ghost"}


def wander(level: str, players: int, seed: int, empty_deck: str, bold: float) -> list[Cards]:
    """Return the states of a random game; the bold seldom shut down."""
    if level != "bonus":
        players = min(players, 4)
    rng = Random(seed)
    options = {"level": level, "players": str(players), "emptyDeck": empty_deck}
    state = find_game("cards").start(options)
    assert isinstance(state, Cards)
    states = [state]
    while state.to_act is not None:
        if state.to_act is CHANCE:
            move = leave_to_chance(state, rng)
        else:
            legal = state.legal_moves()
            braver = [move for move in legal if move != "down"]
            move = rng.choice(braver if braver and rng.random() < bold else legal)
        state = state.play(move)
        states.append(state)
    return states


games = st.builds(
    wander,
    st.sampled_from(["1", "2", "bonus"]),
    st.integers(2, 8),
    st.integers(0, 2**32),
    st.sampled_from(["shut", "reshuffle"]),
    st.sampled_from([0.5, 0.95, 1.0]),
)


@given(games)
@settings(max_examples=40, deadline=None)
def test_every_card_is_in_exactly_one_place(states: list[Cards]) -> None:
    box = states[0].deck
    for state in states:
        piles = [state.deck, state.discard, *state.hands]
        assert tuple(map(sum, zip(*piles, strict=True))) == box
        assert min(map(min, piles)) >= 0
        kinds = state.table.cards.kinds
        for cards in state.hands:
            assert not any(count for card, count in zip(kinds, cards, strict=True) if card.is_power)


@given(games)
@settings(max_examples=40, deadline=None)
def test_three_ghosts_and_knocked_out_are_the_same(states: list[Cards]) -> None:
    for state in states:
        for seat, status in enumerate(state.status):
            assert (state.hands[seat][state.table.ghost] == 3) == (status == OUT)
            assert state.hands[seat][state.table.ghost] <= 3
            if status != ACTIVE:
                assert (state.skips[seat], state.chosen[seat]) == (0, 0)


@given(games)
@settings(max_examples=40, deadline=None)
def test_nobody_comes_back_and_somebody_always_survives(states: list[Cards]) -> None:
    """CG-A23 has no case: a PASS-LEFT knocks out receivers whose giver stays in."""
    for before, after in pairwise(states):
        for old, new in zip(before.status, after.status, strict=True):
            assert old in (ACTIVE, new)
        if before.phase == PASS and before.status != after.status:
            assert ACTIVE in after.status
    assert set(states[-1].status) != {OUT}


@given(games, st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_what_a_seat_cannot_see_does_not_change_its_view(states: list[Cards], seed: int) -> None:
    """CG-A29: the view is the same whatever the others hold and whatever lies in the deck."""
    rng = Random(seed)
    for state in rng.sample(states[:-1], min(20, len(states) - 1)):
        for seat in (None, *range(state.seats)):
            other = shuffled(state, seat, rng)
            assert other.view(seat) == state.view(seat)
            assert other.draw() == state.draw()


def test_the_shuffled_states_differ_in_what_is_hidden() -> None:
    states = wander("bonus", 4, 5, "shut", 1.0)
    state = states[len(states) // 2]
    other = shuffled(state, 0, Random(1))
    assert other.hands[1:] != state.hands[1:]
    assert other.view(1) != state.view(1)


def shuffled(state: Cards, seat: int | None, rng: Random) -> Cards:
    """Return a state that differs only in what a seat cannot see: closed hands, deck, choices."""
    closed = [s for s in range(state.seats) if s != seat and state.status[s] != OUT]
    kinds = state.table.cards.kinds
    pile = [kind for s in closed for kind, n in enumerate(state.hands[s]) for _ in range(n)]
    deck = [kind for kind, n in enumerate(state.deck) for _ in range(n)]
    loose = [kind for kind in pile + deck if not kinds[kind].is_power]
    rng.shuffle(loose)
    hands = list(state.hands)
    for s in closed:
        hands[s] = _counted(state, [loose.pop() for _ in range(sum(state.hands[s]))])
    powers = [kind for kind in deck if kinds[kind].is_power]
    passing = tuple(
        (s, kind if s == seat else rng.randrange(len(kinds))) for s, kind in state.passing
    )
    return replace(state, hands=tuple(hands), deck=_counted(state, loose + powers), passing=passing)


def _counted(state: Cards, cards: list[int]) -> tuple[int, ...]:
    return tuple(cards.count(kind) for kind in range(len(state.deck)))


@given(games)
@settings(max_examples=25, deadline=None)
def test_no_view_names_a_card_that_is_not_in_sight(states: list[Cards]) -> None:
    """CG-A29: a deep search of the JSON, keys and values."""
    for state in states[:-1]:
        for seat in (None, *range(state.seats)):
            sight = {s for s, status in enumerate(state.status) if status == OUT}
            sight |= set() if seat is None else {seat}
            names = state.table.cards.kinds
            seen = {
                card.name for s in sight for card, n in zip(names, state.hands[s], strict=True) if n
            }
            told = set(_words(json.loads(json.dumps(state.view(seat)))))
            assert {word.partition(":")[2] or word for word in told} & SECRET <= seen
        assert not any(name in state.draw().split("player")[0].split() for name in SECRET)


def _words(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _words(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, str):
        yield value


CARDS = [card.name for card in load_deck("cards").kinds]
WELL_FORMED = sorted(
    ["draw", "stop", "down"]
    + [f"{verb}:{name}" for verb in ("deal", "pass") for name in CARDS]
    + [f"{verb}:{a}" for verb in ("skip", "give") for a in range(10)]
    + [f"{verb}:{a}-{b}" for verb in ("swap", "choose") for a in range(10) for b in range(10)]
)


@given(games, st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_exactly_the_legal_moves_have_no_refusal(states: list[Cards], seed: int) -> None:
    for state in Random(seed).sample(states, min(8, len(states))):
        assert [move for move in WELL_FORMED if state.why_not(move) is None] == list(
            state.legal_moves()
        )
