"""Draws in SVG: boxes, wires and words on white paper, so that it reads in dark viewers too."""

from collections.abc import Iterable
from html import escape

Point = tuple[float, float]

INK = "#1a1a1f"
GREY = "#6b6f78"
PALE = "#eef0f3"
RED = "#c62828"  # 5 V
ORANGE = "#d9700a"  # 3.3 V
BLUE = "#1557c0"  # data
GREEN = "#1b7f3b"  # address
PURPLE = "#7b2fb5"  # enable
TEAL = "#00798c"  # analog


class Drawing:
    """A picture of this size; what is drawn later lies on top."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
            f' width="{width:g}" height="{height:g}" role="img"'
            ' font-family="Helvetica, Arial, sans-serif">'
        )
        self._parts = [f"<title>{escape(title)}</title>"]
        self.box(0, 0, width, height, fill="#ffffff", stroke="none")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = "#ffffff",
        stroke: str = INK,
        round: float = 0,
        thick: float = 1.5,
        dash: str = "",
    ) -> None:
        """Draw a rectangle from its upper left corner."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round:g}"'
            f' fill="{fill}" stroke="{stroke}" stroke-width="{thick:g}"{dashed}/>'
        )

    def circle(
        self, x: float, y: float, radius: float, *, fill: str = INK, stroke: str = "none"
    ) -> None:
        """Draw a disc."""
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{stroke}"/>'
        )

    def wire(
        self,
        points: Iterable[Point],
        colour: str = INK,
        *,
        thick: float = 2,
        dash: str = "",
        arrow: bool = False,
        fill: str = "none",
    ) -> None:
        """Draw a line through the points, with an arrow at its end if wished."""
        way = list(points)
        path = "M" + " L".join(f"{x:g},{y:g}" for x, y in way)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<path d="{path}" fill="{fill}" stroke="{colour}" stroke-width="{thick:g}"'
            f' stroke-linejoin="round" stroke-linecap="round"{dashed}/>'
        )
        if arrow:
            self._arrow(way[-2], way[-1], colour)

    def _arrow(self, before: Point, tip: Point, colour: str) -> None:
        dx, dy = tip[0] - before[0], tip[1] - before[1]
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        dx, dy = dx / length * 9, dy / length * 9
        left = (tip[0] - dx - dy * 0.45, tip[1] - dy + dx * 0.45)
        right = (tip[0] - dx + dy * 0.45, tip[1] - dy - dx * 0.45)
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, left, right))
        self._parts.append(f'<polygon points="{points}" fill="{colour}"/>')

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 13,
        colour: str = INK,
        anchor: str = "start",
        bold: bool = False,
        turn: float = 0,
    ) -> None:
        """Write words, vertically centred on y; lines are parted by a line break."""
        lines = words.split("\n")
        weight = ' font-weight="bold"' if bold else ""
        turned = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
        for number, line in enumerate(lines):
            at = y + (number - (len(lines) - 1) / 2) * size * 1.25 + size * 0.35
            self._parts.append(
                f'<text x="{x:g}" y="{at:g}" font-size="{size:g}" fill="{colour}"'
                f' text-anchor="{anchor}"{weight}{turned}>{escape(line)}</text>'
            )

    def label(
        self, x: float, y: float, words: str, colour: str = INK, fill: str = "#ffffff"
    ) -> None:
        """Write words on a patch that covers wires, centred."""
        size = 12
        wide = max(map(len, words.split("\n"))) * size * 0.56 + 6
        tall = (words.count("\n") + 1) * size * 1.25 + 2
        self.box(x - wide / 2, y - tall / 2, wide, tall, fill=fill, stroke="none")
        self.text(x, y, words, size=size, colour=colour, anchor="middle")

    def to_text(self) -> str:
        """Return the picture as the text of an SVG file."""
        return "\n".join([self._head, *self._parts, "</svg>"]) + "\n"
