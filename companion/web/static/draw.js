// Small drawing kit: SVG and HTML elements, the pieces, icons.

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// The squares of a board, and beside them the letters of its columns and the numbers of its rows: so
// far below and to the left of them, the numbers a little lowered to stand in the middle.
export function field(geometry, squares, names, { below, left, lowered }) {
  return geometry.squares().flatMap((square) => {
    const [x, y] = geometry.at(square);
    const half = geometry.cell / 2;
    const letter = svg("text", { class: names, x, y: y + half + below }, square[0]);
    const number = svg("text", { class: names, x: x - half - left, y: y + lowered }, square[1]);
    const box = svg("rect", { ...squares, ...geometry.box(square), "data-square": square });
    return [box, ...(square[1] === "1" ? [letter] : []), ...(square[0] === "a" ? [number] : [])];
  });
}

// A choice between pairs of a value and its words.
export function select(attributes, options, chosen) {
  return html("select", attributes, ...options.map(([value, words]) => html("option", { value, selected: value === chosen }, words)));
}

// Draws what an element holds anew when `key` has changed; returns whether it had. While it says the
// same it stays as it is, so that nothing is read out twice.
export function renew(element, key, draw) {
  const text = JSON.stringify(key);
  if (element.dataset.key === text) return false;
  element.dataset.key = text;
  element.replaceChildren(...draw());
  return true;
}

// Where a pointer is in a picture.
export function pointIn(root, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(root.getScreenCTM().inverse());
  return [x, y];
}

// How a lamp of this colour looks: it keeps its hue when it is dim. `share` is its brightness.
export function lamp(colour = [0, 0, 0]) {
  const most = Math.max(...colour);
  const full = colour.map((part) => (most ? Math.round((part * 255) / most) : 0));
  return { share: most / 255, fill: `rgb(${full.join(" ")})` };
}

// A piece round the origin, `r` its radius.
export function piece(look, r) {
  if (look.shape === "pellet") return svg("circle", { class: "pellet-dot", fill: look.colour, r });
  if (look.shape === "card") return seatCard(r, look);
  const shape = look.shape === "ball" ? ball(r, look.colour) : ghost(r, look);
  return svg("g", { class: `piece ${look.shape}` }, ...shape);
}

// A seat in a game without pieces: a card in its colour, with the first letter of its name.
function seatCard(r, look) {
  const letter = svg("text", { class: "initial", y: 0.34 * r, "font-size": r }, (look.title || "?")[0]);
  return svg("g", { class: "piece card" }, svg("rect", { x: -0.7 * r, y: -r, width: 1.4 * r, height: 2 * r, rx: 0.25 * r, fill: look.colour }), letter);
}

function ball(r, colour) {
  const mouth = 0.58; // half the angle of the mouth
  const x = r * Math.cos(mouth);
  const y = r * Math.sin(mouth);
  return [
    svg("path", {
      class: "pac",
      fill: colour,
      d: `M${-0.12 * r} 0 L${x} ${-y} A${r} ${r} 0 1 0 ${x} ${y} Z`,
    }),
  ];
}

function ghost(r, look) {
  const foot = r / 3;
  const hem = r - foot;
  const feet = `a${foot} ${foot} 0 0 1 ${-2 * foot} 0`.repeat(3);
  const eyes = [-0.4, 0.36].flatMap((x) => [
    svg("ellipse", { cx: x * r, cy: -0.2 * r, rx: 0.26 * r, ry: 0.33 * r, fill: "#fff" }),
    svg("circle", { cx: (x + 0.1) * r, cy: -0.14 * r, r: 0.14 * r, fill: "#1a2bd0" }),
  ]);
  return [
    svg("path", { fill: look.colour, d: `M${-r} ${hem} V0 A${r} ${r} 0 0 1 ${r} 0 V${hem} ${feet} Z` }),
    ...eyes,
    svg("text", { class: "initial", y: 0.64 * r, "font-size": 0.56 * r }, (look.title || "?")[0]),
  ];
}

