"""Which pin goes where. Made from hardware/pins.toml by `make pins`: change that."""

LED = "LED"
INPUTS = 16
ADDRESS = (2, 3, 4, 5)
ENABLE = (6, 7)
ANALOG = (26, 27, 28)
CHANNELS = 81
