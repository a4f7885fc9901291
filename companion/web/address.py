"""The addresses by which the page is opened: on this machine, and from any phone in the house.

Nothing is sent to find them out: a datagram socket that is merely connected tells which of this
machine's addresses it would use, and the interfaces tell theirs.
"""

import fcntl
import ipaddress
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: Where avahi listens, which gives this machine its ``.local`` name.
AVAHI = Path("/run/avahi-daemon/socket")

#: Addresses kept for documentation, outside of every house; nothing is sent there.
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
ANY_PORT = 9
EVERYWHERE = {"0.0.0.0": socket.AF_INET, "": socket.AF_INET, "::": socket.AF_INET6}
#: The networks of a house, its machines' own addresses aside: what is sent there stays there.
HOME = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"),
    )
)
GET_ADDRESS = 0x8915  # SIOCGIFADDR, of Linux

Find = Callable[[socket.AddressFamily], str | None]


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


def is_at_home(text: str) -> bool:
    """Tell whether a text is an address of a home network, or one of this machine."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if any(address in network for network in HOME):
        return True
    nobody = address.is_unspecified or address.is_multicast or address.is_reserved
    return not nobody and _is_ours(address)


def _is_ours(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Tell whether this machine has an address: it can be bound to."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


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
