"""Where the body is to be at what time: the path walked off at the speed asked for, and the pendulum led along it."""
from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...geometry import so3
from ...task import Task
from ...task.facing_offset import FASTEST
from ...terrain.ground import Flat, fit_slope
from .pendulum import Pendulum, PendulumPath
from .smoothing import eased

Array = NDArray[np.float64]

PULL = 0.9           # rate at which the pendulum is drawn back to its path, 1/s
BRAKING = 0.10       # deceleration before the end of the path, as a share of gravity
SIDEWAYS = 0.22      # acceleration in a turn, as a share of gravity, that speed is reduced to
GATHERING = 0.25     # acceleration, as a share of gravity, that a change of speed is held to
SLOWING = 0.25       # the same when it slows down
STATION = 0.1        # leg lengths between places at which the speed is capped
SPEEDS = 40          # speeds tried at each of them
LOWERED = 0.25       # share of the speed asked for that is worth a note when it is missing
STILL = 0.6           # s that a body stands before it sets off: it must first bring its weight over one foot
SIDEWARDS, BACKWARD = 0.25, 0.4       # v / sqrt(g l) that a body goes sidewards and backward at most
ROLLING_ASIDE = 0.3   # share of its usual roll that a foot has sidewards: its heel leaves first
ROLLING_BACK = 0.4    # the same backward, where it lands on its toes
EASE = 0.6           # s over which a change of speed is spread
TURN = 1.0           # s over which a change of direction is spread


@dataclass(frozen=True)
class Course:
    """The wish over time, and what the pendulum makes of it. Arrays over equally spaced moments."""

    time: Array          # (n,) s
    distance: Array      # (n,) along the path, m
    speed: Array         # (n,) asked for along the ground, m/s
    goal: Array          # (n, 2) horizontal velocity asked for, m/s
    facing: Array        # (n,) heading of the body, rad
    slope: Array         # (n,) steepness of the ground, rise over run, 0 or more
    onward: Array        # (n,) speed at which the body goes the way that it faces, m/s
    pace: Array          # (n,) speed that steps keep up with, m/s
    pendulum: PendulumPath
    turned: Array        # (n,) of the facing to the left of the way, rad
    off: Array | None = None      # (n,) by how much a push has the body go otherwise than it would, m/s; None where there was none
    notes: tuple[str, ...] = ()

    def turned_at(self, times: ArrayLike) -> Array:
        """Of the facing to the left of the way at any times, rad. (...,) -> (...,)."""
        return np.asarray(np.interp(np.asarray(times, float), self.time, self.turned))

    def rolling(self, times: Array) -> Array:
        """Share of its usual roll between heel and toes that a foot has at times (...,): less sidewards and backward. (...,)."""
        onward = np.cos(self.turned_at(times))
        return np.asarray(ROLLING_ASIDE + (np.where(onward < 0, ROLLING_BACK, 1.0) - ROLLING_ASIDE) * onward**2)


def plan_course(task: Task, pendulum: Pendulum, leg_length: float, duration: float) -> Course:
    """Lead a pendulum along the task's path.

    The distance along the path follows from the speed alone, which is reduced in tight turns and before the path's end; on
    a slope the horizontal speed is the one asked for times the cosine of the slope (appendix B). The pendulum is given the
    wish ahead of time by its own lag and is drawn back to the path by its error.
    """
    dt, ahead = pendulum.dt, int(round(pendulum.lag / pendulum.dt))
    n = int(np.ceil(duration / dt)) + 1
    k = np.arange(-ahead, n + 2 * ahead, dtype=float)
    turned = eased(np.radians(task.turned.at(k * dt)), dt, EASE)
    distance, speed, cosine = _walked(task, k * dt, dt, ahead, leg_length, turned)
    heading = eased(task.path.heading(distance), dt, TURN)
    if task.facing is not None:
        turned = turned + eased(task.facing.turned(task.path, distance), dt, TURN)
    goal = (speed * cosine)[:, None] * np.stack([np.cos(heading), np.sin(heading)], -1)
    led = _lead(task, pendulum, distance[ahead:], goal[ahead:], n, ahead)
    now = slice(ahead, ahead + n)
    lowered = speed[now] < (1 - LOWERED) * task.speed.at(k[now] * dt)
    ends = task.stop_at_end & (distance[now] > task.path.length - 0.5 * speed[now].max() ** 2 / (BRAKING * task.gravity))
    return Course(k[now] * dt, distance[now], speed[now], goal[now], _facing(heading[now], led, speed[now]) + turned[now],
                  np.sqrt(np.maximum(cosine[now] ** -2 - 1, 0.0)), speed[now], speed[now], led, turned[now],
                  notes=_told(k[now] * dt, lowered & ~ends, task.seconds))


