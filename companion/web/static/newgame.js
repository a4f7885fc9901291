// The dialog that asks which game comes next.

import { html, portrait } from "./draw.js";
import { capital } from "./words.js";

export class NewGame {
  constructor(dialog, board, start) {
    this.dialog = dialog;
    this.board = board;
    this.form = dialog.querySelector("form");
    this.pawns = dialog.querySelector("#new-pieces");
    this.names = Object.keys(board.pieces);
    this.chosen = [...this.names];
    this.form.addEventListener("change", (event) => event.target.name === "game" && this.draw());
    dialog.addEventListener("close", () => dialog.returnValue === "start" && start(this.request()));
  }

  open(state) {
    const playing = state.seats.map((seat) => seat.piece).filter((name) => this.names.includes(name));
    this.chosen = [...playing, ...this.names.filter((name) => !playing.includes(name))];
    this.form.elements.game.value = state.game;
    this.form.elements.pawnBehind.checked = state.options.pawnBehind === "diagonal";
    this.draw();
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  get seats() {
    return this.form.elements.game.value === "quoridor4" ? 4 : 2;
  }

  draw() {
    this.dialog.querySelector("#new-behind").hidden = this.seats < 4;
    this.pawns.replaceChildren(
      ...this.chosen.slice(0, this.seats).map((name, seat) => {
        const select = html("select", { "aria-label": `Pawn of player ${seat + 1}`, onchange: (event) => this.pick(seat, event.target.value) });
        for (const other of this.names) select.append(html("option", { value: other, selected: other === name }, capital(this.board.pieces[other].title)));
        return html("label", {}, portrait(this.board.pieces[name]), html("span", {}, `Player ${seat + 1}`), select);
      }),
    );
  }

  // Two seats never share a pawn: who had the chosen one gets ours.
  pick(seat, name) {
    const other = this.chosen.indexOf(name);
    [this.chosen[seat], this.chosen[other]] = [this.chosen[other], this.chosen[seat]];
    this.draw();
    this.pawns.querySelectorAll("select")[seat].focus();
  }

  request() {
    const { elements } = this.form;
    const options = {};
    if (this.seats === 4) options.pawnBehind = elements.pawnBehind.checked ? "diagonal" : "blocked";
    if (elements.lot.checked) options.first = String(1 + Math.floor(Math.random() * this.seats));
    return { game: elements.game.value, options, pieces: this.chosen.slice(0, this.seats) };
  }
}
