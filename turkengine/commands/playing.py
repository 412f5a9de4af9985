"""A game with a person held: the files that it is kept in, and the exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turkengine.commands.holding import NOT_STARTED, PLAYED, USAGE
from turkengine.interruption import INTERRUPTED
from turkengine.rules.variant import Side

if TYPE_CHECKING:
    from turkengine.engine.limits import Limits
    from turkengine.play.kept import Kept, Shelf
    from turkengine.play.live import LiveGame
    from turkengine.play.text_board import Look
    from turkengine.wire.address import Address

HUMAN = "human"  # an opponent that is no engine
ASK = "ask"  # what follows a move against the rules: the opponent decides


class Keeping:
    """The files that a game is kept in as it goes: its own on the shelf, and the one of --pdn."""

    def __init__(
        self, shelf: Shelf | None, kept: Kept | None, live: LiveGame, settings: dict[str, Any], pdn: Path | None
    ) -> None:
        """See to it, before the game begins, that the file of --pdn can be written."""
        from turkengine.play.kept import Place
        from turkengine.play.sheet import Sheets
        from turkengine.record.record import EndingKind

        self.sheets, self.pdn = Sheets(), pdn
        self.unwritten = False  # the file of --pdn
        self._live, self._settings, self._unfinished = live, settings, EndingKind.UNFINISHED
        self._place = Place(kept.path) if kept is not None else shelf.new(live) if shelf is not None else None
        if kept is not None and self._place is not None and not self._place.take():
            raise click.ClickException("that game is being played elsewhere just now")
        if pdn is not None:
            try:
                self.sheets.check(pdn)
            except OSError as error:
                message = f"{pdn} cannot be written: {error.strerror or error}; name another file"
                raise click.BadParameter(message, param_hint="--pdn") from None

    def keep(self, text: str) -> None:
        """Put the game down as it is now; a file that cannot be written is named once."""
        if not text:
            return
        if self._place is not None:
            try:
                self._place.keep(self._settings, self._live, text)
            except OSError as error:
                self._place = None
                click.echo(f"turkengine: the game is not kept: {error}; use save", err=True)
        if self.pdn is not None and not self.unwritten:
            try:
                self.sheets.keep(str(self.pdn), text)
            except OSError as error:
                self.unwritten = True
                click.echo(f"turkengine: {self.pdn} cannot be written: {error.strerror or error}; use save", err=True)

    def end(self, text: str) -> None:
        """Leave the game where it can be gone on with, or among those that are over."""
        self.keep(text)
        if self._place is None:
            return
        said = "the game is kept: turkengine play --resume continues it" if text else ""
        if text and self._live.game.ending is not None:
            try:
                self._place.finish(text)
                said = f"the game is in {self._place.games}"
            except OSError as error:
                click.echo(f"turkengine: {self._place.games} cannot be written: {error}; it is still kept", err=True)
        self._place.leave()
        if said:
            click.echo(said)


def held(
    live: LiveGame, advice: Limits, settings: dict[str, Any], look: Look, listen: Address | None, keeping: Keeping
) -> int:
    """Hold the game; the exit status. It is kept as it goes, whatever ends it."""
    from turkengine.client.builtin import BuiltinClient
    from turkengine.client.contract import ClientError
    from turkengine.match.conduct import Policy
    from turkengine.play.door import Door, NetworkError
    from turkengine.play.hosting import host
    from turkengine.play.session import PlaySession
    from turkengine.play.terminal import converse
    from turkengine.play.text_board import Look

    policy = None if settings["irregularity"] == ASK else Policy(settings["irregularity"])
    seen = look if listen is None else Look()  # over a network each of the two sees the board from their own side
    adviser = BuiltinClient(options={"hash": "16"})
    session = PlaySession(live, seen, adviser, advice, keeping.sheets.keep, policy)

    def changed() -> None:
        keeping.keep(session.pdn)

    def show(text: str) -> None:
        click.echo(text, nl=False)

    try:
        if listen is None:
            converse(session, changed, show)
        else:
            host(session, Side[settings["colour"].upper()], Door(listen), look, changed, show)
    except (ClientError, NetworkError) as error:
        click.echo(f"turkengine: {error}", err=True)
        return NOT_STARTED
    except KeyboardInterrupt:
        pdn = keeping.pdn
        click.echo("\ninterrupted" + (f"; the game is in {pdn}" if pdn is not None and session.pdn else ""))
        return INTERRUPTED
    finally:
        try:
            keeping.end(session.pdn)  # also where it was interrupted between a move and its keeping
        finally:
            session.close()
    return USAGE if keeping.unwritten else PLAYED
