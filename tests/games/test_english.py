"""The rules speak plain English: one is not many, and letters mean the same everywhere."""

import random
import re

import pytest

from companion.games.catalogue import find_game
from companion.games.drawing import picture
from companion.games.game import State
from companion.text import counted

NAMES = ("Ann", "Ben", "Cid", "Dora", "Emil", "Fay", "Gus", "Hal")
GAMES = ["quoridor", "quoridor4", "pacman", "pacman-advanced", "marbles", "mspacman", "cards"]
MANY = "squares|spaces|steps|pellets|cards|fences|marbles|lives|dots|ghosts|points|rounds|moves"
CLUMSY = re.compile(rf"\b(1|one) ({MANY})\b|\bthe 1 that were\b|\bthe own\b")


def played_states(name: str, rng: random.Random, plies: int) -> list[State]:
    state: State = find_game(name).start({})
    states = [state]
    for _ in range(plies):
        moves = state.legal_moves()
        if not moves:
            break
        state = state.play(rng.choice(list(moves)))
        states.append(state)
    return states


@pytest.mark.parametrize("game", GAMES)
def test_refusals_are_plain_english(game):
    rng = random.Random(14)
    states = played_states(game, rng, 60)
    tried = sorted({move for state in states for move in list(state.legal_moves())[:12]})
    said = set()
    for state in states:
        for move in rng.sample(tried, min(len(tried), 40)):
            why = state.why_not(move, NAMES)
            if why is not None:
                said.add(why.text)
    assert said
    assert [text for text in sorted(said) if CLUMSY.search(text)] == []


@pytest.mark.parametrize(("number", "words"), [(0, "0 steps"), (1, "one step"), (2, "2 steps")])
def test_one_thing_is_not_many(number, words):
    assert counted(number, "step") == words


def test_marbles_speak_of_one_space():
    state = find_game("marbles").start({})
    for roll in ("roll:6-1", "roll:1-2", "roll:1-1"):
        state = state.play(roll)
    said = {
        why.text
        for move in ("P1:b3-b4-b5", "P1:l3-l4-l5", "P1:c2-d2", "G1/1:f9-g9-g10", "G2/1:i8-i7-i6")
        if (why := state.why_not(move)) is not None
    }
    assert any("the die's one space" in text for text in said), said


@pytest.mark.parametrize("game", ["pacman", "pacman-advanced"])
def test_ghosts_are_drawn_with_the_letters_of_their_moves(game):
    letters = {"blinky": "B", "inky": "I", "pinky": "P", "clyde": "C", "pacman": "@"}
    state = find_game(game).start({})
    rows = {line[0]: line for line in picture(state).splitlines() if line[:1].isdigit()}
    seen = {
        rows[spot[1]][4 + 4 * "abcdefghi".index(spot[0])]: thing
        for spot, thing in state.position().items()
        if thing in letters
    }
    assert seen == {letters[thing]: thing for thing in seen.values()}
    assert len(seen) >= 4
    hunts = {
        move[0]
        for state in played_states(game, random.Random(3), 40)
        for move in state.legal_moves()
        if re.match("[A-Z]", move)
    }
    assert hunts <= set(seen)
