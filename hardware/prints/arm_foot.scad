// The foot of the camera's post. It stands on the table behind the north side of the frame; a tongue
// at the height of the legs goes under the frame, and two screws keep both together. Without a frame,
// screw the plate to a plank that lies under the board. A screw through the sleeve holds the post.
include <dimensions.scad>

wall = 4;
plate = 5;
sleeve = post + 2 * fit + 2 * wall;
wide = 80;
front = 45;
back = behind_frame + sleeve / 2 + 10;
high = 70;
tongue = 34;
tongue_top = leg + lip_height;  // where the underside of the frame's sides is

difference() {
    union() {
        translate([-wide / 2, -front, 0]) cube([wide, front + back, plate]);
        translate([-sleeve / 2, behind_frame - sleeve / 2, 0]) cube([sleeve, sleeve, high]);
        translate([-20, -tongue, tongue_top - tongue_thick]) cube([40, tongue + behind_frame, tongue_thick]);
        for (side = [-1, 1])
            translate([side * (sleeve / 2 - 0.01), behind_frame + wall / 2, plate - 0.01]) rotate([90, 0, 0])
                linear_extrude(wall) polygon([[0, 0], [side * 22, 0], [0, 55]]);
        // a wall under the tongue that opens like a Y, so that it prints without supports
        translate([0, behind_frame, 0]) rotate([90, 0, 0]) linear_extrude(tongue + behind_frame)
            polygon([[-2, 1], [2, 1], [2, tongue_top - 23], [20, tongue_top - 4], [-20, tongue_top - 4], [-2, tongue_top - 23]]);
    }
    translate([-post / 2 - fit, behind_frame - post / 2 - fit, plate]) cube([post + 2 * fit, post + 2 * fit, high]);
    translate([0, behind_frame, high - 12]) rotate([-90, 0, 0]) cylinder(d = screw, h = 2 * sleeve, center = true, $fn = 24);
    for (x = [-15, 15]) translate([x, -tongue_hole, 0]) {
        translate([0, 0, -1]) cylinder(d = 8, h = tongue_top - tongue_thick + 1, $fn = 32);  // the screw's head, and the screwdriver
        translate([0, 0, tongue_top - 10]) cylinder(d = screw, h = 20, $fn = 24);
    }
    for (x = [-33, 33], y = [-38, back - 7]) translate([x, y, -1]) cylinder(d = screw, h = plate + 2, $fn = 24);
}
