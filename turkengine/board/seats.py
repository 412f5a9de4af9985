"""Whose seat it is: a key of 128 bits that only its owner holds, of which only the SHA-256 is kept here.

A key travels once, in the fragment of a link, which no server sees; the page posts it and gets a cookie that no script
reads. Whoever finds the database or a log finds no key.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping

from turkengine.rules.variant import Side

KEY = re.compile(r"[A-Za-z0-9_-]{22}")
COOKIE = "seat"
LASTS = 365 * 24 * 3600  # s
LONGEST_COOKIE = 200  # characters: one browser holds two seats at most

ADDRESS_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # nothing that is misread
ADDRESS_LENGTH = 10


def new_key() -> str:
    """128 bits that nobody guesses."""
    return secrets.token_urlsafe(16)


def new_address() -> str:
    """What a game or a tree is called in addresses: short, and too many to be tried."""
    return "".join(secrets.choice(ADDRESS_ALPHABET) for _ in range(ADDRESS_LENGTH))


def digest(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode("ascii")).hexdigest()


def keys_in(cookie: str | None) -> tuple[str, ...]:
    """The keys that a browser holds."""
    if cookie is None or len(cookie) > LONGEST_COOKIE:
        return ()
    return tuple(key for key in cookie.split(".") if KEY.fullmatch(key))


def seats_of(keys: Iterable[str], kept: Mapping[Side, str]) -> tuple[Side, ...]:
    """The sides whose keys these are."""
    given = [digest(key) for key in keys]
    return tuple(side for side in Side if side in kept and any(hmac.compare_digest(kept[side], one) for one in given))


def cookie_header(path: str, keys: Iterable[str]) -> str:
    """The cookie that holds keys; a browser sends it to this one game only."""
    value = ".".join(dict.fromkeys(keys))
    return f"{COOKIE}={value}; Path={path}; Max-Age={LASTS}; HttpOnly; SameSite=Strict"
