"""Our player of the card game: it knows what its seat sees, counts the rest, and deals it out.

The cards it does not see are dealt at random to the other hands and the deck, again and again, and
each time the game is played to its end by a plain rule (flat Monte-Carlo over determinizations).
The move that wins most is chosen. Nothing is read of the state but the seat's view and what lies
open to all: the cards of the box and the house rules.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from companion.games.cards.kinds import CHOOSE, GIVE, PASS, SKIP, SWAP
from companion.games.cards.rules import Cards
from companion.games.cards.standing import DECIDE, KNOCK_OUT, MOST_DRAWS, Counts
from companion.games.game import CHANCE, Move, Seat, State, leave_to_chance
from companion.players.player import HIGHEST, Limits, level_limits

#: Games played out for each move, by level; below, the plain rule decides.
PLAYED = {4: 8, 5: 16, 6: 24, 7: 40, 8: 60, 9: 100, 10: 160}
LONGEST = 400


class Gambler:
    """Draws as long as it pays."""

    def __init__(self, level: int = HIGHEST) -> None:
        self.level = level_limits(level)
        self.nodes = 0

    def choose(self, state: State, rng: Random, limits: Limits) -> Move:
        """Return a legal move; the game must not be over."""
        if not isinstance(state, Cards):
            raise TypeError(f"this player plays the card game, not {type(state).__name__}")
        seat = state.to_act
        if seat is None or seat is CHANCE:
            raise ValueError("the game is over or chance is to act, there is no move to choose")
        guess = Guess(state, seat)
        moves = guess.legal
        self.nodes = 0
        if len(moves) == 1:
            return moves[0]
        if rng.random() < self.level.slips:
            return _plainly(guess.deal(rng), seat, rng, careless=True)
        if self.level.number not in PLAYED:
            return _plainly(guess.deal(rng), seat, rng)
        return self._play_out(guess, seat, moves, rng, limits)

    def _play_out(
        self, guess: "Guess", seat: Seat, moves: list[Move], rng: Random, limits: Limits
    ) -> Move:
        """Return the move that wins most of the games that are dealt and played out."""
        won = dict.fromkeys(moves, 0.0)
        most = self.level.most_nodes(limits)
        games = PLAYED[self.level.number]
        for number in range(games):
            if number and (self.nodes >= most or limits.stop()):
                break
            dealt = guess.deal(rng)
            for move in moves:
                won[move] += self._finish(dealt.play(move), seat, rng)
        best = max(won.values())
        return next(move for move in moves if won[move] == best)

    def _finish(self, state: Cards, seat: Seat, rng: Random) -> float:
        """Return what a seat has of a game when all play by the plain rule."""
        for _ in range(LONGEST):
            acting = state.to_act
            if acting is None:
                break
            self.nodes += 1
            if acting is CHANCE:
                state = state.play(leave_to_chance(state, rng))
            else:
                state = state.play(_plainly(state, acting, rng))
        outcome = state.outcome()
        if outcome is None or not outcome.winners:
            return 0.1
        return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


class Guess:
    """What a seat knows, and deals of what it does not."""

    def __init__(self, state: Cards, seat: Seat) -> None:
        self.table = state.table
        self.seat = seat
        view: dict[str, Any] = dict(state.view(seat))
        self.view = view
        self.legal: list[Move] = view["legal"]
        self.hand = self._counts(view["hand"])
        self.discard = self._counts(view["discard"])
        self.open = {
            other: self._counts(player["open"])
            for other, player in enumerate(view["players"])
            if player["open"] is not None and other != seat
        }
        box = list(self.table.cards.deck(self.table.level))
        for seen in (self.hand, self.discard, *self.open.values()):
            box = [left - count for left, count in zip(box, seen, strict=True)]
        self.unseen: Counts = tuple(box)

    def _counts(self, names: Mapping[str, int]) -> Counts:
        return tuple(names.get(card.name, 0) for card in self.table.cards.kinds)

    def deal(self, rng: Random) -> Cards:
        """Return a state that this seat cannot tell from the true one."""
        view, table = self.view, self.table
        kinds = table.cards.kinds
        cards = [kind for kind, count in enumerate(self.unseen) for _ in range(count)]
        rng.shuffle(cards)
        # Power ups are never in a hand, and nobody still in play has three ghosts.
        known = {self.seat: self.hand, **self.open}
        dealt: dict[Seat, list[int]] = {}
        for other, player in enumerate(view["players"]):
            if other not in known:
                hand = [0] * len(kinds)
                for _ in range(player["cards"]):
                    self._take(cards, hand, dealt.values())
                dealt[other] = hand
        hands = [known.get(other) or tuple(dealt[other]) for other in range(len(view["players"]))]
        deck = [0] * len(kinds)
        for kind in cards:
            deck[kind] += 1
        return Cards(
            table,
            tuple(deck),
            self.discard,
            tuple(hands),
            tuple(player["status"] for player in view["players"]),
            tuple(player["skips"] for player in view["players"]),
            tuple(player["draws"] for player in view["players"]),
            view["turn"],
            view["drawn"],
            view["forced"],
            view["phase"],
            tuple(view["queue"]),
            self._passed(hands, rng) if view["phase"] == PASS else (),
        )

    def _take(self, cards: list[int], hand: list[int], others: Iterable[list[int]]) -> None:
        """Put the next card that can be in a hand into this one; when only ghosts are left that it
        cannot hold, one of the others takes a ghost and gives another card for it."""
        table = self.table
        for place in range(len(cards) - 1, -1, -1):
            kind = cards[place]
            if table.cards.kinds[kind].is_power:
                continue
            if kind == table.ghost and hand[kind] == KNOCK_OUT - 1:
                continue
            hand[kind] += 1
            del cards[place]
            return
        ghost = table.ghost
        for other in others:
            held = [kind for kind, count in enumerate(other) if count and kind != ghost]
            if held and other[ghost] < KNOCK_OUT - 1:
                other[held[0]] -= 1
                hand[held[0]] += 1
                other[ghost] += 1
                cards.remove(ghost)
                return

    def _passed(self, hands: list[Counts], rng: Random) -> tuple[tuple[Seat, int], ...]:
        """Return what those who have chosen a card to pass may have chosen."""
        queue = self.view["queue"]
        chosen = []
        for other, player in enumerate(self.view["players"]):
            if player["status"] != "active" or other in queue or not any(hands[other]):
                continue
            held = [kind for kind, count in enumerate(hands[other]) if count]
            chosen.append((other, rng.choice(held)))
        return tuple(chosen)


def _plainly(state: Cards, seat: Seat, rng: Random, careless: bool = False) -> Move:
    """Return what somebody would do who counts ghosts in hand and cards in other hands."""
    hand, table = state.hands[seat], state.table
    ghosts, phase = hand[table.ghost], state.phase
    moves = state.legal_moves()
    if phase == DECIDE:
        return _decide(state, seat, moves, ghosts, careless)
    if phase == PASS:
        kinds = table.cards.kinds
        names = [move.partition(":")[2] for move in moves]
        worth = {kinds[table.index[n]].name: kinds[table.index[n]].points for n in names}
        ghost = kinds[table.ghost].name
        return f"pass:{ghost if ghost in names else min(names, key=lambda n: (worth[n], n))}"
    others = [other for other in state.active if other != seat]
    ahead = max(others, key=lambda other: (sum(state.hands[other]), -other), default=seat)
    if phase in (SKIP, GIVE):
        return f"{phase}:{ahead + 1}"
    if phase == CHOOSE:
        return f"choose:{ahead + 1}-{MOST_DRAWS}"
    if phase == SWAP:
        mine = [move for move in moves if str(seat + 1) in move.partition(":")[2].split("-")]
        if ghosts == KNOCK_OUT - 1 or sum(state.hands[ahead]) > sum(hand) + 2:
            low, high = sorted((seat + 1, ahead + 1))
            return f"swap:{low}-{high}"
        return rng.choice([move for move in moves if move not in mine] or moves)
    return rng.choice(moves)


def _decide(state: Cards, seat: Seat, moves: list[Move], ghosts: int, careless: bool) -> Move:
    """Return whether to draw, to stop or to shut down."""
    if len(moves) == 1:
        return moves[0]
    risky = ghosts == KNOCK_OUT - 1
    size = sum(state.hands[seat])
    rivals = [sum(state.hands[o]) for o in range(state.seats) if o != seat]
    behind = size <= max(rivals, default=0)
    if "draw" in moves and (not risky or (careless and behind)):
        if ghosts == 0 or state.drawn == 0 or careless:
            return "draw"
        return "stop" if "stop" in moves else "draw"
    if risky and "stop" in moves:
        return "stop"
    if risky and behind and "draw" in moves and size < max(rivals) - 1:
        return "draw"
    return "down" if "down" in moves else moves[0]
