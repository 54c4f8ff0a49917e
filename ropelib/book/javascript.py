"""JavaScript without a browser: the same lines run in the page, under the tests, and where a still is drawn."""

import atexit
from functools import cache


@cache
def engine():
    """The one JavaScript engine of this process, or None where there is none (in the page itself, for one).

    It is closed before Python takes its threads down: left open, or one of two, it was seen to hang there.

    Returns
    -------
    py_mini_racer.MiniRacer or None
    """
    try:
        from py_mini_racer import MiniRacer
    except ImportError:
        return None
    js = MiniRacer()
    atexit.register(js.close)
    return js
