"""The course that the body is to take: the pendulum's way with the sway, the bounce and the flight that the gait adds.

Source: Kwon et al. 2020, appendix D.4; the vertical course is ours.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...character.character import Foot
from ...fullbody.phase import leg_phases
from ...fullbody.roll import on_ball, pitched, rolling, steeper_on_heel
from ...motion.footstep import Footstep
from ...plan.reference import DT, PlanReference
from ..footsteps.timing import Step, landings
from ..sketch import Sketch
from .height_fit import StandingLeg, fit_height, knee_bend, weight_share
from .leg_course import STRAIGHTEST, LegCourse
from .vertical import eased, middle, rise

Array = NDArray[np.float64]

LEAN = 0.7            # of the pendulum's lean that the body takes on
STEADY = 0.15         # s over which the lean is smoothed
ALONG = (0.25, 0.5)   # of what a kept footstep is off its place, that the body goes along with before and after it, and over it
CALM = 0.12           # s over which the speed that poses are drawn for is smoothed
FITTED = (0.04, 0.25) # leg lengths that the course is raised and lowered by at most
WANTED = 0.035         # the same for the style's knees, that one leg counts for: on stairs and in turns each has another height
CALMER = 0.15         # rad^2 of a knee for each (m/s^2)^2 by which the body is to go otherwise
FIT_CALM = 0.03       # s over which that is smoothed
FIT_STEP = 0.02       # s between moments at which legs are measured
STRAY = 0.025         # m that the first plan of a rigid body is off its reference where the next one need not be
HAND_OVER = 0.06      # s in which the weight goes over to a foot at least


def plan_reference(drawn: Sketch, legs: LegCourse, com_height: float, gravity: float) -> PlanReference:
    """Centre of mass, velocity and heading to follow, from a sketch.

    Sideways the body sways over the foot that carries it. Upward it rides over its feet as the style's own legs have it; where no
    foot is down it flies a parabola and sinks in between as a spring would that sends it off at the parabola's speed. Where the
    next foot could not be reached it rides lower.
    """
    course, steps = drawn.course, drawn.steps
    time = np.arange(course.time[0], course.time[-1], DT)
    com = np.empty((len(time), 3))
    com[:, :2] = course.pendulum.at(time, "com")
    yaw = np.interp(time, course.time, course.facing)
    sway = _sway(steps, time)
    com[:, :2] += sway[:, None] * np.stack([-np.sin(yaw), np.cos(yaw)], -1)
    com[:, :2] += _aside(steps, time)
    footsteps = tuple(s.footstep for s in steps)
    com[:, 2] = legs.height_at(style_keys(drawn, time), body_phases(drawn, footsteps, time))
    com[:, 2] += _ground(steps, time) + rise(steps, time, gravity, lambda s: legs.drop_at(_key(drawn, s)))
    reference = PlanReference(time, com, yaw, _lean(drawn, time, com_height), gravity)
    return fitted(reference, drawn, footsteps, legs, lambda t: reference.at(t).com)


def _lean(drawn: Sketch, time: Array, com_height: float) -> Array:
    """Return the lean of the body along the world's x and y. (n, 2) rad."""
    pendulum = drawn.course.pendulum
    lean = pendulum.at(time, "com") - pendulum.at(time, "cart")
    return np.asarray(LEAN * gaussian_filter1d(lean, STEADY / DT, axis=0, mode="nearest") / com_height)


Place = Callable[[Array], Array]
"""Gives the centre of mass (n, 3) at times (n,)."""


