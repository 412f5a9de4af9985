"""How the weights of the evaluation are made: games against itself, a fit to their results, one file a variant.

Everything here can be run again by anyone (`turkengine train`); README.md in this folder says how and in what time.
"""
