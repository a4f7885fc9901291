"""Electrical rules of rest: what happens while a part has no power, or nothing to do yet.

No part feeds another through its inputs while that is off; multiplexers stay off until the Pico
says otherwise; analog lines that nobody drives go to ground; what is metal and live is known to be;
and the current of many parts finds its way back without going through a thin pin.
"""

from collections.abc import Iterator

from hardware.circuit import Circuit, Part
from hardware.parts import LOGIC, PIN_SINKS_MILLIAMPS, SENSOR_DRIVES_MILLIAMPS

#: Erratum RP2350-E9: a Pico 2's pin that is pulled down more weakly than this may stay at 2 V.
MOST_PULL_DOWN_OHM = 8200.0
OHMS = {"Ω": 1.0, "kΩ": 1000.0}


def ohms(part: Part) -> float | None:
    """Return the resistance of a resistor, None of anything else."""
    number, _, unit = part.value.partition(" ")
    return float(number) * OHMS[unit] if unit in OHMS else None


def pulls(circuit: Circuit, net: str) -> Iterator[tuple[str, float]]:
    """Yield where the resistors at a net lead to, and how strong they are."""
    wired = circuit.wired()
    for end in circuit.ends(net):
        part = circuit.part(end)
        strong = ohms(part)
        there = wired.get(f"{part.ref}.{'2' if end.endswith('.1') else '1'}")
        if strong is not None and there is not None:
            yield there, strong


def roots(circuit: Circuit, part: Part) -> frozenset[str]:
    """Return the parts with a plug of their own, any of which gives this one power."""
    wired = circuit.wired()
    found, seen, parts, nets = set[str](), set[str](), [part], list[str]()
    while parts or nets:
        if parts:
            above = parts.pop()
            feeds = [pin for pin in above.of_kind("supply") if pin.name != "ADC_VREF"]
            ends = [f"{above.ref}.{pin.name}" for pin in feeds]
            if not feeds:
                found.add(above.ref)
        else:
            net = nets.pop()
            seen.add(net)
            parts += [circuit.part(end) for end in circuit.ends(net, "source")]
            ends = [end for down in circuit.ends(net) for end in _before(circuit.part(down), down)]
        nets += [wired[end] for end in ends if end in wired and wired[end] not in seen]
    return frozenset(found)


def _before(part: Part, end: str) -> list[str]:
    """Return from where current comes to an end of a fuse, a diode, a switch or a wire."""
    if ohms(part) is not None:
        return []
    return [f"{part.ref}.{first}" for first, second in part.passes if end == f"{part.ref}.{second}"]


def backfed(circuit: Circuit) -> Iterator[str]:
    """No output drives a clamped input of a part that may be off while its own part is on."""
    for name in circuit.nets:
        beyond = [net for net, _ in pulls(circuit, name)]
        nets = [name, *(net for net in beyond if not circuit.ends(net, "ground", "source"))]
        receivers = [end for net in nets for end in circuit.ends(net, "in")]
        for driver in circuit.ends(name, "out", "tri"):
            powered = roots(circuit, circuit.part(driver))
            for end in receivers:
                alone = powered - roots(circuit, circuit.part(end))
                if circuit.pin(end).clamped and alone:
                    yield (
                        f"{driver} feeds {circuit.part(end).ref} through {end} while only"
                        f" {' and '.join(sorted(alone))} has power"
                    )


def enables_without_rest(circuit: Circuit) -> Iterator[str]:
    """A multiplexer is off while the Pico starts, also on a board that pulls EN to ground."""
    wired = circuit.wired()
    for end in sorted(circuit.all_ends("tri")):
        enable = f"{circuit.part(end).ref}.EN"
        net = wired.get(enable, "")
        ups = [strong for there, strong in pulls(circuit, net) if circuit.ends(there, "source")]
        if not ups:
            yield f"{enable} is not pulled up: it would be on while the Pico starts"
            continue
        up = 1 / sum(1 / strong for strong in ups)
        down = sum(1 / strong for strong in _pulled_down(circuit, net))
        rest, needs = LOGIC / (1 + up * down), circuit.pin(enable).needs or 0.0
        if rest < needs:
            yield (
                f"{enable} rests at {rest:.1f} V, too low for off, because the breakouts on"
                f" {net} pull it down: it would be on while the Pico starts"
            )
        if LOGIC / up * 1000 > PIN_SINKS_MILLIAMPS:
            yield f"{net} is pulled up too strongly for a pin that sinks {PIN_SINKS_MILLIAMPS:g} mA"


def _pulled_down(circuit: Circuit, net: str) -> Iterator[float]:
    for end in circuit.ends(net):
        part = circuit.part(end)
        yield from (strong for name, strong in part.pulled_down if end == f"{part.ref}.{name}")


def floating(circuit: Circuit) -> Iterator[str]:
    """A line that only multiplexers drive is pulled to ground, as strongly as a Pico 2 needs it."""
    least = LOGIC / SENSOR_DRIVES_MILLIAMPS * 1000
    for name in circuit.nets:
        if not circuit.ends(name, "tri"):
            continue
        downs = [strong for there, strong in pulls(circuit, name) if circuit.ends(there, "ground")]
        if not downs or min(downs) > MOST_PULL_DOWN_OHM:
            yield (
                f"{name} is not pulled to ground by {MOST_PULL_DOWN_OHM:g} Ω or less: on a Pico 2"
                " an open wire would read 2 V"
            )
        elif 1 / sum(1 / strong for strong in downs) < least:
            yield f"{name} is pulled to ground more strongly than a sensor drives it"


def live_metal(circuit: Circuit) -> Iterator[str]:
    """Pins that are one inside a part are on one net, and so is what is clipped to its tab."""
    wired = circuit.wired()
    for part in circuit.parts.values():
        for one, other in part.joined:
            nets = [wired.get(f"{part.ref}.{name}") for name in (one, other)]
            if nets[0] != nets[1]:
                yield f"{part.ref}.{other} is {one} inside ({nets[0]}), but is on the net {nets[1]}"
        if part.value == "heat sink":
            tab, body = wired.get(f"{part.beside}.TAB"), wired.get(f"{part.ref}.BODY")
            if tab != body:
                yield (
                    f"{part.ref} is clipped to the tab of {part.beside}, which is {tab}, but"
                    f" touches {body}"
                )


def returns(circuit: Circuit) -> Iterator[str]:
    """What flows back from the parts at a ground net is carried by the pins and wires there."""
    for name in circuit.nets:
        grounds = circuit.ends(name, "ground")
        back = sum(circuit.part(end).draws for end in grounds)
        for end in grounds:
            most = circuit.pin(end).milliamps
            through = back - circuit.part(end).draws
            if most is not None and through > most:
                yield f"{end} carries {most:g} mA back, {through:g} mA come from {name}"
        for end in circuit.ends(name):
            part = circuit.part(end)
            leaves = any(end == f"{part.ref}.{first}" for first, _ in part.passes)
            if leaves and part.carries is not None and back > part.carries:
                yield f"{part.ref} carries {part.carries:g} mA, {back:g} mA come back from {name}"
