"""A humanoid in the plane and a walk that it follows."""

from __future__ import annotations

import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.centroidal.generate import generate as generate_planned
from footfall.core.engine.tracker.biped import PlanarBiped
from footfall.core.engine.tracker.constraints import StepConstraints, fit_walk
from footfall.core.engine.tracker.input_walk import SagittalWalk, StepSamples, read_steps
from footfall.core.engine.tracker.side_view import SideView
from footfall.core.task import Path, SpeedProfile, Task


@pytest.fixture(scope="package")
def biped() -> PlanarBiped:
    return PlanarBiped(SideView.from_model(KinematicModel(load_character("humanoid"))), 9.81)


@pytest.fixture(scope="package")
def speed() -> float:
    """Speed of the walk [m/s]."""
    return 1.3


@pytest.fixture(scope="package")
def steps(biped: PlanarBiped, speed: float) -> tuple[StepSamples, ...]:
    task = Task(Path([[0, 0], [20, 0]]), SpeedProfile(speed), seconds=3.0, fps=60)
    walk = SagittalWalk.from_motion(generate_planned(task), load_character("humanoid"))
    return read_steps(walk, biped.side_view)


@pytest.fixture(scope="package")
def gait(biped: PlanarBiped, steps: tuple[StepSamples, ...]) -> tuple[StepConstraints, ...]:
    return fit_walk(biped, steps)
