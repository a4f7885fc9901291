// The start page: leads through setting the table up, one step at a time, and keeps what was done.

import { showAlerts } from "./alerts.js";
import { html, icon, portrait, renew } from "./draw.js";
import { $, board, isPlayer, write } from "./here.js";
import { asker, follow, get, post } from "./live.js";
import { offerSharing } from "./share.js";
import { SensorMap, StripView } from "./startviews.js";
import { ifRefused, toaster } from "./toast.js";
import { capital } from "./words.js";

const LOOK_MS = 1500;
const QUICK_MS = 500; // where people watch what they do
const STAY_MS = 10000; // how often a page says that it is still at its step

const WORDS = JSON.parse($("words").dataset.steps);
const SIGNS = { done: "✓", skipped: "–", "needs you": "!", "not attached": "·" };
const STAYS = ["sensors", "pieces"];

const toast = toaster($("toast"), 3500);
const ask = asker(toast);
const simulated = "simulated" in document.body.dataset;
const map = new SensorMap($("sensors"), board);
const strip = simulated ? new StripView($("strip"), board) : null;

let view = null; // what the companion says of all steps
let step = location.hash.slice(1);
let chosen = null; // the piece to measure next
let trial = null; // the question about the lights that is open
let answered = new Set(); // trials that were seen to be right
let sharpest = 0; // per cent, since this step was entered

// --- asking ----------------------------------------------------------------------------------------

// Shows an answer or a refusal in its place.
const telling = (id) => (text, mood) => say($(id), text, mood);

function say(element, text, mood = "") {
  element.className = `result ${mood}`;
  const said = text && !/[.?!]$/.test(text) ? `${capital(text)}.` : capital(text);
  if (element.textContent !== said) element.textContent = said;
}

let timer;
async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  try {
    view = await get("/api/setup");
    $("lost").hidden = true;
    show();
  } catch {
    $("lost").hidden = false;
  }
  clearTimeout(timer);
  timer = setTimeout(look, [...STAYS, "camera"].includes(step) ? QUICK_MS : LOOK_MS);
}

let staying;
function stay() {
  clearInterval(staying);
  if (!isPlayer) return;
  const tell = () => post("/api/setup/open", { step: step === "play" ? "" : step }).catch(() => {});
  if (STAYS.includes(step)) staying = setInterval(tell, STAY_MS);
  return tell();
}

// --- going from step to step -----------------------------------------------------------------------

const names = () => [...view.steps.map(({ name }) => name), "play"];
const stateOf = (name) => view.steps.find((each) => each.name === name)?.state ?? (view.finished ? "done" : "");

function go(name) {
  if (location.hash === `#${name}`) enter(name);
  else location.hash = name;
}

function enter(name) {
  step = name;
  trial = null;
  sharpest = 0;
  for (const id of ["focus-said", "baseline-said", "piece-said", "trial-said"]) say($(id), "");
  $("baseline-sure").hidden = true;
  stay();
  show();
  $("step-title").focus({ preventScroll: true });
  scrollTo({ top: 0 });
  look();
}

// The next one that still needs somebody, else the end.
function goOn() {
  const order = names();
  const later = order.slice(order.indexOf(step) + 1);
  go(later.find((name) => stateOf(name) === "needs you") ?? "play");
}

async function mark(how) {
  const attached = stateOf(step) !== "not attached";
  if (attached && !(await ask("/api/setup/mark", { step, as: how }, ifRefused(toast)))) return;
  goOn();
}

// --- showing ---------------------------------------------------------------------------------------

function show() {
  if (!view) return;
  if (!names().includes(step)) {
    const first = view.steps.find(({ state }) => state === "needs you");
    step = first?.name ?? "play";
    history.replaceState(null, "", `#${step}`);
    stay();
  }
  document.body.dataset.step = step;
  showSteps();
  const now = view.steps.find(({ name }) => name === step);
  const attached = Boolean(now) && now.state !== "not attached";
  document.body.dataset.by = view.corners.by ?? "";
  write("step-title", (step === "play" && view.open) || WORDS[step].title);
  write("step-state", now?.state ?? "");
  $("step-state").className = `tag ${kind(now?.state)}`;
  $("step-state").hidden = !now;
  write("step-about", WORDS[step].about);
  write("step-text", now?.text ?? "");
  write("step-todo", now?.todo || now?.left || "");
  $("step-said").className = `said ${!attached ? "off" : !now.ready ? "bad" : now.todo || now.left ? "thought" : ""}`;
  $("step-said").hidden = !now;
  $("see").hidden = !(attached && ["camera", "corners"].includes(step));
  for (const name of ["camera", "sensors", "pieces", "lights", "play"]) $(`work-${name}`).hidden = !(step === name && (attached || name === "play"));
  $("step-watching").hidden = isPlayer;
  for (const controls of document.querySelectorAll(".work:not(#work-play) .controls")) controls.hidden = !isPlayer;
  if (attached) ({ camera: showSharpness, sensors: showSensors, pieces: showPieces, lights: showLights })[step]?.();
  if (step === "play") showSummary();
  showNext(now, attached);
}

