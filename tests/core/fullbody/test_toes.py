"""Toes of swinging feet leave the ground soon after the lift."""

from __future__ import annotations

import numpy as np
from footfall.core.engine import generate
from footfall.core.task import Path, SpeedProfile, Task

LOW = 0.01  # height below which toes seem to touch the ground [m]
MOVING = 0.005  # distance from which on a toe seems to slide [m/frame]


def test_toes_of_a_slow_walk_are_not_drawn_over_the_ground() -> None:
    motion = generate(Task(Path([[0, 0], [8, 0]]), SpeedProfile(0.7), fps=60, seconds=6))
    tips = [k for k, name in enumerate(motion.contact_names) if name.endswith("/tip")]
    assert tips
    tip = motion.contact_position[:, tips]
    step = np.linalg.norm(np.diff(tip[..., :2], axis=0), axis=-1)
    is_low = np.maximum(tip[1:, :, 2], tip[:-1, :, 2]) < LOW
    assert is_low.sum() > 300
    assert step[is_low].max() < 0.025
    assert (step[is_low] > MOVING).mean() < 0.09
