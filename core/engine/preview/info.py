"""Entry of the simulated engine in the list of engines, with the speeds of its driven bodies.

Blender reads this module when it starts, so it must not import what simulates.
"""

from __future__ import annotations

import numpy as np

from ..base import DriveSpeeds, EngineInfo
from ..shared.scaling import REFERENCE_GRAVITY, REFERENCE_LEG_LENGTH
from .steps import STEPS


def compute_drive_speeds(leg_length: float, gravity: float) -> DriveSpeeds:
    """Return the speeds of a simulated body, equal in Froude number to those of the reference body.

    Args:
        leg_length: [m].
        gravity: [m/s^2].
    """
    speed_scale = float(np.sqrt(gravity * leg_length / (REFERENCE_GRAVITY * REFERENCE_LEG_LENGTH)))
    return DriveSpeeds(0.0, STEPS.walk_speed * speed_scale, STEPS.run_speed * speed_scale)


INFO = EngineInfo(
    "preview",
    "Simulated",
    "Simulated: a body on two legs finds its steps by itself, stumbles when hit, and may fall. "
    "Styles are not used",
    features=frozenset(
        {
            "facing_offset",
            "forbidden_areas",
            "friction",
            "hop",
            "jumps",
            "projectiles",
            "pushes",
        }
    ),
    package=__package__ or "",
    driver="PreviewDriver",
    jumps_while_moving=True,
    is_simulated=True,
    compute_drive_speeds=lambda body, gravity: compute_drive_speeds(body.leg_length, gravity),
)
