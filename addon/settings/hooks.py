"""Functions that run when a property was set.

Property groups lie below the modules that read them. Those modules connect their reactions to a
change here, once, at registration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Hook:
    """Functions to call when something changed."""

    def __init__(self) -> None:
        self._functions: list[Callable[..., Any]] = []

    def connect(self, function: Callable[..., Any]) -> None:
        """Call a function at each change from now on; connecting it again has no effect."""
        if function not in self._functions:
            self._functions.append(function)

    def clear(self) -> None:
        """Disconnect all functions."""
        self._functions.clear()

    def __call__(self, *arguments: Any) -> None:
        """Call every function, in the order in which they were connected."""
        for function in self._functions:
            function(*arguments)


part_changed = Hook()  # argument: armature whose list of parts was corrected
clip_changed = Hook()  # arguments: style settings whose clip was set, and the context
action_changed = Hook()  # argument: style settings whose action was picked
corrections_changed = Hook()  # argument: style settings whose corrections of a clip were set
source_changed = Hook()  # argument: settings of a mixed-in or upper-body style
footstep_changed = Hook()  # no argument: a footstep was moved in time or pinned
following_changed = Hook()  # no argument: following of footsteps was switched

ALL = (
    part_changed,
    clip_changed,
    action_changed,
    corrections_changed,
    source_changed,
    footstep_changed,
    following_changed,
)
