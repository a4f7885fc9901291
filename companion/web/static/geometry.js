// Where things lie. Millimetres from the middle of the board, y to the north; pictures have y
// downwards, so `at` returns the mirrored point that SVG wants.

export const COLUMNS = "abcdefghi";

export const isSlot = (spot) => spot.length === 3 && (spot[2] === "h" || spot[2] === "v");

export const isSquare = (spot) => spot.length === 2;

export class Geometry {
  constructor(board) {
    const { columns, rows, cell, groove } = board;
    Object.assign(this, { board, columns, rows, cell, groove, pitch: cell + groove });
    this.width = columns * this.pitch - groove;
    this.height = rows * this.pitch - groove;
  }

  name(column, row, side = "") {
    return COLUMNS[column] + (row + 1) + side;
  }

  columnRow(place) {
    return [COLUMNS.indexOf(place[0]), Number(place[1]) - 1];
  }

  at(place) {
    const [column, row] = this.columnRow(place);
    const side = place.slice(2);
    const half = this.pitch / 2;
    const x = (column - (this.columns - 1) / 2) * this.pitch + ("exhv".includes(side) && side ? half : 0);
    const y = (row - (this.rows - 1) / 2) * this.pitch + ("nxhv".includes(side) && side ? half : 0);
    return [x, -y];
  }

  // The rectangle of a square, of the fence in a slot, or of a patch of a groove.
  box(place) {
    const { cell, groove } = this;
    const { length, thickness } = this.board.fence;
    const sides = { h: [length, thickness], v: [thickness, length], n: [cell, groove], e: [groove, cell], x: [groove, groove] };
    const [width, height] = sides[place[2]] ?? [cell, cell];
    const [x, y] = this.at(place);
    return { x: x - width / 2, y: y - height / 2, width, height };
  }

  // Whether there is such a square or slot.
  has(spot) {
    const [column, row] = this.columnRow(spot);
    const last = isSlot(spot) ? 1 : 0;
    return (isSlot(spot) || isSquare(spot)) && column >= 0 && row >= 0 && column < this.columns - last && row < this.rows - last;
  }

  // The spot so many columns and rows on, a slot turned to `side`; none beside the board.
  beyond(spot, dx, dy, side = spot.slice(2)) {
    const [column, row] = this.columnRow(spot);
    const there = this.name(column + dx, row + dy, side);
    return this.has(there) ? there : null;
  }

  square(slot) {
    return slot.slice(0, 2);
  }

  turned(slot) {
    return this.square(slot) + (slot[2] === "h" ? "v" : "h");
  }

  // The slot at a square or slot that lies this way, as near as there is one.
  slotBy(spot, side) {
    const [column, row] = this.columnRow(spot);
    return this.name(Math.min(column, this.columns - 2), Math.min(row, this.rows - 2), side);
  }

  // The point beside the board that is nearest to another, so far from its middle.
  beside([x, y], across, along) {
    return Math.abs(x) >= Math.abs(y) ? [Math.sign(x || 1) * across, y] : [x, Math.sign(y) * along];
  }

  squares() {
    const all = [];
    for (let row = 0; row < this.rows; row++)
      for (let column = 0; column < this.columns; column++) all.push(this.name(column, row));
    return all;
  }

  // Column and row, with fractions, of a point as SVG has it.
  grid(x, y) {
    return [x / this.pitch + (this.columns - 1) / 2, -y / this.pitch + (this.rows - 1) / 2];
  }

  nearestSquare(x, y) {
    const square = this.name(...this.grid(x, y).map(Math.round));
    return this.has(square) ? square : null;
  }

  nearestSlot(x, y, side) {
    const [column, row] = this.grid(x, y);
    const limit = (value, most) => Math.min(Math.max(value, 0), most);
    return this.name(
      limit(Math.round(column - 0.5), this.columns - 2),
      limit(Math.round(row - 0.5), this.rows - 2),
      side,
    );
  }

  // Which way a fence would lie here: along the groove whose line is nearer. A fence that already
  // lies one way only turns when the other is clearly nearer.
  sideAt(x, y, now = null) {
    const [column, row] = this.grid(x, y);
    const across = Math.abs(column - Math.floor(column) - 0.5);
    const along = Math.abs(row - Math.floor(row) - 0.5);
    const bias = { h: 0.15, v: -0.15 }[now] ?? 0;
    return across + bias < along ? "v" : "h";
  }

  // How far a point is from the middle of its square, in millimetres, the larger of both ways.
  offCentre(x, y) {
    const [column, row] = this.grid(x, y);
    return Math.max(Math.abs(column - Math.round(column)), Math.abs(row - Math.round(row))) * this.pitch;
  }

  distance(spot, x, y) {
    const [sx, sy] = this.at(spot);
    return Math.hypot(sx - x, sy - y);
  }
}
