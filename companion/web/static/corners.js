// Four corners in a picture: the grid between them, and the handles to drag them by.

import { followHand, pointIn, svg } from "./draw.js";

export const NAMES = ["a1", "i1", "i9", "a9"];
const REACH_CSS = 24; // a finger is this wide around what it touches
const RING_CSS = 11;

// The map from the unit square (a1 at 0,0 and i9 at 1,1) to four points, as eight numbers.
export function perspective([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (dx3 * dy2 - dx2 * dy3) / whole;
  const h = (dx1 * dy3 - dx3 * dy1) / whole;
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / depth,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / depth,
    ];
  };
}

// The lines of a board of nine squares a side between four corners: its sides, then its grooves.
export function gridBetween(corners, { cell, groove }) {
  const at = perspective(corners);
  const pitch = cell + groove;
  const field = 9 * cell + 8 * groove;
  const places = [0, 1];
  for (let n = 1; n < 9; n++) places.push((n * pitch - groove / 2) / field);
  return places.flatMap((place) => [[at(place, 0), at(place, 1)], [at(0, place), at(1, place)]]);
}

export class Handles {
  // `hooks`: changed(corners) after every change made by hand, looking(number or null) at which
  // corner somebody is working.
  constructor(root, hooks) {
    this.root = root;
    this.hooks = hooks;
    this.corners = null;
    this.held = null;
    this.scale = 1;
    this.size = [1, 1];
    this.handles = NAMES.map((name, number) => this.make(name, number));
    this.layer = svg("g", {}, ...this.handles);
    followHand(root, ".handle", (event) => this.drag(event), (event) => this.drop(event));
  }

  make(name, number) {
    const handle = svg(
      "g",
      { class: "handle", tabindex: "0", role: "button", "data-corner": name },
      svg("circle", { class: "reach" }),
      svg("circle", { class: "ring" }),
      svg("circle", { class: "dot" }),
      svg("text", {}, name),
    );
    handle.addEventListener("pointerdown", (event) => this.take(event, number));
    handle.addEventListener("keydown", (event) => this.key(event, number));
    handle.addEventListener("focus", () => handle.matches(":focus-visible") && this.hooks.looking(number));
    handle.addEventListener("blur", () => this.hooks.looking(null));
    return handle;
  }

  // Shows the handles at these corners, of a picture of this size drawn at this many pixels a dot.
  show(corners, size, scale) {
    this.corners = corners.map((corner) => [...corner]);
    this.size = size;
    this.scale = scale;
    this.draw();
  }

  draw() {
    const { scale } = this;
    this.corners.forEach(([x, y], number) => {
      const handle = this.handles[number];
      const [reach, ring, dot, text] = handle.children;
      handle.setAttribute("transform", `translate(${x} ${y})`);
      handle.setAttribute("aria-label", `Corner ${NAMES[number]}, at ${Math.round(x)} across and ${Math.round(y)} down`);
      reach.setAttribute("r", REACH_CSS * scale);
      ring.setAttribute("r", RING_CSS * scale);
      dot.setAttribute("r", 1.6 * scale);
      text.setAttribute("font-size", 14 * scale);
      text.setAttribute("y", (number < 2 ? 28 : -18) * scale);
    });
  }

  take(event, number) {
    if (event.button !== 0 || this.held || !this.corners) return;
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
    const [x, y] = pointIn(this.root, event);
    const corner = this.corners[number];
    this.held = { number, pointer: event.pointerId, grip: [corner[0] - x, corner[1] - y] };
    const handle = this.handles[number];
    handle.classList.add("held");
    handle.focus({ preventScroll: true });
    this.hooks.looking(number);
  }

  drag(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const [x, y] = pointIn(this.root, event);
    this.put(held.number, x + held.grip[0], y + held.grip[1]);
  }

  drop(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    this.held = null;
    this.handles[held.number].classList.remove("held");
    this.hooks.looking(null);
  }

  key(event, number) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if ((!dx && !dy) || !this.corners) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const [x, y] = this.corners[number];
    this.put(number, x + dx * far, y + dy * far);
  }

  put(number, x, y) {
    const [width, height] = this.size;
    this.corners[number] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
    this.draw();
    this.hooks.changed(this.corners);
    this.hooks.looking(number);
  }
}
