"""What the text of a game is made of, as regular expressions.

`TOKEN` knows every token of the moves, and `TAG` a tag. `RUN` and `TAG_RUN` take many at once where there is nothing
but moves and their numbers, or tags without escapes. That is most of a file, and makes reading several times as fast.
"""

from __future__ import annotations

import re

from turkengine.notation.signs import BLANKS, IN_CLASS

_DASH = IN_CLASS
_BY = rf"[{_DASH}:xX\u00d7]"
_BETWEEN = rf"[ \t]?{_BY}[ \t]?"
_NUMBERED = rf"(?:{_BY}\d++|{_BETWEEN}\d++(?![ \t]*\.))"  # a blank and the number of the next move are no square
_FINISHED = rf"(?:[012][{_DASH}:]0|0[{_DASH}:][12]|1[{_DASH}]1)(?!\d)"
_PLAIN = rf"(?:\d+(?:{_BY}\d+)++|[a-j]\d\d?(?:{_BY}?[a-j]\d\d?)++|\d{{4}}(?!\s*\.))(?=[\s)]|\Z)(?![ \t]{_BY})"

_HALF = r"(?:1[ \t]?/[ \t]?2|\u00bd)"

FIRST_NUMBER = re.compile(r"\s*+0*+1\s*+\.")
_TAG = r'\[[ \t]*[^\W\d]\w*[ \t]*"'
RUN = re.compile(rf"(?:\s*+(?:\d++\s*+\.[\s.]*+)?+(?!{_FINISHED}){_PLAIN})++")
PLAIN = re.compile(rf"(?<!\d){_PLAIN}")  # else each digit of a long number would be looked at as a beginning

TOKEN = re.compile(
    rf"""\s*(?:
      (?:(?!0\.5[ \t]?[{_DASH}:])\d+\s*\.[\s.]*)?
      (?P<move> \d++{_NUMBERED}++ | [a-jA-J]\d\d?(?:(?:{_BETWEEN})?[a-jA-J]\d\d?)+ | \d{{4}}(?![\d.]) )
    | \{{ (?P<comment> [^}}]* ) \}}
    | (?P<opened> \( (?![!?]+\)) )
    | (?P<closed> \) )
    | (?P<mark> [!?]+ | \([!?]+\) )
    | \$ (?P<nag> \d+ )
    | (?P<forced> (?<=\w)\* (?=[ \t]*\S) )
    | (?P<result> {_HALF}(?:[ \t]?[{_DASH}:]?[ \t]?{_HALF})? (?![\w/]) | 0[.,]5[ \t]?[{_DASH}:][ \t]?0[.,]5 | \* )
    | (?P<number> \d+\s*\.[\s.]* | \.\.+ )
    | /[ \t]*(?:FEN[ \t]*)?"?(?P<setup> [WBwb?]:[^/"\n]*+ )"?[ \t]*/
    | (?P<tag> {_TAG} )
    | (?: ^% | ; ) (?P<line_comment> [^\n]* )
    | (?P<unclosed> \{{ ) .*
    | (?P<stray> \}} | (?:(?!{_TAG})[^\s(){{}}])+ )
    )""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)

UNSEEN = re.compile(f"[{BLANKS}]")
KEPT_OR_UNSEEN = re.compile(
    rf"""(\{{[^}}]*+\}}?|(?<!\\)"(?:[^"\\\n]|\\[^\n])*+"|^%[^\n]*|;[^\n]*)|[{BLANKS}]""", re.MULTILINE
)
"""Blanks of other kinds than those on a keyboard, and before them what may hold them: comments and values of tags."""

TAG = re.compile(r'\s*\[\s*([^\W\d]\w*)\s*"([^"\\\n]*(?:\\.[^"\\\n]*)*)"\s*\]')
_SIMPLE_TAG = r'\[\s*+[^\W\d]\w*+\s*+"[^"\\\n]*+"\s*+\]'
TAG_RUN = re.compile(rf"\s*+{_SIMPLE_TAG}(?:[^\S\n]*+\n?+[^\S\n]*+{_SIMPLE_TAG})*+")  # up to a blank line
TAG_LIKE = re.compile(r"\s*\[[ \t]*([^\W\d]\w*)[ \t]*([^\n]*)")
LINE_COMMENT = re.compile(r"\s*^[ \t]*%([^\n]*)", re.MULTILINE)
COMMENT = re.compile(r"\s*\{([^}]*)\}|\s*(?:^%|;)([^\n]*)", re.MULTILINE)
ESCAPED = re.compile(r'\\(["\\])')

_TAG_LINE = r"[ \t]*\[[ \t]*[^\W\d]\w*[^\n]*"
HEADER = re.compile(
    rf"""(?:^{_TAG_LINE} | \[[ \t]*[^\W\d]\w*[ \t]*"[^"\n]*"[ \t]*\][^\n]*)
    (?:(?<=\])[ \t]*\n(?:[ \t]*(?:%[^\n]*)?\n)*{_TAG_LINE})*""",
    re.MULTILINE | re.VERBOSE,
)
"""Lines of tags that follow each other; before the first of them and after the last may be moves."""

CERTAIN_TAG = re.compile(r'^[ \t]*\[[ \t]*[^\W\d]\w*[ \t]*"', re.MULTILINE)
"""A line that begins like a tag even where it stands in a comment, which then was not closed."""
