// Whose turn it is, large, on top of both pages.

import { html, icon, portrait } from "./draw.js";
import { isWalked, rounds } from "./walks.js";
import { possessive, seatNote, verb } from "./words.js";

const THINK_MS = 250; // thinking that takes less is not worth a word

export class TurnBanner {
  constructor(element) {
    this.element = element;
    this.thinks = false;
  }

  render(state) {
    this.state = state;
    clearTimeout(this.timer);
    if (!state.thinking) this.thinks = false;
    else if (!this.thinks)
      this.timer = setTimeout(() => {
        this.thinks = true;
        this.draw();
      }, THINK_MS);
    this.draw();
  }

  // Stays as it is while it says the same, so that nothing is read out twice.
  draw() {
    const { state, element } = this;
    const seat = state.to_act === null ? null : state.seats[state.to_act];
    const key = JSON.stringify([state.to_act, turnNumber(state), state.outcome?.result, state.game_id, this.thinks]);
    if (element.dataset.key === key) return;
    element.dataset.key = key;
    element.style.setProperty("--seat", seat?.colour ?? "#ffd800");
    element.replaceChildren(...this.parts(seat));
  }

  parts(seat) {
    const { state } = this;
    const { outcome } = state;
    if (outcome) {
      const winner = outcome.winners.length ? state.seats[outcome.winners[0]] : null;
      const text = winner ? `${winner.name} ${verb(winner.name, "win")}` : "A draw";
      return [winner ? portrait(winner) : icon("over"), html("div", {}, html("strong", {}, text), html("span", {}, outcome.reason))];
    }
    if (!seat) return [html("div", {}, html("strong", {}, "Nobody to move"))];
    const text = this.thinks ? `${seat.name} ${verb(seat.name, "think")}…` : `${possessive(seat.name)} turn`;
    const round = `${isWalked(state) ? "round" : "turn"} ${turnNumber(state)}`;
    return [portrait(seat), html("div", {}, html("strong", {}, text), html("span", {}, `${seatNote(seat, state.to_act)} · ${round}`))];
  }
}

function turnNumber(state) {
  if (!isWalked(state)) return Math.floor(state.moves.length / state.seats.length) + 1;
  return rounds(state.moves).length + (state.to_act === 0 ? 1 : 0);
}
