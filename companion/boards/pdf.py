"""Writes PDF by hand: black lines, filled squares and words in millimetres, true to scale."""

from collections.abc import Iterable

POINTS_PER_MM = 72 / 25.4

#: Paper, upright: width and height in millimetres.
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}


class Page:
    """One page; millimetres count from its lower left corner."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        self.width_mm = width_mm
        self.height_mm = height_mm
        self._marks: list[str] = []

    def fill(self, x: float, y: float, width: float, height: float, grey: float = 0.0) -> None:
        """Fill a rectangle given by its lower left corner."""
        self._marks.append(f"{grey:g} g {_numbers(x, y, width, height)} re f")

    def line(
        self, points: Iterable[tuple[float, float]], wide_mm: float = 0.2, grey: float = 0.0
    ) -> None:
        """Draw a line through points."""
        way = list(points)
        path = f"{_numbers(*way[0])} m " + " ".join(f"{_numbers(*at)} l" for at in way[1:])
        self._marks.append(f"{grey:g} G {_numbers(wide_mm)} w {path} S")

    def rectangle(
        self, x: float, y: float, width: float, height: float, wide_mm: float = 0.2, grey: float = 0
    ) -> None:
        """Draw the outline of a rectangle given by its lower left corner."""
        self._marks.append(f"{grey:g} G {_numbers(wide_mm)} w {_numbers(x, y, width, height)} re S")

    def text(self, x: float, y: float, words: str, size_mm: float = 3.5, grey: float = 0.0) -> None:
        """Write one line of words, its foot at y."""
        shown = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self._marks.append(
            f"BT {grey:g} g /F1 {_numbers(size_mm * 1.35)} Tf {_numbers(x, y)} Td ({shown}) Tj ET"
        )

    def clip(self, x: float, y: float, width: float, height: float) -> None:
        """Show of what is drawn from now on only what lies in a rectangle, until :meth:`unclip`."""
        self._marks.append(f"q {_numbers(x, y, width, height)} re W n")

    def unclip(self) -> None:
        """Show everything again."""
        self._marks.append("Q")

    def content(self) -> bytes:
        """Return the page's marks as PDF writes them."""
        return "\n".join(self._marks).encode("cp1252")


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
    plain = title.encode("cp1252").replace(b"(", b"").replace(b")", b"")
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
