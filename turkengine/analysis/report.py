"""An analysed game as PDN and as a line of JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from turkengine import __version__
from turkengine.analysis.games import PlayedGame
from turkengine.analysis.judge import FORCED
from turkengine.analysis.judged import SCHEMA, VERSION, JudgedGame, JudgedMove, summary_data
from turkengine.api.position import Position
from turkengine.notation import pdn
from turkengine.notation.pdn.annotations import command
from turkengine.rules.variant import Side

EVALUATION = re.compile(r"\[%eval [^\]]*\]\s*")
MARKS = frozenset(range(1, 7))  # the glyphs of ! ? !! ?? !? ?!


def annotated(game: PlayedGame, record: JudgedGame) -> pdn.PdnGame:
    """The game in standard form with evaluations, marks, remarks, and a better line after each bad move.

    What it held before stays: marks of others are not replaced, comments and variations come first. Only evaluations
    are replaced, with what an earlier run has said beside them where it says the same again.
    """
    clean, _ = pdn.normalised(game.entry.game, game.variant, Position.of_setup)
    plies = list(clean.line.plies)
    for place, move in enumerate(record.moves):
        plies[place] = _annotated(plies[place], move)
    return replace(clean, line=replace(clean.line, plies=tuple(plies)))


def json_line(game: PlayedGame, record: JudgedGame) -> str:
    """The game as one line of JSON, with its line break; docs/json.md describes it."""
    entry = game.entry
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "program": f"turkengine {__version__}",
        "file": entry.file,
        "game": entry.number,
        "line": entry.line,
        "tags": dict(entry.game.tags),
        "result": entry.game.result,
        "players": {side.value: summary_data(record.summary(side)) for side in Side},
        **record.as_data(),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _annotated(ply: pdn.Ply, move: JudgedMove) -> pdn.Ply:
    nags = list(ply.nags)
    if move.mark.nag is not None and not MARKS & set(nags):
        nags.insert(0, move.mark.nag)
    if move.forced and FORCED not in nags:
        nags.append(FORCED)
    said = command("eval", move.evaluation) + (f" {move.remark}" if move.remark else "")
    better = [_variation(move)] if move.mark.is_bad and move.best and move.best != move.move else []
    setups = [remark for remark in ply.remarks if isinstance(remark, pdn.SetUp)]
    others = [_without_evaluation(remark) for remark in ply.remarks if not isinstance(remark, pdn.SetUp)]
    kept = [remark for remark in others if remark not in ("", move.remark, *better)]
    return pdn.Ply(ply.text, tuple(nags), (*kept, said, *better, *setups))


def _without_evaluation(remark: str | pdn.Line) -> str | pdn.Line:
    if not isinstance(remark, str):
        return remark
    end = remark.rfind("]") + 1  # each evaluation is followed to its end, so there has to be one
    return " ".join((EVALUATION.sub(" ", remark[:end]) + remark[end:]).split())


def _variation(move: JudgedMove) -> pdn.Line:
    """The best line, with its evaluation after its first move."""
    best = move.lines[0]
    first = pdn.Ply(best.moves[0], (), (command("eval", best.evaluation),))
    return pdn.Line((first, *(pdn.Ply(text) for text in best.moves[1:])))
