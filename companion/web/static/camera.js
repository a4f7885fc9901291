// The picture of the camera, the grid the companion found in it, and corners to drag: the camera
// page, and a part of the start page.

import { Handles, gridBetween } from "./corners.js";
import { html, svg } from "./draw.js";
import { $, board, isPlayer, write } from "./here.js";
import { asker, get } from "./live.js";
import { toaster } from "./toast.js";
import { capital } from "./words.js";

const LOOK_MS = 500;
const AGAIN_MS = 2000;
const OFFER_MS = 10000; // from one search for a board that nobody has shown to the next
const LENS_PX = 70; // of the picture, across the magnifying glass

const ask = asker(toaster($("toast"), 5000));
const view = $("view");
const lens = $("lens");
const picture = svg("image", { width: 1296, height: 972, preserveAspectRatio: "none" });
const grid = svg("g", {});
const near = svg("image", { preserveAspectRatio: "none" });
let seen = null; // what the companion says of the newest picture
let draft = null; // corners that were dragged and not yet used
let offer = null; // corners that the companion proposes, for somebody to agree
let offered = -OFFER_MS; // when it was last asked for them

const handles = new Handles(view, {
  changed: (corners) => {
    draft = corners;
    show();
  },
  looking: magnify,
});
view.append(picture, grid, handles.layer);
lens.append(near, svg("path", { class: "cross" }));
document.body.classList.toggle("watcher", !isPlayer);
$("watching").hidden = isPlayer;
$("how").hidden = $("actions").hidden = !isPlayer;

// Handles keep their size on the screen whatever the size of the picture.
function scale() {
  return seen.size[0] / (view.getBoundingClientRect().width || 1);
}

function corners() {
  return draft ?? offer ?? seen.corners;
}

function show() {
  if (!seen) return;
  const [width, height] = seen.size;
  view.setAttribute("viewBox", `0 0 ${width} ${height}`);
  for (const image of [picture, near]) {
    image.setAttribute("width", width);
    image.setAttribute("height", height);
  }
  if (!handles.held) handles.show(corners(), seen.size, scale());
  const lines = draft || !seen.found ? gridBetween(corners(), board) : sidesFirst(seen.lines);
  grid.classList.toggle("draft", Boolean(draft) || !seen.found);
  grid.replaceChildren(
    ...lines.map((line, n) => svg("polyline", { class: `grid-line${n < 4 ? " side" : ""}`, points: line.join(" ") })),
  );
  tell();
}

// The companion's lines run from the west and the south to the east and the north.
function sidesFirst(lines) {
  return [...lines.slice(0, 2), ...lines.slice(-2), ...lines.slice(2, -2)];
}

function tell() {
  const { found, by, markers } = seen;
  const kind = draft ? "draft" : offer ? "offer" : found ? "good" : "bad";
  $("card").className = `card ${kind}`;
  write("heading", $("heading").dataset[kind]);
  $("text").textContent = $("text").dataset[draft || offer ? kind : by] ?? capital(seen.text);
  const facts = [["Picture", `${seen.size[0]} × ${seen.size[1]} pixels`]];
  if (markers.fitted) facts.push(["Markers", `${markers.seen.length} of ${markers.fitted} in view, ${markers.needed} needed`]);
  facts.push(["Corners", seen.given ? "set by hand" : "not set by hand"]);
  $("facts").replaceChildren(...facts.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]));
  $("revert").disabled = !draft;
  $("use").disabled = !draft && found;
  $("forget").disabled = !seen.given;
  $("forget").textContent = $("forget").dataset[markers.fitted ? "markers" : "corners"];
}

function magnify(number) {
  lens.toggleAttribute("hidden", number === null || !seen);
  if (number === null || !seen) return;
  const [x, y] = handles.corners[number];
  const half = LENS_PX / 2;
  lens.setAttribute("viewBox", `${x - half} ${y - half} ${LENS_PX} ${LENS_PX}`);
  lens.setAttribute("class", x > seen.size[0] / 2 ? "left" : "right");
  lens.lastChild.setAttribute("d", `M${x - half} ${y}H${x - 3}M${x + 3} ${y}H${x + half}M${x} ${y - half}V${y - 3}M${x} ${y + 3}V${y + half}`);
}

async function look() {
  const answer = await get("/api/camera");
  const url = URL.createObjectURL(await get("/camera.jpg", "blob"));
  const old = picture.getAttribute("href");
  picture.setAttribute("href", url);
  near.setAttribute("href", url);
  if (old) URL.revokeObjectURL(old);
  if (seen && String(seen.size) !== String(answer.size)) draft = offer = null;
  seen = answer;
  if (seen.found || seen.given) offer = null;
  show();
  propose();
}

// A board that nobody has shown yet is looked for, and what is found shown for one tap.
async function propose() {
  const wanted = isPlayer && !seen.found && !seen.given && !draft && !offer;
  if (!wanted || performance.now() - offered < OFFER_MS) return;
  offered = performance.now();
  const answer = await get("/api/camera/proposal").catch(() => ({}));
  if (!answer.corners || draft || seen.found || seen.given || String(answer.size) !== String(seen.size)) return;
  offer = answer.corners;
  show();
}

// A picture that is not live is not shown, and the reason is.
function stop(reason) {
  $("none").hidden = !reason;
  $("none").textContent = $("none").dataset.missing;
  view.classList.toggle("stopped", Boolean(reason));
  if (!reason) return;
  $("card").className = "card bad";
  $("heading").textContent = $("none").dataset.missing;
  $("text").textContent = reason;
  $("facts").replaceChildren();
  for (const id of ["revert", "use", "forget"]) $(id).disabled = true; // of what nobody sees
}

let timer;
async function round() {
  clearTimeout(timer);
  if (document.hidden) return;
  if (!view.getClientRects().length) {
    timer = setTimeout(round, LOOK_MS); // nobody sees it on this page at the moment
    return;
  }
  let wait = LOOK_MS;
  try {
    await look();
    stop("");
  } catch (trouble) {
    wait = AGAIN_MS;
    stop(capital(trouble.message));
  }
  clearTimeout(timer);
  timer = setTimeout(round, wait);
}

async function use(path, body) {
  if (!(await ask(path, body))) return;
  draft = offer = null;
  round();
}

$("use").addEventListener("click", () => seen && use("/api/camera/corners", { corners: corners(), size: seen.size }));
$("forget").addEventListener("click", () => use("/api/camera/markers"));
$("revert").addEventListener("click", () => {
  draft = null;
  show();
});
addEventListener("resize", show);
document.addEventListener("visibilitychange", round);
round();
