"""Dice that lie anywhere in a picture: where they are, and what they show."""
