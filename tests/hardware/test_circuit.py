"""The circuit can be built, and every way to wire it wrongly is found."""

import importlib.util
import re
import sys
import types
from dataclasses import replace
from pathlib import Path

import pytest

from companion.boards import profile
from companion.config import LightSettings, PanelSettings
from companion.lights import pixels
from companion.sensing.hall import wire
from hardware import parts, rules, wiring
from hardware.circuit import Circuit, to_kicad

TOP = Path(__file__).parents[2]
BOARD = profile.load("reference")
PINS = wiring.pins()


@pytest.fixture
def table() -> Circuit:
    """Return a fresh circuit of the full table, to be spoilt."""
    return wiring.table(BOARD, PINS, 4000)


def unwire(circuit, end):
    circuit.nets[circuit.net(end)].remove(end)


def move(circuit, end, net):
    unwire(circuit, end)
    circuit.join(net, end)


def test_the_table_has_no_fault(table):
    assert rules.faults(table) == []
    assert sum(part.value == "DRV5055A1" for part in table.parts.values()) == wire.CHANNELS
    assert sum(part.value == "CD74HC4067" for part in table.parts.values()) == 6


def test_a_board_with_a_light_under_each_cell_can_be_wired_too():
    assert rules.faults(wiring.table(profile.load("under-cells"), PINS, 4000)) == []


@pytest.mark.parametrize("channel", [0, 15, 16, 47, 48, 79, 80])
def test_an_unwired_sensor_is_found(table, channel):
    unwire(table, f"H{channel}.OUT")
    found = rules.faults(table)
    assert f"H{channel}.OUT is not wired" in found
    assert any("nothing drives M" in fault for fault in found)


def test_any_end_that_comes_loose_is_found(table):
    for end, net in table.wired().items():
        unwire(table, end)
        assert f"{end} is not wired" in rules.unwired(table)
        table.join(net, end)
    assert rules.faults(table) == []


def test_two_sensors_on_one_input_are_found(table):
    move(table, "H3.OUT", "HALL4")
    assert "H4.OUT and H3.OUT drive the same net HALL4" in rules.faults(table)


def test_an_enable_of_the_wrong_bank_is_found(table):
    move(table, "M3.EN", "EN0")
    assert "M0.SIG and M3.SIG share the net ADC26 and are enabled by EN0" in rules.faults(table)


def test_a_multiplexer_that_is_always_on_is_found(table):
    move(table, "M5.EN", "GND")
    assert any("M5.EN is not pulled up" in fault for fault in rules.faults(table))


def test_an_enable_line_without_its_resistor_is_found(table):
    unwire(table, "R2.2")
    found = rules.faults(table)
    assert "R2.2 is not wired" in found
    assert sum("would be on while the Pico starts" in fault for fault in found) == 3


def test_a_sensor_at_five_volts_is_too_much_for_the_converter(table):
    move(table, "H7.VCC", "5V_GRID")
    found = rules.faults(table)
    assert "PICO.GP26 stands 3.6 V, the net ADC26 has up to 5 V" in found
    assert "M0.I7 stands 3.6 V, the net HALL7 has up to 5 V" in found


def test_a_regulator_wired_backwards_is_found(table):
    move(table, "REG.OUT", "5V_GRID")
    assert "REG.OUT gives 3.3 V, the net 5V_GRID has 5 V" in rules.faults(table)


def test_a_strip_without_its_level_shifter_is_found(table):
    unwire(table, "SHIFT.1Y")
    unwire(table, "STRIP.DIN")
    table.join("LED_3V3", "STRIP.DIN")
    found = rules.faults(table)
    assert "STRIP.DIN needs 3.5 V for a one, the net LED_3V3 has 3.3 V" in found


def test_grounds_that_are_not_joined_are_found(table):
    unwire(table, "PI.GND_20")
    table.join("PI_GND", "PI.GND_20", "BZ1.2")
    assert any("the grounds are not joined" in fault for fault in rules.faults(table))


def test_a_supply_shorted_to_ground_is_found(table):
    move(table, "M2.VCC", "GND")
    assert any("M2.VCC is shorted to the ground" in fault for fault in rules.faults(table))


def test_sensors_on_the_picos_own_supply_are_too_many(table):
    for channel in range(wire.CHANNELS):
        move(table, f"H{channel}.VCC", "3V3")
        move(table, f"CH{channel}.1", "3V3")
    assert "PICO.3V3_OUT gives 300 mA, 816 mA are drawn" in rules.faults(table)


def test_a_supply_that_is_too_weak_is_found():
    found = rules.faults(wiring.table(BOARD, PINS, 2000))
    assert any(fault.startswith("SUPPLY.+ gives 2000 mA") for fault in found)


def test_a_blown_fuse_leaves_the_strip_without_supply(table):
    unwire(table, "F1.1")
    found = rules.faults(table)
    assert "STRIP.5V has no supply on the net 5V_STRIP" in found
    assert "SHIFT.VCC has no supply on the net 5V_STRIP" in found


