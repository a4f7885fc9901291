"""The tables of the documents: written from the build, put between two comments of a page."""

import re
from collections import Counter
from collections.abc import Callable

from companion.sensing.hall.evidence import SENSOR_DEPTH_MM
from hardware import camera, parts, prints, pull, screws, shopping, strips
from hardware.magnets import gap_mm, straight_counts
from hardware.plan import Build
from hardware.solid import read_stl

PLACE = re.compile(r"(<!-- table: ([a-z -]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
LIGHTS_A_METRE = (60, 144)
PICTURES = "../docs/pictures/hardware"


def fill(text: str, build: Build) -> str:
    """Return a page with all its tables written anew."""

    def put(found: re.Match[str]) -> str:
        if found[2] not in TABLES:
            raise ValueError(f"expected a table of {', '.join(TABLES)}, got {found[2]!r}")
        return f"{found[1]}{TABLES[found[2]](build)}\n{found[4]}"

    return PLACE.sub(put, text)


def _rows(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def builds(build: Build) -> str:
    """What each build gives, and what it takes."""
    rows: list[tuple[object, ...]] = []
    for name, about in build.listed["builds"].items():
        _, whole = shopping.euros(build.bought, name)
        rows.append((f"**{about['title']}**", about["gives"], about["hours"], f"about {whole} €"))
    return _rows(("build", "what it gives", "time", "parts in all"), rows) + _estimate(build)


def _estimate(build: Build) -> str:
    prices = build.listed["prices"]
    return f"\n\nPrices of {prices['date']}, in {prices['currency']}: {prices['about']}."


def prices(build: Build) -> str:
    """What each build costs, besides the one before it and in all."""
    rows: list[tuple[object, ...]] = []
    for name, about in build.listed["builds"].items():
        own, whole = shopping.euros(build.bought, name)
        rows.append((about["title"], about["hours"], f"{own} €", f"{whole} €"))
    return _rows(("build", "time", "parts", "in all"), rows) + _estimate(build)


def magnets(build: Build) -> str:
    """Which magnet for which piece, and what it reads."""
    rows: list[tuple[object, ...]] = []
    for disc in build.magnets:
        piece = build.board.pieces[disc.piece]
        weight = f"{pull.grams(disc, build.plan):.1f} g"
        size = f"{disc.diameter_mm:g} × {disc.height_mm:g} mm, {disc.grade}"
        read = f"{disc.counts:+d}"
        rows.append(
            (
                piece.title,
                size,
                disc.down,
                f"{disc.millitesla:.1f} mT",
                read,
                f"{piece.magnet:+d}",
                weight,
            )
        )
    head = ("piece", "disc", "pole down", "at the sensor", "reads", "in the profile", "weighs")
    most, depth = straight_counts(build.plan, build.board), gap_mm(build.plan)
    return (
        _rows(head, rows)
        + f"\n\nCounts from rest, of 4096; the sensor's output is straight up to ±{most:.0f}."
        f" A magnet's face lies {depth:g} mm over the crystal; the companion takes it for a point"
        f" {SENSOR_DEPTH_MM:g} mm over it.\n\n{_strongest_pull(build)}"
    )


def _strongest_pull(build: Build) -> str:
    """Say which two neighbours move each other most."""
    worst = max(pull.pulls(build.magnets, build.board, build.plan), key=lambda pull: pull.share)
    one, other = (build.board.pieces[name].title for name in (worst.one, worst.other))
    rubs = build.plan["weight"]["friction"]
    return (
        f"Of all pairs on neighbouring squares {one} and {other} move each other most: with"
        f" {abs(worst.millinewton):.1f} mN, {worst.share:.0%} of what holds them, if felt rubs on"
        f" the board with {rubs:g} of their weight."
    )


def screwed(build: Build) -> str:
    """Which screw where, and how many."""
    counts = Counter(screw.joint["name"] for screw in screws.screws(build.board, build.plan))
    rows: list[tuple[object, ...]] = []
    for joint in build.plan["joints"]:
        screw = joint["screw"]
        size = f"{screw['size']} × {screw['length_mm']:g}"
        bites = f"{screw['length_mm'] - joint['through_mm']:.3g} mm"
        row = (counts[joint["name"]], size, screw["material"], joint["what"])
        rows.append((*row, f"{joint['through_mm']:g} mm", bites))
    for bolt in build.plan["bolts"]:
        screw, through = bolt["screw"], sum(bolt["layers_mm"])
        size = f"{screw['size']} × {screw['length_mm']:g}"
        row = (bolt["count"], size, screw["material"], bolt["what"])
        rows.append((*row, f"{through:g} mm", "a nut"))
    head = ("", "screw", "of", "holds", "goes through", "bites")
    clear = screws.clear_mm(build.board, build.plan, build.magnets)
    return (
        _rows(head, rows)
        + f"\n\nSteel keeps {clear:.0f} mm away from every sensor: nearer, a screw that a magnet"
        " has once touched shifts the sensor by more than its noise."
    )


def power(build: Build) -> str:
    """Currents, fuses and wires."""
    budget = build.budget
    facts = [
        ("strip, dark", f"{budget.dark_ma:g} mA"),
        ("strip, all white at `brightness = 0.5`", f"{budget.half_ma:g} mA"),
        ("strip, all white at full, were it allowed", f"{budget.full_ma:g} mA"),
        (
            "**strip, the limit that the companion keeps** (`lights.milliamps`)",
            f"**{budget.limit_ma:g} mA**",
        ),
        (
            "81 sensors, usually / at most",
            f"{budget.sensors_usual_ma:g} / {budget.sensors_ma:g} mA",
        ),
        ("grid with Pico and multiplexers, at most", f"{budget.grid_ma:g} mA"),
        ("**5 V supply, with a quarter to spare**", f"**{budget.supply_a:g} A**"),
    ]
    wires = [
        (
            run.name,
            f"{run.fuse_a:g} A slow",
            f"{run.mm2:g} mm² ({run.awg}) for {run.length_mm / 1000:g} m",
            f"{run.drop_volts:.2f} V at the fuse's limit",
        )
        for run in budget.runs
    ]
    return (
        _rows(("what", "5 V current"), list(facts))
        + "\n\n"
        + _rows(
            ("way from the supply", "fuse", "each of the two wires", "lost on them"), list(wires)
        )
    )


def strip(build: Build) -> str:
    """The pieces of the strip, in the order of the wire."""
    rows: list[tuple[object, ...]] = [
        (
            f"{piece.names[0]} to {piece.names[-1]}",
            f"{piece.first} to {piece.first + len(piece.names) - 1}",
            f"{piece.pitch_mm:g} mm",
            f"{piece.length_mm:g} mm",
            f"{piece.wire_before_mm:.0f} mm" if piece.wire_before_mm else "from the resistor R3",
        )
        for piece in strips.pieces(build.board)
    ]
    return _rows(("lights", "LEDs", "LED to LED", "first to last", "wire before it"), rows)


def ready(build: Build) -> str:
    """Ready-made strips, laid uncut along each side."""
    rows: list[tuple[object, ...]] = []
    for per_metre in LIGHTS_A_METRE:
        strip = strips.ready(build.board, per_metre)
        *sides, lives = strip.counts
        rows.append(
            (
                f"{per_metre} a metre",
                f"{len(sides)} × {sides[0]} + {lives} = {sum(strip.counts)} LEDs",
                f"{strip.worst_mm:.1f} mm",
                f"[lights-{per_metre}.toml](../hardware/lights-{per_metre}.toml)",
            )
        )
    return _rows(
        ("strip", "LEDs to a side, and for the lives", "beside its row at worst", "`[lights]`"),
        rows,
    )


def pico(build: Build) -> str:
    """The pins of the Pico."""
    return _pins(build, "PICO", f"{parts.PICO_LEFT} {parts.PICO_RIGHT}")


def pi(build: Build) -> str:
    """The pins of the Pi."""
    return _pins(build, "PI", parts.PI_HEADER)


def _pins(build: Build, ref: str, order: str) -> str:
    wired = build.circuit.wired()
    rows: list[tuple[object, ...]] = []
    for number, name in enumerate(order.split(), 1):
        for end in (f"{ref}.{name}", f"{ref}.{name}_{number}"):
            if end in wired:
                rows.append((number, f"`{name}`", wired[end], _others(build, end)))
    return _rows(("pin", "name", "net", "goes to"), rows)


def _others(build: Build, end: str) -> str:
    """Name what else is on the net of an end; many of a kind in short."""
    ends = [other for other in build.circuit.nets[build.circuit.wired()[end]] if other != end]
    if len(ends) > 8:
        return "all grounds" if build.circuit.net(end) == "GND" else _short(ends)
    return ", ".join(f"`{other}`" for other in ends)


def _short(ends: list[str]) -> str:
    sensors = [end for end in ends if end[0] == "H"]
    rest = [end for end in ends if end[0] not in "HC"]
    named = ", ".join(f"`{end}`" for end in rest)
    return f"{named}, `VCC` of {len(sensors)} sensors" if sensors else named


def multiplexers(build: Build) -> str:
    """Which square is on which input."""
    inputs = build.pins["multiplexers"]["inputs"]
    spots = {channel: spot for spot, channel in build.board.hall.channels.items()}
    count = len(spots)
    numbers = range(-(-count // inputs))
    rows: list[tuple[object, ...]] = [
        (f"I{line}", *(spots.get(number * inputs + line, "–") for number in numbers))
        for line in range(inputs)
    ]
    return _rows(("input", *(f"M{number}" for number in numbers)), rows)


def heights(build: Build) -> str:
    """Tilt and view of the camera at each height."""
    rows: list[tuple[object, ...]] = []
    for height in build.plan["camera"]["heights_mm"]:
        across, up = camera.view_deg(build.board, build.plan, height)
        tilt = camera.tilt_deg(build.board, build.plan, height)
        rows.append((f"{height} mm", f"{tilt:.0f}°", f"{across:.0f}°", f"{up:.0f}°"))
    return _rows(("lens above the board", "tilt", "must see across", "and up and down"), rows)


def printed(build: Build) -> str:
    """The printed parts."""
    rows: list[tuple[object, ...]] = []
    total = 0.0
    for part in build.plan["prints"]:
        solid = read_stl((prints.FOLDER / f"{part['name']}.stl").read_bytes())
        size = " × ".join(f"{side:.4g}" for side in solid.size_mm)
        volume = solid.volume_mm3 / 1000
        total += volume * part["count"]
        shown = f'<img src="{PICTURES}/{part["name"]}.png" width="140" alt="{part["name"]}">'
        name = f"[{part['name']}](prints/{part['name']}.stl)"
        rows.append(
            (shown, part["count"], name, f"{part['about']}; {size} mm", f"{volume:.0f} cm³")
        )
    head = ("", "", "part", "what for, size", "each")
    return (
        _rows(head, rows)
        + f"\n\nAll of them, solid: {total:.0f} cm³; about half of that with 20 % infill."
    )


def _bought(name: str) -> Callable[[Build], str]:
    return lambda build: shopping.table(build.bought, name)


TABLES: dict[str, Callable[[Build], str]] = {
    "builds": builds,
    "prices": prices,
    **{f"buy {name}": _bought(name) for name in shopping.BUILDS},
    "magnets": magnets,
    "screws": screwed,
    "power": power,
    "strip": strip,
    "ready strips": ready,
    "pico pins": pico,
    "pi pins": pi,
    "multiplexers": multiplexers,
    "camera": heights,
    "printed": printed,
}
