"""Balls that are thrown at a simulated body: how they fly, how it sees them, and what they do when they hit it."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....simulate import Body, Physics, Reading
from ....slip import command
from ....task import Projectile, Task
from ...shared.disturbances import link_at
from .hit_test import Target
from .pushes import Acting

Array = NDArray[np.float64]

BERTH = 0.3           # m that the centre of mass keeps from a ball's surface
AHEAD = 1.5           # s before it arrives that a ball is seen at most: longer than a preview
NEAR = 0.2            # s before it arrives, from which on there is no getting out of its way any more
LOW = 0.3             # m above the ground, below which a ball goes by the feet
OVER = 0.2            # m above the head, over which it goes by


@dataclass
class _Ball:
    """One in the air, or not thrown as yet."""

    asked: Projectile
    place: Array | None = None            # (3,) m
    velocity: Array | None = None         # (3,) m/s
    nearest: float = np.inf               # m that it has come to head and trunk
    met: str = ""                         # what it has hit
    when: float = 0.0                     # s, and when
    gone: bool = False                    # on the ground


class Throws:
    """The projectiles of a task.

    Raises:
        TaskError: one is aimed at a part that the body does not have.
    """

    def __init__(self, task: Task, body: Body, physics: Physics) -> None:
        for projectile in task.projectiles:
            link_at(body.character, projectile.at)
        self._task, self._character, self._physics = task, body.character, physics
        self._balls = [_Ball(projectile) for projectile in task.projectiles]
        self.target = Target(body)

    def at(self, time: float, seconds: float, now: Reading) -> list[Acting]:
        """Throw what is due, and let all fly on for the next `seconds`; returns what then acts on the body."""
        acting: list[Acting] = []
        due = [ball for ball in self._balls if time >= 0 and ball.asked.time < time + seconds]
        flying = [ball for ball in due if not ball.gone]
        if flying:
            self.target.put(now)
        for ball in flying:
            if ball.place is None:
                self._throw(ball, now)
            hit = self._fly(ball, time, seconds, now)
            if hit is not None:
                acting.append(hit)
        return acting

    def seen(self, now: Reading) -> command.Projectile | None:
        """The next one that will come near, as a preview knows it: at the height of the centre of mass, since all of the body is to
        get out of its way."""
        found: list[tuple[float, command.Projectile]] = []
        for ball in self._balls:
            if ball.place is None or ball.velocity is None or not ball.asked.seen or ball.met or ball.gone:
                continue
            away, closing = (ball.place - now.com)[:2], (ball.velocity - now.com_velocity)[:2]
            arrives = -float(away @ closing) / max(float(closing @ closing), 1e-12)
            height = float(ball.place[2] + ball.velocity[2] * arrives - 0.5 * self._task.gravity * arrives**2)
            ground = float(np.nan_to_num(self._task.ground.height(now.com[:2])))
            if NEAR < arrives < AHEAD and ground + LOW < height < self.target.top + OVER:
                level = np.array([*ball.place[:2], now.com[2]]), np.array([*ball.velocity[:2], 0.0])
                found.append((arrives, command.Projectile(*level, ball.asked.radius + BERTH, beside=True)))
        return min(found, key=lambda entry: entry[0])[1] if found else None

    def told(self, unit: float) -> tuple[str, ...]:
        """A note for each one that hit.

        Args:
            unit: s of the clip for one of the simulation's.
        """
        return tuple(f"the ball thrown at {ball.asked.time * unit:.2f} s hits {ball.met} at {ball.when * unit:.2f} s"
                     for ball in self._balls if ball.met)

    @property
    def nearest(self) -> list[float]:
        """How near each one has come to head and trunk, m; 0 and less for hits."""
        return [ball.nearest for ball in self._balls]

    def _throw(self, ball: _Ball, now: Reading) -> None:
        """So that it meets its part, if that goes on as the centre of mass does."""
        asked, moves = ball.asked, now.com_velocity * (1, 1, 0)
        part = self.target.part(asked.at, now)
        if asked.place is None:
            flies = asked.distance / asked.speed
            met = part + flies * moves
            ball.place = met + asked.distance * np.array([np.cos(asked.direction), np.sin(asked.direction), 0.0])
        else:
            ball.place = np.array(asked.place)
            flies = _flight((part - ball.place)[:2], moves[:2], asked.speed)
            met = part + flies * moves
        ball.velocity = (met - ball.place) / flies + np.array([0.0, 0.0, 0.5 * self._task.gravity * flies])

    def _fly(self, ball: _Ball, time: float, seconds: float, now: Reading) -> Acting | None:
        """On by some time, off what is in its way; the push that it is to that. A ball that comes to the ground is gone."""
        assert ball.place is not None
        assert ball.velocity is not None
        asked = ball.asked
        place = ball.place + seconds * ball.velocity - [0.0, 0.0, 0.5 * self._task.gravity * seconds**2]
        ball.nearest = min(ball.nearest, self.target.gap(ball.place, place, asked.radius))
        meeting = self.target.meeting(ball.place, place, asked.radius, now)
        ball.place, ball.velocity = place, ball.velocity - [0.0, 0.0, self._task.gravity * seconds]
        if place[2] < np.nan_to_num(self._task.ground.height(place[:2]), nan=-np.inf) + asked.radius:
            ball.gone = True
        if meeting is None:
            return None
        closing = float(meeting.normal @ (meeting.velocity - ball.velocity))
        if closing <= 0:
            return None
        impulse = (1 + asked.restitution) * closing / (1 / asked.mass + meeting.mobility)
        ball.velocity = ball.velocity + impulse / asked.mass * meeting.normal
        force = -impulse / seconds * meeting.normal
        self._physics.push(meeting.link, force, seconds, meeting.local)
        if not ball.met:
            ball.met, ball.when = self._character.links[meeting.link].name, time
        return force, meeting.place


def _flight(away: Array, moves: Array, speed: float) -> float:
    """s that a ball of a speed flies to what is (2,) m away and moves at (2,) m/s; as if it stood where it is too fast."""
    gains = speed**2 - float(moves @ moves)
    if gains <= 0.1 * speed**2:
        return max(float(np.linalg.norm(away)) / speed, 1e-3)
    half = float(away @ moves) / gains
    return max(half + float(np.sqrt(half**2 + float(away @ away) / gains)), 1e-3)
