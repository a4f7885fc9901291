"""Makes the pictures of what can be printed, from the very sheets: ``make docs``."""

from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pypdfium2

from companion.boards.paper import Press
from companion.commands.boards import load_named, marker_bits

PICTURES = Path(__file__).parent / "pictures"

#: Each picture: the file, the part of it that is printed, which of its pages, how many in a row.
SHOWN = {
    "print-board": ("marbles", "board", range(1, 7), 3),
    "print-cards": ("cards", "fronts", (2, 5, 9, 11), 4),
    "print-pieces": ("mspacman", "", (0, 7, 8), 3),
}
DOTS_PER_INCH = 42
GAP = 6
BEHIND = 150


def draw(name: str) -> np.ndarray:
    """Return a picture of some sheets side by side."""
    file, part, pages, across = SHOWN[name]
    kind, value = load_named(file)
    assert kind.prints is not None
    data = kind.prints.pdf(value, Press("a4", marker_bits), part)
    with closing(pypdfium2.PdfDocument(data)) as document:
        sheets = [
            document[page].render(scale=2 * DOTS_PER_INCH / 72).to_numpy()[..., :3]
            for page in pages
        ]
    small = [
        cv2.resize(sheet, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for sheet in sheets
    ]
    framed = [
        cv2.copyMakeBorder(sheet, *(GAP,) * 4, cv2.BORDER_CONSTANT, value=(BEHIND,) * 3)
        for sheet in small
    ]
    rows = [np.hstack(framed[at : at + across]) for at in range(0, len(framed), across)]
    return np.vstack(rows)


def main() -> None:
    """Write all of them."""
    for name in SHOWN:
        cv2.imwrite(str(PICTURES / f"{name}.png"), draw(name), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
