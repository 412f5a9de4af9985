"""From values to a page that is one file, fetches nothing, and holds text as text.

The templates escape by themselves whatever they are given; only drawings made here go in as they are. Each page has a
content security policy that names the one stylesheet and the one script it was made with, so a browser runs and fetches
nothing else. The template library is imported when the first page is made, for no other command needs it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from turkengine import __version__
from turkengine.drawing.svg import STYLE
from turkengine.pages.boards import empty_boards, shared_shapes
from turkengine.rules.variant import Variant

if TYPE_CHECKING:
    from jinja2 import Environment

BUFFERED = 200  # pieces of a template that go out together


def rendered(template: str, title: str, variants: Iterable[Variant] = (), **values: object) -> Iterator[str]:
    """The page, in parts.

    Args:
        template: its file here.
        variants: those whose boards it shows; without any it has no script.
        values: what the template asks for.
    """
    shown = sorted(set(variants), key=lambda variant: variant.name)
    style, script = _style(), _resource("page.js") if shown else ""
    stream = (
        _environment()
        .get_template(template)
        .stream(
            title=title,
            version=__version__,
            style=style,
            script=script,
            policy=_policy(style, script),
            shapes=shared_shapes(shown),
            boards=empty_boards(shown),
            **values,
        )
    )
    stream.enable_buffering(BUFFERED)
    yield from stream


def _policy(style: str, script: str) -> str:
    """What a browser may do with the page, as its `meta` element says it."""
    allowed = {"default-src": "'none'", "style-src": _digest(style)}
    if script:
        allowed["script-src"] = _digest(script)
    return "; ".join(f"{kind} {source}" for kind, source in {**allowed, "base-uri": "'none'"}.items())


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("turkengine.pages", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return made


@cache
def _style() -> str:
    return f"{STYLE}\n{_resource('page.css')}"


@cache
def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
