"""Draws the way from the board to the lights and back: ``python docs/flow_picture.py``."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from hardware.svg import BLUE, GREEN, GREY, INK, PALE, PURPLE, Drawing  # noqa: E402

FILE = ROOT / "docs" / "pictures" / "flow.svg"
WIDTH, HEIGHT = 960, 500

#: Boxes by name: left, top, width, height, heading, and what is in small letters below it.
BOXES = {
    "board": (20, 150, 120, 110, "the board", "pieces, fences,\nhands"),
    "camera": (190, 60, 150, 84, "camera, eyes", "a picture, read\ncompanion/sensing"),
    "grid": (190, 266, 150, 84, "hall grid, link", "81 values over USB\nfirmware, sensing"),
    "evidence": (390, 150, 130, 110, "evidence", "how likely is\neach thing in\neach place"),
    "referee": (
        570,
        150,
        150,
        110,
        "referee",
        "which legal move\nexplains it best?\ncompanion/referee",
    ),
    "rules": (570, 20, 150, 88, "rules", "every legal move,\nand why not\ncompanion/games"),
    "players": (390, 26, 130, 76, "players", "the empty seats\ncompanion/players"),
    "table": (570, 310, 150, 84, "table", "the agreed game;\nthe loop owns it"),
    "lights": (790, 60, 150, 58, "lights, panel", "companion/lights"),
    "page": (790, 150, 150, 58, "page, phones", "companion/web"),
    "voice": (790, 240, 150, 58, "voice, log", "one sentence for all"),
    "journal": (790, 336, 150, 58, "journal", "on disk first"),
}


def main() -> None:
    """Write the picture."""
    FILE.write_text(draw(), encoding="utf-8")
    print(FILE.relative_to(ROOT))


def draw() -> str:
    """Return the picture as SVG."""
    drawing = Drawing(WIDTH, HEIGHT, "From the board to evidence, verdict, and back to the board")
    drawing.box(552, 134, 186, 276, fill="#f7f3fc", stroke=PURPLE, round=12, dash="6 4")
    drawing.text(645, 422, "one loop, one thread", size=12, colour=PURPLE, anchor="middle")
    for name in BOXES:
        _box(drawing, name)
    _ways(drawing)
    return drawing.to_text()


def _box(drawing: Drawing, name: str) -> None:
    x, y, wide, tall, heading, about = BOXES[name]
    inner = name in ("referee", "table")
    drawing.box(x, y, wide, tall, fill="#ffffff" if inner else PALE, round=8)
    drawing.text(x + wide / 2, y + 18, heading, size=15, anchor="middle", bold=True)
    below = y + 30 + (tall - 34) / 2
    drawing.text(x + wide / 2, below, about, size=11.5, colour=GREY, anchor="middle")


def _ways(drawing: Drawing) -> None:
    """Draw what goes from box to box."""
    drawing.wire([(140, 180), (165, 180), (165, 102), (190, 102)], BLUE, arrow=True)
    drawing.wire([(140, 230), (165, 230), (165, 308), (190, 308)], BLUE, arrow=True)
    drawing.wire([(340, 102), (365, 102), (365, 190), (390, 190)], BLUE, arrow=True)
    drawing.wire([(340, 308), (365, 308), (365, 220), (390, 220)], BLUE, arrow=True)
    drawing.text(372, 205, "+", size=18, colour=BLUE, anchor="middle", bold=True)
    drawing.wire([(520, 205), (570, 205)], BLUE, arrow=True)
    drawing.wire([(645, 108), (645, 150)], GREEN, arrow=True)
    drawing.wire([(570, 60), (520, 60)], GREEN, arrow=True)
    drawing.wire([(645, 260), (645, 310)], INK, arrow=True)
    drawing.text(653, 285, "verdict", size=12, colour=INK)
    drawing.wire([(455, 102), (455, 128), (540, 128), (540, 330), (570, 330)], GREEN, arrow=True)
    drawing.text(480, 346, "its own moves", size=12, colour=GREEN, anchor="middle")
    for name in ("lights", "page", "voice", "journal"):
        x, y, _, tall, _, _ = BOXES[name]
        drawing.wire([(720, 352), (775, 352), (775, y + tall / 2), (x, y + tall / 2)], arrow=True)
    drawing.text(724, 366, "snapshots", size=11)
    drawing.wire([(790, 198), (755, 198), (755, 328), (720, 328)], PURPLE, arrow=True)
    drawing.text(748, 262, "commands", size=12, colour=PURPLE, anchor="middle", turn=-90)
    drawing.wire(
        [(940, 89), (950, 89), (950, 462), (80, 462), (80, 260)], INK, dash="6 4", arrow=True
    )
    drawing.text(
        430,
        478,
        "people do what light and words ask for, and the sensors see whether they did",
        size=12,
        colour=GREY,
        anchor="middle",
    )


if __name__ == "__main__":
    main()
