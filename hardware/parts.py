"""The parts that the table is wired from: their pins, and the figures of their data sheets."""

from dataclasses import replace

from hardware.circuit import Part, Pin

PICO_LEFT = "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15"
PICO_RIGHT = (
    "GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 ADC_VREF 3V3_OUT 3V3_EN"
    " GND VSYS VBUS"
)
PI_HEADER = (
    "3V3 5V GPIO2 5V GPIO3 GND GPIO4 GPIO14 GND GPIO15 GPIO17 GPIO18 GPIO27 GND GPIO22 GPIO23 3V3"
    " GPIO24 GPIO10 GND GPIO9 GPIO25 GPIO11 GPIO8 GND GPIO7 GPIO0 GPIO1 GPIO5 GND GPIO6 GPIO12"
    " GPIO13 GND GPIO19 GPIO16 GPIO26 GPIO20 GND GPIO21"
)
#: The chip's own order, pins 1 to 24; on a breakout board the names are printed.
MULTIPLEXER = "SIG I7 I6 I5 I4 I3 I2 I1 I0 S0 S1 GND S3 S2 EN I15 I14 I13 I12 I11 I10 I9 I8 VCC"

LOGIC = 3.3
SENSOR_MILLIAMPS = 10.0  # the most of a DRV5055; 6 is usual
SENSOR_USUAL_MILLIAMPS = 6.0
PICO_MILLIAMPS = 95.0  # both cores busy and the LED on
PICO_3V3_MILLIAMPS = 300.0  # what may be taken from its 3.3 V pin
REGULATOR_MILLIAMPS = 1500.0  # what an LM1084 gives without getting too hot in free air
USB_MILLIAMPS = 500.0
SENSOR_DRIVES_MILLIAMPS = 1.0  # what a DRV5055 gives at its output
PIN_SINKS_MILLIAMPS = 4.0  # a Pico's pin, as it is set after a reset
PIN_PULLS_OHM = 50_000.0  # to ground, every pin of a Pico that has not been told otherwise yet
AGND_MILLIAMPS = 10.0  # a thin trace for the converter's own ground, not a way back for loads
BREAKOUT_PULLS_OHM = 10_000.0  # many boards with a CD74HC4067 pull EN to ground, so that it is on
JACK_MILLIAMPS = SWITCH_MILLIAMPS = 5000.0


def position(order: str, name: str) -> int:
    """Return the position of a pin on a board, counted from 1: 31 for the Pico's GP26."""
    return order.split().index(name) + 1


def _headers(order: str) -> list[tuple[str, str]]:
    """Return number and name of each pin; names that occur again get their number."""
    names = order.split()
    return [
        (str(n), f"{name}_{n}" if names.count(name) > 1 else name)
        for n, name in enumerate(names, 1)
    ]


def pico() -> Part:
    """Return a Raspberry Pi Pico; which GP pins do something is for the wiring to say."""
    special = {
        "ADC_VREF": Pin("", "", "supply", most=3.63),
        "3V3_OUT": Pin("", "", "source", volts=LOGIC, milliamps=PICO_3V3_MILLIAMPS),
        "VSYS": Pin("", "", "supply", most=5.5),
        "VBUS": Pin("", "", "supply", most=5.5),
    }
    pins = []
    for number, name in _headers(f"{PICO_LEFT} {PICO_RIGHT}"):
        kind = "ground" if name in ("AGND", "GND_38") else "spare"
        back = AGND_MILLIAMPS if name == "AGND" else None
        usual = Pin("", "", kind, LOGIC + 0.3, 2.0, LOGIC, back, clamped=True)
        pins.append(replace(special.get(name, usual), number=number, name=name))
    pins += [Pin("U2", "USB_DM", "passive"), Pin("U3", "USB_DP", "passive")]
    down = tuple((pin.name, PIN_PULLS_OHM) for pin in pins if pin.name.startswith("GP"))
    return Part("PICO", "Raspberry Pi Pico", tuple(pins), PICO_MILLIAMPS, pulled_down=down)


def pi() -> Part:
    """Return a Raspberry Pi with the header and the USB socket that are used."""
    pins = []
    for number, name in _headers(PI_HEADER):
        if name == "GND_20":
            pins.append(Pin(number, name, "ground"))
        elif name.startswith("GPIO"):
            pins.append(Pin(number, name, "spare", most=LOGIC, needs=1.6, volts=LOGIC))
        else:
            pins.append(Pin(number, name, "spare"))
    pins += [
        Pin("U1", "USB_5V", "source", volts=5.0, milliamps=USB_MILLIAMPS),
        Pin("U2", "USB_DM", "passive"),
        Pin("U3", "USB_DP", "passive"),
        Pin("U4", "USB_GND", "ground"),
    ]
    return Part("PI", "Raspberry Pi", tuple(pins))


