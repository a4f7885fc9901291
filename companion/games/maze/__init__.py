"""Mazes of holes or squares: what the marble game and Ms. Pac-Man are played on."""
