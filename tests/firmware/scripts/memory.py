"""Nothing of what happens scan after scan takes memory: the heap is locked while it happens."""

import gc
import time
from binascii import unhexlify

import framing
import machine
import main
import micropython
import plain
import trial

HELLO = unhexlify("00030107070101c3e7890800")
RAW = unhexlify("0003060e060ad44464ee00")


def start(checksum):
    """Return a firmware that talks to a host and sends every scan."""
    framing.checksum = checksum
    firmware = main.Firmware(Sink())
    for byte in HELLO + RAW:
        size = firmware.decoder.feed(byte)
        if size:
            assert firmware.grid.obey(firmware.decoder.data, 1, size)
    return firmware


class Sink:
    """A line that takes everything and keeps nothing."""

    blocks = 0

    def ready(self, wait_ms=0):
        return False

    def pump(self, outbox):
        while outbox.waiting:
            outbox.next()
            outbox.sent()
            self.blocks += 1


def scans(firmware, count):
    """Let some scans pass, with a magnet that comes and goes on one channel."""
    done = 0
    while done < count:
        machine.inputs[7] = 3500 if done & 1 else 2048
        firmware._due = firmware._scanned  # no need to wait
        firmware._scan(time.ticks_add(firmware._scanned, main.PERIOD_MS))
        firmware.line.pump(firmware.outbox)
        done += 1


def locked(firmware):
    scans(firmware, 4)
    before = firmware.line.blocks
    micropython.heap_lock()
    try:
        scans(firmware, 150)
    finally:
        micropython.heap_unlock()
    sent = firmware.line.blocks - before
    assert sent == 150 * (3 + 1), sent  # a snapshot and an event a scan


def test_the_lock_finds_what_takes_memory():
    micropython.heap_lock()
    try:
        [1, 2, 3][0:2]
    except MemoryError:
        return
    finally:
        micropython.heap_unlock()
    raise AssertionError("a list was made although the heap was locked")


def test_scans_events_and_snapshots_take_no_memory():
    locked(start(framing._choose()))


def test_nor_do_they_with_the_plain_checksum():
    locked(start(plain.checksum))


def test_nor_does_listening():
    decoder = framing.Decoder()
    micropython.heap_lock()
    try:
        at = 0
        while at < 600:
            decoder.feed(HELLO[at % len(HELLO)])
            at += 1
    finally:
        micropython.heap_unlock()
    assert decoder.bad == 0


def test_all_of_it_fits_a_pico():
    gc.collect()
    before = gc.mem_alloc()
    start(framing._choose())
    gc.collect()
    print("bytes of the firmware's buffers:", gc.mem_alloc() - before)
    assert gc.mem_alloc() < 100_000  # of about 190,000


trial.run(globals())
