"""The table as things: circuit, parts, prints and pictures. ``make hardware`` makes them."""