def distance_gone(task: Task, leg_length: float, dt: float) -> float:
    """How far along its path a body that goes by a task is when the clip ends, m."""
    times = dt * np.arange(np.ceil(task.seconds / dt) + 1, dtype=float)
    turned = eased(np.radians(task.turned.at(times)), dt, EASE)
    return float(np.interp(task.seconds, times, _walked(task, times, dt, 0, leg_length, turned)[0]))


def _walked(task: Task, times: Array, dt: float, start: int, leg_length: float, turned: Array) -> tuple[Array, Array, Array]:
    """Distances along the path, speeds and slope cosines at even times, of which the one at `start` is 0."""
    wished = np.minimum(task.speed.at(times), _fastest(turned, sqrt(task.gravity * leg_length)))
    if task.start == "standing":
        wished = wished * np.clip(times - STILL, 0, 1)
    rise, fall = GATHERING * task.gravity * dt, SLOWING * task.gravity * dt
    wished = eased(_within_rates(wished, rise, fall), dt, EASE)
    return _walk_off(task, wished, dt, start, leg_length, rise)


def _fastest(turned: Array, unit: float) -> Array:
    """Speed that feet can keep up with where the body is turned away from its way, m/s. (n,) -> (n,)."""
    aside, back = np.abs(np.sin(turned)) / SIDEWARDS, np.maximum(-np.cos(turned), 0) / BACKWARD
    return unit / np.maximum(aside + back, 1e-3)


def _told(time: Array, lowered: NDArray[np.bool_], seconds: float) -> tuple[str, ...]:
    """What the user should know of a speed that was not kept."""
    within = lowered & (time > EASE) & (time <= seconds)
    if within.sum() * (time[1] - time[0]) < 2 * EASE:
        return ()
    share = within.sum() * (time[1] - time[0]) / seconds
    return (f"the speed was lowered for {100 * share:.0f} % of the clip, where the path turns or the speed was to change faster "
            "than legs can, or the body faces away from it; make the turns wider or the speed lower",)


def _within_rates(speed: Array, rise: float, fall: float) -> Array:
    """The highest speeds, none above those given, that rise and fall by no more than so much a sample. (n,)."""
    k = np.arange(len(speed))
    risen = np.minimum.accumulate(speed - rise * k) + rise * k
    return (np.minimum.accumulate((risen + fall * k)[::-1])[::-1]) - fall * k


def _walk_off(task: Task, wished: Array, dt: float, start: int, leg_length: float, rise: float) -> tuple[Array, Array, Array]:
    """Distances, speeds and slope cosines of a walk along the path that is at 0 at the sample `start`."""
    stations, cosines = _slope_cosines(task, leg_length)
    places, caps = _caps(task, float(wished.max()), leg_length)
    distance, cosine, speed = np.zeros(len(wished)), np.ones(len(wished)), wished.copy()
    brake = 2 * BRAKING * task.gravity
    at, before = 0.0, np.inf
    for k in range(start, len(wished)):
        before = min(float(wished[k]), float(np.interp(at, places, caps)), before + rise)
        if task.stop_at_end:
            before = min(before, sqrt(brake * max(task.path.length - at, 0.0)))
        if len(stations) > 1:
            cosine[k] = np.interp(at, stations, cosines)
        distance[k], speed[k] = at, before
        at += before * float(cosine[k]) * dt
    distance[:start] = -(start - np.arange(start)) * speed[:start] * dt
    return distance, speed, cosine


