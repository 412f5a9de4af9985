"""What a build may reuse from the one before: compiled modules, if nothing that they were made from has changed.

This saves a minute after each change of a Python module. setuptools decides by the dates of files, which is wrong both
ways here: it compiles everything each time, since pip has just installed the Cython that the C files depend on; and it
takes over half-written modules, modules compiled with other flags, and Python modules that were deleted since.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

KERNEL = Path("turkengine/kernel")
SOURCES = {".pyx", ".pxd", ".pxi", ".h"}
COMPILED = {".so", ".pyd"}
SETTINGS = ("CC", "CFLAGS", "LDFLAGS", "TURKENGINE_GAMES", "TURKENGINE_NATIVE")


@contextmanager
def reuse_compiled_modules() -> Iterator[None]:
    """Prepare the folder of a build, which is the body of the `with`, and remember what it was made from."""
    build, complete = Path("build"), Path("build/complete")
    made_from = fingerprint()
    if not complete.is_file() or complete.read_text() != made_from:
        shutil.rmtree(build, ignore_errors=True)
        for translated in KERNEL.glob("*.c"):
            translated.unlink()
    for file in [*KERNEL.glob("*.c"), *build.glob("lib*/**/*")]:
        if file.suffix in {".c", *COMPILED}:
            file.touch()  # newer than all that it depends on
        elif file.is_file():
            file.unlink()
    complete.unlink(missing_ok=True)
    yield
    build.mkdir(exist_ok=True)
    complete.write_text(made_from)


def fingerprint() -> str:
    """A short text that changes with all that decides about the compiled modules."""
    parts = [f"Cython {version('cython')}", *(f"{name}={os.environ.get(name)}" for name in SETTINGS)]
    files = [file for file in sorted(KERNEL.glob("*")) if file.suffix in SOURCES]
    parts += [f"{file}\n{file.read_text()}" for file in [*files, Path(__file__).with_name("generate.py")]]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
