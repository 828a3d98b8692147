"""The declaration, what is generated from it, and the bytes on the line."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.box import protocol
from referee.box.wire import (
    Deframer,
    Field,
    Frame,
    FrameError,
    Message,
    ProtocolError,
    RangeError,
    crc16,
    stuff,
    unstuff,
)

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_generated_is_not_stale() -> None:
    check = [sys.executable, "-m", "firmware.generator", "--check"]
    done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_crc_is_ccitt_false() -> None:
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize(
    ("plain", "stuffed"),
    # The examples of the COBS paper's Wikipedia page that are short enough.
    [
        ("00", "01 01"),
        ("00 00", "01 01 01"),
        ("00 11 00", "01 02 11 01"),
        ("11 22 00 33", "03 11 22 02 33"),
        ("11 22 33 44", "05 11 22 33 44"),
        ("11 00 00 00", "02 11 01 01 01"),
    ],
)
def test_stuffing_is_cobs(plain: str, stuffed: str) -> None:
    assert stuff(bytes.fromhex(plain)) == bytes.fromhex(stuffed)
    assert unstuff(bytes.fromhex(stuffed)) == bytes.fromhex(plain)


@pytest.mark.parametrize("broken", ["05 11", "03 11 00 22", "00"])
def test_what_is_no_cobs_is_refused(broken: str) -> None:
    with pytest.raises(FrameError, match="COBS"):
        unstuff(bytes.fromhex(broken))


@settings(deadline=None)
@given(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=protocol.MAX_PAYLOAD))
def test_a_frame_comes_back(sequence: int, kind: int, payload: bytes) -> None:
    frame = Frame(sequence, kind, payload)
    data = frame.to_bytes()
    assert data.count(0) == 1
    assert data.endswith(b"\0")
    assert Frame.from_bytes(data[:-1]) == frame


@settings(deadline=None)
@given(
    st.lists(st.binary(min_size=1, max_size=protocol.MAX_PAYLOAD), max_size=5),
    st.lists(st.integers(0, 300), max_size=8),
    st.binary(max_size=200),
)
def test_frames_are_cut_from_a_stream_wherever_it_is_split(
    payloads: list[bytes], cuts: list[int], noise: bytes
) -> None:
    frames = [Frame(i, 1, p) for i, p in enumerate(payloads)]
    stream = noise.replace(b"\0", b"x") + b"\0" + b"".join(f.to_bytes() for f in frames)
    places = [0, *sorted(min(c, len(stream)) for c in cuts), len(stream)]
    deframer = Deframer(protocol.MAX_PAYLOAD)
    found = [f for a, b in itertools.pairwise(places) for f in deframer.feed(stream[a:b])]
    assert found == frames
    assert deframer.bad == (1 if noise else 0)


def _value(field: Field) -> st.SearchStrategy[Any]:
    one = st.integers(field.least, field.most).map(field.kind)
    if field.count is None:
        return one
    return st.lists(one, min_size=field.count[0], max_size=field.count[1]).map(tuple)


MESSAGES: list[type[Message]] = [
    *protocol.COMMANDS.values(),
    *protocol.REPLIES.values(),
    *protocol.EVENTS.values(),
]


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
@settings(max_examples=20, deadline=None)
@given(st.data())
def test_a_message_comes_back(kind: type[Message], data: st.DataObject) -> None:
    message = kind(*(data.draw(_value(field)) for field in kind.FIELDS))
    payload = message.payload()
    assert len(payload) <= protocol.MAX_PAYLOAD
    assert kind.from_payload(payload) == message
    with pytest.raises(ProtocolError):
        kind.from_payload(payload + b"\0")


def test_the_bytes_of_an_hourglass() -> None:
    glass = protocol.Hourglass(0x0102, 20_000, 3, protocol.Pattern.END, 4, -5000)
    assert glass.payload() == bytes.fromhex("02 01  20 4e 00 00  03  05  04  78 ec")


def test_a_field_out_of_range_is_named() -> None:
    with pytest.raises(RangeError, match="turns is 0") as error:
        protocol.Spin(0, 0, protocol.Profile.BRISK).payload()
    assert error.value.index == 1
    with pytest.raises(RangeError, match="starts has 1 entries") as error:
        protocol.Sectors((0,)).payload()
    assert error.value.index == 0
    with pytest.raises(RangeError, match="turns is 11"):
        protocol.Spin.from_payload(bytes([0, 11, 0]))


def test_answers_are_told_from_refusals() -> None:
    refused = protocol.Refusal(protocol.Result.OUT_OF_RANGE, 1)
    assert protocol.read_reply(protocol.reply_frame(7, protocol.Spin.ID, refused)) == refused
    done = protocol.SpinReply(2000)
    assert protocol.read_reply(protocol.reply_frame(7, protocol.Spin.ID, done)) == done
    with pytest.raises(ProtocolError, match="result 99"):
        protocol.read_reply(Frame(7, protocol.Spin.ID | 0x40, bytes([99, 0])))
    with pytest.raises(ProtocolError, match="no answer"):
        protocol.read_reply(Frame(7, protocol.Booted.ID, bytes(2)))
