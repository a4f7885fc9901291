// A visitor's hand on the simulated table: lift, carry and put, in that order and not too often. The
// hand is free again as soon as it lets go, however long the table takes to hear of it.

import { followHand } from "./draw.js";

const CARRY_MS = 100;
const START_MM = 3; // less than this is a click
const SNAP_SLOT_MM = 15;
const SNAP_SQUARE_MM = 9.5;
const AWAY_MM = 1000; // well beside the board
const TURN = 15; // degrees, with Shift

export class Drag {
  // `hooks`: post(path, body), changed(holding), rested(), clicked(id), clears(body, spot).
  constructor(top, hooks) {
    this.top = top;
    this.geometry = top.geometry;
    this.hooks = hooks;
    this.held = null;
    this.resting = new Map(); // what was put down, until the table has heard of it
    this.pending = 0;
    this.last = Promise.resolve();
    const { root } = top;
    root.addEventListener("pointerdown", (event) => this.down(event));
    followHand(root, ".body", (event) => this.move(event), (event) => this.up(event));
    root.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.turn(event.shiftKey);
    });
    root.addEventListener("wheel", (event) => {
      if (!this.held) return;
      event.preventDefault();
      this.turn(event.shiftKey);
    }, { passive: false });
    document.addEventListener("keydown", (event) => event.key.toLowerCase() === "r" && this.turn(event.shiftKey));
  }

  get holding() {
    return this.held?.lifted ? this.held.id : null;
  }

  // The things of which the hand knows better than the table where they are.
  get known() {
    return new Set([...this.resting.keys(), ...(this.held ? [this.held.id] : [])]);
  }

  down(event) {
    if (this.held && event.pointerId !== this.held.pointer) return this.turn(); // a second finger
    if (event.button !== 0 || this.held) return;
    const element = event.target.closest?.(".body");
    const here = element?.dataset.id;
    const body = this.resting.get(here) ?? this.top.view?.bodies.find(({ id }) => id === here);
    if (!body) return this.hooks.clicked(null);
    event.preventDefault();
    this.top.root.setPointerCapture(event.pointerId);
    const [x, y] = this.top.point(event);
    this.held = { ...body, from: [x, y], grip: [body.x - x, body.y - y], pointer: event.pointerId, lifted: false, byHand: false };
  }

  move(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const [x, y] = this.top.point(event);
    if (!held.lifted) {
      if (Math.hypot(x - held.from[0], y - held.from[1]) < START_MM) return;
      this.liftUp(held);
    }
    held.x = x + held.grip[0];
    held.y = y + held.grip[1];
    held.straight = event.shiftKey;
    if (held.kind === "fence" && !held.byHand && this.overField(held))
      held.angle = this.geometry.sideAt(held.x, -held.y, Math.abs(held.angle) < 45 ? "h" : "v") === "h" ? 0 : 90;
    this.show(held);
    this.carry();
  }

  liftUp(held) {
    held.lifted = true;
    held.flat = false;
    held.state = "held";
    held.grip = held.grip.map((part) => part * 0.4);
    this.send("lift", { id: held.id });
    this.sentAt = performance.now();
    this.hooks.changed(held.id);
  }

  show(held) {
    this.top.place(held);
    const element = this.top.bodies.get(held.id);
    element.classList.add("dragging");
    if (element.nextSibling) element.parentNode.append(element);
    this.top.showHands([{ x: held.x, y: held.y, angle: 90 }], true);
    this.top.showLanding(this.landing(held));
  }

  // Carries go out one at a time, the newest place only.
  carry() {
    if (this.carrying) return;
    this.carrying = setTimeout(() => {
      this.carrying = null;
      if (!this.held?.lifted || this.pending) return;
      this.send("carry", place(this.held));
    }, CARRY_MS);
  }

  up(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    if (event.type === "pointerup") this.move(event); // the hand lets go where it is now
    clearTimeout(this.carrying);
    this.carrying = null;
    this.held = null;
    if (!held.lifted) return this.hooks.clicked(held.id);
    const spot = this.landing(held);
    if (spot) {
      const [x, y] = this.geometry.at(spot);
      [held.x, held.y] = [x, -y];
      for (const taken of this.hooks.clears(held, spot)) this.send("put", { id: taken, x: AWAY_MM, y: 0 });
    }
    held.state = "board";
    this.resting.set(held.id, held);
    this.top.place(held);
    this.top.bodies.get(held.id).classList.remove("dragging");
    this.top.showHands([]);
    this.top.showLanding(null);
    this.hooks.changed(null);
    this.send("put", place(held)).finally(() => {
      if (this.resting.get(held.id) === held) this.resting.delete(held.id);
      this.hooks.rested();
    });
  }

  turn(little = false) {
    const { held } = this;
    if (!held || held.kind !== "fence") return;
    held.byHand = true;
    held.angle = little ? (held.angle + TURN) % 180 : held.angle === 0 ? 90 : 0;
    if (held.lifted) {
      this.show(held);
      this.carry();
    }
  }

  overField({ x, y }) {
    return Math.abs(x) < this.geometry.width / 2 + 8 && Math.abs(y) < this.geometry.height / 2 + 8;
  }

  // The spot where a held thing would come to rest, none when it is put down crooked.
  landing(held) {
    if (held.straight || !this.overField(held)) return null;
    const [x, y] = [held.x, -held.y];
    const fence = held.kind === "fence";
    const spot = fence ? this.geometry.nearestSlot(x, y, held.angle === 0 ? "h" : "v") : this.geometry.nearestSquare(x, y);
    const near = spot && this.geometry.distance(spot, x, y) < (fence ? SNAP_SLOT_MM : SNAP_SQUARE_MM);
    return near ? spot : null;
  }

  // Requests go out in the order of the hand's doings.
  send(what, body) {
    this.pending += 1;
    const sent = this.last.then(() => this.hooks.post(`/api/sim/${what}`, body));
    this.last = sent.finally(() => (this.pending -= 1));
    return this.last;
  }
}

const place = ({ id, x, y, angle }) => ({ id, x: round(x), y: round(y), angle });
const round = (value) => Math.round(value * 10) / 10;
