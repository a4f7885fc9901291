"""The simulated camera: the table as a picture."""
