"""What all players share: levels and limits, lookahead, and the compiled core.

Each game's own player lies in the game's folder.
"""
