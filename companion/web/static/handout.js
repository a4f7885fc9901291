// Handing out the seats: a link for each, which one phone takes, and which can be made anew.

import { showAlerts } from "./alerts.js";
import { html, renew, select } from "./draw.js";
import { $ } from "./here.js";
import { asker, follow, get } from "./live.js";
import { toaster } from "./toast.js";
import { capital } from "./words.js";

const say = toaster($("toast"), 4000);
const ask = asker(say);
const quietly = asker((text, mood) => mood === "bad" && say(text, mood));
const words = $("seats").dataset;
const LEVELS = Array.from({ length: 10 }, (_, n) => n + 1);

function render(state) {
  showAlerts(state);
  $("game").textContent = state.title;
  look();
}

async function look() {
  try {
    show(await get("/api/seats"));
  } catch ({ message }) {
    $("begin").hidden = false;
    $("seats").hidden = true;
    $("why").textContent = capital(message);
  }
}

function show({ seats }) {
  $("begin").hidden = true;
  $("seats").hidden = false;
  renew($("seats"), seats, () => seats.map(row));
  const open = seats.find(({ seat }) => String(seat) === $("link-dialog").dataset.seat);
  if ($("link-dialog").open && open?.state !== "free") $("link-dialog").close();
}

function row(seat) {
  const { seat: number, name, state, text, level } = seat;
  const player = select(
    { "aria-label": `${words.who} ${name}`, onchange: ({ target }) => change("fill", { seat: number, level: target.value ? Number(target.value) : null }) },
    [["", words.person], ...LEVELS.map((n) => [String(n), `${words.companion} ${n}`])],
    level === null ? "" : String(level),
  );
  return html(
    "li",
    { class: `seat-row ${state}`, "data-seat": number },
    html("div", { class: "seat-who" }, html("b", {}, name), html("span", {}, text)),
    html(
      "div",
      { class: "seat-do" },
      state === "free" ? html("button", { class: "button primary", onclick: () => offer(seat) }, words.show) : null,
      state === "companion" ? null : html("button", { class: "button", onclick: () => change("renew", { seat: number }) }, words.renew),
      player,
    ),
  );
}

async function change(what, body) {
  await ask(`/api/seats/${what}`, body);
  look();
}

// One seat at a time: whoever looks on sees no other link.
function offer({ seat, name, link }) {
  const dialog = $("link-dialog");
  dialog.dataset.seat = seat;
  $("link-title").textContent = name;
  $("link-body").replaceChildren(
    html("img", { class: "share-code", src: `/api/seats/${seat}/qr.svg?${Date.now()}`, alt: "", width: 264, height: 264 }),
    html("p", { class: "share-address" }, html("a", { href: link, id: "seat-link" }, link)),
  );
  dialog.showModal();
}

async function host(key = "") {
  if (await quietly("/api/seats/host", { key })) look();
}

$("host").addEventListener("click", () => host());

const key = new URLSearchParams(location.hash.slice(1)).get("host");
if (key) {
  history.replaceState(null, "", location.pathname);
  await host(key);
}
follow({ state: render });
