"""The little scenes, played in no time on a table that perfect senses look at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine.thinker import Purpose
from companion.errors import CompanionError
from companion.referee.verdict import Kind
from companion.service.ports import Thinker
from companion.service.requests import AgreeDraw, EnterMove, NewGame
from companion.service.simulated.scenes import Demo
from companion.service.snapshot import Snapshot
from tests.acting import Stage
from tests.referee.seeing import BOARD
from tests.service.test_solo import Parrot
from tests.waiting import wait_for

SOME = frozenset(f"{column}{row}" for column in "cdefg" for row in "34567")


class Theatre:
    """A loop that sees the simulated table itself; the scene's waiting makes it go round."""

    def __init__(self, folder: Path, game: str, thinker: Thinker | None = None) -> None:
        self.said: list[Snapshot] = []
        self.stage = Stage(folder, [lambda snapshot, now: self._note(snapshot)], thinker)
        self.table = self.stage.table
        self.stage.loop.begin(NewGame(game))
        self.set_up()
        loop = self.stage.loop
        self.demo = Demo(self.table, BOARD, lambda: loop.snapshot, self.wait, post=loop.post)

    def set_up(self) -> None:
        self.table.set_up(self.stage.loop.snapshot.position)
        self.stage.senses.look = self.table.truth
        self.stage.wait(0.5)

    def wait(self, seconds: float) -> bool:
        scene = self.table.scene()
        self.stage.senses.covered = SOME if scene.hands else frozenset()
        self.stage.wait(max(seconds, 0.1))
        return False

    def play(self, what: str) -> str:
        said = self.demo.demo(what)
        wait_for(lambda: not self.demo._playing.locked())
        self.wait(1.5)
        return said

    def verdicts(self, kind: Kind) -> list[str]:
        texts = [snapshot.verdict.text for snapshot in self.said if snapshot.verdict.kind is kind]
        return list(dict.fromkeys(texts))

    def _note(self, snapshot: Snapshot) -> None:
        if not self.said or self.said[-1] is not snapshot:
            self.said.append(snapshot)


@pytest.fixture(params=["quoridor", "quoridor4"])
def theatre(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Theatre]:
    theatre = Theatre(tmp_path, request.param)
    yield theatre
    theatre.demo.close()
    theatre.stage.close()


def test_a_legal_move_is_made_and_accepted(theatre: Theatre) -> None:
    assert "legal move" in theatre.play("move")
    assert len(theatre.stage.moves) == 1
    assert theatre.table.truth() == theatre.stage.loop.snapshot.position


def test_the_move_of_a_scene_is_found_by_the_thinker(tmp_path: Path) -> None:
    parrot = Parrot()
    theatre = Theatre(tmp_path, "quoridor", parrot)
    parrot.says = ["d1"]
    theatre.play("move")
    assert theatre.stage.moves == ("d1",)
    assert [task.purpose for task in parrot.asked] == [Purpose.DEMO]
    parrot.trouble = "the engine has ended"
    theatre.play("move")  # any legal one, then
    assert len(theatre.stage.moves) == 2
    theatre.stage.close()


def test_a_scene_whose_game_goes_on_before_its_move_is_found_ends(tmp_path: Path) -> None:
    theatre = Theatre(tmp_path, "quoridor", Parrot())
    lay = theatre.table.truth()
    calm = theatre.wait

    def wait(seconds: float) -> bool:
        theatre.demo._wait = calm
        theatre.stage.loop.post(EnterMove("e2"))
        return calm(seconds)

    theatre.demo._wait = wait
    theatre.play("move")
    assert theatre.stage.moves == ("e2",)
    assert theatre.table.truth() == lay
    theatre.stage.close()


def test_a_jump_over_nothing_is_refused_and_taken_back(theatre: Theatre) -> None:
    theatre.play("jump")
    (text,) = theatre.verdicts(Kind.NOT_ALLOWED)
    assert "Move Pac-Man from e3 to e1" in text
    assert theatre.stage.moves == ()
    assert theatre.stage.loop.snapshot.verdict.kind is Kind.WAITING


def test_a_fence_that_shuts_somebody_in_is_refused_and_taken_away(theatre: Theatre) -> None:
    theatre.play("fence")
    (text,) = theatre.verdicts(Kind.NOT_ALLOWED)
    assert "That fence would shut Pac-Man in" in text
    assert theatre.stage.loop.snapshot.verdict.kind is Kind.WAITING


def test_the_scene_of_the_fence_leaves_the_game_as_it_was(theatre: Theatre) -> None:
    theatre.play("move")
    before, lay = theatre.stage.loop.snapshot, theatre.table.truth()
    theatre.play("fence")
    after = theatre.stage.loop.snapshot
    assert max(len(snapshot.moves) for snapshot in theatre.said) > len(before.moves)
    assert (after.moves, after.tallies, after.to_act) == (
        before.moves,
        before.tallies,
        before.to_act,
    )
    assert theatre.table.truth() == lay


