"""Where the options of a process come from: the user's turkengine.toml, another file, and the command line.

Nothing here ends the program: what cannot be used is named in a line and left out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from turkengine.engine.options import LONGEST_NUMBER, Options, option_named
from turkengine.errors import OptionError, shown

LONGEST_FILE = 1 << 20  # bytes of a turkengine.toml
LONGEST_NAME = 200  # characters of a file's name that a message repeats


def settings_file() -> Path:
    """Where the user's turkengine.toml is looked for: the folder that the system keeps settings in."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or home)
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return folder / "turkengine" / "turkengine.toml"


def load_options(settings: list[str] | tuple[str, ...], file: Path | None = None) -> tuple[Options, list[str]]:
    """The options that a process starts with: the defaults, then the file, then `settings` ("name=value") in order.

    Never fails: what cannot be used is in the second value, one line each, and left out. A file with any mistake
    is left out as a whole; without `file` it is the user's, which need not exist.
    """
    complaints: list[str] = []
    options = Options()
    path = settings_file() if file is None else Path(os.path.expanduser(file))  # a shell leaves --config=~/FILE alone
    try:
        if file is not None or path.is_file():
            options = read_file(path)
    except OptionError as error:
        complaints.append(f"{error}; the file is ignored")
    except OSError as error:  # the folder cannot be looked into, or its name is too long
        complaints.append(f"{_brief(path)}: {error.strerror}; the file is ignored")
    for setting in settings:
        name, equals, text = setting.partition("=")
        try:
            if not equals:
                raise OptionError(f"a setting is a name, an equals sign and a value, not {shown(setting)}")
            options = options.with_text(name, text)
        except OptionError as error:
            complaints.append(f"{error}; the setting is ignored")
    return options, complaints


def read_file(path: Path) -> Options:
    """The options of a turkengine.toml: one `name = value` a line, names as in the registry.

    Raises:
        OptionError: the file cannot be read, or something in it is wrong; the message starts with its name.
    """
    import tomllib  # only where there is a file: the start of the daemon is timed

    try:
        options = Options()
        for name, value in tomllib.loads(_content(path)).items():
            option = option_named(name)
            too_long = isinstance(value, int) and abs(value) >= 10**LONGEST_NUMBER  # perhaps even to be written out
            if too_long or not isinstance(value, (bool, int, str)):
                raise OptionError(f"option {option.name} takes {option.takes}")
            options = options.with_text(name, str(value))
        return options
    except OptionError as error:
        reason = str(error)
    except OSError as error:
        reason = error.strerror or str(error)
    except RecursionError:
        reason = "the values are nested too deeply; one 'name = value' a line is all it takes"
    except ValueError as error:  # bytes that are not text, text that is not TOML, or a number of thousands of digits
        reason = " ".join(str(error).split())
    raise OptionError(f"{_brief(path)}: {reason}")


def _content(path: Path) -> str:
    """The text of a settings file. It has to be a regular one, since a pipe or a device might never end."""
    if os.path.normcase(path) == os.path.normcase(os.devnull):  # the usual way to say: none
        return ""
    if path.exists() and not path.is_file():
        raise OptionError("this is not a regular file")
    with path.open("rb") as stream:
        data = stream.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise OptionError("this is too long to be a file of settings")
    return data.decode("utf-8-sig")  # some editors write a byte order mark


def _brief(path: Path) -> str:
    """The name of a file for a message, its end where it is absurdly long."""
    return str(path) if len(str(path)) <= LONGEST_NAME else f"...{str(path)[-LONGEST_NAME:]}"
