"""The card game in the loop: hidden hands on phones, refereed, dealt, kept and never told."""

import logging
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.errors import CompanionError
from companion.games.cards.kit import GAME
from companion.games.catalogue import find_kit
from companion.games.game import replay
from companion.games.record import Record, parse
from companion.players.player import Limits
from companion.referee.verdict import Kind
from companion.service.requests import (
    AgreeDraw,
    EnterMove,
    FillPlace,
    HandOut,
    Hint,
    LookAgain,
    NamePlace,
    NewGame,
    Place,
    PlayHand,
    RenewPlace,
    TakeBack,
    TakePlace,
)
from companion.store.seal import Seal
from tests.counts import examples
from tests.games.cards.naive import Naive
from tests.service.cards import Party

GAMES = examples(40, 300)

HIDDEN = [card.name for card in GAME.cards.kinds if not card.is_power]
EVERY = [card.name for card in GAME.cards.kinds]
#: The third ghost of a hand is dealt face up, so to say: it opens the hand.
SECRET = re.compile(rf"\b(?:deal:(?!ghost)|pass:)(?:{'|'.join(HIDDEN)})\b")

Begin = Callable[..., Party]


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Begin]:
    parties: list[Party] = []

    def begin(levels: dict[int, int] | None = None, folder: Path | None = None, **options: str):
        parties.append(Party(folder).begin(levels, **{"players": "3", **options}))
        return parties[-1]

    yield begin
    for each in parties:
        each.close()


def anything(rng: Random, players: int) -> str:
    """Return something that a page may send, sensible or not."""
    one, other = (rng.randint(0, players + 1) for _ in range(2))
    return rng.choice(
        [
            *("draw", "stop", "down") * 3,
            f"pass:{rng.choice(EVERY)}",
            f"deal:{rng.choice(EVERY)}",
            f"swap:{one}-{other}",
            f"skip:{one}",
            f"give:{one}",
            f"choose:{one}-{rng.randint(0, 4)}",
            rng.choice(["", "pass:", "deal", "draw:", "pass:GHOST", "x" * 40, "skip:9", "null"]),
        ]
    )


def naive(party: Party) -> Naive:
    table = party.state.table
    deck = Counter(dict(zip(EVERY, table.cards.deck(table.level), strict=True)))
    return Naive(deck, table.seats, table.first - 1, table.shut_down)


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games_accept_what_the_rules_allow_and_nothing_else(seed: int) -> None:
    """A second reading of the rules says of every attempt, by any seat, whether it may count."""
    rng = Random(1000 + seed)
    level = rng.choice(["1", "2", "bonus"])
    players = rng.randint(2, 8 if level == "bonus" else 4)
    more = {"shutDown": rng.choice(["after", "any"]), "first": str(rng.randint(1, players))}
    party = Party(None, seed).begin(level=level, players=str(players), **more)
    second, told = naive(party), 0
    bold = rng.choice([0.3, 0.9, 0.98])
    for _ in range(4000):
        if party.loop.table.outcome() is not None:
            break
        seat, move = rng.randrange(players), anything(rng, players)
        if rng.random() < 0.5:
            assert isinstance(party.state.to_act, int)
            seat, legal = party.state.to_act, party.state.legal_moves()
            move = rng.choice([m for m in legal if m != "down" or rng.random() > bold] or legal)
        place, seen = party.place(seat), len(party.loop.table.moves)
        if (odd := rng.random()) < 0.05:
            place = Place(seat, place.renewed + 1)
        elif odd < 0.1:
            seen -= 1
        wanted = odd >= 0.1 and second.may(seat, move)
        answer = party.post(PlayHand(place, move, seen))
        assert (answer.exception() is None) == wanted, (seat, move, party.state)
        if wanted:
            for each in party.loop.table.moves[told:]:
                second.do(each)
        else:
            assert isinstance(answer.exception(), CompanionError)
        told = len(party.loop.table.moves)
        assert party.state.to_act is None or isinstance(party.state.to_act, int)
    assert party.loop.table.outcome() is not None
    assert second.over
    held = [sorted(hand) for hand in second.hands]
    assert held == [
        sorted(name for name, n in zip(EVERY, hand, strict=True) for _ in range(n))
        for hand in party.state.hands
    ]
    party.close()