def test_a_missing_capacitor_is_found(table):
    move(table, "CM4.1", "5V_GRID")
    assert "M4 has no capacitor between its supply and its ground" in rules.faults(table)


def test_a_shifter_with_diodes_to_its_supply_would_feed_the_strip_from_the_pi(table):
    table.parts["SHIFT"] = parts.shifter("74HCT125")
    found = "PI.GPIO10 feeds SHIFT through SHIFT.1A while only PI has power"
    assert found in rules.faults(table)


def test_a_strip_driven_by_the_pi_itself_would_be_fed_by_it(table):
    move(table, "STRIP.DIN", "LED_3V3")
    found = "PI.GPIO10 feeds STRIP through STRIP.DIN while only PI has power"
    assert found in rules.faults(table)


def test_a_resistor_in_the_data_line_does_not_hide_what_it_feeds(table):
    table.parts["SHIFT"] = parts.shifter("74HCT125")
    unwire(table, "SHIFT.1A")
    table.add(parts.two_ends("R9", "100 Ω", passes=True))
    table.join("LED_3V3", "R9.1")
    table.join("LED_IN", "R9.2", "SHIFT.1A")
    assert any("PI.GPIO10 feeds SHIFT" in fault for fault in rules.faults(table))


def test_sensors_that_have_power_while_the_pico_has_none_are_found(table):
    """Without the diode the 5 V reach the sensors, but not the Pico and the multiplexers."""
    unwire(table, "D1.1")
    table.leave_open("D1.1")
    found = [fault for fault in rules.backfed(table) if "feeds M0" in fault]
    assert any("while only SUPPLY has power" in fault for fault in found)


def test_breakouts_that_pull_their_enable_down_are_held_off(table):
    for number in (1, 2):
        table.parts[f"R{number}"] = parts.two_ends(f"R{number}", "10 kΩ", passes=True)
    found = rules.faults(table)
    assert sum("rests at 0.8 V, too low for off" in fault for fault in found) == 6


def test_an_enable_line_that_the_pico_cannot_pull_low_is_found(table):
    table.parts["R1"] = parts.two_ends("R1", "330 Ω", passes=True)
    assert "EN0 is pulled up too strongly for a pin that sinks 4 mA" in rules.faults(table)


@pytest.mark.parametrize("value", ["10 kΩ", "47 kΩ"])
def test_an_analog_line_too_weakly_pulled_down_for_a_pico_2_is_found(table, value):
    table.parts["R5"] = parts.two_ends("R5", value, passes=True)
    assert any("ADC26 is not pulled to ground by 8200 Ω" in fault for fault in rules.faults(table))


def test_an_analog_line_without_a_resistor_or_with_too_strong_a_one_is_found(table):
    unwire(table, "R5.1")
    table.parts["R6"] = parts.two_ends("R6", "1 kΩ", passes=True)
    found = rules.faults(table)
    assert any("ADC26 is not pulled to ground" in fault for fault in found)
    assert "ADC27 is pulled to ground more strongly than a sensor drives it" in found


def test_a_heat_sink_that_touches_ground_is_found(table):
    move(table, "HS1.BODY", "GND")
    said = "HS1 is clipped to the tab of REG, which is 3V3_SENSE, but touches GND"
    assert said in rules.faults(table)


def test_a_tab_taken_for_ground_is_found(table):
    move(table, "REG.TAB", "GND")
    assert "REG.TAB is OUT inside (3V3_SENSE), but is on the net GND" in rules.faults(table)


def test_the_way_back_of_the_sensors_through_the_picos_agnd_is_found(table):
    table.open.remove("PICO.AGND")
    table.join("GND_SENSE", "PICO.AGND")
    assert "PICO.AGND carries 10 mA back, 810 mA come from GND_SENSE" in rules.faults(table)


def test_a_ground_wire_a_switch_and_a_jack_too_thin_are_found(table):
    for ref in ("W1", "SW4", "J1"):
        table.parts[ref] = replace(table.parts[ref], carries=500.0)
    found = rules.faults(table)
    assert "W1 carries 500 mA, 810 mA come back from GND_SENSE" in found
    assert "SW4 carries 500 mA, 2416 mA are drawn through it" in found
    assert "J1 carries 500 mA, 2416 mA are drawn through it" in found


def test_sensors_whose_ground_wire_is_missing_are_found(table):
    unwire(table, "W1.1")
    assert any("the grounds are not joined" in fault for fault in rules.faults(table))


def test_an_undriven_input_is_found(table):
    unwire(table, "PICO.GP4")
    found = rules.faults(table)
    assert "nothing drives M0.S2 on the net S2" in found


def test_a_pin_wired_twice_and_a_wired_pin_that_should_be_open_are_found(table):
    table.join("S0", "M0.S1")
    table.join("GND", "SHIFT.2Y")
    found = rules.faults(table)
    assert "M0.S1 is wired 2 times" in found
    assert "SHIFT.2Y is meant to be open, but is wired" in found


