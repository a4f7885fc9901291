"""Feeds systemd's watchdog while everything goes on, and lets it bite when something hangs."""

import logging
from collections.abc import Callable

from companion.service.notify import Notifier
from companion.service.pulse import Clock, Pulse

log = logging.getLogger(__name__)

ASK_SECONDS = 5.0  # how often the page is looked after
PAGE_SECONDS = 20.0  # how long it may hang
STATUS_SECONDS = 2.0


class Watchdog:
    """Looks after the service; :meth:`look` is to be called more often than systemd wants to hear.

    ``stalled`` returns the parts that hang, ``page_goes_on`` tells whether the page does not, and
    ``status`` says in a line how things are. Without systemd nothing is looked at. The page is not
    asked as a phone asks it: a crowd at its door is no reason to end a game.
    """

    def __init__(
        self,
        notifier: Notifier,
        stalled: Callable[[], tuple[str, ...]],
        page_goes_on: Callable[[], bool],
        status: Callable[[], str],
        clock: Clock,
    ) -> None:
        self._notifier = notifier
        self._stalled = stalled
        self._page_goes_on = page_goes_on
        self._status = status
        self._clock = clock
        self._page = Pulse(clock, PAGE_SECONDS)
        self._ask_at = self._feed_at = self._tell_at = clock()
        self._hanging: tuple[str, ...] = ()

    def look(self) -> None:
        """Look at every part; feed the watchdog if it is time and all of them go on."""
        if not self._notifier.listened:
            return
        feed_seconds = self._notifier.feed_seconds
        if feed_seconds is not None:
            hanging = self._find_hanging()
            if not hanging and self._clock() >= self._feed_at:
                self._notifier.feed()
                self._feed_at = self._clock() + feed_seconds
        if self._clock() >= self._tell_at:
            self._tell_at = self._clock() + STATUS_SECONDS
            self._notifier.status(_stuck(self._hanging) if self._hanging else self._status())

    def _find_hanging(self) -> tuple[str, ...]:
        if self._clock() >= self._ask_at:
            if self._page_goes_on():
                self._page.beat()
            self._ask_at = self._clock() + ASK_SECONDS
        hanging = self._stalled() + (("page",) if self._page.stalled else ())
        if hanging and hanging != self._hanging:
            log.error("%s Nothing needs to be done.", _stuck(hanging))
        elif self._hanging and not hanging:
            log.info("everything goes on again")
        self._hanging = hanging
        return hanging


def _stuck(parts: tuple[str, ...]) -> str:
    verb = "hangs" if len(parts) == 1 else "hang"
    return f"{', '.join(parts)} {verb}: systemd will start the companion afresh."
