"""Pictures of the table: what is joined to what, the Pi with lights and panel, and the power."""

from typing import Any

from hardware import parts
from hardware.power import Budget
from hardware.svg import BLUE, GREY, INK, ORANGE, PALE, RED, TEAL, Drawing

YELLOW = "#ffd800"
STEP = 27


def overview(budget: Budget) -> str:
    """Return the whole table as boxes: which build has what, and what joins them."""
    picture = Drawing(1080, 560, "What is joined to what")
    picture.text(30, 30, "The table at a glance", size=21, bold=True)
    bands = (
        ("camera only", 60, 250),
        ("camera and lights", 320, 400),
        ("the full table", 730, 325),
    )
    for name, x, width in bands:
        picture.box(x, 66, width, 420, fill=PALE, stroke="#c9cdd4", round=10, thick=1)
        picture.text(x + 14, 86, name, size=14, colour=GREY, bold=True)
    _block(picture, 85, 120, 200, 70, "camera", "above the board")
    _block(picture, 85, 250, 200, 90, "Raspberry Pi", "companion play")
    _block(picture, 85, 400, 200, 60, "phones", "any browser")
    _block(picture, 350, 120, 150, 60, "panel", "buttons, buzzer")
    _block(picture, 350, 250, 150, 90, "level shifter", "74AHCT125\n3.3 V → 5 V")
    _block(picture, 560, 250, 140, 90, "strip", f"{budget.leds} LEDs")
    _block(picture, 450, 400, 170, 60, "5 V supply", f"{budget.supply_a:g} A, two fuses")
    _block(picture, 755, 120, 120, 70, "Pico", "firmware")
    _block(picture, 755, 250, 120, 90, "multiplexers", "6 × 16 inputs")
    _block(picture, 910, 250, 125, 90, "sensors", "81, one under\neach square")
    _block(picture, 755, 400, 280, 60, "regulator 3.3 V", "for the sensors")
    picture.wire([(185, 190), (185, 250)], BLUE, arrow=True)
    picture.text(194, 220, "flat cable or USB", size=12, colour=BLUE)
    picture.wire([(185, 340), (185, 400)], BLUE, arrow=True)
    picture.text(194, 370, "Wi-Fi", size=12, colour=BLUE)
    picture.wire([(285, 270), (318, 270), (318, 150), (350, 150)], BLUE)
    picture.wire([(285, 300), (350, 300)], BLUE, arrow=True)
    picture.text(294, 314, "data", size=12, colour=BLUE)
    picture.wire([(500, 300), (560, 300)], BLUE, arrow=True)
    picture.wire([(285, 258), (300, 258), (300, 104), (815, 104), (815, 120)], BLUE)
    picture.label(600, 104, "USB", BLUE, fill=PALE)
    picture.wire([(815, 190), (815, 250)], TEAL)
    picture.text(824, 220, "address, enable, 3 × analog", size=12, colour=TEAL)
    picture.wire([(910, 295), (875, 295)], TEAL, arrow=True)
    picture.wire([(600, 400), (600, 340)], RED, arrow=True)
    picture.text(608, 370, f"{budget.runs[0].fuse_a:g} A fuse", size=12, colour=RED)
    picture.wire([(470, 400), (470, 340)], RED, arrow=True)
    picture.wire([(620, 430), (755, 430)], RED, arrow=True)
    picture.label(672, 430, f"{budget.runs[1].fuse_a:g} A fuse", RED, fill=PALE)
    picture.wire([(970, 400), (970, 340)], ORANGE, arrow=True)
    picture.text(978, 370, "3.3 V", size=12, colour=ORANGE)
    picture.wire([(740, 430), (740, 155), (755, 155)], RED, arrow=True)
    picture.label(740, 372, "D1", RED, fill=PALE)
    picture.text(
        30,
        520,
        "All grounds are joined. The Pi has its own supply; "
        "only ground and signals go between it and the rest.",
        size=14,
        colour=GREY,
    )
    return picture.to_text()


