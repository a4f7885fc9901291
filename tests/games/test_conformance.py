"""What every game must keep, under every option: the contract of companion.games.game, played out.

For each game each value of each option gets random games to the end; the checks look at the
states along the way.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from companion.board import COLUMNS, FENCE, ROWS, Change, Position, is_slot
from companion.errors import IllegalMove, MalformedMove, OptionError
from companion.games.catalogue import KITS, find_game
from companion.games.drawing import picture
from companion.games.game import (
    CHANCE,
    Effect,
    Game,
    Move,
    Refusal,
    Rolls,
    Staged,
    State,
    TellsTurns,
    Weighted,
    actor_json,
    leave_to_chance,
    replay,
)
from companion.games.record import Record, parse

LONGEST = 6000  # plies; random play must come to an end before
LOOKS = 12  # states of a game that are looked at closely
RULE = re.compile(r"notation|[A-Z]{1,2}-A?\d+")
NONSENSE = ["", " ", "?", "0-0", "hello world", "é²", "pass!", ":", "a:", "x" * 300, "１"]


@dataclass(frozen=True)
class Variant:
    """A game and the options it is played with; those not named have their first value."""

    name: str
    options: tuple[tuple[str, str], ...]

    @property
    def game(self) -> Game:
        return find_game(self.name)

    def __str__(self) -> str:
        said = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.name}-{said}" if said else self.name

    def start(self) -> State:
        return self.game.start(dict(self.options))


def variants(game: Game) -> Iterator[Variant]:
    """Yield the game as it comes, and with each other value of each option."""
    yield Variant(game.name, ())
    for name, values in game.options.items():
        for value in values[1:]:
            yield Variant(game.name, _made_possible(game, name, value))


def _made_possible(game: Game, name: str, value: str) -> tuple[tuple[str, str], ...]:
    """Return options that hold a value; where it needs others set as well, with those."""
    beside = [
        (other, its)
        for other, values in game.options.items()
        if other != name
        for its in values[1:]
    ]
    tries = ((*others, (name, value)) for n in range(3) for others in combinations(beside, n))
    for options in tries:
        try:
            game.start(dict(options))
        except OptionError:
            continue
        return options
    raise AssertionError(f"{game.name} can never be played with {name}={value}")


VARIANTS = [variant for game in (kit.game for kit in KITS.values()) for variant in variants(game)]
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


@dataclass(frozen=True)
class Played:
    """A random game: its moves and its states, the start first."""

    moves: tuple[Move, ...]
    states: tuple[State, ...]

    def looked_at(self) -> list[State]:
        """Return some states spread over the game, first and last among them."""
        stride = max(1, len(self.moves) // LOOKS)
        return [*self.states[:-1:stride], self.states[-1]]


@cache
def played(variant: Variant, seed: int = 1) -> Played:
    """Return a random game to its end; chance is as fair as it says."""
    rng = Random(seed)
    states = [variant.start()]
    moves: list[Move] = []
    while states[-1].to_act is not None and len(moves) < LONGEST:
        state = states[-1]
        if state.to_act is CHANCE:
            moves.append(leave_to_chance(state, rng))
        else:
            moves.append(rng.choice(state.legal_moves()))
        states.append(state.play(moves[-1]))
    return Played(tuple(moves), tuple(states))


@every_variant
def test_random_games_come_to_an_end_that_says_who_won_and_why(variant: Variant) -> None:
    for seed in (1, 2):
        game = played(variant, seed)
        last = game.states[-1]
        outcome = last.outcome()
        assert outcome is not None, f"still going on after {len(game.moves)} plies"
        assert last.legal_moves() in ([], ())
        assert set(outcome.winners) <= set(range(last.seats))
        assert outcome.reason
        assert outcome.reason == outcome.reason.strip()
        for state in game.states[:-1]:
            assert state.outcome() is None
            assert state.to_act in (CHANCE, *range(state.seats))
            assert state.seats == last.seats <= variant.game.seats


@every_variant
def test_legal_moves_are_sorted_tokens_that_can_be_played(variant: Variant) -> None:
    for state in played(variant).looked_at()[:-1]:
        legal = list(state.legal_moves())
        assert legal
        assert legal == sorted(set(legal))
        for move in legal:
            assert move
            assert not re.search(r"[\s{}\[\]]", move), "a move is one word of a record"
            assert state.why_not(move) is None
        for move in Random(5).sample(legal, min(8, len(legal))):
            assert type(state.play(move)) is type(state)


@every_variant
def test_playing_gives_equal_states_and_leaves_the_old_one_as_it_was(variant: Variant) -> None:
    for state in played(variant).looked_at()[:-1]:
        before = (hash(state), _seen(state), list(state.legal_moves()))
        for move in Random(6).sample(before[2], min(4, len(before[2]))):
            one, other = state.play(move), state.play(move)
            assert one == other
            assert hash(one) == hash(other)
            assert one != state
        assert (hash(state), _seen(state), list(state.legal_moves())) == before


@every_variant
def test_two_starts_are_equal_and_tell_of_a_turn(variant: Variant) -> None:
    first, second = variant.start(), variant.start()
    assert first == second
    assert hash(first) == hash(second)
    if isinstance(first, TellsTurns):
        assert first.starts_turn


@every_variant
def test_a_record_is_written_read_and_replayed_to_the_same_states(variant: Variant) -> None:
    game = played(variant)
    outcome = game.states[-1].outcome()
    seats = game.states[-1].seats
    names = tuple(f"Player number {seat}" for seat in range(seats))
    result = outcome.result(seats) if outcome else "*"
    record = Record(variant.game.name, game.moves, names, dict(variant.options), result)
    text = str(record)
    again = parse(text)
    assert again == record
    assert str(again) == text
    assert again.replay() == list(game.states)
    assert replay(variant.start(), again.moves) == game.states[-1]
    for name in variant.game.options:
        assert f'\n[{name} "' in text


@every_variant
def test_every_other_text_is_refused_with_a_rule_and_a_sentence(variant: Variant) -> None:
    rng = Random(3)
    pool = sorted({move for game in _one_of_each() for move in game.moves})
    own = sorted(set(played(variant, 2).moves))
    for state in played(variant).looked_at():
        legal = set(state.legal_moves())
        texts = NONSENSE + rng.sample(pool, 25) + rng.sample(own, min(60, len(own)))
        texts += [_spoilt(move, rng) for move in rng.sample(own, min(15, len(own)))]
        names = [f"<{seat}>" for seat in range(state.seats)]
        for text in texts:
            refusal = state.why_not(text, names)
            if refusal is None:  # another way to write something listed: it comes to the same
                assert text in legal or state.play(text) in map(state.play, legal), text
                continue
            assert text not in legal
            _check(refusal)
            plain = state.why_not(text)
            assert plain is not None
            malformed = refusal.rule == "notation"
            with pytest.raises(MalformedMove if malformed else IllegalMove) as caught:
                state.play(text)
            assert str(caught.value) == plain.text
        for text in NONSENSE:
            said = state.why_not(text)
            assert said is not None
            assert said.rule == "notation", text


@every_variant
def test_whatever_is_done_on_the_board_has_an_answer(variant: Variant) -> None:
    rng = Random(4)
    for state in played(variant).looked_at():
        position = dict(state.position())
        spots = sorted({*position, *played(variant).states[0].position()})
        for source in rng.sample(sorted(position), min(6, len(position))):
            target = rng.choice([None, *spots])
            _check(state.refuse([Change(position[source], source, target)]))
            other = rng.choice(sorted(position))
            _check(
                state.refuse(
                    [
                        Change(position[source], source, None),
                        Change(position[other], other, source),
                    ]
                )
            )


@every_variant
def test_tallies_have_a_number_for_each_seat(variant: Variant) -> None:
    names = list(variant.start().tallies())
    for state in played(variant).states:
        tallies = state.tallies()
        assert list(tallies) == names
        for counts in tallies.values():
            assert len(counts) == state.seats
            assert all(type(count) is int for count in counts)


@every_variant
def test_everything_lies_on_a_spot_of_the_board(variant: Variant) -> None:
    known = getattr(variant.game, "spots", None)
    for state in played(variant).states:
        for spot, thing in state.position().items():
            assert thing
            assert spot in known if known is not None else _on_grid(spot), spot


@every_variant
def test_views_are_json_and_show_moves_to_the_seat_to_act_alone(variant: Variant) -> None:
    for state in played(variant).looked_at():
        for seat in (None, *range(state.seats)):
            view = state.view(seat)
            assert json.loads(json.dumps(view)) == view
            legal = view["legal"]
            assert legal == (list(state.legal_moves()) if seat == state.to_act else []) or (
                seat is None and legal == []
            )
            assert view["to_act"] == actor_json(state.to_act)


@every_variant
def test_the_board_shows_what_a_move_is_said_to_do(variant: Variant) -> None:
    for state in played(variant).looked_at():
        before = state.position()
        for move in state.legal_moves():
            effect, after = state.effect(move), _shown(state, move)
            assert effect == state.effect(move)
            if effect.fence:
                assert effect.thing in ("", FENCE)
                assert after[effect.fence] == FENCE != before.get(effect.fence)
                assert all(before[spot] == FENCE != after.get(spot) for spot in effect.path)
            elif effect.path:
                gone = effect.thing not in after.values()  # the move took it off again
                assert effect.thing
                assert gone or after.get(effect.end) == effect.thing, (move, effect)
            elif effect.thing:
                assert _spots_of(effect.thing, after) == _spots_of(effect.thing, before), move
            if state.to_act is CHANCE:  # a card may go into a hand unseen
                assert isinstance(state, Rolls)
                assert effect.rolled or state.chance == "deck", move


@every_variant
def test_moves_that_are_said_to_do_the_same_come_to_the_same(variant: Variant) -> None:
    for state in played(variant).looked_at():
        done: dict[Effect, Position] = {}
        for move in state.legal_moves():
            after = _shown(state, move)
            assert done.setdefault(state.effect(move), after) == after, move


@every_variant
def test_what_a_move_does_is_written_as_that_move_at_the_table(variant: Variant) -> None:
    kit = KITS[variant.name]
    if kit.at_table and kit.on_board:
        for state in played(variant).states:
            for move in state.legal_moves():
                effect = state.effect(move)
                if not effect.note:  # what has to be said is never spelled from what was tapped
                    assert kit.write(effect) in (move, move.lstrip("@"))


def _shown(state: State, move: Move) -> Position:
    """Return what the board shows right after a move, before anything is put back."""
    return state.made(move)[0] if isinstance(state, Staged) else state.play(move).position()


def _spots_of(thing: str, position: Position) -> list[str]:
    return sorted(spot for spot, other in position.items() if other == thing)


@every_variant
def test_chance_has_a_weight_for_each_outcome(variant: Variant) -> None:
    for state in played(variant).states:
        if state.to_act is CHANCE and isinstance(state, Weighted):
            weights = state.weights()
            assert len(weights) == len(state.legal_moves())
            assert all(type(weight) is int and weight > 0 for weight in weights)


@every_variant
def test_every_state_can_be_drawn(variant: Variant) -> None:
    for state in played(variant).looked_at():
        assert picture(state).strip()


@pytest.mark.parametrize("name", KITS)
def test_options_there_are_not_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match="has no option 'nonsense'"):
        find_game(name).start({"nonsense": "1"})
    for option in find_game(name).options:
        with pytest.raises(OptionError, match=f"the option {option} takes one of"):
            find_game(name).start({option: "nonsense"})
    assert all(len(set(values)) == len(values) > 0 for values in find_game(name).options.values())


def _seen(state: State) -> tuple[Any, ...]:
    views = [json.dumps(state.view(seat), sort_keys=True) for seat in (None, *range(state.seats))]
    return repr(state), dict(state.position()), dict(state.tallies()), views


def _check(refusal: Refusal) -> None:
    assert RULE.fullmatch(refusal.rule), refusal
    assert refusal.text, refusal
    assert refusal.text == " ".join(refusal.text.split(" ")).strip(), refusal
    assert "\n" not in refusal.text


def _one_of_each() -> list[Played]:
    return [played(Variant(game.name, ())) for game in (kit.game for kit in KITS.values())]


def _spoilt(move: Move, rng: Random) -> str:
    """Return a move with one letter changed, doubled or left out."""
    at = rng.randrange(len(move))
    return move[:at] + rng.choice(["", move[at] * 2, "9", "z", "-"]) + move[at + 1 :]


def _on_grid(spot: str) -> bool:
    square = spot[:2] if is_slot(spot) else spot
    return len(square) == 2 and square[0] in COLUMNS and square[1] in ROWS


def test_the_checks_know_every_option_of_every_game() -> None:
    """Each value is played at least once."""
    seen: dict[str, Mapping[str, set[str]]] = {}
    for variant in VARIANTS:
        chosen = dict(variant.options)
        values = seen.setdefault(variant.game.name, {name: set() for name in variant.game.options})
        for name, all_values in variant.game.options.items():
            values[name].add(chosen.get(name, all_values[0]))
    assert seen == {
        name: {option: set(values) for option, values in game.options.items()}
        for name, game in ((kit.name, kit.game) for kit in KITS.values())
    }
