"""No secret of a card game leaves by any address, command, event, log or file.

Two ways of looking. *Worlds*: the cards that an observer cannot see are dealt anew, and every
address must answer just as before (non-interference). *Names*: no text may name a card that went
into a hand.
"""

import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.cards.kit import GAME
from companion.games.cards.player import Guess
from companion.games.game import Seat
from companion.service.app import App
from companion.service.requests import NewGame
from companion.web.passes import Passes
from tests.counts import examples
from tests.service.conftest import Open

GAMES = examples(2, 24)
LOOKS = 3  # moments of each game at which everybody asks everything

KINDS = [card.name for card in GAME.cards.kinds]
HIDDEN = [card.name for card in GAME.cards.kinds if not card.is_power]
#: The third ghost of a hand is dealt face up, so to say: it opens the hand.
MOVED = re.compile(rf"\b(?:deal:(?!ghost)|pass:)(?:{'|'.join(HIDDEN)})\b")
#: Besides ghosts, of which one is spoken when it is the third or is given.
TITLES = re.compile(r"PAC-dot|cherry|strawberry|orange|apple|melon", re.I)

MOVES = (
    *("draw", "stop", "down", "swap:1-2", "swap:2-3", "skip:1", "skip:2", "give:1", "give:3"),
    *("choose:1-1", "choose:2-3", *(f"pass:{kind}" for kind in KINDS)),
    *(f"deal:{kind}" for kind in KINDS),
)

#: What begins or ends a game, or gives a seat to somebody else, is no way to ask.
DEEDS = ("/api/new", "/api/draw", "/api/seats/renew", "/api/seats/fill", "/api/hand/sit")
#: Simulated hands have nothing to do with cards; some of these take seconds.
ASIDE = ("/favicon.ico", "/api/sim/", "/api/setup/", "/api/camera", "/static/", "/camera.jpg")


class House:
    """A whole companion whose loop goes on only when somebody asks it for something."""

    def __init__(self, app: App, seed: int, **options: str) -> None:
        self.app, self.loop, self.rng = app, app.loop, Random(seed)
        self.loop._rng = Random(seed)
        self.loop._pace_seconds = 0.0
        self.page = app.web(self.post)
        self.loop.post(NewGame("cards", options))
        self.loop.step()
        secret = Path(app.settings.store.path).with_name("cookie.key").read_bytes()
        self.passes = Passes(secret)
        self.phones = [self.visitor() for _ in range(int(options["players"]))]
        for seat, phone in enumerate(self.phones):
            assert self.ask(phone, "/api/hand/sit", key=self.key(seat))[0] == 200
        self.host = self.visitor()
        assert self.ask(self.host, "/api/seats/host")[0] == 200
        self.watcher = self.visitor()

    def post(self, command: Any) -> Any:
        answer = self.loop.post(command)
        self.loop.step()
        return answer

    def visitor(self) -> FlaskClient:
        client = self.page.test_client()
        client.token = client.get("/api/session").json["token"]
        return client

    def key(self, seat: Seat) -> str:
        return self.passes.key(self.loop.private.places, seat)

    def ask(self, client: FlaskClient, path: str, **body: object) -> tuple[int, str]:
        answer = client.post(path, json=body, headers={"X-CSRF-Token": client.token})
        return answer.status_code, answer.get_data(as_text=True)

    @property
    def state(self) -> Any:
        return self.loop.table.state

    def play_on(self, bold: float) -> None:
        seat, legal = self.state.to_act, self.state.legal_moves()
        braver = [move for move in legal if move != "down"]
        move = self.rng.choice(braver if braver and self.rng.random() < bold else legal)
        seen = self.loop.private.moves
        assert self.ask(self.phones[seat], "/api/hand/play", move=move, seen=seen)[0] == 200

    def be(self, state: Any) -> None:
        """Be in another state, which everybody may take for this one."""
        table, snapshot = self.loop.table, self.loop.snapshot
        verdict = table.verdict
        table.states[-1] = state
        table._prepare()
        table.verdict = verdict
        assert self.loop._look(snapshot.number) == snapshot
        self.loop.private = self.loop._look_into_hands()

    # -- asking everything

    def everything(self, client: FlaskClient, seat: Seat | None) -> dict[str, tuple[int, str]]:
        """Return what every address answers to somebody, and every command that changes nothing."""
        said: dict[str, tuple[int, str]] = {}
        for rule in self.page.url_map.iter_rules():
            path = re.sub(r"<[^>]*>", "1", str(rule))
            if path.startswith(ASIDE):
                continue
            if "GET" in rule.methods:
                said |= self.read(client, path)
            elif path not in DEEDS:
                said |= self.write(client, path, seat)
        said |= self.read(client, "/api/nothing") | self.read(client, "/hand/1")
        return said

    def read(self, client: FlaskClient, path: str) -> dict[str, tuple[int, str]]:
        if path == "/api/events":
            answer = client.get(f"{path}?kinds=state", buffered=False)  # lights go with time
            pieces = answer.iter_encoded()
            text = "".join(next(pieces).decode() for _ in range(2))
            answer.close()
            return {path: (answer.status_code, text)}
        found = {}
        for wanted in ("application/json", "text/html"):
            answer = client.get(path, headers={"Accept": wanted})
            found[f"{path} {wanted}"] = answer.status_code, answer.get_data(as_text=True)
        return found

    def write(
        self, client: FlaskClient, path: str, seat: Seat | None
    ) -> dict[str, tuple[int, str]]:
        yours = seat is not None and seat == self.state.to_act
        legal = self.state.legal_moves() if yours else []
        bodies = [
            {"move": move, "seen": self.loop.private.moves, "seat": 1, "name": "", "key": ""}
            for move in MOVES
            if not (path == "/api/hand/play" and move in legal)
        ]
        if path == "/api/hand/hint" and yours:
            return {}  # it thinks, by chance; what it looks at is the business of the next test
        if "move" not in path and "play" not in path and "answer" not in path:
            bodies = bodies[:1]
        return {f"{path} {body['move']}": self.ask(client, path, **body) for body in bodies}


