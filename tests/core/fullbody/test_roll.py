"""How feet roll: heels rise before a leg that is far behind its hip gets straight."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.character.load import load_builtin
from footfall.core.fullbody.hip_path import HipPath
from footfall.core.fullbody.roll import apply_pitch, compute_rolls
from footfall.core.motion import Footstep
from scipy.interpolate import CubicSpline

LEG_LENGTH = 0.85  # From the hip to the origin of the foot [m]


@pytest.mark.parametrize("hip_height", [0.88, 0.9])
@pytest.mark.parametrize("lead", [0.25, 0.3])
def test_a_heel_rises_before_its_leg_is_straight(lead: float, hip_height: float) -> None:
    """The knee of a leg as long as 99 % of its straight length is bent by 16 degrees at most."""
    foot = load_builtin("humanoid").feet[0]
    times = np.linspace(0.0, 1.0, 11)
    step = Footstep(0, 0.1, 0.2, 0.5, lift=0.8, position=np.zeros(3), rotation=np.eye(3))
    hip = np.array([lead, 0.0, hip_height])
    (roll,) = compute_rolls(
        [step],
        foot,
        CubicSpline(times, np.zeros((11, 4))),
        HipPath(times, np.tile(hip, (11, 1)), LEG_LENGTH),
    )
    ankle = (
        foot.pivot - foot.sole_center - apply_pitch(np.eye(3), np.array(-roll.push)) @ foot.pivot
    )
    assert roll.push > 0
    assert 0.93 < np.linalg.norm(hip - ankle) / LEG_LENGTH < 0.99
