// The table page: a visitor's hands on one side, what the companion makes of it on the other.

import { showAlerts } from "./alerts.js";
import { html, renew } from "./draw.js";
import { Drag } from "./drag.js";
import { Faults } from "./faults.js";
import { Geometry, isSlot } from "./geometry.js";
import { $, board, isPlayer, write } from "./here.js";
import { asker, follow, get } from "./live.js";
import { Successor } from "./newgame.js";
import { Story } from "./panels.js";
import { choiceOf, endOf, movers, person } from "./state.js";
import { Tabletop } from "./tabletop.js";
import { ifRefused, toaster } from "./toast.js";

const CAMERA_MS = 500;
const CAMERA_AGAIN_MS = 2000;
const CAMERA_LATE_MS = 5000;
const WATCH_LEVEL = "5";

const toast = toaster($("toast"), 5000);
const ask = asker(toast);
const geometry = new Geometry(board);
const top = new Tabletop($("table"), geometry);
let state = null;
let selected = null;

const drag = new Drag(top, {
  post: ask,
  changed: (holding) => {
    if (!state) return;
    top.showTurn(state, holding);
    showAbove();
  },
  rested: refresh, // where the thing came to rest, before the next event says so
  clicked: (id) => {
    selected = id;
    top.select(id);
    if (state) showAbove();
  },
  clears,
});

// Who eats or catches takes what stands there off with the other hand.
function clears({ thing }, spot) {
  const goes = state?.choices.some((choice) => choice.thing === thing && endOf(choice) === spot);
  if (!goes && !state?.unsaid?.then.some(([other, end]) => other === thing && end === spot)) return [];
  const there = ({ kind, state: lies, x, y, thing: other }) =>
    kind !== "fence" && lies === "board" && other !== thing && geometry.nearestSquare(x, -y) === spot;
  return (newest?.bodies ?? []).filter(there).map(({ id }) => id);
}

let newest = null;
function showTable(view) {
  newest = view;
  top.show(view, drag.known, drag.holding);
  if (state) top.showTurn(state, drag.holding);
  top.select(selected);
  showHandButton(view);
  listBodies(view);
}

function refresh() {
  get("/api/sim/table").then(showTable, () => {}); // the banner of the lost connection says it
}

// What can be moved without a mouse; pellets are told apart by where they lie.
function listBodies(view) {
  const where = ({ state: lies, x, y }) => (lies === "board" ? `on ${geometry.nearestSquare(x, -y)}` : "beside the board");
  const pellets = state?.tallies.pellets ? view.bodies.filter((body) => body.kind === "pellet") : [];
  const names = [
    ["fence", "A fence"],
    ...view.bodies.filter((body) => body.kind === "pawn").map((body) => [body.id, board.pieces[body.thing].title]),
    ...pellets.map((body) => [body.id, `Pellet ${where(body)}`]),
  ];
  const list = $("keys-body");
  if (document.activeElement === list) return;
  const kept = list.value;
  renew(list, names, () => names.map(([value, name]) => html("option", { value, selected: value === kept }, name)));
}

const story = new Story(asker(ifRefused(toast)), (move) => top.showLanding(endOf(choiceOf(state, move))));

function render(next) {
  if (next.game_id !== state?.game_id || !state) askWhetherHelped();
  state = next;
  if (!state.on_board) return location.replace("/"); // nothing of that game lies on this table
  story.render(state, isPlayer);
  top.showTurn(state, drag.holding);
  showAbove();
  offerScenes();
  successor.render(state);
}

// What stands above the table waits while a hand holds something: the table must not move under it.
function showAbove() {
  if (drag.held) return;
  const advice = (state.verdict.kind === "set up" && helped.coach) || state.coach;
  write("coach", advice);
  showAlerts(state);
}

// A move, and the scenes of this game; not while a person cannot move. A button that has the focus
// is not replaced by its twin.
let offered = {};
function offerScenes() {
  const first = document.querySelector('[data-demo="move"]');
  if (JSON.stringify(state.scenes) !== JSON.stringify(offered)) {
    for (const button of demos()) if (button !== first) button.remove();
    first.after(...Object.entries(state.scenes).map(([name, label]) => html("button", { class: "button", "data-demo": name }, label)));
    offered = state.scenes;
  }
  for (const button of demos()) button.disabled = !person(state);
}

function demos() {
  return document.querySelectorAll("[data-demo]");
}

// The helping hand: a switch that every open table shows alike.
let helped = { on: false, coach: "" };
function showHelp(help) {
  helped = help;
  $("help").checked = help.on;
  if (state) showAbove();
}

function askWhetherHelped() {
  get("/api/sim/help").then(showHelp, () => {});
}

$("help").addEventListener("change", async () => {
  if (!(await ask("/api/sim/help", { on: $("help").checked }))) askWhetherHelped();
});

