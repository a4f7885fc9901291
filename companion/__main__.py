"""``companion …`` on the command line: finds the command's module and reports errors in a line."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from companion import __version__
from companion.errors import CompanionError

COMMANDS = {
    "play": "run the service; without hardware it is simulated and says so",
    "address": "say where phones open the page, and draw it as a QR code",
    "look": "read still pictures of a board",
    "dice": "read dice that lie anywhere in pictures",
    "teach": "learn a board from pictures of it",
    "watch": "referee a folder of frames, a video or a stream",
    "record": "have games recorded on this machine, list the recordings, or delete them",
    "engine": "speak UGI on standard input and output",
    "replay": "check and show a game record, move by move",
    "calibrate": "set up the camera's view of the board, and the magnets of the pieces",
    "lights": "test the strip of lights, or find out which LED faces what",
    "doctor": "say what is attached, what is missing, and what to do about it",
    "boards": "list, check and draw board profiles",
}


class Parser(argparse.ArgumentParser):
    """Reports wrong use in one line that says where to read on."""

    def error(self, message: str) -> NoReturn:
        """End with 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0 for good, 1 when the answer is no, 2 for wrong use."""
    args = sys.argv[1:] if argv is None else list(argv)
    about = "A referee for real boards; every command has --help."
    parser = Parser(prog="companion", description=about)
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    wanted = next((arg for arg in args if arg in COMMANDS), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name == wanted:  # only the module that is used is imported: the engine starts at once
            module = importlib.import_module(f"companion.commands.{name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    options = parser.parse_args(args)
    try:
        return int(options.run(options))
    except CompanionError as error:
        print(f"companion {options.command}: {error}", file=sys.stderr)
        return 2 if getattr(error, "wrong_use", False) else 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
