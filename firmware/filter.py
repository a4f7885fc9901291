"""What the values of the channels mean: rest, noise, and a magnet that comes or goes.

No pins and no line: values in, findings out. Looking at a scan allocates no memory.
"""

from array import array

PUT_COUNTS = 80  # threshold from rest beyond which a magnet has come
LIFT_COUNTS = 50  # and below which it has gone: the gap is the hysteresis
BASELINE_SCANS = 64
UNMEASURED = 2048  # the rest value of every channel before the first baseline
NOISE_CHANNELS = 9  # followed in each scan, so that all have their turn several times a second
NOISE_BITS = 5  # weight of a new step in the moving average: 2 to minus this
NOISE_UNIT_BITS = 4  # of what is kept in an eighth of a count
NOISE_MOST = 31  # counts; a greater step is a magnet that moved


class Filter:
    """Tracks all channels from scan to scan.

    ``rest`` holds the rest values, ``changed`` the channels of the last :meth:`look`.
    """

    def __init__(self, channels):
        self.rest = array("H", [UNMEASURED] * channels)
        self.taken = False
        self.changed = bytearray(channels)
        self.occupied = bytearray(channels)
        self._channels = channels
        self._fresh = True
        self._sums = array("I", [0] * channels)
        self._to_sum = 0
        self._noise = array("H", [0] * channels)
        self._looked_at = array("H", [0] * channels)
        self._next = 0
        self._rounds = 0

    def forget(self):
        """Take what stands on the board in the next scan as given: it is no event."""
        self._fresh = True

    def look(self, values):
        """Return how many channels a magnet came to or left in this scan; see ``changed``."""
        rest, occupied, fresh = self.rest, self.occupied, self._fresh
        near, far = LIFT_COUNTS, PUT_COUNTS
        found = channel = 0
        for value in values:
            away = value - rest[channel]
            if away < 0:
                away = -away
            if fresh:
                occupied[channel] = away > far
            elif away < near if occupied[channel] else away > far:
                occupied[channel] = 1 - occupied[channel]
                self.changed[found] = channel
                found += 1
            channel += 1
        self._fresh = False
        return found

    def follow_noise(self, values):
        """Update the noise of some channels; the others have their turn in the next scans."""
        channel = self._next
        end = channel + NOISE_CHANNELS
        if end > self._channels:
            end = self._channels
        noise, before = self._noise, self._looked_at
        while channel < end:
            value = values[channel]
            if self._rounds:
                step = value - before[channel]
                if step < 0:
                    step = -step
                if step > NOISE_MOST:
                    step = NOISE_MOST
                kept = noise[channel]
                noise[channel] = kept + ((step << 3 + NOISE_UNIT_BITS) - kept >> NOISE_BITS)
            before[channel] = value
            channel += 1
        if channel == self._channels:
            channel = 0
            self._rounds = 1
        self._next = channel

    def noise(self, channel):
        """Return the mean step of a channel in eighths of a count."""
        return self._noise[channel] >> NOISE_UNIT_BITS

    def begin_baseline(self):
        """Take the next scans as those of an empty board."""
        channel = 0
        while channel < self._channels:
            self._sums[channel] = 0
            channel += 1
        self._to_sum = BASELINE_SCANS

    def measure_rest(self, values):
        """Sum a scan up if a baseline is under way; tell whether this one completed it."""
        if not self._to_sum:
            return False
        self._to_sum -= 1
        last = not self._to_sum
        sums, rest, channel = self._sums, self.rest, 0
        for value in values:
            sums[channel] += value
            if last:
                rest[channel] = (sums[channel] + BASELINE_SCANS // 2) // BASELINE_SCANS
            channel += 1
        if last:
            self.taken = self._fresh = True
        return last
