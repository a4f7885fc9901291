// Three by three squares of the board with the grooves between them. west and south add the rim;
// turn the part for the other sides. Nine parts make the board: four corners, four edges, a centre.
include <dimensions.scad>

west = false;
south = false;
rim = (board - field) / 2;
// A part ends in the middle of a groove, or with the rim where the board ends.
inner = groove / 2;
left = west ? rim : inner;
low = south ? rim : inner;
long = tile_cells * cell + (tile_cells - 1) * groove;

difference() {
    cube([left + long + inner, low + long + inner, base]);
    // holes for the screws of the sensor tile, from below, that do not come through
    translate([left + long / 2, low + long / 2, -1]) for (turn = [0 : 90 : 270]) rotate(turn)
        translate([pitch / 2, 0, 0]) cylinder(d = pilot, h = tile_pilot + 1, $fn = 24);
}
for (column = [0 : tile_cells - 1], row = [0 : tile_cells - 1])
    translate([left + column * pitch, low + row * pitch, base - 0.01]) cube([cell, cell, groove_depth + 0.01]);
if (west) translate([0, 0, base - 0.01]) cube([rim + 0.01, low + long + inner, groove_depth + 0.01]);
if (south) translate([0, 0, base - 0.01]) cube([left + long + inner, rim + 0.01, groove_depth + 0.01]);
