"""Runs the tests of a script under MicroPython, which has no pytest."""

import sys


def run(names):
    """Call every function whose name begins with test_; end with 1 when one fails."""
    failed = 0
    for name in sorted(names):
        if name.startswith("test_"):
            try:
                names[name]()
                print("passed", name)
            except Exception as error:
                failed += 1
                print("FAILED", name)
                sys.print_exception(error, sys.stdout)
    sys.exit(1 if failed else 0)


class FakeLine:
    """A line that a test feeds, and that keeps what was written."""

    def __init__(self):
        self.heard = b""
        self.written = bytearray()
        self.deaf = False
        self.blocks = 0

    def ready(self, wait_ms=0):
        return len(self.heard) > 0

    def read(self):
        byte, self.heard = self.heard[0], self.heard[1:]
        return byte

    def pump(self, outbox):
        while outbox.waiting and not self.deaf:
            self.written.extend(outbox.next())
            self.blocks += 1
            outbox.sent()


def frames(written):
    """Return what stands between the zeros."""
    return [part for part in bytes(written).split(b"\0") if part]
