"""What is made is up to date, can be printed, and the documents show all of it."""

import os
import re

import cv2
import numpy as np
import pytest

from hardware import made, plan, prints, tables
from hardware.__main__ import main
from hardware.solid import Solid, read_stl, write_stl

BUILD = plan.load()
FILES = dict(made.files(BUILD))
PARTS = {part["name"]: part for part in BUILD.plan["prints"]}
CUBE = [
    [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)],
    [(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
    [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)],
    [(0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)],
    [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)],
    [(1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)],
]


def cube(mm: float = 10) -> Solid:
    faces = [[a, b, c] for a, b, c, d in CUBE] + [[a, c, d] for a, b, c, d in CUBE]
    return Solid(np.asarray(faces, dtype=float) * mm)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_up_to_date(path):
    assert path.read_bytes() == FILES[path], "run `make hardware`"


def test_the_printed_parts_are_made_from_these_models():
    shared = prints.dimensions(BUILD.board, BUILD.plan)
    assert prints.SUMS.read_text() == prints.sums(BUILD.plan, shared), "run `make hardware`"
    there = {path.stem for path in prints.FOLDER.glob("*.stl")}
    assert there == set(PARTS)
    models = {path.stem for path in prints.FOLDER.glob("*.scad")} - {"dimensions"}
    assert models == {part["model"] for part in PARTS.values()}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_can_be_printed(name):
    solid = read_stl((prints.FOLDER / f"{name}.stl").read_bytes())
    assert solid.is_closed()
    assert solid.volume_mm3 > 0
    assert max(solid.size_mm) < 180, "most printers have a bed of 180 mm"
    if "size" in PARTS[name]:
        assert solid.size_mm == pytest.approx(PARTS[name]["size"], abs=0.02)


def test_printed_parts_have_the_sizes_of_the_board():
    board, of = BUILD.board, {name: part.get("size") for name, part in PARTS.items()}
    assert 3 * of["sensor-tile"][0] == 9 * board.pitch_mm
    assert 2 * of["board-corner"][0] + of["board-centre"][0] == board.board_mm
    assert 3 * of["frame-side"][0] == board.board_mm
    assert of["fence"][:2] == [board.fence.length_mm, BUILD.plan["printed"]["fence_foot_mm"]]
    fence = read_stl((prints.FOLDER / "fence.stl").read_bytes()).triangles.reshape(-1, 3)
    above = fence[fence[:, 2] > board.groove_depth_mm + 0.1]
    assert np.ptp(above[:, 1]) == pytest.approx(board.fence.thickness_mm)
    assert of["fence"][2] == board.fence.height_mm + board.groove_depth_mm
    assert PARTS["fence"]["count"] == board.fence.count
    assert 9 * PARTS["sensor-tile"]["count"] == len(board.hall.channels)
    for name, piece in board.pieces.items():
        solid = read_stl((prints.FOLDER / f"{name}.stl").read_bytes())
        tall = solid.size_mm[2] + BUILD.plan["stack"]["felt"]
        assert solid.size_mm[0] == pytest.approx(piece.diameter_mm, abs=0.1)
        assert tall == pytest.approx(piece.height_mm, abs=0.05)


def test_a_magnet_fits_into_every_piece():
    for name, disc in BUILD.plan["magnets"].items():
        solid = read_stl((prints.FOLDER / f"{name}.stl").read_bytes())
        corners = solid.triangles.reshape(-1, 3)
        high = corners[:, 2].round(3)
        roof = corners[np.isclose(high, disc["height_mm"])]
        assert len(roof), "there is a pocket as deep as the magnet"
        wide = 2 * np.hypot(roof[:, 0], roof[:, 1]).max()
        assert disc["diameter_mm"] < wide < disc["diameter_mm"] + 0.5


def test_every_piece_stands_firmly_on_its_foot():
    """It may be tipped by 25 degrees before it falls; with a foot as small as its magnet, by 21."""
    for name, piece in BUILD.board.pieces.items():
        corners = read_stl((prints.FOLDER / f"{name}.stl").read_bytes()).triangles.reshape(-1, 3)
        under = corners[corners[:, 2] < 0.01]
        foot = np.hypot(under[:, 0], under[:, 1]).max()
        assert np.degrees(np.arctan2(foot, piece.height_mm / 2)) > 25, name


needs_openscad = pytest.mark.skipif(
    prints.openscad() is None and not os.environ.get("CI"), reason="openscad is not installed"
)


