"""The hands of a visitor on the simulated table: what the table page may do to it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify

from companion.web.api import error_response, started
from companion.web.guard import Body, Guard
from companion.web.hub import Hub

#: What a visitor is told while a helping hand puts the board right.
HELPED = "A helping hand does what the companion asks for. Take a piece yourself and it makes way."

#: What a visitor is told of what hands have done.
TOLD = {
    "hand": "A hand is over the board: the companion waits.",
    "no-hand": "The hand is gone.",
    "nudge": "Nudged a little.",
    "half-seat": "That fence is only half-way in its groove.",
    "set-up": "Everything lies as the game has it.",
}

#: Where a piece stands that is shown alone, to be measured.
SHOWN_ON = "e5"


class VirtualTable(Protocol):
    """A table whose pieces can be picked up; millimetres from the middle of the board."""

    def view(self) -> Mapping[str, Any]:
        """Return where everything lies, as JSON."""

    def lift(self, id: str) -> object:
        """Take a body into the hand."""

    def carry(self, id: str, x: float, y: float, angle: float) -> object:
        """Move it, still in the hand."""

    def put(self, id: str, x: float, y: float, angle: float) -> object:
        """Put it down."""

    def hand(self, x: float, y: float, angle: float) -> object:
        """Hold an empty hand over the table."""

    def no_hand(self) -> object:
        """Take the hand away."""

    def nudge(self, id: str, dx: float, dy: float) -> object:
        """Push a body a little."""

    def half_seat(self, id: str) -> object:
        """Leave a fence only half-way in its groove."""

    def set_up(self, position: Mapping[str, str]) -> object:
        """Put everything where it belongs."""


class Breakable(Protocol):
    """The faults that a simulated table can be given."""

    def listed(self) -> list[dict[str, Any]]:
        """Return all faults, with what happens and whether they are on."""

    def start(self, text: str) -> object:
        """Begin a fault."""

    def end(self, name: str) -> None:
        """End a fault."""


class Simulation(Protocol):
    """A simulated table and the little scenes it can play by itself."""

    @property
    def table(self) -> VirtualTable:
        """Return the table."""

    @property
    def faults(self) -> Breakable:
        """Return what can be broken."""

    def press(self, button: str) -> object:
        """Press a button of the panel."""

    @property
    def helps(self) -> bool:
        """Tell whether a helping hand carries out what the companion asks for."""

    def demo(self, what: str) -> str:
        """Start a scene: ``move``, ``jump`` or ``fence``; return a sentence about it."""

    def help(self, on: bool) -> str:
        """Ask for the helping hand, or for none; return a sentence about it."""


def table_routes(hub: Hub, sim: Simulation, guard: Guard) -> Blueprint:
    """Return the routes under /api/sim."""
    routes = Blueprint("sim", __name__, url_prefix="/api/sim")
    table = sim.table

    def done(text: str = "") -> Response:
        return jsonify(text=text)

    def helping() -> dict[str, Any]:
        return {"on": sim.helps, "coach": HELPED if sim.helps else ""}

    @routes.before_request
    def check() -> None:
        guard.check_player()

    @routes.errorhandler(LookupError)
    def unknown(error: LookupError) -> Response:
        return error_response(404, str(error.args[0]))

    @routes.errorhandler(ValueError)
    def impossible(error: ValueError) -> Response:
        return error_response(409, str(error))

    @routes.get("/table")
    def view() -> Response:
        return jsonify(table.view())

    def place(body: Body) -> tuple[str, float, float, float]:
        return body.text("id"), body.number("x"), body.number("y"), body.number("angle", 0)

    def show(body: Body) -> object:
        thing = body.text("thing", default="")
        return table.set_up({SHOWN_ON: thing} if thing else {})

    hands: dict[str, Callable[[Body], object]] = {
        "lift": lambda body: table.lift(body.text("id")),
        "carry": lambda body: table.carry(*place(body)),
        "put": lambda body: table.put(*place(body)),
        "hand": lambda body: table.hand(
            body.number("x", 0), body.number("y", 0), body.number("angle", 90)
        ),
        "no-hand": lambda body: table.no_hand(),
        "nudge": lambda body: table.nudge(body.text("id"), body.number("dx"), body.number("dy")),
        "half-seat": lambda body: table.half_seat(body.text("id")),
        "set-up": lambda body: table.set_up(started(hub.latest())["position"]),
        "show": show,
        "press": lambda body: sim.press(body.text("button")),
    }

    def do(what: str) -> Response:
        hands[what](Body())
        return done(TOLD.get(what, ""))

    for what in hands:
        routes.add_url_rule(f"/{what}", what, partial(do, what), methods=["POST"])

    @routes.post("/demo")
    def demo() -> Response:
        return done(sim.demo(Body().text("what")))

    @routes.get("/faults")
    def faults() -> Response:
        return jsonify(faults=sim.faults.listed())

    @routes.post("/fault")
    def fault() -> Response:
        body = Body()
        name = body.text("name")
        if body.truth("on"):
            sim.faults.start(name)
            return done("Something is broken now; see what the companion makes of it.")
        sim.faults.end(name)
        return done("That is mended.")

    @routes.get("/help")
    def helps() -> Response:
        return jsonify(helping())

    @routes.post("/help")
    def help() -> Response:
        text = sim.help(Body().truth("on"))
        hub.publish("help", helping())
        return done(text)

    return routes
