"""Pictures with measures: the sensor under a piece, the strip around the frame, the camera."""

from typing import Any

from companion.board import Board
from companion.sensing.hall.evidence import SENSOR_DEPTH_MM
from hardware.camera import behind_mm, tilt_deg, view_deg
from hardware.magnets import Magnet, gap_mm
from hardware.strips import pieces
from hardware.svg import BLUE, GREY, INK, ORANGE, PALE, RED, TEAL, Drawing

SCALE = 22  # of the stack, in pixels a millimetre


def sensor(plan: dict[str, Any]) -> str:
    """Return one sensor with its legs and its capacitor, and a magnet's poles over it."""
    picture = Drawing(860, 380, "One sensor")
    picture.text(30, 30, "One of the 81 sensors", size=21, bold=True)
    picture.text(30, 56, f"{plan['sensor']['name']} in TO-92, marked face up", size=14, colour=GREY)
    picture.wire(
        [(90, 200), (90, 116), (108, 98), (212, 98), (230, 116), (230, 200), (90, 200)],
        INK,
        fill="#3a3d44",
    )
    picture.text(160, 140, "marking", size=15, colour="#ffffff", anchor="middle")
    picture.text(160, 164, "towards the board", size=12, colour="#c9cdd4", anchor="middle")
    legs = ((110, "1", "VCC", ORANGE), (160, "2", "GND", INK), (210, "3", "OUT", TEAL))
    for x, number, name, colour in legs:
        picture.wire([(x, 200), (x, 320)], "#a9adb5", thick=7)
        picture.wire([(x, 300), (x, 345)], colour, thick=4)
        picture.text(x + 8, 216, number, size=12, colour=GREY)
        picture.text(x, 362, name, size=14, anchor="middle", bold=True)
    picture.box(104, 252, 62, 26, fill="#f3c26b", round=8)
    picture.text(135, 265, "100 nF", size=12, anchor="middle")
    notes = (
        (310, "VCC: 3.3 V of the regulator, a bare wire along the row", ORANGE),
        (336, "GND: a second bare wire along the row", INK),
        (362, "OUT: a thin wire of its own to the multiplexer's input", TEAL),
    )
    for y, words, colour in notes:
        picture.circle(268, y, 6, fill=colour)
        picture.text(282, y, words, size=14)
    picture.text(282, 265, "a capacitor right across legs 1 and 2", size=14)
    picture.wire([(276, 265), (170, 265)], GREY, thick=1)
    for x, pole, colour, effect in (
        (420, "S", "#2e7d32", "south pole down: the value rises (+)"),
        (660, "N", RED, "north pole down: the value falls (−)"),
    ):
        picture.box(x - 50, 84, 100, 30, fill="#e0e0e0", round=3)
        picture.box(x - 50, 114, 100, 30, fill=colour, round=3)
        picture.text(x, 99, "N" if pole == "S" else "S", size=16, anchor="middle", bold=True)
        picture.text(x, 129, pole, size=16, anchor="middle", bold=True, colour="#ffffff")
        picture.wire([(x, 150), (x, 176)], GREY, arrow=True)
        picture.text(x, 194, effect, size=14, anchor="middle")
    return picture.to_text()


