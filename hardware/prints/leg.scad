// A leg under a corner: room for the electronics under the board.
include <dimensions.scad>

side = 30;

difference() {
    translate([-side / 2, -side / 2, 0]) cube([side, side, leg]);
    translate([0, 0, -1]) cylinder(d = screw, h = leg + 2, $fn = 24);
    translate([0, 0, -1]) cylinder(d = 8, h = leg - leg_top + 1, $fn = 32);  // the screw's head
}
