"""Is an engine fit for a tournament? Ours is, and each check finds the engine that it was made for."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result
from client.engines import LONGEST, fake_command, ours

from turkengine import __version__, commands
from turkengine.client import checks_play, checks_talk, dialects, lines
from turkengine.client.checks_play import PLAY
from turkengine.client.checks_talk import BEGINNING, SEARCH
from turkengine.client.contract import ClientError, ClientFault
from turkengine.client.dialects import TALKS, detected
from turkengine.client.fitness import Check, Failed, Finding, Passed, Probe, Verdict, examine, fit
from turkengine.client.specimens import (
    KINDS,
    before_a_third_time,
    long_game,
    middle_game,
    specimens,
    without_a_move,
    won_positions,
)
from turkengine.games import INTERNATIONAL, TURKISH, VARIANTS
from turkengine.rules.outcome import Reason, outcome
from turkengine.rules.variant import Landing, Variant

CHECKS = {check.name: check for check in (*BEGINNING, *PLAY, *SEARCH)}
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short for what never comes, and nothing that a busy machine could spoil."""
    monkeypatch.setattr(checks_play, "MOVE_TIME", 0.03)
    monkeypatch.setattr(checks_play, "MOVES", 3)
    monkeypatch.setattr(checks_play, "LONGEST_GAME", 12)
    monkeypatch.setattr(checks_talk, "A_WHILE", 0.1)
    monkeypatch.setattr(lines, "STOPPING", 0.3)
    monkeypatch.setattr(lines, "LEAVING", 0.3)


def findings(command: str, dialect: str, *names: str, variant: Variant = INTERNATIONAL) -> list[Finding]:
    """What these checks find, however late the answers are."""
    probe = Probe(command, TALKS[dialect], variant, margin=LONGEST)
    return list(examine(probe, [CHECKS[name] for name in names]))


def found(mischief: str, name: str, *texts: str) -> Finding:
    """What one check finds of a fake engine."""
    (finding,) = findings(fake_command("hub", mischief, *texts), "hub", name)
    return finding


class TestOurEngine:
    @pytest.mark.parametrize(("dialect", "variant"), [("hub", INTERNATIONAL), ("uci", TURKISH)])
    def test_passes_every_check(self, dialect: str, variant: Variant) -> None:
        told = findings(ours(dialect), dialect, *CHECKS, variant=variant)
        assert [finding.check for finding in told] == list(CHECKS)
        assert [finding for finding in told if finding.verdict is not Verdict.PASSED] == []
        assert fit(told, strict=True)

    @pytest.mark.parametrize("dialect", ["hub", "uci"])
    def test_is_known_by_its_dialect(self, dialect: str) -> None:
        assert detected(ours(dialect)).dialect == dialect


