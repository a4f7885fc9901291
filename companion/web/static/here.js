// What the table wrote into this page, and the page's parts by their ids.

export const words = document.body.dataset;

const { board: drawing, state, role } = words;

export const board = JSON.parse(drawing);
export const first = JSON.parse(state); // null while the table is starting
export const isPlayer = role === "player";

export const $ = (id) => document.getElementById(id);

// Writes a text where it has changed, so that nothing is read out twice.
export function write(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}
