"""Electrical rules: what is wrong with a circuit, a sentence each. None when it can be built.

Unwired pins, shorted outputs, inputs and supplies that nothing feeds, voltages that a pin does not
stand or does not understand, currents that a source does not give, missing capacitors; and for the
multiplexers that two which share an analog pin are never on at the same time. What happens while
only some of it has power is in :mod:`hardware.restrules`.
"""

from collections.abc import Iterator
from itertools import combinations

from hardware.circuit import Circuit
from hardware.restrules import (
    backfed,
    enables_without_rest,
    floating,
    live_metal,
    returns,
)

CAPACITOR = ("nF", "µF")


def faults(circuit: Circuit) -> list[str]:
    """Return everything that is wrong."""
    rules = (
        unwired,
        alone,
        shorted,
        undriven,
        unfed,
        wrong_volts,
        overloaded,
        uncoupled,
        shared_enables,
        enables_without_rest,
        backfed,
        floating,
        live_metal,
        returns,
    )
    return [fault for rule in rules for fault in rule(circuit)]


def unwired(circuit: Circuit) -> Iterator[str]:
    """Every pin has a net, unless it is spare or meant to be open; none has two."""
    counts: dict[str, int] = {}
    for ends in circuit.nets.values():
        for end in ends:
            counts[end] = counts.get(end, 0) + 1
    for part in circuit.parts.values():
        for pin in part.pins:
            end = f"{part.ref}.{pin.name}"
            if not counts.get(end) and pin.kind != "spare" and end not in circuit.open:
                yield f"{end} is not wired"
            elif counts.get(end, 0) > 1:
                yield f"{end} is wired {counts[end]} times"
            if counts.get(end) and end in circuit.open:
                yield f"{end} is meant to be open, but is wired"


def alone(circuit: Circuit) -> Iterator[str]:
    """A net joins two ends or more."""
    for name, ends in circuit.nets.items():
        if len(ends) < 2:
            yield f"the net {name} has one end only, {', '.join(ends) or 'none'}"


def shorted(circuit: Circuit) -> Iterator[str]:
    """One output or source at most drives a net, ground is no supply."""
    for name in circuit.nets:
        drivers = circuit.ends(name, "out", "source")
        if len(drivers) > 1 or (drivers and circuit.ends(name, "tri")):
            all_of = drivers + circuit.ends(name, "tri")
            yield f"{' and '.join(all_of)} drive the same net {name}"
        grounds = circuit.ends(name, "ground")
        others = circuit.ends(name, "source", "supply", "out", "tri")
        if grounds and others:
            yield f"{others[0]} is shorted to the ground of {grounds[0]} by the net {name}"
    wired = circuit.wired()
    grounded = {_joined(circuit, wired[end]) for end in circuit.all_ends("ground") if end in wired}
    if len(grounded) > 1:
        yield f"the grounds are not joined: {', '.join(sorted(min(nets) for nets in grounded))}"


def _joined(circuit: Circuit, net: str) -> frozenset[str]:
    """Return the nets that are one with this one, through wires, sockets and switches."""
    wired = circuit.wired()
    found, new = set[str](), {net}
    while new:
        found |= new
        wires = [circuit.part(end) for name in new for end in circuit.ends(name)]
        ways = {
            frozenset(wired.get(f"{part.ref}.{name}", "") for name in way)
            for part in wires
            if part.carries is not None
            for way in part.passes
        }
        new = {name for way in ways if way & found for name in way if name} - found
    return frozenset(found)


def undriven(circuit: Circuit) -> Iterator[str]:
    """Every input hangs on something that says high or low."""
    levels = highs(circuit)
    for name in circuit.nets:
        fixed = name in levels or circuit.ends(name, "ground")
        for end in circuit.ends(name, "in"):
            if not fixed:
                yield f"nothing drives {end} on the net {name}"


def unfed(circuit: Circuit) -> Iterator[str]:
    """Every supply pin hangs on a source, perhaps through a fuse or a diode."""
    levels = highs(circuit, only_power=True)
    for name in circuit.nets:
        for end in circuit.ends(name, "supply"):
            if name not in levels:
                yield f"{end} has no supply on the net {name}"


def wrong_volts(circuit: Circuit) -> Iterator[str]:
    """No pin gets more than it stands, no input less than it understands."""
    levels = highs(circuit)
    for name, volts in levels.items():
        for end in circuit.ends(name):
            pin = circuit.pin(end)
            if pin.most is not None and volts > pin.most:
                yield f"{end} stands {pin.most:g} V, the net {name} has up to {volts:g} V"
            if pin.kind == "source" and pin.volts is not None and volts > pin.volts:
                yield f"{end} gives {pin.volts:g} V, the net {name} has {volts:g} V"
            if pin.kind == "in" and pin.needs is not None and volts < pin.needs:
                yield f"{end} needs {pin.needs:g} V for a one, the net {name} has {volts:g} V"


