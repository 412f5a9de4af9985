"""The loop that joins a session to the outer world: bytes in and out, and the engine beside them.

What to say is decided in `wire`; here it is only carried out.
"""
