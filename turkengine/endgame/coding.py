"""The code in which the tokens of an ending are written: short words for frequent ones (Huffman, 1952)."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

LONGEST = 12  # bits that the kernel looks at to read a token


def code_lengths(counts: Sequence[int]) -> bytes:
    """The length in bits of each token's word, 0 for one that does not occur.

    The code is complete, and no word is longer than the kernel reads: where one would be, the counts are made more
    alike until none is.

    Args:
        counts: how often each token occurs; at least one does.
    """
    used = {token: count for token, count in enumerate(counts) if count}
    if len(used) == 1:  # a word needs a bit, and a complete code then a second word
        used[0 if 0 not in used else 1] = 1
    while max((lengths := _huffman(used)).values()) > LONGEST:
        used = {token: (count + 1) // 2 for token, count in used.items()}
    return bytes(lengths.get(token, 0) for token in range(len(counts)))


def _huffman(counts: dict[int, int]) -> dict[int, int]:
    """Word lengths that write these counts in the fewest bits."""
    lengths = dict.fromkeys(counts, 0)
    trees = [(count, number, [token]) for number, (token, count) in enumerate(sorted(counts.items()))]
    heapq.heapify(trees)
    number = len(trees)  # decides between equal counts, so that the result is always the same
    while len(trees) > 1:
        rare, _, tokens = heapq.heappop(trees)
        other, _, more = heapq.heappop(trees)
        tokens += more
        for token in tokens:
            lengths[token] += 1
        heapq.heappush(trees, (rare + other, number, tokens))
        number += 1
    return lengths
