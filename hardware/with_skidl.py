"""The same circuit under SKiDL's electrical rules check: a second opinion where it is there."""

import io
import logging

from hardware.circuit import Circuit


def faults(circuit: Circuit) -> list[str]:
    """Return the warnings and errors of SKiDL's check."""
    import skidl

    for log in (skidl.erc_logger, skidl.logger.active_logger):
        log.stop_file_output()  # it would leave files in the folder it is run in
    kinds = {
        "in": skidl.Pin.types.INPUT,
        "out": skidl.Pin.types.OUTPUT,
        "tri": skidl.Pin.types.TRISTATE,
        "source": skidl.Pin.types.PWROUT,
        "supply": skidl.Pin.types.PASSIVE,  # SKiDL does not see a source through a fuse
        "ground": skidl.Pin.types.PASSIVE,
        "passive": skidl.Pin.types.PASSIVE,
        "spare": skidl.Pin.types.NOCONNECT,
    }
    drawn = skidl.Circuit()
    wired = circuit.wired()
    nets = {name: skidl.Net(name, circuit=drawn) for name in circuit.nets}
    for part in circuit.parts.values():
        pins = [p for p in part.pins if f"{part.ref}.{p.name}" in wired]
        made = skidl.Part(
            name=part.value,
            tool=skidl.SKIDL,
            dest=skidl.TEMPLATE,
            ref_prefix="X",
            pins=[skidl.Pin(num=p.number, name=p.name, func=kinds[p.kind]) for p in pins],
        )(circuit=drawn, ref=part.ref)
        for pin in pins:
            nets[wired[f"{part.ref}.{pin.name}"]] += made[pin.number]
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.setLevel(logging.WARNING)
    skidl.erc_logger.addHandler(handler)
    try:
        drawn.ERC()
    finally:
        skidl.erc_logger.removeHandler(handler)
    return said.getvalue().splitlines()