// A piece as a little picture of its own, for headings and buttons.
export function portrait(look) {
  return svg("svg", { viewBox: "-11 -11 22 22", class: "portrait", "aria-hidden": "true" }, piece(look, 10));
}

const ICONS = {
  waiting: "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12Zm10 3.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4Z",
  accepted: "m4.5 12.8 4.8 4.8L19.8 7",
  unsure: "M8.3 9a3.8 3.8 0 1 1 5.6 3.3c-1.3.8-1.9 1.5-1.9 3M12 19.4v.2",
  "not allowed": "M6.2 6.2 17.8 17.8M17.8 6.2 6.2 17.8",
  hands: "M8 12V5.6a1.5 1.5 0 0 1 3 0V11V4.4a1.5 1.5 0 0 1 3 0V11V5.8a1.5 1.5 0 0 1 3 0v7.4c0 4.4-2.4 7.3-6 7.3-2.6 0-4-1.2-5.4-3.6l-2-3.6a1.4 1.4 0 0 1 2.4-1.5L8 14",
  "set up": "M4 8h10M18 8h2M4 16h2M10 16h10M16 5.6v4.8M8 13.6v4.8",
  over: "M7 4h10v5a5 5 0 0 1-10 0V4Zm0 1.5H4V7a3.4 3.4 0 0 0 3.2 3.2M17 5.500h3V7a3.4 3.4 0 0 1-3.200 3.200M12 14v4m-3.500 2h7",
  voice: "M4 9.500v5h3.500l4.500 4v-13l-4.500 4H4Zm11.500-.800a4.600 4.600 0 0 1 0 6.600M18 6.200a8.200 8.200 0 0 1 0 11.600",
  mute: "M4 9.500v5h3.500l4.500 4v-13l-4.500 4H4Zm11.500.300 4.600 4.600m0-4.600-4.600 4.600",
  share: "M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h2v2h-2ZM18 14h2v2M14 20h2m2 0h2v-2",
  chance: "M5 5h14v14H5ZM9 9v.1M12 12v.1M15 15v.1",
  turn: "M19 12a7 7 0 1 1-2.300-5.200M17 2.800v4.200h-4.200",
};

// A line between two points that stays clear of what stands at its ends.
export function line([ax, ay], [bx, by], before, behind, attributes) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [from, to] = [Math.min(before, length / 3) / length, 1 - Math.min(behind, length / 2.4) / length];
  const at = (share) => [ax + (bx - ax) * share, ay + (by - ay) * share];
  const [[x1, y1], [x2, y2]] = [at(from), at(to)];
  return svg("line", { x1, y1, x2, y2, ...attributes });
}

export function arrowHead(kind, size = 4) {
  return svg(
    "marker",
    { id: `head-${kind}`, viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: size, markerHeight: size, orient: "auto" },
    svg("path", { class: `head ${kind}`, d: "M0 0 10 5 0 10 2.4 5Z" }),
  );
}

// What a piece sees: a soft band from it to the one that is seen.
export function sightBand({ by, from, to }, geometry, stroke) {
  const [[x1, y1], [x2, y2]] = [from, to].map((spot) => geometry.at(spot));
  const along = { x1, y1, x2, y2, stroke };
  const width = geometry.cell * 0.62;
  return svg(
    "g",
    { class: "sight", "data-by": by },
    svg("line", { ...along, class: "sight-band", "stroke-width": width }),
    svg("line", { ...along, class: "sight-core", "stroke-width": width / 9 }),
  );
}

// Follows a finger or mouse that moves one of these parts of a picture. Browsers that scroll by a finger,
// whatever the part's touch-action says, would take it out of the hand.
export function followHand(root, parts, move, up) {
  root.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, up);
  root.addEventListener("touchstart", (event) => event.target.closest?.(parts) && event.preventDefault(), { passive: false });
}

export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
