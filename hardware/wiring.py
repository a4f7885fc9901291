"""How the full table is wired: builds the circuit from pins.toml and the board's profile."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.board import Board
from hardware import parts
from hardware.circuit import Circuit

HERE = Path(__file__).parent

SENSE_WIRE = 2000.0  # milliamps that a wire of 0.25 mm² carries
#: Buttons of the panel: name in pins.toml and in the settings, name in the circuit.
BUTTONS = {"confirm": "SW1", "take_back": "SW2", "wake": "SW3"}


def pins() -> dict[str, Any]:
    """Return the content of pins.toml."""
    return tomllib.loads((HERE / "pins.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Home:
    """Where a channel is wired to: multiplexer, its input, bank, and the Pico's analog pin."""

    multiplexer: int
    input: int
    bank: int
    analog: int


def home(channel: int, pinned: dict[str, Any]) -> Home:
    """Return where the sensor of a channel is wired to."""
    table = pinned["multiplexers"]
    number, line = divmod(channel, table["inputs"])
    bank, place = divmod(number, len(table["analog"]))
    return Home(number, line, bank, table["analog"][place])


def table(board: Board, pinned: dict[str, Any], milliamps: float) -> Circuit:
    """Return the circuit of the full table; ``milliamps`` is what the 5 V supply gives."""
    circuit = Circuit()
    _power(circuit, board, milliamps)
    _grid(circuit, board, pinned)
    _lights(circuit, pinned)
    _panel(circuit, pinned)
    return circuit


def _power(circuit: Circuit, board: Board, milliamps: float) -> None:
    """5 V through one fuse each to strip and grid; 3.3 V for the sensors; the Pico by both ways.

    All ways back meet in one point, beside the regulator. The sensors have a wire of their own to
    it: half an ampere through the Pico's AGND would lift the ground that the converter measures by.
    """
    circuit.add(
        parts.supply(milliamps),
        parts.jack(),
        parts.two_ends("SW4", "power switch", passes=True, carries=parts.SWITCH_MILLIAMPS),
        parts.two_ends("F1", "fuse of the strip", passes=True),
        parts.two_ends("F2", "fuse of the grid", passes=True),
        parts.two_ends("D1", "1N5817", passes=True),
        parts.regulator(),
        parts.heat_sink(),
        parts.two_ends("W1", "wire of the sensors' ground", passes=True, carries=SENSE_WIRE),
        parts.two_ends("C1", "1000 µF 10 V", beside="STRIP"),
        parts.two_ends("C2", "10 µF", beside="REG"),
        parts.two_ends("C3", "47 µF", beside="REG"),
        parts.strip(board.lights.milliamps),
        parts.pico(),
        parts.pi(),
    )
    circuit.join("5V_IN", "SUPPLY.+", "J1.+in")
    circuit.join("5V_JACK", "J1.+out", "SW4.1")
    circuit.join("5V", "SW4.2", "F1.1", "F2.1")
    circuit.join("GND_IN", "SUPPLY.-", "J1.-in")
    circuit.join("5V_STRIP", "F1.2", "STRIP.5V", "C1.1")
    circuit.join("5V_GRID", "F2.2", "REG.IN", "D1.1", "C2.1")
    circuit.join("VSYS", "D1.2", "PICO.VSYS")
    circuit.join("3V3_SENSE", "REG.OUT", "C3.1", "PICO.ADC_VREF", "REG.TAB", "HS1.BODY")
    circuit.join("GND", "J1.-out", "REG.GND", "STRIP.GND", "C1.2", "C2.2", "C3.2", "W1.2")
    circuit.join("GND", "PICO.GND_38", "PI.GND_20", "PI.USB_GND")
    circuit.join("GND_SENSE", "W1.1")
    circuit.leave_open("PICO.AGND")
    circuit.join("USB_5V", "PI.USB_5V", "PICO.VBUS")
    circuit.join("USB_DM", "PI.USB_DM", "PICO.USB_DM")
    circuit.join("USB_DP", "PI.USB_DP", "PICO.USB_DP")


