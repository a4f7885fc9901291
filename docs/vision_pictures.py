"""Makes the pictures, the plot and the tables of docs/vision.md; needs no browser."""

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.boards import profile
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.vision.decode import read_board
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.overlay import draw_overlay
from companion.sim.room import Room, Setting
from companion.sim.stress import SEVERITIES, STRESSORS, Stress
from companion.sim.stress.people import REACHES
from companion.sim.stress.pictures import SPOILERS

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures"
FIGURES = DOCS / "vision-figures.json"
PAGE = DOCS / "vision.md"
POSITION = {
    "e5": "pacman",
    "e6": "blinky",
    "c4": "pinky",
    "g7": "clyde",
    "c3h": "fence",
    "f6v": "fence",
    "d6h": "fence",
    "g3v": "fence",
}
SHOWN = (1, 3, 5)
TILE = (300, 225)
BIGGEST = 400_000
BEGIN, END = "<!-- figures: made by docs/vision_pictures.py -->", "<!-- end of the figures -->"


class Studio:
    """One simulated table, photographed under one stressor at a time."""

    def __init__(self, light: str = "daylight", seed: int = 4) -> None:
        self.board = profile.load("reference")
        self.light, self.seed = light, seed
        self._plain: Picture | None = None

    def photograph(self, name: str, severity: int) -> Picture:
        """Return a picture at a moment when the stressor is at work."""
        if name not in SPOILERS:
            return self._drawn((Stress(name, severity),))
        if self._plain is None:
            self._plain = self._drawn(())
        times = [1.5 * number for number in range(4, 34)]
        return max(
            (SPOILERS[name](self._plain, severity, time, self.seed) for time in times),
            key=self._change,
        )

    def _drawn(self, stresses: tuple[Stress, ...]) -> Picture:
        room = Room(self.board, Setting(self.light, self.seed, stresses=stresses))
        room.table.set_up(POSITION)
        if room.table.habits.half_in_share:
            room.table.half_seat(room.table.fence_at("c3h") or "")
        room.clock.now = _moment(stresses, self.seed)
        return room.shoot(later=0.0).picture

    def _change(self, picture: Picture) -> float:
        """Return how much the middle of a picture differs from the plain one."""
        assert self._plain is not None
        height, width = picture.shape[:2]
        middle = np.s_[height // 4 : -height // 4 : 4, width // 3 : -width // 3 : 4]
        return float(np.abs(picture[middle].astype(int) - self._plain[middle]).mean())


def _moment(stresses: tuple[Stress, ...], seed: int) -> float:
    """Return a time at which every hand that the stressors bring is all the way in."""
    reaches = [(REACHES[s.name], s.severity) for s in stresses if s.name in REACHES]
    for tick in range(6 * 15, 4000):
        now = tick / 15
        hands = [reach(severity, now, seed) for reach, severity in reaches]
        soon = [reach(severity, now + 0.1, seed) for reach, severity in reaches]
        if all(hands) and hands == soon:
            return now
    raise ValueError(f"expected a hand within minutes, none came under {stresses}")


def contact_sheet(studio: Studio) -> Picture:
    """Return every stressor at severity 1, 3 and 5, two stressors in a row."""
    cells = []
    for name in STRESSORS:
        tiles = []
        for severity in SHOWN:
            picture = studio.photograph(name, severity)
            tile = np.asarray(
                cv2.resize(_part(picture, name), TILE, interpolation=cv2.INTER_AREA), np.uint8
            )
            _label(tile, f"{name} {severity}")
            tiles.append(tile)
        cells.append(np.hstack(tiles))
    rows = [np.hstack(cells[at : at + 2]) for at in range(0, len(cells), 2)]
    return np.asarray(np.vstack(rows), np.uint8)


#: What is small is shown closer: where the part begins, and its share of the picture.
CLOSER = {
    "blur": (0.42, 0.3, 0.4),
    "jpeg": (0.42, 0.3, 0.4),
    "half-seated": (0.3, 0.5, 0.2),
    "off-centre": (0.33, 0.3, 0.4),
}


def _part(picture: Picture, name: str) -> Picture:
    """Return the part of a picture in which this stressor is seen best."""
    height, width = picture.shape[:2]
    across, down, share = CLOSER.get(name, (0.0, 0.0, 1.0))
    left, top = round(width * across), round(height * down)
    return picture[top : top + round(height * share), left : left + round(width * share)]


def _label(tile: Picture, text: str) -> None:
    cv2.rectangle(tile, (0, 0), (12 + 10 * len(text), 24), (0, 0, 0), cv2.FILLED)
    white = (255, 255, 255)
    cv2.putText(tile, text, (6, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, white, 1, cv2.LINE_AA)


def seen(studio: Studio, name: str, severity: int) -> Picture:
    """Return what the companion says of a picture that it sees cold, drawn onto it."""
    picture = studio.photograph(name, severity)
    sight = Eyes(studio.board).look(Frame(0.0, picture))
    assert sight.pose is not None, sight.text
    told = read_board(studio.board, sight.evidence, sight.covered)
    return draw_overlay(studio.board, picture, sight.pose, told)


def save(picture: Picture, name: str, quality: int = 85) -> None:
    """Write a picture as JPEG, as well as it may be without being too big."""
    while True:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(data) <= BIGGEST:
            break
        quality -= 5
    (PICTURES / name).write_bytes(data.tobytes())
    print(f"docs/pictures/{name}")


def figures_table(figures: list[dict[str, Any]]) -> str:
    """Return the figures as a table: a line for each stressor, a column for each severity."""
    severities = sorted({figure["severity"] for figure in figures})
    head = " | ".join(f"severity {severity}" for severity in severities)
    lines = [f"| stressor | {head} |", "|---|" + "---|" * len(severities)]
    for name in STRESSORS:
        found = {f["severity"]: f for f in figures if f["stressor"] == name}
        cells = [_cell(found[s]) if s in found else "" for s in severities]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    wrong, plies = (sum(figure[key] for figure in figures) for key in ("wrong", "plies"))
    lines.append("")
    lines.append(f"In all {plies:,} plies, {wrong} wrong accepted. How they were measured:")
    runs = sorted({(figure["date"], figure["command"]) for figure in figures})
    lines += [f"`{command}` on {date}." for date, command in runs]
    return "\n".join(lines)


def _cell(figure: dict[str, Any]) -> str:
    said = f"{figure['wrong']} / {_asked(figure):.0f} % / {figure['missed']}"
    if figure["stressor"] == "half-seated":
        said += f" / {figure['halves_taken']} of {figure['halves']}"
    return said + f" in {figure['plies']:,}"


def _asked(figure: dict[str, Any]) -> float:
    return 100 * float(figure["asked"]) / max(1, int(figure["plies"]))


def _missed(figure: dict[str, Any]) -> float:
    return 100 * float(figure["missed"]) / max(1, int(figure["plies"]))


WIDE, HIGH, LEFT, TOP, ACROSS = 190, 130, 46, 30, 4


def figures_plot(figures: list[dict[str, Any]]) -> str:
    """Return a plot as SVG: for each stressor questions and misses against severity."""
    rows = -(-len(STRESSORS) // ACROSS)
    size = (LEFT + ACROSS * WIDE, TOP + rows * HIGH + 22)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}"'
        ' font-family="sans-serif" font-size="11" fill="#333">',
        f'<rect width="{size[0]}" height="{size[1]}" fill="#fff"/>',
        f'<text x="{LEFT}" y="16">Of 100 plies: <tspan fill="#c0392b">● asked again</tspan>'
        ' <tspan fill="#2d6cc0">○ missed for two seconds</tspan>, against severity 1 to 5.'
        " Dashed: the aim, 5. The scale is that of the square root.</text>",
    ]
    for number, name in enumerate(STRESSORS):
        found = [figure for figure in figures if figure["stressor"] == name]
        x, y = LEFT + number % ACROSS * WIDE, TOP + number // ACROSS * HIGH
        parts += _panel(name, found, x, y)
    return "\n".join([*parts, "</svg>", ""])


def _panel(name: str, figures: list[dict[str, Any]], x: int, y: int) -> list[str]:
    wide, high = WIDE - 40, HIGH - 46

    def at(severity: int, percent: float) -> tuple[float, float]:
        return (
            x + (severity - 0.5) * wide / 5,
            y + 20 + high * (1 - math.sqrt(min(percent, 100) / 100)),
        )

    aim = at(1, 5.0)[1]
    parts = [
        f'<text x="{x}" y="{y + 13}" font-weight="bold">{name}</text>',
        f'<path d="M{x} {y + 20}v{high}h{wide}" fill="none" stroke="#999"/>',
        f'<path d="M{x} {aim:.1f}h{wide}" stroke="#999" stroke-dasharray="4 3"/>',
    ]
    for percent in (0, 5, 25, 100):
        low = at(1, percent)[1] + 4
        parts.append(f'<text x="{x - 5}" y="{low:.1f}" text-anchor="end">{percent}</text>')
    for severity in SEVERITIES:
        left = at(severity, 0)[0]
        parts.append(
            f'<text x="{left:.1f}" y="{y + high + 34}" text-anchor="middle">{severity}</text>'
        )
    for value, colour, inside in ((_missed, "#2d6cc0", "#fff"), (_asked, "#c0392b", "#c0392b")):
        points = [at(figure["severity"], value(figure)) for figure in figures]
        line = " ".join(f"{left:.1f},{top:.1f}" for left, top in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        parts += [
            f'<circle cx="{left:.1f}" cy="{top:.1f}" r="3" fill="{inside}" stroke="{colour}"/>'
            for left, top in points
        ]
    return parts


def fill_in(page: Path, table: str) -> None:
    """Put a table between the two marks of a page."""
    before, rest = page.read_text().split(BEGIN)
    _, after = rest.split(END)
    page.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")


def main() -> None:
    """Make everything anew from the code and from the figures that are kept."""
    studio = Studio()
    save(contact_sheet(studio), "stressors.jpg")
    save(seen(studio, "hand", 3), "seen-hand.jpg")
    save(seen(studio, "off-centre", 5), "seen.jpg")
    figures = json.loads(FIGURES.read_text())["figures"]
    (PICTURES / "stress.svg").write_text(figures_plot(figures))
    fill_in(PAGE, figures_table(figures))


if __name__ == "__main__":
    main()