class TestChecks:
    def test_a_second_answer_is_found(self) -> None:
        told = found("twice", "stop")
        assert told.verdict is Verdict.FAILED

    @pytest.mark.parametrize(
        ("mischief", "detail"),
        [
            ("crash", "it has ended with exit status 3; its last words: out of cheese"),
            ("nonsense", "'hello' is not written as a move"),
            ("no move", "it says that it has no move"),
        ],
    )
    def test_a_fault_in_a_game_makes_unfit(self, mischief: str, detail: str) -> None:
        told = found(mischief, "move time", "7-11")
        assert told.verdict is Verdict.FAILED
        assert detail in told.detail

    def test_illegal_moves_are_found(self) -> None:
        told = found("none", "positions", "1-50")
        assert told.verdict is Verdict.FAILED
        assert "1-50" in told.detail

    def test_one_that_goes_on_after_the_end_is_warned_of(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(checks_talk, "LEAVING", 0.3)
        told = found("slow to die", "end")
        assert (told.verdict, told.detail) == (Verdict.WARNED, "it keeps running after quit")

    def test_noise_on_standard_error_is_warned_of(self) -> None:
        told = findings(fake_command("hub", "children"), "hub", "greeting", "standard error")
        assert told[-1].verdict is Verdict.WARNED
        assert "such as 'child " in told[-1].detail

    def test_one_that_is_not_ready_after_a_fault_is_started_again(self) -> None:
        said: list[str] = []

        def fail(probe: Probe) -> Passed:
            probe.process.kill()
            raise Failed("so")

        def look(probe: Probe) -> Passed:
            said.append(probe.name)
            return Passed("there")

        probe = Probe(fake_command("hub", "none"), TALKS["hub"], INTERNATIONAL)
        told = list(examine(probe, [Check("one", fail, serious=False), Check("two", look)]))
        assert [finding.verdict for finding in told] == [Verdict.WARNED, Verdict.PASSED]
        assert said == ["Fake 1"]
        assert fit(told)
        assert not fit(told, strict=True)

    def test_one_that_cannot_be_started_is_no_finding(self) -> None:
        with pytest.raises(ClientError) as caught:
            findings(fake_command("hub", "gone"), "hub", "greeting")
        assert caught.value.reason is ClientFault.START


class TestSpecimens:
    @every_variant
    def test_there_are_some_of_every_kind_that_the_rules_allow(self, variant: Variant) -> None:
        found = specimens(variant)
        for kind in KINDS:
            samples = found[kind.name]
            assert samples or (kind is KINDS[-1] and variant.king_landing is Landing.DIRECTLY_BEHIND)
            assert all(kind.fits(position, position.legal_moves()) for position in samples)

    @every_variant
    def test_a_long_game_has_its_history(self, variant: Variant) -> None:
        position, plies = long_game(variant, 40), 0
        while position.previous is not None:
            assert position in [position.previous.play(move) for move in position.previous.legal_moves()]
            position, plies = position.previous, plies + 1
        assert plies == 40

    @every_variant
    def test_a_move_back_to_a_third_time_draws(self, variant: Variant) -> None:
        tried = 0
        for position in won_positions(variant, 3):
            for move in position.legal_moves():
                again = before_a_third_time(position, move)
                if again is not None:
                    tried += 1
                    assert outcome(again) is None
                    end = outcome(again.play(move))
                    assert end is not None
                    assert end.reason in (Reason.REPETITION, Reason.FOURTH_TIME)
        assert tried

    @every_variant
    def test_a_middle_game_has_a_choice(self, variant: Variant) -> None:
        assert len(middle_game(variant).legal_moves()) >= 5

    def test_a_position_without_a_move_has_none(self) -> None:
        position = without_a_move(INTERNATIONAL)
        assert position is not None
        assert position.legal_moves() == []


class TestCommand:
    @pytest.fixture(autouse=True)
    def few_checks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(checks_play, "PLAY", (CHECKS["depth"],))
        monkeypatch.setattr(checks_talk, "SEARCH", (CHECKS["end"],))
        monkeypatch.setattr(checks_talk, "LEAVING", 1.0)
        monkeypatch.setattr(dialects, "HESITATION", 0.5)
        monkeypatch.setattr(dialects, "GREETING", 20.0)

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(commands.turkengine, ["check-engine", *arguments], prog_name="turkengine")

    def test_prints_a_table_and_a_verdict(self) -> None:
        result = self.run(ours("uci"), "--variant", "croda", "--option", "Hash=1")
        *table, verdict = result.output.splitlines()
        assert result.exit_code == 0
        assert [line.split()[:2] for line in table] == [
            ["ok", "greeting"],
            ["ok", "options"],
            ["ok", "listening"],
            ["ok", "depth"],
            ["ok", "end"],
        ]
        assert verdict == f"turkengine {__version__} (uci, croda) is fit: 5 ok"

    def test_tells_it_as_json(self) -> None:
        result = self.run(ours("hub"), "--dialect", "hub", "--json")
        told = json.loads(result.output)
        assert result.exit_code == 0
        assert {name: told[name] for name in ("schema", "engine", "dialect", "variant", "fit")} == {
            "schema": "turkengine check-engine 1",
            "engine": f"turkengine {__version__}",
            "dialect": "hub",
            "variant": "international",
            "fit": True,
        }
        assert set(told["checks"][0]) == {"check", "verdict", "detail", "seconds"}

    def test_tells_an_unfit_engine_by_its_status(self) -> None:
        result = self.run(fake_command("hub", "none", "1-50"))
        assert result.exit_code == 1
        assert "\nfailed   depth" in result.output
        assert "Fake 1 (hub, international) is NOT fit: " in result.output

    def test_warnings_count_where_they_are_to(self) -> None:
        slow = fake_command("hub", "slow to die", "7-11")
        assert self.run(slow).exit_code == 0
        assert self.run(slow, "--strict").exit_code == 1

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("no-such-engine",), "no-such-engine cannot be started: "),
            (("builtin",), "'builtin' is how a match names an engine; give the command that starts it"),
            (("uci:turkengine uci",), "'uci:turkengine uci' is how a match names an engine"),
            (
                (fake_command("hub", "gone"),),
                "does not greet: it has ended with exit status 1; its last words: no licence found",
            ),
            ((fake_command("hub", "dumb"),), "answers neither 'hub' nor 'uci'; give the dialect if it is one of hub"),
            ((fake_command("hub", "none"), "--variant", "croda"), "Fake 1: it declares no variant"),
            ((fake_command("hub", "none"), "--option", "speed=9"), "it has no option 'speed'; it has size"),
            (("x", "--option", "speed"), "'speed' is not a setting; write NAME=VALUE"),
            (("x", "--variant", "chess"), "no variant is called 'chess'"),
            (("'x",), 'the command "\'x" cannot be read'),
        ],
    )
    def test_what_cannot_be_started_is_told_in_a_line(
        self, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if "dumb" in arguments[0]:
            monkeypatch.setattr(dialects, "GREETING", 0.3)
        result = self.run(*arguments)
        assert result.exit_code == 2
        assert message in result.output
        assert "Traceback" not in result.output

    def test_finds_out_the_dialect(self) -> None:
        assert "(uci, international) is fit" in self.run(fake_command("uci", "none", "7-11")).output
