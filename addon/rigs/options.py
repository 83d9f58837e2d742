"""Options of a bake for control rigs and root motion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RigOptions:
    """How a bake uses a rig that allows several choices.

    Args:
        use_leg_ik: whether the legs of control rigs are keyed by inverse kinematics.
        root_motion: what moves over the ground, one of `root_motion.ROOT_MOTION_MODES`.
    """

    use_leg_ik: bool = False
    root_motion: str = "BODY"


DEFAULT_RIG_OPTIONS = RigOptions()
