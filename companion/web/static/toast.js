// A short message at the edge of the page, which goes by itself; bad news stays longer.

import { html } from "./draw.js";
import { capital } from "./words.js";

export function toaster(element, goodMs) {
  let timer;
  return (text, mood, milliseconds = mood === "bad" ? 8000 : goodMs) => {
    if (!text) return;
    element.replaceChildren(html("p", { class: mood }, capital(text)));
    clearTimeout(timer);
    timer = setTimeout(() => element.replaceChildren(), milliseconds);
  };
}
