// Sizes in millimetres, from the board's profile and plan.toml: `make hardware`.
cell = 23;
groove = 6;
groove_depth = 4;
pitch = 29;
field = 255;
board = 270;
frame = 370;
fence = [52, 5, 16];
marker_at = 165;
paper = 40;
strip_at = 7;
lives_at = 30;
base = 5;
top = 12;
lip = 4;
lip_height = 3;
leg = 35;
strip = 11;
strip_deep = 5;
diffuser = 13;
lives_long = 80;
tile_cells = 3;
sensor = [4.2, 3.3, 1.6];
post = 20;
behind_frame = 25;
tongue_hole = 17;
tilt = 19.8;
fit = 0.2;
screw = 3.4;
pilot = 2.6;
pilot_deep = 6;
screw_rows = [21, 42];
joiner_at = 16;
leg_at = 30;
leg_top = 6;
tongue_thick = 5;
tile = 4;
tile_pilot = 4.4;
fence_foot = [5.7, 0.3];
felt = 0.5;
// name, shape, diameter, height, diameter and height of the magnet
pieces = [
  ["pacman", "ball", 19, 19, 4, 1.5],
  ["blinky", "ghost", 17, 30, 8, 1],
  ["pinky", "ghost", 17, 30, 10, 1.5],
  ["inky", "ghost", 17, 30, 4, 1.5],
  ["clyde", "ghost", 17, 30, 8, 1],
];
