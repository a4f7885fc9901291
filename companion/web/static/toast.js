// A short message in a place of its own, which goes by itself; bad news stays longer. It lies over
// nothing: who has scrolled away from it is brought there.

import { html } from "./draw.js";
import { capital } from "./words.js";

// What comes of most commands a page shows by itself; then only a refusal is said.
export const ifRefused = (tell) => (text, mood) => mood === "bad" && tell(text, mood);

export function toaster(element, goodMs) {
  let timer;
  return (text, mood, milliseconds = mood === "bad" ? 8000 : goodMs) => {
    if (!text) return;
    element.replaceChildren(html("p", { class: mood }, capital(text)));
    element.scrollIntoView({ block: "nearest" });
    clearTimeout(timer);
    timer = setTimeout(() => element.replaceChildren(), milliseconds);
  };
}
