"""The course that a body of any number of legs is to take: the pendulum's way, over the ground that its feet stand on.

Upward it does as its weight and legs that push as a sine each would have it: level in a walk, a bounce in a trot, and where no
foot is down a parabola. A trunk follows the ground under its feet, and leans into turns.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...clip.style.quadruped_defaults import bounces
from ...geometry import so3
from ...motion.footstep import Footstep
from ...plan.reference import DT, PlanReference
from ...plan.result import PlanSample
from ..course.course import Course
from ..course.style_phase import Bearing
from ..gait.gait_law import RhythmLaw
from .shoulders import Shoulders

Array = NDArray[np.float64]

LEAN = 0.6            # of the pendulum's lean to the side that the body takes on
STEADY = 0.15         # s over which the lean is smoothed
CALM = 0.25           # of a stride over which heights and inclinations of the ground are smoothed
BANKED = 0.5          # of the ground's inclination to the side, that the body follows
SWAY = 0.4            # of the way to the feet that carry it, seen from behind
STEADY_DUTY = (0.4, 0.6)     # shares of a stride that feet are down, from where on it sways, and wholly
SWAYED = 0.08         # strides over which that is smoothed
LOWEST = 0.7          # of its reach that a leg is bent to at most, for feet that come down far away
HELD = 0.5            # strides around a reach within which the body stays low
STRIDE = 0.4          # strides over which what is no bounce is taken out of the vertical course


@dataclass(frozen=True)
class Stance:
    """How a body stands: all in its own frame, m."""

    hips: Shoulders       # against the centre of mass
    feet: Array           # (legs, 3) where they stand, against it
    reach: Array          # (legs,) from the hip to the ground
    com_height: float     # over the feet


def stride_reference(course: Course, footsteps: list[Footstep], stance: Stance, gravity: float, law: RhythmLaw,
                     bearing: Bearing) -> PlanReference:
    """Centre of mass, heading and tilt to follow."""
    legs = len(stance.feet)
    time = np.arange(course.time[0], course.time[-1], DT)
    yaw = np.interp(time, course.time, course.facing)
    stride = typical_stride(course, law)
    level, pitch, roll = _ground(footsteps, stance.feet, time, stride)
    com = np.empty((len(time), 3))
    ahead = np.stack([np.cos(yaw), np.sin(yaw)], -1)
    left = np.stack([-ahead[:, 1], ahead[:, 0]], -1)
    com[:, :2] = course.pendulum.at(time, "com") + _sway(footsteps, stance.feet[:, 1], time, stride)[:, None] * left
    style, share = bearing.style, bearing.had(time)
    bounce = 1 + share * (style.bounce - 1)
    com[:, 2] = stance.com_height + level + bounce * _bounce(footsteps, legs, time, stride, gravity)
    com[:, 2] -= share * style.crouch * law.body.hip_height
    com[:, 2] -= _stoop(footsteps, stance, time, com, so3.about("z", yaw), stride)
    led = course.pendulum.at(time, "com") - course.pendulum.at(time, "cart")
    led = LEAN * gaussian_filter1d(led, STEADY / DT, axis=0, mode="nearest") / stance.com_height
    if np.ptp(stance.hips.still[:, 0]) > 0:                    # a long body leans to the side alone
        led = (led * left).sum(1)[:, None] * left
    raised = pitch + bearing.nose(time)
    return PlanReference(time, com, yaw, led - raised[:, None] * ahead - roll[:, None] * left, gravity)


def typical_stride(course: Course, law: RhythmLaw) -> float:
    """How long a stride takes, s."""
    return float(np.median(law.stride_time(course.speed)))


def _ground(footsteps: list[Footstep], feet: Array, time: Array, stride: float) -> tuple[Array, Array, Array]:
    """Height of the plane under the feet, and how it rises forward and to the left. Each (n,)."""
    heights = np.stack([_under(footsteps, leg, time) for leg in range(len(feet))], -1)          # (n, legs)
    long = np.ptp(feet[:, 0]) > 1e-3
    columns = np.stack([np.ones(len(feet)), feet[:, 0] * long, feet[:, 1] * long], -1)
    plane = heights @ np.linalg.pinv(columns).T                                            # (n, 3)
    plane = gaussian_filter1d(plane, CALM * stride / DT, axis=0, mode="nearest")
    return plane[:, 0], plane[:, 1], BANKED * plane[:, 2]


def _under(footsteps: list[Footstep], leg: int, time: Array) -> Array:
    """Height of the ground that a leg stands on, and between two stands on its way from one to the other. (n,)."""
    knots: list[tuple[float, float]] = []
    for f in sorted((f for f in footsteps if f.leg == leg), key=lambda f: f.strike):
        for moment in (f.strike, f.lift):
            if not knots or moment > knots[-1][0] + 1e-3:
                knots.append((moment, float(f.position[2])))
    at, value = np.array(knots).T
    return np.asarray(PchipInterpolator(at, value)(np.clip(time, at[0], at[-1])))


def _sway(footsteps: list[Footstep], sides: Array, time: Array, stride: float) -> Array:
    """How far to the left the body goes towards the feet that carry it. (n,)."""
    carried, moment = np.full(len(time), 1e-3), np.zeros(len(time))
    for f in footsteps:
        share = np.clip((time - f.strike) / (f.lift - f.strike), 0, 1)
        load = np.sin(np.pi * share) if f.lift - f.strike < 2 * stride else 1.0 * ((share > 0) & (share < 1))
        carried, moment = carried + load, moment + load * sides[f.leg]
    duty = _duty(footsteps, len(sides), time, stride)
    share = np.clip((duty - STEADY_DUTY[0]) / (STEADY_DUTY[1] - STEADY_DUTY[0]), 0, 1)
    return np.asarray(SWAY * share * gaussian_filter1d(moment / carried, SWAYED * stride / DT, mode="nearest"))


def _duty(footsteps: list[Footstep], legs: int, time: Array, stride: float) -> Array:
    """Share of the legs that are down, over about a stride. (n,)."""
    down = np.zeros(len(time))
    for f in footsteps:
        down += (time > f.strike) & (time < f.lift)
    return np.asarray(gaussian_filter1d(down / legs, 0.5 * stride / DT, mode="nearest"))


def _bounce(footsteps: list[Footstep], legs: int, time: Array, stride: float, gravity: float) -> Array:
    """What the centre of mass rises and falls by under legs that push as a sine each, the same impulse each stride. (n,)."""
    pushed = np.zeros(len(time))
    bounce = bounces(_duty(footsteps, legs, time, stride))
    for f in footsteps:
        on = (time > f.strike) & (time < f.lift)
        length = f.lift - f.strike
        if length < 2 * stride:
            pushed[on] += np.sin(np.pi * (time[on] - f.strike) / length) * 0.5 * np.pi * stride / (legs * length)
        else:                                       # a foot that stands bears its share
            pushed[on] += 1.0 / legs
    pushed /= np.maximum(gaussian_filter1d(pushed, STRIDE * stride / DT, mode="nearest"), 0.1)      # the weight, over a stride
    lift = gravity * _without_drift(pushed - 1.0, stride)
    speed = _without_drift(cumulative_trapezoid(lift, dx=DT, initial=0), stride)
    return np.asarray(bounce * _without_drift(cumulative_trapezoid(speed, dx=DT, initial=0), stride))


def stooped(reference: PlanReference, footsteps: list[Footstep], found: PlanSample, stance: Stance, stride: float) -> PlanReference:
    """The reference lowered where a plan that followed it, pitched and shifted as it was, is out of its feet's reach.

    Args:
        found: the plan at the reference's times, as far as it reaches.
    """
    short = _stoop(footsteps, stance, found.time, found.com, found.rotation, stride)
    com = reference.com.copy()
    com[:len(short), 2] -= short
    com[len(short):, 2] -= short[-1]
    return replace(reference, com=com)


def _stoop(footsteps: list[Footstep], stance: Stance, time: Array, com: Array, rotation: Array, stride: float) -> Array:
    """How much lower the body must ride for its legs to reach the ground where they come down and leave. (n,)."""
    short, hips = np.zeros(len(time)), stance.hips.at(time)
    for f in footsteps:
        for moment in (f.strike, f.lift):
            k = int(round((moment - time[0]) / DT))
            if not 0 <= k < len(time):
                continue
            x, y, z = rotation[k] @ hips[k, f.leg]
            away = float(np.hypot(*(f.position[:2] - com[k, :2] - [x, y])))
            reach = stance.reach[f.leg]
            top = float(f.position[2]) + float(np.sqrt(max(reach**2 - away**2, (LOWEST * reach) ** 2))) - z
            short[k] = max(short[k], com[k, 2] - top)
    held = maximum_filter1d(short, int(HELD * stride / DT) | 1, mode="nearest")
    return np.asarray(gaussian_filter1d(held, 0.25 * HELD * stride / DT, mode="nearest"))


def _without_drift(values: Array, stride: float) -> Array:
    return np.asarray(values - gaussian_filter1d(values, STRIDE * stride / DT, mode="nearest"))
