// A seat's own page: the hand that nobody else sees, and what may be done with it.

import { showAlerts } from "./alerts.js";
import { drawTable, face, storyList } from "./cards.js";
import { html, renew } from "./draw.js";
import { $, board, write } from "./here.js";
import { asker, follow, get } from "./live.js";
import { toaster } from "./toast.js";
import { TurnBanner } from "./turn.js";
import { capital } from "./words.js";

const HINT_MS = 15000;
const say = toaster($("toast"), 4000);
const ask = asker(say);
const quietly = asker((text, mood) => mood === "bad" && say(text, mood));
const turn = new TurnBanner($("turn"), board.pieces);
let hand = null;
let busy = false;
let mine = false;

function render(state) {
  turn.render(state);
  showAlerts(state);
  $("game").textContent = state.title;
  if (state.on_board) return refused($("outside").dataset.gone);
  drawTable($("cardtable"), state);
  renew($("story"), state.story, () => [storyList(state)]);
  $("story").scrollTop = $("story").scrollHeight;
  look();
}

// What the seat alone may see comes by no stream: this phone asks for it.
async function look() {
  try {
    hand = await get("/api/hand");
    busy = false;
    show();
  } catch ({ message }) {
    refused(message);
  }
}

function refused(text) {
  hand = null;
  $("mine").hidden = true;
  $("outside").hidden = false;
  write("outside-text", capital(text));
}

function show() {
  $("mine").dataset.number = hand.number;
  $("mine").hidden = false;
  $("outside").hidden = true;
  write("name", hand.name);
  write("held", hand.text);
  write("status", hand.status ? capital(hand.status) : "");
  write("asked", hand.ask);
  $("mine").classList.toggle("yours", hand.yours);
  const covered = $("cover").getAttribute("aria-pressed") === "true";
  $("own-cards").classList.toggle("covered", covered);
  renew($("own-cards"), [hand.cards, hand.tap, hand.over, covered], () => (covered ? [] : hand.cards.map(held)));
  renew($("choices"), [hand.choices, hand.seen, hand.over], () => hand.choices.map(choice));
  $("hint").hidden = !hand.yours;
  if (document.activeElement !== $("name-field") && !$("name-field").value) $("name-field").placeholder = hand.name;
  if (hand.yours && !mine && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(80);
  mine = hand.yours;
  document.title = hand.yours ? `${hand.ask} · Companion` : `${hand.name} · Companion`;
}

// Every card can be tapped; the companion says when it is not the time.
function held(card) {
  return face(card, { onclick: () => play(card.move), type: "button" }, "button");
}

function choice({ move, text, note, legal }) {
  const kind = `button choice${legal ? "" : " dim"}`;
  return html("button", { class: kind, "data-move": move, onclick: () => play(move) }, html("b", {}, text), note ? html("span", {}, note) : null);
}

async function play(move) {
  if (busy || !hand) return;
  busy = true;
  const done = await quietly("/api/hand/play", { move, seen: hand.seen });
  if (!done) busy = false;
  look();
}

async function sit() {
  const key = decodeURIComponent(location.hash.slice(1));
  if (!key) return;
  history.replaceState(null, "", location.pathname);
  if (await ask("/api/hand/sit", { key })) look();
}

$("hint").addEventListener("click", () => ask("/api/hand/hint", {}, (text, mood) => say(text, mood, HINT_MS)));
$("cover").addEventListener("click", () => {
  const covered = $("cover").getAttribute("aria-pressed") !== "true";
  $("cover").setAttribute("aria-pressed", String(covered));
  if (hand) show();
});
$("name-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await ask("/api/hand/name", { name: $("name-field").value })) $("name-field").value = "";
});
window.addEventListener("hashchange", sit);

await sit();
follow({ state: render });