def stack(plan: dict[str, Any], board: Board, shown: Magnet) -> str:
    """Return a cut through a piece, the board and the sensor, with the measures that count."""
    picture = Drawing(900, 576, "From the magnet to the sensor")
    title = board.pieces[shown.piece].title
    picture.text(30, 30, "A cut through a square", size=21, bold=True)
    layers = plan["stack"]
    top = 210.0
    middle, cell = 330.0, board.cell_mm * SCALE * 0.72
    disc = shown.diameter_mm * SCALE * 0.72
    body = board.pieces[shown.piece].diameter_mm * SCALE * 0.72
    felt, cells, base = (layers[key] * SCALE for key in ("felt", "cells", "base"))
    height = shown.height_mm * SCALE
    face = top - felt
    west, east = middle - body / 2, middle + body / 2
    outline = [
        (west, face),
        (west, 110),
        (west + 40, 70),
        (east - 40, 70),
        (east, 110),
        (east, face),
    ]
    picture.wire([*outline, outline[0]], INK, thick=1.5, fill=_pale(board, shown))
    picture.text(middle, 100, f"{title}'s foot", size=14, anchor="middle")
    picture.box(middle - disc / 2, face - height, disc, height, fill="#c3c7ce")
    picture.text(
        middle,
        face - height / 2,
        f"magnet {shown.diameter_mm:g} × {shown.height_mm:g} mm",
        size=13,
        anchor="middle",
        bold=True,
    )
    picture.box(middle - body / 2, face, body, felt, fill="#2e7d32", thick=0.5)
    groove = board.groove_mm * SCALE * 0.72
    for left in (middle - cell / 2, middle - cell * 1.5 - groove, middle + cell / 2 + groove):
        edge = max(left, 30.0)
        picture.box(edge, top, min(left + cell, 630.0) - edge, cells, fill="#4a4d55")
    picture.text(middle, top + cells / 2, "square", size=14, anchor="middle", colour="#ffffff")
    picture.box(30, top + cells, 600, base, fill="#e3c9a0")
    picture.text(
        middle,
        top + cells + base / 2,
        "base plate: plywood, MDF or print",
        size=14,
        anchor="middle",
    )
    low = top + cells + base
    wide = plan["printed"]["sensor_mm"][0] * SCALE * 0.72
    tile = plan["printed"]["tile_mm"] * SCALE
    picture.box(30, low, 600, tile, fill="#dfe7f5")
    _tile_screw(picture, plan, middle - (cell + groove) / 2, low + tile)
    picture.box(
        middle - wide / 2, low, wide, plan["printed"]["sensor_mm"][2] * SCALE, fill="#3a3d44"
    )
    crystal = low + layers["crystal"] * SCALE
    picture.wire([(middle - 14, crystal), (middle + 14, crystal)], "#ffd800", thick=3)
    picture.text(middle + 44, low + 16, "sensor, marked face up", size=14)
    picture.text(middle + 44, low + 38, "yellow: its crystal", size=12, colour=GREY)
    picture.text(middle, low + 68, "sensor tile (print)", size=13, anchor="middle", colour=GREY)
    marks = (
        (face, top, f"felt {layers['felt']:g} mm"),
        (top, top + cells, f"square {layers['cells']:g} mm, as deep\nas the grooves"),
        (top + cells, low, f"base {layers['base']:g} mm"),
        (low, crystal, f"to the crystal {layers['crystal']:g} mm"),
    )
    for start, end, words in marks:
        picture.wire([(652, start), (668, start)], GREY, thick=1)
        picture.wire([(652, end), (668, end)], GREY, thick=1)
        picture.wire([(660, start), (660, end)], INK, thick=1.5)
        picture.text(676, (start + end) / 2, words, size=13)
    total = gap_mm(plan)
    picture.text(
        30,
        530,
        f"Magnet to crystal: {total:g} mm. The companion takes the disc for a point"
        f" {SENSOR_DEPTH_MM:g} mm above the crystal.\n"
        "Half a millimetre more or less changes the readings by about 12 %: "
        "measure them with calibrate --pieces.",
        size=14,
        colour=GREY,
    )
    return picture.to_text()


