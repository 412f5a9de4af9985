"""The loops that join a session to the outer world: bytes in and out, and the engine beside them.

What to say is decided in `wire`; here it is only carried out.
"""
