// What is broken, on top of every page: the companion's own sentences, each with what to do.

import { html } from "./draw.js";

export class Alerts {
  constructor(element) {
    this.element = element;
  }

  // Stays as it is while it says the same, so that nothing is read out twice.
  render({ alerts }) {
    const key = JSON.stringify(alerts);
    if (this.element.dataset.key === key) return;
    this.element.dataset.key = key;
    this.element.replaceChildren(...alerts.map(item));
  }
}

function item({ device, text, meanwhile, minor, more, more_text: words }) {
  const elsewhere = more && new URL(more, location).pathname !== location.pathname;
  return html(
    "li",
    { class: `alert${minor ? " minor" : ""}`, "data-device": device },
    html("b", {}, text),
    meanwhile ? html("span", {}, meanwhile) : null,
    elsewhere ? html("a", { href: more }, words) : null,
  );
}
