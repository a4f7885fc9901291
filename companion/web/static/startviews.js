// What the start page draws: the field that the sensors feel, and the simulated strip.

import { field, lamp, svg } from "./draw.js";
import { Geometry } from "./geometry.js";

const CELL = 20;
const FELT = 60; // counts from which a dot is drawn
const STRONG = 1500; // counts of a full dot
const DARK = "#1b1d33"; // a lamp that is off

// A square for every sensor: a dot grows with what it feels, its colour tells the pole.
export class SensorMap {
  constructor(root, board) {
    this.cells = new Map();
    this.root = root;
    const geometry = new Geometry({ ...board, cell: CELL - 2, groove: 2 });
    const [width, height] = [board.columns * CELL, board.rows * CELL];
    root.setAttribute("viewBox", `${-width / 2 - 12} ${-height / 2 - 2} ${width + 14} ${height + 16}`);
    root.append(...field(geometry, { class: "sensor", rx: 2 }, "line-name", { below: 11, left: 7, lowered: 3 }));
    for (const box of root.querySelectorAll(".sensor")) {
      const [cx, cy] = geometry.at(box.dataset.square);
      const dot = svg("circle", { class: "felt", cx, cy, r: 0 });
      const cross = svg("path", { class: "ill", d: `M${cx - 4} ${cy - 4}l8 8m0-8l-8 8`, visibility: "hidden" });
      root.append(dot, cross);
      this.cells.set(box.dataset.square, { box, dot, cross });
    }
  }

  show(offsets, ill) {
    const felt = [];
    for (const [spot, { box, dot, cross }] of this.cells) {
      const away = offsets[spot] ?? 0;
      const shown = Math.abs(away) >= FELT && !(spot in ill);
      dot.setAttribute("r", shown ? (2 + 6 * Math.min(1, Math.sqrt(Math.abs(away) / STRONG))).toFixed(1) : 0);
      dot.setAttribute("class", `felt ${away > 0 ? "north" : "south"}`);
      box.classList.toggle("none", !(spot in offsets));
      cross.setAttribute("visibility", spot in ill ? "visible" : "hidden");
      if (shown) felt.push(spot);
    }
    const broken = Object.keys(ill);
    const { felt: some, none, ill: doubted } = this.root.dataset;
    const words = [felt.length ? some.replace("{}", felt.join(", ")) : none, broken.length ? doubted.replace("{}", broken.join(", ")) : ""];
    this.root.setAttribute("aria-label", words.join(" ").trim());
  }
}

// The strip of a simulated table, as it is lit; a real one is looked at.
export class StripView {
  constructor(root, board) {
    const half = board.frame / 2 + 12;
    root.setAttribute("viewBox", `${-half} ${-half} ${2 * half} ${2 * half + 14}`);
    const box = (name, side, rx) => svg("rect", { class: name, x: -side / 2, y: -side / 2, width: side, height: side, rx });
    root.append(box("strip-frame", board.frame, 8), box("strip-board", board.board, 5));
    const geometry = new Geometry(board);
    root.append(...geometry.squares().map((square) => svg("rect", { class: "strip-cell", ...geometry.box(square), rx: 2 })));
    root.append(svg("text", { class: "strip-front", y: board.frame / 2 + 20 }, "front"));
    this.lamps = new Map();
    for (const { led, at } of board.lights) {
      this.lamps.set(led, svg("circle", { class: "lamp", cx: at[0], cy: -at[1], r: 6, fill: DARK }));
      root.append(this.lamps.get(led));
    }
  }

  show(leds) {
    for (const [number, element] of this.lamps) {
      const { share, fill } = lamp(leds[number]);
      element.setAttribute("fill", share ? fill : DARK);
      element.setAttribute("opacity", share ? (0.45 + 0.55 * Math.sqrt(share)).toFixed(2) : 1);
      element.classList.toggle("lit", share > 8 / 255);
    }
  }
}
