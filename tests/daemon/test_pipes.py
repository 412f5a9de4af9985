"""Lines to bytes."""

from __future__ import annotations

import os
import threading
import time

import pytest

from turkengine.daemon.pipes import APART, CAN_LOOK, MOST_APART, LineWriter


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
