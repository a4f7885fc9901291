"""Starts the firmware on a virtual Pico."""

import sys

if sys.platform == "webassembly":
    import console

    sys.modules["select"] = console

import main
from line import Line

if sys.platform == "webassembly":
    stream = console.stream()
    main.run(Line(stream, stream))
else:
    main.run()
