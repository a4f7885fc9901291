// A piece with a pocket for its magnet in the foot. Press the magnet in with the right pole down,
// flush with the foot, and put thin felt over it. The shapes are those the camera knows.
include <dimensions.scad>

piece = "pacman";
of = search([piece], pieces)[0];
shape = pieces[of][1];
radius = pieces[of][2] / 2;
high = pieces[of][3] - felt;   // the felt comes under it
magnet = [pieces[of][4] / 2 + fit / 2, pieces[of][5]];
steps = 24;

// The outline from the foot's edge to the top: a ball on a flat foot, or a cylinder with a dome.
foot = max(magnet[0] + 1.6, 0.7 * radius);  // wide enough to stand on, however small the magnet is
ball_middle = high - radius;
outline = shape == "ball"
    ? [for (n = [0 : steps]) let (low = -asin(min(1, ball_middle / radius)), at = low + (90 - low) * n / steps)
        if (radius * cos(at) > foot || at > 0) [radius * cos(at), ball_middle + radius * sin(at)]]
    : [for (n = [0 : steps]) let (at = 90 * n / steps) [radius * cos(at), high - radius + radius * sin(at)]];
edge = shape == "ball" ? max(foot, outline[0][0]) : radius;

rotate_extrude($fn = 64)
    polygon(concat([[0, magnet[1]], [magnet[0], magnet[1]], [magnet[0], 0], [edge, 0]], outline));
