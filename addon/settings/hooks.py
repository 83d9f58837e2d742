"""Functions that run when a property was set.

Property groups lie below the modules that read them. What is to happen at a change is therefore
connected from above, once, at registration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Hook:
    """Functions to call when something changed; without one nothing happens."""

    def __init__(self) -> None:
        self._functions: list[Callable[..., Any]] = []

    def connect(self, function: Callable[..., Any]) -> None:
        """Call a function at each change from now on; one that is connected
        already is not called twice.
        """
        if function not in self._functions:
            self._functions.append(function)

    def clear(self) -> None:
        """Disconnect all functions."""
        self._functions.clear()

    def __call__(self, *arguments: Any) -> None:
        """Call every function, in the order in which they were connected."""
        for function in self._functions:
            function(*arguments)


part_changed = Hook()  # with the armature whose list of parts was corrected
clip_changed = Hook()  # with the style settings whose clip was set, and the context
action_changed = Hook()  # with the style settings whose action was picked
source_changed = Hook()  # with the settings of a style that is mixed in or lends its upper body
footstep_changed = Hook()  # when a footstep was moved in time or pinned
following_changed = Hook()  # when footsteps are to be followed again

ALL = (
    part_changed,
    clip_changed,
    action_changed,
    source_changed,
    footstep_changed,
    following_changed,
)
