"""Single positions in, lines of JSON out, in the order in which they came: one engine for each job, set up once."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from turkengine.analysis.annotate import LONGEST_LINE, men_of, seen, str_of
from turkengine.analysis.judged import VERSION, chances_data
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import Limit
from turkengine.api.position import Position
from turkengine.errors import TurkengineError
from turkengine.rules.variant import Side, Variant

SCHEMA = "turkengine-position"
AHEAD = 4  # positions read ahead for each job


def analysed(
    texts: Iterable[str],
    variant: Variant,
    engine: Callable[[], BaseEngine],
    limit: Limit,
    multipv: int = 1,
    jobs: int = 1,
) -> Iterator[dict[str, Any]]:
    """What is found in each position, one object for each text.

    A text that is no position gives an object with `error`, and so does a position in which the engine has failed.

    Args:
        texts: FENs.
        engine: makes one for each job.
    """
    if jobs == 1:
        with engine() as only:
            for text in texts:
                yield answer(only, text, variant, limit, multipv)
        return
    engines = [engine() for _ in range(jobs)]
    free: SimpleQueue[BaseEngine] = SimpleQueue()
    for each in engines:
        free.put(each)

    def work(text: str) -> dict[str, Any]:
        taken = free.get()
        try:
            return answer(taken, text, variant, limit, multipv)
        finally:
            free.put(taken)

    asked: SimpleQueue[Future[dict[str, Any]] | Exception | None] = SimpleQueue()
    room = threading.Semaphore(AHEAD * jobs)
    pool = ThreadPoolExecutor(jobs)

    def read() -> None:
        """Ask as long as there is something to ask; a thread of its own, since the next text may be long in coming."""
        try:
            for text in texts:
                room.acquire()
                asked.put(pool.submit(work, text))
            asked.put(None)
        except Exception as error:  # the texts cannot be read, or nobody wants answers any more
            asked.put(error)

    threading.Thread(target=read, name="positions", daemon=True).start()
    try:
        while (found := asked.get()) is not None:
            if isinstance(found, Exception):
                raise found
            yield found.result()
            room.release()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for each in engines:
            each.close()


def answer(engine: BaseEngine, text: str, variant: Variant, limit: Limit, multipv: int) -> dict[str, Any]:
    """What is found in one position, as docs/json.md describes it."""
    told: dict[str, Any] = {"schema": SCHEMA, "version": VERSION, "fen": text, "variant": variant.name}
    try:
        position = Position(text, variant)
        found = seen(engine, position, limit, multipv)
    except TurkengineError as error:
        return {**told, "error": str(error)}
    outcome = position.outcome()
    lines = [{"eval": str_of(score), "moves": position.line_texts(line[:LONGEST_LINE])} for score, line in found.lines]
    return {
        **told,
        "fen": position.fen(counters=True),
        "eval": str_of(found.score),
        "men": men_of(found.score.white),
        "chances": chances_data(found.chances(Side.WHITE)),
        "depth": found.depth,
        "nodes": found.nodes,
        "best": lines[0]["moves"][0] if lines and lines[0]["moves"] else "",
        "lines": lines,
        "outcome": outcome.reason.value if outcome is not None else None,
    }


def as_line(told: dict[str, Any]) -> str:
    """An object as a line of JSON."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"
