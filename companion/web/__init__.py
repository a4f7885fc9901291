"""The page: what any phone in the house sees, and how it asks the table for things.

It receives immutable snapshots through a :class:`~companion.web.hub.Hub` and posts commands; it
decides nothing about the game and never talks to sensors. Here the Flask app is made: pages,
headers, errors; the routes are in ``api``, ``setup``, ``address`` and ``table``.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.board import Board
from companion.errors import CompanionError, MalformedMove
from companion.web.address import Addresses, address_routes
from companion.web.api import Post, api_routes, error_response
from companion.web.guard import BODY_BYTES, Guard, Refused
from companion.web.hand import LookIntoHands, hand_routes
from companion.web.hub import Hub
from companion.web.menu import menu_json
from companion.web.passes import Passes
from companion.web.serve import Server, serve
from companion.web.setup import Outline, Picture, Proposal, Steps, camera_routes, setup_routes
from companion.web.state import board_json, state_json
from companion.web.table import Simulation, table_routes

__all__ = ["Hub", "Page", "Server", "board_json", "create_app", "serve", "state_json"]

#: What is served.
Page = Flask

LOG = logging.getLogger(__name__)

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)


def create_app(
    hub: Hub,
    post: Post,
    *,
    board: Board,
    secret: str | bytes,
    sim: Simulation | None = None,
    picture: Picture | None = None,
    outline: Outline | None = None,
    proposal: Proposal | None = None,
    pairing: str | None = None,
    is_pairing: Callable[[], bool] = lambda: False,
    health: Callable[[], Mapping[str, Any]] | None = None,
    hosts: Collection[str] = (),
    where: Callable[[], Addresses] | None = None,
    first_run: Steps | None = None,
    camera_for_all: bool = False,
    private: LookIntoHands = lambda: None,
) -> Flask:
    """Return the app of one table.

    ``post`` hands a command to the loop. ``picture`` returns what the camera sees as JPEG,
    ``outline`` where in it the board lies, ``proposal`` where it may lie.
    ``health`` returns a report whose ``ok`` decides the status of ``/healthz``. ``hosts`` are
    names, beside those of a home network, under which the page may be opened. ``is_pairing`` says
    that somebody at the table lets phones in without the code. ``where`` returns the addresses of
    this page, for another phone. ``first_run`` knows which steps of setting up are open. The
    camera's picture is for paired phones alone, unless it is ``camera_for_all``. ``private``
    returns what each seat alone may see, in a game that has such secrets.
    """
    app = Flask("companion.web")
    app.secret_key = secret
    app.config.update(
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        MAX_CONTENT_LENGTH=BODY_BYTES,
        SEND_FILE_MAX_AGE_DEFAULT=0,
    )
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}  # pieces have an order
    app.extensions["companion.hub"] = hub
    guard = Guard(pairing, hosts, is_open=is_pairing, camera_for_all=camera_for_all)
    app.register_blueprint(api_routes(hub, post, guard))
    app.register_blueprint(camera_routes(hub, post, guard, outline, proposal, picture))
    app.register_blueprint(address_routes(where))
    app.register_blueprint(hand_routes(post, guard, Passes(secret), private, where))
    if sim is not None:
        app.register_blueprint(table_routes(hub, sim, guard))
    if first_run is not None:
        app.register_blueprint(setup_routes(post, guard, first_run))
    _add_pages(app, hub, board, guard, first_run, simulated=sim is not None)
    _add_manners(app, guard, framed=sim is not None)

    @app.get("/healthz")
    def healthz() -> tuple[Response, int]:
        report = dict(health()) if health else {"ok": hub.latest_text() is not None}
        return jsonify(report), 200 if report.get("ok") else 503

    return app


def _add_pages(
    app: Flask,
    hub: Hub,
    board: Board,
    guard: Guard,
    first_run: Steps | None,
    *,
    simulated: bool,
) -> None:
    drawing, games = board_json(board), menu_json(board)

    def page(template: str) -> str:
        return render_template(
            template,
            board=drawing,
            games=games,
            state=hub.latest(),
            token=guard.token(),
            role=guard.role,
            pairing=guard.pairing is not None,
            simulated=simulated,
            can_start=first_run is not None,
            unfinished=first_run is not None and not first_run.is_finished,
        )

    pages = [
        ("/", "index", "page.html"),
        ("/camera", "camera_page", "camera.html"),
        ("/hand", "hand_page", "hand.html"),
        ("/seats", "seats_page", "seats.html"),
    ]
    if first_run is not None:
        pages.append(("/start", "start_page", "start.html"))
    if simulated:
        pages.append(("/table", "table", "table.html"))
    for path, name, template in pages:
        app.add_url_rule(path, name, partial(page, template))

    @app.get("/favicon.ico")
    def icon() -> Response:
        return app.send_static_file("icon.svg")


def _add_manners(app: Flask, guard: Guard, *, framed: bool) -> None:
    @app.before_request
    def check() -> None:
        guard.check_address()
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            guard.check_token()

    @app.after_request
    def headers(response: Response) -> Response:
        ancestors = "'self'" if framed else "'none'"
        response.headers["Content-Security-Policy"] = f"{POLICY}; frame-ancestors {ancestors}"
        response.headers["X-Frame-Options"] = "SAMEORIGIN" if framed else "DENY"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        if request.endpoint != "static":
            response.headers["Cache-Control"] = "no-store"
        return response

    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        return error_response(error.status, str(error), error.retry_seconds)

    @app.errorhandler(CompanionError)
    def not_now(error: CompanionError) -> Response:
        return error_response(400 if isinstance(error, MalformedMove) else 409, str(error))

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        status = error.code or 500
        sentences = {
            404: f"there is nothing at {request.path!r:.60}",
            405: f"{request.path!r:.60} does not take {request.method}",
            413: f"the request may have {BODY_BYTES} bytes at most",
        }
        return error_response(status, sentences.get(status, (error.description or error.name)))

    @app.errorhandler(Exception)
    def broken(error: Exception) -> Response:
        LOG.error("request for %s failed", request.path, exc_info=error)
        return error_response(500, "something went wrong in the companion; its log says what")
