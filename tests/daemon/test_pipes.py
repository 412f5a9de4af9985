"""Bytes to lines, and lines to bytes."""

from __future__ import annotations

import os
import threading
import time

import pytest

from turkengine.daemon.pipes import APART, CAN_LOOK, MOST_APART, LineSplitter, LineWriter


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


@pytest.mark.skipif(not CAN_LOOK, reason="what lies in a pipe cannot be seen here")
def test_a_line_apart_waits_for_a_reader_that_is_late_but_not_for_ever() -> None:
    readable, writable = os.pipe()
    writer = LineWriter(writable)
    writer.write("info")
    read = []
    late = threading.Timer(3 * APART, lambda: read.append(os.read(readable, 100)))
    late.start()
    writer.write("done", apart=True)
    late.join()
    assert read == [b"info\n"], "they do not come together"
    began = time.perf_counter()
    writer.write("more", apart=True)
    assert time.perf_counter() - began >= MOST_APART - APART
    assert os.read(readable, 100) == b"done\nmore\n"
    os.close(readable)
    os.close(writable)
