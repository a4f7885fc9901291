"""The addresses by which the page is opened: on this machine, and from any phone in the house; in
words, and as a QR code.

Nothing is sent to find them out: a connected UDP socket tells which of this machine's addresses
the routing table chooses, and the interfaces tell theirs. Everybody who can open the page can read
what is served here, watchers included, so it never holds the pairing code: that is shown at the
table alone.
"""

import fcntl
import io
import ipaddress
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import segno
from flask import Blueprint, Response, jsonify

from companion.web.guard import Refused

#: Where avahi listens, which gives this machine its ``.local`` name.
AVAHI = Path("/run/avahi-daemon/socket")

#: Addresses kept for documentation, outside of every house; nothing is sent there.
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
ANY_PORT = 9
EVERYWHERE = {"0.0.0.0": socket.AF_INET, "": socket.AF_INET, "::": socket.AF_INET6}
GET_ADDRESS = 0x8915  # SIOCGIFADDR, of Linux

Find = Callable[[socket.AddressFamily], str | None]

QUIET = 4  # modules of white around it, as the standard asks for
SCALE = 10  # pixels a module

#: Black and white that no theme repaints, so that it reads on dark and on light terminals.
INK, END = "\x1b[38;5;16;48;5;231m", "\x1b[0m"

#: Two modules above each other in one character, dark on white.
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


@dataclass(frozen=True)
class Addresses:
    """Where the page is: ``here`` for this machine, ``phone`` for the house and ``name`` for
    devices that know ``.local`` names. Without ``phone``, ``why`` says what keeps phones away."""

    here: str
    phone: str | None = None
    name: str | None = None
    why: str = ""


def addresses(
    host: str, port: int, find: Find | None = None, local_name: str | None = None
) -> Addresses:
    """Return the addresses of a page that listens on this host and port.

    ``find`` returns this machine's address in the house, ``local_name`` is its ``.local`` name;
    both are looked up unless they are given.
    """
    here = _url("localhost", port)
    if host in EVERYWHERE:
        found = (find or lan_address)(EVERYWHERE[host])
        if found is None:
            why = "Only this machine can open it: it is in no network. Join one, then look again."
            return Addresses(here, why=why)
        name = local_name or mdns_name()
        return Addresses(here, _url(found, port), _url(name, port) if name else None)
    if _is_loopback(host):
        why = f"Only this machine can open it: it listens on {host}. Phones need web.host 0.0.0.0."
        return Addresses(_url(host, port), why=why)
    return Addresses(_url(host, port), _url(host, port))


def lan_address(family: socket.AddressFamily = socket.AF_INET) -> str | None:
    """Return the address by which the house reaches this machine, None when it has none."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((ELSEWHERE[family], ANY_PORT))
            found = str(probe.getsockname()[0])
    except OSError:
        found = ""  # no way out of the house; a Pi that is its own access point has none
    if _serves(found):
        return found
    return next(filter(_serves, _of_interfaces()), None) if family == socket.AF_INET else None


def mdns_name() -> str | None:
    """Return this machine's ``.local`` name, None when nobody answers to it."""
    name = socket.gethostname()
    if name.endswith(".local"):
        return name
    return f"{name.split('.')[0]}.local" if AVAHI.exists() else None


def _of_interfaces() -> list[str]:
    """Return the IPv4 address of each interface that has one."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            asked = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), GET_ADDRESS, asked)
            except OSError:
                continue  # it has none, or this is no Linux
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _serves(text: str) -> bool:
    """Tell whether other machines can use an address."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}/" if port == 80 else f"http://{shown}:{port}/"


def address_routes(where: Callable[[], Addresses] | None) -> Blueprint:
    """Return the routes of the address; ``where`` finds out what it is now."""
    routes = Blueprint("sharing", __name__)

    def look() -> Addresses:
        if where is None:
            raise Refused(404, "this page does not know its address")
        return where()

    def for_phones() -> str:
        found = look()
        if found.phone is None:
            raise Refused(404, found.why)
        return found.phone

    @routes.get("/api/address")
    def address() -> Response:
        found = look()
        return jsonify(phone=found.phone, name=found.name, text=found.why)

    @routes.get("/qr.svg")
    def as_svg() -> Response:
        return Response(svg(for_phones()), mimetype="image/svg+xml")

    @routes.get("/qr.png")
    def as_png() -> Response:
        return Response(png(for_phones()), mimetype="image/png")

    return routes


def png(text: str) -> bytes:
    """Return a text as a PNG, black on white."""
    return _saved(text, "png")


def svg(text: str) -> bytes:
    """Return a text as an SVG of any size, black on white."""
    return _saved(text, "svg", xmldecl=False, omitsize=True)


def in_terminal(text: str) -> str:
    """Return a text as lines of half-block characters, black on white."""
    rows = [list(row) for row in segno.make_qr(text).matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    lines = (
        "".join(HALVES[upper, lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )
    return "\n".join(f"{INK}{line}{END}" for line in lines)


def _saved(text: str, kind: str, **options: bool) -> bytes:
    out = io.BytesIO()
    code = segno.make_qr(text)
    code.save(out, kind=kind, scale=SCALE, border=QUIET, dark="#000", light="#fff", **options)
    return out.getvalue()
