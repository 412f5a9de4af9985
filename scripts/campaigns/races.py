"""The kernel under the sanitizer of threads: what they share unlocked is what they are meant to

The size is the number of positions of each kind in each game. Every race found must be one of `MEANT`.
"""

from __future__ import annotations

import re
from pathlib import Path

from _built import build, drive, runtime

SIZE = 10

TABLE = """Entries of the transposition table are written and read without locks: the key is kept xor the data, so half
    an entry belongs to no position (`table.pxi`)."""
COUNTS = "A word that one thread writes and others add up for a report or a limit; an older value does as well."
ORDERS = "One word, set by whoever wants the search to end and looked at by all; it is seen a little later."
SHOWN = "Which move a thread is at, for others to leave it to that one; an older value costs a little time."
MEANT = {
    frozenset({"keep", "look_up"}): TABLE,
    frozenset({"keep"}): TABLE,
    frozenset({"keep", "filled"}): TABLE,
    frozenset({"make_move", "total_made"}): COUNTS,
    frozenset({"look_up_ending", "total_hits"}): COUNTS,
    frozenset({"is_known", "total_hits"}): COUNTS,
    frozenset({"poll", "stopped"}): ORDERS,
    frozenset({"poll"}): ORDERS,
    frozenset({"stop", "stopped"}): ORDERS,
    frozenset({"search_moves", "is_searched_elsewhere"}): SHOWN,
    frozenset({"search_root", "current_move"}): SHOWN,
}
WARNING = "WARNING: ThreadSanitizer: "
PREFIX = re.compile(r"^__pyx_\w+?_\d+_(international|turkish_app|turkish|croda)_(\d+[A-Z][a-z]+_(\d+)?)?")


def run(size: int, folder: Path) -> str:
    """The interpreter itself is not watched, but its locks are understood."""
    site = build(folder, ["-O1", "-fsanitize=thread"])
    log = folder / "log"
    environment = {"LD_PRELOAD": runtime("libtsan.so"), "TSAN_OPTIONS": "exitcode=0:history_size=5"}
    said = drive(site, size, [], environment, log)
    reports = log.read_text(errors="replace").split(WARNING)[1:]
    found = [(report, places(report)) for report in reports]
    wrong = [(report, pair) for report, pair in found if pair not in MEANT]
    assert not wrong, f"{len(wrong)} races that nobody meant, the first in {' and '.join(wrong[0][1])}, see {log}"
    kinds = len({pair for _, pair in found})
    return f"{len(reports)} races of {kinds} kinds, all of them meant, in {said}"


def places(report: str) -> frozenset[str]:
    """The functions in which the two accesses of a report are, without what Cython puts in front of a name."""
    if not report.startswith("data race"):
        return frozenset({report.partition(" (")[0]})
    return frozenset(PREFIX.sub("", name) for name in re.findall(r"#0 (\S+) ", report)[:2])
