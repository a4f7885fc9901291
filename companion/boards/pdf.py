"""Writes PDF by hand: lines, filled shapes and words in millimetres, true to scale."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import cos, radians, sin

POINTS_PER_MM = 72 / 25.4

#: Paper, upright: width and height in millimetres.
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}

#: A shade of grey, from 0 for black to 1 for white, or red, green and blue from 0 to 255.
Ink = float | tuple[int, int, int]
At = tuple[float, float]

BLACK, WHITE = 0.0, 1.0

#: Letters are this much larger than their number says, which is the height of a capital.
_POINTS = 1.35
#: How wide Helvetica's letters are, in thousandths of its size; every other one is 556.
_WIDTHS = {
    **dict.fromkeys("ijl\u2018\u2019", 222),
    **dict.fromkeys(" !,./:;I[]\\ft", 278),
    **dict.fromkeys("()-r`", 333),
    **dict.fromkeys("cksvxyzJ", 500),
    **dict.fromkeys("+<=>~\u00d7", 584),
    **dict.fromkeys("&ABEKPSVXY", 667),
    **dict.fromkeys("wCDHNRU", 722),
    **dict.fromkeys("GOQ", 778),
    **dict.fromkeys("FTZ", 611),
    **dict.fromkeys("mM", 833),
    **{"'": 191, '"': 355, "%": 889, "*": 389, "@": 1015, "W": 944, "\u2026": 1000, "\u2014": 1000},
}
#: How far the handles of a Bézier curve reach that draws a quarter of a circle.
_ROUND = 0.5523


def text_width(words: str, size_mm: float) -> float:
    """Return how wide a line of words is."""
    return sum(_WIDTHS.get(letter, 556) for letter in words) / 1000 * size_mm * _POINTS


def wrapped(words: str, size_mm: float, width_mm: float) -> list[str]:
    """Return words in lines that are at most so wide, as far as their spaces let them be."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size_mm) <= width_mm:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class Page:
    """One page; millimetres count from its lower left corner."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        self.width_mm = width_mm
        self.height_mm = height_mm
        self._marks: list[str] = []

    def fill(self, x: float, y: float, width: float, height: float, ink: Ink = BLACK) -> None:
        """Fill a rectangle given by its lower left corner."""
        self._marks.append(f"{_ink(ink)} {_numbers(x, y, width, height)} re f")

    def line(
        self,
        points: Iterable[At],
        wide_mm: float = 0.2,
        ink: Ink = BLACK,
        dashes: Sequence[float] = (),
        round: bool = False,
    ) -> None:
        """Draw a line through points, in dashes and gaps of these lengths if there are any."""
        way = list(points)
        path = f"{_numbers(*way[0])} m " + " ".join(f"{_numbers(*at)} l" for at in way[1:])
        mark = f"{_ink(ink, stroke=True)} {_numbers(wide_mm)} w {path} S"
        style = f"[{_numbers(*dashes)}] 0 d " if dashes else ""
        style += "1 J 1 j " if round else ""
        self._marks.append(f"q {style}{mark} Q" if style else mark)

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        wide_mm: float = 0.2,
        ink: Ink = BLACK,
    ) -> None:
        """Draw the outline of a rectangle given by its lower left corner."""
        self._marks.append(
            f"{_ink(ink, stroke=True)} {_numbers(wide_mm)} w {_numbers(x, y, width, height)} re S"
        )

    def polygon(
        self, points: Iterable[At], fill: Ink | None = BLACK, wide_mm: float = 0, ink: Ink = BLACK
    ) -> None:
        """Draw a shape with these corners: filled, with an outline, or both."""
        path = " l ".join(_numbers(*at) for at in points).replace(" l ", " m ", 1)
        self._shape(f"{path} l h", fill, wide_mm, ink)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Ink | None = None,
        wide_mm: float = 0.2,
        ink: Ink = BLACK,
        dashes: Sequence[float] = (),
    ) -> None:
        """Draw a circle around a point: filled, with an outline, or both."""
        r, k = radius, radius * _ROUND
        quarters = (
            (x + r, y + k, x + k, y + r, x, y + r),
            (x - k, y + r, x - r, y + k, x - r, y),
            (x - r, y - k, x - k, y - r, x, y - r),
            (x + k, y - r, x + r, y - k, x + r, y),
        )
        path = f"{_numbers(x + r, y)} m " + " ".join(f"{_numbers(*each)} c" for each in quarters)
        style = f"[{_numbers(*dashes)}] 0 d " if dashes else ""
        self._shape(f"{style}{path} h", fill, wide_mm, ink)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size_mm: float = 3.5,
        ink: Ink = BLACK,
        middle: bool = False,
    ) -> None:
        """Write one line of words, its foot at y, from x on or with its ``middle`` there."""
        left = x - text_width(words, size_mm) / 2 if middle else x
        shown = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self._marks.append(
            f"BT {_ink(ink)} /F1 {_numbers(size_mm * _POINTS)} Tf {_numbers(left, y)} Td"
            f" ({shown}) Tj ET"
        )

    @contextmanager
    def turned(self, x: float, y: float, degrees: float) -> Iterator[None]:
        """Draw what follows around a point, which is then 0, 0, and turned to the left."""
        c, s = cos(radians(degrees)), sin(radians(degrees))
        self._marks.append(f"q {c:.6f} {s:.6f} {-s:.6f} {c:.6f} {_numbers(x, y)} cm")
        yield
        self._marks.append("Q")

    def clip(self, x: float, y: float, width: float, height: float) -> None:
        """Show of what is drawn from now on only what lies in a rectangle, until :meth:`unclip`."""
        self._marks.append(f"q {_numbers(x, y, width, height)} re W n")

    def unclip(self) -> None:
        """Show everything again."""
        self._marks.append("Q")

    def content(self) -> bytes:
        """Return the page's marks as PDF writes them; letters it has not become question marks."""
        return "\n".join(self._marks).encode("cp1252", "replace")

    def _shape(self, path: str, fill: Ink | None, wide_mm: float, ink: Ink) -> None:
        inks = [_ink(fill)] if fill is not None else []
        inks += [f"{_ink(ink, stroke=True)} {_numbers(wide_mm)} w"] if wide_mm else []
        paint = {(True, True): "B", (True, False): "f", (False, True): "S"}
        how = paint.get((fill is not None, wide_mm > 0), "n")
        self._marks.append(f"q {' '.join(inks)} {path} {how} Q")


def to_pdf(pages: Iterable[Page], title: str) -> bytes:
    """Return a file of these pages; the same pages always give the same bytes."""
    pages = list(pages)
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        size = _numbers(page.width_mm, page.height_mm)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        marks = page.content()
        objects.append(f"<< /Length {len(marks)} >>\nstream\n".encode() + marks + b"\nendstream")
    plain = (
        title.encode("cp1252", "replace").replace(b"\\", b"").replace(b"(", b"").replace(b")", b"")
    )
    objects.append(b"<< /Title (" + plain + b") >>")
    return _file(objects)


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, body in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for start in starts:
        out += f"{start:010d} 00000 n \n".encode()
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n".encode()
    out += f"startxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def _numbers(*millimetres: float) -> str:
    return " ".join(f"{value * POINTS_PER_MM:.4f}".rstrip("0").rstrip(".") for value in millimetres)


def _ink(ink: Ink, stroke: bool = False) -> str:
    if isinstance(ink, tuple):
        shown = " ".join(f"{value / 255:.4g}" for value in ink)
        return f"{shown} {'RG' if stroke else 'rg'}"
    return f"{ink:g} {'G' if stroke else 'g'}"
