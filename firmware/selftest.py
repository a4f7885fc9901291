"""The self-test at the start: does every sensor answer, and are the two banks separate?"""

import pins

LEAST, MOST = 60, 4035  # counts that a sensor with power reaches, magnet or not
PULLED_DOWN = 400  # an analog pin that no bank drives is below this
CHANNELS_OUT, BANKS_JOINED, SETTINGS_LOST = 1, 2, 4


def run(mux, values, marks):
    """Return the bits of the result; set the bit in ``marks`` of each channel out of range."""
    found = 0
    for line in range(len(pins.ANALOG)):
        if mux.idle(line) > PULLED_DOWN:
            found |= BANKS_JOINED
    mux.scan(values)
    for channel in range(len(values)):
        if not LEAST <= values[channel] <= MOST:
            marks[channel >> 3] |= 1 << (channel & 7)
            found |= CHANNELS_OUT
    return found
