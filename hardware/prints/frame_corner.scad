// A corner of the frame, with a shallow bed for the paper of a marker. Two tongues go under the sides,
// to be screwed to them.
include <dimensions.scad>

width = (frame - board) / 2;
tongue = 15;
paper_deep = 0.4;

module outline() {
    cube([width, width, top]);
    translate([-tongue, lip_inner, 0]) cube([width + tongue, width - lip_inner, lip_height]);
    translate([lip_inner, -tongue, 0]) cube([width - lip_inner, width + tongue, lip_height]);
}

lip_inner = 16;  // clear of the lips of the sides

difference() {
    outline();
    translate([marker_at - board / 2 - paper / 2, marker_at - board / 2 - paper / 2, top - paper_deep])
        cube([paper + 1, paper + 1, 1]);
    for (at = screw_rows) {
        translate([-tongue / 2, at, -1]) cylinder(d = screw, h = lip_height + 2, $fn = 24);
        translate([at, -tongue / 2, -1]) cylinder(d = screw, h = lip_height + 2, $fn = 24);
    }
    translate([leg_at, leg_at, -1]) cylinder(d = pilot, h = 8, $fn = 24);  // a leg's screw
    // wires of the strip turn the corner below the marker
    translate([strip_at - strip / 2, -1, lip_height]) cube([strip, 20, strip_deep]);
    translate([-1, strip_at - strip / 2, lip_height]) cube([20, strip, strip_deep]);
}
