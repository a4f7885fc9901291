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
felt = 0.5;
// name, shape, diameter, height, diameter and height of the magnet
pieces = [
  ["pacman", "ball", 19, 19, 10, 3],
  ["blinky", "ghost", 17, 30, 10, 3],
  ["pinky", "ghost", 17, 30, 8, 2],
  ["inky", "ghost", 17, 30, 6, 3],
  ["clyde", "ghost", 17, 30, 5, 2],
];
