// What is broken, on top of every page: the companion's own sentences, each with what to do.

import { html, renew } from "./draw.js";
import { $ } from "./here.js";

export function showAlerts({ alerts }) {
  renew($("alerts"), alerts, () => alerts.map(item));
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
