"""Playing alone: the companion finds its moves, leads people to carry them out, and checks them."""

import pytest

from companion.board import Change
from companion.engine.thinker import Task, Thought
from companion.errors import CompanionError
from companion.referee.verdict import Kind
from companion.service.requests import NewGame, TakeBack
from companion.store.journal import Journal
from tests.acting import Stage


class Parrot:
    """Thinks of what a test tells it; without a word it takes the first legal move given."""

    def __init__(self) -> None:
        self.says: list[str] = []
        self.trouble = ""
        self.asked: list[Task] = []
        self.dropped = 0
        self._task: Task | None = None

    def think(self, task: Task) -> None:
        self.asked.append(task)
        self._task = task

    def poll(self) -> Thought | None:
        if self._task is None or not (self.says or self.trouble):
            return None
        task, self._task = self._task, None
        if self.trouble:
            return Thought(task, trouble=self.trouble)
        return Thought(task, self.says.pop(0))

    def drop(self) -> None:
        self.dropped += 1
        self._task = None


class Solo(Stage):
    """Somebody alone at a table; the second seat is the companion's at level 4."""

    def __init__(self, folder, game="quoridor") -> None:
        self.parrot = Parrot()
        super().__init__(folder, thinker=self.parrot)
        self.loop.begin(NewGame(game, levels={1: 4}))
        self.follow()

    def follow(self) -> None:
        """Put the board as the game has it, as somebody does who is led."""
        self.senses.look = lambda: self.loop.snapshot.position
        self.wait(0.5)

    def leave(self, position) -> None:
        """Have the board lie like this, whatever the game says."""
        self.senses.look = lambda: position
        self.wait(1.5)

    @property
    def verdict(self):
        return self.loop.snapshot.verdict


@pytest.fixture
def solo(tmp_path):
    stage = Solo(tmp_path)
    yield stage
    stage.close()


@pytest.fixture
def hunted(tmp_path):
    stage = Solo(tmp_path, "pacman")
    yield stage
    stage.close()


def test_the_companion_thinks_when_its_seat_is_to_act_and_not_before(solo):
    assert solo.parrot.asked == []
    assert [seat.level for seat in solo.loop.snapshot.seats] == [None, 4]
    solo.play("e2")
    solo.wait(0.3)
    task = Task("quoridor", dict(solo.loop.snapshot.options), ("e2",), 4)
    assert solo.parrot.asked == [task]
    assert solo.loop.snapshot.thinking


def test_its_move_is_written_down_and_people_are_led_to_it(solo):
    solo.play("e2")
    agreed = dict(solo.loop.snapshot.position)
    solo.parrot.says = ["e8"]
    solo.leave(agreed)
    assert solo.moves == ("e2", "e8")
    assert solo.verdict.kind is Kind.SET_UP
    assert solo.verdict.repair == (Change("blinky", "e9", "e8"),)
    assert solo.verdict.text == "Move Blinky from e9 to e8."
    solo.follow()
    assert solo.verdict.text == "Pac-Man to move."
    solo.play("e3")


def test_another_move_than_the_one_it_chose_is_pointed_out(solo):
    solo.play("e2")
    solo.parrot.says = ["e8"]
    solo.leave(dict(solo.loop.snapshot.position))
    solo.leave({"e2": "pacman", "d9": "blinky"})
    assert solo.moves == ("e2", "e8")
    assert solo.verdict.text == "Move Blinky from d9 to e8."


def test_nobody_moves_for_the_companion_while_it_thinks(solo):
    solo.play("e2")
    solo.leave({"e2": "pacman", "e8": "blinky"})
    assert solo.moves == ("e2",)
    assert solo.verdict.text == "Move Blinky from e8 to e9."


def test_a_move_and_one_for_the_companion_at_once_is_only_the_first(solo):
    solo.leave({"e2": "pacman", "e8": "blinky"})
    assert solo.moves == ("e2",)
    assert solo.verdict.repair == (Change("blinky", "e8", "e9"),)