def test_the_sensors_rest_while_cards_are_played(party: Begin) -> None:
    game = party()
    game.play(0, "draw")
    assert game.senses.reads == 0


def test_a_card_that_is_drawn_is_told_to_its_seat_alone(party: Begin) -> None:
    game = party()
    while not any(hand["cards"] for hand in game.loop.private.hands):
        seat = game.state.to_act
        legal = game.state.legal_moves()
        game.play(seat, "draw" if "draw" in legal else legal[-1])
    holder = next(n for n, hand in enumerate(game.loop.private.hands) if hand["cards"])
    card = game.loop.private.hands[holder]["cards"][0]
    assert card["name"] in HIDDEN
    snapshot = game.loop.snapshot
    assert "deal:?" in snapshot.moves
    assert snapshot.choices == ()
    assert not SECRET.search(repr(snapshot))
    assert card["title"] not in repr(snapshot).replace("third ghost", "")
    assert repr(game.loop.private).startswith("Private(game_id=")
    assert card["title"] not in repr(game.loop.private)


@pytest.mark.parametrize("verb", ["pass", "deal"])
def test_a_refusal_tells_nothing_that_the_seat_does_not_see(party: Begin, verb: str) -> None:
    """Whatever a seat asks about another's hand, or the deck, the answer is the same."""
    game = party()
    game.play(0, "draw")
    for seat in range(3):
        if seat == game.state.to_act and verb == "pass":
            continue
        said = set()
        for name in EVERY:
            answer = game.post(PlayHand(game.place(seat), f"{verb}:{name}", 0))
            said.add(str(answer.exception()))
        assert len(said) == 1, said


def test_what_is_not_allowed_is_refused_with_its_rule(party: Begin) -> None:
    game = party()
    for seat, move, rule in [
        (0, "stop", "CG-A1"),
        (1, "draw", "CG-2"),
        (0, "pass:dot", "CG-6"),
        (0, "deal:dot", "CG-3"),
    ]:
        with pytest.raises(CompanionError, match=rf"\({rule}\)$"):
            game.play(seat, move)
    assert game.loop.snapshot.moves == ()


def test_a_tap_that_comes_twice_counts_once(party: Begin) -> None:
    game = party()
    game.play(0, "draw", seen=0)
    before = game.loop.table.moves[:]
    seat = game.state.to_act
    if "draw" in game.state.legal_moves():
        with pytest.raises(CompanionError, match="gone on meanwhile"):
            game.play(seat, "draw", seen=0)
    assert game.loop.table.moves == before


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (EnterMove("draw"), "from the seats' own pages"),
        (TakeBack(), "cannot be taken back"),
        (Hint(), "for the one whose hand it is"),
        (Hint(demo=True), "for the one whose hand it is"),
        (LookAgain(), "played on phones"),
    ],
)
def test_what_the_board_games_know_is_refused_here(party: Begin, command, why: str) -> None:
    game = party()
    game.play(0, "draw")
    before = game.journal.record(1)
    with pytest.raises(CompanionError, match=why):
        game.ask(command)
    assert game.journal.record(1) == before


def test_a_hint_is_for_ones_own_turn(party: Begin) -> None:
    game = party()
    with pytest.raises(CompanionError, match="your own turn"):
        game.ask(Hint(place=game.place(1)))
    answer = game.loop.post(Hint(place=game.place(0)))
    for _ in range(3):
        game.loop.step()
    assert answer.result(0).move in game.state.legal_moves()


def test_the_companion_plays_its_seats_at_a_pace_that_can_be_followed(tmp_path: Path) -> None:
    game = Party(tmp_path, pace_seconds=1.0).begin({1: 2, 2: 3}, players="3")
    game.play(0, "down")
    moves = len(game.loop.table.moves)
    for _ in range(20):
        game.loop.step()
    assert len(game.loop.table.moves) == moves
    for _ in range(400):
        game.clock.now += 1.1
        game.loop.step()
    assert game.loop.table.outcome() is not None
    game.close()


def test_a_player_that_fails_names_no_card(party: Begin) -> None:
    game = party({1: 3})
    game.play(0, "down")
    game.thinker.trouble = "the engine has failed"
    game.loop.step()
    game.loop.step()
    (trouble,) = [view for view in game.loop.snapshot.devices if view.name == "player"]
    assert "the engine has failed" in trouble.text


# --- who sits where


