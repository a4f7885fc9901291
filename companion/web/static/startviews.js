// What the start page draws: the field that the sensors feel, and the simulated strip.

import { lamp, svg } from "./draw.js";
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
    const { columns, rows } = board;
    root.setAttribute("viewBox", `-12 -2 ${columns * CELL + 14} ${rows * CELL + 16}`);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const [x, y] = [column * CELL, (rows - 1 - row) * CELL];
        const box = svg("rect", { class: "sensor", x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 2 });
        const dot = svg("circle", { class: "felt", cx: x + CELL / 2, cy: y + CELL / 2, r: 0 });
        const cross = svg("path", { class: "ill", d: `M${x + 6} ${y + 6}l8 8m0-8l-8 8`, visibility: "hidden" });
        root.append(box, dot, cross);
        this.cells.set("abcdefghi"[column] + (row + 1), { box, dot, cross });
      }
    for (let n = 0; n < columns; n++) root.append(svg("text", { class: "line-name", x: n * CELL + CELL / 2, y: rows * CELL + 10 }, "abcdefghi"[n]));
    for (let n = 0; n < rows; n++) root.append(svg("text", { class: "line-name", x: -6, y: (rows - 1 - n) * CELL + CELL / 2 + 3 }, String(n + 1)));
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
