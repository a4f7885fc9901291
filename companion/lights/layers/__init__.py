"""The layers of a scene: each says one thing, and is tested by itself."""
