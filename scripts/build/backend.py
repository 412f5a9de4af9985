"""The build backend: setuptools, with a C compiler where the machine has none.

`pip install .` compiles the kernel. Where no C compiler is on PATH, this module asks pip for the `ziglang` wheel, which
brings a compiler, a linker and C headers along, and has setuptools use it. Windows is left to setuptools, which finds
Microsoft's compiler without PATH; who has none there installs the ready-made wheel.
"""

import os
import shlex
import shutil
import sys
import sysconfig

from leftovers import reuse_compiled_modules
from setuptools import build_meta
from setuptools.build_meta import build_sdist

__all__ = ["build_sdist", "build_wheel", "get_requires_for_build_wheel"]

Settings = dict[str, str | list[str] | None] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """What the build needs beside `requires` in pyproject.toml."""
    return ["ziglang>=0.13"] if needs_zig() else []


def build_wheel(directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Compile and pack; the answer is the name of the wheel's file."""
    from generate import generate  # imports the package's rules, which only a build needs

    choose_compiler()
    generate()
    with reuse_compiled_modules():
        return build_meta.build_wheel(directory, config_settings, metadata_directory)


def system_compiler() -> str | None:
    """The C compiler to use: $CC, the one that this Python was made with, or a usual one; None where there is none."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        if command and shutil.which(shlex.split(command)[0]):
            return command
    return None


def needs_zig() -> bool:
    """Whether the compiler has to come from the `ziglang` wheel."""
    return sys.platform != "win32" and system_compiler() is None


def choose_compiler() -> None:
    """Tell setuptools which compiler to use, where that is not the one it would take by itself."""
    if needs_zig():
        processor = "native" if os.environ.get("TURKENGINE_NATIVE") == "1" else "baseline"
        compiler = f"{shlex.quote(sys.executable)} -m ziglang cc -mcpu={processor}"
        os.environ.update(CC=compiler, LDSHARED=f"{compiler} -shared")
        os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", os.path.abspath("build/zig"))  # not 50 MB in the user's home
    elif sys.platform != "win32" and (found := system_compiler()) != sysconfig.get_config_var("CC"):
        os.environ["CC"] = str(found)
