"""Being asked to end, by signals that this process sends to itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import pytest

posix_only = pytest.mark.skipif(os.name == "nt", reason="there are no such signals")

BEGINNING = """
import os, signal, sys, time
from turkengine import interruption
from turkengine.interruption import allowed, check, postponed
interruption.install()
def ask(name="SIGTERM"):
    os.kill(os.getpid(), getattr(signal, name))
"""


def said(script: str) -> list[str]:
    """The lines that a script of its own process prints."""
    text = BEGINNING + textwrap.dedent(script)
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert run.stderr == ""
    return run.stdout.splitlines()


@posix_only
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_each_signal_is_ctrl_c(name: str) -> None:
    assert said(f"""
        try:
            ask({name!r})
            print("went on")
        except KeyboardInterrupt:
            print("interrupted")
    """) == ["interrupted"]


@posix_only
def test_it_waits_for_the_end_of_work_that_postpones_it() -> None:
    assert said("""
        try:
            with postponed():
                with postponed():
                    ask()
                    print("one")
                print("two")
            print("three")
        except KeyboardInterrupt:
            print("interrupted")
    """) == ["one", "two", "interrupted"]


@posix_only
def test_it_comes_where_that_work_allows_it() -> None:
    assert said("""
        with postponed():
            for wait in (lambda: allowed().__enter__(), check):
                ask("SIGINT")
                print("kept")
                try:
                    wait()
                except KeyboardInterrupt:
                    print("interrupted")
            try:
                with allowed():
                    ask("SIGINT")
            except KeyboardInterrupt:
                print("interrupted")
            ask("SIGINT")
            print("postponed again")
            try:
                check()
            except KeyboardInterrupt:
                print("interrupted")
    """) == ["kept", "interrupted", "kept", "interrupted", "interrupted", "postponed again", "interrupted"]


@posix_only
def test_a_system_that_ends_asks_several_times_and_is_heard_once() -> None:
    assert said("""
        try:
            ask("SIGTERM")
        except KeyboardInterrupt:
            ask("SIGHUP")
            ask("SIGTERM")
            print("ends in order")
        try:
            ask("SIGINT")
        except KeyboardInterrupt:
            print("somebody is in a hurry")
    """) == ["ends in order", "somebody is in a hurry"]


@posix_only
def test_what_nohup_has_switched_off_stays_off() -> None:
    assert said("""
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        interruption.install()
        ask("SIGHUP")
        print("goes on")
    """) == ["goes on"]


def test_other_threads_are_never_interrupted_and_may_postpone_as_they_like() -> None:
    assert said("""
        import threading
        def work():
            with postponed(), allowed():
                check()
                print("done")
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    """) == ["done"]


@posix_only
def test_nothing_is_changed_for_who_only_imports_it() -> None:
    before = signal.getsignal(signal.SIGTERM)
    import turkengine.interruption  # noqa: F401

    assert signal.getsignal(signal.SIGTERM) is before
