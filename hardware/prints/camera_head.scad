// The head of the camera: a sleeve over the post's end, and a plate for a Raspberry Pi camera
// (modules 1 to 3: holes 21 by 12.5 mm) that is tilted so that the lens looks at the board's middle.
// The plate points south, over the board; the camera hangs under it, its cable towards the post.
include <dimensions.scad>

wall = 4;
sleeve = post + 2 * fit + 2 * wall;
high = 36;
plate = [34, 40, 4];
reach = 34;  // of the braces beside the plate

module camera_plate() {
    difference() {
        translate([-plate[0] / 2, 0, 0]) cube(plate);
        for (x = [-10.5, 10.5], y = [18, 30.5]) translate([x, y, -1]) cylinder(d = 2.3, h = plate[2] + 2, $fn = 20);
        translate([-6, 18, -1]) cube([12, 14, plate[2] + 2]);  // the lens and its plug
        translate([-10, 7.5, -1]) cube([20, 6, plate[2] + 2]);  // the cable
    }
}

difference() {
    union() {
        translate([-sleeve / 2, -sleeve / 2, 0]) cube([sleeve, sleeve, high]);
        translate([0, sleeve / 2 - 6, 8]) rotate([tilt, 0, 0]) camera_plate();
        for (x = [-plate[0] / 2, plate[0] / 2 - wall])
            translate([x, sleeve / 2 - 6, 0]) rotate([90, 0, 90]) linear_extrude(wall)
                polygon([[0, 8], [0, high], [6, high], [reach * cos(tilt), 8 + reach * sin(tilt) + plate[2]], [reach * cos(tilt), 8 + reach * sin(tilt)]]);
    }
    translate([-post / 2 - fit, -post / 2 - fit, -20]) cube([post + 2 * fit, post + 2 * fit, high + 20 - wall]);
    translate([0, -sleeve, 24]) rotate([-90, 0, 0]) cylinder(d = screw, h = sleeve, $fn = 24);
}
