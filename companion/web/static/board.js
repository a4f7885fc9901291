// The board as a picture: what is agreed, what was last played, what may be played, and what is
// wrong. It draws what it is told and knows no rules.

import { arrowHead, field, line, piece, sightBand, svg } from "./draw.js";
import { isSlot } from "./geometry.js";
import { choiceOf, lying, movers, sights, spotOf } from "./state.js";

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
    this.rim = svg("rect", { class: "rim", rx: 7 });
    const squares = field(this.geometry, { class: "cell", rx: 2.4 }, "coordinate", { below: 9.4, left: 6.6, lowered: 2.7 });
    this.layers.ground.append(this.rim, ...squares);
    this.makeRoom(FAR);
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
    this.makeRoom(state.beside.length ? BENCH : FAR);
    const here = lying(state);
    this.placePawns(state, here.pawns);
    this.placeMany(this.pellets, here.pellet, this.layers.pellets, (spot) => this.thing("pellet", spot, "pellet-here"));
    this.placeMany(this.fences, here.fence, this.layers.fences, (slot) => this.fence(slot, "fence"));
    this.showSpares(state);
    this.showSight(state);
    this.showLast(state);
    this.showVerdict(state.verdict);
  }

  placePawns(state, here) {
    const off = state.beside.filter((thing) => !here.has(thing));
    takeOff(this.pawns, new Set([...here.keys(), ...off]));
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
    const place = this.state.beside.indexOf(thing);
    return [width / 2 + BENCH / 2 + 1, -height / 2 + 10 + place * 21];
  }

  // Things of which there may be several: those that are gone are taken off, new ones put there.
  placeMany(shown, here, layer, draw) {
    takeOff(shown, here);
    for (const spot of here)
      if (!shown.has(spot)) {
        shown.set(spot, draw(spot));
        layer.append(shown.get(spot));
      }
  }

  // What a seat has several times of one piece, such as lives, stands beside the board as well.
  showSpares(state) {
    const { width, height } = this.geometry;
    const meters = state.seats.flatMap((seat) => seat.meters.map(({ tokens }) => tokens));
    const spares = meters.filter((tokens) => tokens.every(([thing]) => this.looks[thing] && thing === tokens[0][0])).flat();
    this.layers.bench.replaceChildren(
      ...spares.map(([thing, here], n) =>
        svg(
          "g",
          { class: `life${here ? "" : " gone"}`, transform: `translate(${width / 2 + BENCH / 2 + 1} ${height / 2 - 8 - 16 * n})` },
          piece(this.look(thing), 6),
        ),
      ),
    );
  }

  showSight(state) {
    this.layers.sight.replaceChildren(...sights(state).map((sight) => sightBand(sight, this.geometry, this.look(sight.by).colour)));
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
      const shown = this.shape(choiceOf(this.state, move), "asked");
      if (!shown.length) return;
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
    const [next, ...later] = repair;
    for (const change of later) if (change.target) seen.append(this.outline(change.target, "later"));
    if (next.target) {
      seen.append(this.thing(next.thing, next.target, "goal-thing"));
      marks.append(this.outline(next.target, "goal"));
    }
    if (next.source) marks.append(this.outline(next.source, "goal"));
    if (next.source !== next.target) marks.append(this.arrow(...this.ends(next), "casing"), this.arrow(...this.ends(next), "lead"));
  }

  // Where a change begins and ends; what is not on the board is beside it.
  ends({ thing, source, target }) {
    const { width, height } = this.geometry;
    const on = (spot) => this.geometry.at(spot);
    const edge = (spot) => this.geometry.beside(on(spot), width / 2 + 4, height / 2 + 4);
    const beside = (spot) => (this.state.beside.includes(thing) ? this.bench(thing) : edge(spot));
    return [source ? on(source) : beside(target), target ? on(target) : beside(source)];
  }

  // Shows a choice, or what was tapped, before it is played; `mood` is "good", "bad" or "maybe".
  preview(choice, mood = "good") {
    this.layers.preview.replaceChildren(...(choice && this.state ? this.shape(choice, mood) : []));
  }

  // What a choice would look like; its frame comes last. A walk is a line from where the piece stands.
  shape({ thing, path, fence } = {}, mood) {
    if (fence) return [this.thing("fence", fence, `preview ${mood}`)];
    const start = thing && spotOf(this.state, thing);
    if (!start && thing && path.length) return [this.thing(thing, path.at(-1), `preview ${mood}`), this.outline(path.at(-1), mood)]; // it comes in
    if (!start) return [];
    if (!path.length) return [this.outline(start, mood)];
    const end = path.at(-1);
    const points = [start, ...path].map((spot) => this.geometry.at(spot).join(" "));
    const line = svg("polyline", { class: `walk ${mood}`, points: points.join(", "), "data-walk": path.join("-") });
    return [...(this.state.entry === "walk" ? [line] : []), this.thing(thing, end, `preview ${mood}`), this.outline(end, mood)];
  }

  cursor(spot) {
    this.layers.cursor.replaceChildren(...(spot ? [this.outline(spot, "cursor")] : []));
  }

  look(thing) {
    const { fence, pellet } = this.geometry.board;
    if (thing === "fence") return fence;
    if (thing === "pellet") return pellet ?? { shape: "pellet", colour: "#f8eaac", title: thing };
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
    return svg("rect", { class: `${kind} fence-shape`, ...this.geometry.box(slot), rx: 2.2, "data-slot": slot });
  }

  tile(square, kind) {
    return svg("rect", { class: `tile ${kind}`, ...this.geometry.box(square), rx: 2.4 });
  }

  // A frame round a square, a slot or a patch.
  outline(place, kind) {
    const grow = 1.4;
    const { x, y, width, height } = this.geometry.box(place);
    const around = { x: x - grow, y: y - grow, width: width + 2 * grow, height: height + 2 * grow };
    return svg("rect", { class: `outline ${kind}`, "data-place": place, ...around, rx: 3.2 });
  }

  arrow(from, to, kind) {
    const [before, behind] = { went: [9.5, 11.5], fix: [6, 6] }[kind] ?? [4, 5];
    const head = kind === "casing" ? {} : { "marker-end": `url(#head-${kind})` };
    return line(from, to, before, behind, { class: `arrow ${kind}`, ...head });
  }
}

// Removes the elements that are shown of what is not here any more.
function takeOff(shown, here) {
  for (const [key, element] of shown)
    if (!here.has(key)) {
      element.remove();
      shown.delete(key);
    }
}
