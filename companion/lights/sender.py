"""Sends frames to a strip from a thread of its own, only ever the newest.

A strip on the SPI bus takes several milliseconds a frame, most of them in Python, and a driver
whose hardware is gone may never return. The loop must not block on either, so it only leaves the
newest frame here (a mailbox of one); older frames are dropped (backpressure).
"""

import atexit
import logging
import threading
from collections.abc import Callable
from functools import partial

from companion.lights.strip import SENDS_PER_SECOND, Colours, Strip

log = logging.getLogger(__name__)

HUNG_SECONDS = 2.0


class Sender:
    """Drives a strip until it is closed, and leaves it dark, also when Python exits.

    ``sent`` is called after every frame that went out, in the thread of the sender.

        sender = Sender(strip, time.monotonic)
        sender.post(scene(snapshot, board, now))
        sender.close()
    """

    def __init__(
        self,
        strip: Strip,
        clock: Callable[[], float],
        sent: Callable[[], None] = lambda: None,
    ) -> None:
        self._strip = strip
        self._clock = clock
        self._sent = sent
        self._newest: Colours | None = None
        self._fault = ""
        self._busy_since: float | None = None
        self._posted = threading.Condition()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def post(self, colours: Colours) -> None:
        """Leave a frame to be sent as soon as it can be; never waits."""
        with self._posted:
            self._newest = colours
            self._posted.notify()

    @property
    def trouble(self) -> str:
        """Return what is wrong with the strip, in a sentence; nothing when all is well."""
        since = self._busy_since
        if since is not None and self._clock() - since > HUNG_SECONDS:
            return "The lights have not answered for a while. Check their cable, or start again."
        return self._fault

    def close(self) -> None:
        """Stop, and turn all LEDs dark; a driver that hangs is left alone. Twice is fine."""
        atexit.unregister(self.close)
        with self._posted:
            self._closing.set()
            self._posted.notify()
        self._thread.join(HUNG_SECONDS)

    def _run(self) -> None:
        while not self._closing.is_set():
            frame = self._take()
            if frame is not None and self._try(partial(self._strip.show, frame, self._clock())):
                self._sent()
            self._closing.wait(1 / SENDS_PER_SECOND)
        self._try(self._strip.off)
        self._sent()

    def _take(self) -> Colours | None:
        with self._posted:
            self._posted.wait_for(lambda: self._newest is not None or self._closing.is_set())
            frame, self._newest = self._newest, None
            return None if self._closing.is_set() else frame

    def _try(self, do: Callable[[], object]) -> bool:
        """Call the driver; it may raise anything, and the game goes on all the same."""
        self._busy_since = self._clock()
        try:
            done = do()
        except Exception as error:
            if not self._fault:
                log.warning("lights lost: %s", error)
            self._fault = f"The lights do not answer ({error}). Check their cable."
            return False
        finally:
            self._busy_since = None
        if self._fault:
            log.info("the lights are back")
            self._fault = ""
        return bool(done)
