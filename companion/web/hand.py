"""A hand of cards on a phone of its own, and the links by which phones come to their seats.

What a seat alone may see is never published: its own phone asks for it, by the key in its signed
cookie. Who hands out the links sees them until they are used, and no hand.
"""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, request, session

from companion.errors import CompanionError
from companion.service.places import Places
from companion.service.requests import (
    FillPlace,
    HandOut,
    Hint,
    Hinted,
    NamePlace,
    Place,
    PlayHand,
    RenewPlace,
    TakePlace,
)
from companion.service.snapshot import Private
from companion.text import sentence
from companion.web.address import Addresses, svg
from companion.web.api import Post, reply
from companion.web.guard import Body, Guard, Refused
from companion.web.passes import Passes

#: Returns what each seat alone may see; None while no game with hidden hands is played.
LookIntoHands = Callable[[], Private | None]

NO_HANDS = "no game with hidden hands is being played; begin one on the table’s page"
NO_SEAT = "this phone has no seat here; ask whoever hands out the seats for a link"
NO_HOST = "another phone hands out the seats"
WORTHLESS = "this link counts no more; ask whoever hands out the seats for a new one"

#: The states of a seat, in words.
STATES = {
    "free": "waits for a phone",
    "taken": "a phone sits here",
    "companion": "the companion plays, level {level}",
}


def hand_routes(
    post: Post,
    guard: Guard,
    passes: Passes,
    private: LookIntoHands,
    where: Callable[[], Addresses] | None,
) -> Blueprint:
    """Return the routes under /api/hand and /api/seats."""
    routes = Blueprint("hand", __name__, url_prefix="/api")

    def look() -> Private:
        found = private()
        if found is None:
            raise Refused(409, NO_HANDS)
        return found

    def seated(found: Private) -> Place:
        """Return the seat of the phone that asks; refuse one that has none."""
        place = passes.place(found.places, session.get("hand"))
        if place is None or not found.places.taken[place.seat]:
            raise Refused(403, WORTHLESS if "hand" in session else NO_SEAT)
        return place

    def hosting() -> Private:
        """Refuse all but the phone that hands out the seats."""
        found = look()
        if not passes.is_host(found.places, session.get("host")):
            raise Refused(403, NO_HOST)
        return found

    # --- a seat's own page

    @routes.get("/hand")
    def hand() -> Response:
        found = look()
        place = seated(found)
        return jsonify(
            seat=place.seat,
            number=found.number,
            game_id=found.game_id,
            seen=found.moves,
            over=found.is_over,
            **dict(found.hands[place.seat]),
        )

    @routes.post("/hand/sit")
    def sit() -> Response:
        key, found = Body().text("key", longest=100), look()
        place = passes.place(found.places, key)
        if place is None:
            raise Refused(403, WORTHLESS)
        if session.get("hand") != key or not found.places.taken[place.seat]:
            said = reply(post, TakePlace(place))
            session["hand"] = key
        else:
            said = f"You are {found.places.names[place.seat]}."
        return jsonify(text=said)

    @routes.post("/hand/play")
    def play() -> Response:
        body, place = Body(), seated(look())
        move, seen = body.text("move").strip(), round(body.number("seen"))
        return jsonify(text=reply(post, PlayHand(place, move, seen)))

    @routes.post("/hand/name")
    def name() -> Response:
        body, place = Body(), seated(look())
        return jsonify(text=reply(post, NamePlace(place, body.text("name"))))

    @routes.post("/hand/hint")
    def hint() -> Response:
        Body()
        found = look()
        place = seated(found)
        hinted = reply(post, Hint(place=place))
        assert isinstance(hinted, Hinted)
        said: Any = found.hands[place.seat]["said"]
        words = said.get(hinted.move, "that")
        return jsonify(text=f"Try this: {words}. {sentence(hinted.reason)}", move=hinted.move)

    # --- handing out the seats

    @routes.post("/seats/host")
    def host() -> Response:
        body, found = Body(), look()
        given = body.text("key", longest=100, default="")
        known = (session.get("host"), given)
        if any(passes.is_host(found.places, key) for key in known):
            text = "This phone hands out the seats."
        else:
            guard.check_player()
            text = str(reply(post, HandOut()))
        session["host"] = passes.host_key(found.places)
        return jsonify(text=text)

    @routes.get("/seats")
    def seats() -> Response:
        found = hosting()
        return jsonify(seats=[told(found, seat) for seat in range(len(found.hands))])

    def told(found: Private, seat: int) -> dict[str, Any]:
        places, level = found.places, found.levels[seat]
        state = "taken" if places.taken[seat] else "free"
        state = state if level is None else "companion"
        return {
            "seat": seat,
            "name": places.names[seat],
            "state": state,
            "text": STATES[state].format(level=level),
            "level": level,
            "link": link(places, seat) if state == "free" else None,
        }

    def link(places: Places, seat: int) -> str:
        """Return the address that opens a seat; the key stays in the browser, behind the #."""
        found = where() if where else None
        base = (found and (found.phone or found.here)) or request.host_url
        return f"{base}hand#{passes.key(places, seat)}"

    @routes.get("/seats/<int:seat>/qr.svg")
    def code(seat: int) -> Response:
        found = hosting()
        if seat >= len(found.hands) or found.places.taken[seat] or found.levels[seat] is not None:
            raise Refused(404, "this seat has no link to hand out")
        return Response(svg(link(found.places, seat)), mimetype="image/svg+xml")

    @routes.post("/seats/renew")
    def renew() -> Response:
        body, _ = Body(), hosting()
        return jsonify(text=reply(post, RenewPlace(_number(body))))

    @routes.post("/seats/fill")
    def fill() -> Response:
        body, _ = Body(), hosting()
        level = body.data.get("level")
        if level is not None and (isinstance(level, bool) or not isinstance(level, int)):
            raise Refused(400, "level must be a number, or null for a person")
        return jsonify(text=reply(post, FillPlace(_number(body), level)))

    return routes


def _number(body: Body) -> int:
    seat = body.number("seat")
    if seat != int(seat) or seat < 0:
        raise CompanionError(f"expected the number of a seat, got {seat}")
    return int(seat)
