"""From a picture to evidence: where the board lies in it, and what stands where."""
