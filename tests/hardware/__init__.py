"""Tests of what is built: circuit, figures, prints and pictures."""
