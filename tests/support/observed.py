"""Motions of simulated bodies whose simulation is observed, so that tests share one simulation."""

from __future__ import annotations

from collections.abc import Callable

import footfall.core.engine.preview.generate as preview
import pytest
from footfall.core.engine import generate
from footfall.core.engine.preview.instant import Instant
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.motion import Motion
from footfall.core.task import Task

# Largest depth of the arms in other parts of the body [m]
MAX_ARM_OVERLAP = 0.03


def generate_observed(task: Task, observe: Callable[[Simulation], None]) -> Motion:
    """Return the motion of a task of the engine `preview`.

    Args:
        observe: called with the simulation after each control step.
    """

    class ObservedSimulation(Simulation):
        def step(self) -> Instant:
            instant = super().step()
            observe(self)
            return instant

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preview, "Simulation", ObservedSimulation)
        return generate(task)


def measure_arm_overlap(simulation: Simulation) -> float:
    """Return how deep the arms are in other parts of the body, or each other [m]."""
    near = simulation.loop.body_state.arm_proximity
    return 0.0 if near is None else float(near.deficit.max())
