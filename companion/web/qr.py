"""An address as a QR code: a picture for the page or a file, and characters for a terminal."""

import io

import segno

QUIET = 4  # modules of white around it, as the standard asks for
SCALE = 10  # pixels a module

#: Black and white that no theme repaints, so that it reads on dark and on light terminals.
INK, END = "\x1b[38;5;16;48;5;231m", "\x1b[0m"

#: Two modules above each other in one character, dark on white.
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def png(text: str) -> bytes:
    """Return a text as a PNG, black on white."""
    return _saved(text, "png")


def svg(text: str) -> bytes:
    """Return a text as an SVG of any size, black on white."""
    return _saved(text, "svg", xmldecl=False, omitsize=True)


def in_terminal(text: str) -> str:
    """Return a text as lines of half-block characters, black on white."""
    rows = [list(row) for row in segno.make_qr(text).matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    lines = (
        "".join(HALVES[upper, lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )
    return "\n".join(f"{INK}{line}{END}" for line in lines)


def _saved(text: str, kind: str, **options: bool) -> bytes:
    out = io.BytesIO()
    code = segno.make_qr(text)
    code.save(out, kind=kind, scale=SCALE, border=QUIET, dark="#000", light="#fff", **options)
    return out.getvalue()
