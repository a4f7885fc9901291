"""Games of Ms. Pac-Man kept as text: they replay, and end where their comments say."""

from pathlib import Path

import pytest

from companion.__main__ import main
from companion.games.mspacman.rules import MsPacMan
from companion.games.record import parse
from tests.games.mspacman.tables import where

FOLDER = Path(__file__).parents[2] / "records"


def states(name: str) -> list[MsPacMan]:
    """Return the states of a record, the start first."""
    record = parse((FOLDER / f"mspacman-{name}.txt").read_text(encoding="utf-8"))
    found = []
    for state in record.replay():
        assert isinstance(state, MsPacMan)
        found.append(state)
    return found


def test_f2_while_weak_by_a_power_dot() -> None:
    """MS-9"""
    game = states("f2-while-weak")
    sides = [state.position()[spot] for state in game for spot in [where(state, "blinky")] if spot]
    turns = [side for before, side in zip(["", *sides], sides, strict=False) if side != before]
    assert turns == ["blinky", "blinky-weak", "blinky"]
    assert (where(game[-1], "mspacman"), where(game[-1], "blinky")) == ("e10", "g10")


def test_a_power_dot_on_her_starting_square() -> None:
    """MS-A6"""
    game = states("power-dot-under-her")
    caught = game[9]
    assert (where(caught, "mspacman"), where(caught, "blinky")) == ("e10", "g6")
    assert (caught.turn, caught.phase, caught.timers) == (0, "spin", (0, 0))


def test_two_ghosts_caught_in_one_turn() -> None:
    """MS-14"""
    game = states("two-ghosts-one-turn")
    extra = game[12]
    assert (where(extra, "blinky"), where(extra, "pinky")) == ("g6", "g5")
    assert (where(extra, "mspacman"), extra.turn, extra.phase) == ("e7", 0, "spin")
    assert game[-1].turn == 2


def test_a_take_over_in_mid_move() -> None:
    """MS-A3, MS-A4"""
    game = states("take-over-in-mid-move")
    controls = [state.control for state in game]
    assert sorted(set(controls), key=controls.index) == [-1, 0, 1, 2]
    assert game[-1].tallies() == {"dots": (15, 14, 16, 17)}


def test_an_opponent_takes_the_last_dot() -> None:
    """MS-17, MS-A25"""
    game = states("last-dot-by-an-opponent")
    assert (game[-1].winner, game[-2].turn) == (0, 1)
    assert game[-1].tallies() == {"dots": (0, 14)}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("mspacman-*.txt")), ids=lambda path: path.stem)
def test_the_command_replays_it(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = parse(path.read_text(encoding="utf-8"))
    assert parse(str(record)) == record
    assert main(["replay", str(path), "--board"]) == 0
    assert "M" in capsys.readouterr().out
