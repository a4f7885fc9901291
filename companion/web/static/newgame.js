// The dialog that asks which game comes next, who plays which seat, and by which house rules.

import { html, portrait, select } from "./draw.js";
import { board } from "./here.js";
import { capital } from "./words.js";

const PERSON = "person";
const COMPANION = "companion";
const FIRST_LEVEL = 3;

// Starts a game; the simulated table is then set up for it as soon as it is there.
export class Successor {
  constructor(ask) {
    this.ask = ask;
    this.after = null; // the game after which the table is to be set up
  }

  async start(request, { game_id: running }, simulated) {
    if (simulated) this.after = running;
    const started = await this.ask("/api/new", request);
    if (!started) this.after = null;
    return started;
  }

  render({ game_id: running }) {
    if (this.after === null || this.after === running) return;
    this.after = null;
    this.ask("/api/sim/set-up");
  }
}

export class NewGame {
  constructor(dialog, start) {
    this.dialog = dialog;
    this.games = JSON.parse(dialog.dataset.games);
    this.form = dialog.querySelector("form");
    this.parts = Object.fromEntries(["games", "seats", "options"].map((part) => [part, dialog.querySelector(`#new-${part}`)]));
    this.names = Object.keys(board.pieces);
    this.chosen = [...this.names];
    this.seats = [];
    this.drawGames();
    this.form.addEventListener("change", (event) => event.target.name === "game" && this.choose(event.target.value));
    dialog.addEventListener("close", () => dialog.returnValue === "start" && start(this.request()));
  }

  drawGames() {
    this.parts.games.append(
      ...this.games.map(({ name, title, note }) =>
        html("label", {}, html("input", { type: "radio", name: "game", value: name }), html("span", {}, html("b", {}, title), html("small", {}, note))),
      ),
    );
  }

  // Opens with the game that is being played, its seats and its options.
  open(state) {
    const playing = state.seats.map((seat) => seat.piece).filter((name) => this.names.includes(name));
    const game = this.games.find(({ name }) => name === state.game) ?? this.games[0];
    if (game.choose) this.chosen = [...playing, ...this.names.filter((name) => !playing.includes(name))];
    this.choose(game.name, state);
    this.form.elements.game.value = game.name;
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  choose(name, state = null) {
    this.game = this.games.find((game) => game.name === name);
    this.seats = this.game.seats.map((_, index) => ({ level: state?.game === name ? (state.seats[index]?.level ?? null) : this.usual(index) }));
    this.drawOptions(state && state.game === name ? state.options : {});
    this.drawSeats();
  }

  // Where everybody has a part, one person plays alone; else all are people, until they say otherwise.
  usual(index) {
    return !this.game.choose && this.game.on_board && index > 0 ? FIRST_LEVEL : null;
  }

  // How many play: all, unless an option says fewer.
  get count() {
    const field = this.game.count && this.parts.options.querySelector(`[data-option="${this.game.count}"]`);
    return field ? Number(field.value) : this.game.seats.length;
  }

  drawSeats() {
    this.parts.seats.replaceChildren(...this.game.seats.slice(0, this.count).map((seat, index) => this.seat(seat, index)));
    const lot = this.form.elements.lot;
    lot.closest("label").hidden = !this.game.lots;
  }

  seat(seat, index) {
    const piece = this.game.choose ? this.chosen[index] : seat.piece;
    const { level } = this.seats[index];
    const label = this.game.choose ? `player ${index + 1}` : seat.name;
    const field = { "aria-label": `Who plays ${label}`, onchange: (event) => this.sit(index, event.target.value) };
    const who = select(field, [[PERSON, "a person"], [COMPANION, "companion"]], level === null ? PERSON : COMPANION);
    return html(
      "div",
      { class: "new-seat" },
      portrait(board.pieces[piece] ?? { shape: "card", colour: seat.colour, title: String(index + 1) }),
      this.game.choose ? this.pawn(index, piece) : html("b", {}, seat.name),
      who,
      ...(level === null ? [] : [this.slider(index, label)]),
    );
  }

  pawn(seat, chosen) {
    const field = { "aria-label": `Pawn of player ${seat + 1}`, onchange: (event) => this.pick(seat, event.target.value) };
    return select(field, this.names.map((name) => [name, capital(board.pieces[name].title)]), chosen);
  }

  slider(index, label) {
    const { levels: [min, max], level_words: moods } = this.game;
    const words = (level) => `level ${level}, ${moods[level - min]}`;
    const said = html("output", {}, words(this.seats[index].level));
    const input = html("input", {
      type: "range",
      min,
      max,
      value: this.seats[index].level,
      "aria-label": `Level of ${label}`,
      "aria-valuetext": words(this.seats[index].level),
      oninput: ({ target }) => {
        this.seats[index].level = Number(target.value);
        said.textContent = words(target.value);
        target.setAttribute("aria-valuetext", words(target.value));
      },
    });
    return html("div", { class: "new-level" }, html("span", {}, moods[0]), input, html("span", {}, moods.at(-1)), said);
  }

  sit(index, who) {
    this.seats[index].level = who === PERSON ? null : FIRST_LEVEL;
    this.drawSeats();
    this.parts.seats.children[index].querySelector("select:last-of-type").focus();
  }

  // Two seats never share a pawn: who had the chosen one gets ours.
  pick(seat, name) {
    const other = this.chosen.indexOf(name);
    [this.chosen[seat], this.chosen[other]] = [this.chosen[other], this.chosen[seat]];
    this.drawSeats();
    this.parts.seats.children[seat].querySelector("select").focus();
  }

  drawOptions(chosen) {
    const fields = (house) => this.game.options.filter((option) => option.house === house).map((option) => this.option(option, chosen[option.name]));
    const [plain, house] = [fields(false), fields(true)];
    const details = html("details", { class: "house" }, html("summary", {}, "House rules"), ...house);
    this.parts.options.replaceChildren(...plain, ...(house.length ? [details] : []));
  }

  option({ name, label, values, usual }, chosen = usual) {
    const agree = values.length === 2 && values.every(({ value }) => ["no", "yes"].includes(value));
    const field = { name: `option-${name}`, "data-option": name };
    if (agree)
      return html("label", { class: "switch" }, html("input", { type: "checkbox", ...field, checked: chosen === "yes" }), html("span", {}, label));
    if (name === this.game.count) field.onchange = () => this.drawSeats();
    const choice = select(field, values.map(({ value, label: words }) => [value, words]), chosen);
    return html("label", { class: "new-option" }, html("span", {}, label), choice);
  }

  request() {
    const options = {};
    for (const field of this.parts.options.querySelectorAll("[data-option]"))
      options[field.dataset.option] = field.type === "checkbox" ? (field.checked ? "yes" : "no") : field.value;
    const { count } = this;
    if (this.game.lots && this.form.elements.lot.checked) options.first = String(1 + Math.floor(Math.random() * count));
    const seats = this.seats.slice(0, count).map(({ level }) => (level === null ? PERSON : String(level)));
    return { game: this.game.name, options, pieces: this.game.choose ? this.chosen.slice(0, count) : [], seats };
  }
}