@needs_openscad
@pytest.mark.parametrize("name", ["frame-side-lives", "arm-foot", "board-edge", "clyde", "fence"])
def test_openscad_makes_the_part_that_is_kept(name):
    kept = read_stl((prints.FOLDER / f"{name}.stl").read_bytes())
    fresh = prints.render(PARTS[name])
    assert fresh.is_closed()
    assert fresh.size_mm == pytest.approx(kept.size_mm, abs=0.01)
    assert fresh.volume_mm3 == pytest.approx(kept.volume_mm3, rel=1e-4)


@needs_openscad
def test_a_model_with_a_fault_is_told(tmp_path, monkeypatch):
    (tmp_path / "wrong.scad").write_text("cube([1, 1, 1]")
    monkeypatch.setattr(prints, "FOLDER", tmp_path)
    with pytest.raises(RuntimeError, match="openscad cannot make wrong"):
        prints.render({"name": "wrong", "model": "wrong"})


def test_without_openscad_it_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(prints.shutil, "which", lambda name: None)
    with pytest.raises(RuntimeError, match="expected openscad on the PATH"):
        prints.render(PARTS["leg"])


def test_a_hole_in_a_solid_and_one_turned_inside_out_are_found():
    whole = cube()
    assert whole.is_closed()
    assert whole.volume_mm3 == pytest.approx(1000)
    assert not Solid(whole.triangles[1:]).is_closed()
    assert Solid(whole.triangles[:, ::-1]).volume_mm3 == pytest.approx(-1000)
    mixed = np.concatenate([whole.triangles[:1, ::-1], whole.triangles[1:]])
    assert not Solid(mixed).is_closed()


def test_a_solid_comes_back_from_its_file():
    data = write_stl(cube(7))
    again = read_stl(data)
    assert again.size_mm == (7, 7, 7)
    assert again.volume_mm3 == pytest.approx(343)
    assert write_stl(again) == data


@pytest.mark.parametrize("name", ["leg", "frame-joiner"])
def test_the_picture_of_a_part_shows_the_part(name):
    kept = cv2.imread(str(made.PICTURES / f"{name}.png"))
    solid = read_stl((prints.FOLDER / f"{name}.stl").read_bytes())
    data = np.frombuffer(made.shown(BUILD, PARTS[name], solid), np.uint8)
    fresh = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert np.abs(kept.astype(int) - fresh).mean() < 1
    assert 0.1 < (fresh.min(axis=2) < 250).mean() < 0.8


def test_every_part_and_drawing_has_a_picture_and_none_is_left_over():
    there = {path.name for path in made.PICTURES.iterdir()}
    drawn = {f"{name}.svg" for name in made.drawings(BUILD)}
    assert there == drawn | {"table.png"} | {f"{name}.png" for name in PARTS}


def test_the_documents_show_every_drawing_and_link_to_files_that_are_there():
    shown = set()
    for page in made.PAGES:
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\"]+)\"", text):
            target = (page.parent / (link[0] or link[1])).resolve()
            assert target.exists(), f"{page.name} links to {target}"
            shown.add(target.name)
    assert {f"{name}.svg" for name in made.drawings(BUILD)} <= shown


def test_every_table_is_used():
    used = set()
    for page in made.PAGES:
        used |= {found[2] for found in tables.PLACE.finditer(page.read_text(encoding="utf-8"))}
    assert used == set(tables.TABLES)


def test_an_unknown_table_is_refused():
    with pytest.raises(ValueError, match="got 'chairs'"):
        tables.fill("<!-- table: chairs -->\n<!-- end -->", BUILD)


def test_drawings_are_on_white_and_say_what_they_are():
    for name, drawn in made.drawings(BUILD).items():
        assert drawn.startswith("<svg xmlns"), name
        assert "<title>" in drawn
        assert 'fill="#ffffff" stroke="none"' in drawn.split("\n")[2], name


def test_a_changed_pin_changes_drawings_tables_and_firmware(monkeypatch):
    pins = plan.wiring.pins()
    pins["multiplexers"]["enable"] = [8, 9]
    monkeypatch.setattr(plan.wiring, "pins", lambda: pins)
    other = plan.load()
    drawn, before = made.drawings(other), made.drawings(BUILD)
    changed = {name for name in drawn if drawn[name] != before[name]}
    assert changed == {"pico", "multiplexers", "grid-above", "grid-below"}
    assert "| 11 | `GP8` | EN0 |" in tables.pico(other)


def test_wrong_use_is_told(capsys):
    assert main(["--everything"]) == 2
    assert "usage" in capsys.readouterr().err
