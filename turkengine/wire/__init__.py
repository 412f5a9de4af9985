"""The protocols, without input or output: a session takes lines and events and returns what is to be done.

No module here touches a pipe, a thread or a clock; `daemon` does that.
"""