def test_the_ghosts_move_one_after_the_other_each_when_the_last_one_stands(hunted):
    path = next(c.move for c in hunted.loop.snapshot.choices if c.effect.end == "d4")
    after = dict(hunted.loop.table.state.play(path).position())
    hunted.leave(after)
    assert len(hunted.moves) == 1
    for move, change in (
        ("Be8", Change("blinky", "e9", "e8")),
        ("Ii4", Change("inky", "i5", "i4")),
        ("Pa4", Change("pinky", "a5", "a4")),
        ("Cd1", Change("clyde", "e1", "d1")),
    ):
        hunted.parrot.says = [move]
        hunted.leave(dict(hunted.loop.snapshot.position))
        assert hunted.moves[-1] == move
        hunted.leave({s: t for s, t in hunted.loop.snapshot.position.items()})
        assert hunted.loop.snapshot.last_changes == (change,)
    assert hunted.loop.snapshot.to_act == 0
    assert hunted.verdict.text == "Pac-Man to move."


def test_taking_back_goes_back_to_the_persons_own_move(hunted):
    path = next(c.move for c in hunted.loop.snapshot.choices if c.effect.end == "d4")
    hunted.parrot.says = ["Be8", "Ii4"]
    hunted.leave(dict(hunted.loop.table.state.play(path).position()))
    hunted.follow()
    hunted.follow()
    assert hunted.moves == (path, "Be8", "Ii4")
    assert hunted.ask(TakeBack()) == (
        "Taken back: Inky went to i4; Blinky went to e8; Pac-Man went to d4."
    )
    assert hunted.moves == ()
    assert hunted.loop.snapshot.to_act == 0
    hunted.follow()
    assert hunted.verdict.text == "Pac-Man to move."


def test_a_player_that_fails_is_told_about_and_asked_again(solo):
    solo.play("e2")
    solo.parrot.trouble = "The companion cannot find its move: the engine has ended."
    solo.wait(0.3)
    views = {view.name: view for view in solo.loop.snapshot.devices}
    assert views["player"].state == "trouble"
    solo.parrot.trouble = ""
    solo.parrot.says = ["e8"]
    solo.wait(0.5)
    assert solo.moves == ("e2", "e8")
    assert "player" not in {view.name for view in solo.loop.snapshot.devices}


def test_an_illegal_move_of_a_player_is_told_and_not_played(solo):
    solo.play("e2")
    solo.parrot.says = ["e5"]
    solo.wait(0.3)
    assert solo.moves == ("e2",)
    assert "cannot find its move" in {v.name: v.text for v in solo.loop.snapshot.devices}["player"]


def test_levels_are_kept_with_the_game(tmp_path):
    stage = Solo(tmp_path)
    stage.play("e2")
    stage.close()
    with Journal(tmp_path / "journal.db") as journal:
        stored = journal.current()
        assert stored is not None
        assert stored.levels == {1: 4}
    again = Stage(tmp_path, thinker=Parrot())
    again.loop.begin(NewGame("quoridor"))
    assert [seat.level for seat in again.loop.snapshot.seats] == [None, 4]
    again.close()


@pytest.mark.parametrize(("levels", "why"), [({5: 4}, "there is no 6"), ({1: 11}, "from 1 to 10")])
def test_levels_that_there_are_not_are_refused(tmp_path, levels, why):
    stage = Stage(tmp_path)
    with pytest.raises(CompanionError, match=why):
        stage.loop.begin(NewGame("quoridor", levels=levels))
    stage.close()


def test_a_new_game_drops_what_was_thought_of(solo):
    solo.play("e2")
    solo.wait(0.3)
    solo.ask(NewGame("quoridor"))
    assert solo.parrot.dropped == 1
    assert not solo.loop.snapshot.thinking
