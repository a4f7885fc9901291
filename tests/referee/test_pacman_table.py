"""Quoridor PAC-MAN at the table: captures, eaten things, several moves at once, out and back."""

import pytest

from companion.board import PELLET, Change, Position, Reading
from companion.boards import profile
from companion.games.catalogue import find_game, find_kit
from companion.games.pacman.rules import Pacman, arrange
from companion.referee.table import Table
from companion.referee.verdict import Kind
from companion.service.seating import seat

from .seeing import evidence_of

BOARD = profile.load("reference")
GAME = find_game("pacman")
COMPANY = seat(BOARD, (), find_kit("pacman"))
FRAME_SECONDS = 1 / 15


class Watched:
    """A table on which a position stands, and the time that passes while it is looked at."""

    def __init__(self, pacman: str, ghosts: dict[str, str], pellets: list[str], **more) -> None:
        start = GAME.start({})
        assert isinstance(start, Pacman)
        self.table = Table(GAME, {}, COMPANY)
        self.table.states = [arrange(start.ground, pacman, ghosts, pellets, **more)]
        self.table._prepare()
        self.time = 100.0
        self.see(self.agreed())

    def see(self, position: Position, seconds: float = 1.2, **kwargs) -> list[str]:
        """Show a position for some time; play and return what is accepted."""
        played: list[str] = []
        for _ in range(round(seconds / FRAME_SECONDS)):
            self.time += FRAME_SECONDS
            moves = self.table.judge(Reading(self.time, evidence_of(position), **kwargs))
            if moves:
                self.table.play(moves, on_board=True)
                played += moves
        return played

    def agreed(self) -> dict[str, str]:
        return dict(self.table.expected.position)

    def with_changes(self, **moved: str | None) -> dict[str, str]:
        """Return the agreed position with pieces moved, or taken off."""
        position = {s: t for s, t in self.agreed().items() if t not in moved}
        for thing, spot in moved.items():
            if spot:
                position[spot] = thing
        return position


GHOSTS = {"blinky": "e9", "inky": "i5", "pinky": "a5", "clyde": "e1"}
CORNERS = ["a1", "a9", "i1", "i9"]


def test_a_walk_of_pac_man_is_seen_by_where_he_ends():
    watched = Watched("e5", GHOSTS, CORNERS)
    assert watched.see(watched.with_changes(pacman="d4")) in (["d5-d4"], ["e4-d4"])
    assert watched.table.verdict.text == (
        "Pac-Man went to d4. Blinky, Clyde, Inky or Pinky to move."
    )


def test_sv14_a_capture_is_told_and_everybody_is_led_back_to_the_start():
    watched = Watched("e5", GHOSTS | {"blinky": "d5"}, CORNERS, waiting=["blinky", "clyde"])
    assert watched.see(watched.with_changes(blinky="e5", pacman=None), 0.5) == ["Be5"]
    assert watched.table.verdict.kind is Kind.ACCEPTED
    assert watched.table.verdict.text.startswith("Blinky went to e5 and caught Pac-Man: two lives")
    left = watched.with_changes(blinky="e5", pacman=None)
    assert watched.see(left) == []
    verdict = watched.table.verdict
    assert verdict.kind is Kind.SET_UP
    assert Change("blinky", "e5", "e9") in verdict.repair
    assert Change("pacman", None, "e5") in verdict.repair
    watched.see(watched.agreed())
    assert watched.table.verdict.text == "Pac-Man to move."
    assert watched.table.state.tallies()["lives"] == (2, 0)


def test_sv14_who_says_that_the_board_is_right_after_a_capture_reads_whose_turn_it_is():
    watched = Watched("e5", GHOSTS | {"blinky": "d5"}, CORNERS, waiting=["blinky", "clyde"])
    assert watched.see(watched.with_changes(blinky="e5", pacman=None), 0.5) == ["Be5"]
    assert watched.table.must_follow
    watched.table.look_again()
    assert watched.table.verdict.text == "Pac-Man to move."


def test_sv14_a_board_put_back_at_once_shows_the_capture_too():
    watched = Watched("e6", GHOSTS | {"blinky": "d6"}, CORNERS, waiting=["blinky"])
    start = dict(GAME.start({}).position())
    assert watched.see(start) == ["Be6"]
    assert not watched.table.must_follow


