"""The command `turkengine check-engine`: is an engine fit for a tournament?"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from turkengine.commands.arguments import variant_option
from turkengine.errors import TurkengineError
from turkengine.games import VARIANTS
from turkengine.rules.variant import Variant

SCHEMA = "turkengine check-engine 1"
UNFIT, NOT_STARTED = 1, 2  # exit statuses


@click.command("check-engine")
@click.argument("command", metavar="COMMAND")
@click.option(
    "--dialect",
    type=click.Choice(["hub", "hub1", "uci", "auto"]),
    default="auto",
    show_default=True,
    help="The protocol that it speaks; auto tries Hub, then the UCI-like one.",
)
@variant_option(f"The game.  [default: {VARIANTS[0].name}]")
@click.option(
    "--option", "settings", multiple=True, metavar="NAME=VALUE", help="Set an option of it first (again for another)."
)
@click.option(
    "--directory",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Run it in this folder.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0),
    metavar="S",
    default=0.1,
    show_default=True,
    help="Seconds that an answer may come late.",
)
@click.option("--strict", is_flag=True, help="Count warnings as failures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def check_engine(
    command: str,
    dialect: str,
    variant: Variant | None,
    settings: tuple[str, ...],
    directory: Path | None,
    margin: float,
    strict: bool,
    as_json: bool,
) -> None:
    """Check whether an engine is fit for a tournament.

    COMMAND starts it; quote it where it has arguments. It is asked everything that a match asks, and what it might
    meet by accident. Each check is a line. What would cost a game is a failure; bad manners are a warning.

    The exit status is 0 if it is fit, 1 if not, 2 if it cannot be started.

    \b
    Examples:
      turkengine check-engine "turkengine hub"
      turkengine check-engine "turkengine uci" --dialect uci --variant croda
      turkengine check-engine "./scan hub" --directory ~/scan --option bb-size=0 --json
    """
    from turkengine.client import fitness
    from turkengine.client.checks_play import PLAY
    from turkengine.client.checks_talk import BEGINNING, SEARCH
    from turkengine.client.dialects import TALKS, detected
    from turkengine.client.naming import KINDS

    kind, colon, _ = command.partition(":")
    if (colon or kind == "builtin") and kind in KINDS:
        wanted = "give the command that starts it, and perhaps --dialect"
        raise click.BadParameter(f"{command!r} is how a match names an engine; {wanted}", param_hint="COMMAND")
    game = variant or VARIANTS[0]
    options = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"{setting!r} is not a setting; write NAME=VALUE", param_hint="--option")
        options[name] = value
    findings = []
    try:
        talk = (
            detected(command, directory, lambda line: click.echo(line, err=True))
            if dialect == "auto"
            else TALKS[dialect]
        )
        probe = fitness.Probe(command, talk, game, options, directory, margin)
        for finding in fitness.examine(probe, (*BEGINNING, *PLAY, *SEARCH)):
            findings.append(finding)
            if not as_json:
                click.echo(f"{finding.verdict.value:<8} {finding.check:<15} {finding.detail}")
    except TurkengineError as error:
        click.echo(f"turkengine: {error}", err=True)
        sys.exit(NOT_STARTED)
    fit = fitness.fit(findings, strict)
    if as_json:
        told = {
            "schema": SCHEMA,
            "engine": probe.name,
            "command": command,
            "dialect": talk.dialect,
            "variant": game.name,
            "fit": fit,
            "checks": [
                {
                    "check": finding.check,
                    "verdict": finding.verdict.value,
                    "detail": finding.detail,
                    "seconds": round(finding.seconds, 3),
                }
                for finding in findings
            ],
        }
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        counts = [sum(finding.verdict is verdict for finding in findings) for verdict in fitness.Verdict]
        words = ", ".join(
            f"{count} {verdict.value}" for count, verdict in zip(counts, fitness.Verdict, strict=True) if count
        )
        click.echo(f"{probe.name} ({talk.dialect}, {game.name}) is {'fit' if fit else 'NOT fit'}: {words}")
    sys.exit(0 if fit else UNFIT)
