"""Pushes on a simulated body, as a task has them."""
from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....simulate import Body, Physics, Reading
from ....task import Push
from ...shared.disturbances import link_at

Array = NDArray[np.float64]

Acting = tuple[Array, Array]          # a force (3,) N and where it acts, (3,) m

RISES = 0.25          # of a push's time, over which it rises, and falls


class Shoves:
    """Brings the pushes of a task onto a body in time.

    Raises:
        TaskError: a push acts at a part that the body does not have.
    """

    def __init__(self, pushes: tuple[Push, ...], body: Body, physics: Physics) -> None:
        self._character, self._physics, self._model = body.character, physics, body.model
        self.data = mujoco.MjData(body.model.mujoco)          # scratch
        self._pushes = [(push, link_at(body.character, push.at)) for push in pushes]

    def add(self, push: Push) -> None:
        """One more, at its time.

        Raises:
            TaskError: it acts at a part that the body does not have.
        """
        self._pushes.append((push, link_at(self._character, push.at)))

    def at(self, time: float, seconds: float, now: Reading) -> list[Acting]:
        """Push for the next `seconds`; returns what then acts."""
        acting = []
        for push, link in self._pushes:
            share = _share((time + 0.5 * seconds - push.time) / push.seconds)
            if share <= 0:
                continue
            force = share * np.asarray(push.force)
            body, place = self._place(now, link)
            self._physics.push(link or 0, force, seconds, self.data.xmat[body].reshape(3, 3).T @ (place - self.data.xpos[body]))
            acting.append((force, place))
        return acting

    def _place(self, now: Reading, link: int | None) -> tuple[int, Array]:
        """Number of the body in the model that is pushed, and where (3,): a link's own centre of mass or that of all."""
        self.data.qpos[:] = now.pose
        mujoco.mj_kinematics(self._model.mujoco, self.data)
        body = int(self._model.links[link or 0])
        return body, now.com if link is None else self.data.xipos[body].copy()


def summed(com: Array, acting: list[Acting]) -> Acting:
    """The sum of forces, and a point where it does to a body with its centre of mass at (3,) what they do."""
    total, torque = np.zeros(3), np.zeros(3)
    for force, place in acting:
        total += force
        torque += np.cross(place - com, force)
    size = float(total @ total)
    return total, com + np.cross(total, torque) / size if size > 1e-9 else np.zeros(3)


def _share(part: float) -> float:
    """Of its height, at a part of its time: it rises, stays and falls."""
    return float(np.clip(min(part, 1 - part) / RISES, 0.0, 1.0))
