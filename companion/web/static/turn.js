// What is to be done, or whose turn it is, large, on top of both pages.

import { html, icon, portrait } from "./draw.js";

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
    const { element, banner } = this;
    const { piece, note, thinking } = banner;
    const text = (this.thinks && thinking) || banner.text;
    const key = JSON.stringify([piece, this.icon, text, note]);
    if (element.dataset.key === key) return;
    element.dataset.key = key;
    element.style.setProperty("--seat", this.looks[piece]?.colour ?? "#ffd800");
    element.replaceChildren(
      piece ? portrait(this.looks[piece]) : icon(this.icon),
      html("div", {}, html("strong", {}, text), html("span", {}, note)),
    );
  }
}
