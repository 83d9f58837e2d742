"""The same preview gets the same residuals, to the last bit, wherever its arrays lie in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import StepGoal
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.state import FootPose, SlipState


@pytest.mark.parametrize("gait", ["walk", "run"])
def test_residuals_repeat_to_the_last_bit(gait: str) -> None:
    """A body is chaotic: a difference of one bit at a landing is another motion some steps later.

    The state is off its target speed and position, so that every objective of a run counts.
    """
    body = SlipBody.from_character(load_character("humanoid"), 9.81)
    rng = np.random.default_rng(0)
    feet = (
        FootPose(np.array([0.05, 0.085, 0.0]), 0.0),
        FootPose(np.array([-0.3, -0.085, 0.04]), 0.0),
    )
    state = SlipState(
        np.array([0.0, 0.04, body.com_height - 0.06]),
        np.array([3.2, 0.1, 0.1]),
        0.05,
        0.1,
        feet,
        "single",
        0,
        0.15,
        np.array([-0.15, 0.04]),
    )
    goal = StepGoal(gait, 1.05, 0.4, direction=0.3)  # type: ignore[arg-type]
    for _ in range(4):
        problem = PreviewProblem(
            replace(state, velocity=state.velocity + rng.uniform(-0.1, 0.1, 3)), goal, body
        )
        u = problem.clamp(problem.initial_guess + 0.05 * rng.normal(size=(120, 24)))
        once = problem.compute_residuals(u)
        for _ in range(300):
            # moves what is allocated next
            between = [np.zeros(size) for size in rng.integers(1, 300, 5)]
            assert np.array_equal(problem.compute_residuals(u), once), len(between)
