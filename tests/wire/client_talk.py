"""A client session and a session of ours, each the other side of the other, without anything between them."""

from __future__ import annotations

from wire.talk import Talk

from turkengine.games import INTERNATIONAL
from turkengine.rules.variant import Variant
from turkengine.wire.client_session import ClientSession, Event
from turkengine.wire.session import Session


class Pair:
    """Both ends of a conversation: what one writes, the other reads."""

    def __init__(self, client: ClientSession, kind: type[Session]) -> None:
        self.client, self.engine = client, Talk(kind)
        self.sent: list[str] = []

    def pass_on(self, lines: list[str]) -> list[Event]:
        """Have the client's lines read; what the engine writes then leads to these events."""
        self.sent = lines
        return self.hear(self.engine.say(*lines))

    def hear(self, lines: list[str]) -> list[Event]:
        """Have the engine's lines read."""
        return [event for line in lines if (event := self.client.receive(line)) is not None]

    def begin(self, variant: Variant = INTERNATIONAL, **options: str) -> list[Event]:
        """From the greeting until the engine is ready."""
        named = {name.replace("_", "-"): value for name, value in options.items()}
        return [*self.pass_on(self.client.hello()), *self.pass_on(self.client.set_up(variant, named))]
