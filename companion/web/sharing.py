"""Where another phone finds the page: the address in words, and as a QR code.

What is served here is for everybody who can open the page, watchers too: it never holds the code
that makes a watcher a player. That one is shown at the table alone.
"""

from collections.abc import Callable

from flask import Blueprint, Response, jsonify

from companion.web import qr
from companion.web.address import Addresses
from companion.web.guard import Refused


def sharing(where: Callable[[], Addresses] | None) -> Blueprint:
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
        return Response(qr.svg(for_phones()), mimetype="image/svg+xml")

    @routes.get("/qr.png")
    def as_png() -> Response:
        return Response(qr.png(for_phones()), mimetype="image/png")

    return routes