const kind = (state = "") => state.replace(" ", "-");

function showSteps() {
  const within = $("steps").contains(document.activeElement);
  const key = [step, view.steps.map(({ state }) => state), view.finished];
  const drawn = renew($("steps"), key, () =>
    names().map((name) => {
      const state = stateOf(name);
      const sign = name === "play" ? "▶" : SIGNS[state];
      return html(
        "li",
        { class: kind(state) },
        html(
          "a",
          { href: `#${name}`, "aria-current": name === step ? "step" : null },
          html("i", { "aria-hidden": "true" }, sign),
          html("b", {}, WORDS[name].short),
          name === "play" ? null : html("small", {}, html("span", { class: "sr" }, ": "), state),
        ),
      );
    }),
  );
  if (drawn && within) $("steps").querySelector("[aria-current]").focus();
}

// What was asked for here is the button to press, until it has been done.
function showNext(now, attached) {
  $("next").hidden = step === "play" || !isPlayer;
  const full = Boolean(now?.ready && !now.left);
  $("done").classList.toggle("primary", full || !attached);
  $("done").disabled = attached && !full;
  write("done", attached ? "Done, next" : "Next");
  $("skip").hidden = !attached;
  $("skip-all").hidden = !isPlayer || step === "play" || view.finished;
  for (const id of ["baseline", "measure", "try"]) $(id).classList.toggle("primary", !full);
}

// --- the camera ------------------------------------------------------------------------------------

function showSharpness() {
  $("sharp").hidden = !view.sharpness;
  $("focus").hidden = simulated;
  if (!view.sharpness) return;
  const { percent, enough } = view.sharpness;
  sharpest = Math.max(sharpest, percent);
  const soft = percent < enough;
  write("sharp-said", `${soft ? "Soft" : "Sharp"}: ${percent} %${percent < sharpest - 5 ? `, it was ${sharpest} %` : ""}`);
  const meter = $("meter");
  meter.className = `meter ${soft ? "soft" : ""}`;
  meter.setAttribute("aria-valuenow", percent);
  meter.setAttribute("aria-valuetext", `${percent} %, ${soft ? "soft" : "sharp"}`);
  for (const [name, value] of Object.entries({ now: percent, best: sharpest, enough })) meter.style.setProperty(`--${name}`, `${value}%`);
}

// --- the sensors -----------------------------------------------------------------------------------

let awaiting = false; // a baseline
function showSensors() {
  const { offsets, ill, baseline } = view.sensors;
  map.show(offsets, ill);
  if (!awaiting || baseline === "measuring") return;
  awaiting = false;
  const measured = baseline === "done";
  const { done, failed } = $("baseline-said").dataset;
  say($("baseline-said"), measured ? done : failed, measured ? "good" : "bad");
  showNext(view.steps.find(({ name }) => name === step), true);
}

async function takeBaseline(sure) {
  awaiting = false;
  const asked = Boolean(await ask("/api/setup/baseline", { sure }, telling("baseline-said")));
  $("baseline-sure").hidden = asked || sure;
  awaiting = asked;
  look();
}

// --- the pieces ------------------------------------------------------------------------------------

const magnetic = () => Object.keys(board.pieces).filter((name) => name in view.pieces);

function showPieces() {
  const all = magnetic();
  const open = all.filter((name) => view.pieces[name].measured === null);
  if (!all.includes(chosen)) chosen = open[0] ?? all[0];
  const focused = document.activeElement?.dataset?.piece;
  if (renew($("pieces"), [view.pieces, chosen], () => all.map(pieceButton)) && focused)
    $("pieces").querySelector(`[data-piece="${focused}"]`)?.focus();
  const { title } = board.pieces[chosen];
  for (const id of ["piece-ask", "measure"]) write(id, $(id).dataset.ask.replace("{}", title));
}

