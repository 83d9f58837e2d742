"""Legs that pass beside each other and not through."""
from __future__ import annotations

import numpy as np
import pytest
from footfall.core import so3
from footfall.core.engine import generate
from footfall.core.motion import Motion
from footfall.core.task.scenarios import SCENARIOS


def _segments(motion: Motion, part: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Ends (n, 3) and radius of the capsule of a link."""
    link = motion.link_names.index(part)
    solid = next(s for s in motion.solids if s.link == link)
    turn = so3.quat_to_matrix(motion.link_orientation[:, link])
    return (motion.link_position[:, link] + turn @ solid.start, motion.link_position[:, link] + turn @ solid.end, solid.radius)


def _depth(motion: Motion, a: str, b: str) -> float:
    """How far two capsules are in one another at worst, from points along both. m."""
    (p, q, r), (s, t, u) = _segments(motion, a), _segments(motion, b)
    share = np.linspace(0, 1, 21)[:, None, None]
    one, two = p + share * (q - p), s + share * (t - s)                                    # (21, n, 3)
    return r + u - float(np.linalg.norm(one[:, None] - two, axis=-1).min())


@pytest.mark.parametrize("name", ["humanoid-walk", "humanoid-run", "humanoid-terrain-walk", "humanoid-varying-lateral-foot"])
def test_shins_and_feet_do_not_pass_through_each_other(name: str) -> None:
    motion = generate(SCENARIOS[name].task(fps=60, seconds=6))
    for a, b in (("shin.L", "shin.R"), ("shin.L", "foot.R"), ("foot.L", "shin.R")):
        assert _depth(motion, a, b) < 0.012, f"{a} and {b}"
