"""How a rig is to be baked."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """How a bake goes onto a rig, where it can go in several ways.

    Args:
        by_feet: legs of control rigs by inverse kinematics.
        root: what carries the way over the ground, one of `root_motion.WAYS`.
    """

    by_feet: bool = False
    root: str = "BODY"


USUAL = Way()
