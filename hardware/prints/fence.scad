// A fence; it stands in the groove with its foot, which is thicker than the fence and fills the groove,
// so that the fence cannot lean. The lower edges are broken, to find into the groove.
include <dimensions.scad>

wide = fence_foot[0];
edge = fence_foot[1];

translate([0, -fence[1] / 2, 0]) cube([fence[0], fence[1], fence[2] + groove_depth]);
translate([0, 0, 0]) rotate([90, 0, 90]) linear_extrude(fence[0])
    polygon([[-wide / 2 + edge, 0], [wide / 2 - edge, 0], [wide / 2, edge], [wide / 2, groove_depth], [-wide / 2, groove_depth], [-wide / 2, edge]]);
