"""Buttons and a buzzer beside the board: what they mean, and the pins they are wired to."""
