"""Makes the card of the eyes' net, docs/eyes-card.md, with its two plots, from eyes-card.json."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
CARD = DOCS / "eyes-card.json"
PAGE = DOCS / "eyes-card.md"
PICTURES = DOCS / "pictures"
BEGIN, END = "<!-- card: made by docs/eyes_card.py -->", "<!-- end of the card -->"

WIDE, HIGH, LEFT, TOP = 340, 300, 54, 34
COLOURS = {"square": "#c0392b", "across": "#2d6cc0", "along": "#27864a", "crossing": "#8e5bb5"}
TITLES = {
    "square": "squares",
    "across": "grooves, west to east",
    "along": "grooves, south to north",
    "crossing": "crossings",
}
Point = tuple[float, float]


def logit(share: float) -> float:
    """Return a probability on a scale that shows both ends, from 0 at 0.1 % to 1 at 99.9 %."""
    kept = min(max(share, 0.001), 0.999)
    return (math.log(kept / (1 - kept)) / math.log(999) + 1) / 2


def frame(title: str, across: str, up: str) -> list[str]:
    """Return the beginning of a plot as SVG."""
    width, height = LEFT + WIDE + 20, TOP + HIGH + 46
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="11" fill="#333">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="18" font-size="12">{title}</text>',
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDE}" height="{HIGH}" fill="none" stroke="#bbb"/>',
        f'<text x="{LEFT + WIDE / 2}" y="{TOP + HIGH + 36}" text-anchor="middle">{across}</text>',
        f'<text transform="translate(14 {TOP + HIGH / 2}) rotate(-90)" text-anchor="middle">'
        f"{up}</text>",
    ]


def at(x: float, y: float) -> Point:
    """Return where a point from 0 to 1 each way is drawn."""
    return round(LEFT + x * WIDE, 1), round(TOP + (1 - y) * HIGH, 1)


def line(points: Sequence[Point], colour: str) -> list[str]:
    """Return points, from 0 to 1 each way, as a line with dots."""
    drawn = [at(*point) for point in points]
    path = " ".join(f"{x},{y}" for x, y in drawn)
    dots = [f'<circle cx="{x}" cy="{y}" r="2.6" fill="{colour}"/>' for x, y in drawn]
    return [f'<polyline points="{path}" fill="none" stroke="{colour}"/>', *dots]


def ticks(values: Sequence[tuple[float, str]], *, upright: bool) -> list[str]:
    """Return labels beside an axis."""
    parts = []
    for place, text in values:
        if upright:
            x, y = at(0, place)
            parts.append(f'<text x="{x - 6}" y="{y + 4}" text-anchor="end">{text}</text>')
        else:
            x, y = at(place, 0)
            parts.append(f'<text x="{x}" y="{y + 16}" text-anchor="middle">{text}</text>')
    return parts


def reliability_plot(card: dict[str, Any]) -> str:
    """Return what the net says against what is so."""
    parts = frame("How sure, and how often right", "the net says", "it is so")
    parts += line([(0, 0), (1, 1)], "#bbb")
    shares = [(logit(s), f"{s:.1%}".replace(".0%", "%")) for s in (0.001, 0.02, 0.2, 0.8, 0.98)]
    parts += ticks(shares, upright=False) + ticks(shares, upright=True)
    for number, (name, bins) in enumerate(card["reliability"].items()):
        colour = COLOURS[name]
        parts += line([(logit(said), logit(was)) for said, was, _ in bins], colour)
        x, y = at(0.04, 0.94 - 0.06 * number)
        parts.append(f'<text x="{x}" y="{y}" fill="{colour}">● {TITLES[name]}</text>')
    return "\n".join([*parts, "</svg>", ""])


def learning_plot(card: dict[str, Any]) -> str:
    """Return errors a board against the number of pictures learned from."""
    curve = card["curve"]
    most = max(point["errors"] for point in curve)
    few, many = (math.log(pick(p["pictures"] for p in curve)) for pick in (min, max))

    def place(point: dict[str, Any]) -> Point:
        across = (math.log(point["pictures"]) - few) / max(many - few, 1e-9)
        return 0.06 + 0.88 * across, 0.92 * point["errors"] / most

    steps = curve[0]["steps"]
    parts = frame(
        f"Wrong places a board after {steps:,} steps", "pictures of the studio", "wrong places"
    )
    parts += line([place(point) for point in curve], "#c0392b")
    parts += ticks([(place(p)[0], f"{p['pictures']:,}") for p in curve], upright=False)
    parts += ticks([(place(p)[1], f"{p['errors']:.1f}") for p in curve], upright=True)
    return "\n".join([*parts, "</svg>", ""])


def card_table(card: dict[str, Any]) -> str:
    """Return what the net was trained on and how it does, as tables."""
    trained = card["trained on"]
    lines = ["| | |", "|---|---|"]
    for name, count in trained.items():
        lines.append(f"| trained on, {name} | {count:,} pictures, {card['seeds'][name]} |")
    lines.append(f"| steps, weights | {card['steps']:,}, {card['weights']:,} |")
    warmth = ", ".join(f"{TITLES[name]} {value}" for name, value in card["temperature"].items())
    lines += [f"| temperatures | {warmth} |", "", "| held back from training | |", "|---|---|"]
    for name, value in card["figures"].items():
        shown = f"{value:.1%}" if name.endswith(("error", "told")) else f"{value:g}"
        lines.append(f"| {name} | {shown} |")
    lines += [
        "",
        "| the close look at fences, held back | taken for in | doubted |",
        "|---|---|---|",
    ]
    for name, close in card["close look"].items():
        lines.append(
            f"| {name} | {close['taken for seated']:.1%} of {close['loose']:,} not all the way in"
            f" | {close['doubted']:.1%} of {close['seated']:,} that are |"
        )
    pictures = card["committed"]
    lines += [
        "",
        f"Of the {pictures['pictures']} photographs that come with the code it reads"
        f" {pictures['without error']} without error and makes {pictures['wrong']} wrong claims;"
        " a test asks for the same of the file that is shipped.",
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the plots and the tables."""
    card = json.loads(CARD.read_text(encoding="utf-8"))
    plots = {"reliability.svg": reliability_plot(card)}
    if card.get("curve"):
        plots["learning.svg"] = learning_plot(card)
    for name, plot in plots.items():
        (PICTURES / name).write_text(plot, encoding="utf-8")
        print(f"docs/pictures/{name}")
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n{card_table(card)}\n{END}{after}"
    PAGE.write_text(text, encoding="utf-8")
    print("docs/eyes-card.md")


if __name__ == "__main__":
    main()
