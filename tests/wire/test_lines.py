"""Bytes to lines."""

from __future__ import annotations

from turkengine.wire.lines import LineSplitter


def test_lines_come_out_the_same_however_they_are_cut() -> None:
    data = b"one\r\ntwo\n\nthree \xff\nfour"
    for size in range(1, len(data) + 1):
        splitter = LineSplitter()
        pieces = [data[start : start + size] for start in range(0, len(data), size)]
        lines = [line for piece in pieces for line in splitter.feed(piece)]
        assert [*lines, *splitter.end()] == ["one", "two", "", "three \ufffd", "four"]


def test_a_byte_order_mark_counts_only_at_the_beginning() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"\xef\xbb") == []
    assert splitter.feed(b"\xbfa\n\xef\xbb\xbfb\n") == ["a", "\ufeffb"]


def test_a_line_beyond_the_limit_is_none_and_the_next_one_is_whole() -> None:
    splitter = LineSplitter(longest=4)
    assert splitter.feed(b"1234\n12345\n12") == ["1234", None]
    assert splitter.feed(b"345") == []
    assert splitter.feed(b"6\nab\n") == [None, "ab"]
    assert splitter.end() == []
