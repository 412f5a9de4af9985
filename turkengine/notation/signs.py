"""Signs that look alike, as programs and word processors put them in the place of those on a keyboard."""

from __future__ import annotations

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
CROSSES = "xX\u00d7"
BLANKS = "\u00a0\u00ad\u1680\u180e" + "".join(map(chr, range(0x2000, 0x200E))) + "\u202f\u205f\u2060\u3000\ufeff"
"""Those that do not break, and those without width: no text that is read here needs them."""

IN_CLASS = "".join(f"\\u{ord(dash):04x}" for dash in DASHES)
"""The dashes as they stand in a character class of a regular expression."""

PLAIN = str.maketrans(dict.fromkeys(DASHES, "-") | dict.fromkeys(CROSSES, "x") | dict.fromkeys(BLANKS, " "))
"""For `str.translate`: every sign as the keyboard has it."""
