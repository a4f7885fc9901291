"""The firmware's version, as told in the welcome; the companion reads it here too."""

VERSION = (0, 1, 1)
