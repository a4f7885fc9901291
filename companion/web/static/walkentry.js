// Entering a walk on the page: tap or click the squares one after the other, or walk with the
// arrow keys. What is legal comes from the table's list of moves.

import { html } from "./draw.js";
import { GHOSTS, isHunt, parse, spotOf, write } from "./walks.js";
import { describeMove } from "./words.js";

export class WalkEntry {
  // `parts`: the focusable board, its svg, the bar below, the words for the cursor.
  constructor(view, parts, play) {
    this.view = view;
    this.geometry = view.geometry;
    this.parts = parts;
    this.play = play;
    this.rest();
    parts.svg.addEventListener("click", (event) => this.tap(event));
    parts.board.addEventListener("keydown", (event) => this.key(event));
  }

  // Leaves the board to another way of entering moves.
  rest() {
    this.open = false;
    this.shown = this.at = this.piece = null;
    this.path = [];
    this.walks = [];
  }

  render(state, mayPlay) {
    this.state = state;
    this.asked = ["unsure", "not allowed", "set up"].includes(state.verdict.kind);
    this.open = mayPlay && state.to_act !== null && state.seats[state.to_act].level == null;
    this.walks = this.open ? state.legal.map(parse) : [];
    const at = `${state.game_id} ${state.moves.join()} ${this.open}`;
    if (at !== this.at) this.reset();
    this.at = at;
    this.show();
  }

  // Forgets the path; who is the only one to move is chosen already.
  reset() {
    const pieces = [...new Set(this.walks.map(({ piece }) => piece))];
    this.piece = pieces.length === 1 ? pieces[0] : null;
    this.path = [];
    this.parts.words.textContent = "";
  }

  get move() {
    const stays = this.walks.find(({ piece, path, move }) => piece === this.piece && !path.length && isHunt(move));
    return this.path.length ? write(this.piece, this.path) : (stays?.move ?? null);
  }

  isLegal() {
    return this.walks.some(({ move }) => move === this.move);
  }

  // The legal walks of the chosen piece that begin like this path.
  along(path) {
    return this.walks.filter((walk) => walk.piece === this.piece && path.every((spot, n) => walk.path[n] === spot));
  }

  next(path) {
    return [...new Set(this.along(path).map((walk) => walk.path[path.length]).filter(Boolean))];
  }

  tap(event) {
    if (!this.open) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.parts.svg.getScreenCTM().inverse());
    const square = this.geometry.nearestSquare(x, y);
    if (square) this.point(square);
    else this.clear();
  }

  // Somebody pointed at a square: a step, the end of a walk, a ghost to choose, or once more the end.
  point(square) {
    if (square === this.path.at(-1) && this.isLegal()) return this.confirm();
    while (this.path.length && !this.along(this.path).length) this.path.pop(); // what could not be
    const there = this.state.position[square];
    if (this.piece && this.next(this.path).includes(square)) this.path.push(square);
    else if (this.walks.some(({ piece }) => piece === there) && there !== this.piece) this.choose(there);
    else if (!this.goTo(square) && this.piece) this.path.push(square);
    this.show();
    this.tell();
  }

  choose(piece) {
    this.piece = piece;
    this.path = [];
  }

  // Takes the shortest way to a square when it is clear who goes there.
  goTo(square) {
    const walks = (this.piece ? this.along(this.path) : this.walks).filter(({ path }) => path.at(-1) === square);
    const best = walks.sort((one, other) => one.path.length - other.path.length)[0];
    if (!best || walks.some(({ piece }) => piece !== best.piece)) return false;
    this.piece = best.piece;
    this.path = [...best.path];
    return true;
  }

  key(event) {
    if (!this.open || event.target !== this.parts.board || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const ghost = GHOSTS[event.key.toUpperCase()];
    const known = ["Enter", " ", "Escape", "Backspace"].includes(event.key);
    if (!step && !known && !this.walks.some(({ piece }) => piece === ghost)) return;
    if (event.key === "Escape" && !this.path.length) return;
    event.preventDefault();
    if (step) this.step(...step);
    else if (ghost) this.choose(ghost);
    else if (event.key === "Backspace") this.path.pop();
    else if (event.key === "Escape") return this.clear();
    else return this.confirm();
    this.show();
    this.tell();
  }

  step(dx, dy) {
    const from = this.path.at(-1) ?? (this.piece && spotOf(this.state, this.piece));
    if (!from) return;
    const [column, row] = this.geometry.columnRow(from);
    const [c, r] = [column + dx, row + dy];
    if (c < 0 || r < 0 || c >= this.geometry.columns || r >= this.geometry.rows) return;
    this.path.push(this.geometry.name(c, r));
  }

  clear() {
    this.reset();
    this.show();
  }

  confirm() {
    const { move } = this;
    if (!move) return;
    if (this.isLegal()) this.clear();
    this.play(move);
  }

  tell() {
    const { move } = this;
    const name = this.piece ? this.view.look(this.piece).title : "Nobody";
    const words = move ? this.words(move) : `${name} is chosen`;
    const more = move && !this.isLegal() ? (this.along(this.path).length ? ", go on" : ", not allowed") : "";
    this.parts.words.textContent = words + more;
  }

  words(move) {
    return describeMove(move, this.state.seats[this.state.to_act].name, this.state, this.view.looks);
  }

  show() {
    const legal = this.isLegal();
    const going = this.along(this.path).length > 0;
    if (this.piece && (this.path.length || this.move)) this.view.walk({ piece: this.piece, path: this.path }, legal ? "good" : going ? "maybe" : "bad");
    else this.view.preview(null);
    this.view.cursor(this.open && this.piece && this.state.to_act === 1 && !this.path.length ? spotOf(this.state, this.piece) : null);
    this.view.showTargets(this.open && this.piece && !this.asked ? this.next(this.path) : [], "step");
    this.fillBar(legal, going);
    this.parts.bar.classList.toggle("idle", !this.path.length && this.asked);
  }

  // A button that is being pressed, or has the focus, is not replaced by its twin.
  fillBar(legal, going) {
    const key = JSON.stringify([this.piece, this.path, legal, going, this.open, this.asked, this.at]);
    if (this.shown === key) return;
    this.shown = key;
    this.parts.bar.replaceChildren(...(this.move ? this.buttons(legal, going) : [this.hint()]));
  }

  hint() {
    if (this.walks.some(({ move }) => move === "pass"))
      return html("button", { class: "button primary wide", onclick: () => this.play("pass") }, "No move is possible: pass");
    let text = "";
    if (this.open && !this.asked)
      text = this.state.to_act === 0 ? "Move the real Pac-Man, or tap the squares he walks over." : "Move a real ghost, or tap it and the squares it walks over.";
    return html("p", { class: "entry-hint" }, text);
  }

  buttons(legal, going) {
    const play = { class: `button ${legal ? "primary" : "danger"}`, id: "play", onclick: () => this.confirm() };
    const more = legal && this.next(this.path).length ? " …" : "";
    return [
      html("p", { class: "entry-move" }, legal || !going ? `${this.words(this.move)}${more}` : `${this.words(this.move)}, go on`),
      html("button", { class: "button", onclick: () => this.clear() }, "Cancel"),
      ...(legal || !going ? [html("button", play, legal ? "Play" : "Why not?")] : []),
    ];
  }
}
