"""Random sessions of Hub, UCI and DXP: what the tests of the protocols do, many times over

The size is the number of sessions of each protocol; each is up to 40 steps long.
"""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.stateful import run_state_machine_as_test
from wire.dxp.test_fuzz import Games
from wire.test_sessions_fuzz import HubConversation, UciConversation

SIZE = 3_000
STEPS = 40


def run(size: int, folder: Path) -> str:
    """A session that fails is kept in the folder and tried first the next time."""
    wanted = settings(
        max_examples=size,
        stateful_step_count=STEPS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=DirectoryBasedExampleDatabase(folder / "examples"),
        print_blob=False,
    )
    for machine in (HubConversation, UciConversation, Games):
        run_state_machine_as_test(machine, settings=wanted)
    return f"{size} sessions of each protocol"
