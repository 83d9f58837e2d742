"""Whether the heel of a foot that stands may rise."""
from __future__ import annotations

import numpy as np

from ...simulate import Body, Reading

BEFORE = 0.1          # m before its ball, from where on a running body's heel may rise
STIFF = 0.08          # rad of an ankle's range that are left where the heel of a walking body's foot may rise too


def heel_rises(body: Body, now: Reading, leg: int, heading: float, runs: bool, descends: bool) -> bool:
    """Whether the body is so far over a foot that its heel may rise: in a run, and where its ankle bends no further.

    Args:
        heading: of the body, rad.
        descends: whether it is to be left over its ball in a walk, too.
    """
    if not runs and (not descends or body.flexion_left(leg, now.pose) > STIFF):
        return False
    before = BEFORE if runs or descends else 0.0
    ball = now.points[leg][body.ball_points(leg)].mean(0)
    ahead = np.array([np.cos(heading), np.sin(heading)])
    return bool((now.com - ball)[:2] @ ahead > -before)
