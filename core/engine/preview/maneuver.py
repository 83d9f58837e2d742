"""What a body does in place of steps where no walk leads on."""
from __future__ import annotations

from typing import Protocol

from ...simulate import Reading, Reference, State


class Maneuver(Protocol):
    """Done once, from a step on until the body stands on both feet."""

    def reference(self, state: State, now: Reading) -> Reference | None:
        """What to do now; None once the body stands."""
        ...