def _block(
    picture: Drawing, x: float, y: float, width: float, height: float, name: str, more: str
) -> None:
    picture.box(x, y, width, height, round=6)
    picture.text(x + width / 2, y + 18, name, size=15, bold=True, anchor="middle")
    picture.text(x + width / 2, y + (height + 24) / 2, more, size=12, colour=GREY, anchor="middle")


def pi(pinned: dict[str, Any], budget: Budget) -> str:
    """Return the Pi's header with strip, level shifter, buttons and buzzer wired to it."""
    picture = Drawing(1120, 740, "Lights and panel on the Raspberry Pi")
    picture.text(30, 30, "Lights and panel on the Pi's header", size=21, bold=True)
    pins = pinned["pi"]
    names = parts.PI_HEADER.split()
    uses = {f"GPIO{pins['lights']}": BLUE, "GND 20": INK}
    uses |= {f"GPIO{pins[key]}": TEAL for key in ("confirm", "take_back", "wake", "buzzer")}
    x, y = 170, 106
    picture.box(x - 22, y - 20, 92, 20 * STEP + 14, fill="#e7f3ea", round=6)
    for number, name in enumerate(names, 1):
        row, right = divmod(number - 1, 2)
        cx, cy = x + right * 48, y + row * STEP
        colour = uses.get(f"{name} {number}") or uses.get(name)
        picture.circle(cx, cy, 8, fill=colour or "#ffffff", stroke=GREY)
        picture.text(
            cx, cy, str(number), size=9, anchor="middle", colour="#ffffff" if colour else GREY
        )
        side = 1 if right else -1
        picture.text(
            cx + side * 28,
            cy,
            name,
            size=12,
            anchor="start" if right else "end",
            colour=INK if colour else "#8d929b",
            bold=bool(colour),
        )
    picture.text(x + 24, y - 32, "edge with the SD card", size=11, colour=GREY, anchor="middle")
    _strip_part(picture, x, y, names.index(f"GPIO{pins['lights']}") + 1, budget)
    _panel_part(picture, x, y, names, pins)
    return picture.to_text()


def _at(x: float, y: float, number: int) -> tuple[float, float]:
    row, right = divmod(number - 1, 2)
    return x + right * 48, y + row * STEP