def test_a_link_is_for_one_phone_and_worthless_when_it_is_renewed(party: Begin) -> None:
    game = party()
    first = game.place(1)
    assert game.ask(TakePlace(first)) == "You are Player 2."
    with pytest.raises(CompanionError, match="a link is for one"):
        game.ask(TakePlace(first))
    game.ask(RenewPlace(1))
    for command in (TakePlace(first), PlayHand(first, "draw", 0), Hint(place=first)):
        with pytest.raises(CompanionError, match="counts no more"):
            game.ask(command)
    assert game.ask(TakePlace(game.place(1))) == "You are Player 2."
    with pytest.raises(CompanionError, match="no seat 9"):
        game.ask(RenewPlace(8))


def test_a_renewed_link_is_worthless_before_anybody_hears_that_it_is(party: Begin) -> None:
    game = party()
    answer = game.loop.post(RenewPlace(1))
    counts: list[tuple[int, ...]] = []
    answer.add_done_callback(lambda _: counts.append(game.loop.private.places.renewed))
    game.loop.step()
    assert counts == [(0, 1, 0)]


def test_one_phone_hands_out_the_seats(party: Begin) -> None:
    game = party()
    game.ask(HandOut())
    with pytest.raises(CompanionError, match="another phone"):
        game.ask(HandOut())


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "a;b", "a\nb\x07", "\u202eevil", "PLAYER 2"])
def test_a_name_that_will_not_do_is_refused(party: Begin, name: str) -> None:
    game = party()
    with pytest.raises(CompanionError, match=r"expected a name|somebody else"):
        game.ask(NamePlace(game.place(0), name))


def test_names_are_what_everybody_reads(party: Begin) -> None:
    game = party()
    game.ask(NamePlace(game.place(0), " Ann  Lee "))
    assert game.loop.snapshot.seats[0].name == "Ann Lee"
    assert game.loop.snapshot.verdict.text == "Ann Lee to draw or shut down."
    assert game.play(0, "down").startswith("Ann Lee shuts down")


def test_the_companion_takes_over_for_somebody_who_leaves(party: Begin) -> None:
    game = party()
    place = game.place(0)
    game.ask(TakePlace(place))
    game.ask(FillPlace(0, 3))
    with pytest.raises(CompanionError, match="counts no more"):
        game.ask(PlayHand(place, "draw", 0))
    with pytest.raises(CompanionError, match="the companion plays"):
        game.ask(TakePlace(game.place(0)))
    for _ in range(30):
        game.loop.step()
    assert len(game.loop.table.moves) > 0
    game.ask(FillPlace(0, None))
    assert game.loop.snapshot.seats[0].level is None


def test_a_next_game_needs_no_new_links(party: Begin) -> None:
    game = party()
    game.ask(NamePlace(game.place(0), "Ann"))
    game.ask(TakePlace(game.place(0)))
    game.ask(RenewPlace(1))
    places = game.loop.private.places
    game.ask(NewGame("cards", {"players": "4"}, (), {1: 3}))
    after = game.loop.private.places
    assert (after.mark, after.names[0], after.taken[0]) == (places.mark, "Ann", True)
    assert after.renewed == (0, 1, 0, 0)
    game.ask(NewGame("quoridor"))
    assert game.loop.private is None
    assert game.loop.snapshot.on_board


# --- how it ends, and what is kept


def test_an_endless_game_is_ended_in_words_and_its_record_then_told(party: Begin) -> None:
    game = party(emptyDeck="reshuffle", shutDown="any")
    game.play(0, "draw")
    assert game.ask(AgreeDraw()) == "The game is drawn."
    snapshot = game.loop.snapshot
    assert snapshot.verdict.text == "The game is drawn: the players agreed."
    assert snapshot.moves == tuple(game.loop.table.moves)
    record = Record("cards", snapshot.moves, (), snapshot.options, "1/2")
    assert '[shutDown "any"]' in str(record)
    assert parse(str(record)).options["shutDown"] == "any"
    with pytest.raises(CompanionError, match="is drawn"):
        game.play(0, "draw")


