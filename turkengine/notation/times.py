"""Times as text: how clocks are written in files, and how they are read out to people."""

from __future__ import annotations

import math

TENTHS_BELOW = 10.0  # s


def clock_text(seconds: float) -> str:
    """h:mm:ss with as many thousandths as there are; a clock that is overrun shows 0."""
    thousandths = max(round(1000 * seconds), 0)
    whole, rest = divmod(thousandths, 1000)
    shown = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{shown}.{rest:03}".rstrip("0") if rest else shown


def left_text(seconds: float) -> str:
    """What is left, for people: hours, minutes and seconds begun, tenths where there is little."""
    left = max(seconds, 0.0)
    if left < TENTHS_BELOW:
        return f"{int(left * 10) / 10:.1f} s"
    minutes, rest = divmod(math.ceil(left), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
