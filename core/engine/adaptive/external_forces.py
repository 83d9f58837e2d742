"""Forces on a simulated body that are no torques of muscles."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from .biped_model import BipedModel
from .force_solver import ForceSolution

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PushForce:
    """Push on one part of the body.

    Args:
        begin, end: [s] of the simulation.
        force: (3,) peak force [N].
        part: index of the part, see `BipedModel.parts`: 0 the upper body, 1 the pelvis.
        point: (3,) where it acts, in the frame of the part; None for the center of mass of the
            whole body [m].
        ramp: share of the duration in which the force rises, and in which it falls.
    """

    begin: float
    end: float
    force: Array
    part: int = 0
    point: Array | None = None
    ramp: float = 0.0

    def evaluate(self, time: float) -> float:
        """Return the share of the peak force at a time [s]."""
        phase = (time - self.begin) / (self.end - self.begin)
        if not 0.0 <= phase < 1.0:
            return 0.0
        if self.ramp <= 0:
            return 1.0
        return float(min(min(phase, 1.0 - phase) / self.ramp, 1.0))


@dataclass(frozen=True)
class AppliedPush:
    """Resultant of the pushes in one control step.

    Args:
        force: (3,) [N].
        point: (3,) mean of the points where they act, weighted by their sizes [m].
    """

    force: Array
    point: Array


NO_PUSH = AppliedPush(np.zeros(3), np.zeros(3))


@dataclass(frozen=True)
class ExternalForces:
    """Forces from outside.

    Args:
        helper_limit: largest helper force and torque (equation 7) [N], [N m].
        pushes: on parts of the body.
    """

    helper_limit: float = 0.0
    pushes: tuple[PushForce, ...] = ()


def apply_pushes(
    pushes: tuple[PushForce, ...], time: float, model: BipedModel, data: mujoco.MjData
) -> AppliedPush:
    """Add pushes at a time [s] to the forces in the physics, and return their resultant."""
    if not pushes:
        return NO_PUSH
    total = np.zeros(3)
    weighted = np.zeros(3)
    weight = 0.0
    for push in pushes:
        force = push.evaluate(time) * push.force
        if not force.any():
            continue
        body = model.parts[push.part]
        point = (
            data.subtree_com[1]
            if push.point is None
            else data.xpos[body] + data.xmat[body].reshape(3, 3) @ push.point
        )
        data.xfrc_applied[body, :3] += force
        data.xfrc_applied[body, 3:] += np.cross(point - data.xipos[body], force)
        size = float(np.linalg.norm(force))
        total += force
        weighted += size * point
        weight += size
    return AppliedPush(total, weighted / weight) if weight else NO_PUSH


def apply_helper(
    model: BipedModel,
    data: mujoco.MjData,
    solution: ForceSolution,
    wrench: Array,
    limit: float,
) -> None:
    """Add bounded shares of the unmet ideal forces to those in the physics (section 8.2).

    Args:
        wrench: (6, 12) force and moment about the center of a foot by forces on its frames.
        limit: of each component [N], [N m].
    """
    data.xfrc_applied[model.parts[0]] = np.clip(solution.body_error, -limit, limit)
    for k, body in enumerate(model.feet):
        helper = np.minimum(np.maximum(solution.foot_error[k], -limit), limit)
        rotation = data.xmat[body].reshape(3, 3)
        data.xfrc_applied[body] = ((wrench @ helper).reshape(2, 3) @ rotation.T).ravel()


def apply_external_forces(
    forces: ExternalForces,
    time: float,
    model: BipedModel,
    data: mujoco.MjData,
    solution: ForceSolution,
    wrench: Array,
) -> AppliedPush:
    """Write helper forces and pushes into the physics; return the resultant of the pushes.

    Args:
        time: [s] of the simulation.
        wrench: (6, 12) force and moment about the center of a foot by forces on its frames.
    """
    if forces.helper_limit > 0 or forces.pushes:
        data.xfrc_applied[:] = 0.0
    if forces.helper_limit > 0:
        apply_helper(model, data, solution, wrench, forces.helper_limit)
    return apply_pushes(forces.pushes, time, model, data)
