// Carries three by three hall sensors under the board, each under the middle of its square.
// Lies as printed: pockets up. A sensor lies in its pocket with the marked face up, flush with the
// tile; its legs go down through the slot. Four screws, not of steel, or tape hold the tile under the
// board: they end in the base, below the grooves.
include <dimensions.scad>

height = tile;
rib = 12;
edge = 4;
side = tile_cells * pitch;

module lattice() {
    for (n = [0 : tile_cells - 1]) {
        at = (n - (tile_cells - 1) / 2) * pitch;
        translate([-side / 2, at - rib / 2, 0]) cube([side, rib, height]);
        translate([at - rib / 2, -side / 2, 0]) cube([rib, side, height]);
    }
    difference() {
        translate([-side / 2, -side / 2, 0]) cube([side, side, height]);
        translate([-side / 2 + edge, -side / 2 + edge, -1]) cube([side - 2 * edge, side - 2 * edge, height + 2]);
    }
}

module pocket() {
    translate([-sensor[0] / 2, -sensor[1] / 2, height - sensor[2]]) cube([sensor[0], sensor[1], sensor[2] + 1]);
    // the legs leave towards player 1 and bend down
    translate([-sensor[0] / 2, -sensor[1] / 2 - 2.4, -1]) cube([sensor[0], 2.5, height + 2]);
}

difference() {
    lattice();
    for (column = [-1 : 1], row = [-1 : 1]) translate([column * pitch, row * pitch, 0]) pocket();
    for (turn = [0 : 90 : 270]) rotate(turn) translate([pitch / 2, 0, -1]) cylinder(d = screw, h = height + 2, $fn = 24);
}
