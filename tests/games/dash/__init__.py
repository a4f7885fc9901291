"""An eighth game, tiny: it lies in the tests and shows that a folder and one call are enough."""