@pytest.fixture
def house(open_app: Open) -> Callable[..., House]:
    return lambda seed, **options: House(open_app(), seed, **options)


def dealt_anew(house: House, observer: Seat | None) -> Any:
    """Return a state that an observer cannot tell from the true one; it differs if any can."""
    state = house.state
    if observer is not None:
        return Guess(state, observer).deal(house.rng)
    seat = house.rng.randrange(state.seats)  # a watcher knows less than any seat
    return Guess(state, seat).deal(house.rng)


def on_disk(game: House) -> str:
    """Return all that stands in any file of the companion: what a backup could hold."""
    folder = Path(game.app.settings.store.path).parent
    return b"".join(f.read_bytes() for f in folder.rglob("*") if f.is_file()).decode("latin-1")


@pytest.mark.parametrize("seed", range(GAMES))
def test_whatever_anybody_asks_the_hands_of_others_make_no_difference(
    house: Callable[..., House], seed: int, caplog: pytest.LogCaptureFixture, capsys: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    rng = Random(seed)
    level = ("1", "2", "bonus")[seed % 3]
    players = rng.randint(2, 4 if level != "bonus" else 6)
    game = house(seed, players=str(players), level=level, emptyDeck="reshuffle")
    changed = 0
    for _ in range(LOOKS):
        for _ in range(rng.randint(3, 9)):
            if game.state.to_act is not None:
                game.play_on(0.97)
        if game.loop.table.outcome() is not None:
            break
        assert not MOVED.search(on_disk(game))
        observers = [
            (game.watcher, None),
            (game.host, None),
            *((phone, seat) for seat, phone in enumerate(game.phones)),
        ]
        for client, seat in observers:
            table, true = game.loop.table, game.state
            before = game.everything(client, seat)
            assert table.state == true  # nothing that was asked was granted
            other = dealt_anew(game, seat)
            changed += other != true
            game.be(other)
            assert game.everything(client, seat) == before
            game.be(true)
    assert changed > players
    out = capsys.readouterr()
    for text in (caplog.text, out.out, out.err):
        assert not MOVED.search(text)
    assert not TITLES.search(caplog.text + out.out + out.err)


@pytest.mark.parametrize("seed", range(GAMES))
def test_no_address_names_a_card_that_went_into_a_hand(
    house: Callable[..., House], seed: int
) -> None:
    """Over a whole game, all that a watcher and those who are out can ever read is gathered."""
    game = house(100 + seed, players="3", level="12"[seed % 2])
    read: list[str] = []
    for _ in range(60):
        if game.state.to_act is None:
            break
        game.play_on(0.9)
        if game.loop.table.outcome() is None:
            # what others send in is echoed nowhere, so this looks at what is said by itself
            for path in (
                "/",
                "/hand",
                "/seats",
                "/api/state",
                "/api/hand",
                "/api/seats",
                "/healthz",
            ):
                read += [text for _, text in game.read(game.watcher, path).values()]
            public = game.loop.snapshot
            open_hands = any(game.state.is_open(seat) for seat in range(game.state.seats))
            if not open_hands:
                assert not TITLES.search(json.dumps(game.watcher.get("/api/state").json))
            assert not TITLES.search(" ".join(public.story) + public.verdict.text)
    assert read
    assert not MOVED.search("\n".join(read))


def test_a_phone_without_a_seat_sees_no_hand_and_no_link(house: Callable[..., House]) -> None:
    game = house(1, players="3")
    for client in (game.watcher, game.page.test_client()):
        for path in ("/api/hand", "/api/seats", "/api/seats/0/qr.svg", "/api/seats/2/qr.svg"):
            assert client.get(path).status_code == 403, path
    assert game.ask(game.watcher, "/api/seats/renew", seat=0)[0] == 403
    assert game.ask(game.watcher, "/api/seats/fill", seat=0, level=3)[0] == 403
    assert game.ask(game.watcher, "/api/seats/host")[0] == 409


def test_who_hands_out_the_seats_sees_no_link_that_is_used_and_no_hand(
    house: Callable[..., House],
) -> None:
    game = house(1, players="3")
    seats = game.host.get("/api/seats").json["seats"]
    assert [(seat["state"], seat["link"]) for seat in seats] == [("taken", None)] * 3
    assert game.host.get("/api/seats/0/qr.svg").status_code == 404
    assert game.host.get("/api/hand").status_code == 403


def test_a_renewed_link_is_worthless_at_once_with_the_phone_that_came_by_it(
    house: Callable[..., House],
) -> None:
    game = house(1, players="3")
    old = game.key(1)
    assert game.phones[1].get("/api/hand").status_code == 200
    assert game.ask(game.host, "/api/seats/renew", seat=1)[0] == 200
    answer = game.phones[1].get("/api/hand")
    assert answer.status_code == 403
    assert "counts no more" in answer.json["error"]
    for phone in (game.phones[1], game.watcher):
        assert game.ask(phone, "/api/hand/sit", key=old)[0] == 403
    assert game.ask(game.phones[1], "/api/hand/play", move="draw", seen=0)[0] == 403
    seats = game.host.get("/api/seats").json["seats"]
    assert seats[1]["link"].endswith(f"/hand#{game.key(1)}")
    assert game.host.get("/api/seats/1/qr.svg").mimetype == "image/svg+xml"
    assert game.ask(game.watcher, "/api/hand/sit", key=game.key(1))[0] == 200
    assert game.watcher.get("/api/hand").json["seat"] == 1
    assert game.ask(game.visitor(), "/api/hand/sit", key=game.key(1))[0] == 409


@pytest.mark.parametrize(
    "key", ["", "1", "1-", "1-AAAA", "9-x", "é", "1-" + "A" * 43, "0" * 100, "a" * 101, 7, None]
)
def test_a_key_that_nobody_was_given_opens_nothing(house: Callable[..., House], key: Any) -> None:
    game = house(1, players="2")
    stranger = game.visitor()
    assert game.ask(stranger, "/api/hand/sit", key=key)[0] in (400, 403)
    assert game.ask(stranger, "/api/seats/host", key=key)[0] in (400, 409)
    assert stranger.get("/api/hand").status_code == 403


def test_the_record_is_for_afterwards(house: Callable[..., House]) -> None:
    game = house(1, players="2")
    game.play_on(1.0)
    answer = game.watcher.get("/api/record")
    assert answer.status_code == 409
    assert "when all is over" in answer.json["error"]
    assert game.ask(game.watcher, "/api/draw")[0] == 200
    text = game.watcher.get("/api/record").get_data(as_text=True)
    assert '[Game "cards"]' in text
    assert '[players "2"]' in text
    assert "draw deal:" in text.replace("\n", " ")
