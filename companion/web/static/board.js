// The board as a picture: what is agreed, what was last played, what may be played, and what is
// wrong. It draws what it is told and knows no rules.

import { arrowHead, line, piece, sightBand, svg } from "./draw.js";
import { isSlot, isSquare } from "./geometry.js";
import { lying, nextChange } from "./guide.js";
import { livesAtStart } from "./seats.js";
import { PACMAN, company, isWalked, movers, parse, spotOf } from "./walks.js";

const NEAR = 13; // room for the coordinates, in millimetres
const FAR = 6;
const BENCH = 20; // room beside the board in games that take pieces off it
const PAWN = 0.37; // of a cell

export class BoardView {
  constructor(root, geometry) {
    this.geometry = geometry;
    this.looks = geometry.board.pieces;
    this.root = root;
    this.pawns = new Map();
    this.fences = new Map();
    this.pellets = new Map();
    this.layers = {};
    root.append(svg("defs", {}, arrowHead("fix"), arrowHead("went"), arrowHead("lead", 3.2)));
    for (const name of ["ground", "bench", "sight", "last", "targets", "fences", "pellets", "pawns", "seen", "preview", "marks", "cursor"])
      root.append((this.layers[name] = svg("g", { class: `layer-${name}` })));
    this.drawGround();
  }

