// A fence; it stands in the groove with its lower end.
include <dimensions.scad>

cube([fence[0], fence[1], fence[2] + groove_depth]);
