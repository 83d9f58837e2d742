"""Balls that are thrown at a simulated body: how they fly, how it sees them, and what
they do when they hit it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....simulate import BodyState, Physics, SimulatedBody
from ....slip import command
from ....task import Projectile, Task
from ...shared.disturbances import find_pushed_link
from .hit_test import HitShape
from .pushes import AppliedForce

Array = NDArray[np.float64]

BALL_CLEARANCE = 0.3  # m that the centre of mass keeps from a ball's surface
MAX_WARNING_TIME = 1.5  # s before it arrives that a ball is seen at most: longer than a preview
# s before it arrives, from which on there is no getting out of its way any more
MIN_DODGE_TIME = 0.2
MIN_THREAT_HEIGHT = 0.3  # m above the ground, below which a ball goes by the feet
HEAD_CLEARANCE = 0.2  # m above the head, over which it goes by


@dataclass
class _Ball:
    """One in the air, or not thrown as yet."""

    projectile: Projectile
    place: Array | None = None  # (3,) m
    velocity: Array | None = None  # (3,) m/s
    nearest_distance: float = np.inf  # m that it has come to head and trunk
    hit_link: str = ""  # what it has hit
    hit_time: float = 0.0  # s, and when
    is_grounded: bool = False  # on the ground


class Projectiles:
    """The projectiles of a task.

    Raises:
        TaskError: one is aimed at a part that the body does not have.
    """

    def __init__(self, task: Task, body: SimulatedBody, physics: Physics) -> None:
        for projectile in task.projectiles:
            find_pushed_link(body.character, projectile.body_part)
        self._task = task
        self._character = body.character
        self._physics = physics
        self._balls = [_Ball(projectile) for projectile in task.projectiles]
        self.hit_shape = HitShape(body)

    def apply(self, time: float, seconds: float, now: BodyState) -> list[AppliedForce]:
        """Throw what is due, and let all fly on for the next `seconds`;
        returns what then acts on the body.
        """
        applied: list[AppliedForce] = []
        due = [ball for ball in self._balls if time >= 0 and ball.projectile.time < time + seconds]
        flying = [ball for ball in due if not ball.is_grounded]
        if flying:
            self.hit_shape.set_state(now)
        for ball in flying:
            if ball.place is None:
                self._throw(ball, now)
            hit = self._fly(ball, time, seconds, now)
            if hit is not None:
                applied.append(hit)
        return applied

    def find_threat(self, now: BodyState) -> command.IncomingProjectile | None:
        """The next one that will come near, as a preview knows it: at the height of the centre of
        mass, since all of the body is to get out of its way."""
        threats: list[tuple[float, command.IncomingProjectile]] = []
        for ball in self._balls:
            if (
                ball.place is None
                or ball.velocity is None
                or not ball.projectile.is_visible
                or ball.hit_link
                or ball.is_grounded
            ):
                continue
            offset = (ball.place - now.com)[:2]
            closing = (ball.velocity - now.com_velocity)[:2]
            arrival_time = -float(offset @ closing) / max(float(closing @ closing), 1e-12)
            height = float(
                ball.place[2]
                + ball.velocity[2] * arrival_time
                - 0.5 * self._task.gravity * arrival_time**2
            )
            ground = float(np.nan_to_num(self._task.ground.sample_heights(now.com[:2])))
            if (
                MIN_DODGE_TIME < arrival_time < MAX_WARNING_TIME
                and ground + MIN_THREAT_HEIGHT < height < self.hit_shape.top_height + HEAD_CLEARANCE
            ):
                level = np.array([*ball.place[:2], now.com[2]]), np.array([*ball.velocity[:2], 0.0])
                threats.append(
                    (
                        arrival_time,
                        command.IncomingProjectile(
                            *level, ball.projectile.radius + BALL_CLEARANCE, needs_side_pass=True
                        ),
                    )
                )
        return min(threats, key=lambda entry: entry[0])[1] if threats else None

    def make_notes(self, time_unit: float) -> tuple[str, ...]:
        """A note for each one that hit.

        Args:
            time_unit: s of the clip for one of the simulation's.
        """
        return tuple(
            (
                f"the ball thrown at {ball.projectile.time * time_unit:.2f} s hits "
                f"{ball.hit_link} at {ball.hit_time * time_unit:.2f} s"
            )
            for ball in self._balls
            if ball.hit_link
        )

    @property
    def nearest_distances(self) -> list[float]:
        """How near each one has come to head and trunk, m; 0 and less for hits."""
        return [ball.nearest_distance for ball in self._balls]

    def _throw(self, ball: _Ball, now: BodyState) -> None:
        """So that it meets its part, if that goes on as the centre of mass does."""
        projectile = ball.projectile
        target_velocity = now.com_velocity * (1, 1, 0)
        part_place = self.hit_shape.locate_part(projectile.body_part, now)
        if projectile.launch_position is None:
            flight_time = projectile.distance / projectile.speed
            meeting_point = part_place + flight_time * target_velocity
            ball.place = meeting_point + projectile.distance * np.array(
                [np.cos(projectile.direction), np.sin(projectile.direction), 0.0]
            )
        else:
            ball.place = np.array(projectile.launch_position)
            flight_time = _compute_flight_time(
                (part_place - ball.place)[:2], target_velocity[:2], projectile.speed
            )
            meeting_point = part_place + flight_time * target_velocity
        ball.velocity = (meeting_point - ball.place) / flight_time + np.array(
            [0.0, 0.0, 0.5 * self._task.gravity * flight_time]
        )

    def _fly(self, ball: _Ball, time: float, seconds: float, now: BodyState) -> AppliedForce | None:
        """On by some time, off what is in its way; the push that it is to that.
        A ball that comes to the ground is gone.
        """
        assert ball.place is not None
        assert ball.velocity is not None
        projectile = ball.projectile
        place = (
            ball.place + seconds * ball.velocity - [0.0, 0.0, 0.5 * self._task.gravity * seconds**2]
        )
        ball.nearest_distance = min(
            ball.nearest_distance, self.hit_shape.measure_gap(ball.place, place, projectile.radius)
        )
        hit = self.hit_shape.find_hit(ball.place, place, projectile.radius, now)
        ball.place, ball.velocity = place, ball.velocity - [0.0, 0.0, self._task.gravity * seconds]
        if (
            place[2]
            < np.nan_to_num(self._task.ground.sample_heights(place[:2]), nan=-np.inf)
            + projectile.radius
        ):
            ball.is_grounded = True
        if hit is None:
            return None
        closing = float(hit.normal @ (hit.velocity - ball.velocity))
        if closing <= 0:
            return None
        impulse = (1 + projectile.restitution) * closing / (1 / projectile.mass + hit.mobility)
        ball.velocity = ball.velocity + impulse / projectile.mass * hit.normal
        force = -impulse / seconds * hit.normal
        self._physics.push(hit.link, force, seconds, hit.local)
        if not ball.hit_link:
            ball.hit_link = self._character.links[hit.link].name
            ball.hit_time = time
        return force, hit.place


def _compute_flight_time(offset: Array, target_velocity: Array, speed: float) -> float:
    """s that a ball of a speed flies to what is (2,) m away and moves at (2,) m/s;
    as if it stood where it is too fast.
    """
    speed_margin = speed**2 - float(target_velocity @ target_velocity)
    if speed_margin <= 0.1 * speed**2:
        return max(float(np.linalg.norm(offset)) / speed, 1e-3)
    half = float(offset @ target_velocity) / speed_margin
    return max(half + float(np.sqrt(half**2 + float(offset @ offset) / speed_margin)), 1e-3)