def _strip_part(picture: Drawing, x: float, y: float, data: int, budget: Budget) -> None:
    left, top = 470, 84
    picture.box(left, top, 190, 214, fill="#fff8e1", round=6)
    picture.text(left + 95, top + 20, "SHIFT  74AHCT125", size=14, bold=True, anchor="middle")
    rows = {"pin 2: 1A": (52, BLUE), "1: 1OE": (84, INK), "7: GND": (116, INK)}
    for name, (down, colour) in rows.items():
        picture.circle(left, top + down, 5, fill=colour)
        picture.text(left + 12, top + down, name, size=12)
    for name, down, colour in (("1Y: 3", 52, BLUE), ("VCC: 14", 116, RED)):
        picture.circle(left + 190, top + down, 5, fill=colour)
        picture.text(left + 178, top + down, name, size=12, anchor="end")
    picture.text(
        left + 95,
        top + 172,
        "4, 10, 13 (OE) to 5 V\n5, 9, 12 (A) to ground\n6, 8, 11 stay open\n"
        "C4 100 nF from 14 to 7\nR8 10 kΩ from 2 to ground",
        size=12,
        colour=GREY,
        anchor="middle",
    )
    sx, sy = _at(x, y, data)
    picture.wire(
        [(sx, sy + 10), (sx, sy + 13.5), (330, sy + 13.5), (330, top + 52), (left, top + 52)], BLUE
    )
    gx, gy = _at(x, y, 20)
    picture.wire([(gx + 60, gy), (390, gy), (390, top + 330)], INK)
    picture.wire([(left, top + 84), (430, top + 84), (430, top + 330)], INK)
    picture.wire([(left, top + 116), (430, top + 116)], INK)
    picture.wire([(390, top + 330), (1075, top + 330)], INK, thick=3)
    picture.text(394, top + 346, "ground of everything", size=12)
    picture.wire([(660, top + 52), (700, top + 52)], BLUE)
    picture.box(700, top + 42, 64, 20, round=3)
    picture.text(732, top + 52, "330 Ω", size=12, anchor="middle")
    picture.text(732, top + 32, "R3", size=12, anchor="middle", colour=GREY)
    picture.wire([(764, top + 52), (880, top + 52)], BLUE, arrow=True)
    picture.box(880, top, 195, 214, fill="#e8f0fe", round=6)
    picture.text(
        977, top + 20, f"STRIP  {budget.leds} × WS2812B", size=14, bold=True, anchor="middle"
    )
    for name, down in (("DIN", 52), ("5V", 116), ("GND", 180)):
        picture.text(892, top + down, name, size=13)
    for number in range(5):
        picture.box(950 + number * 22, top + 106, 14, 14, fill=YELLOW, round=3, thick=1)
    picture.wire([(660, top + 116), (880, top + 116)], RED, thick=3, arrow=True)
    picture.wire([(880, top + 180), (860, top + 180), (860, top + 330)], INK, thick=3)
    picture.wire([(800, top + 116), (800, top + 212)], RED)
    picture.wire([(784, top + 212), (816, top + 212)], INK, thick=4)
    picture.wire([(784, top + 221), (816, top + 221)], INK, thick=4)
    picture.wire([(800, top + 221), (800, top + 330)], INK)
    picture.text(776, top + 216, "C1\n1000 µF", size=12, anchor="end")
    picture.text(792, top + 200, "+", size=15, anchor="end", colour=RED)
    picture.wire([(700, top + 116), (700, top + 250)], RED, thick=3)
    picture.box(676, top + 250, 48, 18, round=3)
    picture.text(700, top + 259, "F1", size=12, anchor="middle")
    picture.text(668, top + 259, f"{budget.runs[0].fuse_a:g} A slow", size=12, anchor="end")
    picture.wire([(700, top + 268), (700, top + 390)], RED, thick=3)
    picture.box(662, top + 350, 76, 20, round=3)
    picture.text(700, top + 360, "J1, SW4", size=12, anchor="middle")
    picture.box(600, top + 390, 260, 60, fill="#fdecea", round=6)
    picture.text(
        730, top + 420, f"SUPPLY  5 V {budget.supply_a:g} A", size=14, bold=True, anchor="middle"
    )
    picture.text(700, top + 400, "+", size=15, anchor="middle", colour=RED)
    picture.text(810, top + 400, "−", size=15, anchor="middle")
    picture.wire([(810, top + 390), (810, top + 330)], INK, thick=3)
    picture.circle(810, top + 330, 5)
    picture.circle(800, top + 116, 4, fill=RED)
    picture.circle(700, top + 116, 4, fill=RED)
    picture.text(
        880,
        top + 420,
        "The Pi's own 5 V pins\nstay free.",
        size=12,
        colour=GREY,
    )


def _panel_part(
    picture: Drawing, x: float, y: float, names: list[str], pins: dict[str, Any]
) -> None:
    shown = (
        ("confirm", "SW1 confirm"),
        ("take_back", "SW2 take back"),
        ("wake", "SW3 wake"),
        ("buzzer", "R4 220 Ω, BZ1 buzzer"),
    )
    for place, (key, words) in enumerate(shown):
        number = names.index(f"GPIO{pins[key]}") + 1
        cx, cy = _at(x, y, number)
        line = 588 + place * 36
        bend = 300 + place * 14
        start = (cx + 74, cy) if number % 2 == 0 else (cx - 80, cy)
        if number % 2:
            below = 664 + (place % 2) * 10 + (10 if key == "buzzer" else 0)
            side = 84 - place * 12
            way = [start, (side, cy), (side, below), (bend, below), (bend, line), (430, line)]
        else:
            way = [start, (bend, cy), (bend, line), (430, line)]
        picture.wire(way, TEAL)
        picture.box(430, line - 12, 170, 24, fill="#ffffff", round=12)
        picture.text(515, line, words, size=13, anchor="middle")
        picture.wire([(600, line), (640, line)], INK)
    picture.wire([(640, 588), (640, 696)], INK, thick=3)
    picture.text(652, 642, "to ground: pin 20, or\nany other GND of the Pi", size=12, colour=GREY)


