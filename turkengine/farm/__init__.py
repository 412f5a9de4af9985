"""Work on other machines: a cluster of Dask, and tasks sent to it whose answers come back one by one.

It does not know what the work is: `match` has games played there, `analysis` has them judged.
"""
