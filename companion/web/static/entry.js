// Entering a move on the page: tap or click once to see it, again to play it; or the keyboard.

import { isSlot } from "./geometry.js";
import { html, icon } from "./draw.js";
import { describeMove } from "./words.js";

const CENTRE_MM = 7; // a tap this near the middle of a square means the square itself

export class Entry {
  // `parts`: the focusable board, its svg, the bar below, the words for the cursor.
  constructor(view, parts, play) {
    this.view = view;
    this.geometry = view.geometry;
    this.parts = parts;
    this.play = play;
    this.choice = null; // the move on show
    this.keyboard = false;
    parts.svg.addEventListener("click", (event) => this.tap(event));
    parts.svg.addEventListener("pointermove", (event) => this.hover(event));
    parts.svg.addEventListener("pointerleave", () => this.open && this.show());
    parts.board.addEventListener("keydown", (event) => this.key(event));
    parts.board.addEventListener("blur", () => view.cursor(null));
  }

  // Leaves the board to another way of entering moves.
  rest() {
    this.open = false;
    this.choice = null;
    this.shown = null;
  }

  render(state, mayPlay) {
    this.state = state;
    this.asked = ["unsure", "not allowed", "set up"].includes(state.verdict.kind);
    this.open = mayPlay && state.to_act !== null && this.mover.level == null;
    if (!this.open) this.choice = null;
    this.show();
  }

  get mover() {
    return this.state.seats[this.state.to_act];
  }

  isLegal(move) {
    return this.state.legal.includes(move);
  }

  // The move a point of the picture stands for: a square the pawn can reach, else a fence.
  moveAt(event) {
    const { svg } = this.parts;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const square = this.geometry.nearestSquare(x, y);
    if (!square) return null;
    const off = this.geometry.offCentre(x, y);
    const reachable = this.isLegal(square) && off < this.geometry.cell / 2 - 1.5;
    if (reachable || off < CENTRE_MM || this.mover.fences === 0) return square;
    return this.geometry.nearestSlot(x, y, this.geometry.sideAt(x, y));
  }

  tap(event) {
    if (!this.open) return;
    const move = this.moveAt(event);
    if (!move) return this.clear();
    if (move === this.choice && this.isLegal(move)) return this.confirm();
    this.keyboard = false;
    this.choose(move);
  }

  hover(event) {
    if (!this.open || this.choice || event.pointerType === "touch") return;
    const move = this.moveAt(event);
    this.view.preview(move && this.isLegal(move) ? move : null, "maybe");
  }

  key(event) {
    if (event.target !== this.parts.board || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const letter = event.key.toLowerCase();
    if (!this.open || (!step && !["h", "v", "p", "enter", " ", "escape"].includes(letter))) return;
    if (letter === "escape" && !this.choice) return;
    event.preventDefault();
    this.keyboard = true;
    if (step) this.step(...step);
    else if (letter === "h" || letter === "v") this.turn(letter);
    else if (letter === "p") this.choose(this.start().slice(0, 2));
    else if (letter === "escape") this.leave();
    else this.confirm();
  }

  start() {
    if (this.choice) return this.choice;
    const own = Object.entries(this.state.position).find(([, thing]) => thing === this.mover.piece);
    return own ? own[0] : "e5";
  }

  step(dx, dy) {
    const from = this.start();
    const [column, row] = this.geometry.columnRow(from);
    const slot = isSlot(from);
    const limit = (value, count) => Math.min(Math.max(value, 0), count - (slot ? 2 : 1));
    this.choose(
      this.geometry.name(limit(column + dx, this.geometry.columns), limit(row + dy, this.geometry.rows), from.slice(2)),
    );
  }

  turn(side) {
    const [column, row] = this.geometry.columnRow(this.start());
    this.choose(
      this.geometry.name(Math.min(column, this.geometry.columns - 2), Math.min(row, this.geometry.rows - 2), side),
    );
  }

  leave() {
    if (isSlot(this.choice)) this.choose(this.choice.slice(0, 2));
    else this.clear();
  }

  choose(move) {
    this.choice = move;
    this.show();
    const words = describeMove(move, this.mover.name);
    const here = this.state.position[move];
    const what = here ? `, ${here === "fence" ? "a fence is here" : `${here} is here`}` : "";
    this.parts.words.textContent = `${words}${what}${this.isLegal(move) ? "" : ", not allowed"}`;
  }

  clear() {
    this.choice = null;
    this.keyboard = false;
    this.parts.words.textContent = "";
    this.show();
  }

  confirm() {
    if (!this.choice) return;
    const move = this.choice;
    if (this.isLegal(move)) this.clear();
    this.play(move);
  }

  show() {
    const { choice } = this;
    const legal = choice !== null && this.isLegal(choice);
    this.view.preview(choice, legal ? "good" : "bad");
    this.view.cursor(this.keyboard ? choice : null);
    this.fillBar(choice, legal);
    this.parts.bar.classList.toggle("idle", choice === null && this.asked);
  }

  // A button that is being pressed, or has the focus, is not replaced by its twin.
  fillBar(choice, legal) {
    const key = JSON.stringify([choice, legal, this.open, this.asked, this.state.to_act, this.isLegal("pass")]);
    if (this.shown === key) return;
    this.shown = key;
    this.parts.bar.replaceChildren(...(choice ? this.buttons(choice, legal) : [this.hint()]));
  }

  hint() {
    if (this.open && this.isLegal("pass"))
      return html("button", { class: "button primary wide", onclick: () => this.play("pass") }, "No move is possible: pass");
    const text = this.open && !this.asked ? "Move the real pieces, or tap the board." : "";
    return html("p", { class: "entry-hint" }, text);
  }

  buttons(move, legal) {
    const turned = move.slice(0, 2) + (move[2] === "h" ? "v" : "h");
    const rotate = { class: "button square-button", "aria-label": "Rotate the fence", onclick: () => this.choose(turned) };
    return [
      html("p", { class: "entry-move" }, isSlot(move) ? `Fence ${move}` : describeMove(move, this.mover.name)),
      ...(isSlot(move) ? [html("button", rotate, icon("turn"))] : []),
      html("button", { class: "button", onclick: () => this.clear() }, "Cancel"),
      html(
        "button",
        { class: `button ${legal ? "primary" : "danger"}`, id: "play", onclick: () => this.confirm() },
        legal ? "Play" : "Why not?",
      ),
    ];
  }
}
