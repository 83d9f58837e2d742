"""Pushes of a task on a simulated body."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....simulate import BodyState, Physics, SimulatedBody
from ....task import Push
from ....task.push import RAMP_SHARE
from ...shared.disturbances import find_pushed_link

Array = NDArray[np.float64]

# Square of a total force below which its point of application is undefined [N^2].
MIN_FORCE_SQUARED = 1e-9


@dataclass(frozen=True)
class AppliedForce:
    """A force on the body.

    Attributes:
        force: (3,) force [N].
        point: (3,) point of application [m].
    """

    force: Array
    point: Array


@dataclass(frozen=True)
class _PushPoint:
    """Body of the physics model that is pushed, and where (3,) [m]."""

    body: int
    point: Array


class PushScheduler:
    """Applies the pushes of a task when they are due.

    Args:
        pushes: pushes with times of the clip.
        body: body that is pushed.
        physics: physics engine that it moves in.

    Raises:
        TaskError: a push acts on a part that the body does not have.
    """

    def __init__(self, pushes: tuple[Push, ...], body: SimulatedBody, physics: Physics) -> None:
        self._character = body.character
        self._physics = physics
        self._model = body.model
        self.scratch = mujoco.MjData(body.model.mujoco)
        self._pushes = [(push, find_pushed_link(body.character, push.body_part)) for push in pushes]

    def add(self, push: Push) -> None:
        """Schedule one more push.

        Raises:
            TaskError: the push acts on a part that the body does not have.
        """
        self._pushes.append((push, find_pushed_link(self._character, push.body_part)))

    def apply(self, time: float, seconds: float, now: BodyState) -> list[AppliedForce]:
        """Push the body, and return the forces.

        Args:
            time: current time of the clip [s].
            seconds: duration for which the forces act [s].
            now: current state of the body.
        """
        applied = []
        for push, link in self._pushes:
            share = _evaluate_profile((time + 0.5 * seconds - push.time) / push.seconds)
            if share <= 0:
                continue
            force = share * np.asarray(push.force)
            place = self._find_point(now, link)
            self._physics.push(
                link or 0,
                force,
                seconds,
                self.scratch.xmat[place.body].reshape(3, 3).T
                @ (place.point - self.scratch.xpos[place.body]),
            )
            applied.append(AppliedForce(force, place.point))
        return applied

    def _find_point(self, now: BodyState, link: int | None) -> _PushPoint:
        """Return where a push acts: at the center of mass of a link, or without one of the body."""
        self.scratch.qpos[:] = now.pose
        mujoco.mj_kinematics(self._model.mujoco, self.scratch)
        body = int(self._model.links[link or 0])
        return _PushPoint(body, now.com if link is None else self.scratch.xipos[body].copy())


def sum_forces(com: Array, applied: list[AppliedForce]) -> AppliedForce:
    """Return the total force, at the point of its line of action that is nearest to `com`.

    Its moment about `com` is the total moment but for the component along the force.

    Args:
        com: (3,) center of mass of the body [m].
        applied: forces on the body.
    """
    total = np.zeros(3)
    moment = np.zeros(3)
    for item in applied:
        total += item.force
        moment += np.cross(item.point - com, item.force)
    size = float(total @ total)
    if size <= MIN_FORCE_SQUARED:
        return AppliedForce(total, np.zeros(3))
    return AppliedForce(total, com + np.cross(total, moment) / size)


def _evaluate_profile(phase: float) -> float:
    """Return the share of a push's force [1] that acts at a share of its duration.

    The profile is a trapezoid, and zero before and after the push.
    """
    return float(np.clip(min(phase, 1 - phase) / RAMP_SHARE, 0.0, 1.0))
