"""Who may ask for what: sessions, roles, CSRF tokens, DNS rebinding, and validated bodies.

Everything refused here is refused with one sentence, as ``{"error": …}``.
"""

import hashlib
import hmac
import ipaddress
import math
import re
import secrets
import socket
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

from flask import request, session

from companion.errors import CompanionError
from companion.text import counted

TOKEN_HEADER = "X-CSRF-Token"
BODY_BYTES = 4096
PAIR_TRIES = 5
PAIR_SECONDS = 60.0

#: Names that resolve only inside a home network. No public site can have one, so a browser cannot
#: be tricked into sending our cookie to it (DNS rebinding).
HOME_ENDINGS = (".local", ".lan", ".home", ".internal", ".home.arpa", ".localdomain", ".localhost")

#: The networks of a house, its machines' own addresses aside: what is sent there stays there.
HOME = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"),
    )
)

#: A host with or without a port: a name or an address, or an address of IPv6 in brackets.
HOST = re.compile(r"(?:([a-z0-9._-]+)|\[([0-9a-f:.]+)\])(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE)
USUAL_PORTS = {"http": ":80", "https": ":443"}


class Refused(CompanionError):
    """A request that is not granted: one sentence and the HTTP status."""

    def __init__(self, status: int, text: str, retry_seconds: int | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.retry_seconds = retry_seconds


class Guard:
    """Decides about sessions and requests of one app; ``pairing`` is the code on the table.

    ``hosts`` are names of this page besides those of a home network. While ``is_open``, because
    somebody holds the button for it, any phone may be paired. The camera's picture is for paired
    phones, unless ``camera_for_all``.
    """

    def __init__(
        self,
        pairing: str | None,
        hosts: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
        is_open: Callable[[], bool] = lambda: False,
        camera_for_all: bool = False,
    ) -> None:
        self.pairing = pairing
        self.camera_for_all = camera_for_all
        self.is_open = is_open
        self.hosts = frozenset(host.lower() for host in hosts)
        self.clock = clock
        self._wrong: list[float] = []

    def token(self) -> str:
        """Return the session's token, made on the first visit."""
        if not isinstance(session.get("token"), str):
            session["token"] = secrets.token_urlsafe(18)
        return str(session["token"])

    @property
    def role(self) -> str:
        """Return ``player``, or ``watcher`` while the pairing code has not been entered."""
        if self.pairing is None or session.get("paired") == self._badge(self.pairing):
            return "player"
        return "watcher"

    def check_address(self) -> None:
        """Refuse a request that was meant for another host, or that another site has sent.

        A public site can let its name resolve to this machine (DNS rebinding) and then read our
        answers as its own; but the browser still sends that name as the host.
        """
        host = request.environ.get("HTTP_HOST", "")
        if not self._is_home(host):
            raise Refused(
                403, f"this page must be opened by the address of the table, not as {host!r:.80}"
            )
        origin = request.headers.get("Origin")
        if origin is not None and not _is_same(origin, host):
            raise Refused(
                403, f"requests must come from the page itself, this came from {origin!r:.80}"
            )

    def check_token(self) -> None:
        """Refuse a command that did not come from our own page in this session (CSRF)."""
        token = session.get("token")
        given = request.headers.get(TOKEN_HEADER, "")
        if not isinstance(token, str) or not _same(given, token):
            raise Refused(403, f"the {TOKEN_HEADER} header is missing or old; load the page again")

    def check_sight(self) -> None:
        """Refuse the camera's picture to those for whom it is not."""
        if self.role != "player" and not self.camera_for_all:
            raise Refused(
                403, "the camera's picture is for paired phones; enter the code shown at the table"
            )

    def check_player(self) -> None:
        """Refuse watchers."""
        if self.role != "player":
            raise Refused(403, "you are watching; enter the code shown at the table to play")

    def pair(self, code: str) -> None:
        """Make the visitor a player when the code is right.

        Wrong codes are rate-limited by a sliding window: five a minute from everybody together.
        """
        if self.pairing is None:
            return
        if not self.is_open():
            self._check_code(code, self.pairing)
        session["paired"] = self._badge(self.pairing)

    def _check_code(self, code: str, pairing: str) -> None:
        now = self.clock()
        self._wrong = [moment for moment in self._wrong if now - moment < PAIR_SECONDS]
        if len(self._wrong) >= PAIR_TRIES:
            wait = math.ceil(PAIR_SECONDS - (now - self._wrong[0]))
            raise Refused(
                429, f"too many wrong codes; try again in {counted(wait, 'second')}", wait
            )
        if not _same(code.strip(), pairing):
            self._wrong.append(now)
            raise Refused(403, "that is not the code shown at the table")

    @staticmethod
    def _badge(code: str) -> str:
        """Return what a paired session carries: another code makes it worthless."""
        return hashlib.sha256(code.encode()).hexdigest()[:32]

    def _is_home(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = (found[1] or found[2]).lower()
        if name in self.hosts or is_at_home(name):
            return True
        return found[1] is not None and ("." not in name or name.endswith(HOME_ENDINGS))


def _is_same(origin: str, host: str) -> bool:
    """Tell whether a page of this origin was opened at this host."""
    scheme, _, origin_host = origin.lower().partition("://")
    usual = USUAL_PORTS.get(scheme)
    if usual is None:
        return False
    return origin_host.removesuffix(usual) == host.lower().removesuffix(usual)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


class Body:
    """The JSON object of a request; each question names what it expects and refuses the rest."""

    def __init__(self) -> None:
        if request.content_length is not None and request.content_length > BODY_BYTES:
            raise Refused(413, f"the request may have {BODY_BYTES} bytes at most")
        if not request.is_json:
            kind = request.headers.get("Content-Type", "none")
            raise Refused(415, f"expected application/json, the content type is {kind!r}")
        data = request.get_json(silent=True)
        if not isinstance(data, dict):
            raise Refused(400, "expected a JSON object")
        self.data: Mapping[str, Any] = data

    def text(self, key: str, longest: int = 40, default: str | None = None) -> str:
        """Return a text; without a default it must be there."""
        value = self.data.get(key, default)
        if not isinstance(value, str) or len(value) > longest:
            raise Refused(400, f"{key} must be a text of at most {longest} letters")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        """Return a finite number of millimetres or degrees."""
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Refused(400, f"{key} must be a number, not {value!r:.40}")
        if not abs(value) <= 10_000:
            raise Refused(400, f"{key} must lie between -10000 and 10000")
        return float(value)

    def truth(self, key: str) -> bool:
        """Return true or false."""
        value = self.data.get(key)
        if not isinstance(value, bool):
            raise Refused(400, f"{key} must be true or false, not {value!r:.40}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, none when the key is missing."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(_short(item) for item in value):
            raise Refused(400, f"{key} must be a list of texts")
        return tuple(value)

    def choices(self, key: str) -> dict[str, str]:
        """Return an object of texts, empty when the key is missing."""
        value = self.data.get(key, {})
        if not isinstance(value, dict) or not all(_short(item) for item in value.values()):
            raise Refused(400, f"{key} must be an object whose values are texts")
        return value


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 40


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
