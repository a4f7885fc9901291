"""The camera page's questions: where the board lies in the picture, and corners set by hand."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.corners import Corners
from companion.errors import CornersError
from companion.referee.commands import UseCorners
from companion.web.api import Post, ask
from companion.web.guard import Body, Guard, Refused
from companion.web.hub import Hub

#: Returns where the board lies in the newest picture, as docs/http.md has it; None without one.
Outline = Callable[[], Mapping[str, Any] | None]


def no_picture(hub: Hub) -> str:
    """Return why there is no picture, as the camera itself says it if it does."""
    said = [
        alert["text"]
        for alert in (hub.latest() or {}).get("alerts", ())
        if alert["device"] == "camera"
    ]
    return said[0] if said else "there is no camera picture at the moment"


def setup(hub: Hub, post: Post, guard: Guard, outline: Outline | None) -> Blueprint:
    """Return the routes under /api/camera."""
    routes = Blueprint("setup", __name__, url_prefix="/api/camera")

    @routes.get("")
    def camera() -> Response:
        seen = outline() if outline else None
        if seen is None:
            raise Refused(503, no_picture(hub), 2)
        return jsonify(dict(seen))

    @routes.post("/corners")
    def corners() -> Response:
        guard.check_player()
        return ask(post, guard, UseCorners(_corners(Body())))

    @routes.post("/markers")
    def markers() -> Response:
        Body()
        return ask(post, guard, UseCorners(None))

    return routes


def _corners(body: Body) -> Corners:
    size = body.data.get("size")
    if not isinstance(size, list) or len(size) != 2:
        raise Refused(400, "size must be the picture's width and height")
    try:
        return Corners.checked(body.data.get("corners"), *size)
    except CornersError as error:
        raise Refused(400, str(error)) from error
