"""What the machine has: memory and processors, so that no more is taken than there is."""

from __future__ import annotations

import os
from pathlib import Path

KIBIBYTE = 1 << 10
MEBIBYTE = 1 << 20
THREADS_PER_PROCESSOR = 4  # more only get in each other's way
TOTAL, AVAILABLE = 0, 1  # places in what Windows returns
CONTROL_GROUPS = (  # version 2, version 1: folder, files with the limit and what is used, the idle cache in memory.stat
    ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def memory() -> int:
    """Mebibytes that this process could have if it were alone; 1 GiB where the system does not say."""
    known = [size for size in (_physical(TOTAL), _control_group()[0]) if size]
    return max(min(known, default=1024 * MEBIBYTE) // MEBIBYTE, 1)


def free_memory() -> int:
    """Mebibytes that this process can still get without pushing anything out; 1 GiB where the system does not say."""
    limit, used = _control_group()
    left = max(limit - used, 1) if limit else 0
    known = [size for size in (_available(), left) if size]
    return max(min(known, default=1024 * MEBIBYTE) // MEBIBYTE, 1)


def most() -> dict[str, int]:
    """What can be asked for with sense of each option that takes a part of the machine: MiB of `hash`, `threads`."""
    return {"hash": memory(), "threads": THREADS_PER_PROCESSOR * processors()}


def processors() -> int:
    """How many threads can run at once for this process."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux can bind a process to some of them
        return os.cpu_count() or 1


def _available() -> int:
    """What is free or can be freed at once; all of the memory where only that is known."""
    try:
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text("ascii").splitlines())
        return int(fields["MemAvailable"].removesuffix("kB")) * KIBIBYTE
    except (OSError, KeyError, ValueError):
        pass
    return _physical(AVAILABLE)


def _physical(size_on_windows: int) -> int:
    """All of the memory; Windows returns what is available as well."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except AttributeError:
        return _on_windows(size_on_windows)
    except (ValueError, OSError):
        return 0


def _on_windows(size: int) -> int:
    """GlobalMemoryStatusEx: two fields of 32 bits, then seven of 64, `size` chooses which of these."""
    import ctypes

    class MemoryStatus(ctypes.Structure):
        _fields_ = (("length", ctypes.c_uint32), ("load", ctypes.c_uint32), ("sizes", ctypes.c_uint64 * 7))

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    library = ctypes.CDLL("kernel32")
    return int(status.sizes[size]) if library.GlobalMemoryStatusEx(ctypes.byref(status)) else 0


def _control_group() -> tuple[int, int]:
    """The limit of the container that the process runs in, 0 where there is none, and what is used of it for good."""
    for folder, limit, used, idle in CONTROL_GROUPS:
        size = _number_in(Path(folder, limit))
        if size:
            return size, _number_in(Path(folder, used)) - _number_in(Path(folder, "memory.stat"), idle)
    return 0, 0


def _number_in(file: Path, field: str = "") -> int:
    """The number that a file holds, or the one after a field's name; 0 where there is none, but a word (`max`)."""
    try:
        text = file.read_text(encoding="ascii")
        return int(dict(line.split() for line in text.splitlines())[field] if field else text)
    except (OSError, KeyError, ValueError):
        return 0