def test_unknown_parts_and_pins_are_refused(table):
    with pytest.raises(ValueError, match="expected a part of the circuit, got 'M9'"):
        table.join("S0", "M9.S0")
    with pytest.raises(ValueError, match="expected a pin of M0"):
        table.join("S0", "M0.S7")
    with pytest.raises(ValueError, match="a second time"):
        table.add(parts.sensor(3))


def firmware_mux(circuit, monkeypatch):
    """Return the firmware's own scan, run on this circuit: a reading is the number of a sensor."""
    wired = circuit.wired()
    levels = {}

    class Pin:
        OUT = 0  # no inputs: a Pico 2 leaks through them, and its own pull-downs are too weak

        def __init__(self, number, *_, value=None):
            self.net = wired[f"PICO.GP{number}"]
            if value is not None:
                self(value)

        def __call__(self, value):
            levels[self.net] = value

    class ADC:
        def __init__(self, pin):
            self.net = pin.net

        def read_u16(self):
            seen = []
            for end in circuit.ends(self.net, "tri"):
                name = circuit.part(end).ref
                if levels[wired[f"{name}.EN"]]:
                    continue
                line = sum(levels[wired[f"{name}.S{bit}"]] << bit for bit in range(4))
                net = wired.get(f"{name}.I{line}")
                seen += circuit.ends(net, "out") if net else ["nothing"]
            assert len(seen) == 1, f"the converter sees {seen} at once"
            return int(re.fullmatch(r"H(\d+)\.OUT|nothing", seen[0])[1] or 4095) << 4

    machine = types.ModuleType("machine")
    machine.Pin, machine.ADC = Pin, ADC
    monkeypatch.setitem(sys.modules, "machine", machine)
    for name in ("pins", "mux"):
        spec = importlib.util.spec_from_file_location(name, TOP / f"firmware/{name}.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    return sys.modules["mux"].Mux()


def test_the_firmware_reads_every_sensor_on_its_channel(table, monkeypatch):
    values = [-1] * 96
    firmware_mux(table, monkeypatch).scan(values)
    assert values[: wire.CHANNELS] == list(range(wire.CHANNELS))


def test_swapped_address_lines_would_be_read_wrongly(table, monkeypatch):
    move(table, "M1.S0", "S1")
    move(table, "M1.S1", "S0")
    assert rules.faults(table) == []  # nothing electrical
    values = [-1] * 96
    firmware_mux(table, monkeypatch).scan(values)
    assert values[: wire.CHANNELS] != list(range(wire.CHANNELS))


def test_the_settings_have_the_pins_of_the_hardware():
    panel, pi = PanelSettings(), PINS["pi"]
    for name in ("confirm", "take_back", "wake", "buzzer"):
        assert getattr(panel, name) == pi[name]
    assert f"D{pi['lights']}" == pixels._SPI_PIN
    assert LightSettings().driver is None  # nothing is driven before it is named


def test_every_pin_of_the_hardware_is_used_once():
    lines = PINS["multiplexers"]
    pico = [*lines["address"], *lines["enable"], *lines["analog"]]
    assert len(set(pico)) == len(pico)
    assert len(set(PINS["pi"].values())) == len(PINS["pi"])
    assert set(lines["analog"]) <= {26, 27, 28}, "only these have a converter"


@pytest.mark.parametrize(
    ("order", "name", "number"),
    [
        (f"{parts.PICO_LEFT} {parts.PICO_RIGHT}", "GP26", 31),
        (f"{parts.PICO_LEFT} {parts.PICO_RIGHT}", "GP2", 4),
        (f"{parts.PICO_LEFT} {parts.PICO_RIGHT}", "VSYS", 39),
        (parts.PI_HEADER, "GPIO10", 19),
        (parts.PI_HEADER, "GPIO5", 29),
        (parts.PI_HEADER, "GPIO16", 36),
        (parts.PI_HEADER, "GPIO26", 37),
        (parts.MULTIPLEXER, "SIG", 1),
        (parts.MULTIPLEXER, "EN", 15),
        (parts.MULTIPLEXER, "VCC", 24),
    ],
)
def test_pins_have_the_positions_of_the_real_boards(order, name, number):
    assert parts.position(order, name) == number


def test_boards_have_as_many_pins_as_the_real_ones():
    assert len(f"{parts.PICO_LEFT} {parts.PICO_RIGHT}".split()) == 40
    assert len(parts.PI_HEADER.split()) == 40
    assert len(parts.MULTIPLEXER.split()) == 24


def test_the_netlist_names_every_end_once(table):
    text = to_kicad(table)
    nodes = re.findall(r'\(node \(ref "(\w+)"\) \(pin "(\w+|\+|-)"\)', text)
    assert len(nodes) == len(set(nodes)) == sum(map(len, table.nets.values()))
    assert text.count("(") == text.count(")")


def test_skidl_finds_no_fault_either(table):
    """The same circuit under an independent checker, where it is installed."""
    pytest.importorskip("skidl")
    from hardware import with_skidl

    assert with_skidl.faults(table) == []
    move(table, "H3.OUT", "HALL4")
    assert with_skidl.faults(table)
