"""The start page's questions and commands: setting the table up, one step after the other."""

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify

from companion.referee.commands import (
    MarkStep,
    MeasurePiece,
    OpenStep,
    Refocus,
    TakeBaseline,
    TryLights,
)
from companion.web.api import Post, ask
from companion.web.guard import Body, Guard


class Steps(Protocol):
    """What is known of setting the table up."""

    @property
    def is_finished(self) -> bool:
        """Tell whether every step was done or skipped."""

    def view(self) -> Mapping[str, Any]:
        """Return everything the start page shows, as docs/http.md has it."""


def start(post: Post, guard: Guard, steps: Steps) -> Blueprint:
    """Return the routes under /api/setup."""
    routes = Blueprint("start", __name__, url_prefix="/api/setup")

    @routes.get("")
    def view() -> Response:
        return jsonify(dict(steps.view()))

    @routes.post("/open")
    def opened() -> Response:
        return ask(post, guard, OpenStep(Body().text("step", default="")))

    @routes.post("/mark")
    def mark() -> Response:
        body = Body()
        return ask(post, guard, MarkStep(body.text("step"), body.text("as")))

    @routes.post("/baseline")
    def baseline() -> Response:
        return ask(post, guard, TakeBaseline(Body().truth("sure")))

    @routes.post("/piece")
    def piece() -> Response:
        return ask(post, guard, MeasurePiece(Body().text("piece")))

    @routes.post("/lights")
    def lights() -> Response:
        body = Body()
        wanted = TryLights(body.text("trial", default=""), body.text("right", default=""))
        return ask(post, guard, wanted)

    @routes.post("/focus")
    def focus() -> Response:
        return ask(post, guard, Refocus())

    return routes
