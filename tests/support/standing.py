"""A simulated body that balances by tracking a target of its center of mass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from footfall.core.simulate import (
    Controller,
    ControlReference,
    MujocoPhysics,
    Physics,
    PhysicsState,
    SimulatedBody,
    SimulatedModel,
    SwingTarget,
)
from numpy.typing import NDArray

Array = NDArray[np.float64]
Path = Callable[[float], Array]

TIME_STEP = 0.004  # [s]
STIFFNESS = 100.0  # [1/s^2]


class StandingBody:
    """A body, its physics and its controller.

    Args:
        pose: initial pose, (nq,); by default the rest pose.
        physics: constructor of the physics engine.
    """

    def __init__(
        self,
        body: SimulatedBody,
        pose: Array | None = None,
        physics: Callable[[SimulatedModel], Physics] = MujocoPhysics,
    ) -> None:
        self.body = body
        self.physics = physics(body.model)
        self.controller = Controller(body)
        self.state = self.physics.reset(body.rest_pose if pose is None else pose)
        body_state = body.compute_state(self.state)
        # (3,) [m] above the center of the feet
        self.com_target = np.array(
            [*body_state.foot_frames.place[:, :2].mean(0), body_state.com[2]]
        )
        self.legs = tuple(range(len(body.character.legs)))
        self.com_errors: list[float] = []  # distances of the center of mass from its target [m]

    def run(
        self,
        seconds: float,
        path: Path | None = None,
        heading: float = 0.0,
        stance: Callable[[float, PhysicsState], tuple[int, ...]] | None = None,
        swing: Callable[[float, PhysicsState], SwingTarget | None] | None = None,
        rolling_legs: tuple[int, ...] = (),
    ) -> None:
        """Track a target of the center of mass for a time [s] or until the simulation fails.

        Args:
            path: target over time; by default the initial position.
            heading: target of the heading [rad].
            stance: legs in stance at a time and state; by default all.
            swing: target of the swing leg at a time and state; by default none.
        """
        end = self.state.time + seconds
        h = 1e-3
        com_path = path if path is not None else lambda _: self.com_target
        while self.state.time < end - 1e-9 and not self.state.trouble:
            t = self.state.time
            body_state = self.body.compute_state(self.state)
            target = com_path(t)
            before = com_path(t - h)
            after = com_path(t + h)
            acceleration = (after - 2 * target + before) / h**2 + STIFFNESS * (
                target - body_state.com
            )
            acceleration += (
                2 * np.sqrt(STIFFNESS) * ((after - before) / (2 * h) - body_state.com_velocity)
            )
            yaw_acceleration = (
                100.0 * (heading - body_state.heading) - 20.0 * body_state.heading_rate
            )
            stance_legs = stance(t, self.state) if stance else self.legs
            reference = ControlReference(
                acceleration,
                yaw_acceleration,
                heading,
                stance_legs,
                swing(t, self.state) if swing else None,
                rolling_legs,
            )
            torques = self.controller.compute_torques(self.state, reference, body_state)
            assert torques.is_feasible
            self.com_errors.append(float(np.linalg.norm(body_state.com - target)))
            self.state = self.physics.step(torques.torques, TIME_STEP)
