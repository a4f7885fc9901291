"""The questions of the pages for setting the table up: the camera page's, where the board lies in
the picture and corners set by hand, and the start page's, one step after the other.
"""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify

from companion.errors import CornersError
from companion.sensing.corners import Corners
from companion.service.requests import (
    MarkStep,
    MeasurePiece,
    OpenStep,
    Refocus,
    TakeBaseline,
    TryLights,
    UseCorners,
)
from companion.web.api import Commands, Post, add_commands
from companion.web.guard import Body, Guard, Refused
from companion.web.hub import Hub

#: Returns where the board lies in the newest picture, as docs/http.md has it; None without one.
Outline = Callable[[], Mapping[str, Any] | None]

#: Returns where the board may lie in the newest picture, as docs/http.md has it; None without one.
Proposal = Callable[[], Mapping[str, Any] | None]

#: Returns the newest picture as JPEG; None without one.
Picture = Callable[[], bytes | None]


class Steps(Protocol):
    """What is known of setting the table up."""

    @property
    def is_finished(self) -> bool:
        """Tell whether every step was done or skipped."""

    def view(self) -> Mapping[str, Any]:
        """Return everything the start page shows, as docs/http.md has it."""


def no_picture(hub: Hub) -> str:
    """Return why there is no picture, as the camera itself says it if it does."""
    said = [
        alert["text"]
        for alert in (hub.latest() or {}).get("alerts", ())
        if alert["device"] == "camera"
    ]
    return said[0] if said else "there is no camera picture at the moment"


def camera_routes(
    hub: Hub,
    post: Post,
    guard: Guard,
    outline: Outline | None,
    proposal: Proposal | None,
    picture: Picture | None,
) -> Blueprint:
    """Return the routes of the camera: its picture, and those under /api/camera."""
    routes = Blueprint("camera", __name__)
    searching = Lock()  # it takes a second or more, so that one search at a time is enough

    @routes.get("/camera.jpg")
    def jpeg() -> Response:
        guard.check_sight()
        seen = picture() if picture else None
        if seen is None:
            raise Refused(503, no_picture(hub), 2)
        return Response(seen, mimetype="image/jpeg")

    @routes.get("/api/camera")
    def camera() -> Response:
        seen = outline() if outline else None
        if seen is None:
            raise Refused(503, no_picture(hub), 2)
        return jsonify(dict(seen))

    @routes.get("/api/camera/proposal")
    def proposed() -> Response:
        guard.check_player()
        found = None
        if proposal is not None and searching.acquire(blocking=False):
            try:
                found = proposal()
            finally:
                searching.release()
        return jsonify(dict(found or {"size": None, "corners": None}))

    commands: Commands = {
        "api/camera/corners": lambda body: UseCorners(_corners(body)),
        "api/camera/markers": lambda body: UseCorners(None),
    }
    add_commands(routes, post, guard, commands)
    return routes


def _corners(body: Body) -> Corners:
    size = body.data.get("size")
    if not isinstance(size, list) or len(size) != 2:
        raise Refused(400, "size must be the picture's width and height")
    try:
        return Corners.checked(body.data.get("corners"), *size)
    except CornersError as error:
        raise Refused(400, str(error)) from error


def setup_routes(post: Post, guard: Guard, steps: Steps) -> Blueprint:
    """Return the routes under /api/setup."""
    routes = Blueprint("setup", __name__, url_prefix="/api/setup")

    @routes.get("")
    def view() -> Response:
        return jsonify(dict(steps.view()))

    commands: Commands = {
        "open": lambda body: OpenStep(body.text("step", default="")),
        "mark": lambda body: MarkStep(body.text("step"), body.text("as")),
        "baseline": lambda body: TakeBaseline(body.truth("sure")),
        "piece": lambda body: MeasurePiece(body.text("piece")),
        "lights": lambda body: TryLights(
            body.text("trial", default=""), body.text("right", default="")
        ),
        "focus": lambda body: Refocus(),
    }
    add_commands(routes, post, guard, commands)
    return routes
