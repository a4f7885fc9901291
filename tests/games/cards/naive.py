"""The card game read a second time, from the table of rules alone: hands as lists, one thing after
the other. Slow, simple, and written without a look at how the rules do it.
"""

from collections import Counter

POWERS = {
    "swap": "swap",
    "skip": "skip",
    "passleft": "pass",
    "giveghost": "give",
    "choosedraw": "choose",
    "alldraw": "all",
}


class Naive:
    """A game that follows moves and says of any move, by any seat, whether it is allowed."""

    def __init__(
        self, deck: Counter[str], players: int, first: int = 0, shut_down: str = "after"
    ) -> None:
        self.deck = Counter(deck)
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.state = ["in"] * players
        self.skips = [0] * players
        self.told = [0] * players  # how many each is to draw next turn
        self.turn, self.drawn, self.must = first, 0, 0
        self.shut_down = shut_down
        self.power = ""
        self.waiting: list[int] = []  # who still chooses a card, or draws one
        self.passed: dict[int, str] = {}
        self.drawing = False

    # -- who may do what

    @property
    def over(self) -> bool:
        alive = [s for s, what in enumerate(self.state) if what != "out"]
        return len(alive) < 2 or "in" not in self.state

    def may(self, seat: int, move: str) -> bool:
        """Tell whether a seat may make a move now."""
        verb, _, rest = move.partition(":")
        plain = verb in ("draw", "stop", "down")
        if self.over or self.drawing or plain == (":" in move):
            return False
        if self.power == "pass":
            return verb == "pass" and seat == self.waiting[0] and rest in self.hands[seat]
        if seat != self.turn:
            return False
        if self.power:
            return verb == self.power and self._reaches(seat, rest)
        left = self.must - self.drawn
        cards = sum(self.deck.values()) > 0
        if verb == "draw":
            return cards and self.drawn < (self.must or 3)
        if verb == "stop":
            return self.drawn > 0 and left <= 0
        if verb == "down":
            return left <= 0 or not cards or self.shut_down == "any"
        return False

    def _reaches(self, seat: int, rest: str) -> bool:
        numbers = rest.split("-")
        if len(numbers) != (2 if self.power in ("swap", "choose") else 1):
            return False
        if not all(len(n) == 1 and n.isdecimal() for n in numbers):
            return False
        one = int(numbers[0]) - 1
        if not self._plays(one):
            return False
        if self.power in ("skip", "give"):
            return one != seat
        other = int(numbers[1])
        if self.power == "choose":
            return 1 <= other <= 3
        return self._plays(other - 1) and one < other - 1

    def _plays(self, seat: int) -> bool:
        return 0 <= seat < len(self.state) and self.state[seat] == "in"

    # -- what comes of it

    def do(self, move: str) -> None:
        """Make a move that is allowed, or put down the card that was dealt."""
        verb, _, rest = move.partition(":")
        if verb == "deal":
            return self._deal(rest)
        if verb == "draw":
            self.drawing = True
        elif verb == "stop":
            self._next()
        elif verb == "down":
            self._leave(self.turn, "down")
            self._next()
        elif verb == "pass":
            self.passed[self.waiting.pop(0)] = rest
            if not self.waiting:
                self._pass_on()
        else:
            one, *others = (int(n) for n in rest.split("-"))
            self._carry_out(verb, one - 1, others[0] if others else 0)
            self.power = ""

    def _deal(self, card: str) -> None:
        self.deck[card] -= 1
        assert self.deck[card] >= 0
        if self.power == "all":
            seat = self.waiting.pop(0)
            if card not in POWERS:
                self._take(seat, card)
            self._all_go_on()
            return
        self.drawing = False
        self.drawn += 1
        if card not in POWERS:
            self._take(self.turn, card)
            if self.state[self.turn] != "in":
                self._next()
            return
        power, others = POWERS[card], self.state.count("in") > 1
        if power == "all":
            self.power = "all"
            count = len(self.state)
            around = [(self.turn + n) % count for n in range(count)]
            self.waiting = [s for s in around if self.state[s] == "in"]
            self._all_go_on()
        elif power == "pass" and others:
            count = len(self.state)
            around = [(self.turn + n) % count for n in range(count)]
            self.waiting = [s for s in around if self.state[s] == "in" and self.hands[s]]
            self.power = "pass" if self.waiting else ""
        elif power == "choose" or (
            power in ("swap", "skip", "give")
            and others
            and (power != "give" or "ghost" in self.hands[self.turn])
        ):
            self.power = power

    def _all_go_on(self) -> None:
        self.drawing = bool(self.waiting) and sum(self.deck.values()) > 0
        if not self.drawing:
            self.waiting, self.power = [], ""
            if self.state[self.turn] != "in":
                self._next()

    def _carry_out(self, verb: str, one: int, number: int) -> None:
        if verb == "skip":
            self.skips[one] += 1
        elif verb == "choose":
            self.told[one] = number
        elif verb == "give":
            self.hands[self.turn].remove("ghost")
            self._take(one, "ghost")
        else:
            other = number - 1
            self.hands[one], self.hands[other] = self.hands[other], self.hands[one]

    def _pass_on(self) -> None:
        gets: list[tuple[int, str]] = []
        for seat, card in self.passed.items():
            left = (seat + 1) % len(self.state)
            while self.state[left] != "in":
                left = (left + 1) % len(self.state)
            self.hands[seat].remove(card)
            gets.append((left, card))
        for seat, card in gets:
            self.hands[seat].append(card)
        for seat, _ in gets:
            if self.hands[seat].count("ghost") > 2:
                self._leave(seat, "out")
        self.passed, self.power = {}, ""
        if self.state[self.turn] != "in":
            self._next()

    def _take(self, seat: int, card: str) -> None:
        self.hands[seat].append(card)
        if self.hands[seat].count("ghost") > 2:
            self._leave(seat, "out")

    def _leave(self, seat: int, how: str) -> None:
        self.state[seat], self.skips[seat], self.told[seat] = how, 0, 0

    def _next(self) -> None:
        if "in" not in self.state:
            return
        while True:
            self.turn = (self.turn + 1) % len(self.state)
            if self.state[self.turn] != "in":
                continue
            if not self.skips[self.turn]:
                break
            self.skips[self.turn] -= 1
        self.drawn, self.must = 0, self.told[self.turn]
        self.told[self.turn] = 0
