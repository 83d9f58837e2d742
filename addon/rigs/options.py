"""How a rig is to be baked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RigOptions:
    """How a bake goes onto a rig, where it can go in several ways.

    Args:
        use_leg_ik: legs of control rigs by inverse kinematics.
        root_motion: what moves over the ground, one of `root_motion.ROOT_MOTION_MODES`.
    """

    use_leg_ik: bool = False
    root_motion: str = "BODY"


DEFAULT_RIG_OPTIONS = RigOptions()
