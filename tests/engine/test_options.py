"""The registry, the values of options, and where they come from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turkengine.engine.options import (
    REGISTRY,
    WEAKEST_ELO,
    Option,
    Options,
    find_option,
    option_named,
)
from turkengine.engine.settings import LONGEST_FILE, load_options, settings_file
from turkengine.errors import OptionError
from turkengine.games import VARIANTS

ROOT = Path(__file__).parents[2]
REAL_OPTIONS = [option for option in REGISTRY if option.kind != "button"]


class TestRegistry:
    def test_begins_with_the_variant(self) -> None:
        assert REGISTRY[0].name == "variant"
        assert REGISTRY[0].values[:5] == ("international", "turkish", "turkish-app", "croda", "killer")
        assert REGISTRY[0].hub_values[:5] == ("normal", "turkish", "turkish-app", "croda", "killer")
        assert REGISTRY[0].values == tuple(variant.name for variant in VARIANTS)
        assert {"russian", "english", "thai"} < set(REGISTRY[0].hub_values)

    def test_has_the_published_names(self) -> None:
        assert {option.name: option.uci_name for option in REGISTRY} == {
            "variant": "UCI_Variant",
            "hash": "Hash",
            "threads": "Threads",
            "multi-pv": "MultiPV",
            "ponder": "Ponder",
            "move-overhead": "Move Overhead",
            "no-progress": "No Progress",
            "contempt": "Contempt",
            "square-names": "Square Names",
            "endgame-path": "Endgame Path",
            "endgame-pieces": "Endgame Pieces",
            "book": "OwnBook",
            "book-file": "Book File",
            "book-depth": "Book Depth",
            "book-variety": "Book Variety",
            "skill-level": "Skill Level",
            "limit-strength": "UCI_LimitStrength",
            "elo": "UCI_Elo",
            "seed": "Seed",
            "clear-hash": "Clear Hash",
            "log-file": "Log File",
        }

    @pytest.mark.parametrize("option", REAL_OPTIONS, ids=lambda option: option.name)
    def test_agrees_with_the_options_themselves(self, option: Option) -> None:
        default = getattr(Options(), option.attribute)
        assert option.default == (default if option.name != "variant" else default.name)
        assert Options().text(option.name) == str(option.default).lower()

    @pytest.mark.parametrize("option", REAL_OPTIONS, ids=lambda option: option.name)
    def test_has_nothing_that_protocols_stumble_over(self, option: Option) -> None:
        for text in (option.name, *option.values, *option.hub_values):
            assert not set(text) & set(' ="')
        assert option.kind != "int" or option.minimum <= int(option.default) <= option.maximum
        assert option.help.endswith(".")

    @pytest.mark.parametrize("name", ["multi-pv", "MULTI-PV", "MultiPV", "multipv"])
    def test_finds_an_option_by_either_name_in_any_case(self, name: str) -> None:
        assert option_named(name).name == "multi-pv"

    def test_finds_names_with_blanks(self) -> None:
        assert option_named("  move   OVERHEAD ").name == "move-overhead"

    def test_knows_what_it_does_not_have(self) -> None:
        assert find_option("strength") is None
        with pytest.raises(OptionError, match="no option is called 'strength'; there are variant, hash"):
            option_named("strength")


class TestValues:
    @pytest.mark.parametrize(
        ("name", "text", "value"),
        [
            ("hash", "128", 128),
            ("Hash", " +128 ", 128),
            ("hash", "99999999", 99_999_999),  # cut down to what there is by the engine, which says so
            ("threads", "1024", 1024),
            ("contempt", "-20", -20),
            ("ponder", "True", True),
            ("ponder", "false", False),
            ("square-names", "Numeric", "numeric"),
            ("log-file", ' a = "b" ', ' a = "b" '),
            ("no-progress", "0", 0),
            ("Skill Level", "0", 0),
            ("UCI_LimitStrength", "true", True),
            ("UCI_Elo", "1200", 1200),
        ],
    )
    def test_are_read_from_text(self, name: str, text: str, value: object) -> None:
        options = Options().with_text(name, text)
        assert getattr(options, option_named(name).attribute) == value
        assert Options() == Options().with_text(name, Options().text(name))

    @pytest.mark.parametrize(("text", "variant"), [(v.name, v) for v in VARIANTS] + [("Normal", VARIANTS[0])])
    def test_of_the_variant_are_its_names(self, text: str, variant: object) -> None:
        assert Options().with_text("variant", text).variant is variant

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("hash", "0", "option hash does not take '0'; it takes a whole number from 1 (MiB)"),
            ("hash", "many", "option hash does not take 'many'; it takes a whole number from 1 (MiB)"),
            ("hash", "1_000", "option hash does not take '1_000'; it takes a whole number from 1 (MiB)"),
            ("MultiPV", "501", "option multi-pv does not take '501'; it takes a whole number from 1 to 500"),
            ("elo", "100", f"option elo does not take '100'; it takes a whole number from {WEAKEST_ELO} to 2400 (Elo)"),
            (
                "UCI_Elo",
                "2401",
                f"option elo does not take '2401'; it takes a whole number from {WEAKEST_ELO} to 2400 (Elo)",
            ),
            ("ponder", "maybe", "option ponder does not take 'maybe'; it takes true or false"),
            (
                "UCI_Variant",
                "chess",
                "option variant does not take 'chess'; "
                "it takes one of international, turkish, turkish-app, croda, killer, brazilian, russian, pool, "
                "english, italian, spanish, portuguese, czech, german or another",
            ),
        ],
    )
    def test_that_are_wrong_are_refused_with_what_would_be_right(self, name: str, text: str, message: str) -> None:
        with pytest.raises(OptionError) as error:
            Options().with_text(name, text)
        assert str(error.value) == message

    def test_pressing_a_button_changes_nothing(self) -> None:
        assert Options().with_text("Clear Hash", "") == Options()

    @given(st.sampled_from([option.name for option in REGISTRY]), st.text() | st.from_regex(r"[+-]?[0-9]{1,5000}"))
    def test_of_any_text_are_taken_whole_or_refused_in_one_line(self, name: str, text: str) -> None:
        complaint = ""
        try:
            options = Options().with_text(name, text)
        except OptionError as error:
            complaint = str(error)
        else:
            assert options == Options().with_text(name, options.text(name))
        assert len(complaint.splitlines()) <= 1
        assert len(complaint) < 300


class TestLoading:
    def test_takes_the_file_first_and_the_settings_after_it_in_order(self, tmp_path: Path) -> None:
        file = tmp_path / "turkengine.toml"
        file.write_text('variant = "turkish"\nhash = 16\nponder = true\nlog-file = "a b"\n', "utf-8")
        options, complaints = load_options(["hash=32", "threads=2", "threads=3"], file)
        assert not complaints
        assert options == Options(VARIANTS[1], 32, threads=3, ponder=True, log_file="a b")

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("hash = = 3", "Invalid value"),
            ("hash = 0", "option hash does not take '0'"),
            ("hash = 1.5", "option hash takes a whole number"),
            ("hash = [16]", "option hash takes a whole number"),
            ("[engine]\nhash = 16", "no option is called 'engine'"),
            ("colour = 'red'", "no option is called 'colour'"),
            ("threads = true", "option threads does not take 'True'"),
            ("hash = 1" + "0" * 5000, "digits"),
            ("hash = 0x1" + "0" * 5000, "option hash takes a whole number"),
            ("hash = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
            ('log-file = "a\\u0000b"', "option log-file does not take 'a\\x00b'"),
            ("#" * LONGEST_FILE, "too long"),
        ],
        ids=lambda text: text[:24],
    )
    def test_of_a_bad_file_leaves_one_line_and_the_defaults(self, tmp_path: Path, text: str, complaint: str) -> None:
        file = tmp_path / "turkengine.toml"
        file.write_text(f"multi-pv = 2\n{text}", "utf-8")
        options, complaints = load_options([], file)
        assert options == Options()
        assert len(complaints) == 1
        assert complaints[0].startswith(f"{file}: ")
        assert complaint in complaints[0]
        assert complaints[0].endswith("the file is ignored")
        assert "\n" not in complaints[0]

    def test_of_a_file_in_the_home_folder_are_found(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("HOME", "USERPROFILE"):
            monkeypatch.setenv(name, str(tmp_path))
        (tmp_path / "my.toml").write_text("hash = 32\n")
        assert load_options([], Path("~/my.toml")) == (Options(hash=32), [])

    def test_passes_over_a_byte_order_mark(self, tmp_path: Path) -> None:
        file = tmp_path / "turkengine.toml"
        file.write_bytes(b"\xef\xbb\xbfhash = 32\n")
        assert load_options([], file) == (Options(hash=32), [])

    def test_of_bytes_that_are_no_text_leaves_one_line(self, tmp_path: Path) -> None:
        file = tmp_path / "turkengine.toml"
        file.write_bytes(b"\xff\xfe\x00")
        assert len(load_options([], file)[1]) == 1

    def test_of_a_file_that_is_not_there_is_told_only_where_it_was_asked_for(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked_for, complaints = load_options([], tmp_path / "none.toml")
        assert asked_for == Options()
        assert len(complaints) == 1
        for variable in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
            monkeypatch.setenv(variable, str(tmp_path))
        assert load_options([]) == (Options(), [])

    def test_of_what_is_no_regular_file_leaves_one_line(self, tmp_path: Path) -> None:
        options, complaints = load_options([], tmp_path)
        assert options == Options()
        assert complaints == [f"{tmp_path}: this is not a regular file; the file is ignored"]

    def test_of_the_null_device_is_the_way_to_have_no_file(self) -> None:
        assert load_options([], Path(os.devnull)) == (Options(), [])

    def test_from_a_folder_whose_name_is_too_long_leaves_one_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for variable in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
            monkeypatch.setenv(variable, "/" + "a" * 5000)
        options, complaints = load_options([])
        assert options == Options()
        assert os.name == "nt" or len(complaints) == 1
        assert all(len(complaint) < 400 for complaint in complaints)

    def test_finds_the_users_own_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for variable in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
            monkeypatch.setenv(variable, str(tmp_path))
        file = settings_file()
        assert file.is_relative_to(tmp_path)
        file.parent.mkdir(parents=True)
        file.write_text("multi-pv = 3\n", "utf-8")
        assert load_options([]) == (Options(multi_pv=3), [])

    def test_leaves_out_wrong_settings_one_by_one(self) -> None:
        options, complaints = load_options(["hash", "size=5", "hash=x", "threads=2", "log-file=a=b"])
        assert options == Options(threads=2, log_file="a=b")
        assert complaints == [
            "a setting is a name, an equals sign and a value, not 'hash'; the setting is ignored",
            f"{_unknown('size')}; the setting is ignored",
            "option hash does not take 'x'; it takes a whole number from 1 (MiB); the setting is ignored",
        ]


def _unknown(name: str) -> str:
    return f"no option is called {name!r}; there are {', '.join(option.name for option in REGISTRY)}"


def test_the_table_in_the_documents_is_up_to_date() -> None:
    made = subprocess.run(
        [sys.executable, ROOT / "scripts" / "options.py", "--print"], check=True, capture_output=True, encoding="utf-8"
    )
    assert made.stdout == (ROOT / "docs" / "options.md").read_text("utf-8"), "run python scripts/options.py"
