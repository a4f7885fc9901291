"""What moves do, by the names of the contract: one of each kind in the games on the 9×9 board."""

import pytest

from companion.board import FENCE
from companion.errors import IllegalMove
from companion.games.advanced.rules import PelletSteps
from companion.games.catalogue import find_kit
from companion.games.game import Effect, Move, State, replay
from tests.games import tables as quoridor
from tests.games.advanced import tables as advanced
from tests.games.pacman import tables as pacman

SHUT = quoridor.put_up("e1 e2 e3 i5", "d1v e1v", left=(0, 5, 5, 5))


@pytest.mark.parametrize(
    ("state", "move", "effect"),
    [
        (quoridor.start(), "e2", Effect("pawn1", ("e2",))),
        (quoridor.after("e2"), "e8", Effect("pawn2", ("e8",))),
        (quoridor.put_up("e4 e5"), "e6", Effect("pawn1", ("e6",))),  # a jump
        (quoridor.after("e2"), "e3h", Effect(fence="e3h")),
        (SHUT, "pass", Effect("pawn1")),
        (pacman.start(), "e4-d4", Effect("pacman", ("e4", "d4"))),
        (pacman.start(), "e6-e5", Effect("pacman", ("e6", "e5"))),
        (pacman.after("e6-d6"), "Be8", Effect("blinky", ("e8",))),
        (pacman.put_up("e5 Be7", waiting="B"), "Be6-e5", Effect("blinky", ("e6", "e5"))),
        (pacman.put_up("e5 Be6 If5 Pe4 Cd5"), "pass", Effect("pacman")),
        (pacman.put_up("h8 Ba1 Ia2 Pb1", pellets="i9", waiting="B"), "B=", Effect("blinky")),
        (advanced.start(), "@e1", Effect("pacman", ("e1",))),
        (advanced.put_up("-", "a5 e1 e9 i5"), "wait", Effect("pacman")),
        (advanced.put_up("e3"), "e4-e5", Effect("pacman", ("e4", "e5"))),
        (advanced.put_up("e3", reserve=1), "+e4+e5", PelletSteps("pacman", ("e4", "e5"))),
        (advanced.after("e4", advanced.put_up("e3")), "end", Effect(note="no fence")),
        (advanced.after("e4", advanced.put_up("e3")), "g7h", Effect(fence="g7h")),
        (advanced.after("@e1 e2-e3"), "d3h>c3h", Effect(FENCE, ("d3h",), "c3h")),
        (advanced.put_up("a5", hunting="C"), "Ch8", Effect("clyde", ("h8",))),
        (
            advanced.put_up("a5", "d1 - - -", "c1v d1v", memory="d2 - - -", hunting="B"),
            "B=",
            Effect("blinky"),
        ),
        (advanced.after("Ch8", advanced.put_up("a5", hunting="C")), "end", Effect(note="no fence")),
    ],
)
def test_a_move_says_what_it_does(state: State, move: Move, effect: Effect) -> None:
    assert move in state.legal_moves()
    assert state.effect(move) == effect


def test_a_fence_that_is_moved_touches_both_slots_and_ends_in_the_new_one() -> None:
    effect = Effect(FENCE, ("d3h",), "c3h")
    assert (effect.end, effect.spots) == ("c3h", ("d3h", "c3h"))


@pytest.mark.parametrize(
    ("game", "effect", "move"),
    [
        ("quoridor", Effect("pawn1", ("e2",)), "e2"),
        ("quoridor", Effect(fence="e3h"), "e3h"),
        ("quoridor4", Effect("pawn3"), "pass"),
        ("quoridor4", Effect(), ""),
        ("pacman", Effect("pacman", ("e6", "e7")), "e6-e7"),
        ("pacman", Effect("pacman"), "pass"),
        ("pacman", Effect("clyde", ("d1",)), "Cd1"),
        ("pacman", Effect("clyde"), "C="),
        ("pacman", Effect(), ""),
    ],
)
def test_what_is_entered_at_the_table_is_written_as_a_move(
    game: str, effect: Effect, move: Move
) -> None:
    assert find_kit(game).write(effect) == move


def test_moves_are_replayed_up_to_the_first_that_is_not_legal() -> None:
    assert replay(quoridor.start(), ("e2", "e8")) == quoridor.after("e2 e8")
    assert replay(quoridor.start(), ()) == quoridor.start()
    with pytest.raises(IllegalMove, match="too far"):
        replay(quoridor.start(), ("e2", "e8", "e9", "a1"))
