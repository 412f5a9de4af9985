"""An engine that knows a few moves and one mischief: `fake_engine.py hub|uci MISCHIEF [MOVE ...]`.

It speaks its dialect as far as a client needs it, answers the moves given in turn, over and over, and does its mischief
from the second search on, or where that belongs to. Only the standard library is used.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

dialect, mischief, *moves = sys.argv[1:]
searches = 0
HOLD = "import time; time.sleep(600)"


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def greet() -> None:
    if mischief == "dumb":
        time.sleep(600)
    if mischief == "gone":
        sys.exit("no licence found")
    if mischief == "remarks":
        say("Fake engine, (c) nobody", "loading ...")
    while mischief == "no pause":
        say("loading ..." * 100)
    if mischief == "drip":
        while True:
            sys.stdout.write("x")
            sys.stdout.flush()
    while mischief == "options":
        say(*(f"param name=p{number} value={'v' * 1000} type=string" for number in range(1000)))
    if dialect == "hub1":
        say("name Fake 1", "author nobody", "wait")
    elif dialect == "hub":
        say("id name=Fake version=1", "param name=size value=1 type=int min=1 max=9", "wait")
    else:
        say("id name Fake 1", "option name Size type spin default 1 min 1 max 9", "uciok")


def answer(move: str) -> None:
    if dialect == "hub1":
        say(f"move {move}")
    elif dialect == "hub":
        say(f'info depth=3 score=0.25 nodes=99 pv="{move}"', f"done move={move}")
    else:
        say(f"info depth 3 score cp 25 nodes 99 pv {move}", f"bestmove {move}")


def search(move: str) -> None:
    global searches
    searches += 1
    if searches == 1:
        return answer(move)
    match mischief:
        case "crash":
            print("out of cheese", file=sys.stderr, flush=True)
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "silence":
            time.sleep(600)
        case "reports without end":
            while True:
                say('info depth=3 score=0.25 pv="31-26"' + " " * 1000)
        case "slow":
            time.sleep(0.5)
            answer(move)
        case "late":
            while not sys.stdin.readline().startswith("stop"):
                pass
            answer(move)
        case "chatter":
            say("I am thinking", "really")
            time.sleep(600)
        case "nonsense":
            answer("hello")
        case "illegal":
            answer("31-22")
        case "empty square":
            answer("25-20")
        case "twice":
            answer(move)
            answer(move)
        case "endless line":
            sys.stdout.write("x" * (3 << 20))
            say("")
            answer(move)
        case "flood":
            sys.stderr.write("noise " * (1 << 20) + "\n")
            sys.stderr.write("last words\n")
            answer(move)
        case "no move":
            say("done" if dialect == "hub" else "bestmove (none)")
        case "deaf":
            answer(move)
            time.sleep(600)
        case _:
            answer(move)


if mischief == "children":
    child = subprocess.Popen([sys.executable, "-c", HOLD], stdout=sys.stdout, stderr=subprocess.DEVNULL)
    print(f"child {child.pid}", file=sys.stderr, flush=True)
if mischief == "slow to die" and os.name != "nt":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in iter(sys.stdin.readline, ""):
    word = line.split()[0] if line.split() else ""
    if word in ("hub", "uci"):
        greet()
    elif word == "init":
        if mischief == "complaint":
            say('error message="the file size.bin is missing"')
        say("ready")
    elif word == "isready":
        say("readyok")
    elif word == "ping":
        say("pong")
    elif word == "go":
        search(moves[searches % len(moves)])
    elif word == "quit":
        break
if mischief == "slow to die":
    time.sleep(600)
