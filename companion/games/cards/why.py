"""Why a move in the card game is not allowed: the rule and a sentence in plain words.

A refusal is told to the one who tried: that somebody has no ghost to pass is nobody else's
business.
"""

import re
from collections.abc import Sequence

from companion.board import Change
from companion.games import game
from companion.games.cards.kinds import ALL, CHOOSE, GIVE, PASS, POWER_RULES, SKIP, SWAP, Card
from companion.games.cards.standing import ACTIVE, DEAL, DECIDE, DOWN, Standing
from companion.games.game import Move, Refusal, Seat

NOTATION = (
    "a move is draw, stop, down, deal:CARD, pass:CARD, swap:1-2, skip:2, give:2 or choose:2-3"
)
_FORMS = re.compile(
    r"(?P<plain>draw|stop|down)|(?P<card>deal|pass):(?P<name>[a-z][a-z0-9]*)"
    r"|(?P<one>skip|give):(?P<player>[0-9])"
    r"|(?P<two>swap|choose):(?P<first>[0-9])-(?P<second>[0-9])"
)

#: What the seat whose turn it is has to do first, by the power up in play.
FIRST_DO = {
    SWAP: "{who} first chooses two players who swap hands",
    SKIP: "{who} first chooses a player who skips a turn",
    PASS: "{who} first chooses a card to pass to the left",
    GIVE: "{who} first gives a ghost to another player",
    CHOOSE: "{who} first chooses a player and how many cards that player draws",
    ALL: "{who} first draws a card, as everybody does",
}


