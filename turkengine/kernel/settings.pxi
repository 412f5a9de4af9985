# The numbers that the search goes by where games decide what is best; `settings.py` says what each is.

cdef int[SETTINGS] settings


def set_settings(values):
    """Go by these, in the order of `turkengine.kernel.settings.SETTINGS`; every search of this game does at once."""
    cdef int index
    for index in range(SETTINGS):
        settings[index] = values[index]
