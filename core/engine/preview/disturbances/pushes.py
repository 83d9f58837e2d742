"""Pushes on a simulated body, as a task has them."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....simulate import BodyState, Physics, SimulatedBody
from ....task import Push
from ...shared.disturbances import find_pushed_link

Array = NDArray[np.float64]

AppliedForce = tuple[Array, Array]  # a force (3,) N and where it acts, (3,) m

RAMP_SHARE = 0.25  # of a push's time, over which it rises, and falls


class PushScheduler:
    """Brings the pushes of a task onto a body in time.

    Raises:
        TaskError: a push acts at a part that the body does not have.
    """

    def __init__(self, pushes: tuple[Push, ...], body: SimulatedBody, physics: Physics) -> None:
        self._character = body.character
        self._physics = physics
        self._model = body.model
        self.scratch = mujoco.MjData(body.model.mujoco)  # scratch
        self._pushes = [(push, find_pushed_link(body.character, push.body_part)) for push in pushes]

    def add(self, push: Push) -> None:
        """One more, at its time.

        Raises:
            TaskError: it acts at a part that the body does not have.
        """
        self._pushes.append((push, find_pushed_link(self._character, push.body_part)))

    def apply(self, time: float, seconds: float, now: BodyState) -> list[AppliedForce]:
        """Push for the next `seconds`; returns what then acts."""
        applied = []
        for push, link in self._pushes:
            share = _evaluate_profile((time + 0.5 * seconds - push.time) / push.seconds)
            if share <= 0:
                continue
            force = share * np.asarray(push.force)
            body, place = self._find_point(now, link)
            self._physics.push(
                link or 0,
                force,
                seconds,
                self.scratch.xmat[body].reshape(3, 3).T @ (place - self.scratch.xpos[body]),
            )
            applied.append((force, place))
        return applied

    def _find_point(self, now: BodyState, link: int | None) -> tuple[int, Array]:
        """Number of the body in the model that is pushed, and where (3,):
        a link's own centre of mass or that of all.
        """
        self.scratch.qpos[:] = now.pose
        mujoco.mj_kinematics(self._model.mujoco, self.scratch)
        body = int(self._model.links[link or 0])
        return body, now.com if link is None else self.scratch.xipos[body].copy()


def sum_forces(com: Array, applied: list[AppliedForce]) -> AppliedForce:
    """The sum of forces, and a point where it does to a body with its centre of
    mass at (3,) what they do.
    """
    total = np.zeros(3)
    torque = np.zeros(3)
    for force, place in applied:
        total += force
        torque += np.cross(place - com, force)
    size = float(total @ total)
    return total, com + np.cross(total, torque) / size if size > 1e-9 else np.zeros(3)


def _evaluate_profile(phase: float) -> float:
    """Of its height, at a part of its time: it rises, stays and falls."""
    return float(np.clip(min(phase, 1 - phase) / RAMP_SHARE, 0.0, 1.0))
