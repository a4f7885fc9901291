"""Perft over a game that knows only the shared verbs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.board import Change
from companion.games.game import Outcome, Refusal
from companion.games.perft import perft


@dataclass(frozen=True)
class Matches:
    """Take one or two matches; whoever takes the last one wins."""

    left: int
    turn: int = 0
    fences_left: tuple[int, ...] = (0, 0)

    @property
    def to_act(self) -> int | None:
        return self.turn if self.left else None

    def legal_moves(self) -> list[str]:
        return [str(number) for number in (1, 2) if number <= self.left]

    def play(self, move: str) -> "Matches":
        return Matches(self.left - int(move), 1 - self.turn)

    def why_not(self, move: str, names: Sequence[str] = ()) -> Refusal | None:
        return None if move in self.legal_moves() else Refusal("M-1", "take one or two")

    def refuse(self, changes: Sequence[Change], names: Sequence[str] = ()) -> Refusal:
        return Refusal("M-1", "take one or two")

    def outcome(self) -> Outcome | None:
        return None if self.left else Outcome((1 - self.turn,), "took the last match")

    def position(self) -> Mapping[str, str]:
        return {}


def test_leaves_are_counted_by_playing() -> None:
    assert [perft(Matches(10), depth) for depth in range(5)] == [1, 2, 4, 8, 16]


def test_a_finished_game_is_one_leaf_however_deep() -> None:
    assert perft(Matches(0), 5) == 1
    assert perft(Matches(3), 9) == 3  # 1+1+1, 1+2, 2+1
