// A third of a side of the frame: a channel for the strip with a bed for the diffuser over it, and a
// lip that carries the board. The board lies to the south of it. lives = true adds a second channel.
include <dimensions.scad>

lives = false;
width = (frame - board) / 2;
long = board / 3;

module channel(at, from, to) {
    translate([from, at - strip / 2, top - 1 - strip_deep]) cube([to - from, strip, strip_deep + 2]);
    translate([from, at - diffuser / 2, top - 1]) cube([to - from, diffuser, 2]);
}

module pilot_hole() {
    translate([0, 0, lip_height - 1]) cylinder(d = pilot, h = pilot_deep + 1, $fn = 24);
}

difference() {
    union() {
        translate([0, 0, lip_height]) cube([long, width, top - lip_height]);
        // clear of the lips of the next sides, where two meet in a corner
        translate([lip, -lip, 0]) cube([long - 2 * lip, lip + 15, lip_height + 0.01]);
    }
    channel(strip_at, -1, long + 1);
    if (lives) {
        channel(lives_at, (long - lives_long) / 2, (long + lives_long) / 2);
        // the way of its wires, clear of the screws
        translate([(long - lives_long) / 2 + 8, strip_at, top - 1 - strip_deep]) cube([6, lives_at - strip_at, strip_deep]);
    }
    // pilot holes for the screws of the corners' tongues and of the joiners between two sides
    for (x = [7.5, long - 7.5], y = screw_rows) translate([x, y, 0]) pilot_hole();
    // and of the camera's foot, which is on the other side of the table than the lives
    if (!lives) for (x = [-15, 15]) translate([long / 2 + x, width - tongue_hole, 0]) pilot_hole();
}