// The companion against itself: a new game, set up at once, with a hand that carries it out.
const successor = new Successor(ask);
$("watch").addEventListener("click", () => (state?.moves.length && !state.outcome ? $("watch-dialog").showModal() : watch()));
$("watch-dialog").addEventListener("close", () => $("watch-dialog").returnValue === "watch" && watch());

async function watch() {
  const { game, options, seats } = state;
  const wanted = { game, options, pieces: seats.map(({ piece }) => piece), seats: seats.map(() => WATCH_LEVEL) };
  if (await successor.start(wanted, state, true)) await ask("/api/sim/help", { on: true });
}

// What something clumsy is done to: what was clicked, else the pawn whose turn it is, or a fence.
function victim(wanted) {
  const bodies = newest?.bodies ?? [];
  const chosen = bodies.find((body) => body.id === selected);
  const kind = wanted ?? chosen?.kind ?? "pawn";
  const on = (body) => body?.kind === kind && ["board", "skewed"].includes(body.state);
  const active = state ? movers(state) : [];
  return on(chosen) ? chosen : (bodies.find((body) => active.includes(body.id) && on(body)) ?? bodies.findLast(on));
}

$("show").addEventListener("click", ({ target }) => target.dataset.demo && ask("/api/sim/demo", { what: target.dataset.demo }));

$("hand").addEventListener("click", async () => {
  const there = $("hand").getAttribute("aria-pressed") === "true";
  await (there ? ask("/api/sim/no-hand") : ask("/api/sim/hand", { x: 10, y: 40, angle: 90 }));
  refresh();
});

// The button tells what the table tells: somebody else may have taken the hand away.
function showHandButton(view) {
  const there = view.hands.length > 0 && !view.bodies.some((body) => body.state === "held");
  $("hand").setAttribute("aria-pressed", String(there));
  $("hand").textContent = $("hand").dataset[there ? "there" : "away"];
}

const clumsy = {
  nudge: ({ id }) => ask("/api/sim/nudge", { id, dx: 6, dy: 3 }),
  half: ({ id }) => ask("/api/sim/half-seat", { id }),
  "turn-fence": ({ id, x, y, angle }) => ask("/api/sim/put", { id, x, y, angle: Math.abs(angle % 180) < 45 ? 90 : 0 }),
};
for (const [button, act] of Object.entries(clumsy))
  $(button).addEventListener("click", () => {
    const { kind, none } = $(button).dataset;
    const body = victim(kind);
    return body ? act(body) : toast(none, "bad");
  });

for (const button of document.querySelectorAll("[data-press]"))
  button.addEventListener("click", () => ask("/api/sim/press", { button: button.dataset.press }));

new Faults($("break"), ask);

$("setup").addEventListener("click", () => ask("/api/sim/set-up"));

$("keys").addEventListener("submit", async (event) => {
  event.preventDefault();
  const spot = $("keys-spot").value.trim().toLowerCase();
  const fence = $("keys-body").value === "fence";
  const off = spot === "off";
  const good = off || (geometry.has(spot) && isSlot(spot) === fence);
  const words = $("keys").dataset;
  if (!good) return toast(fence ? words.slot : words.square, "bad");
  const id = fence ? spareFence(off) : $("keys-body").value;
  if (!id) return toast(words.none, "bad");
  const [x, y] = off ? [1000, 0] : geometry.at(spot);
  await ask("/api/sim/lift", { id });
  await ask("/api/sim/put", { id, x, y: -y, angle: spot[2] === "v" ? 90 : 0 });
});

function spareFence(onBoard) {
  const fences = (newest?.bodies ?? []).filter((body) => body.kind === "fence");
  return (onBoard ? fences.findLast((body) => body.state !== "supply") : fences.find((body) => body.state === "supply"))?.id;
}

// The camera's picture, about twice a second while somebody looks. One that does not come takes the
// one before it along: what is shown is live, or it is not shown.
function watchCamera() {
  const picture = $("camera");
  let count = 0;
  let timer;
  const next = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    picture.src = `/camera.jpg?${count++}`;
    timer = setTimeout(() => note(true, 0), CAMERA_LATE_MS);
  };
  const note = (missing, wait) => {
    clearTimeout(timer);
    $("camera-note").hidden = !missing;
    picture.hidden = missing;
    timer = setTimeout(next, wait);
  };
  picture.addEventListener("load", () => note(false, CAMERA_MS));
  picture.addEventListener("error", () => note(true, CAMERA_AGAIN_MS));
  document.addEventListener("visibilitychange", next);
  next();
}

// A phone beside the table, where there is room for it.
const wide = matchMedia("(min-width: 1320px)");
const showPhone = () => wide.matches && !$("phone").src && ($("phone").src = $("phone").dataset.src);
wide.addEventListener("change", showPhone);
showPhone();

follow({ state: render, lights: ({ leds }) => top.showLights(leds), table: showTable, help: showHelp });
watchCamera();
refresh();
