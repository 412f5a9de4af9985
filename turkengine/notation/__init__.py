"""Text in, values out, and back: squares, moves and positions in every notation that draughts people use.

Reading is generous (every form in use is tried against the legal moves) and exact (a text that fits nothing, or more
than one thing, is refused with the reason); writing is canonical. Nothing here knows a protocol or a file.
"""
