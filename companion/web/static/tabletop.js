// The simulated table as a picture from above: wood, frame, markers, lights, bodies and hands.

import { arrowHead, field, lamp, line, piece, pointIn, sightBand, svg } from "./draw.js";
import { choiceOf, endOf, movers, sights } from "./state.js";

export class Tabletop {
  constructor(root, geometry) {
    this.root = root;
    this.geometry = geometry;
    this.board = geometry.board;
    this.bodies = new Map();
    this.hands = [];
    this.leds = new Map();
    const edge = this.board.frame / 2;
    this.halfWidth = edge + this.board.fence.length + 24;
    this.halfHeight = edge + 26;
    root.setAttribute("viewBox", `${-this.halfWidth} ${-this.halfHeight} ${2 * this.halfWidth} ${2 * this.halfHeight}`);
    this.defs = svg("defs", {}, arrowHead("lead", 3.2));
    root.append(this.defs);
    this.layers = {};
    for (const name of ["ground", "lights", "sight", "hints", "landing", "bodies", "guide", "hands"])
      root.append((this.layers[name] = svg("g", { class: `layer-${name}` })));
    this.drawGround();
    this.drawLights();
  }

  drawGround() {
    const { ground } = this.layers;
    const { geometry, board, halfWidth, halfHeight } = this;
    const box = (name, half, rx) => svg("rect", { class: name, x: -half, y: -half, width: 2 * half, height: 2 * half, rx });
    ground.append(svg("rect", { class: "wood", x: -halfWidth, y: -halfHeight, width: 2 * halfWidth, height: 2 * halfHeight }));
    for (let n = 0; n < 13; n++) {
      const y = -halfHeight + (n + 0.5) * (halfHeight / 6.5);
      const bend = ((n * 7) % 5) - 2;
      ground.append(svg("path", { class: "grain", d: `M${-halfWidth} ${y} C${-halfWidth / 3} ${y + 6 * bend} ${halfWidth / 3} ${y - 5 * bend} ${halfWidth} ${y + 3 * bend}` }));
    }
    const tray = board.fence.length + 12;
    for (const x of [-board.frame / 2 - 4 - tray, board.frame / 2 + 4])
      ground.append(svg("rect", { class: "tray", x, y: -124, width: tray, height: 248, rx: 8 }));
    ground.append(box("frame", board.frame / 2, 8), box("slab", board.board / 2, 5));
    for (const [x, y] of board.markers.at) ground.append(marker(x, -y, board.markers.size));
    ground.append(...field(geometry, { class: "spot-cell", rx: 2 }, "engraved", { below: 5.2, left: 3.8, lowered: 1.8 }));
  }

  drawLights() {
    for (const light of this.board.lights) {
      const [cx, cy] = [light.at[0], -light.at[1]];
      const stops = [svg("stop", { offset: 0 }), svg("stop", { offset: 0.35, "stop-opacity": 0.55 }), svg("stop", { offset: 1, "stop-opacity": 0 })];
      this.defs.append(svg("radialGradient", { id: `led-${light.led}` }, ...stops));
      const shine = svg("circle", { class: "led-glow", cx, cy, r: 15, opacity: 0, fill: `url(#led-${light.led})` });
      const core = svg("circle", { class: "led-core", cx, cy, r: 2.6, opacity: 0 });
      this.layers.lights.append(svg("circle", { class: "led-off", cx, cy, r: 2.6 }), shine, core);
      this.leds.set(light.led, { shine, core, stops, colour: "" });
    }
  }

  // The eye sees dim light brighter than its number (gamma).
  showLights(colours) {
    for (const [number, led] of this.leds) {
      const colour = String(colours[number]);
      if (led.colour === colour) continue;
      led.colour = colour;
      const { shine, core, stops } = led;
      const { share, fill } = lamp(colours[number]);
      for (const stop of stops) stop.setAttribute("stop-color", fill);
      core.setAttribute("fill", fill);
      shine.setAttribute("opacity", share ? (0.2 + 0.6 * share ** 0.5).toFixed(2) : 0);
      core.setAttribute("opacity", share ? (0.45 + 0.55 * share ** 0.4).toFixed(2) : 0);
    }
  }