def _grid(circuit: Circuit, board: Board, pinned: dict[str, Any]) -> None:
    """81 sensors, six multiplexers in two banks, three analog pins."""
    lines = pinned["multiplexers"]
    outs = {f"GP{n}": "out" for n in (*lines["address"], *lines["enable"])}
    ins = {f"GP{n}": "in" for n in lines["analog"]}
    circuit.parts["PICO"] = circuit.parts["PICO"].doing(**outs, **ins)
    circuit.join("3V3", "PICO.3V3_OUT")
    for bit, number in enumerate(lines["address"]):
        circuit.join(f"S{bit}", f"PICO.GP{number}")
    for bank, number in enumerate(lines["enable"]):
        circuit.add(parts.two_ends(f"R{bank + 1}", "1 kΩ", passes=True))
        circuit.join(f"EN{bank}", f"PICO.GP{number}", f"R{bank + 1}.1")
        circuit.join("3V3", f"R{bank + 1}.2")
    for place, number in enumerate(lines["analog"]):
        down = f"R{place + 5}"
        circuit.add(parts.two_ends(down, "6.8 kΩ", passes=True))
        circuit.join(f"ADC{number}", f"PICO.GP{number}", f"{down}.1")
        circuit.join("GND", f"{down}.2")
    for number in range(len(lines["enable"]) * len(lines["analog"])):
        _multiplexer(circuit, number, home(number * lines["inputs"], pinned), lines)
    for channel in sorted(board.hall.channels.values()):
        at = home(channel, pinned)
        sensor, capacitor = f"H{channel}", f"CH{channel}"
        circuit.add(parts.sensor(channel), parts.two_ends(capacitor, "100 nF", beside=sensor))
        circuit.join("3V3_SENSE", f"{sensor}.VCC", f"{capacitor}.1")
        circuit.join("GND_SENSE", f"{sensor}.GND", f"{capacitor}.2")
        circuit.join(f"HALL{channel}", f"{sensor}.OUT", f"M{at.multiplexer}.I{at.input}")
    used = set(circuit.wired())
    for number in range(len(lines["enable"]) * len(lines["analog"])):
        inputs = [f"M{number}.I{line}" for line in range(lines["inputs"])]
        circuit.leave_open(*(end for end in inputs if end not in used))


def _multiplexer(circuit: Circuit, number: int, at: Home, lines: dict[str, Any]) -> None:
    name, capacitor = f"M{number}", f"CM{number}"
    circuit.add(parts.multiplexer(number), parts.two_ends(capacitor, "100 nF", beside=name))
    circuit.join("3V3", f"{name}.VCC", f"{capacitor}.1")
    circuit.join("GND", f"{name}.GND", f"{capacitor}.2")
    circuit.join(f"EN{at.bank}", f"{name}.EN")
    circuit.join(f"ADC{at.analog}", f"{name}.SIG")
    for bit in range(len(lines["address"])):
        circuit.join(f"S{bit}", f"{name}.S{bit}")


def _lights(circuit: Circuit, pinned: dict[str, Any]) -> None:
    """The strip's data from the Pi through one gate of the shifter; the other gates are at rest."""
    data = f"GPIO{pinned['pi']['lights']}"
    circuit.parts["PI"] = circuit.parts["PI"].doing(**{data: "out"})
    circuit.add(
        parts.shifter(),
        parts.two_ends("C4", "100 nF", beside="SHIFT"),
        parts.two_ends("R3", "330 Ω", passes=True),
        parts.two_ends("R8", "10 kΩ", passes=True),  # dark, not at random, while the Pi is off
    )
    circuit.join("LED_3V3", f"PI.{data}", "SHIFT.1A", "R8.1")
    circuit.join("GND", "R8.2")
    circuit.join("LED_5V", "SHIFT.1Y", "R3.1")
    circuit.join("LED_DATA", "R3.2", "STRIP.DIN")
    circuit.join("5V_STRIP", "SHIFT.VCC", "C4.1", "SHIFT.2OE", "SHIFT.3OE", "SHIFT.4OE")
    circuit.join("GND", "SHIFT.GND", "C4.2", "SHIFT.1OE", "SHIFT.2A", "SHIFT.3A", "SHIFT.4A")
    circuit.leave_open("SHIFT.2Y", "SHIFT.3Y", "SHIFT.4Y")


def _panel(circuit: Circuit, pinned: dict[str, Any]) -> None:
    """Buttons between pin and ground, pulled up in the Pi; the buzzer through a resistor."""
    for key, ref in BUTTONS.items():
        pin = f"GPIO{pinned['pi'][key]}"
        circuit.parts["PI"] = circuit.parts["PI"].doing(**{pin: "passive"})
        circuit.add(parts.two_ends(ref, key.replace("_", " ")))
        circuit.join(key.upper(), f"PI.{pin}", f"{ref}.1")
        circuit.join("GND", f"{ref}.2")
    pin = f"GPIO{pinned['pi']['buzzer']}"
    circuit.parts["PI"] = circuit.parts["PI"].doing(**{pin: "out"})
    circuit.add(
        parts.two_ends("R4", "220 Ω", passes=True), parts.two_ends("BZ1", "passive piezo buzzer")
    )
    circuit.join("BUZZER", f"PI.{pin}", "R4.1")
    circuit.join("BUZZER_R", "R4.2", "BZ1.1")
    circuit.join("GND", "BZ1.2")
