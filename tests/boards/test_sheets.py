"""Sheets are true to scale: rasterised, the markers are found again as large as they are."""

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.__main__ import main
from companion.boards import pdf, profile
from companion.boards.files import FOLDER
from companion.boards.sheets import RULER_MM, sheets
from companion.commands.boards import marker_bits
from companion.errors import CompanionError

BOARD = profile.load("reference")
BITS = {marker.id: marker_bits("4x4_50", marker.id) for marker in BOARD.markers}
DPI = 300
MM = 25.4 / DPI


def raster(data, page=0):
    """Return a page as a grey picture, and its size in millimetres."""
    document = pypdfium2.PdfDocument(data)
    try:
        sheet = document[page]
        picture = sheet.render(scale=DPI / 72, grayscale=True).to_numpy()
        width, height = (points / 72 * 25.4 for points in sheet.get_size())
        return picture.reshape(picture.shape[:2]).copy(), (width, height), len(document)
    finally:
        document.close()


def find(picture):
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(words, parameters).detectMarkers(picture)
    return {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_markers_are_found_again_in_their_size_and_upright(paper):
    picture, size, _ = raster(sheets(BOARD, BITS, paper, "markers"))
    assert size == pytest.approx(pdf.PAPERS[paper], abs=0.05)
    found = find(picture)
    assert set(found) == {0, 1, 2, 3}
    for corners in found.values():
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1) * MM
        assert sides == pytest.approx([BOARD.marker_mm] * 4, abs=0.2)
        top_left, top_right, bottom_right, _ = corners
        assert top_left[0] < top_right[0]
        assert top_right[1] < bottom_right[1]


def test_markers_have_white_around_them():
    picture, _, _ = raster(sheets(BOARD, BITS, "a4", "markers"))
    for corners in find(picture).values():
        left, top = (corners.min(axis=0) - 3.2 / MM).astype(int)
        right, bottom = (corners.max(axis=0) + 3.2 / MM).astype(int)
        around = picture[top:bottom, left:right].copy()
        inner = int(2.9 / MM)
        around[inner:-inner, inner:-inner] = 255
        assert around.min() > 250


def test_the_ruler_is_as_long_as_it_says():
    picture, _, pages = raster(sheets(BOARD, BITS, "a4"))
    assert pages == 5
    for page in range(pages):
        picture, (_, height), _ = raster(sheets(BOARD, BITS, "a4"), page)
        row = picture[int((height - 18) / MM)]  # the ruler's own line
        dark = np.flatnonzero(row < 128)
        dark = dark[dark * MM < 10 + RULER_MM + 1]
        assert (dark[-1] - dark[0] + 1) * MM == pytest.approx(RULER_MM, abs=0.4)


def test_the_template_has_squares_of_the_right_size_and_distance():
    picture, _, _ = raster(sheets(BOARD, BITS, "a4", "template"))
    contours, _ = cv2.findContours(
        np.where(picture < 200, 0, 255).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE
    )
    boxes = [cv2.boundingRect(contour) for contour in contours]
    cells = sorted({b for b in boxes if all(abs(s * MM - BOARD.cell_mm) < 0.4 for s in b[2:])})
    assert len(cells) >= 16
    lefts = sorted({round((x + w / 2) * MM, 1) for x, _, w, _ in cells})
    columns = [x for n, x in enumerate(lefts) if n == 0 or x - lefts[n - 1] > 5]
    assert np.diff(columns) == pytest.approx([BOARD.pitch_mm] * (len(columns) - 1), abs=0.2)


def test_pages_of_the_template_overlap_and_cover_the_frame():
    """Each square is whole on a page, or cut where the next page has it again."""
    whole = set()
    for page in range(4):
        text = pypdfium2.PdfDocument(sheets(BOARD, BITS, "a4", "template"))
        sheet = text[page]
        words = sheet.get_textpage()
        width, height = sheet.get_size()
        whole |= set(words.get_text_bounded(0, 72, width, height).split())
        text.close()
    assert set(BOARD.squares) <= whole
    assert {f"N{n}" for n in range(1, 10)} <= whole


def test_a_board_without_markers_has_a_template_only(tmp_path):
    text = (FOLDER / "reference.toml").read_text()
    start, end = text.index("[markers]"), text.index("# The strip starts")
    plain = tmp_path / "plain.toml"
    plain.write_text(
        "\n".join(
            line
            for line in (text[:start] + text[end:]).splitlines()
            if not line.startswith("markers =")
        )
    )
    board = profile.load(plain)
    _, _, pages = raster(sheets(board, {}, "a3"))
    assert pages == 2
    with pytest.raises(CompanionError, match="has no markers in its profile"):
        sheets(board, {}, "a4", "markers")


def test_wrong_paper_and_markers_that_are_too_large_are_refused():
    with pytest.raises(CompanionError, match="expected paper 'a4', 'letter', 'a3', got 'a5'"):
        sheets(BOARD, BITS, "a5")
    from dataclasses import replace

    giant = replace(BOARD, marker_mm=250.0)
    with pytest.raises(CompanionError, match="take larger paper"):
        sheets(giant, BITS, "a4", "markers")


def test_the_command_writes_a_file(tmp_path, capsys):
    out = tmp_path / "sheets.pdf"
    assert main(["boards", "print", "reference", "--paper", "letter", "--out", str(out)]) == 0
    assert out.read_bytes() == sheets(BOARD, BITS, "letter")
    assert "print it at 100 %" in capsys.readouterr().out


def test_the_command_tells_what_is_wrong(tmp_path, capsys):
    assert main(["boards", "print", "nowhere", "--out", str(tmp_path / "x.pdf")]) != 0
    assert "unknown board 'nowhere'" in capsys.readouterr().err
    assert main(["boards", "print", "reference", "--out", str(tmp_path / "no/x.pdf")]) != 0
    assert "cannot be written" in capsys.readouterr().err


def test_words_with_brackets_are_written(tmp_path):
    page = pdf.Page(100, 50)
    page.text(10, 10, "a (b) \\ c", 5)
    document = pypdfium2.PdfDocument(pdf.to_pdf([page], "t (u)"))
    assert document[0].get_textpage().get_text_bounded().strip() == "a (b) \\ c"
    document.close()