class Judge(game.Judge[Standing]):
    """One look at a game: what goes on, and what people are called."""

    @property
    def mover(self) -> str:
        """Return what the player in turn is called."""
        return self.name(self.state.turn)

    def judge_changes(self, changes: Sequence[Change]) -> Refusal:
        """Return why what was done with the piles is no legal move."""
        state = self.state
        if state.to_act is None:
            return self.game_over()
        if any("discard" in change.spots for change in changes):
            return Refusal("CG-A3", "a card on the discard pile stays there")
        if any(change.source == "deck" for change in changes) and "draw" in state.legal_moves():
            return Refusal("CG-3", f"{self.mover} says draw first, and takes one card at a time")
        return Refusal("CG-3", "the deck lies where it is until a card is drawn from it")

    def card(self, name: str) -> Card | None:
        number = self.state.table.index.get(name)
        return None if number is None else self.state.table.cards.kinds[number]

    def judge(self, move: Move) -> Refusal | None:
        form = _FORMS.fullmatch(move)
        if form is None:
            return Refusal("notation", f"{move!r} is no move; {NOTATION}")
        card = self.card(form["name"]) if form["card"] else None
        if form["card"] and card is None:
            known = ", ".join(self.state.table.index)
            return Refusal("notation", f"{form['name']!r} is no card; the cards are {known}")
        if form["two"] == SWAP and form["first"] > form["second"]:
            return Refusal("notation", f"{move!r} is written with the smaller number first")
        if self.state.to_act is None:
            return self.game_over()
        verb = move.partition(":")[0]
        if refusal := self.out_of_place(verb):
            return refusal
        if form["plain"]:
            return self.refuse_decision(verb)
        if card is not None:
            return self.refuse_deal(card) if verb == "deal" else self.refuse_pass(card)
        if form["one"]:
            return self.refuse_target(verb, int(form["player"]) - 1)
        return self.refuse_pair(verb, int(form["first"]), int(form["second"]))

    def not_your_turn(self, seat: Seat) -> Refusal:
        """Return why somebody who is not to act has to wait: nothing but what everybody sees."""
        state = self.state
        if state.to_act is None:
            return self.game_over()
        if not 0 <= seat < state.seats:
            return self.absent(seat) or self.game_over()
        who = self.name(state.drawing if state.phase in (DEAL, ALL) else state.turn)
        if state.phase == PASS:
            who = self.name(state.queue[0])
        if state.phase in FIRST_DO:
            return Refusal(POWER_RULES[state.phase], FIRST_DO[state.phase].format(who=who))
        if state.status[seat] != ACTIVE:
            what = "has shut down" if state.status[seat] == DOWN else "is knocked out"
            return Refusal("CG-7", f"{self.name(seat)} {what}; the others play on")
        return Refusal("CG-2", f"{self.name(seat)} has to wait, it is the turn of {who}")

    def game_over(self) -> Refusal:
        outcome = self.state.outcome()
        seats = outcome.winners if outcome else ()
        winners = " and ".join(self.name(seat) for seat in seats)
        ending = f"{winners} won" if winners else "nobody won"
        return Refusal("CG-8", f"the game is over: {ending}")

    def out_of_place(self, verb: str) -> Refusal | None:
        """Return why this kind of move has to wait, None when its time is now."""
        phase = self.state.phase
        if phase == DECIDE:
            if verb in ("draw", "stop", "down"):
                return None
            if verb == "deal":
                return Refusal("CG-3", f"no card leaves the deck before {self.mover} says draw")
            return Refusal("CG-6", f"no power up is in play that lets {self.mover} do that")
        if phase == DEAL:
            said = f"{self.mover} is drawing a card, which comes first"
            return None if verb == "deal" else Refusal("CG-3", said)
        if verb == ("deal" if phase == ALL else phase):
            return None
        who = self.name(self.state.queue[0]) if self.state.queue else self.mover
        return Refusal(POWER_RULES[phase], FIRST_DO[phase].format(who=who))

    # -- deciding

    def refuse_decision(self, verb: str) -> Refusal | None:
        state, who = self.state, self.mover
        if verb in state.legal_moves():
            return None
        if state.drawn < state.forced and (verb != "draw" or state.can_draw()):
            if not state.can_draw():
                return Refusal("CG-A20", f"the deck is empty, so {who} shuts down")
            return Refusal(
                "CG-A9",
                f"{who} draws exactly {state.forced} this turn, {state.drawn} so far, "
                "before anything else",
            )
        if verb == "stop":
            if not state.can_draw():
                return Refusal("CG-A20", f"the deck is empty, so {who} shuts down")
            return Refusal("CG-A1", f"{who} draws a card at least, or shuts down")
        if not state.can_draw():
            return Refusal("CG-A20", "the deck is empty, there is no card to draw")
        if state.forced:
            chosen = "one that was" if state.forced == 1 else f"{state.forced} that were"
            return Refusal("CG-A9", f"{who} has drawn the {chosen} chosen, and may draw no more")
        return Refusal("CG-3", f"{who} has drawn three cards, and now stops or shuts down")

    # -- cards

    def refuse_deal(self, card: Card) -> Refusal | None:
        if self.state.deck[self.state.table.index[card.name]]:
            return None
        return Refusal("CG-1", f"no {card.title} is left in the deck")

    def refuse_pass(self, card: Card) -> Refusal | None:
        seat = self.state.queue[0]
        if self.state.hands[seat][self.state.table.index[card.name]]:
            return None
        who = self.name(seat)
        if card.is_power:
            return Refusal("CG-A3", f"a power up is never in a hand, so {who} cannot pass one")
        return Refusal("CG-11", f"{who} has no {card.title} to pass")

    # -- players

    def refuse_target(self, verb: str, seat: Seat) -> Refusal | None:
        if refusal := self.absent(seat):
            return refusal
        if seat != self.state.turn:
            return None
        if verb == SKIP:
            return Refusal("CG-A6", f"{self.mover} cannot choose themselves to skip a turn")
        return Refusal("CG-12", f"{self.mover} gives the ghost to somebody else")

    def refuse_pair(self, verb: str, first: int, second: int) -> Refusal | None:
        if verb == CHOOSE:
            if refusal := self.absent(first - 1):
                return refusal
            if 1 <= second <= 3:
                return None
            return Refusal("CG-13", f"a player draws one to three cards, not {second}")
        if refusal := self.absent(first - 1) or self.absent(second - 1):
            return refusal
        if first == second:
            return Refusal("CG-A5", "it takes two different players to swap hands")
        return None

    def absent(self, seat: Seat) -> Refusal | None:
        """Return why no power up reaches a seat, None when it does (CG-A4)."""
        if not 0 <= seat < self.state.seats:
            count = self.state.seats
            return Refusal("CG-1", f"there is no player {seat + 1}: {count} are playing")
        status = self.state.status[seat]
        if status == ACTIVE:
            return None
        why = "has shut down" if status == DOWN else "is knocked out"
        return Refusal("CG-A4", f"{self.name(seat)} {why}, and no power up reaches them")
