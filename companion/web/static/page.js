// The phone page: joins the line to the table, the board, the entry of moves and the panels.

import { BoardView } from "./board.js";
import { html } from "./draw.js";
import { Entry } from "./entry.js";
import { Geometry } from "./geometry.js";
import { Live, post } from "./live.js";
import { NewGame } from "./newgame.js";
import * as panels from "./panels.js";
import { celebrate } from "./party.js";
import { GAMES, capital, describeBoard } from "./words.js";

const $ = (id) => document.getElementById(id);
const board = JSON.parse(document.body.dataset.board);
const geometry = new Geometry(board);
const view = new BoardView($("board-svg"), geometry);
let role = document.body.dataset.role;
let state = null;
let cheered = null;

const entry = new Entry(
  view,
  { board: $("board"), svg: $("board-svg"), bar: $("entry"), words: $("cursor-words") },
  (move) => ask("/api/move", { move }),
);
const newGame = new NewGame($("new-dialog"), board, (request) => ask("/api/new", request));

const act = {
  answer: (move) => ask("/api/answer", { move }),
  lookAgain: () => ask("/api/look-again"),
  preview: (move) => view.preview(move, "maybe"),
};

async function ask(path, body = {}) {
  try {
    toast((await post(path, body)).text, "good");
  } catch (refusal) {
    toast(refusal.message, "bad");
  }
}

let toastTimer;
function toast(text, mood) {
  if (!text) return;
  $("toast").replaceChildren(html("p", { class: mood }, capital(text)));
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $("toast").replaceChildren(), mood === "bad" ? 8000 : 3500);
}

function render(next) {
  const before = state;
  state = next;
  const mayPlay = role === "player";
  view.render(state);
  entry.render(state, mayPlay);
  $("game").textContent = GAMES[state.game] ?? state.game;
  update($("turn"), panels.turnBanner(state), `${state.to_act} ${state.moves.length} ${state.outcome?.result} ${state.game_id}`);
  const seat = state.to_act === null ? null : state.seats[state.to_act];
  $("turn").style.setProperty("--seat", seat?.colour ?? "#ffd800");
  $("seats").className = `seats of-${state.seats.length}`;
  $("seats").replaceChildren(...panels.seatCards(state));
  showVerdict(mayPlay);
  showMoves(before);
  $("device-dots").replaceChildren(...panels.deviceDots(state.devices));
  $("device-list").replaceChildren(...panels.deviceList(state.devices));
  $("board-words").textContent = describeBoard(state, board.pieces);
  $("takeback").disabled = state.moves.length === 0;
  $("draw").disabled = state.outcome !== null;
  $("pairing").hidden = mayPlay;
  for (const id of ["takeback", "draw", "new"]) $(id).hidden = !mayPlay;
  document.title = seat ? `${seat.title}’s turn · Companion` : "Game over · Companion";
  party();
}

// Leaves a live region alone while it says the same, so that nothing is read out twice.
function update(element, children, key) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...children);
}

function showVerdict(mayPlay) {
  const { verdict } = state;
  const key = JSON.stringify([verdict, mayPlay, state.to_act]);
  if ($("verdict-card").dataset.key === key) return;
  const kept = document.activeElement?.dataset?.move;
  update($("verdict-card"), [panels.verdictCard(state, board.pieces, act, mayPlay)], key);
  if (kept !== undefined) $("verdict-card").querySelector(`[data-move="${kept}"]`)?.focus();
  const loud = verdict.kind === "not allowed";
  $("verdict-assertive").textContent = loud ? `Not allowed. ${verdict.text}` : "";
  $("verdict-polite").textContent = loud ? "" : verdict.text;
}

function showMoves(before) {
  if (before && before.game_id === state.game_id && before.moves.join() === state.moves.join() && $("moves").firstChild) return;
  $("moves").replaceChildren(panels.moveTable(state));
  $("moves").scrollTop = $("moves").scrollHeight;
}

function party() {
  const winner = state.outcome?.winners.length ? state.seats[state.outcome.winners[0]] : null;
  if (!winner) {
    cheered = null;
    $("party").hidden = true;
  } else if (cheered !== state.game_id) {
    cheered = state.game_id;
    celebrate($("party"), winner, state.outcome.reason, () => ($("party").hidden = true));
  }
}

function confirmed(dialog, value, then) {
  dialog.addEventListener("close", () => dialog.returnValue === value && then());
}

$("takeback").addEventListener("click", () => ask("/api/takeback"));
$("draw").addEventListener("click", () => $("draw-dialog").showModal());
confirmed($("draw-dialog"), "draw", () => ask("/api/draw"));
$("new").addEventListener("click", () => newGame.open(state));
$("pair-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const answer = await post("/api/pair", { code: $("pair-code").value });
    role = answer.role;
    toast(answer.text, "good");
    render(state);
  } catch (refusal) {
    toast(refusal.message, "bad");
  }
});

if (window.parent !== window) document.documentElement.classList.add("framed");
const first = JSON.parse(document.body.dataset.state);
if (first) render(first);
new Live({ state: render }, (good) => ($("lost").hidden = good));
