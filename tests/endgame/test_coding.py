"""The code of the tokens: complete, short enough for the kernel, and as short as it can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turkengine.endgame.coding import LONGEST, code_lengths


def test_frequent_tokens_have_short_words() -> None:
    assert list(code_lengths([8, 4, 2, 0, 1, 1])) == [1, 2, 3, 0, 4, 4]


def test_a_single_token_gets_a_bit_and_a_companion() -> None:
    assert list(code_lengths([0, 5, 0])) == [1, 1, 0]
    assert list(code_lengths([5, 0, 0])) == [1, 1, 0]


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=264).filter(any))
def test_every_code_is_complete_and_within_the_longest_word(counts: list[int]) -> None:
    lengths = code_lengths(counts)
    assert sum(2 ** (LONGEST - length) for length in lengths if length) == 2**LONGEST
    assert all(lengths[token] for token, count in enumerate(counts) if count)


def test_words_that_would_be_too_long_are_cut() -> None:
    fibonacci = [1, 1]
    while len(fibonacci) < 40:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert max(code_lengths(fibonacci)) == LONGEST
