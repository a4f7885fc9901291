"""The helping hand on a table that perfect senses look at: it follows, waits, and makes way."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.board import Change
from companion.referee.verdict import Kind
from companion.service.requests import EnterMove, NewGame
from tests.service.test_scenes import Theatre


class Watched(Theatre):
    """A theatre in which a test may do something while a hand is at work."""

    def __init__(self, folder: Path, game: str) -> None:
        self.meanwhile: Callable[[], None] = lambda: None
        super().__init__(folder, game)
        self.hand = self.demo._helper

    def wait(self, seconds: float) -> bool:
        self.meanwhile()
        return super().wait(seconds)

    def ask(self, move: str) -> None:
        self.stage.ask(EnterMove(move))
        self.stage.wait(1.5)

    @property
    def verdict(self):
        return self.stage.loop.snapshot.verdict

    def held(self) -> list[str]:
        return [body.id for body in self.table.scene().bodies if body.state == "held"]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path, "pacman")
    watched.demo.help(True)
    yield watched
    watched.demo.close()
    watched.stage.close()


def test_it_does_what_is_asked_for_and_the_game_goes_on(watched: Watched) -> None:
    watched.ask("d5-d4")
    assert watched.verdict.repair == (Change("pacman", "e5", "d4"),)
    assert watched.hand.attend() is False
    assert watched.table.truth() == watched.stage.loop.snapshot.position
    assert watched.verdict.kind is Kind.WAITING
    assert not watched.table.scene().hands


def test_it_does_nothing_while_nothing_is_asked_for(watched: Watched) -> None:
    before = watched.table.revision
    assert watched.hand.attend() is False
    assert watched.table.revision == before


def test_it_puts_everything_back_after_a_capture(watched: Watched) -> None:
    for move in ("e6-d6", "Be8", "Ii6", "Pa6", "Ce2"):
        watched.stage.ask(EnterMove(move))
    watched.table.set_up(watched.stage.loop.snapshot.position)
    watched.stage.wait(1)
    watched.ask("c6-b6")
    watched.hand.attend()
    watched.ask("Pb6")  # caught: all go back to the start
    assert len(watched.verdict.repair) == 5
    for _ in range(6):
        watched.hand.attend()
    assert watched.table.truth() == watched.stage.loop.snapshot.position
    assert watched.verdict.text == "Pac-Man to move."


def test_it_waits_while_a_visitor_holds_something(watched: Watched) -> None:
    watched.ask("d5-d4")
    watched.table.lift("clyde")
    watched.hand.attend()
    assert watched.held() == ["clyde"]
    assert watched.table.at("e5") == "pacman"


def test_it_puts_its_piece_back_when_a_visitor_takes_another(watched: Watched) -> None:
    watched.ask("d5-d4")

    def grab() -> None:
        if watched.held() == ["pacman"]:
            watched.table.lift("clyde")

    watched.meanwhile = grab
    watched.hand.attend()
    assert watched.held() == ["clyde"]
    assert watched.table.at("e5") == "pacman"
    assert not watched.demo._playing.locked()


def test_it_lets_go_of_what_a_visitor_takes_from_it(watched: Watched) -> None:
    watched.ask("d5-d4")
    watched.meanwhile = lambda: "pacman" in watched.held() and watched.table.carry("pacman", 90, 90)
    watched.hand.attend()
    assert watched.held() == ["pacman"]
    assert (watched.table.body("pacman").x, watched.table.body("pacman").y) == (90, 90)


def test_switched_off_it_puts_down_what_it_holds(watched: Watched) -> None:
    watched.ask("d5-d4")
    watched.meanwhile = lambda: watched.held() and watched.demo.help(False)
    watched.hand.attend()
    assert not watched.demo.helps
    assert watched.table.at("e5") == "pacman"
    assert watched.hand.attend() is False
    assert watched.table.at("e5") == "pacman"


def test_it_never_works_beside_a_scene(watched: Watched) -> None:
    watched.ask("d5-d4")
    with watched.demo._playing:
        watched.hand.attend()
    assert watched.table.at("e5") == "pacman"


def test_it_is_there_by_itself_when_the_companion_plays(tmp_path: Path) -> None:
    theatre = Watched(tmp_path, "pacman")
    assert not theatre.demo.helps
    theatre.stage.loop.begin(NewGame("pacman", levels={1: 4}), afresh=True)
    assert theatre.demo.helps
    theatre.demo.help(False)
    assert not theatre.demo.helps
    theatre.stage.close()
