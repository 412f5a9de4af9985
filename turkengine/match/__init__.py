"""Games between engines: the referee, the schedule, the runner that loses nothing, and the statistics that say who won.

Everything here goes by `rules`; what an engine says is a claim that is checked.
"""
