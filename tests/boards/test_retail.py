"""The boards one can buy: what is known of them has a source, and what is not says so."""

import pytest

from companion.boards import profile
from companion.boards.files import FOLDER
from companion.commands.doctor import examine_all
from companion.config import BoardSettings, Settings, StoreSettings, WebSettings
from companion.games.catalogue import find_game, find_kit
from companion.sensing.corners import Corners
from companion.sensing.vision.eyes import Eyes
from companion.service.seating import seat
from companion.sim.room import Room, Setting
from tests.sensing.studio import told

NAMES = ("gigamic-classic", "gigamic-mini", "gigamic-pacman")


@pytest.mark.parametrize("name", NAMES)
def test_no_size_is_passed_off_as_known(name):
    board = profile.load(name)
    assert board.provenance["geometry"].startswith("stand-in: ")
    assert board.provenance["geometry.board_mm"].startswith("estimate: ")
    for section in ("geometry", "fence", "pieces"):
        assert "not public, measured by nobody yet: " in board.provenance[section]
        assert "measure yours" in board.provenance[section]
    assert (board.markers, board.lights.count, len(board.hall.channels)) == ((), 0, 0)


@pytest.mark.parametrize("name", NAMES)
def test_the_doctor_asks_for_a_tape_measure(name, tmp_path):
    settings = Settings(
        board=BoardSettings(name),
        web=WebSettings(port=9),
        store=StoreSettings(tmp_path / "journal.db"),
    )
    (found,) = [finding for finding in examine_all(settings) if finding.name == "board"]
    assert found.state == "advice"
    assert found.todo.startswith("Nobody has measured its geometry, fence, pieces")
    assert "/etc/companion/boards" in found.todo


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", ["quoridor", "quoridor4"])
def test_games_can_be_played_on_it_without_naming_pieces(name, game):
    board = profile.load(name)
    chosen = seat(board, (), find_kit(game))
    assert set(chosen.pieces) <= set(board.pieces)
    assert len(set(chosen.pieces)) == find_game(game).seats


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("gigamic-classic", {"e1": "one", "e9": "two", "c3h": "fence", "g7v": "fence"}),
        ("gigamic-pacman", {"e1": "pacman", "e9": "blinky", "c3h": "fence", "g7v": "fence"}),
    ],
)
def test_the_eyes_read_a_board_of_these_sizes_by_its_corners(name, position):
    board = profile.load(name)
    room = Room(board, Setting(seed=3))
    room.table.set_up(position)
    corners = room.camera.pose.project(board.field_corners).tolist()
    sight = Eyes(board, Corners.checked(corners, 1296, 972)).look(room.shoot())
    seen = told(sight, board)
    assert seen.pieces.items() <= {p: s for s, p in position.items() if p != "fence"}.items()
    assert seen.pieces
    assert set(seen.walls) == {"c3h", "g7v"}


@pytest.mark.parametrize(
    "key", ["geometry.cell", "colour.cell", "pieces.zorro.colour", "hall.rest"]
)
def test_a_source_of_a_key_that_is_not_there_is_refused(tmp_path, key):
    file = tmp_path / "mine.toml"
    text = (FOLDER / "gigamic-classic.toml").read_text()
    file.write_text(f'{text}"{key}" = {{ confidence = "measured", source = "us" }}\n')
    (problem,) = profile.check(file)
    assert f"provenance.{key}: expected a section of this file and a key in it" in problem
