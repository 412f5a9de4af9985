"""What programs in Python use: positions, games, engines. Its names are those of `turkengine` itself.

Positions never change, games are trees of them, and every engine, ours or a process, is asked in the same way. What
`turkengine.__all__` names stays as it is within a major version.
"""
