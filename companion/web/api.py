"""What programs and the page ask over HTTP about the game, and what players may command."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooSlow
from typing import Any, TypeVar

from flask import Blueprint, Response, jsonify, render_template, request

from companion.errors import Busy, CompanionError
from companion.games.game import Effect
from companion.games.record import UNFINISHED, Record
from companion.service.requests import (
    GONE_ON,
    AgreeDraw,
    Answer,
    Command,
    EnterMove,
    Hint,
    Hinted,
    LookAgain,
    NewGame,
    Reply,
    Roll,
    TakeBack,
)
from companion.service.seating import levels_of
from companion.text import sentence
from companion.web.guard import Body, Guard, Refused
from companion.web.hub import Hub, Listener, TooManyStreams

ANSWER_SECONDS = 2.0

JSON, HTML = "application/json", "text/html"

Post = Callable[[Command], "Future[Reply]"]

#: How the body of a request becomes a command, by the path of its route.
Commands = Mapping[str, Callable[[Body], Command]]

T = TypeVar("T")


def add_commands(routes: Blueprint, post: Post, guard: Guard, commands: Commands) -> None:
    """Add a route for each command that players may give; it answers with the loop's sentence."""

    def add(path: str, command: Callable[[Body], Command]) -> None:
        def asked() -> Response:
            guard.check_player()
            return jsonify(text=reply(post, command(Body())))

        routes.add_url_rule(f"/{path}", path, asked, methods=["POST"])

    for path, command in commands.items():
        add(path, command)


def started(found: T | None) -> T:
    """Return what the hub has; refuse the request while the table is still starting."""
    if found is None:
        raise Refused(503, "the table is still starting; try again in a moment", 1)
    return found


def reply(post: Post, command: Command) -> Reply:
    """Return what the loop answers, in time or not at all."""
    answer = post(command)
    try:
        return answer.result(timeout=ANSWER_SECONDS)
    except TooSlow:
        answer.cancel()
        raise Refused(503, "the table did not answer in time; try again", 1) from None
    except Busy as error:
        raise Refused(503, str(error), 1) from None


def api_routes(hub: Hub, post: Post, guard: Guard) -> Blueprint:
    """Return the routes under /api that every companion has."""
    routes = Blueprint("api", __name__, url_prefix="/api")

    @routes.get("/state")
    def state() -> Response:
        return Response(started(hub.latest_text()), mimetype=JSON)

    @routes.get("/record")
    def record() -> Response:
        game = started(hub.latest())
        if not game["on_board"] and game["outcome"] is None:
            raise CompanionError("the record names every card: it can be saved when all is over")
        name = f"{game['game']}-{game['game_id']}.txt"
        return Response(
            str(_record(game)),
            mimetype="text/plain",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @routes.get("/session")
    def visitor() -> Response:
        return jsonify(role=guard.role, token=guard.token())

    @routes.get("/events")
    def events() -> Response:
        last_id = request.headers.get("Last-Event-ID") or request.args.get("last")
        kinds = [kind for kind in request.args.get("kinds", "").split(",") if kind]
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        listener = Listener(request.remote_addr or "", guard.role != "player")
        try:
            stream = hub.stream(last_id, kinds, gone, listener)
        except TooManyStreams:
            text = "too many pages are listening; ask for /api/state every second instead"
            raise Refused(503, text, 10) from None
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})

    @routes.post("/pair")
    def pair() -> Response:
        guard.pair(Body().text("code"))
        return jsonify(text="you can play now", role=guard.role)

    @routes.post("/hint")
    def hint() -> Response:
        Body()
        guard.check_player()
        found = reply(post, Hint())
        assert isinstance(found, Hinted)
        choices = (hub.latest() or {"choices": ()})["choices"]
        words = next((each["text"] for each in choices if each["move"] == found.move), None)
        if words is None:
            raise CompanionError(GONE_ON)
        return jsonify(text=f"Try {words}: {found.reason}.", move=found.move, reason=found.reason)

    commands: Commands = {
        "new": _new_game,
        "move": _entered,
        "answer": lambda body: Answer(body.text("move", default="")),
        "takeback": lambda body: TakeBack(),
        "roll": lambda body: Roll(),
        "look-again": lambda body: LookAgain(),
        "draw": lambda body: AgreeDraw(),
    }
    add_commands(routes, post, guard, commands)
    return routes


def _new_game(body: Body) -> NewGame:
    game = body.text("game")
    try:
        levels = levels_of(body.texts("seats"))
    except CompanionError as error:
        raise Refused(400, str(error)) from error
    return NewGame(game, body.choices("options"), body.texts("pieces"), levels)


def _entered(body: Body) -> EnterMove:
    path, fence = body.texts("path"), body.text("fence", default="")
    if path or fence:
        return EnterMove(effect=Effect(body.text("thing", default=""), path, fence))
    return EnterMove(body.text("move").strip())


def _record(state: dict[str, Any]) -> Record:
    return Record(
        state["game"],
        tuple(state["moves"]),
        tuple(seat["name"] for seat in state["seats"]),
        state["options"],
        state["outcome"]["result"] if state["outcome"] else UNFINISHED,
    )


def error_response(status: int, text: str, retry_seconds: int | None = None) -> Response:
    """Return a refusal as every route gives it: a page for a person's browser, else JSON."""
    if request.accept_mimetypes.best_match([JSON, HTML]) == HTML:
        page = render_template("error.html", status=status, text=sentence(text))
        response = Response(page, status, mimetype=HTML)
    else:
        said = json.dumps({"error": text}, ensure_ascii=False)
        response = Response(said, status, mimetype=JSON)
    if retry_seconds is not None:
        response.headers["Retry-After"] = str(retry_seconds)
    return response