def overloaded(circuit: Circuit) -> Iterator[str]:
    """A source gives what all that hangs on it may draw."""
    for end, milliamps in loads(circuit).items():
        most = circuit.pin(end).milliamps
        if most is not None and milliamps > most:
            yield f"{end} gives {most:g} mA, {milliamps:g} mA are drawn"
    for part in circuit.parts.values():
        for _, out in part.passes:
            net = circuit.net(f"{part.ref}.{out}")
            drawn = 0.0 if net is None or part.carries is None else below(circuit, net)
            if part.carries is not None and drawn > part.carries:
                yield f"{part.ref} carries {part.carries:g} mA, {drawn:g} mA are drawn through it"


def uncoupled(circuit: Circuit) -> Iterator[str]:
    """Every chip has a capacitor of its own across its supply."""
    wired = circuit.wired()
    capacitors = {
        part.beside: {wired.get(f"{part.ref}.1"), wired.get(f"{part.ref}.2")}
        for part in circuit.parts.values()
        if part.beside and part.value.split()[1:2] and part.value.split()[1] in CAPACITOR
    }
    for part in circuit.parts.values():
        if not part.wants_capacitor:
            continue
        needed = {wired.get(f"{part.ref}.{pin.name}") for pin in part.of_kind("supply", "ground")}
        if capacitors.get(part.ref) != needed:
            yield f"{part.ref} has no capacitor between its supply and its ground"


def shared_enables(circuit: Circuit) -> Iterator[str]:
    """Two multiplexers on one analog line are enabled by different lines."""
    wired = circuit.wired()
    for name in circuit.nets:
        for one, other in combinations(circuit.ends(name, "tri"), 2):
            enables = [wired.get(f"{circuit.part(end).ref}.EN") for end in (one, other)]
            if enables[0] == enables[1]:
                yield f"{one} and {other} share the net {name} and are enabled by {enables[0]}"


def highs(circuit: Circuit, *, only_power: bool = False) -> dict[str, float]:
    """Return the highest voltage of every net that something drives."""
    levels: dict[str, float] = {}
    wired = circuit.wired()
    for _ in range(8):  # longer than any way through the parts
        before = dict(levels)
        for part in circuit.parts.values():
            for pin in part.pins:
                net = wired.get(f"{part.ref}.{pin.name}")
                volts = None if net is None else _drives(part.ref, pin.name, circuit, wired, levels)
                if net is None or volts is None or (only_power and pin.kind != "source"):
                    continue
                levels[net] = max(levels.get(net, 0.0), volts)
            for first, second in part.passes:
                _pass_on(
                    levels, wired.get(f"{part.ref}.{first}"), wired.get(f"{part.ref}.{second}")
                )
                if part.value.endswith("Ω"):  # a resistor passes both ways
                    _pass_on(
                        levels, wired.get(f"{part.ref}.{second}"), wired.get(f"{part.ref}.{first}")
                    )
        if levels == before:
            break
    return levels


def _drives(
    ref: str, name: str, circuit: Circuit, wired: dict[str, str], levels: dict[str, float]
) -> float | None:
    """Return the voltage that a pin puts on its net, None when it does not drive it."""
    part = circuit.parts[ref]
    pin = part.pin(name)
    if pin.kind == "source":
        return pin.volts
    if pin.kind == "out":
        if pin.volts is not None:
            return pin.volts
        supplies = [wired.get(f"{ref}.{supply.name}") for supply in part.of_kind("supply")]
        known = [levels[net] for net in supplies if net in levels]
        return max(known, default=None)
    if pin.kind == "tri":  # what is on the inputs of a multiplexer
        inputs = [wired.get(f"{ref}.{p.name}") for p in part.of_kind("in") if p.name[0] == "I"]
        return max((levels[net] for net in inputs if net in levels), default=None)
    return None


def _pass_on(levels: dict[str, float], source: str | None, target: str | None) -> None:
    if source in levels and target is not None and source is not None:
        levels[target] = max(levels.get(target, 0.0), levels[source])


def loads(circuit: Circuit) -> dict[str, float]:
    """Return what is drawn from every source at most, through fuses, diodes and regulators."""
    wired = circuit.wired()
    ends = [end for end in circuit.all_ends("source") if end in wired]
    return {end: below(circuit, wired[end]) for end in ends}


def below(circuit: Circuit, net: str, seen: frozenset[str] = frozenset()) -> float:
    """Return what all parts draw that hang on a net."""
    wired = circuit.wired()
    seen |= {net}
    total = 0.0
    for end in circuit.ends(net):
        part, pin = circuit.part(end), circuit.pin(end)
        outs = []
        if pin.kind == "supply" and pin.name != "ADC_VREF":
            total += part.draws
            outs = [out.name for out in part.of_kind("source")]  # a regulator, or the Pico's own
        elif not part.value.endswith("Ω"):
            outs = [second for first, second in part.passes if pin.name == first]
        for out in outs:
            under = wired.get(f"{part.ref}.{out}")
            if under and under not in seen:
                total += below(circuit, under, seen)
    return total
