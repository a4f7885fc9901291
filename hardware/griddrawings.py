"""Pictures of the sensor grid: which square goes where, the multiplexers, and the Pico."""

from typing import Any

from companion.board import COLUMNS, ROWS, Board
from hardware import parts
from hardware.svg import GREEN, GREY, INK, ORANGE, PALE, PURPLE, RED, TEAL, Drawing
from hardware.wiring import home

#: One tint for each multiplexer.
TINTS = ("#cfe3ff", "#d3f0d8", "#ffe9b8", "#f7d0d8", "#e3d6f7", "#d9d9d9")
CELL = 78


def grid(board: Board, pinned: dict[str, Any], *, from_below: bool) -> str:
    """Return the grid as it is seen by player 1 from above, or by the maker from below."""
    side, left, top = 9 * CELL, 60, 96
    seen = (
        "from below, turned over like a page, as you solder"
        if from_below
        else "from above, as player 1 sees it"
    )
    picture = Drawing(side + 2 * left, side + top + 120, f"The sensor grid {seen}")
    picture.text(left, 30, f"Sensor grid, seen {seen}", size=21, bold=True)
    picture.text(
        left,
        58,
        "Each square: its name, the multiplexer and its input, and the channel, its number.",
        size=14,
        colour=GREY,
    )
    for spot in board.squares:
        column, row = COLUMNS.index(spot[0]), ROWS.index(spot[1])
        column = 8 - column if from_below else column
        x, y = left + column * CELL, top + (8 - row) * CELL
        _cell(picture, x, y, spot, board.hall.channels[spot], pinned)
    for number in range(9):
        letter = COLUMNS[8 - number if from_below else number]
        for y in (top - 14, top + side + 16):
            picture.text(left + (number + 0.5) * CELL, y, letter, anchor="middle", size=17)
        for x in (left - 20, left + side + 20):
            at = top + (number + 0.5) * CELL
            picture.text(x, at, ROWS[8 - number], anchor="middle", size=17)
    _legend(picture, left, top + side + 56, pinned)
    return picture.to_text()


def _cell(
    picture: Drawing, x: float, y: float, spot: str, channel: int, pinned: dict[str, Any]
) -> None:
    at = home(channel, pinned)
    picture.box(x, y, CELL, CELL, fill=TINTS[at.multiplexer], thick=1)
    picture.text(x + 7, y + 13, spot, size=14, bold=True)
    picture.text(x + CELL - 7, y + 13, f"ch {channel}", size=12, colour=GREY, anchor="end")
    middle = x + CELL / 2
    picture.text(middle, y + 40, f"M{at.multiplexer}", size=17, anchor="middle", bold=True)
    picture.text(middle, y + 61, f"I{at.input}", size=17, anchor="middle")


def _legend(picture: Drawing, x: float, y: float, pinned: dict[str, Any]) -> None:
    lines = pinned["multiplexers"]
    for number, tint in enumerate(TINTS):
        at = home(number * lines["inputs"], pinned)
        left = x + number % 3 * 236
        line = y + number // 3 * 30
        picture.box(left, line - 10, 22, 20, fill=tint, thick=1)
        enable = lines["enable"][at.bank]
        picture.text(left + 30, line, f"M{number}: SIG to GP{at.analog}, EN to GP{enable}", size=14)


def pico(pinned: dict[str, Any]) -> str:
    """Return the Pico with what goes to each of its pins."""
    uses = _uses(pinned)
    picture = Drawing(860, 640, "What goes to the Pico's pins")
    picture.text(30, 30, "Raspberry Pi Pico, seen from above", size=21, bold=True)
    x, y, width, step = 350, 80, 160, 26
    picture.box(x, y - 22, width, 20 * step + 24, fill="#e7f3ea", round=10)
    picture.box(x + width / 2 - 24, y - 40, 48, 34, fill="#d4d7dc", round=3)
    picture.text(x + width / 2, y - 24, "USB", size=13, anchor="middle", colour=GREY)
    for number, name in enumerate(f"{parts.PICO_LEFT} {parts.PICO_RIGHT}".split(), 1):
        left = number <= 20
        line = y + ((number - 1) if left else (40 - number)) * step + 8
        _pico_pin(picture, x if left else x + width, line, number, name, uses, left)
    picture.text(
        30,
        622,
        "Grey pins stay free, AGND (33) too: the ground of the sensors has a wire of its own, W1,"
        " to the regulator's.",
        size=13,
        colour=GREY,
    )
    return picture.to_text()