  drawGround() {
    const { geometry } = this;
    const { width, height, cell } = geometry;
    const ground = this.layers.ground;
    this.rim = svg("rect", { class: "rim", rx: 7 });
    ground.append(this.rim);
    this.makeRoom(FAR);
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

  // Leaves this much beside the board, to the right.
  makeRoom(far) {
    if (this.far === far) return;
    this.far = far;
    const { width, height } = this.geometry;
    const box = { x: -width / 2 - NEAR, y: -height / 2 - FAR, width: width + NEAR + far, height: height + NEAR + FAR };
    this.root.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    for (const [name, value] of Object.entries(box)) this.rim.setAttribute(name, value);
  }

  render(state) {
    this.state = state;
    this.company = company(state);
    this.makeRoom(this.company ? BENCH : FAR);
    const here = lying(state);
    this.placePawns(state, here.pawns);
    this.placePellets(here.pellets);
    this.placeFences(here.fences);
    this.showLives(state);
    this.showSight(state);
    this.showLast(state);
    const own = state.to_act !== null && state.seats[state.to_act].level != null;
    const quiet = own || isWalked(state) || state.verdict.kind === "set up";
    this.showTargets(quiet ? [] : state.legal.filter(isSquare));
    this.showVerdict(state.verdict);
  }

  placePawns(state, here) {
    const off = (this.company ?? []).filter((thing) => !here.has(thing));
    for (const [thing, element] of this.pawns)
      if (!here.has(thing) && !off.includes(thing)) {
        element.remove();
        this.pawns.delete(thing);
      }
    const active = state.verdict.kind === "set up" ? [] : movers(state); // one thing at a time
    for (const thing of [...off, ...here.keys()]) {
      let element = this.pawns.get(thing);
      if (!element) {
        const r = this.geometry.cell * PAWN;
        element = svg("g", { class: "pawn", "data-piece": thing }, svg("circle", { class: "halo", r: r * 1.28 }), piece(this.look(thing), r));
        this.pawns.set(thing, element);
        this.layers.pawns.append(element);
      }
      const spot = here.get(thing);
      const [x, y] = spot ? this.geometry.at(spot) : this.bench(thing);
      element.style.transform = `translate(${x}px, ${y}px)${spot ? "" : " scale(0.8)"}`;
      element.setAttribute("data-spot", spot ?? "");
      element.classList.toggle("active", Boolean(spot) && active.includes(thing));
      element.classList.toggle("off", !spot);
    }
  }

  // Where a piece waits beside the board.
  bench(thing) {
    const { width, height } = this.geometry;
    const place = Math.max(this.company?.indexOf(thing) ?? 0, 0);
    return [width / 2 + BENCH / 2 + 1, -height / 2 + 10 + place * 21];
  }

  placePellets(here) {
    for (const [spot, element] of this.pellets)
      if (!here.has(spot)) {
        element.remove();
        this.pellets.delete(spot);
      }
    for (const spot of here)
      if (!this.pellets.has(spot)) {
        const element = this.thing("pellet", spot, "pellet-here");
        this.pellets.set(spot, element);
        this.layers.pellets.append(element);
      }
  }

  placeFences(here) {
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

  // Little Pac-Men beside the board, one for each life.
  showLives(state) {
    const { width, height } = this.geometry;
    const left = state.tallies?.lives?.[0];
    const pacs = [];
    for (let n = 0; left !== undefined && n < livesAtStart(state); n++)
      pacs.push(
        svg(
          "g",
          { class: `life${n < left ? "" : " gone"}`, transform: `translate(${width / 2 + BENCH / 2 + 1} ${height / 2 - 8 - 16 * n})` },
          piece(this.look(PACMAN), 6),
        ),
      );
    this.layers.bench.replaceChildren(...pacs);
  }

  showSight(state) {
    const quiet = state.outcome || state.verdict.kind === "set up";
    const bands = Object.keys(quiet ? {} : (state.sight ?? {})).map((ghost) => {
      const ends = [ghost, PACMAN].map((thing) => spotOf(state, thing));
      if (!ends.every(Boolean)) return null;
      const [from, to] = ends.map((spot) => this.geometry.at(spot));
      return sightBand(from, to, this.geometry.cell * 0.62, this.look(ghost).colour, ghost);
    });
    this.layers.sight.replaceChildren(...bands.filter(Boolean));
  }

  showLast(state) {
    const layer = this.layers.last;
    layer.replaceChildren();
    for (const element of this.fences.values()) element.classList.remove("last");
    if (state.verdict.kind === "set up") return; // one arrow at a time
    for (const { source, target } of state.last_changes) {
      if (source && target && !isSlot(source)) {
        layer.append(this.tile(source, "from"), this.tile(target, "to"), this.arrow(this.geometry.at(source), this.geometry.at(target), "went"));
      } else if (target && isSlot(target)) {
        this.fences.get(target)?.classList.add("last");
      }
    }
  }

  // Where a move may go: dots, or rings for the steps of a walk.
  showTargets(squares, kind = "") {
    this.layers.targets.replaceChildren(
      ...squares.map((square) => {
        const [cx, cy] = this.geometry.at(square);
        return svg("circle", { class: `target ${kind}`, cx, cy, r: kind ? 3.6 : 2.3, "data-target": square });
      }),
    );
  }

  showVerdict(verdict) {
    const seen = this.layers.seen;
    const marks = this.layers.marks;
    seen.replaceChildren();
    marks.replaceChildren();
    if (verdict.kind === "set up" && verdict.repair.length) this.lead(verdict.repair);
    if (verdict.kind === "unsure") this.ask(verdict.moves);
    const loose = verdict.kind === "set up" && !verdict.repair.length; // nothing but to take off what lies there
    if (verdict.kind !== "not allowed" && !loose) return;
    for (const change of verdict.changes) {
      if (!change.target) continue;
      seen.append(this.thing(change.thing, change.target, "seen"));
      marks.append(this.outline(change.target, "wrong"));
    }
    for (const place of verdict.places)
      if (!verdict.changes.some((change) => change.target === place)) marks.append(this.outline(place, "wrong"));
    for (const change of verdict.repair) {
      if (change.target) seen.append(this.outline(change.target, "goal"));
      marks.append(this.arrow(...this.ends(change), "fix"));
    }
  }

  // The moves that are asked about, with their numbers when there are several.
  ask(moves) {
    const { seen, marks } = this.layers;
    moves.forEach((move, n) => {
      const shown = this.shape(move, "asked");
      seen.append(...shown);
      if (moves.length > 1) marks.append(...this.number(shown.at(-1), n + 1));
    });
  }

  // A number on the corner of what an element frames.
  number(element, n) {
    const [x, y] = ["x", "y"].map((name) => Number(element.getAttribute(name)));
    return [svg("circle", { class: "asked-badge", cx: x, cy: y, r: 5 }), svg("text", { class: "asked-number", x, y: y + 2.6 }, String(n))];
  }

  // One thing at a time, with a clear arrow; what is to come is only hinted at.
  lead(repair) {
    const { seen, marks } = this.layers;
    const next = nextChange(repair);
    for (const change of repair) if (change.target && change !== next) seen.append(this.outline(change.target, "later"));
    if (next.target) {
      seen.append(this.thing(next.thing, next.target, "goal-thing"));
      marks.append(this.outline(next.target, "goal"));
    }
    if (next.source) marks.append(this.outline(next.source, "goal"));
    if (next.source !== next.target) marks.append(this.arrow(...this.ends(next), "casing"), this.arrow(...this.ends(next), "lead"));
  }

  // Where a change begins and ends; what is not on the board is beside it.
  ends({ thing, source, target }) {
    const on = (spot) => this.geometry.at(spot);
    const beside = (spot) => (this.company?.includes(thing) ? this.bench(thing) : this.edge(on(spot)));
    return [source ? on(source) : beside(target), target ? on(target) : beside(source)];
  }

  // Shows a move before it is played; `mood` is "good", "bad" or "maybe".
  preview(move, mood = "good") {
    this.layers.preview.replaceChildren(...(move && this.state ? this.shape(move, mood) : []));
  }

  // Shows a walk before it is played.
  walk(walked, mood) {
    this.layers.preview.replaceChildren(...this.walkShape(walked, mood));
  }

  // What a move would look like; its frame comes last.
  shape(move, mood) {
    if (this.state.to_act === null) return [];
    if (isWalked(this.state)) return this.walkShape(parse(move), mood);
    if (move.length > 3) return [];
    const fence = isSlot(move);
    const mover = this.state.seats[this.state.to_act].piece;
    return [this.thing(fence ? "fence" : mover, move, `preview ${mood}`), ...(fence ? [] : [this.outline(move, mood)])];
  }

  // The squares of a walk as a line from where the piece stands.
  walkShape({ piece: thing, path }, mood) {
    const start = spotOf(this.state, thing);
    if (!start) return [];
    if (!path.length) return [this.outline(start, mood)];
    const points = [start, ...path].map((spot) => this.geometry.at(spot).join(" "));
    return [
      svg("polyline", { class: `walk ${mood}`, points: points.join(", "), "data-walk": path.join("-") }),
      this.thing(thing, path.at(-1), `preview ${mood}`),
      this.outline(path.at(-1), mood),
    ];
  }

  cursor(spot) {
    this.layers.cursor.replaceChildren();
    if (spot) this.layers.cursor.append(this.outline(spot, "cursor"));
  }

  look(thing) {
    if (thing === "pellet") return this.geometry.board.pellet ?? { shape: "pellet", colour: "#f8eaac" };
    return this.looks[thing] ?? { shape: "ghost", colour: "#aab", title: thing };
  }

  thing(thing, spot, kind) {
    if (thing === "fence") return this.fence(spot, kind);
    const [x, y] = this.geometry.at(spot);
    const r = thing === "pellet" ? 4.4 : this.geometry.cell * PAWN;
    return svg("g", { class: kind, transform: `translate(${x} ${y})`, "data-spot": spot, "data-thing": thing }, piece(this.look(thing), r));
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

  arrow(from, to, kind) {
    const [before, behind] = { went: [9.5, 11.5], fix: [6, 6] }[kind] ?? [4, 5];
    const head = kind === "casing" ? {} : { "marker-end": `url(#head-${kind})` };
    return line(from, to, before, behind, { class: `arrow ${kind}`, ...head });
  }

  edge([x, y]) {
    const { width, height } = this.geometry;
    if (Math.abs(x) >= Math.abs(y)) return [Math.sign(x || 1) * (width / 2 + 4), y];
    return [x, Math.sign(y) * (height / 2 + 4)];
  }
}
