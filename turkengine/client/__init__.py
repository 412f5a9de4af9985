"""Any engine as one object: ours in this process, a process that speaks a line protocol, a program at the other end of
a connection.

A client is asked for moves one after another and never waits for ever: whatever an engine does or leaves undone ends
the question with an answer or with one error that says why. It judges single moves; games are kept by whoever asks.
"""