def fitted(reference: PlanReference, drawn: Sketch, footsteps: tuple[Footstep, ...], legs: LegCourse,
           place: Place) -> PlanReference:
    """Return the reference raised and lowered so that the legs of a body on it are as long as the style's.

    Args:
        footsteps: as a plan has shifted them.
        place: where a body that follows the reference has its centre of mass.
    """
    time = reference.time
    moments = np.arange(time[0], time[-1], FIT_STEP)
    where = reference.at(moments).com
    off = place(moments) - where
    size = np.maximum(np.linalg.norm(off, axis=1, keepdims=True), 1e-9)
    where += off * np.maximum(1 - STRAY / size, 0.0)
    body = style_keys(drawn, moments), body_phases(drawn, footsteps, moments), np.interp(moments, time, reference.yaw)
    rolls = drawn.course.rolling(np.array([f.time for f in footsteps]))
    stood = [_stood(step, f, legs, moments, where, body, float(roll))
             for step, f, roll in zip(drawn.steps, footsteps, rolls, strict=True)]
    standing = [leg for leg in stood if leg is not None]
    if not standing:
        return reference
    missing = fit_height(standing, len(moments), FIT_STEP, CALMER)
    missing = np.clip(missing, -FITTED[1] * drawn.law.leg_length, FITTED[0] * drawn.law.leg_length)
    com = reference.com.copy()
    com[:, 2] += gaussian_filter1d(np.interp(time, moments, missing), FIT_CALM / DT, mode="nearest")
    return replace(reference, com=com)


def _stood(step: Step, f: Footstep, legs: LegCourse, moments: Array, where: Array,
           body: tuple[Array, Array, Array], rolls: float) -> StandingLeg | None:
    """Return how a leg stands at those of the moments at which its foot is down; None where there are none.

    Args:
        body: keys and phases of the style, and headings, at the moments.
        rolls: share of its style's pitch that the foot has.
    """
    at = np.flatnonzero((moments >= f.strike) & (moments <= f.lift))
    if not at.size:
        return None
    keys, phases, yaw = (values[at] for values in body)
    t, foot = moments[at], legs.feet[f.leg]
    roll = legs.roll_at(f.leg, float(keys[-1]), step.gait.stride_time)
    roll = replace(roll, heel=max(rolls * roll.heel + steeper_on_heel(f), 0.0), push=rolls * roll.push + max(f.slope, 0.0))
    pitch = (rolling(f, roll) if f.raised is None else on_ball(f, f.raised, roll))(t)
    ankle = ankle_place(f, foot, pitch, t < 0.5 * (f.flat + f.heel_off))
    hip = legs.hip_at(f.leg, keys, phases)
    cosine, sine = np.cos(yaw), np.sin(yaw)
    aside = np.stack([cosine * hip[:, 0] - sine * hip[:, 1], sine * hip[:, 0] + cosine * hip[:, 1]], -1)
    away = np.linalg.norm(where[at, :2] + aside - ankle[:, :2], axis=1)
    over = where[at, 2] + hip[:, 2] - ankle[:, 2]                                            # hip over ankle
    length, straight = legs.length_at(f.leg, keys, phases), STRAIGHTEST * legs.straight[f.leg]
    short, room = (np.sqrt(np.maximum(reach**2 - away**2, 0.25 * reach**2)) - over for reach in (length, straight))
    short = short - np.interp(keys, legs.keys, legs.lower[:, f.leg])
    short = np.clip(short, -WANTED * legs.straight[f.leg], WANTED * legs.straight[f.leg])
    support = max(0.5 * (step.gait.contact_time - 0.5 * step.gait.stride_time), HAND_OVER)
    share = weight_share(t - f.strike, f.lift - t, 2 * support)
    if not step.gait.walks:              # a spring's course is its own: only where it lies as a whole is put right
        short = np.full(len(short), float((share * short).sum() / max(share.sum(), 1e-9)))
    return StandingLeg(at, share, short, room, knee_bend(length, legs.straight[f.leg]))


def ankle_place(f: Footstep, foot: Foot, pitch: Array, on_heel: NDArray[np.bool_]) -> Array:
    """Return where the foot's origin is as it rolls over its heel or its toes. (n,), (n,) -> (n, 3)."""
    on_heel = (on_heel != f.toes_first) & (f.raised is None)
    turn = pitched(f.rotation, pitch)
    heel, pivot = (f.position + f.rotation @ (p - foot.centre) - turn @ p for p in (foot.heel, foot.pivot))
    return np.where(on_heel[:, None], heel, pivot)