def test_sv7_a_pellet_that_is_left_on_the_board_is_asked_to_be_taken_off():
    watched = Watched("b1", GHOSTS, CORNERS)
    stopped = watched.with_changes(pacman="a3")
    assert stopped["a1"] == PELLET
    assert watched.see(stopped, 0.5) == ["a1-a2-a3"]
    assert watched.table.verdict.text.startswith("Pac-Man went to a3 and ate a pellet.")
    watched.see(stopped)
    assert watched.table.verdict.text == "Take the pellet off a1."
    watched.see(watched.agreed())
    assert watched.table.verdict.kind is Kind.WAITING


def test_sv8_a_ghost_that_was_eaten_may_be_taken_off_later():
    watched = Watched("b1", GHOSTS | {"pinky": "a2"}, CORNERS)
    through = watched.with_changes(pacman="a4")
    through.pop("a1")
    assert watched.see(through, 0.5) == ["a1-a2-a3-a4"]
    assert "ate Pinky and a pellet" in watched.table.verdict.text
    watched.see(through)
    assert watched.table.verdict.text == "Take Pinky off the board."


def test_sv9_all_ghosts_moved_under_one_hand_are_four_moves():
    watched = Watched("e5", GHOSTS, CORNERS, waiting=list(GHOSTS))
    moved = watched.with_changes(blinky="e8", inky="i4", pinky="a4", clyde="d1")
    played = watched.see(moved)
    assert sorted(played) == ["Be8", "Cd1", "Ii4", "Pa4"]
    assert watched.table.verdict.text.endswith("Pac-Man to move.")


def test_a_ghost_that_goes_too_far_is_refused_with_the_way_back():
    watched = Watched("b2", GHOSTS, CORNERS, waiting=list(GHOSTS))
    watched.see(watched.with_changes(blinky="e6"))
    verdict = watched.table.verdict
    assert verdict.kind is Kind.NOT_ALLOWED
    assert verdict.rule == "SV-9"
    assert verdict.repair == (Change("blinky", "e6", "e9"),)


def test_sva2_out_and_back_is_asked_for_when_it_was_felt():
    watched = Watched("e5", GHOSTS, CORNERS)
    trails = {"pacman": ("e5", "e4", "e5")}
    assert watched.see(watched.agreed(), trails=trails) == []
    verdict = watched.table.verdict
    assert verdict.kind is Kind.UNSURE
    assert verdict.moves == ("e4-e5",)
    assert watched.see(watched.agreed(), trails={"pacman": ("e5",)}) == []
    assert watched.table.verdict.kind is Kind.WAITING


def test_sva13_a_ghost_that_cannot_move_stays_by_itself():
    blocked = {"blinky": "a1", "inky": "b1", "pinky": "a2", "clyde": "b3"}
    watched = Watched("h7", blocked, ["i1"], waiting=["blinky"])
    assert watched.table.moves == ["B="]


@pytest.mark.parametrize("ghost", list(GHOSTS))
def test_a_lifted_ghost_is_off_the_board_and_no_move(ghost):
    watched = Watched("e5", GHOSTS, CORNERS, waiting=list(GHOSTS))
    assert watched.see(watched.with_changes(**{ghost: None})) == []
    assert watched.table.verdict.text == f"{ghost.title()} is off the board."


def test_the_piece_in_somebodys_hand_is_told_while_hands_are_on_the_board():
    watched = Watched("e5", GHOSTS, CORNERS)
    assert watched.table.lifted is None
    gone = watched.with_changes(pacman=None)
    watched.see(gone, 0.1, moving=True)
    assert watched.table.verdict.kind is Kind.HANDS
    assert watched.table.lifted == "pacman"
    watched.see(watched.with_changes(pacman="e6"), 0.1, moving=True)
    assert watched.table.lifted is None  # it stands somewhere again


def test_of_two_lifted_pieces_none_is_the_one():
    watched = Watched("e5", GHOSTS, CORNERS)
    watched.see(watched.with_changes(pacman=None, inky=None), 0.1)
    assert watched.table.lifted is None
