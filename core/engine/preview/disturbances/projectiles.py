"""Balls thrown at a simulated body: their flight, when the body sees them, and their collisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....simulate import BodyState, Physics, SimulatedBody
from ....slip.command import IncomingProjectile, StepGoal
from ....task import Projectile, Task
from ...shared.disturbances import find_pushed_link
from ..goal_modifiers import GoalView
from .hit_test import BallHit, HitShape
from .pushes import AppliedForce

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DodgeParameters:
    """Which balls a body dodges, described in docs/dev/preview-engine.md."""

    # Distance of the center of mass from the surface of a ball [m]: a human trunk, whose shoulders
    # are 0.2 m aside, and some more for arms.
    clearance: float = 0.3
    # Longest time before its arrival at which a ball is seen [s]; previews are shorter.
    max_warning_time: float = 1.5
    # Time before its arrival from which a ball is no longer dodged [s]. tuned: bodies that dodged
    # later fell over balls that would not have felled them
    min_dodge_time: float = 0.2
    # Height above the ground below which a ball passes at the feet [m], which do not move aside
    # with the center of mass.
    min_threat_height: float = 0.3
    # Height above the head over which a ball passes [m], so that the rise of the body in a step
    # does not lift the head into it.
    head_clearance: float = 0.2


DODGE = DodgeParameters()

# Smallest difference of the squared speeds of ball and target, relative to the ball's [1].
MIN_SPEED_MARGIN = 0.1
# Shortest time of flight [s]. Numerical: the speed of a throw is divided by it, as by the margin
# above.
MIN_FLIGHT_TIME = 1e-3


@dataclass
class _Ball:
    """A projectile and its flight.

    Attributes:
        place: (3,) center [m]; None before it is thrown.
        velocity: (3,) velocity [m/s]; None before it is thrown.
        nearest_distance: least distance from head and trunk [m].
        hit_link: name of the link that it hit first; empty before.
        hit_time: time of the clip at which it did [s].
        is_grounded: whether it has reached the ground, which ends its flight.
    """

    projectile: Projectile
    place: Array | None = None
    velocity: Array | None = None
    nearest_distance: float = np.inf
    hit_link: str = ""
    hit_time: float = 0.0
    is_grounded: bool = False


@dataclass(frozen=True)
class _Arrival:
    """Closest approach of a ball to the center of mass, seen from above.

    Attributes:
        time: time until then [s].
        height: height of the ball then [m].
    """

    time: float
    height: float


class Projectiles:
    """The projectiles of a task.

    Args:
        task: task with the projectiles, the ground and the gravity.
        body: body at which they are thrown.
        physics: physics engine that it moves in.

    Raises:
        TaskError: a projectile is aimed at a part that the body does not have.
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
        """Advance all balls, push the body where they hit it, and return the forces.

        Args:
            time: current time of the clip [s].
            seconds: duration by which the balls advance [s].
            now: current state of the body.
        """
        applied: list[AppliedForce] = []
        due = [ball for ball in self._balls if time >= 0 and ball.projectile.time < time + seconds]
        flying = [ball for ball in due if not ball.is_grounded]
        if flying:
            self.hit_shape.set_state(now)
        for ball in flying:
            if ball.place is None:
                self._throw(ball, now)
            hit = self._advance_flight(ball, seconds, now)
            force = None if hit is None else self._collide(ball, hit, time, seconds)
            if force is not None:
                applied.append(force)
        return applied

    def modify_goal(self, step_goal: StepGoal, view: GoalView) -> StepGoal:
        """Return the goal with the ball that the body dodges, if any."""
        return replace(step_goal, projectile=self.find_threat(view.body))

    def find_threat(self, now: BodyState) -> IncomingProjectile | None:
        """Return the visible ball that arrives first among those to be dodged, if any.

        It is returned as a horizontal flight at the height of the center of mass, since the whole
        body has to leave its path.
        """
        next_arrival = np.inf
        threat = None
        for ball in self._balls:
            if (
                ball.place is None
                or ball.velocity is None
                or not ball.projectile.is_visible
                or ball.hit_link
                or ball.is_grounded
            ):
                continue
            arrival = self._predict_arrival(ball.place, ball.velocity, now)
            if arrival.time < next_arrival and self._is_threat(arrival, now):
                next_arrival = arrival.time
                threat = IncomingProjectile(
                    np.array([*ball.place[:2], now.com[2]]),
                    np.array([*ball.velocity[:2], 0.0]),
                    ball.projectile.radius + DODGE.clearance,
                    needs_side_pass=True,
                )
        return threat

    def make_notes(self, time_unit: float) -> tuple[str, ...]:
        """Return a note for each ball that hit the body.

        Args:
            time_unit: duration in the clip of one second of the simulation [s].
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
        """Least distance of each ball from head and trunk [m], not positive for a hit."""
        return [ball.nearest_distance for ball in self._balls]

    def _predict_arrival(self, place: Array, velocity: Array, now: BodyState) -> _Arrival:
        """Return when a ball is closest to the body, if both keep their horizontal velocities."""
        offset = (place - now.com)[:2]
        closing = (velocity - now.com_velocity)[:2]
        time = -float(offset @ closing) / max(float(closing @ closing), 1e-12)
        height = float(place[2] + velocity[2] * time - 0.5 * self._task.gravity * time**2)
        return _Arrival(time, height)

    def _is_threat(self, arrival: _Arrival, now: BodyState) -> bool:
        """Return whether a ball arrives at the height of the body, and neither early nor late."""
        ground = float(np.nan_to_num(self._task.ground.sample_heights(now.com[:2])))
        max_height = self.hit_shape.top_height + DODGE.head_clearance
        return (
            DODGE.min_dodge_time < arrival.time < DODGE.max_warning_time
            and ground + DODGE.min_threat_height < arrival.height < max_height
        )

    def _throw(self, ball: _Ball, now: BodyState) -> None:
        """Launch a ball so that it meets its target, which moves with the center of mass."""
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

    def _advance_flight(self, ball: _Ball, seconds: float, now: BodyState) -> BallHit | None:
        """Move a ball along its parabola, and return its first contact."""
        assert ball.place is not None
        assert ball.velocity is not None
        radius = ball.projectile.radius
        gravity = self._task.gravity
        place = ball.place + seconds * ball.velocity - [0.0, 0.0, 0.5 * gravity * seconds**2]
        ball.nearest_distance = min(
            ball.nearest_distance, self.hit_shape.measure_gap(ball.place, place, radius)
        )
        hit = self.hit_shape.find_hit(ball.place, place, radius, now)
        ball.place = place
        ball.velocity = ball.velocity - [0.0, 0.0, gravity * seconds]
        ground = np.nan_to_num(self._task.ground.sample_heights(place[:2]), nan=-np.inf)
        if place[2] < ground + radius:
            ball.is_grounded = True
        return hit

    def _collide(
        self, ball: _Ball, hit: BallHit, time: float, seconds: float
    ) -> AppliedForce | None:
        """Let a ball bounce off a link, and return the force on the link.

        The force acts for `seconds`. There is none where ball and link already separate.
        """
        assert ball.velocity is not None
        projectile = ball.projectile
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
        return AppliedForce(force, hit.place)


def _compute_flight_time(offset: Array, target_velocity: Array, speed: float) -> float:
    """Return the time in which a ball reaches a moving target [s].

    A target that is about as fast as the ball counts as standing still.

    Args:
        offset: (2,) horizontal position of the target relative to the ball [m].
        target_velocity: (2,) horizontal velocity of the target [m/s].
        speed: horizontal speed of the ball [m/s].
    """
    speed_margin = speed**2 - float(target_velocity @ target_velocity)
    if speed_margin <= MIN_SPEED_MARGIN * speed**2:
        return max(float(np.linalg.norm(offset)) / speed, MIN_FLIGHT_TIME)
    half = float(offset @ target_velocity) / speed_margin
    return max(
        half + float(np.sqrt(half**2 + float(offset @ offset) / speed_margin)), MIN_FLIGHT_TIME
    )
