"""What must hold in every position of Quoridor PAC-MAN, and the records that are played again."""

from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bits import SLOT_BIT, SQUARES
from companion.games.catalogue import find_game
from companion.games.layout import GHOSTS
from companion.games.pacman.ground import SORTED_GHOSTS
from companion.games.pacman.rules import Pacman
from companion.games.perft import perft
from companion.games.record import parse
from tests.games.pacman.tables import CORNERS, game_on, start

RECORDS = sorted((Path(__file__).parents[2] / "records").glob("pacman-[!a]*.txt"))
OPTIONS = {name: values for name, values in find_game("pacman").options.items() if name != "layout"}

#: Layouts for the laws: the usual one, an open board, one with its pellets close together.
FIELDS = (
    find_game("pacman"),
    game_on(),
    game_on("d4h e6v", "d5 d6 f4 g4"),
    game_on("a1v b2h h8v g3h e4v c6h d8h"),
)


def wander(field: int, options: dict[str, str], seed: int, plies: int) -> list[Pacman]:
    """Return the states of a random game in which both sides rather like to meet."""
    rng = Random(seed)
    state = FIELDS[field].start(options)
    assert isinstance(state, Pacman)
    states = [state]
    while len(states) <= plies and states[-1].to_act is not None:
        legal = states[-1].legal_moves()
        longest = max(legal, key=len)
        states.append(states[-1].play(longest if rng.random() < 0.1 else rng.choice(legal)))
    return states


options = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()})
games = st.builds(
    wander,
    st.integers(0, len(FIELDS) - 1),
    options,
    st.integers(0, 2**32),
    st.integers(0, 200),
)
quickly = settings(max_examples=25, deadline=None)


def texts(state: Pacman) -> set[str]:
    """Return moves in the neighbourhood, legal or not: paths up to four squares, all ghosts."""
    found = {"pass", *(f"{ghost[0].upper()}=" for ghost in GHOSTS)}
    rng = Random(7)
    for thing, spot in {t: s for s, t in state.position().items() if len(s) == 2}.items():
        letter = "" if thing in ("pacman", "pellet") else thing[0].upper()
        near = [s for s in SQUARES if _distance(spot, s) <= 2]
        found.update(letter + s for s in near)
        found.update(f"{letter}{a}-{b}" for a, b in product(near, near))
        paths = [[rng.choice(near) for _ in range(rng.randint(3, 5))] for _ in range(30)]
        found.update(letter + "-".join(path) for path in paths)
    return found | set(state.legal_moves())


def _distance(one: str, other: str) -> int:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1]))


@given(games)
@quickly
def test_exactly_the_legal_moves_have_no_refusal(states: list[Pacman]) -> None:
    state = states[-1]
    allowed = sorted(move for move in texts(state) if state.why_not(move) is None)
    assert allowed == state.legal_moves()


@given(games)
@quickly
def test_counting_listing_and_playing_agree(states: list[Pacman]) -> None:
    state = states[-1]
    assert [state.play(move) for move in state.legal_moves()] == list(state.successors())
    assert state.count_legal() == len(state.legal_moves())


@given(games)
@quickly
def test_lives_and_captures_make_those_at_the_start(states: list[Pacman]) -> None:
    """SV-3, SV-13: the captures are the ghosts' moves that end on Pac-Man's square."""
    captures = 0
    for before, after in pairwise(states):
        captures += after.lives < before.lives
        assert before.lives - after.lives in (0, 1)
        assert after.lives + captures == int(after.options["lives"])


@given(games)
@quickly
def test_pellets_and_fences_neither_come_nor_vanish(states: list[Pacman]) -> None:
    """SV-4, SV-7, SV-A24"""
    fences = {spot for spot, thing in states[0].position().items() if thing == "fence"}
    for before, after in pairwise(states):
        things = list(after.position().values())
        assert things.count("pellet") + after.eaten == 4
        assert after.eaten >= before.eaten
        assert {s for s, thing in after.position().items() if thing == "fence"} == fences


@given(games)
@quickly
def test_everybody_stands_on_a_square_of_its_own(states: list[Pacman]) -> None:
    """SV-10, SV-A19: no ghost ends on a pellet or on a ghost."""
    for state in states:
        ghosts = [number for number in state.ghosts if number >= 0]
        assert len(set(ghosts)) == len(ghosts)
        assert not any(state.pellets >> number & 1 for number in ghosts)
        assert not state.pellets >> state.pacman & 1
        assert (state.pacman in ghosts) == (state.lives == 0)


@given(games)
@quickly
def test_ghosts_leave_by_being_eaten_and_return_with_a_capture(states: list[Pacman]) -> None:
    """SV-8, SV-14, SV-A10"""
    for before, after in pairwise(states):
        gone = [n < 0 for n in before.ghosts], [n < 0 for n in after.ghosts]
        if after.lives < before.lives and after.lives:
            assert not any(gone[1])
        elif after.eaten == before.eaten:
            assert gone[0] == gone[1]
        if before.to_act == 0 and not after.waiting and after.to_act is not None:
            assert all(gone[1])  # SV-A11


@given(games)
@quickly
def test_who_sees_pacman_is_seen_by_him(states: list[Pacman]) -> None:
    """SV-11, SV-12"""
    ground = states[-1].ground
    for start_, lines in enumerate(ground.lines):
        for end, between in lines.items():
            assert ground.lines[end][start_] == between[::-1]
    seen = states[-1].seen_by()
    for ghost, number in zip(SORTED_GHOSTS, states[-1].ghosts, strict=True):
        in_sight = number >= 0 and number in ground.lines[states[-1].pacman]
        assert (ghost in seen) == in_sight


def test_the_counts_from_the_start_are_known() -> None:
    """Nobody is seen or met in the first round: four ghosts with three steps each, in any order."""
    expected = [12, 12 * 12, 12 * 12 * 9, 12 * 12 * 9 * 6, 12 * 12 * 9 * 6 * 3]
    assert [perft(start(), depth) for depth in range(1, 6)] == expected


def test_a_layout_that_is_symmetric_plays_symmetrically() -> None:
    """The usual fences are their own mirror image along the diagonal from a1 to i9."""
    layout = start().ground.layout
    assert sorted(map(mirrored, layout.fences)) == sorted(layout.fences)
    assert sorted(map(mirrored, layout.pellets)) == sorted(CORNERS.split())
    assert sorted(map(mirrored, start().legal_moves())) == start().legal_moves()
    assert set(layout.fences) <= set(SLOT_BIT)


def mirrored(text: str) -> str:
    """Return squares, fences or a path as they look in the diagonal mirror."""
    columns, rows = "abcdefghi", "123456789"
    swap = {"h": "v", "v": "h"}
    return "-".join(
        columns[rows.index(part[1])] + rows[columns.index(part[0])] + swap.get(part[2:], "")
        for part in text.split("-")
    )


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_is_played_to_the_end_that_it_states(path: Path) -> None:
    record = parse(path.read_text())
    states = record.replay()
    outcome = states[-1].outcome()
    assert record.result == (outcome.result(2) if outcome else "*")
    assert record.headers["Shows"]


def test_there_are_records() -> None:
    assert len(RECORDS) >= 4