def power(budget: Budget) -> str:
    """Return the ways of the 5 V: fuses, regulator, diode."""
    strip, grid = budget.runs
    picture = Drawing(1000, 424, "Power")
    picture.text(30, 30, "Power: two fused ways from one 5 V supply", size=21, bold=True)
    picture.box(20, 150, 96, 80, fill="#fdecea", round=6)
    picture.text(68, 178, "SUPPLY", size=15, bold=True, anchor="middle")
    picture.text(68, 204, f"5 V {budget.supply_a:g} A", size=14, anchor="middle")
    picture.wire([(116, 190), (230, 190)], RED, thick=3)
    for x, words in ((124, "J1\njack"), (174, "SW4\nswitch")):
        picture.box(x, 172, 44, 36, round=4)
        picture.text(x + 22, 190, words, size=11, anchor="middle")
    picture.wire([(230, 100), (230, 280)], RED, thick=3)
    for y, run, name in ((100, strip, "F1"), (280, grid, "F2")):
        picture.wire([(230, y), (420, y)], RED, thick=3, arrow=True)
        picture.box(270, y - 11, 66, 22, round=4)
        picture.text(303, y, f"{name} {run.fuse_a:g} A", size=12, anchor="middle")
        picture.text(
            300, y - 26, f"{run.mm2:g} mm² ({run.awg})", size=12, anchor="middle", colour=GREY
        )
    picture.box(420, 70, 250, 64, fill="#e8f0fe", round=6)
    picture.text(545, 92, "strip and level shifter", size=14, bold=True, anchor="middle")
    picture.text(
        545, 115, f"held below {budget.limit_ma:g} mA", size=13, anchor="middle", colour=GREY
    )
    picture.box(420, 250, 150, 64, fill="#fff3e0", round=6)
    picture.text(495, 270, "REG LM1084-3.3", size=13, bold=True, anchor="middle")
    picture.text(495, 293, "3 IN   1 GND   2 OUT", size=12, anchor="middle", colour=GREY)
    picture.text(444, 334, "C2 10 µF", size=12, anchor="middle", colour=GREY)
    picture.text(548, 334, "C3 47 µF", size=12, anchor="middle", colour=GREY)
    picture.wire([(570, 282), (700, 282)], ORANGE, thick=3, arrow=True)
    picture.label(602, 268, "3.3 V", ORANGE)
    picture.box(700, 250, 270, 64, fill="#fffde7", round=6)
    picture.text(835, 270, "81 sensors", size=14, bold=True, anchor="middle")
    picture.text(
        835,
        293,
        f"usually {budget.sensors_usual_ma:g} mA, at most {budget.sensors_ma:g}",
        size=12,
        anchor="middle",
        colour=GREY,
    )
    picture.wire([(640, 282), (640, 232), (700, 232)], ORANGE, arrow=True)
    picture.text(708, 232, "and the Pico's ADC_VREF (35)", size=12)
    picture.wire([(380, 280), (380, 190), (700, 190)], RED, arrow=True)
    picture.wire([(500, 180), (500, 200), (520, 190), (500, 180)], INK, fill=INK)
    picture.wire([(521, 180), (521, 200)], INK, thick=3)
    picture.text(510, 166, "D1 1N5817, ring to the Pico", size=12, anchor="middle")
    picture.text(708, 190, "the Pico's VSYS (39), besides USB", size=12)
    picture.circle(380, 280, 4, fill=RED)
    picture.circle(640, 282, 4, fill=ORANGE)
    picture.text(495, 352, "tab and heat sink have the 3.3 V", size=12, anchor="middle", colour=RED)
    picture.text(
        30,
        390,
        "All grounds meet beside the regulator's. The sensors have a wire of their own to it, W1 of"
        " 0.25 mm²; the Pico's AGND stays free.\nThe multiplexers get 3.3 V from the Pico (36).",
        size=13,
        colour=GREY,
    )
    return picture.to_text()
