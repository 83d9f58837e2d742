"""Sketches of walks and of strides, and the paths of the feet that follow from them.

A body that is built like a human walks, any other one strides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...character.character import is_humanoid
from ...character.kinematic_model import LinkPoses
from ...fullbody.foot_path import FootPath
from ...fullbody.weights import STEPPING_BODY_WEIGHTS, BodyWeights
from ...motion import Footstep
from ...sketch.sketch import Sketch
from ...task import Task
from ..centroidal.body import PlannedBody
from ..centroidal.modes.stride_sketch import sketch_strides
from ..centroidal.modes.striding import Striding
from ..centroidal.modes.walk_targets import WalkConditions, WalkPoser
from ..centroidal.modes.walking import sketch_style_walk
from .pushes import push_course, push_sketch

Array = NDArray[np.float64]

# The posture to keep is the predicted one, which swings its legs as the planned engine does and
# contains the momentum of the limbs.
# tuned: with the weights of legs of the planned engine, knees of runs downhill stayed bent for
# 0.1 s and popped by 6 degrees, tests/core/engine/learned/test_engine.py
PREDICTED_WALK_WEIGHTS = replace(
    STEPPING_BODY_WEIGHTS,
    leg=1.0,
    knee=2.0,
    ankle=1.5,
    ankle_roll=0.5,
    swing_height_middle=30.0,
    swing_place=1e3,
)
# Weight of the posture of legs that are not built like human ones, as the planned engine's
# reference already has their feet in place.
PREDICTED_STRIDE_LEG_WEIGHT = 1.0


class PredictedGait(Protocol):
    """Sketch of a task, and what the full body needs to follow a prediction of it."""

    @property
    def sketch(self) -> Sketch:
        """The sketch."""
        ...

    @property
    def body_weights(self) -> BodyWeights:
        """Weights of the full body, whose reference is the prediction."""
        ...

    def build_foot_paths(
        self, footsteps: tuple[Footstep, ...], placed: LinkPoses, times: Array, rotation: Array
    ) -> tuple[FootPath, ...]:
        """Return the paths of the feet through footsteps, near the feet of predicted poses.

        Args:
            footsteps: footsteps.
            placed: links in n poses, in their places.
            times: equally spaced times [s], shape (n,).
            rotation: rotation of the body, shape (n, 3, 3).
        """
        ...


@dataclass(frozen=True)
class PredictedWalk:
    """Gait of a humanoid.

    Args:
        task: task at human scale.
        planned_body: the body.
        sketch: the sketch.
    """

    task: Task
    planned_body: PlannedBody
    sketch: Sketch

    @property
    def body_weights(self) -> BodyWeights:
        """Weights of the full body, whose reference is the prediction."""
        return PREDICTED_WALK_WEIGHTS

    def build_foot_paths(
        self, footsteps: tuple[Footstep, ...], placed: LinkPoses, times: Array, rotation: Array
    ) -> tuple[FootPath, ...]:
        """Return the paths of the feet through footsteps, near the feet of predicted poses."""
        conditions = WalkConditions.without_events(self.task)
        poser = WalkPoser(self.planned_body, self.sketch, conditions)
        return poser.build_foot_paths(footsteps, placed, times, rotation)


@dataclass(frozen=True)
class PredictedStrides:
    """Gait of a body that is not built like a human.

    Args:
        striding: mode of locomotion of the task.
    """

    striding: Striding

    @property
    def sketch(self) -> Sketch:
        """The sketch."""
        return self.striding.strides.sketch

    @property
    def body_weights(self) -> BodyWeights:
        """Weights of the full body, whose reference is the prediction."""
        return replace(self.striding.body_weights, other_leg=PREDICTED_STRIDE_LEG_WEIGHT)

    def build_foot_paths(
        self, footsteps: tuple[Footstep, ...], placed: LinkPoses, times: Array, rotation: Array
    ) -> tuple[FootPath, ...]:
        """Return the paths of the feet through footsteps, within reach of predicted hips."""
        legs = self.striding.planned_body.character.legs
        hips = placed.origin[:, [leg.links[0] for leg in legs]]
        return self.striding.build_foot_paths(footsteps, hips, times)


def sketch_gait(task: Task, planned_body: PlannedBody) -> PredictedGait:
    """Return the gait of a task, with its sketch.

    Raises:
        TaskError: the task requests what the body cannot do.
        TerrainError: the path leaves the terrain.
    """
    if is_humanoid(planned_body.character):
        sketch = push_sketch(sketch_style_walk(task, planned_body), task, planned_body)
        return PredictedWalk(task, planned_body, sketch)
    unpushed = replace(task, pushes=())
    strides = sketch_strides(
        unpushed,
        planned_body,
        lambda course, pendulum: push_course(course, task, planned_body, pendulum),
    )
    return PredictedStrides(Striding.from_strides(unpushed, planned_body, strides))
