// What is to be done, or whose turn it is, large, on top of both pages.

import { html, icon, portrait, renew } from "./draw.js";

const THINK_MS = 250; // thinking that takes less is not worth a word

export class TurnBanner {
  constructor(element, looks) {
    this.element = element;
    this.looks = looks;
    this.thinks = false;
  }

  render(state) {
    this.banner = state.banner;
    this.icon = state.chance ? "chance" : "over";
    this.seat = state.seats.find(({ piece }) => piece === state.banner.piece);
    clearTimeout(this.timer);
    if (!state.thinking) this.thinks = false;
    else if (!this.thinks)
      this.timer = setTimeout(() => {
        this.thinks = true;
        this.draw();
      }, THINK_MS);
    this.draw();
  }

  draw() {
    const { piece, note, thinking } = this.banner;
    const text = (this.thinks && thinking) || this.banner.text;
    const look = this.looks[piece] ?? this.seat;
    this.element.style.setProperty("--seat", look?.colour ?? "#ffd800");
    renew(this.element, [piece, this.icon, text, note], () => [
      look ? portrait(look) : icon(this.icon),
      html("div", {}, html("strong", {}, text), html("span", {}, note)),
    ]);
  }
}
