"""Feet without toes that bend keep their tip above the ground as they leave it."""

from __future__ import annotations

import numpy as np
from footfall.core.character.character import Foot
from footfall.core.fullbody.clearance import compute_tip_lift
from footfall.core.fullbody.foot_pose import FootPoses
from footfall.core.geometry import so3
from footfall.core.terrain.ground import FlatGround

SHOE = Foot(
    0,
    heel=np.array([-0.1, 0.0, -0.1]),
    ball=np.array([0.3, 0.0, -0.1]),
    tip=np.array([0.3, 0.0, -0.1]),
    pivot=np.array([0.3, 0.0, -0.1]),
    has_toe=False,
)


def test_tip_of_a_stiff_foot_clears_the_ground_until_it_lands() -> None:
    u = np.linspace(0.02, 0.98, 25)
    pitch = 1.2 * (1 - u) ** 2  # The heel rises faster than the ankle
    poses = FootPoses(
        SHOE,
        origin=np.stack([u, 0 * u, 0.1 + 0.5 * u * (1 - u)], -1),
        rotation=so3.rotation_about("y", pitch),
        toe_bend=0 * u,
    )
    tip = poses.compute_sole_points()[:, 2, 2]
    lift = compute_tip_lift(FlatGround(), poses, u)
    assert tip.min() < -0.05
    assert (tip + lift).min() > -1e-12
    assert (tip + lift)[u < 0.5].min() > 0.005
    assert not lift[tip > 0.01].any()