def _caps(task: Task, top: float, leg_length: float) -> tuple[Array, Array]:
    """Places along the path and the highest speeds there, so that no turn asks for more sideways acceleration than allowed.

    A turn by an angle is spread over a time, within which its rate rises to 1.5 times the mean. How far ahead it begins goes
    with the speed, so every speed is tried. Before a turn the body slows down in time. The same holds where the path tells
    which way the body faces: it turns, and goes sidewards and backward, no faster than feet can follow.
    """
    places = np.arange(0.0, task.path.length + leg_length, STATION * leg_length)
    speed = np.linspace(0, max(top, 1e-3), SPEEDS)[1:, None]
    reach = 0.5 * speed * TURN
    turned = np.abs(task.path.heading(places + reach) - task.path.heading(places - reach))          # (speeds, places)
    too_fast = 1.5 * turned / TURN * speed > SIDEWAYS * task.gravity
    if task.facing is not None:
        before, there, after = (task.facing.turned(task.path, places + far) for far in (-reach, 0 * reach, reach))
        too_fast |= 1.5 * np.abs(after - before) / TURN > np.radians(FASTEST)
        too_fast |= speed > _fastest(0.25 * before + 0.5 * there + 0.25 * after, sqrt(task.gravity * leg_length))
    caps = np.where(too_fast, speed * (1 - 1 / SPEEDS), speed[-1]).min(0)
    slowing = 2 * SLOWING * task.gravity * places
    return places, np.sqrt(np.minimum.accumulate((caps**2 + slowing)[::-1])[::-1] - slowing)


def _slope_cosines(task: Task, leg_length: float) -> tuple[Array, Array]:
    """Places along the path and the cosine of the ground's inclination there."""
    if isinstance(task.ground, Flat):
        return np.zeros(1), np.ones(1)
    stations = np.arange(0.0, task.path.length + leg_length, 0.5 * leg_length)
    # from points beside and along the path around each place (appendix B)
    along = (stations[:, None] + leg_length * np.linspace(-0.5, 1.0, 7)).ravel()
    line, heading = task.path.position(along), task.path.heading(along)
    side = 0.2 * np.stack([-np.sin(heading), np.cos(heading)], -1)
    xy = np.stack([line - side, line, line + side]).reshape(3, len(stations), 7, 2).swapaxes(0, 1).reshape(len(stations), -1, 2)
    gradients = np.array([fit_slope(*around, noise=0.1).gradient for around in zip(xy, task.ground.height(xy), strict=True)])
    heading = task.path.heading(stations)
    rise = (gradients * np.stack([np.cos(heading), np.sin(heading)], -1)).sum(1)
    return stations, 1 / np.sqrt(1 + rise**2)


def _lead(task: Task, pendulum: Pendulum, distance: Array, goal: Array, n: int, ahead: int) -> PendulumPath:
    """Roll the pendulum out; `distance` and `goal` begin at time 0 and reach `ahead` samples past the end."""
    state = np.zeros((4, 2))
    state[0], state[2] = task.path.position(distance[0]), goal[0]
    return roll(pendulum, state, task.path.position(distance), goal, n, ahead)


def roll(pendulum: Pendulum, state: Array, target: Array, goal: Array, n: int, ahead: int,
          led: Array | None = None, shoves: Array | None = None) -> PendulumPath:
    """Roll the pendulum out for n samples from a state (4, 2), towards places and velocities `ahead` samples on.

    Args:
        led: (m, 2) places that the cart goes through first, whatever the pendulum does.
        shoves: (n - 1, 2) changes of the velocity of the centre of mass from sample to sample, m/s.
    """
    led = np.zeros((0, 2)) if led is None else led
    states, wished, held = np.empty((n, 4, 2)), goal[ahead:ahead + n].copy(), np.empty((max(len(led) - 1, 0), 2))
    limit = 0.3 * max(float(np.linalg.norm(goal, axis=1).max()), 0.3)
    for k in range(n):
        states[k] = state
        back = PULL * (target[k] - pendulum.com(state))
        size = hypot(*back)
        wished[k] += back * (limit / size) if size > limit else back
        if k + 1 < len(led):
            state, held[k] = pendulum.led(state, led[k + 1])
        else:
            state = pendulum.step(state, wished[k])
        if shoves is not None and k < len(shoves):
            state = pendulum.shoved(state, shoves[k])
    time = np.arange(n, dtype=float) * pendulum.dt
    forces = pendulum.force(states, wished)
    forces[:len(held)] = held[:n]
    return PendulumPath(time, states[:, 0], pendulum.com(states), pendulum.velocity(states), forces)


def _facing(heading: Array, led: PendulumPath, speed: Array) -> Array:
    """Heading of the body: along its motion, a third of the way on towards where it is told to go; as told when slow."""
    moving = so3.angle(led.velocity[:, 1], led.velocity[:, 0])
    off = so3.wrapped(moving - heading)
    share = 0.65 * np.clip(np.linalg.norm(led.velocity, axis=1) / 0.6 - 0.5, 0, 1) * (np.abs(off) < 1.0)
    return heading + share * off
