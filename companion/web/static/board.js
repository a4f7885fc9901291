// The board as a picture: what is agreed, what was last played, what may be played, and what is
// wrong. It draws what it is told and knows no rules.

import { isSlot, isSquare } from "./geometry.js";
import { piece, svg } from "./draw.js";

const NEAR = 13; // room for the coordinates, in millimetres
const FAR = 6;

export class BoardView {
  constructor(root, geometry) {
    this.geometry = geometry;
    this.looks = geometry.board.pieces;
    this.pawns = new Map();
    this.fences = new Map();
    const { width, height } = geometry;
    root.setAttribute(
      "viewBox",
      `${-width / 2 - NEAR} ${-height / 2 - FAR} ${width + NEAR + FAR} ${height + NEAR + FAR}`,
    );
    this.layers = {};
    root.append(svg("defs", {}, arrowHead("fix"), arrowHead("went")));
    for (const name of ["ground", "last", "targets", "fences", "pawns", "seen", "preview", "marks", "cursor"])
      root.append((this.layers[name] = svg("g", { class: `layer-${name}` })));
    this.drawGround();
  }

  drawGround() {
    const { geometry } = this;
    const { width, height, cell } = geometry;
    const ground = this.layers.ground;
    ground.append(
      svg("rect", {
        class: "rim",
        x: -width / 2 - NEAR,
        y: -height / 2 - FAR,
        width: width + NEAR + FAR,
        height: height + NEAR + FAR,
        rx: 7,
      }),
    );
    for (const square of geometry.squares()) {
      const [x, y] = geometry.at(square);
      ground.append(
        svg("rect", { class: "cell", x: x - cell / 2, y: y - cell / 2, width: cell, height: cell, rx: 2.4 }),
      );
    }
    for (let column = 0; column < geometry.columns; column++) {
      const [x] = geometry.at(geometry.name(column, 0));
      ground.append(svg("text", { class: "coordinate", x, y: height / 2 + 9.4 }, geometry.name(column, 0)[0]));
    }
    for (let row = 0; row < geometry.rows; row++) {
      const [, y] = geometry.at(geometry.name(0, row));
      ground.append(svg("text", { class: "coordinate", x: -width / 2 - 6.6, y: y + 2.7 }, String(row + 1)));
    }
  }

  render(state) {
    this.state = state;
    this.placePawns(state);
    this.placeFences(state);
    this.showLast(state);
    this.showTargets(state);
    this.showVerdict(state.verdict);
  }

  placePawns(state) {
    const here = new Map();
    for (const [spot, thing] of Object.entries(state.position)) if (!isSlot(spot)) here.set(thing, spot);
    for (const [thing, element] of this.pawns)
      if (!here.has(thing)) {
        element.remove();
        this.pawns.delete(thing);
      }
    const active = state.to_act === null ? null : state.seats[state.to_act].piece;
    for (const [thing, spot] of here) {
      let element = this.pawns.get(thing);
      if (!element) {
        const r = this.geometry.cell * 0.37;
        element = svg("g", { class: "pawn", "data-piece": thing }, svg("circle", { class: "halo", r: r * 1.28 }), piece(this.look(thing), r));
        this.pawns.set(thing, element);
        this.layers.pawns.append(element);
      }
      const [x, y] = this.geometry.at(spot);
      element.style.transform = `translate(${x}px, ${y}px)`;
      element.setAttribute("data-spot", spot);
      element.classList.toggle("active", thing === active);
    }
  }

  placeFences(state) {
    const here = new Set(Object.keys(state.position).filter(isSlot));
    for (const [slot, element] of this.fences)
      if (!here.has(slot)) {
        element.remove();
        this.fences.delete(slot);
      }
    for (const slot of here)
      if (!this.fences.has(slot)) {
        const element = this.fence(slot, "fence");
        element.setAttribute("data-slot", slot);
        this.fences.set(slot, element);
        this.layers.fences.append(element);
      }
  }

  showLast(state) {
    const layer = this.layers.last;
    layer.replaceChildren();
    for (const element of this.fences.values()) element.classList.remove("last");
    for (const { source, target } of state.last_changes) {
      if (source && target && !isSlot(source)) {
        layer.append(this.tile(source, "from"), this.tile(target, "to"), this.arrow(source, target, "went"));
      } else if (target && isSlot(target)) {
        this.fences.get(target)?.classList.add("last");
      }
    }
  }

  showTargets(state) {
    const squares = state.legal.filter(isSquare);
    this.layers.targets.replaceChildren(
      ...squares.map((square) => {
        const [cx, cy] = this.geometry.at(square);
        return svg("circle", { class: "pellet", cx, cy, r: 2.3, "data-target": square });
      }),
    );
  }