def multiplexer(number: int) -> Part:
    """Return a CD74HC4067 on a breakout board; which inputs are used, the wiring says."""
    pins = []
    for position, name in enumerate(MULTIPLEXER.split(), 1):
        kind = {"SIG": "tri", "VCC": "supply", "GND": "ground"}.get(name, "in")
        digital = (name[0] == "S" and name != "SIG") or name == "EN"
        most = 6.0 if kind == "supply" else LOGIC + 0.3 if kind == "in" else None
        needs = 0.7 * LOGIC if digital else None
        pins.append(Pin(str(position), name, kind, most, needs, clamped=kind == "in"))
    return Part(
        f"M{number}",
        "CD74HC4067",
        tuple(pins),
        1.0,
        pulled_down=(("EN", BREAKOUT_PULLS_OHM),),
        wants_capacitor=True,
    )


def sensor(channel: int) -> Part:
    """Return a linear hall sensor in TO-92, named after its channel."""
    pins = (Pin("1", "VCC", "supply", most=5.5), Pin("2", "GND", "ground"), Pin("3", "OUT", "out"))
    return Part(f"H{channel}", "DRV5055A1", pins, SENSOR_MILLIAMPS, wants_capacitor=True)


def shifter(value: str = "74AHCT125") -> Part:
    """Return a level shifter: four gates, of which one is used.

    The inputs of a 74AHCT125 stand 5.5 V whatever its supply is, because they have no diode to it.
    Those of a 74HCT125 have one: while the 5 V are off, the Pi's data would feed the whole strip.
    """
    clamped = value not in ("74AHCT125", "74VHCT125")
    pins = [Pin("7", "GND", "ground"), Pin("14", "VCC", "supply", most=5.5)]
    for gate, (enable, data, out) in enumerate(((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11)), 1):
        pins += [
            Pin(str(enable), f"{gate}OE", "in", most=5.5, needs=2.0, clamped=clamped),
            Pin(str(data), f"{gate}A", "in", most=5.5, needs=2.0, clamped=clamped),
            Pin(str(out), f"{gate}Y", "out"),
        ]
    return Part("SHIFT", value, tuple(pins), 5.0, wants_capacitor=True)


def strip(milliamps: float) -> Part:
    """Return the strip of WS2812B, whose data line needs 0.7 of its 5 V."""
    pins = (
        Pin("1", "5V", "supply", most=5.3),
        Pin("2", "DIN", "in", most=5.3, needs=3.5, clamped=True),
        Pin("3", "GND", "ground"),
    )
    return Part("STRIP", "WS2812B", pins, milliamps)


def regulator() -> Part:
    """Return the 3.3 V regulator of the sensors, in TO-220: its metal tab is its output."""
    pins = (
        Pin("1", "GND", "ground"),
        Pin("2", "OUT", "source", volts=LOGIC, milliamps=REGULATOR_MILLIAMPS),
        Pin("3", "IN", "supply", most=27.0),
        Pin("4", "TAB", "passive"),
    )
    return Part("REG", "LM1084-3.3", pins, joined=(("OUT", "TAB"),))


def heat_sink() -> Part:
    """Return the regulator's heat sink, which has the voltage of what it is clipped to."""
    return Part("HS1", "heat sink", (Pin("1", "BODY", "passive"),), beside="REG")


def jack() -> Part:
    """Return the socket that the supply is plugged into."""
    pins = tuple(
        Pin(str(number), name, "passive")
        for number, name in enumerate(("+in", "+out", "-in", "-out"), 1)
    )
    passes = (("+in", "+out"), ("-in", "-out"))
    return Part("J1", "DC jack", pins, passes=passes, carries=JACK_MILLIAMPS)


def supply(milliamps: float) -> Part:
    """Return the 5 V supply of strip and grid."""
    pins = (Pin("1", "+", "source", volts=5.0, milliamps=milliamps), Pin("2", "-", "ground"))
    return Part("SUPPLY", f"5 V {milliamps / 1000:g} A", pins)


def two_ends(
    ref: str,
    value: str,
    *,
    passes: bool = False,
    carries: float | None = None,
    beside: str = "",
) -> Part:
    """Return a part with two ends, ``1`` and ``2``: resistor, capacitor, fuse, wire, button."""
    pins = (Pin("1", "1", "passive"), Pin("2", "2", "passive"))
    ways = (("1", "2"),) if passes else ()
    return Part(ref, value, pins, passes=ways, carries=carries, beside=beside)
