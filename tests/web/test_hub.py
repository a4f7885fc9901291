import json
import threading

import pytest

from companion.web.hub import Hub, TooManyStreams


def events(text):
    """Return (id, kind, data) of every event in a piece of a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if "data" in fields:
            found.append((fields["id"], fields["event"], json.loads(fields["data"])))
    return found


def test_first_thing_in_a_stream_is_a_comment_even_when_nothing_was_published():
    stream = Hub().stream(None)
    assert next(stream).startswith(":")


def test_new_reader_gets_the_newest_of_each_kind_once():
    hub = Hub()
    for number in range(3):
        hub.publish("state", {"number": number})
        hub.publish("lights", {"leds": [[number, 0, 0]]})
    stream = hub.stream(None)
    next(stream)
    got = [(kind, data) for _, kind, data in events(next(stream))]
    assert got == [("state", {"number": 2}), ("lights", {"leds": [[2, 0, 0]]})]


def test_reader_that_comes_back_gets_every_state_it_missed_and_only_the_newest_lights():
    hub = Hub()
    hub.publish("state", {"number": 0})
    stream = hub.stream(None)
    next(stream)
    last_id = events(next(stream))[-1][0]
    for number in range(1, 4):
        hub.publish("lights", {"leds": [[number, 0, 0]]})
        hub.publish("state", {"number": number})
    again = hub.stream(last_id)
    next(again)
    got = events(next(again))
    assert [data["number"] for _, kind, data in got if kind == "state"] == [1, 2, 3]
    assert [data["leds"] for _, kind, data in got if kind == "lights"] == [[[3, 0, 0]]]


def test_slow_reader_misses_no_state_but_skips_old_tables():
    hub = Hub()
    hub.publish("state", {"number": 0})
    stream = hub.stream(None)
    next(stream)
    next(stream)
    for number in range(50):
        hub.publish("table", {"revision": number})
    hub.publish("state", {"number": 1})
    hub.publish("state", {"number": 2})
    got = [(kind, data) for _, kind, data in events(next(stream))]
    assert got == [
        ("table", {"revision": 49}),
        ("state", {"number": 1}),
        ("state", {"number": 2}),
    ]


@pytest.mark.parametrize("last_id", ["", "17", "elsewhere-3", "x-\u0663", "-", "a" * 5000, "é-1"])
def test_id_of_another_run_starts_afresh(last_id):
    hub = Hub()
    hub.publish("state", {"number": 7})
    stream = hub.stream(last_id)
    next(stream)
    assert events(next(stream))[0][2] == {"number": 7}


def test_same_data_twice_is_one_event():
    hub = Hub()
    first = hub.publish("lights", {"leds": []})
    assert hub.publish("lights", {"leds": []}) == first
    assert hub.publish("lights", {"leds": [[1, 1, 1]]}) > first


def test_stream_of_chosen_kinds_leaves_out_the_others():
    hub = Hub()
    hub.publish("lights", {"leds": []})
    hub.publish("state", {"number": 1})
    stream = hub.stream(None, ["state"])
    next(stream)
    assert [kind for _, kind, _ in events(next(stream))] == ["state"]


def test_streams_are_capped_and_closing_one_makes_room():
    hub = Hub(streams=2)
    first, second = hub.stream(None), hub.stream(None)
    with pytest.raises(TooManyStreams):
        hub.stream(None)
    first.close()
    first.close()
    third = hub.stream(None)
    assert hub.open_streams == 2
    second.close()
    third.close()
    assert hub.open_streams == 0


def test_quiet_stream_gives_a_sign_of_life():
    stream = Hub(keep_alive=0.0).stream(None)
    next(stream)
    assert next(stream).startswith(":")


def test_stream_ends_when_its_reader_has_gone():
    hub = Hub()
    stream = hub.stream(None, gone=lambda: True)
    next(stream)
    hub.publish("state", {"number": 1})
    next(stream)
    hub.publish("lights", {"leds": []})
    next(stream)
    with pytest.raises(StopIteration):
        next(stream)
    assert hub.open_streams == 0


def test_waiting_stream_can_be_ended():
    hub = Hub()
    stream = hub.stream(None)
    next(stream)
    ended = threading.Event()

    def read():
        list(stream)
        ended.set()

    threading.Thread(target=read, daemon=True).start()
    hub.end_streams()
    assert ended.wait(10)


def test_states_published_by_one_thread_reach_many_readers_in_order():
    hub = Hub(streams=8)
    hub.publish("state", {"number": 0})
    got = [[] for _ in range(8)]

    def read(into):
        stream = hub.stream(None)
        for text in stream:
            into += [data["number"] for _, _, data in events(text)]
            if into and into[-1] == 100:
                stream.close()
                return

    readers = [threading.Thread(target=read, args=(into,), daemon=True) for into in got]
    for reader in readers:
        reader.start()
    for number in range(1, 101):
        hub.publish("state", {"number": number})
    for reader in readers:
        reader.join(10)
    assert all(numbers == list(range(numbers[0], 101)) for numbers in got)