def _pale(board: Board, shown: Magnet) -> str:
    """Return the colour of a piece, half way to white."""
    red, green, blue = ((value + 255) // 2 for value in board.pieces[shown.piece].colour)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _tile_screw(picture: Drawing, plan: dict[str, Any], x: float, head: float) -> None:
    """Draw a screw of the sensor tile, which ends in the base, under a groove."""
    screw = next(joint["screw"] for joint in plan["joints"] if joint["name"] == "tiles")
    length, wide = screw["length_mm"] * SCALE, 3 * SCALE * 0.72
    picture.box(x - wide / 2, head - length, wide, length, fill="#d8b453", thick=1)
    picture.box(x - wide * 0.9, head, wide * 1.8, 12, fill="#d8b453", thick=1, round=4)
    words = f"{screw['material']}\n{screw['size']} × {screw['length_mm']:g}"
    picture.text(x, head - 30, words, size=12, anchor="middle")


def strip(board: Board) -> str:
    """Return the strip around the frame: numbers, names and the way of the data."""
    scale, edge = 2.0, 50
    side = board.frame_mm * scale
    picture = Drawing(side + 2 * edge, side + 2 * edge + 50, "The strip around the frame")
    picture.text(edge, 28, "The strip, seen from above", size=21, bold=True)
    middle = edge + side / 2
    down = middle + 20

    def at(x: float, y: float) -> tuple[float, float]:
        return middle + x * scale, down - y * scale

    def square(x: float, y: float, mm: float, fill: str, words: str, **more: Any) -> None:
        px, py = at(x, y)
        picture.box(px - mm * scale / 2, py - mm * scale / 2, mm * scale, mm * scale, fill=fill)
        picture.text(px, py, words, anchor="middle", **more)

    square(0, 0, board.frame_mm, PALE, "")
    square(0, 0, board.board_mm, "#ffffff", "")
    for spot in board.squares:
        square(*board.at(spot), board.cell_mm, "#f4f5f7", spot, size=12, colour="#a4a9b1")
    for marker in board.markers:
        square(
            marker.x_mm,
            marker.y_mm,
            board.marker_mm,
            "#2a2a2e",
            str(marker.id),
            size=26,
            colour="#fff",
        )
    runs = pieces(board)
    first = at(*board.lights.at_mm[runs[0].names[0]])
    before = None
    for run in runs:
        points = [at(*board.lights.at_mm[name]) for name in run.names]
        if before is not None:
            around = [(first[0] - 62, before[1]), (first[0] - 62, points[0][1])]
            by = around if run.side == "L" else []  # past the lights of player 1's side
            picture.wire([before, *by, points[0]], BLUE, thick=1.5, dash="5 4")
        picture.wire([points[0], points[-1]], BLUE, thick=2)
        before = points[-1]
    for name, number in board.lights.names.items():
        x, y = at(*board.lights.at_mm[name])
        picture.box(x - 11, y - 11, 22, 22, fill="#ffd800", round=4, thick=1)
        picture.text(x, y, str(number), size=12, anchor="middle", bold=True)
        dx, dy = {"N": (0, -20), "S": (0, 20), "E": (24, 0), "W": (-24, 0)}.get(name[0], (0, 20))
        picture.text(x + dx, y + dy, name, size=11, anchor="middle", colour=GREY)
    picture.wire([(first[0] - 50, first[1]), (first[0] - 14, first[1])], BLUE, thick=3, arrow=True)
    picture.text(first[0] - 34, first[1] + 16, "data in", size=12, colour=BLUE, anchor="middle")
    picture.text(
        edge,
        side + 2 * edge + 30,
        "Number on the strip, from 0; beside it the light's name. "
        "Broken lines are wires. Player 1 sits below.",
        size=13,
        colour=GREY,
    )
    return picture.to_text()


def camera(board: Board, plan: dict[str, Any]) -> str:
    """Return the camera on its post from the side, with heights, angles and what it must see."""
    picture = Drawing(900, 560, "The camera on its post")
    picture.text(30, 30, "The camera, seen from the side", size=21, bold=True)
    scale, ground, middle = 0.72, 490.0, 330.0
    half = board.frame_mm / 2 * scale
    picture.box(middle - half, ground - 14, 2 * half, 14, fill="#d8b98a")
    picture.text(middle - half + 6, ground + 16, "player 1 (south)", size=13, colour=GREY)
    picture.text(middle + half - 4, ground + 16, "north", size=13, colour=GREY, anchor="end")
    post = middle + (board.frame_mm / 2 + plan["camera"]["behind_frame_mm"]) * scale
    lens = middle + behind_mm(board, plan) * scale
    heights = plan["camera"]["heights_mm"]
    top = ground - 14 - heights[-1] * scale
    picture.box(post - 7, top, 14, ground - top, fill="#e3c9a0")
    for height in heights:
        y = ground - 14 - height * scale
        picture.wire([(post + 12, y), (post + 30, y)], INK, thick=1.5)
        tilt = tilt_deg(board, plan, height)
        wide, _ = view_deg(board, plan, height)
        picture.text(
            post + 38,
            y,
            f"{height} mm: tilt {tilt:.0f}°, must see {wide:.0f}° across",
            size=13,
        )
    y = ground - 14 - heights[1] * scale
    for x in (middle - half, middle + half):
        picture.wire([(lens, y), (x, ground - 14)], BLUE, thick=1, dash="6 5")
    picture.wire([(lens, y), (middle, ground - 14)], RED, thick=1.5, arrow=True)
    picture.box(lens - 10, y - 10, post - lens + 3, 20, fill="#3a3d44", round=3)
    picture.text(middle + 16, ground - 36, "middle of\nthe board", size=12, colour=RED)
    picture.text(
        30,
        535,
        "The companion is made for 430 to 560 mm above the board and a tilt of up to 25°. "
        "Lamps: beside the board, not over it.",
        size=13,
        colour=GREY,
    )
    return picture.to_text()