def _pico_pin(
    picture: Drawing,
    x: float,
    y: float,
    number: int,
    name: str,
    uses: dict[str, tuple[str, str]],
    left: bool,
) -> None:
    inwards = 1 if left else -1
    key = f"{name} {number}" if f"{name} {number}" in uses else name
    use, colour = uses.get(key, ("", "#b8bcc4"))
    picture.circle(x + inwards * 10, y, 6, fill=colour if use else "#e3e5e9", stroke=GREY)
    anchor = "start" if left else "end"
    picture.text(
        x + inwards * 24, y, name, size=12, anchor=anchor, colour=INK if use else "#8d929b"
    )
    picture.text(
        x - inwards * 8, y, str(number), size=11, anchor="end" if left else "start", colour=GREY
    )
    if use:
        start, end = x - inwards * 28, x - inwards * 62
        picture.wire([(start, y), (end, y)], colour, thick=2.5)
        picture.text(end - inwards * 8, y, use, size=14, anchor="end" if left else "start")


def _uses(pinned: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return for each pin that is used what goes there, and the colour of its wire."""
    lines = pinned["multiplexers"]
    uses = {
        "3V3_OUT": ("VCC of all six multiplexers, R1, R2", ORANGE),
        "ADC_VREF": ("3.3 V of the sensors (regulator)", ORANGE),
        "GND 38": ("ground, at the regulator", INK),
        "VSYS": ("5 V through the diode D1", RED),
    }
    for bit, number in enumerate(lines["address"]):
        uses[f"GP{number}"] = (f"S{bit} of all six multiplexers", GREEN)
    for bank, number in enumerate(lines["enable"]):
        first = bank * len(lines["analog"])
        named = ", ".join(f"M{first + n}" for n in range(len(lines["analog"])))
        uses[f"GP{number}"] = (f"EN of {named}; R{bank + 1} to 3V3", PURPLE)
    for place, number in enumerate(lines["analog"]):
        both = f"M{place} and M{place + len(lines['analog'])}"
        uses[f"GP{number}"] = (f"SIG of {both}; R{place + 5} to ground", TEAL)
    return uses


def multiplexers(board: Board, pinned: dict[str, Any]) -> str:
    """Return the six multiplexers with their common lines and the squares on their inputs."""
    spots = {channel: spot for spot, channel in board.hall.channels.items()}
    picture = Drawing(1180, 760, "The six multiplexers and their lines")
    picture.text(30, 30, "Six multiplexers, two banks", size=21, bold=True)
    picture.text(
        30,
        56,
        "S0 to S3, VCC and GND go to all six. Each bank has its own EN; low is on. "
        "M0 and M3, M1 and M4, M2 and M5 share SIG.",
        size=14,
        colour=GREY,
    )
    lines = pinned["multiplexers"]
    for number in range(6):
        bank, place = divmod(number, 3)
        x, y = 30 + place * 382, 86 + bank * 336
        _one(picture, x, y, number, spots, lines)
    return picture.to_text()


def _one(
    picture: Drawing, x: float, y: float, number: int, spots: dict[int, str], lines: dict[str, Any]
) -> None:
    bank, place = divmod(number, 3)
    picture.box(x, y, 364, 316, fill=TINTS[number], round=8)
    picture.text(x + 14, y + 20, f"M{number}", size=19, bold=True)
    picture.text(x + 350, y + 20, f"bank {bank}", size=14, colour=GREY, anchor="end")
    commons = [
        ("SIG", f"Pico GP{lines['analog'][place]}", TEAL),
        ("EN", f"Pico GP{lines['enable'][bank]}", PURPLE),
        *((f"S{b}", f"Pico GP{pin}", GREEN) for b, pin in enumerate(lines["address"])),
        ("VCC", "Pico 3V3 (36)", ORANGE),
        ("GND", "ground", INK),
    ]
    for row, (name, to, colour) in enumerate(commons):
        line = y + 52 + row * 32
        picture.circle(x + 22, line, 6, fill=colour)
        picture.text(x + 36, line, name, size=14, bold=True)
        picture.text(x + 72, line, to, size=13)
    for line in range(lines["inputs"]):
        column, row = divmod(line, 8)
        left, at = x + 196 + column * 84, y + 52 + row * 32
        spot = spots.get(number * lines["inputs"] + line)
        picture.box(left, at - 12, 74, 24, fill="#ffffff" if spot else PALE, thick=1, round=4)
        picture.text(left + 8, at, f"I{line}", size=13, colour=GREY)
        picture.text(
            left + 66,
            at,
            spot or "open",
            size=14,
            anchor="end",
            bold=bool(spot),
            colour=INK if spot else "#9aa0a8",
        )
