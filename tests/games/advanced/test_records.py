"""Annotated games of the advanced variant, replayed; what their comments tell is looked up."""

from pathlib import Path

import pytest

from companion.games.advanced.rules import Advanced
from companion.games.bits import BIT
from companion.games.record import parse

FOLDER = Path(__file__).parents[2] / "records"
FILES = sorted(FOLDER.glob("pacman-advanced-*.txt"))


def replay(name: str) -> dict[str, Advanced]:
    """Return the states before each move, by round and move: ``5 d3``."""
    record = parse((FOLDER / f"pacman-advanced-{name}.txt").read_text())
    states = [state for state in record.replay() if isinstance(state, Advanced)]
    told = {
        f"{number} {move}": state
        for number, move, state in zip(record.numbers(), record.moves, states, strict=False)
    }
    return {**told, "last": states[-1]}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_record_is_replayed_and_its_numbers_are_the_rounds(file: Path) -> None:
    record = parse(file.read_text())
    states = record.replay()
    for number, state in zip(record.numbers(), states, strict=False):
        assert isinstance(state, Advanced)
        assert state.round == number
    assert parse(str(record)).replay() == states


def test_two_ghosts_are_eaten_in_one_pellet() -> None:
    states = replay("two-ghosts")
    before, after = states["5 +d4+d5"], states["5 d6"]
    assert [bool(bit) for bit in before.ghosts] == [True] * 4
    assert [bool(bit) for bit in after.ghosts] == [False, True, False, True]
    assert states["5 Ce3-e2"].lives == 2
    assert states["6 @e9"].phase == "enter"
    shut = states["1 d5h>f6v"]
    assert shut.why_not("d5h>d4h") is not None
    assert states["3 e4v>g7h"].chamber.bit_count() == 2


def test_three_lives_are_lost_by_normal_steps() -> None:
    states = replay("caught")
    assert [states[key].lives for key in ("2 e4", "2 d5h>a1v", "7 Ce1", "last")] == [3, 2, 1, 0]
    entering = states["8 @e9"]
    refusal = entering.why_not("@e1")
    assert refusal is not None
    assert refusal.text == "Clyde stands on e1"
    assert states["7 Ce1"].why_not("h1h") is not None


def test_the_dead_end_is_left_a_round_later() -> None:
    states = replay("dead-end")
    stuck = states["8 P="]
    assert [move for move in stuck.legal_moves() if move[0] == "P"] == ["P="]
    assert stuck.memory[2] == BIT["d2"]
    assert states["8 h3h"].memory[2] == 0
    assert states["last"].ghosts[2] == BIT["d2"]


def test_pellets_are_counted_when_eaten_and_again_when_spent() -> None:
    states = replay("four-pellets")
    last = states["last"]
    assert (last.collected, last.reserve) == (4, 1)
    assert (states["5 g9-h9"].collected, states["5 g9-h9"].reserve) == (1, 0)
    assert states["5 Bc5"].speed == 2
    assert states["10 Ba2"].speed == 3
