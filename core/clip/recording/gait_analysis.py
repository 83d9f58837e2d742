"""What a clip shows: its gait, its cleanest cycle, and the numbers of both."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...errors import ClipError
from ...geometry import so3
from .actor import FPS, GRAVITY, Actor
from .angles import cycle_angles
from .asymmetry import Sides, riding, unlike_sides
from .bvh import Recording
from .center_of_mass import centre_of_mass, lean_shift
from .contacts import SHARP, Feet, Step, find_feet, in_motion
from .find_actor import find_actor
from .strides import Stride, find_strides, put_in_line

Array = NDArray[np.float64]
Gait = Literal["walk", "run"]

LEVEL = 0.008             # leg lengths of rise below which a clip has lost it
SLOWEST_RUN = 0.2         # sqrt(g l) below which nobody runs
RISEN = np.radians(3)     # of a foot against how it lies in its contact, from which on its heel rises


@dataclass(frozen=True)
class Understood:
    """What was understood of a clip. Every field may be replaced, and what is made of it follows.

    Args:
        begin, end: of the cleanest cycle, s of the clip.
        leg_length: m, after which lengths of the body are told.
        speed: m/s.
        stride_length, stride_time: m, s; of two steps.
        duty: share of the cycle that a foot is on the ground.
        heel_off, flat: share of the stance from which on the heel rises, and at which the ball comes down. A heel rises so
            slowly at first that contacts, which go by speed, have it down for longer.
        strike_pitch, toe_off_pitch: of the foot as it strikes, toes up, and as it leaves, toes down; degrees.
        step_width: between the lines of left and right feet, m.
        hip_width: between the hip joints, m.
        toe_out: degrees.
        foot_offset: how far feet are behind the centre of mass in the middle of their contacts, m.
        crouch: how far the hip rides below a straight leg in the middle of its contact, m.
        bounce: amplitude of the centre of mass's rise, m.
        sway: amplitude to the side of the foot that stands, m.
        steps: all contacts of the clip; their times are s of the clip.
        curves: (2, CURVES, SAMPLES) of left and right, each from its own foot's strike, degrees; NaN for arms that are not there.
        notes: what was left out or assumed, for users.
        sides: how the right side differs from the left one in somebody who limps; None where it does only as healthy people's do.
    """

    name: str
    gait: Gait
    begin: float
    end: float
    leg_length: float
    speed: float
    stride_length: float
    stride_time: float
    duty: float
    heel_off: float
    flat: float
    strike_pitch: float
    toe_off_pitch: float
    step_width: float
    hip_width: float
    toe_out: float
    foot_offset: float
    crouch: float
    bounce: float
    sway: float
    steps: tuple[Step, ...]
    curves: Array
    notes: tuple[str, ...] = ()
    sides: Sides | None = None

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return float(np.sqrt(GRAVITY * self.leg_length))


def understand(recording: Recording) -> Understood:
    """Find the gait of a clip.

    Raises:
        ClipError: nobody with two legs, or nobody who walks or runs ahead for a stride.
    """
    found = find_actor(recording)
    actor, treadmill = in_motion(found)
    notes = [f"lengths in {actor.unit}, {actor.up} up"]
    if actor.skipped:
        notes.append(f"the first {actor.skipped * recording.fps:.0f} frames were left out: a pose from which the body leaps")
    if treadmill:
        notes.append(f"it stays in place; its feet say that it goes at {treadmill:.2f} m/s")
    feet = find_feet(actor)
    cycles, why = find_strides(actor, feet)
    length = actor.frames
    if not cycles and (looped := put_in_line(actor)) is not None:
        actor = looped
        notes.append("it is a loop, and was put one after the other to find whole strides")
        feet = find_feet(actor)
        cycles, why = find_strides(actor, feet)
    if not cycles:
        raise ClipError(f"The clip {recording.name} has no whole stride of a walk or a run ahead: {why}. Show at least two steps "
                        "with each foot, straight ahead.")
    sides = unlike_sides(actor, feet, cycles)
    sharp = None if sides is None else find_feet(actor, SHARP)
    again = [] if sharp is None else find_strides(actor, sharp)[0]
    if sharp is not None and again:
        feet, cycles = sharp, again
        sides = unlike_sides(actor, feet, cycles) or sides
    told = _measured(actor, feet, min(cycles, key=lambda c: c.badness), notes, (length, sides))
    if told.gait == "run" and told.speed < SLOWEST_RUN * told.unit_speed:
        raise ClipError(f"The clip {recording.name} leaves the ground at {told.speed:.2f} m/s: that is a hop, and no run. Footfall "
                        "learns from walks and runs.")
    return told


def _measured(actor: Actor, feet: Feet, stride: Stride, notes: list[str], of_all: tuple[int, Sides | None]) -> Understood:
    """The numbers of a stride.

    Args:
        of_all: how many frames the clip has, of a loop put in line one loop; and how its sides differ.
    """
    a, b = stride.begin, stride.end
    length, sides = of_all
    seconds = (b - a) / FPS
    com = centre_of_mass(actor)
    went = float(np.linalg.norm((com[b] - com[a])[:2]))
    near = [s for s in feet.steps if abs(s.strike * FPS - 0.5 * (a + b)) < 0.6 * (b - a)]
    stood = [_Stood.of(feet, com, s, stride) for s in near]
    whole = [st for st in stood if st.step.whole]
    strikes = np.zeros(2)
    strikes[1 - stride.side] = (stride.other - a) / (b - a)
    curves = cycle_angles(actor, feet, a, b, stride.heading, (float(strikes[0]), float(strikes[1])))
    rise, lost = _rise(actor, feet, com, a, b)
    if lost:
        notes = [*notes, "its hips keep their height, so the rise is taken from the feet"]
    if sides is not None:
        notes = [*notes, sides.told]
    duty = _of_both([(st.step.lift - st.step.strike) / seconds for st in whole], whole, sides)
    begin = a % (length - 1) / FPS + actor.skipped if actor.frames > length else a / FPS + actor.skipped
    return Understood(
        actor.name, "walk" if duty > 0.5 else "run", begin, begin + seconds, leg_length=actor.leg_length, speed=went / seconds,
        stride_length=went, stride_time=seconds, duty=duty,
        heel_off=_mean([(st.rises - st.step.strike) / (st.step.lift - st.step.strike) for st in whole]),
        flat=_mean([(st.step.flat - st.step.strike) / (st.step.lift - st.step.strike) for st in whole]),
        strike_pitch=_mean([np.degrees(st.strike_pitch) for st in stood]),
        toe_off_pitch=_mean([-np.degrees(st.lift_pitch) for st in whole]),
        step_width=_apart([st.aside for st in stood], near),
        hip_width=float(np.median(np.linalg.norm(actor.hips[:, 0] - actor.hips[:, 1], axis=1))),
        toe_out=0.5 * _apart([np.degrees(st.turned) for st in stood], near),
        foot_offset=_mean([st.behind for st in whole]) + lean_shift(actor), crouch=_crouch(actor, whole, sides),
        bounce=0.5 * float(np.ptp(rise if sides is None else _of_either_step(rise))),
        sway=0.5 * _apart([st.swayed for st in whole], [st.step for st in whole]),
        steps=tuple(s.later(actor.skipped) for s in feet.steps if s.strike * FPS < length), curves=np.degrees(curves),
        notes=tuple(notes), sides=sides)


def _mean(values: list[float]) -> float:
    return float(np.mean(values))


def _of_both(values: list[float], stood: list[_Stood], sides: Sides | None) -> float:
    """The mean over contacts; where sides differ half-way between both, as one of them may be there once more."""
    if sides is None:
        return _mean(values)
    return 0.5 * sum(_mean([v for v, st in zip(values, stood, strict=True) if st.step.side == side]) for side in (0, 1))


def _of_either_step(rise: Array) -> Array:
    """What the rise over a cycle has in common in both its halves. (n,)."""
    cycle = rise[:-1]
    later = (np.arange(len(cycle)) + 0.5 * len(cycle)) % len(cycle)
    return 0.5 * (cycle + np.interp(later, np.arange(len(rise)), rise))


def _apart(values: list[float], steps: list[Step]) -> float:
    """How much more a value is in left contacts than in right ones; twice as much as from 0 where one side has none."""
    sides = [[v for v, s in zip(values, steps, strict=True) if s.side == side] for side in (0, 1)]
    left, right = (float(np.mean(own)) if own else None for own in sides)
    if left is None or right is None:
        return 2 * (left or -(right or 0.0))
    return left - right


def _rise(actor: Actor, feet: Feet, com: Array, a: int, b: int) -> tuple[Array, bool]:
    """Height of the centre of mass over the cycle, and whether the clip itself has lost it. (b - a + 1,)."""
    height = com[a:b + 1, 2] - (com[b, 2] - com[a, 2]) * np.linspace(0, 1, b - a + 1)
    lost = bool(np.ptp(actor.hips[a:b + 1].mean(1)[:, 2]) < LEVEL * actor.leg_length)
    if lost:
        height = com[a:b + 1, 2] - np.minimum(feet.heels, feet.balls)[a:b + 1, :, 2].min(1)
    return np.asarray(gaussian_filter1d(height, 0.017 * FPS, mode="nearest")), lost


def _crouch(actor: Actor, stood: list[_Stood], sides: Sides | None) -> float:
    """How far hips ride below straight legs in mid-contact, m."""
    straight = sum(float(np.median(np.linalg.norm(a - b, axis=-1)))
                   for a, b in ((actor.hips, actor.knees), (actor.knees, actor.ankles)))
    return straight - _of_both([riding(actor, st.step) for st in stood], stood, sides)


@dataclass(frozen=True)
class _Stood:
    """One contact as it is seen from the body; m, rad and, of `rises`, s. Left of the body's line is positive."""

    step: Step
    strike_pitch: float
    lift_pitch: float
    rises: float
    turned: float
    behind: float
    aside: float
    swayed: float

    @staticmethod
    def of(feet: Feet, com: Array, step: Step, stride: Stride) -> _Stood:
        """Measured against the line along which the body goes in a stride."""
        strike, flat, off, lift = (min(round(t * FPS), len(com) - 1) for t in (step.strike, step.flat, step.heel_off, step.lift))
        still = slice(min(flat, off), max(flat, off) + 1)
        pitch, heading = feet.pitch[:, step.side], float(stride.heading.mean())
        rises, level = off, float(np.median(pitch[still])) - RISEN
        while rises > flat and pitch[rises - 1] < level:
            rises -= 1
        sole = 0.5 * (feet.heels + feet.balls)[still, step.side].mean(0)
        middle = min(round(step.time * FPS), len(com) - 1)
        a, b = stride.begin, stride.end
        usual = com[a] + (com[b] - com[a]) * (middle - a) / (b - a)
        left = np.array([-np.sin(heading), np.cos(heading)])
        return _Stood(step, float(pitch[strike]), float(pitch[lift]), rises / FPS,
                      float(so3.wrapped(float(feet.heading[still, step.side].mean()) - heading)),
                      float((com[middle] - sole)[:2] @ [np.cos(heading), np.sin(heading)]),
                      float((sole - usual)[:2] @ left), float((com[middle] - usual)[:2] @ left))
