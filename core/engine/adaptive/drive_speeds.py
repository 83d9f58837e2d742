"""Speeds of a driven body.

Blender reads this module when it starts, so it must not import what simulates.
"""

from __future__ import annotations

import numpy as np

from ..base import DriveSpeeds
from ..shared.scaling import REFERENCE_GRAVITY
from .movements import GAIT_RANGES, HALF_CYCLE_TIME, MOVEMENTS

# Leg length of the body of the reference size, see `biped.REFERENCE_LENGTH` [m]
LEG_LENGTH = 1.13


def compute_drive_speeds(leg_length: float, gravity: float) -> DriveSpeeds:
    """Return the speeds of a driven body: standing, the usual walk and the fastest one.

    Args:
        leg_length: [m].
        gravity: [m/s^2].
    """
    unit = float(np.sqrt(gravity * leg_length / (REFERENCE_GRAVITY * LEG_LENGTH)))
    natural = MOVEMENTS["forward"].step_length / HALF_CYCLE_TIME
    fastest = GAIT_RANGES["forward"].max_step / HALF_CYCLE_TIME
    return DriveSpeeds(0.0, natural * unit, fastest * unit)
