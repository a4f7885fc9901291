"""A circuit as data: parts, their pins, and the nets that join them.

What the parts are is in :mod:`hardware.parts`, how the table is wired in :mod:`hardware.wiring`,
and whether that can work in :mod:`hardware.rules`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

#: What a pin does. ``tri`` drives its net only while its part is enabled; ``spare`` may stay open.
KINDS = ("in", "out", "tri", "source", "supply", "ground", "passive", "spare")


@dataclass(frozen=True)
class Pin:
    """One pin: its number on the part, its name, and what it does.

    ``most`` is the highest voltage it stands, ``needs`` the lowest that it takes for a one;
    a ``source`` gives ``volts`` and at most ``milliamps``, a ``ground`` takes that much back.
    ``clamped`` inputs have a diode to their part's supply: driven while that is off, they feed it.
    """

    number: str
    name: str
    kind: str
    most: float | None = None
    needs: float | None = None
    volts: float | None = None
    milliamps: float | None = None
    clamped: bool = False


@dataclass(frozen=True)
class Part:
    """One part. ``draws`` are the milliamps it takes at most through its supply pin.

    ``passes`` are pairs of pins between which current flows (a fuse, a diode from first to second,
    a resistor, a wire) and ``carries`` the milliamps that may; ``joined`` are pins that are one
    inside the part, ``pulled_down`` those that it pulls to ground, by so many ohms. ``beside`` is
    the part that a capacitor stands beside, or that a heat sink is clipped to.
    """

    ref: str
    value: str
    pins: tuple[Pin, ...]
    draws: float = 0.0
    passes: tuple[tuple[str, str], ...] = ()
    carries: float | None = None
    joined: tuple[tuple[str, str], ...] = ()
    pulled_down: tuple[tuple[str, float], ...] = ()
    beside: str = ""
    wants_capacitor: bool = False

    def pin(self, name: str) -> Pin:
        """Return a pin by name."""
        for pin in self.pins:
            if pin.name == name:
                return pin
        known = ", ".join(pin.name for pin in self.pins)
        raise ValueError(f"expected a pin of {self.ref}: {known}; got {name!r}")

    def of_kind(self, *kinds: str) -> list[Pin]:
        """Return the pins that do one of these."""
        return [pin for pin in self.pins if pin.kind in kinds]

    def doing(self, **roles: str) -> "Part":
        """Return the part with pins that do something else: ``pico.doing(GP2="out")``."""
        for name in roles:
            self.pin(name)
        pins = tuple(replace(pin, kind=roles.get(pin.name, pin.kind)) for pin in self.pins)
        return replace(self, pins=pins)


@dataclass
class Circuit:
    """Parts by name, and nets: lists of ends such as ``M0.S1``."""

    parts: dict[str, Part] = field(default_factory=dict)
    nets: dict[str, list[str]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)

    def add(self, *parts: Part) -> None:
        """Take parts in."""
        for part in parts:
            if part.ref in self.parts:
                raise ValueError(f"expected a new name, got {part.ref!r} a second time")
            self.parts[part.ref] = part

    def join(self, net: str, *ends: str) -> None:
        """Join the ends to a net."""
        for end in ends:
            self.pin(end)
        self.nets.setdefault(net, []).extend(ends)

    def leave_open(self, *ends: str) -> None:
        """Say that nothing is meant to be wired to these ends."""
        for end in ends:
            self.pin(end)
        self.open.update(ends)

    def part(self, end: str) -> Part:
        """Return the part of an end."""
        ref = end.partition(".")[0]
        if ref not in self.parts:
            raise ValueError(f"expected a part of the circuit, got {ref!r}")
        return self.parts[ref]

    def pin(self, end: str) -> Pin:
        """Return the pin of an end."""
        return self.part(end).pin(end.partition(".")[2])

    def ends(self, net: str, *kinds: str) -> list[str]:
        """Return the ends of a net, all or those that do one of these."""
        return [end for end in self.nets.get(net, []) if not kinds or self.pin(end).kind in kinds]

    def all_ends(self, *kinds: str) -> list[str]:
        """Return the ends of all parts that do one of these, wired or not."""
        return [f"{p.ref}.{pin.name}" for p in self.parts.values() for pin in p.of_kind(*kinds)]

    def net(self, end: str) -> str | None:
        """Return the net that an end is wired to."""
        return next((name for name, ends in self.nets.items() if end in ends), None)

    def wired(self) -> dict[str, str]:
        """Return the net of every end that has one."""
        return {end: net for net, ends in self.nets.items() for end in ends}


def to_kicad(circuit: Circuit) -> str:
    """Return the netlist in the form that KiCad and others read."""
    lines = ['(export (version "E")', "  (components"]
    for part in circuit.parts.values():
        lines.append(f'    (comp (ref "{part.ref}") (value "{part.value}"))')
    lines += ["  )", "  (nets"]
    for number, (name, ends) in enumerate(sorted(circuit.nets.items()), 1):
        lines.append(f'    (net (code "{number}") (name "{name}")')
        lines += [f"      {node}" for node in _nodes(circuit, ends)]
        lines.append("    )")
    return "\n".join([*lines, "  )", ")"]) + "\n"


def _nodes(circuit: Circuit, ends: Iterable[str]) -> Iterator[str]:
    for end in ends:
        part, pin = circuit.part(end), circuit.pin(end)
        yield f'(node (ref "{part.ref}") (pin "{pin.number}") (pinfunction "{pin.name}"))'