  // Draws the table's view; what the visitor holds or has just put down stays where it is.
  show(view, known, holding) {
    this.view = view;
    for (const body of view.bodies) if (!known.has(body.id)) this.place(body);
    if (!holding && !known.size) this.showHands(view.hands);
  }

  place(body) {
    let element = this.bodies.get(body.id);
    const flat = Boolean(body.flat);
    if (!element || element.dataset.flat !== String(flat)) {
      element?.remove();
      element = this.draw(body, flat);
      element.dataset.flat = String(flat);
      this.bodies.set(body.id, element);
      this.layers.bodies.append(element);
    }
    const turn = body.kind === "fence" ? -body.angle : 0;
    element.style.transform = `translate(${body.x}px, ${-body.y}px) rotate(${turn}deg)`;
    element.classList.toggle("skewed", body.state === "skewed");
    element.classList.toggle("held", body.state === "held");
  }

  draw(body, flat) {
    const element = svg("g", { class: `body ${body.kind}`, "data-id": body.id });
    if (body.kind !== "fence") {
      const look = this.board.pieces[body.thing] ?? this.board.pellet;
      const [cx, cy, ry, ring, grip] = body.kind === "pawn" ? [1.6, 0.8, 0.5, 1.35, 1.4] : [1, 0.7, 0.6, 1.5, 1.8];
      const r = look.diameter / 2;
      element.append(
        svg("ellipse", { class: "shade", cx, cy: r * cy, rx: r, ry: r * ry }),
        svg("circle", { class: "ring", r: r * ring }),
        piece(look, r),
        svg("circle", { class: "grip", r: r * grip }),
      );
      return element;
    }
    const { length, thickness, height } = this.board.fence;
    const width = flat ? height : thickness;
    const rect = (name, dx, dy, grow) =>
      svg("rect", { class: name, x: -length / 2 - grow + dx, y: -width / 2 - grow + dy, width: length + 2 * grow, height: width + 2 * grow, rx: 1.6 });
    element.append(rect("shade", 1.5, 2, 0), rect("plank", 0, 0, 0));
    if (flat) element.append(svg("line", { class: "plank-edge", x1: -length / 2 + 3, x2: length / 2 - 3, y1: width / 2 - 3.4, y2: width / 2 - 3.4 }));
    element.append(rect("grip", 0, 0, 4));
    return element;
  }

  showHands(hands, mine = false) {
    while (this.hands.length > hands.length) this.hands.pop().remove();
    hands.forEach((hand, n) => {
      if (!this.hands[n]) this.layers.hands.append((this.hands[n] = drawHand()));
      this.hands[n].classList.toggle("mine", mine);
      this.hands[n].style.transform = `translate(${hand.x}px, ${-hand.y}px) rotate(${90 - hand.angle}deg)`;
    });
  }

  // Marks who is to move, and where the pawn in the hand may go.
  showTurn(state, holding) {
    const active = movers(state);
    const led = state.verdict.kind === "set up"; // one thing at a time
    for (const [id, element] of this.bodies) element.classList.toggle("active", !led && active.includes(id));
    const held = state.choices.filter(({ thing }) => thing && thing === holding);
    const targets = new Set(held.map(endOf).filter(Boolean));
    this.layers.hints.replaceChildren(
      ...[...targets].map((square) => {
        const [cx, cy] = this.geometry.at(square);
        return svg("circle", { class: "may", cx, cy, r: 2.4 });
      }),
    );
    const colour = (thing) => this.board.pieces[thing].colour;
    this.layers.sight.replaceChildren(...sights(state).map((sight) => sightBand(sight, this.geometry, colour(sight.by))));
    this.showGuide(state, holding);
  }