def test_a_scene_that_is_cut_short_takes_its_moves_back(theatre: Theatre) -> None:
    calm = theatre.wait

    def wait(seconds: float) -> bool:
        if len(theatre.stage.moves) == 1:  # the first fence lies: a visitor clears the table
            theatre.demo._wait = calm
            theatre.table.set_up({})
        return calm(seconds)

    theatre.demo._wait = wait
    theatre.play("fence")
    assert theatre.demo._wait is calm
    assert theatre.stage.moves == ()


def test_no_fence_of_a_game_against_the_companion_is_spent_on_a_scene(tmp_path: Path) -> None:
    theatre = Theatre(tmp_path, "quoridor")
    theatre.stage.ask(NewGame("quoridor", levels={1: 3}))
    with pytest.raises(CompanionError, match="begin a game of persons to see this"):
        theatre.demo.demo("fence")
    assert theatre.stage.moves == ()
    theatre.stage.close()


def test_a_jump_never_lands_on_another_pawn(theatre: Theatre) -> None:
    while len(theatre.stage.moves) < 12:
        theatre.play("move")
        theatre.play("jump")
        assert theatre.table.truth() == theatre.stage.loop.snapshot.position


def test_a_visitor_who_takes_the_fence_first_ends_the_scene(theatre: Theatre) -> None:
    waits = 0
    calm = theatre.wait

    def wait(seconds: float) -> bool:
        nonlocal waits
        refused = theatre.stage.loop.snapshot.verdict.kind is Kind.NOT_ALLOWED
        if refused and not waits:
            waits += 1
            theatre.table.set_up(theatre.stage.loop.snapshot.position)
        return calm(seconds)

    theatre.demo._wait = wait
    theatre.play("fence")
    assert waits
    theatre.play("move")
    assert theatre.table.truth() == theatre.stage.loop.snapshot.position


def test_in_pacman_everybody_moves_and_no_other_scene_is_offered(tmp_path: Path) -> None:
    theatre = Theatre(tmp_path, "pacman")
    with pytest.raises(CompanionError, match="expected one of move, got 'jump'"):
        theatre.demo.demo("jump")
    for count in range(1, 6):  # Pac-Man and four ghosts
        theatre.play("move")
        assert len(theatre.stage.moves) == count
    assert theatre.table.truth() == theatre.stage.loop.snapshot.position
    theatre.stage.close()


def test_nobody_makes_the_companions_move(tmp_path: Path) -> None:
    theatre = Theatre(tmp_path, "pacman")
    theatre.stage.ask(NewGame("pacman", levels={0: 4}))
    with pytest.raises(CompanionError, match="the companion's turn"):
        theatre.demo.demo("move")
    theatre.stage.close()


def test_an_unknown_scene_is_named(theatre: Theatre) -> None:
    with pytest.raises(CompanionError, match="expected one of move, jump, fence, got 'party'"):
        theatre.demo.demo("party")


def test_after_the_end_there_is_nothing_to_show(theatre: Theatre) -> None:
    theatre.stage.ask(AgreeDraw())
    with pytest.raises(CompanionError, match="over"):
        theatre.demo.demo("move")


def test_one_scene_at_a_time(theatre: Theatre) -> None:
    with theatre.demo._playing, pytest.raises(CompanionError, match="hands are at work"):
        theatre.demo.demo("move")
    theatre.play("move")


def test_closing_ends_a_scene(tmp_path: Path) -> None:
    theatre = Theatre(tmp_path, "quoridor")
    demo = Demo(theatre.table, BOARD, lambda: theatre.stage.loop.snapshot)
    demo.demo("jump")
    demo.close()
    wait_for(lambda: not demo._playing.locked())
    assert not theatre.table.scene().hands or theatre.table.body("pacman").state == "held"
    theatre.stage.close()


def test_a_scene_that_is_impossible_says_so(tmp_path: Path) -> None:
    theatre = Theatre(tmp_path, "quoridor")
    for fence in ["a8h", "c8h", "e8h", "a6h", "c6h", "e6h", "a4h", "c4h", "e4h", "g4h"]:
        theatre.stage.ask(EnterMove(fence))  # all of Pac-Man's, and pawn steps in between
        theatre.stage.ask(EnterMove(_step(theatre)))
    with pytest.raises(CompanionError, match="no fence can shut anybody in"):
        theatre.demo.demo("fence")
    theatre.set_up()
    theatre.play("move")
    theatre.stage.close()


def _step(theatre: Theatre) -> str:
    """Return a pawn step to and fro along the last row."""
    return next(c.move for c in theatre.stage.loop.snapshot.choices if c.effect.end in ("d9", "e9"))
