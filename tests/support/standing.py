"""A simulated body kept over its feet by a set point of its centre of mass: what several tests do with it."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from footfall.core.simulate import Body, Controller, MujocoPhysics, Physics, Reference, SimulatedModel, State, SwingTarget
from numpy.typing import NDArray

Array = NDArray[np.float64]
Path = Callable[[float], Array]

STEP = 0.004          # s
STIFF = 100.0         # 1/s^2


class Standing:
    """A body, its physics and its controller.

    Args:
        pose: in which it begins, (nq,).
        physics: makes the engine that moves it.
    """

    def __init__(self, body: Body, pose: Array | None = None,
                 physics: Callable[[SimulatedModel], Physics] = MujocoPhysics) -> None:
        self.body, self.physics, self.controller = body, physics(body.model), Controller(body)
        self.state = self.physics.reset(body.rest if pose is None else pose)
        now = body.read(self.state)
        self.over = np.array([*now.feet.place[:, :2].mean(0), now.com[2]])       # (3,) above the middle of the feet
        self.legs = tuple(range(len(body.character.legs)))
        self.off: list[float] = []                                               # m that the centre of mass missed its path by

    def run(self, seconds: float, path: Path | None = None, heading: float = 0.0,
            stance: Callable[[float, State], tuple[int, ...]] | None = None,
            swing: Callable[[float, State], SwingTarget | None] | None = None, rolls: tuple[int, ...] = ()) -> None:
        """Follow a path of the centre of mass, standing still without one, until it is over or the body falls.

        Args:
            stance, swing: legs that stand, and what the other does, at a time and state; without them all legs stand.
        """
        end, h = self.state.time + seconds, 1e-3
        place = path if path is not None else lambda _: self.over
        while self.state.time < end - 1e-9 and not self.state.trouble:
            t, now = self.state.time, self.body.read(self.state)
            at, before, after = place(t), place(t - h), place(t + h)
            wanted = (after - 2 * at + before) / h**2 + STIFF * (at - now.com)
            wanted += 2 * np.sqrt(STIFF) * ((after - before) / (2 * h) - now.com_velocity)
            turn = 100.0 * (heading - now.heading) - 20.0 * now.heading_rate
            standing = stance(t, self.state) if stance else self.legs
            reference = Reference(wanted, turn, heading, standing, swing(t, self.state) if swing else None, rolls)
            torques = self.controller.torques(self.state, reference, now)
            assert torques.feasible
            self.off.append(float(np.linalg.norm(now.com - at)))
            self.state = self.physics.step(torques.values, STEP)
