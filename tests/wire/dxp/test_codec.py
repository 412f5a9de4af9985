"""DXP messages, byte by byte: what is written, what is read, and what is not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turkengine.rules.variant import Side
from turkengine.wire.dxp import codec
from turkengine.wire.dxp.codec import FrameError, FrameSplitter, VersionError, decode, encode, minutes_text, plain
from turkengine.wire.dxp.frames import (
    Acceptance,
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    EndReason,
    Frame,
    GameAccept,
    GameEnd,
    GameRequest,
    MoveFrame,
)

START = "W" + "b" * 20 + "e" * 10 + "w" * 20

EXAMPLES: list[tuple[Frame, bytes]] = [
    (GameRequest("Ann", Side.WHITE, 60, 65), b"R01Ann                             W060065A\0"),
    (GameRequest("x" * 32, Side.BLACK, 0, 0), b"R01" + b"x" * 32 + b"Z000000A\0"),
    (GameRequest("Ann", Side.BLACK, 2.5, 999), b"R01Ann                             Z2.5999A\0"),
    (
        GameRequest("Ann", Side.WHITE, 5, 75, START),
        b"R01Ann                             W005075BW" + b"z" * 20 + b"e" * 10 + b"w" * 20 + b"\0",
    ),
    (
        GameRequest("Ann", Side.WHITE, 5, 75, "B" + "e" * 48 + "WB"),
        b"R01Ann                             W005075BZ" + b"e" * 48 + b"WZ\0",
    ),
    (GameAccept("Bob 2.0", Acceptance.ACCEPTED), b"ABob 2.0                         0\0"),
    (GameAccept("Bob 2.0", Acceptance.NO_GAME), b"ABob 2.0                         3\0"),
    (MoveFrame(12, 6, 11), b"M0012061100\0"),
    (MoveFrame(12, 5, 25, (12, 20, 22, 23)), b"M001205250412202223\0"),
    (GameEnd(EndReason.UNKNOWN, last=False), b"E00\0"),
    (GameEnd(EndReason.WON, last=True), b"E31\0"),
    (Chat("What about move 35?"), b"CWhat about move 35?\0"),
    (BackRequest(5, Side.BLACK), b"B005Z\0"),
    (BackAccept(BackAnswer.REFUSED), b"K2\0"),
]

MALFORMED = [
    b"",
    b" ",
    b"X",
    b"m0012061100",
    b"\xff\xfe",
    b"R",
    b"R01Ann",
    b"R01Ann                             X005075A",
    b"R01Ann                             W0x5075A",
    b"R01Ann                             W-05075A",
    b"R01Ann                             W..5075A",
    b"R01Ann                             W  .075A",
    b"R01Ann                             W00507xA",
    b"R01Ann                             W005075",
    b"R01Ann                             W005075C",
    b"R01Ann                             W005075AW",
    b"R01Ann                             W005075B",
    b"R01Ann                             W005075BW",
    b"R01Ann                             W005075BXeeee",
    b"R01Ann                             W005075BWeebe",
    b"Rxx",
    b"A",
    b"ABob0",
    b"ABob                             4",
    b"ABob                             00",
    b"M",
    b"M0012",
    b"M00120611",
    b"M0012061101",
    b"M001206110112345",
    b"M00120611001",
    b"M00x2061100",
    b"M0012-61100",
    b"M0012 6 1x0",
    b"E",
    b"E0",
    b"E40",
    b"E02",
    b"E000",
    b"Ex0",
    b"B05Z",
    b"B0055",
    b"B005ZZ",
    b"K",
    b"K3",
    b"K00",
]

NAMES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=32)
SQUARES = st.integers(1, 99)
POSITIONS = st.builds(str.__add__, st.sampled_from("WB"), st.text("wbWBe", min_size=50, max_size=64))
FRAMES = st.one_of(
    st.builds(
        GameRequest,
        NAMES,
        st.sampled_from(Side),
        st.integers(0, 999) | st.sampled_from([0.05, 0.5, 2.5]),
        st.integers(0, 999),
        st.none() | POSITIONS,
    ),
    st.builds(GameAccept, NAMES, st.sampled_from(Acceptance)),
    st.builds(MoveFrame, st.integers(0, 9999), SQUARES, SQUARES, st.lists(SQUARES, max_size=24).map(sorted).map(tuple)),
    st.builds(GameEnd, st.sampled_from(EndReason), st.booleans()),
    st.builds(Chat, st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=126)),
    st.builds(BackRequest, st.integers(0, 999), st.sampled_from(Side)),
    st.builds(BackAccept, st.sampled_from(BackAnswer)),
)


@pytest.mark.parametrize(("frame", "data"), EXAMPLES, ids=lambda value: str(value)[:60])
def test_a_message_is_these_bytes_and_no_others(frame: Frame, data: bytes) -> None:
    assert encode(frame) == data
    assert decode(data.removesuffix(b"\0")) == frame


@given(FRAMES)
def test_what_is_written_is_read_again(frame: Frame) -> None:
    data = encode(frame)
    assert data.endswith(b"\0")
    assert data.count(b"\0") == 1
    assert len(data) <= 128
    assert decode(data[:-1]) == frame


@pytest.mark.parametrize("data", MALFORMED)
def test_what_is_no_message_is_named(data: bytes) -> None:
    with pytest.raises(FrameError) as caught:
        decode(data)
    assert str(caught.value).isprintable()


def test_an_error_names_the_field_that_is_wrong() -> None:
    with pytest.raises(FrameError, match="the field 'minutes' is '0x5', no number"):
        decode(b"R01Ann                             W0x5075A")
    with pytest.raises(FrameError, match="the field 'captured square 2' is cut short"):
        decode(b"M00120611020730"[:-2])
    with pytest.raises(FrameError, match="'11' comes after the end of the message"):
        decode(b"M001206110011")


@given(st.binary(max_size=140) | st.builds(bytes.__add__, st.sampled_from([b"R01", b"M", b"E", b"B"]), st.binary()))
def test_no_bytes_lead_to_another_error(data: bytes) -> None:
    try:
        frame = decode(data)
    except FrameError:
        return
    encode(frame)  # whatever can be read can be said again


@pytest.mark.parametrize(
    ("field", "minutes"),
    [(b"  5", 5), (b"5  ", 5), (b"   ", 0), (b".5 ", 0.5), (b"0.5", 0.5), (b"1. ", 1), (b".05", 0.05)],
)
def test_minutes_are_read_as_programs_write_them(field: bytes, minutes: float) -> None:
    request = decode(b"R01Ann                             W" + field + b"   A")
    assert request == GameRequest("Ann", Side.WHITE, minutes, 0)


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b" ", b"  \r\n"])
def test_line_ends_and_blanks_behind_a_message_do_not_count(end: bytes) -> None:
    for frame, data in EXAMPLES:
        if not isinstance(frame, Chat):
            assert decode(data.removesuffix(b"\0") + end) == frame


def test_another_version_is_told_apart() -> None:
    with pytest.raises(VersionError, match="version 2"):
        decode(b"R02whatever may come then")


def test_captured_squares_come_in_any_order_and_go_in_ascending_order() -> None:
    assert decode(b"M001205250422122320") == MoveFrame(12, 5, 25, (22, 12, 23, 20))
    assert encode(MoveFrame(12, 5, 25, (22, 12, 23, 20))) == b"M001205250412202223\0"


def test_a_long_time_is_sent_as_the_longest_there_is() -> None:
    assert encode(MoveFrame(12_345, 6, 11)) == b"M9999061100\0"


def test_a_number_without_room_is_refused() -> None:
    with pytest.raises(FrameError, match="move 1000 has no room in 3 digits"):
        encode(BackRequest(1000, Side.WHITE))


@pytest.mark.parametrize(
    ("minutes", "text"), [(0, "000"), (1, "001"), (999, "999"), (0.5, "0.5"), (0.05, ".05"), (2.5, "2.5")]
)
def test_minutes_have_three_characters(minutes: float, text: str) -> None:
    assert minutes_text(minutes) == text


@pytest.mark.parametrize("minutes", [1000, -1, 0.001, 10.5, 2.25, float("inf"), float("nan")])
def test_minutes_that_do_not_fit_are_refused(minutes: float) -> None:
    with pytest.raises(FrameError, match="minutes cannot be sent"):
        minutes_text(minutes)


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("Çağrı Öztürk", "Cagri Ozturk"),  # noqa: RUF001
        ("Łódź – Groß", "Lodz - Gross"),  # noqa: RUF001
        ("two\nlines\x1b[2J", "two?lines?[2J"),
        ("шашки", "?????"),
        ("x" * 40, "x" * 32),
    ],
)
def test_a_name_is_sent_as_ascii(name: str, sent: str) -> None:
    assert encode(GameAccept(name, Acceptance.ACCEPTED)) == b"A" + sent.encode().ljust(32) + b"0\0"
    assert plain(name)[:32] == sent


def test_a_name_that_comes_can_be_shown() -> None:
    frame = decode(b"A" + b"\x1b[2J\xff".ljust(32) + b"0")
    assert isinstance(frame, GameAccept)
    assert frame.name == "?[2J?"


def test_a_chat_is_cut_at_its_longest() -> None:
    assert len(encode(Chat("x" * 500))) == 128
    assert decode(b"C" + b"x" * 500) == Chat("x" * 126)


class TestSplitter:
    STREAM = b"".join(data for _, data in EXAMPLES)
    WHOLE = [data.removesuffix(b"\0") for _, data in EXAMPLES]  # noqa: RUF012

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 10_000])
    def test_cuts_the_stream_wherever_it_is_cut(self, size: int) -> None:
        splitter = FrameSplitter()
        pieces = [self.STREAM[start : start + size] for start in range(0, len(self.STREAM), size)]
        assert [frame for piece in pieces for frame in splitter.feed(piece)] == self.WHOLE
        assert not splitter.inside

    @given(st.lists(st.integers(0, len(STREAM)), max_size=20).map(sorted))
    def test_cuts_the_stream_at_any_places(self, places: list[int]) -> None:
        splitter = FrameSplitter()
        edges = [0, *places, len(self.STREAM)]
        pieces = [self.STREAM[start:end] for start, end in pairwise(edges)]
        assert [frame for piece in pieces for frame in splitter.feed(piece)] == self.WHOLE

    def test_knows_whether_a_message_has_begun(self) -> None:
        splitter = FrameSplitter()
        assert splitter.feed(b"E00\0M00") == [b"E00"]
        assert splitter.inside

    def test_keeps_no_message_that_is_too_long_and_goes_on_behind_it(self) -> None:
        splitter = FrameSplitter()
        for _ in range(1000):
            assert splitter.feed(b"x" * 1000) == []
        assert splitter.feed(b"x\0E00\0") == [None, b"E00"]
        assert splitter.feed(b"y" * codec.LONGEST_FRAME + b"\0") == [b"y" * codec.LONGEST_FRAME]

    def test_two_ends_together_have_no_message_between_them(self) -> None:
        assert FrameSplitter().feed(b"\0\0E00\0\0\0C\0") == [b"E00", b"C"]
