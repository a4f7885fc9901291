"""Printed sheets, rasterised again and measured in millimetres from the lower left corner."""

import re
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property

import cv2
import numpy as np
import pypdfium2

DPI = 200
MM = 25.4 / DPI


class Sheet:
    """One page: its picture in colours and in grey, and the words on it with their places."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self.colours = page.render(scale=DPI / 72).to_numpy()[..., :3].copy()
        self.grey = cv2.cvtColor(self.colours, cv2.COLOR_BGR2GRAY)
        self.size = tuple(points / 72 * 25.4 for points in page.get_size())
        self.words = list(_words(page))

    @property
    def text(self) -> str:
        return " ".join(word for word, *_ in self.words)

    def mm(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point of the picture, pixels counted by their middles."""
        return ((x + 0.5) * MM, self.size[1] - (y + 0.5) * MM)

    def at(self, x_mm: float, y_mm: float, around_mm: float = 0.0) -> np.ndarray:
        """Return what is grey around a place."""
        x, y = x_mm / MM, (self.size[1] - y_mm) / MM
        reach = max(0.5, around_mm / MM)
        top, left = max(0, int(y - reach)), max(0, int(x - reach))
        return self.grey[top : int(y + reach) + 1, left : int(x + reach) + 1]

    def shows(self, x_mm: float, y_mm: float) -> bool:
        """Tell whether a place lies within the thin frame around what the sheet shows."""
        left, low, width, height = self.frame
        return left < x_mm < left + width and low < y_mm < low + height

    @cached_property
    def frame(self) -> tuple[float, float, float, float]:
        """Return the largest rectangle of lines on the sheet: left, low, width and height."""
        lines = np.where(self.grey < 220, 255, 0).astype(np.uint8)
        found = cv2.findContours(lines, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]
        inner = [c for c in found if cv2.contourArea(c, oriented=True) > 0]  # of its inside
        x, y, width, height = cv2.boundingRect(max(inner, key=cv2.contourArea))
        left, top = self.mm(x, y)
        return left, top - height * MM, width * MM, height * MM

    def shapes(self, low_mm: float, high_mm: float) -> list[tuple[float, float, float, float]]:
        """Return middle, width and height of everything with an outline of such a size."""
        dark = np.where(self.grey < 110, 255, 0).astype(np.uint8)
        found = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]
        shapes = []
        for contour in found:
            x, y, width, height = cv2.boundingRect(contour)
            if low_mm <= width * MM <= high_mm and low_mm <= height * MM <= high_mm:
                middle = self.mm(x + (width - 1) / 2, y + (height - 1) / 2)
                shapes.append((*middle, width * MM, height * MM))
        return shapes

    def markers(self) -> dict[int, np.ndarray]:
        """Return the corners of the markers, clockwise from the one in their north-west."""
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        corners, ids, _ = cv2.aruco.ArucoDetector(words, parameters).detectMarkers(self.grey)
        if ids is None:
            return {}
        return {
            int(i): np.array([self.mm(*corner) for corner in c.reshape(4, 2)])
            for i, c in zip(ids.ravel(), corners, strict=True)
        }

    def ruler_mm(self) -> float:
        """Return how long the longest thin line is that lies below everything."""
        rows = self.grey[int((self.size[1] - 18.3) / MM) : int((self.size[1] - 17.7) / MM)]
        return max(longest_run(row < 128) for row in rows) * MM


def longest_run(flags: np.ndarray) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def sheets(data: bytes) -> list[Sheet]:
    with closing(pypdfium2.PdfDocument(data)) as document:
        return [Sheet(document[number]) for number in range(len(document))]


def texts(data: bytes) -> list[str]:
    """Return the words of each page, without rasterising it."""
    with closing(pypdfium2.PdfDocument(data)) as document:
        return [" ".join(word for word, *_ in _words(page)) for page in document]


def _words(page: pypdfium2.PdfPage) -> Iterator[tuple[str, float, float]]:
    """Yield each word with the place of its lower left corner, letters joined line by line."""
    text = page.get_textpage()
    letters = text.get_text_range()
    for match in re.finditer(r"\S+", letters):
        left, low, _, _ = text.get_charbox(match.start())
        yield match[0], left / 72 * 25.4, low / 72 * 25.4
