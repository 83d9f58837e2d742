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

from ..fullbody.roll import steeper_on_heel
from ..motion.footstep import Footstep
from ..plan.reach import LegReach, highest
from ..plan.reference import DT, PlanReference
from .course import ROLLING_BACK
from .rise import GATHERED, eased, middle, rise
from .sketch import Sketch
from .timing import Step, landings

Array = NDArray[np.float64]

LEAN = 0.7            # of the pendulum's lean that the body takes on
STEADY = 0.15         # s over which the lean is smoothed
ALONG = (0.25, 0.5)   # of what a kept footstep is off its place, that the body goes along with before and after it, and over it
PLAY = 0.04           # leg lengths between a stoop and the uprightness before and after it; more would take hard falls
PUSH = 1.0            # of a style's pitch at toe-off, that a leg may count on
MOST_FOR_PUSH = 0.015  # leg lengths that the body stoops for a foot that leaves
DEEPEST = 0.1         # leg lengths that a plan's course is lowered by at most: one that came in higher has other reasons


def plan_reference(drawn: Sketch, reaches: tuple[LegReach, ...], com_height: float, gravity: float) -> PlanReference:
    """Centre of mass, velocity and heading to follow, from a sketch.

    Sideways the body sways over the foot that carries it. Upward it rides at a height above its feet that the style's
    crouch sets; it rises over a standing foot when feet overlap, and where none is down it flies a parabola and sinks in
    between as a spring would that sends it off at the parabola's speed. Where the next foot could not be reached it rides
    lower.
    """
    course, steps, leg_length = drawn.course, drawn.steps, drawn.law.leg_length
    time = np.arange(course.time[0], course.time[-1], DT)
    com = np.empty((len(time), 3))
    com[:, :2] = course.pendulum.at(time, "com")
    yaw = np.interp(time, course.time, course.facing)
    sway = _sway(steps, time)
    com[:, :2] += sway[:, None] * np.stack([-np.sin(yaw), np.cos(yaw)], -1)
    com[:, :2] += _aside(steps, time)
    crouch = _crouch(steps, time, leg_length, drawn.law.style.standing.crouch)
    com[:, 2] = com_height - crouch + _ground(steps, time) + rise(steps, time, gravity)
    com[:, 2] -= _stoop(drawn, tuple(s.footstep for s in steps), time, yaw, reaches,
                        lambda t: np.stack([np.interp(t, time, com[:, axis]) for axis in range(3)], -1))
    com[:, 2] = gaussian_filter1d(com[:, 2], 0.012 / DT, mode="nearest")
    lean = course.pendulum.at(time, "com") - course.pendulum.at(time, "cart")
    lean = LEAN * gaussian_filter1d(lean, STEADY / DT, axis=0, mode="nearest") / com_height
    return PlanReference(time, com, yaw, lean, gravity)


Place = Callable[[Array], Array]
"""Gives the centre of mass (n, 3) at times (n,)."""


def lowered(reference: PlanReference, drawn: Sketch, footsteps: tuple[Footstep, ...], reaches: tuple[LegReach, ...],
            place: Place) -> PlanReference:
    """The reference lowered where a plan that followed it came too high or too far for the next foot.

    Args:
        footsteps: as that plan has shifted them.
        place: where that plan had the centre of mass.
    """
    com = reference.com.copy()
    stoop = _stoop(drawn, footsteps, reference.time, reference.yaw, reaches, place)
    if not stoop.any():
        return reference
    com[:, 2] -= np.minimum(1.5 * gaussian_filter1d(stoop, 0.05 / DT, mode="nearest"), DEEPEST * drawn.law.leg_length)
    return replace(reference, com=com)


def _stoop(drawn: Sketch, footsteps: tuple[Footstep, ...], time: Array, yaw: Array, reaches: tuple[LegReach, ...],
           place: Place) -> Array:
    """How much lower the body must ride to reach each foot as it strikes, and in a walk as its heel leaves and it lifts. (n,)."""
    course, style = drawn.course, drawn.law.style
    checks = [(moment, pitch, f) for s, f in zip(drawn.steps, footsteps, strict=True) for moment, pitch in _reaching(s, f)]
    checks.sort(key=lambda check: check[0])                 # a plan is asked at rising times
    moments = np.array([moment for moment, _, _ in checks])
    places, facing = place(moments), np.interp(moments, time, yaw)
    keys = style.key(np.interp(moments, course.time, course.speed) / drawn.law.unit_speed, second_gait(drawn, moments))
    short = np.zeros(len(checks))
    for k, (moment, pitch, f) in enumerate(checks):
        if time[0] < moment < time[-1]:
            top = highest(f, reaches[f.leg], places[k, :2], float(facing[k]), float(keys[k]), float(pitch))
            short[k] = min(max(0.0, float(places[k, 2]) - top), np.inf if pitch >= 0 else MOST_FOR_PUSH * drawn.law.leg_length)
    first = np.flatnonzero(np.append(True, np.diff(moments) > 1e-3))            # of feet that land at once the farther one counts
    moments, short = moments[first], np.maximum.reduceat(short, first)
    besides = np.maximum(np.append(short[1:], 0.0), np.append(0.0, short[:-1]))
    short = np.maximum(short, besides - PLAY * drawn.law.leg_length)
    return eased(moments, short, time)


def _reaching(step: Step, f: Footstep) -> list[tuple[float, float]]:
    """Moments at which a leg must reach its footstep, and the foot's pitch then: a run leaves the ground as it gets there."""
    cycle = step.gait.cycle
    if f.toes_first:
        return [(f.flat, 0.0), (f.lift, float(np.radians(ROLLING_BACK * cycle.strike_pitch)))]
    out = [(f.strike, max(float(np.radians(cycle.strike_pitch)) + steeper_on_heel(f), 0.0))]
    if step.gait.walks:
        out.append((f.heel_off, 0.0))
        if f.raised is None:                 # of ball and toes alone, the heel is up anyway
            out.append((f.lift, -float(np.radians(PUSH * cycle.toe_off_pitch)) - max(f.slope, 0.0)))
    return out


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


def _crouch(steps: tuple[Step, ...], time: Array, leg_length: float, standing: float) -> Array:
    knots: list[float] = []
    values: list[float] = []
    for s in steps:
        f, own = s.footstep, s.gait.cycle.crouch
        if s.standing and s.gait.cycle.together:      # it lands in its crouch, stands up, and crouches again to leave
            eases = min(GATHERED, 0.5 * (f.lift - f.strike))
            knots += [f.strike, f.strike + eases, f.lift - eases, f.lift]
            values += [own, standing, standing, own]
        else:
            knots.append(middle(s))
            values.append(standing if s.standing else own)
    return eased(np.array(knots), np.array(values) * leg_length, time)


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
