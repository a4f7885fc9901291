// A plate under the joint of two parts of a side.
include <dimensions.scad>

difference() {
    translate([-15, 0, 0]) cube([30, 32, lip_height]);
    for (x = [-7.5, 7.5], y = screw_rows) translate([x, y - joiner_at, -1]) cylinder(d = screw, h = lip_height + 2, $fn = 24);
}
