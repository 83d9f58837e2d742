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
from .angles import compute_cycle_angles
from .asymmetry import Asymmetry, detect_asymmetry, measure_hip_height
from .bvh import Recording
from .center_of_mass import compute_center_of_mass, compute_lean_shift
from .contacts import LIMP_PINNED_SPEEDS, Feet, FootContact, find_feet, undo_treadmill
from .find_actor import find_actor
from .strides import Stride, find_strides, unroll_loop

Array = NDArray[np.float64]
Gait = Literal["walk", "run"]

MIN_RISE = 0.008  # leg lengths of rise below which a clip has lost it
MIN_RUN_SPEED = 0.2  # sqrt(g l) below which nobody runs
# of a foot against how it lies in its contact, from which on its heel rises
HEEL_RISE_ANGLE = np.radians(3)


@dataclass(frozen=True)
class GaitAnalysis:
    """What was understood of a clip. Every field may be replaced, and what is made of it follows.

    Args:
        begin, end: of the cleanest cycle, s of the clip.
        leg_length: m, after which lengths of the body are told.
        speed: m/s.
        stride_length, stride_time: m, s; of two steps.
        duty: share of the cycle that a foot is on the ground.
        heel_off, flat: share of the stance from which on the heel rises, and at which the ball
            comes down. A heel rises so slowly at first that contacts, which go by speed, have it
            down for longer.
        strike_pitch, toe_off_pitch: of the foot as it strikes, toes up,
            and as it leaves, toes down; degrees.
        step_width: between the lines of left and right feet, m.
        hip_width: between the hip joints, m.
        toe_out: degrees.
        foot_offset: how far feet are behind the centre of mass in the middle of their contacts, m.
        crouch: how far the hip rides below a straight leg in the middle of its contact, m.
        bounce: amplitude of the centre of mass's rise, m.
        sway: amplitude to the side of the foot that stands, m.
        contacts: all contacts of the clip; their times are s of the clip.
        curves: (2, CURVES, SAMPLES) of left and right, each from its own foot's strike, degrees;
            NaN for arms that are not there.
        notes: what was left out or assumed, for users.
        asymmetry: how the right side differs from the left one in somebody who limps; None where it
            does only as healthy people's do.
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
    contacts: tuple[FootContact, ...]
    curves: Array
    notes: tuple[str, ...] = ()
    asymmetry: Asymmetry | None = None

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return float(np.sqrt(GRAVITY * self.leg_length))


def analyze_gait(recording: Recording) -> GaitAnalysis:
    """Find the gait of a clip.

    Raises:
        ClipError: nobody with two legs, or nobody who walks or runs ahead for a stride.
    """
    recorded_actor = find_actor(recording)
    actor, treadmill_speed = undo_treadmill(recorded_actor)
    notes = [f"lengths in {actor.unit}, {actor.up_axis} up"]
    if actor.skipped_time:
        notes.append(
            f"the first {actor.skipped_time * recording.fps:.0f} frames were left out: a pose "
            "from which the body leaps"
        )
    if treadmill_speed:
        notes.append(f"it stays in place; its feet say that it goes at {treadmill_speed:.2f} m/s")
    feet = find_feet(actor)
    strides, reason = find_strides(actor, feet)
    frame_count = actor.frames
    if not strides and (looped := unroll_loop(actor)) is not None:
        actor = looped
        notes.append("it is a loop, and was put one after the other to find whole strides")
        feet = find_feet(actor)
        strides, reason = find_strides(actor, feet)
    if not strides:
        raise ClipError(
            f"The clip {recording.name} has no whole stride of a walk or a run ahead: {reason}. "
            "Show at least two steps with each foot, straight ahead."
        )
    asymmetry = detect_asymmetry(actor, feet, strides)
    sharp_feet = None if asymmetry is None else find_feet(actor, LIMP_PINNED_SPEEDS)
    sharp_strides = [] if sharp_feet is None else find_strides(actor, sharp_feet)[0]
    if sharp_feet is not None and sharp_strides:
        feet = sharp_feet
        strides = sharp_strides
        asymmetry = detect_asymmetry(actor, feet, strides) or asymmetry
    analysis = _measure_stride(
        actor,
        feet,
        min(strides, key=lambda c: c.badness),
        notes=notes,
        clip_info=(frame_count, asymmetry),
    )
    if analysis.gait == "run" and analysis.speed < MIN_RUN_SPEED * analysis.unit_speed:
        raise ClipError(
            f"The clip {recording.name} leaves the ground at {analysis.speed:.2f} m/s: that is a "
            "hop, and no run. Footfall learns from walks and runs."
        )
    return analysis


def _measure_stride(
    actor: Actor,
    feet: Feet,
    stride: Stride,
    notes: list[str],
    clip_info: tuple[int, Asymmetry | None],
) -> GaitAnalysis:
    """The numbers of a stride.

    Args:
        clip_info: how many frames the clip has, of a loop put in line one loop;
            and how its sides differ.
    """
    a = stride.begin
    b = stride.end
    frame_count, asymmetry = clip_info
    stride_time = (b - a) / FPS
    com = compute_center_of_mass(actor)
    distance = float(np.linalg.norm((com[b] - com[a])[:2]))
    nearby_contacts = [
        s for s in feet.contacts if abs(s.strike * FPS - 0.5 * (a + b)) < 0.6 * (b - a)
    ]
    measured_contacts = [
        _ContactMeasures.from_contact(feet, com, s, stride) for s in nearby_contacts
    ]
    complete_contacts = [measures for measures in measured_contacts if measures.contact.is_complete]
    strikes = np.zeros(2)
    strikes[1 - stride.side] = (stride.other_strike - a) / (b - a)
    curves = compute_cycle_angles(
        actor,
        feet,
        a,
        end=b,
        heading=stride.heading,
        strikes=(float(strikes[0]), float(strikes[1])),
    )
    rise, is_level = _compute_rise(actor, feet, com, a=a, b=b)
    if is_level:
        notes = [*notes, "its hips keep their height, so the rise is taken from the feet"]
    if asymmetry is not None:
        notes = [*notes, asymmetry.summary]
    duty = _average_sides(
        [
            (measures.contact.lift - measures.contact.strike) / stride_time
            for measures in complete_contacts
        ],
        complete_contacts,
        asymmetry,
    )
    begin = (
        a % (frame_count - 1) / FPS + actor.skipped_time
        if actor.frames > frame_count
        else a / FPS + actor.skipped_time
    )
    return GaitAnalysis(
        actor.name,
        "walk" if duty > 0.5 else "run",
        begin,
        begin + stride_time,
        leg_length=actor.leg_length,
        speed=distance / stride_time,
        stride_length=distance,
        stride_time=stride_time,
        duty=duty,
        heel_off=_compute_mean(
            [
                (measures.heel_rise_time - measures.contact.strike)
                / (measures.contact.lift - measures.contact.strike)
                for measures in complete_contacts
            ]
        ),
        flat=_compute_mean(
            [
                (measures.contact.flat - measures.contact.strike)
                / (measures.contact.lift - measures.contact.strike)
                for measures in complete_contacts
            ]
        ),
        strike_pitch=_compute_mean(
            [np.degrees(measures.strike_pitch) for measures in measured_contacts]
        ),
        toe_off_pitch=_compute_mean(
            [-np.degrees(measures.lift_pitch) for measures in complete_contacts]
        ),
        step_width=_compute_side_difference(
            [measures.lateral_offset for measures in measured_contacts], nearby_contacts
        ),
        hip_width=float(np.median(np.linalg.norm(actor.hips[:, 0] - actor.hips[:, 1], axis=1))),
        toe_out=0.5
        * _compute_side_difference(
            [np.degrees(measures.toe_out) for measures in measured_contacts], nearby_contacts
        ),
        foot_offset=_compute_mean([measures.foot_offset for measures in complete_contacts])
        + compute_lean_shift(actor),
        crouch=_compute_hip_drop(actor, complete_contacts, asymmetry),
        bounce=0.5 * float(np.ptp(rise if asymmetry is None else _symmetrize_rise(rise))),
        sway=0.5
        * _compute_side_difference(
            [measures.lateral_sway for measures in complete_contacts],
            [measures.contact for measures in complete_contacts],
        ),
        contacts=tuple(
            s.shifted(actor.skipped_time) for s in feet.contacts if s.strike * FPS < frame_count
        ),
        curves=np.degrees(curves),
        notes=tuple(notes),
        asymmetry=asymmetry,
    )


def _compute_mean(values: list[float]) -> float:
    return float(np.mean(values))


def _average_sides(
    values: list[float], contacts: list[_ContactMeasures], asymmetry: Asymmetry | None
) -> float:
    """The mean over contacts; where sides differ half-way between both,
    as one of them may be there once more.
    """
    if asymmetry is None:
        return _compute_mean(values)
    return 0.5 * sum(
        _compute_mean(
            [
                v
                for v, measures in zip(values, contacts, strict=True)
                if measures.contact.side == side
            ]
        )
        for side in (0, 1)
    )


def _symmetrize_rise(rise: Array) -> Array:
    """What the rise over a cycle has in common in both its halves. (n,)."""
    cycle = rise[:-1]
    shifted_index = (np.arange(len(cycle)) + 0.5 * len(cycle)) % len(cycle)
    return 0.5 * (cycle + np.interp(shifted_index, np.arange(len(rise)), rise))


def _compute_side_difference(values: list[float], contacts: list[FootContact]) -> float:
    """How much more a value is in left contacts than in right ones;
    twice as much as from 0 where one side has none.
    """
    sides = [
        [v for v, s in zip(values, contacts, strict=True) if s.side == side] for side in (0, 1)
    ]
    left, right = (float(np.mean(side_values)) if side_values else None for side_values in sides)
    if left is None or right is None:
        return 2 * (left or -(right or 0.0))
    return left - right


def _compute_rise(actor: Actor, feet: Feet, com: Array, a: int, b: int) -> tuple[Array, bool]:
    """Height of the centre of mass over the cycle, and whether the clip itself
    has lost it. (b - a + 1,).
    """
    height = com[a : b + 1, 2] - (com[b, 2] - com[a, 2]) * np.linspace(0, 1, b - a + 1)
    is_level = bool(np.ptp(actor.hips[a : b + 1].mean(1)[:, 2]) < MIN_RISE * actor.leg_length)
    if is_level:
        height = com[a : b + 1, 2] - np.minimum(feet.heels, feet.balls)[a : b + 1, :, 2].min(1)
    return np.asarray(gaussian_filter1d(height, 0.017 * FPS, mode="nearest")), is_level


def _compute_hip_drop(
    actor: Actor, contacts: list[_ContactMeasures], asymmetry: Asymmetry | None
) -> float:
    """How far hips ride below straight legs in mid-contact, m."""
    straight_leg = sum(
        float(np.median(np.linalg.norm(a - b, axis=-1)))
        for a, b in ((actor.hips, actor.knees), (actor.knees, actor.ankles))
    )
    return straight_leg - _average_sides(
        [measure_hip_height(actor, measures.contact) for measures in contacts], contacts, asymmetry
    )


@dataclass(frozen=True)
class _ContactMeasures:
    """One contact as it is seen from the body; m, rad and, of `heel_rise_time`, s. Left of the
    body's line is positive.
    """

    contact: FootContact
    strike_pitch: float
    lift_pitch: float
    heel_rise_time: float
    toe_out: float
    foot_offset: float
    lateral_offset: float
    lateral_sway: float

    @staticmethod
    def from_contact(
        feet: Feet, com: Array, contact: FootContact, stride: Stride
    ) -> _ContactMeasures:
        """Measured against the line along which the body goes in a stride."""
        strike, flat, heel_off, lift = (
            min(round(t * FPS), len(com) - 1)
            for t in (contact.strike, contact.flat, contact.heel_off, contact.lift)
        )
        stance = slice(min(flat, heel_off), max(flat, heel_off) + 1)
        pitch = feet.pitch[:, contact.side]
        heading = float(stride.heading.mean())
        rise_frame = heel_off
        rise_pitch = float(np.median(pitch[stance])) - HEEL_RISE_ANGLE
        while rise_frame > flat and pitch[rise_frame - 1] < rise_pitch:
            rise_frame -= 1
        sole_position = 0.5 * (feet.heels + feet.balls)[stance, contact.side].mean(0)
        middle_frame = min(round(contact.time * FPS), len(com) - 1)
        a = stride.begin
        b = stride.end
        expected_com = com[a] + (com[b] - com[a]) * (middle_frame - a) / (b - a)
        left_direction = np.array([-np.sin(heading), np.cos(heading)])
        return _ContactMeasures(
            contact,
            float(pitch[strike]),
            float(pitch[lift]),
            heel_rise_time=rise_frame / FPS,
            toe_out=float(
                so3.wrap_angle(float(feet.heading[stance, contact.side].mean()) - heading)
            ),
            foot_offset=float(
                (com[middle_frame] - sole_position)[:2] @ [np.cos(heading), np.sin(heading)]
            ),
            lateral_offset=float((sole_position - expected_com)[:2] @ left_direction),
            lateral_sway=float((com[middle_frame] - expected_com)[:2] @ left_direction),
        )
