"""QR codes are what a phone's camera makes of them: each form is read again."""

import re

import cv2
import numpy as np
import pytest

from companion.web import qr

ADDRESS = "http://192.168.178.123:8080/"


def read(picture: np.ndarray) -> str:
    return cv2.QRCodeDetector().detectAndDecode(picture)[0]


def from_svg(data: bytes) -> np.ndarray:
    """Draw the lines of the SVG, which are all it has, ten pixels a module."""
    text = data.decode()
    side = int(re.search(r'viewBox="0 0 (\d+) ', text)[1]) // 10
    picture = np.full((side, side), 255, np.uint8)
    x = y = 0.0
    for kind, numbers in re.findall(
        r"([Mmh])([-\d. ]+)", re.search(r' d="(M\d+ \d+\.5.*?)"', text)[1]
    ):
        said = [float(number) for number in numbers.split()]
        if kind == "h":
            picture[int(y), int(x) : int(x + said[0])] = 0
            x += said[0]
        else:
            x, y = (said[0], said[1]) if kind == "M" else (x + said[0], y + said[1])
    return np.kron(picture, np.ones((10, 10), np.uint8))


def from_terminal(text: str) -> np.ndarray:
    """Draw the characters as a terminal does, black on white."""
    rows = []
    for line in text.splitlines():
        assert line.startswith(qr.INK)
        assert line.endswith(qr.END)
        letters = line.removeprefix(qr.INK).removesuffix(qr.END)
        rows.append([letter not in "▀█" for letter in letters])
        rows.append([letter not in "▄█" for letter in letters])
    return np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))


@pytest.mark.parametrize("text", [ADDRESS, "http://10.0.0.5/", f"{ADDRESS}#code=123456"])
def test_a_png_is_read_again(text):
    assert read(cv2.imdecode(np.frombuffer(qr.png(text), np.uint8), cv2.IMREAD_GRAYSCALE)) == text


def test_an_svg_is_read_again_and_holds_no_script():
    data = qr.svg(ADDRESS)
    assert data.startswith(b"<svg ")
    assert b"script" not in data
    assert b"style" not in data
    assert read(from_svg(data)) == ADDRESS


def test_what_the_terminal_shows_is_read_again():
    drawn = qr.in_terminal(ADDRESS)
    assert read(from_terminal(drawn)) == ADDRESS
    assert len({len(line) for line in drawn.splitlines()}) == 1
    assert len(drawn.splitlines()) <= 20  # below the addresses, in a terminal of 24 lines