def test_a_record_from_before_there_was_the_switch_replays() -> None:
    moves = "1. draw deal:choosedraw choose:2-2 stop 2. draw *"
    record = parse(f'[Game "cards"]\n[level "2"]\n[players "2"]\n\n{moves}\n')
    assert record.options["shutDown"] == "after"
    state = replay(GAME.start(record.options), record.moves[:4])
    assert state.legal_moves() == ["draw"]
    free = replay(GAME.start({**record.options, "shutDown": "any"}), record.moves[:4])
    assert free.legal_moves() == ["down", "draw"]


def test_the_game_goes_on_after_a_fresh_start_and_the_journal_hides_the_deal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rng, kept = Random(5), Party(tmp_path, 5).begin(players="8", level="bonus")
    kept.ask(TakePlace(kept.place(0)))
    for number in range(60):
        if kept.loop.table.outcome() is not None:
            break
        if number % 7 == 6:  # the process is gone, and nothing was said to the journal
            moves, private = kept.loop.table.moves[:], kept.loop.private
            kept.close()
            assert not hidden_on(tmp_path)
            kept = Party(tmp_path, 50 + number).begin(players="2")
            assert kept.loop.table.moves == moves
            assert kept.loop.private.hands == private.hands
            assert kept.loop.private.places == private.places
        legal = kept.state.legal_moves()
        braver = [move for move in legal if move != "down"]
        kept.play(kept.state.to_act, rng.choice(braver or legal))
    assert len(kept.loop.table.moves) > 30
    assert not hidden_on(tmp_path)
    assert not SECRET.search(caplog.text)
    kept.ask(AgreeDraw())
    kept.close()
    assert hidden_on(tmp_path)  # when all is over, everybody may read it


def hidden_on(folder: Path) -> bool:
    """Tell whether a card that went into a hand can be read in any file."""
    raw = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
    return SECRET.search(raw.decode("latin-1")) is not None


def test_a_journal_of_another_machine_is_put_away_not_stumbled_over(tmp_path: Path) -> None:
    first = Party(tmp_path, 1).begin(players="2")
    while not SECRET.search(" ".join(first.loop.table.moves)):
        legal = first.state.legal_moves()
        first.play(first.state.to_act, "draw" if "draw" in legal else legal[-1])
    first.close()
    other = Party(tmp_path, 2, Seal(b"another key of 32 bytes or more!")).begin(players="4")
    assert len(other.loop.snapshot.seats) == 4
    assert other.journal.record(1).result == "*"
    other.close()


def test_a_seal_opens_with_its_key_alone_and_says_nothing_by_its_length() -> None:
    seal = Seal(b"k" * 32)
    texts = [f"{verb}:{name}" for verb in ("deal", "pass") for name in EVERY]
    sealed = [seal.sealed(text) for text in texts]
    assert [seal.opened(text) for text in sealed] == texts
    assert len({len(text) for text in sealed}) == 1
    assert seal.sealed(texts[0]) != sealed[0]
    assert seal.opened("draw") == "draw"
    for broken in (sealed[0][:-4] + "AAAA", "sealed:", "sealed:%%%", "sealed:AAAA"):
        with pytest.raises(CompanionError, match="sealed with the key of another"):
            seal.opened(broken)


def test_the_journal_is_plain_sqlite_with_names_of_nobodys_cards(tmp_path: Path) -> None:
    game = Party(tmp_path, 3).begin(players="2")
    for _ in range(6):
        legal = game.state.legal_moves()
        if legal:
            game.play(game.state.to_act, "draw" if "draw" in legal else legal[-1])
    with sqlite3.connect(tmp_path / "journal.db") as db:
        texts = [text for (text,) in db.execute("SELECT text FROM entry WHERE kind = 'move'")]
    assert len(texts) == len(game.loop.table.moves)
    assert any(text.startswith("sealed:") for text in texts)
    assert not any(SECRET.search(text) for text in texts)
    game.close()


def test_our_player_is_asked_for_every_level(party: Begin) -> None:
    """Level by level a whole game of the companion alone, told in words all the way."""
    game = party({0: 1, 1: 2, 2: 3})
    for _ in range(600):
        game.loop.step()
        if game.loop.table.outcome() is not None:
            break
        assert game.loop.snapshot.verdict.kind in (Kind.ACCEPTED, Kind.WAITING)
    assert game.loop.snapshot.outcome is not None
    player = find_kit("cards").player(5)
    fresh = GAME.start({"players": "3"})
    assert player.choose(fresh, Random(1), Limits()) in fresh.legal_moves()