  // An arrow from where the next thing lies to where it belongs.
  showGuide(state, holding) {
    const { kind, moves, repair } = state.verdict;
    const change = kind === "set up" && !holding ? repair[0] : null;
    const places = kind === "unsure" ? moves.map((move) => endOf(choiceOf(state, move))) : [];
    this.layers.guide.replaceChildren(...this.questions(places));
    if (!change) return;
    const out = this.board.frame / 2 + 18;
    const pushed = change.source && change.source === change.target;
    const from = pushed ? this.lies(change.thing) : change.source ? this.geometry.at(change.source) : this.lies(change.thing, "supply");
    const to = change.target ? this.geometry.at(change.target) : this.geometry.beside(from, out, out - 6);
    if (!from) return;
    if (change.target) this.layers.guide.append(svg("rect", { class: "goal-place", rx: 2.4, ...this.geometry.box(change.target) }));
    for (const kind of ["casing", "lead"])
      this.layers.guide.append(line(from, to, 4, 5, { class: `arrow ${kind}`, "marker-end": kind === "lead" ? "url(#head-lead)" : null }));
  }

  // The places that are asked about, with their numbers when there are several.
  questions(places) {
    return places.flatMap((spot, n) => {
      if (!spot) return [];
      const box = this.geometry.box(spot);
      const label = places.length > 1 ? [svg("text", { class: "asked-number", x: box.x, y: box.y }, String(n + 1))] : [];
      return [svg("rect", { class: "asked-place", rx: 2.4, "data-place": spot, ...box }), ...label];
    });
  }

  // Where a thing really is; in this state, such as beside the board, if one is given.
  lies(thing, state = null) {
    const body = this.view?.bodies.find((other) => other.thing === thing && (!state || other.state === state));
    return body ? [body.x, -body.y] : null;
  }

  showLanding(spot) {
    this.layers.landing.replaceChildren();
    if (spot) this.layers.landing.append(svg("rect", { class: "where", rx: 2.4, ...this.geometry.box(spot) }));
  }

  select(id) {
    for (const [other, element] of this.bodies) element.classList.toggle("selected", other === id);
  }

  // Where a pointer is, in millimetres with y to the north.
  point(event) {
    const [x, y] = pointIn(this.root, event);
    return [x, -y];
  }
}

function marker(x, y, size) {
  const cell = size / 8;
  const group = svg("g", { transform: `translate(${x - size / 2} ${y - size / 2})`, "aria-hidden": "true" });
  group.append(svg("rect", { class: "marker-paper", x: -2, y: -2, width: size + 4, height: size + 4, rx: 1.5 }));
  group.append(svg("rect", { class: "marker-ink", width: size, height: size }));
  for (const [column, row] of [[2, 2], [3, 2], [5, 3], [2, 4], [4, 5], [5, 5]])
    group.append(svg("rect", { class: "marker-paper", x: column * cell, y: row * cell, width: cell, height: cell }));
  return group;
}

// A hand whose finger tips are at the origin and point up.
function drawHand() {
  const finger = (x, y, length, turn) =>
    svg("g", { transform: `translate(${x} ${y}) rotate(${turn})` },
      svg("rect", { class: "skin", x: -7, y: 0, width: 14, height: length, rx: 7 }),
      svg("rect", { class: "nail", x: -3.6, y: 2.4, width: 7.2, height: 7, rx: 3.2 }));
  return svg(
    "g",
    { class: "hand" },
    svg("rect", { class: "sleeve", x: -29, y: 150, width: 58, height: 420, rx: 8 }),
    finger(24, 20, 56, 10),
    finger(-23, 20, 56, -10),
    finger(9, 2, 68, 3),
    finger(-8, 0, 70, -3),
    finger(-36, 58, 50, -38),
    svg("path", { class: "palm", d: "M-22 170 C-22 126 -36 104 -33 70 Q0 58 33 72 C34 104 22 126 22 170Z" }),
  );
}