  showVerdict(verdict) {
    const wrong = verdict.kind === "not allowed";
    const guide = wrong || verdict.kind === "set up";
    const seen = this.layers.seen;
    const marks = this.layers.marks;
    seen.replaceChildren();
    marks.replaceChildren();
    if (wrong) {
      for (const change of verdict.changes) {
        if (!change.target) continue;
        seen.append(this.thing(change.thing, change.target, "seen"));
        marks.append(this.outline(change.target, "wrong"));
      }
      for (const place of verdict.places)
        if (!verdict.changes.some((change) => change.target === place)) marks.append(this.outline(place, "wrong"));
    }
    if (guide)
      for (const change of verdict.repair) {
        if (change.target) seen.append(this.outline(change.target, "goal"));
        marks.append(this.arrow(change.source, change.target, "fix"));
      }
  }

  // Shows a move before it is played; `mood` is "good", "bad" or "maybe".
  preview(move, mood = "good") {
    const layer = this.layers.preview;
    layer.replaceChildren();
    if (!move || move.length > 3 || !this.state || this.state.to_act === null) return;
    const mover = this.state.seats[this.state.to_act].piece;
    layer.append(this.thing(isSlot(move) ? "fence" : mover, move, `preview ${mood}`));
    if (!isSlot(move)) layer.append(this.outline(move, mood));
  }

  cursor(spot) {
    this.layers.cursor.replaceChildren();
    if (spot) this.layers.cursor.append(this.outline(spot, "cursor"));
  }

  look(thing) {
    return this.looks[thing] ?? { shape: "ghost", colour: "#aab", title: thing };
  }

  thing(thing, spot, kind) {
    if (thing === "fence") return this.fence(spot, kind);
    const [x, y] = this.geometry.at(spot);
    return svg(
      "g",
      { class: kind, transform: `translate(${x} ${y})`, "data-spot": spot },
      piece(this.look(thing), this.geometry.cell * 0.37),
    );
  }

  fence(slot, kind) {
    if (!isSlot(slot)) return this.outline(slot, kind);
    return svg("rect", { class: `${kind} fence-shape`, ...this.geometry.fence(slot), rx: 2.2, "data-slot": slot });
  }

  tile(square, kind) {
    const { cell } = this.geometry;
    const [x, y] = this.geometry.at(square);
    return svg("rect", { class: `tile ${kind}`, x: x - cell / 2, y: y - cell / 2, width: cell, height: cell, rx: 2.4 });
  }

  // A frame round a square, a slot or a patch.
  outline(place, kind) {
    const { cell, groove } = this.geometry;
    const [x, y] = this.geometry.at(place);
    let box = { x: x - cell / 2, y: y - cell / 2, width: cell, height: cell };
    if (isSlot(place)) box = this.geometry.fence(place);
    else if (place.length === 3) {
      const [width, height] = { n: [cell, groove], e: [groove, cell], x: [groove, groove] }[place[2]];
      box = { x: x - width / 2, y: y - height / 2, width, height };
    }
    const grow = 1.4;
    return svg("rect", {
      class: `outline ${kind}`,
      "data-place": place,
      x: box.x - grow,
      y: box.y - grow,
      width: box.width + 2 * grow,
      height: box.height + 2 * grow,
      rx: 3.2,
    });
  }

  // From spot to spot; without one of them, from or to the nearest edge of the board.
  arrow(source, target, kind) {
    const a = source ? this.geometry.at(source) : this.edge(this.geometry.at(target));
    const b = target ? this.geometry.at(target) : this.edge(this.geometry.at(source));
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const gap = kind === "went" ? 9.5 : 6;
    const start = Math.min(gap, length / 3);
    const end = Math.min(kind === "went" ? 11.5 : gap, length / 2.4);
    const at = (from, share) => [from[0] + (b[0] - a[0]) * share, from[1] + (b[1] - a[1]) * share];
    const [x1, y1] = at(a, start / length);
    const [x2, y2] = at(b, -end / length);
    return svg("line", { class: `arrow ${kind}`, x1, y1, x2, y2, "marker-end": `url(#head-${kind})` });
  }

  edge([x, y]) {
    const { width, height } = this.geometry;
    if (Math.abs(x) >= Math.abs(y)) return [Math.sign(x || 1) * (width / 2 + 4), y];
    return [x, Math.sign(y) * (height / 2 + 4)];
  }
}

function arrowHead(kind) {
  return svg(
    "marker",
    { id: `head-${kind}`, viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
    svg("path", { class: `head ${kind}`, d: "M0 0 10 5 0 10 2.4 5Z" }),
  );
}