function pieceButton(name) {
  const { measured: counts, usual } = view.pieces[name];
  const look = board.pieces[name];
  const words = counts === null ? [`profile ${signed(usual)}`] : [html("span", { class: "sr" }, "measured "), `✓ ${signed(counts)}`];
  const choose = () => {
    chosen = name;
    say($("piece-said"), "");
    show();
  };
  return html(
    "li",
    {},
    html(
      "button",
      { class: `piece-button ${counts === null ? "" : "known"}`, "data-piece": name, "aria-pressed": String(name === chosen), onclick: choose },
      portrait(look),
      html("b", {}, look.title),
      html("small", {}, ...words),
    ),
  );
}

const signed = (counts) => (counts > 0 ? `+${counts}` : `−${-counts}`);

async function measurePiece() {
  const name = chosen;
  if (!(await ask("/api/setup/piece", { piece: name }, telling("piece-said")))) return;
  const order = magnetic();
  const rest = [...order.slice(order.indexOf(name) + 1), ...order.slice(0, order.indexOf(name))];
  chosen = rest.find((other) => view.pieces[other].measured === null) ?? name;
  look();
}

// --- the lights ------------------------------------------------------------------------------------

function showLights() {
  $("try").hidden = trial !== null;
  $("trial-answer").hidden = trial === null;
  const { trials } = view.lights;
  const all = trials.every(({ name }) => answered.has(name));
  write("try", all || answered.size ? "Try the lights again" : "Try the lights");
  const number = trials.findIndex(({ name }) => name === trial?.name) + 1;
  write("trial-ask", trial ? `${number} of ${trials.length}. ${trial.question}` : "");
}

async function tryOut(next, right = "") {
  if (!(await ask("/api/setup/lights", { trial: next?.name ?? "", right }, () => {}))) {
    trial = null;
    return toast($("trial-said").dataset.off, "bad");
  }
  trial = next;
  show();
  if (trial) $("trial-yes").focus({ preventScroll: true });
}

async function answer(good) {
  const { trials } = view.lights;
  if (!good) {
    say($("trial-said"), trial.remedy, "bad");
    return tryOut(null);
  }
  const { name: right } = trial;
  answered.add(right);
  const next = trials[trials.indexOf(trials.find(({ name }) => name === right)) + 1];
  say($("trial-said"), next ? "" : $("trial-said").dataset.good, "good");
  await tryOut(next ?? null, right);
  if (!next) look();
}

// --- the end ---------------------------------------------------------------------------------------

function showSummary() {
  renew($("summary"), view.steps, () =>
    view.steps.map(({ name, state, text }) =>
      html("li", { class: kind(state) }, html("a", { href: `#${name}` }, WORDS[name].title), html("span", { class: `tag ${kind(state)}` }, state), html("p", {}, text)),
    ),
  );
}

async function leave(event) {
  event.preventDefault();
  await post("/api/setup/open", { step: "" }).catch(() => {});
  if (simulated) await post("/api/sim/set-up").catch(() => {});
  location.href = $("play").href;
}

$("done").addEventListener("click", () => mark("done"));
$("skip").addEventListener("click", () => mark("skipped"));
$("skip-all").addEventListener("click", async (event) => (await ask("/api/setup/mark", { step: "all", as: "skipped" })) && leave(event));
$("focus").addEventListener("click", () => {
  sharpest = 0;
  ask("/api/setup/focus", {}, telling("focus-said"));
});
$("baseline").addEventListener("click", () => takeBaseline(false));
$("baseline-sure").addEventListener("click", () => takeBaseline(true));
$("measure").addEventListener("click", measurePiece);
$("try").addEventListener("click", () => {
  answered = new Set();
  say($("trial-said"), "");
  tryOut(view.lights.trials[0]);
});
$("trial-yes").addEventListener("click", () => answer(true));
$("trial-no").addEventListener("click", () => answer(false));
$("play").addEventListener("click", (event) => isPlayer && leave(event));
$("clear")?.addEventListener("click", () => ask("/api/sim/show", { thing: "" }));
$("put")?.addEventListener("click", () => ask("/api/sim/show", { thing: chosen }));
$("share").append(icon("share"));
for (const id of ["share", "share-too"]) offerSharing($(id), $("share-dialog"));
addEventListener("hashchange", () => enter(location.hash.slice(1)));
addEventListener("pagehide", () => isPlayer && post("/api/setup/open", { step: "" }).catch(() => {}));
document.addEventListener("visibilitychange", look);
const lights = strip ? { lights: ({ leds }) => strip.show(leds) } : {};
follow({ state: showAlerts, ...lights }, () => {}); // the steps say when it is lost
if (step) stay();
look();
