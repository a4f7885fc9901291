"""The running game as text, for the page's download."""

from typing import Any


def record_text(state: dict[str, Any]) -> str:
    """Return the game of a state, as ``GET /api/record`` gives it."""
    seats = len(state["seats"])
    moves = state["moves"]
    lines = [f'[Game "{state["game"]}"]']
    lines += [f'[{name} "{value}"]' for name, value in state["options"].items()]
    lines += [f'[Player{n} "{seat["name"]}"]' for n, seat in enumerate(state["seats"], 1)]
    result = state["outcome"]["result"] if state["outcome"] else "*"
    lines += [f'[Result "{result}"]', ""]
    for first in range(0, len(moves), seats):
        lines.append(f"{first // seats + 1}. " + " ".join(moves[first : first + seats]))
    return "\n".join([*lines, result, ""])
