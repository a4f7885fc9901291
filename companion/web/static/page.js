// The phone page: joins the line to the table, the board, the entry of moves and the panels.

import { showAlerts } from "./alerts.js";
import { BoardView } from "./board.js";
import { drawTable, storyList } from "./cards.js";
import { icon, renew } from "./draw.js";
import { Entry } from "./entry.js";
import { Geometry } from "./geometry.js";
import { $, board, isPlayer, write } from "./here.js";
import { asker, follow } from "./live.js";
import { NewGame, Successor } from "./newgame.js";
import * as panels from "./panels.js";
import { celebrate } from "./party.js";
import { offerSharing } from "./share.js";
import { choiceOf, person } from "./state.js";
import { ifRefused, toaster } from "./toast.js";

const HINT_MS = 12000;
const NO_MOVES = $("moves").firstElementChild;

const toast = toaster($("toast"), 3500);
const ask = asker(ifRefused(toast));
const geometry = new Geometry(board);
const view = new BoardView($("board-svg"), geometry);
let mayPlay = isPlayer;
let state = null;
let cheered = null;

const parts = { board: $("board"), svg: $("board-svg"), bar: $("entry"), words: $("cursor-words") };
const entry = new Entry(view, parts, { play: (tapped) => ask("/api/move", tapped), roll: () => ask("/api/roll") });
const successor = new Successor(ask);
const newGame = new NewGame($("new-dialog"), (request) => successor.start(request, state, state.simulated));
const preview = (move) => state.on_board && view.preview(choiceOf(state, move), "maybe");
const story = new panels.Story(ask, preview);

function render(next) {
  const before = state;
  state = next;
  const { on_board: onBoard, outcome } = state;
  for (const id of ["board", "entry"]) $(id).hidden = !onBoard;
  $("cardtable").hidden = onBoard;
  $("seats").hidden = !onBoard; // who holds how much lies around the cards
  if (onBoard) {
    view.render(state);
    entry.render(state, mayPlay);
  } else drawTable($("cardtable"), state);
  $("game").textContent = state.title;
  showAlerts(state);
  story.render(state, mayPlay);
  showMoves(before);
  $("device-dots").replaceChildren(...panels.deviceDots(state.devices));
  $("device-list").replaceChildren(...panels.deviceList(state.devices));
  $("board-words").textContent = state.described;
  write("board-keys", state.keys);
  $("takeback").disabled = state.moves.length === 0;
  $("draw").disabled = state.outcome !== null;
  offerHint();
  $("pairing").hidden = mayPlay;
  for (const id of ["draw", "new"]) $(id).hidden = !mayPlay;
  for (const id of ["hint", "takeback"]) $(id).hidden = !mayPlay || !onBoard;
  $("record").hidden = !onBoard && !outcome;
  $("seats-link").hidden = onBoard;
  if ($("table-link")) $("table-link").hidden = !onBoard;
  document.title = `${state.banner.text} · Companion`;
  party();
  successor.render(state);
}

function showMoves(before) {
  if (!state.on_board) {
    renew($("moves"), state.story, () => [storyList(state)]);
    $("moves").scrollTop = $("moves").scrollHeight;
    return;
  }
  delete $("moves").dataset.key;
  if (before && before.game_id === state.game_id && before.moves.join() === state.moves.join() && $("moves").firstChild) return;
  $("moves").replaceChildren(state.moves.length ? panels.moveTable(state) : NO_MOVES);
  $("moves").scrollTop = $("moves").scrollHeight;
}

function party() {
  const winner = state.outcome?.winners.length ? state.seats[state.outcome.winners[0]] : null;
  if (!winner) {
    cheered = null;
    $("party").hidden = true;
  } else if (cheered !== state.game_id) {
    cheered = state.game_id;
    if (!state.on_board) return; // the celebration is the board's
    celebrate($("party"), winner, state.banner, () => ($("party").hidden = true));
  }
}

// A good move, shown on the board with the reason for it, until something happens.
let asking = false;
async function hint() {
  const { number } = state;
  asking = true;
  offerHint();
  const found = await ask("/api/hint");
  if (found) {
    if (state.number === number) preview(found.move);
    toast(found.text, "good", HINT_MS);
    story.voice.say(found.text);
  }
  asking = false;
  offerHint();
}

function offerHint() {
  $("hint").disabled = asking || !person(state);
}

function confirmed(dialog, value, then) {
  dialog.addEventListener("close", () => dialog.returnValue === value && then());
}

$("hint").addEventListener("click", hint);
$("takeback").addEventListener("click", () => ask("/api/takeback", {}, toast));
$("draw").addEventListener("click", () => $("draw-dialog").showModal());
confirmed($("draw-dialog"), "draw", () => ask("/api/draw"));
$("new").addEventListener("click", () => newGame.open(state));
$("share").append(icon("share"));
offerSharing($("share"), $("share-dialog"));
$("pair-form").addEventListener("submit", (event) => {
  event.preventDefault();
  pair($("pair-code").value);
});

async function pair(code) {
  const answer = await ask("/api/pair", { code }, toast);
  if (!answer) return;
  mayPlay = answer.role === "player";
  if (state) render(state);
}

// The QR code in the table's terminal brings the code along, behind the #.
function pairByAddress() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (!mayPlay) pair(code);
}

if (window.parent !== window) document.documentElement.classList.add("framed");
follow({ state: render });
pairByAddress();