def body_phases(drawn: Sketch, footsteps: tuple[Footstep, ...], times: Array) -> Array:
    """Return where in the cycle of the left foot the body is, told by all legs. (n,)."""
    legs = sorted({f.leg for f in footsteps})
    phases = leg_phases(footsteps, np.array([s.gait.cycle.duty for s in drawn.steps]), len(legs), times)
    later = drawn.law.style.later(style_keys(drawn, times))
    shift = np.stack([np.zeros(len(times)), 0.5 + later], -1)[:, :len(legs)]
    return np.angle(np.exp(2j * np.pi * (phases + shift)).mean(1)) / (2 * np.pi)


def style_keys(drawn: Sketch, times: Array) -> Array:
    """Return the keys of the style at times. (n,)."""
    course = drawn.course
    if drawn.natural:
        calm = gaussian_filter1d(course.speed, CALM / (course.time[1] - course.time[0]), mode="nearest")
        speed = np.interp(times, course.time, calm) / drawn.law.unit_speed
    else:
        speed = cycle_speeds(drawn, times)
    return drawn.law.style.key(speed, second_gait(drawn, times))


def _key(drawn: Sketch, step: Step) -> float:
    """Return the key of the style that a step is taken in."""
    cycle, style = step.gait.cycle, drawn.law.style
    return float(style.key(np.array([cycle.speed]), np.array([float(cycle.speed >= style.change)]))[0])


def second_gait(drawn: Sketch, times: Array) -> Array:
    """How much the body is in the second gait of its style, 0 to 1, from one step to the next. (n,)."""
    change = drawn.law.style.change
    return eased(np.array([s.footstep.time for s in drawn.steps]),
                  np.array([float(s.gait.cycle.speed >= change) for s in drawn.steps]), times)


def cycle_speeds(drawn: Sketch, times: Array) -> Array:
    """Speeds v / sqrt(g l) of the cycles that the steps are taken in, from one step to the next. (n,)."""
    return eased(np.array([s.footstep.time for s in drawn.steps]), np.array([s.gait.cycle.speed for s in drawn.steps]), times)


def _sway(steps: tuple[Step, ...], time: Array) -> Array:
    moments, shifts = [], []
    for s in steps:
        side = 1.0 if s.footstep.leg == 0 else -1.0
        moments.append(middle(s))
        shifts.append(0.0 if s.standing or s.gait.cycle.together else side * s.gait.sway)
        if s.standing:                                      # upright until shortly before its lift
            moments.append(max(s.footstep.lift - 0.5 * s.gait.contact_time, moments[-1] + 0.05))
            shifts.append(0.0)
    return eased(np.array(moments), np.array(shifts), time)


def _aside(steps: tuple[Step, ...], time: Array) -> Array:
    """How far the body goes along with footsteps that are kept elsewhere than they would be. (n, 2)."""
    off = np.array([s.aside for s in steps])                                               # (k, 2)
    if not off.any():
        return np.zeros((len(time), 2))
    padded = np.concatenate([off[:1], off, off[-1:]])
    along = ALONG[0] * padded[:-2] + ALONG[1] * off + ALONG[0] * padded[2:]
    knots = np.array([middle(s) for s in steps])
    return np.stack([eased(knots, along[:, axis], time) for axis in range(2)], -1)


def _ground(steps: tuple[Step, ...], time: Array) -> Array:
    """Height of the ground that carries the body: through the footsteps' heights in order, without overshoot.

    A body that stands is carried by both feet. Before the first step and after the last one the height stays.
    """
    held = landings(steps)
    knots = [middle(landing.steps[0]) for landing in held]
    heights = [landing.height for landing in held]
    carried = [0.5 * (heights[k] + heights[max(k - 1, 0)]) if landing.steps[0].standing and len(landing.steps) == 1 else heights[k]
               for k, landing in enumerate(held)]
    knots, carried = [knots[0] - 1.0, *knots, knots[-1] + 1.0], [carried[0], *carried, carried[-1]]
    return PchipInterpolator(knots, carried)(np.clip(time, knots[0], knots[-1]))
