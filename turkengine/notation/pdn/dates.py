"""Dates of games: `1996.12.28` and the other ways in which people write them in the tag Date."""

from __future__ import annotations

import re
from typing import NamedTuple

_YEAR_FIRST = re.compile(r"\s*(\d{4})(?:[./-](\d{1,2}|\?+))?(?:[./-](\d{1,2}|\?+))?[./-]?")
_YEAR_LAST = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})[./-](\d{4})")


class Date(NamedTuple):
    """A day, as much of it as is known; 0 stands for a month or a day that is not."""

    year: int
    month: int = 0
    day: int = 0

    def __str__(self) -> str:
        """As PDN writes it."""
        return f"{self.year:04}.{f'{self.month:02}' if self.month else '??'}.{f'{self.day:02}' if self.day else '??'}"


def read_date(text: str, whole: bool = False) -> Date | None:
    """The date that `text` begins with, or with `whole` the one that it is; None where it holds none.

    Of `3/4/1996` only the year is taken, since it is written in both orders; `3.4.1996` and `3-4-1996` begin with the
    day.
    """
    found = _match(_YEAR_LAST, text, whole)
    if found is not None:
        first, between, second, year = int(found[1]), found[2], int(found[3]), int(found[4])
        if second > 12 >= first:
            first, second = second, first
        elif between == "/" and first != second and first <= 12:
            return Date(year)
        return _checked(year, second, first)
    found = _match(_YEAR_FIRST, text, whole)
    if found is None:
        return None
    month, day = (int(part) if part and part.isdecimal() else 0 for part in (found[2], found[3]))
    return _checked(int(found[1]), month, day)


def within(date: Date, since: Date | None, until: Date | None) -> bool:
    """Whether a date lies between two others, both included; only what is known of both is compared."""
    return (since is None or _compared(date, since) >= 0) and (until is None or _compared(date, until) <= 0)


def _compared(date: Date, other: Date) -> int:
    """Below 0, 0 or above 0 as a date is earlier than another, the same or later, as far as both are known."""
    for one, two in zip(date, other, strict=True):
        if not one or not two:
            break
        if one != two:
            return one - two
    return 0


def _match(pattern: re.Pattern[str], text: str, whole: bool) -> re.Match[str] | None:
    return pattern.fullmatch(text.rstrip()) if whole else pattern.match(text)


def _checked(year: int, month: int, day: int) -> Date | None:
    if month > 12 or day > 31:
        return None
    return Date(year, month, day if month else 0)
