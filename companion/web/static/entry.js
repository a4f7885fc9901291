// Entering a move on the page: tap or click to see it, again to play it; or the keyboard. A move is
// one spot, a fence in a groove, or a walk over several squares. What is legal, and what it is
// called, comes from the table; what is not is spelled and refused there.

import { isSlot } from "./geometry.js";
import { html, icon, pointIn } from "./draw.js";
import { endOf, movers, person, spotOf } from "./state.js";
import { capital } from "./words.js";

const CENTRE_MM = 7; // a tap this near the middle of a square means the square itself
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Entry {
  // `parts`: the focusable board, its svg, the bar below, the words for the cursor. `act` has play
  // and roll.
  constructor(view, parts, act) {
    this.view = view;
    this.geometry = view.geometry;
    this.parts = parts;
    this.act = act;
    this.take(null);
    parts.svg.addEventListener("click", (event) => this.open && this.tap(event));
    parts.svg.addEventListener("pointermove", (event) => this.open && this.hover(event));
    parts.svg.addEventListener("pointerleave", () => this.open && this.show());
    parts.board.addEventListener("keydown", (event) => this.open && this.key(event));
    parts.board.addEventListener("blur", () => view.cursor(null));
  }

  render(state, mayPlay) {
    this.state = state;
    this.asked = ["unsure", "not allowed", "set up"].includes(state.verdict.kind);
    this.open = mayPlay && person(state) !== null;
    this.rolls = mayPlay && Boolean(state.chance);
    this.walks = state.entry === "walk";
    this.things = movers(state);
    this.fences = state.choices.some(({ fence }) => fence);
    this.shifts = state.choices.some(({ thing, fence }) => thing && fence); // a fence that lies there goes elsewhere
    const at = `${state.game_id} ${state.moves.join()} ${this.open}`;
    if (at !== this.moment) this.reset();
    this.moment = at;
    this.show();
  }

  // Takes what was tapped until now.
  take(thing, path = [], fence = null) {
    Object.assign(this, { thing, path, fence });
  }

  // Forgets it; who is the only one to move is chosen already, and what has to be said is not.
  reset() {
    this.note = "";
    this.take(this.things.length === 1 ? this.things[0] : null);
    this.keyboard = false;
    this.parts.words.textContent = "";
  }

  // The legal choice that was tapped, if it is one.
  get choice() {
    if (this.fence) return this.state.choices.find(({ fence, path = [] }) => fence === this.fence && path.join() === this.path.join());
    return this.along(this.path).find(({ path, fence }) => !fence && path.length === this.path.length);
  }

  // The spot that was tapped last.
  get spot() {
    return this.fence ?? this.path.at(-1) ?? null;
  }

  // The legal choices of the chosen piece, as it is meant, that begin like this path.
  along(path) {
    return this.state.choices.filter(
      ({ thing, note = "", path: all }) => thing && thing === this.thing && note === this.note && path.every((spot, n) => all[n] === spot),
    );
  }

  // What the board would not show of a walk, and somebody may say: that a pellet is spent on it.
  get notes() {
    return [...new Set(this.state.choices.filter(({ thing, path }) => thing && thing === this.thing && path.length).map(({ note = "" }) => note))].filter(Boolean);
  }

  // Says it, or not after all.
  mean(note) {
    this.take(this.thing);
    this.note = this.note === note ? "" : note;
    this.tell();
  }

  // Whether the chosen piece is to come in from beside the board.
  get comesIn() {
    return this.thing && !this.shifts && !spotOf(this.state, this.thing);
  }

  next(path) {
    return [...new Set(this.along(path).map((choice) => choice.path[path.length]).filter(Boolean))];
  }

  // What a point of the picture stands for: a square that can be reached, else a groove.
  spotAt(event) {
    const [x, y] = pointIn(this.parts.svg, event);
    const square = this.geometry.nearestSquare(x, y);
    if (!square || !this.fences) return square;
    const lies = this.shifts && this.next([]).find((slot) => within(this.geometry.box(slot), x, y));
    if (lies) return lies;
    const off = this.geometry.offCentre(x, y);
    const reachable = this.next([]).includes(square) && off < this.geometry.cell / 2 - 1.5;
    return reachable || off < CENTRE_MM ? square : this.geometry.nearestSlot(x, y, this.geometry.sideAt(x, y));
  }

  tap(event) {
    const spot = this.spotAt(event);
    this.keyboard = false;
    if (!spot) this.clear();
    else if (spot === this.spot && this.choice) this.confirm();
    else this.point(spot);
  }

  hover(event) {
    if (this.walks || this.spot || event.pointerType === "touch") return;
    const spot = this.spotAt(event);
    this.view.preview(this.state.choices.find((choice) => spot && endOf(choice) === spot), "maybe");
  }

  // Somebody pointed at a spot: a groove, a step, the end of a walk, or a piece to choose.
  point(spot) {
    const { thing, path } = this;
    const there = this.state.position[spot];
    if (this.shifts) return this.shift(spot);
    while (path.length && (!this.walks || !this.along(path).length)) path.pop(); // what could not be
    if (isSlot(spot)) this.take(thing, [], spot);
    else if (thing && this.next(path).includes(spot)) this.take(thing, [...path, spot]);
    else if (this.things.includes(there) && there !== thing) this.take(there);
    else if (!this.goTo(spot) && thing) this.take(thing, [...path, spot]);
    this.tell();
  }

  // A fence that may go elsewhere was pointed at, or where it would go.
  shift(spot) {
    if (!isSlot(spot)) return;
    if (spot !== this.path[0] && this.next([]).includes(spot)) this.take("fence", [spot]);
    else this.take("fence", this.path, spot);
    this.tell();
  }

  // Takes the shortest way to a square when it is clear who goes there.
  goTo(square) {
    const ways = (this.thing ? this.along(this.path) : this.state.choices).filter((choice) => endOf(choice) === square);
    const best = ways.sort((one, other) => one.path.length - other.path.length)[0];
    if (!best || ways.some(({ thing }) => thing !== best.thing)) return false;
    this.take(best.thing, [...best.path]);
    return true;
  }

  key(event) {
    if (event.target !== this.parts.board || event.ctrlKey || event.metaKey || event.altKey) return;
    const done = this.doing(event.key);
    if (!done) return;
    event.preventDefault();
    this.keyboard = true;
    done();
  }

  // What a key does now, if anything.
  doing(key) {
    const letter = key.toLowerCase();
    const { thing, fence, path } = this;
    const from = this.spot ?? (thing && spotOf(this.state, thing));
    const named = this.things.find((other) => this.view.look(other).title[0].toLowerCase() === letter);
    if (ARROWS[key] && (this.comesIn || (this.shifts && !fence))) return () => this.turnOver(ARROWS[key][0] + ARROWS[key][1]);
    if (ARROWS[key]) return () => from && this.step(from, ...ARROWS[key]);
    if (key === "Enter" || key === " ") return () => this.confirm();
    if (fence && this.shifts && key === "Escape") return () => this.shown(thing, path);
    if (fence && !this.shifts && (letter === "p" || key === "Escape")) return () => this.shown(thing, [this.geometry.square(fence)]);
    if (key === "Escape") return path.length ? () => this.clear() : null;
    if (this.fences && from && (letter === "h" || letter === "v")) return () => this.shown(thing, this.shifts ? path : [], this.geometry.slotBy(from, letter));
    if (key === "Backspace") return () => this.shown(thing, path.slice(0, -1));
    return named && this.things.length > 1 ? () => this.shown(named) : null;
  }

  step(from, dx, dy) {
    const spot = this.geometry.beyond(from, dx, dy);
    if (!spot) return;
    const kept = this.shifts || (this.walks && !this.fence) ? this.path : [];
    this.shown(this.thing, this.fence ? kept : [...kept, spot], this.fence && spot);
  }

  // Of a few spots that a move may begin with, the next one.
  turnOver(by) {
    const spots = this.next([]);
    const at = spots.indexOf(this.path[0]);
    this.shown(this.thing, [spots[at < 0 ? 0 : (at + by + spots.length) % spots.length]]);
  }

  shown(...taken) {
    this.take(...taken);
    this.tell();
  }

  clear() {
    this.reset();
    this.show();
  }

  confirm() {
    const { choice, thing, path, fence } = this;
    if (choice) this.clear();
    if (choice) this.act.play({ move: choice.move });
    else if (this.spot) this.act.play(fence ? (this.shifts ? { thing, path, fence } : { fence }) : { thing, path });
  }

  // What was tapped, bare: as it is shown where it is no move, or none yet, or where there is no room.
  get bare() {
    const { title } = this.view.look(this.fence ? "fence" : this.thing);
    return capital(`${title}: ${this.fence ?? this.path.join(", ")}`);
  }

  // What was tapped, as the table calls it.
  get called() {
    return this.choice ? capital(this.choice.text) : this.bare;
  }

  tell() {
    this.show();
    const spot = this.spot;
    const here = spot && this.state.position[spot];
    const more = this.choice ? "" : this.goesOn ? ", go on" : ", not allowed";
    const name = this.thing ? this.view.look(this.thing).title : "";
    this.parts.words.textContent = spot || this.choice ? `${this.called}${here ? ` (${this.view.look(here).title})` : ""}${more}` : name;
  }

  // Whether legal walks begin like this.
  get goesOn() {
    return this.walks && !this.fence && this.path.length > 0 && this.along(this.path).length > 0;
  }

  show() {
    const { choice, thing, path, fence, open, walks } = this;
    const tapped = open && (this.spot || choice);
    const lifted = this.shifts && !fence; // a fence that goes nowhere yet
    this.view.preview(tapped && !lifted ? { thing, path, fence } : null, choice ? "good" : this.goesOn ? "maybe" : "bad");
    const chosen = open && this.things.length > 1 && thing ? spotOf(this.state, thing) : open && this.shifts ? path[0] : null;
    this.view.cursor(this.spot && !lifted ? (this.keyboard ? this.spot : null) : chosen);
    const quiet = walks ? !open || this.asked : !person(this.state) || this.state.verdict.kind === "set up";
    this.view.showTargets(quiet ? [] : this.next(walks ? path : []), walks ? "step" : "");
    this.fillBar(tapped && (this.spot || this.state.choices.length > 1));
    this.parts.bar.classList.toggle("idle", !this.spot && this.asked);
  }

  // A button that is being pressed, or has the focus, is not replaced by its twin.
  fillBar(tapped) {
    const key = JSON.stringify([this.thing, this.path, this.fence, this.note, this.moment, this.rolls, this.state.tap]);
    if (this.filled === key) return;
    this.filled = key;
    this.parts.bar.replaceChildren(...(tapped ? this.buttons() : [this.hint(), ...this.meanings()]));
  }

  // A switch for each thing that has to be said of a walk before it is made.
  meanings() {
    if (!this.open || this.asked) return [];
    return this.notes.map((note) =>
      html("button", { class: "button", "data-note": note, "aria-pressed": String(note === this.note), onclick: () => this.mean(note) }, capital(note)),
    );
  }

  hint() {
    const { tap, chance } = this.state;
    const button = (text, onclick) => html("button", { class: "button primary wide", onclick }, text);
    if (this.rolls) return button(chance, () => this.act.roll());
    if (this.open && this.choice) return button(tap, () => this.confirm()); // there is nothing else
    return html("p", { class: "entry-hint" }, this.open ? tap : "");
  }

  buttons() {
    const { choice, thing, fence, goesOn } = this;
    const turned = fence && this.geometry.turned(fence);
    const rotate = { class: "button square-button", "aria-label": "Rotate the fence", onclick: () => this.shown(thing, this.shifts ? this.path : [], turned) };
    const play = { class: `button ${choice ? "primary" : "danger"}`, id: "play", onclick: () => this.confirm() };
    const more = goesOn && (this.shifts || this.next(this.path).length) ? " …" : "";
    return [
      html("p", { class: "entry-move" }, fence && !this.shifts ? this.bare : `${this.called}${more}`),
      fence ? html("button", rotate, icon("turn")) : null,
      html("button", { class: "button", onclick: () => this.clear() }, "Cancel"),
      choice || !goesOn ? html("button", play, choice ? "Play" : "Why not?") : null,
    ].filter(Boolean);
  }
}

function within({ x, y, width, height }, px, py) {
  return px >= x && px <= x + width && py >= y && py <= y + height;
}
