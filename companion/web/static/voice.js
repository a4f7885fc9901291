// Reads aloud what the referee says, with the browser's own voice, when somebody wants that.

import { icon } from "./draw.js";

const KEY = "companion.panel.voice";

export class Voice {
  constructor(button) {
    this.button = button;
    this.said = null;
    const framed = window.parent !== window; // the page around it speaks already
    this.possible = "speechSynthesis" in window && !framed;
    button.hidden = !this.possible;
    this.on = this.possible && remembered();
    button.addEventListener("click", () => this.turn(!this.on));
    this.show();
  }

  turn(on) {
    this.on = on;
    try {
      localStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // a browser that keeps nothing asks again next time
    }
    this.show();
    speechSynthesis.cancel();
    if (on && this.text) this.speak(this.text);
  }

  show() {
    this.button.replaceChildren(icon(this.on ? "voice" : "mute"));
    this.button.setAttribute("aria-pressed", String(this.on));
  }

  // Says a text that is new; a hand over the board is not worth a word.
  say(text, kind) {
    if (kind === "hands" || text === this.text) return;
    this.text = text;
    if (this.on) this.speak(text);
  }

  speak(text) {
    speechSynthesis.cancel();
    const words = new SpeechSynthesisUtterance(text);
    words.lang = "en";
    speechSynthesis.speak(words);
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}
