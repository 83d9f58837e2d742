"""Analysis of a clip: its gait, its most regular stride, and the figures of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...errors import ClipError
from ...geometry.units import STANDARD_GRAVITY
from .actor import FPS
from .angles import compute_cycle_angles
from .asymmetry import Asymmetry, measure_hip_height
from .bvh import Recording
from .center_of_mass import compute_center_of_mass, compute_lean_shift
from .clip_strides import ClipStrides
from .contact_measures import ContactMeasures, drop_unlike_contacts
from .contacts import FootContact
from .corrections import NO_CORRECTIONS, ClipCorrections, cut_recording
from .find_actor import find_actor
from .stride_choice import choose_stride
from .strides import Stride
from .walk_or_run import WALK_OR_RUN, doubt_gait, weigh_walk

Array = NDArray[np.float64]
Gait = Literal["walk", "run"]


@dataclass(frozen=True)
class GaitAnalysisParameters:
    """Measurement of a gait."""

    max_hop_duty: float = 0.36  # Duty below which a slow gait is a hop; human runs have 0.4 there
    # Lowest speed of a run [sqrt(g l)], a third of that at which people begin to run
    min_run_speed: float = 0.2
    # Deviation of the filter on the height of the center of mass [s]: two frames. tuned: doubled,
    # runs rise by 3.2 cm instead of 3.6
    rise_smoothing_time: float = 0.017
    # Time between a strike and the middle of the stride up to which a contact belongs to the
    # stride, as a share of it: half, and more, as it may begin just before the stride.
    max_contact_distance: float = 0.6


GAIT = GaitAnalysisParameters()


@dataclass(frozen=True)
class GaitAnalysis:
    """Gait of a clip. Each field may be replaced before a style is built from it.

    Args:
        name: name of the clip.
        gait: walk or run.
        begin: start of the most regular stride, in the time of the clip [s].
        end: end of that stride [s].
        leg_length: leg length to which lengths are relative [m].
        speed: speed [m/s].
        stride_length: length of two steps [m].
        stride_time: time of two steps [s].
        duty: share of the cycle for which a foot is on the ground.
        heel_off: time at which the heel starts to rise, as a share of the stance. The heel rises so
            slowly at first that contacts, which are detected by speed, keep it down for longer.
        flat: time at which the ball comes down, as a share of the stance.
        strike_pitch: pitch of the foot as it strikes, toes up [degrees].
        toe_off_pitch: pitch of the foot as it lifts, toes down [degrees].
        step_width: distance between the lines of the left and the right feet [m].
        hip_width: distance between the hip joints [m].
        toe_out: outward turn of the feet [degrees].
        foot_offset: distance of the feet behind the center of mass in the middle of their
            contacts [m].
        crouch: height of the hip below that over a straight leg in the middle of a contact [m].
        bounce: amplitude of the vertical motion of the center of mass [m].
        sway: amplitude of its lateral motion, toward the standing foot [m].
        contacts: all contacts of the clip, in the time of the clip.
        curves: (2, CURVES, SAMPLES) curves of the left and the right side, each from the strike of
            its foot [degrees]; NaN for missing arms.
        notes: assumptions and omissions, for users.
        asymmetry: difference of the right side of a limp from the left side; None if it is no
            larger than that of healthy people.
        doubts: reasons for which the stride or the gait may not be right, for users; empty if the
            analysis is certain.
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
    doubts: tuple[str, ...] = ()

    @property
    def unit_speed(self) -> float:
        """Speed at Froude number 1 [m/s]."""
        return float(np.sqrt(STANDARD_GRAVITY * self.leg_length))


def analyze_gait(
    recording: Recording, corrections: ClipCorrections = NO_CORRECTIONS
) -> GaitAnalysis:
    """Return the gait of a clip of a person.

    Args:
        corrections: what the user states about the clip.

    Raises:
        ClipError: the clip shows no body with two legs, or no whole stride of a walk or run
            forward; or the corrections do not fit it.
    """
    part = cut_recording(recording, corrections)
    actor = find_actor(part, corrections.up_axis, corrections.find_feet(part))
    clip = ClipStrides.find(
        actor.swap_sides() if corrections.exchanges_sides else actor, recording.name
    )
    analysis = _analyze_strides(clip, corrections, recording.fps)
    if analysis.gait == "walk":  # a body with a leg to spare does not run
        limp = clip.detect_limp()
        if limp.asymmetry is not None:
            analysis = replace(
                _analyze_strides(limp, corrections, recording.fps), gait=analysis.gait
            )
    leaves_ground = analysis.gait == "run" or analysis.duty < GAIT.max_hop_duty
    if leaves_ground and analysis.speed < GAIT.min_run_speed * analysis.unit_speed:
        raise ClipError(
            f"The clip {recording.name} leaves the ground at {analysis.speed:.2f} m/s: that is a "
            "hop, and no run. Footfall learns from walks and runs."
        )
    return analysis


def _analyze_strides(clip: ClipStrides, corrections: ClipCorrections, fps: float) -> GaitAnalysis:
    """Return the gait of the stride that represents a clip.

    Args:
        fps: frame rate of the recording [Hz].
    """
    choice = choose_stride(clip)
    analysis = _StrideMeasures.from_stride(clip, choice.stride).to_analysis(clip.list_notes(fps))
    return replace(
        analysis,
        begin=analysis.begin + corrections.start_time,
        end=analysis.end + corrections.start_time,
        contacts=tuple(c.shifted(corrections.start_time) for c in analysis.contacts),
        gait=corrections.gait or analysis.gait,
        doubts=(*choice.doubts, *(() if corrections.gait else analysis.doubts)),
    )


@dataclass(frozen=True)
class _ComHeight:
    """Height of the center of mass over one stride.

    Args:
        height: (n,) height [m].
        is_from_feet: whether it was computed from the feet, since the hips keep their height.
    """

    height: Array
    is_from_feet: bool


@dataclass(frozen=True)
class _StrideMeasures:
    """Measurements of one stride.

    Args:
        clip: the actor with its feet.
        stride: the stride.
        com: (n, 3) center of mass over time [m].
        contacts: contacts near the stride.
    """

    clip: ClipStrides
    stride: Stride
    com: Array
    contacts: tuple[ContactMeasures, ...]

    @staticmethod
    def from_stride(clip: ClipStrides, stride: Stride) -> _StrideMeasures:
        """Return the measurements of a stride."""
        begin = stride.begin
        end = stride.end
        com = compute_center_of_mass(clip.actor)
        contacts = [
            ContactMeasures.from_contact(clip.feet, com, contact, stride)
            for contact in clip.feet.contacts
            if abs(contact.strike * FPS - 0.5 * (begin + end))
            < GAIT.max_contact_distance * (end - begin)
        ]
        return _StrideMeasures(clip, stride, com, drop_unlike_contacts(contacts, stride))

    @property
    def complete_contacts(self) -> tuple[ContactMeasures, ...]:
        """Contacts that are completely in the clip."""
        return tuple(measures for measures in self.contacts if measures.contact.is_complete)

    @property
    def stride_time(self) -> float:
        """Time of the stride [s]."""
        return (self.stride.end - self.stride.begin) / FPS

    @property
    def distance(self) -> float:
        """Distance that the center of mass travels [m]."""
        return float(np.linalg.norm((self.com[self.stride.end] - self.com[self.stride.begin])[:2]))

    @property
    def begin_time(self) -> float:
        """Start of the stride in the time of the clip [s]."""
        frame = self.clip.to_clip_frame(self.stride.begin)
        return frame / FPS + self.clip.actor.skipped_time

    def to_analysis(self, notes: Sequence[str]) -> GaitAnalysis:
        """Return the analysis of the clip.

        Args:
            notes: notes on the clip, to which those on the stride are appended.
        """
        actor = self.clip.actor
        asymmetry = self.clip.asymmetry
        rise = self._compute_com_height()
        duty = self._average_sides(lambda m: m.contact_time / self.stride_time)
        evidence = self._weigh_walk(duty)
        return GaitAnalysis(
            actor.name,
            "walk" if evidence > 0 else "run",
            self.begin_time,
            end=self.begin_time + self.stride_time,
            leg_length=actor.leg_length,
            speed=self.distance / self.stride_time,
            stride_length=self.distance,
            stride_time=self.stride_time,
            duty=duty,
            heel_off=_compute_mean([m.heel_off_share for m in self.complete_contacts]),
            flat=_compute_mean([m.flat_share for m in self.complete_contacts]),
            strike_pitch=_compute_mean([np.degrees(m.strike_pitch) for m in self.contacts]),
            toe_off_pitch=_compute_mean(
                [-np.degrees(m.lift_pitch) for m in self.complete_contacts]
            ),
            step_width=_compare_sides(self.contacts, lambda m: m.lateral_offset),
            hip_width=float(np.median(np.linalg.norm(actor.hips[:, 0] - actor.hips[:, 1], axis=1))),
            toe_out=0.5 * _compare_sides(self.contacts, lambda m: np.degrees(m.toe_out)),
            foot_offset=_compute_mean([m.foot_offset for m in self.complete_contacts])
            + compute_lean_shift(actor),
            crouch=self._compute_hip_drop(),
            bounce=0.5
            * float(np.ptp(rise.height if asymmetry is None else _symmetrize(rise.height))),
            sway=0.5 * _compare_sides(self.complete_contacts, lambda m: m.lateral_sway),
            contacts=self._list_clip_contacts(),
            curves=np.degrees(self._compute_curves()),
            notes=(*notes, *self._list_notes(rise)),
            asymmetry=asymmetry,
            doubts=doubt_gait(evidence),
        )

    def _weigh_walk(self, duty: float) -> float:
        """Return the evidence for a walk, which is negative for a run."""
        return weigh_walk(
            self.clip.actor,
            self.stride,
            duty,
            contact_times=[m.contact.time for m in self.complete_contacts],
            is_in_place=self.clip.treadmill_speed > 0,
        )

    def _list_notes(self, rise: _ComHeight) -> list[str]:
        """Return notes on the stride, for users."""
        notes = []
        if rise.is_from_feet:
            notes.append("its hips keep their height, so the rise is taken from the feet")
        if self.clip.asymmetry is not None:
            notes.append(self.clip.asymmetry.summary)
        return notes

    def _list_clip_contacts(self) -> tuple[FootContact, ...]:
        """Return all contacts of the clip in the time of the clip."""
        offset = self.clip.to_clip_frame(0) / FPS + self.clip.actor.skipped_time
        return tuple(
            s.shifted(offset)
            for s in self.clip.feet.contacts
            if s.strike * FPS < self.clip.cycle_frames
        )

    def _compute_curves(self) -> Array:
        """Return the curves of both sides, (2, CURVES, SAMPLES) [rad]."""
        stride = self.stride
        strikes = np.zeros(2)
        strikes[1 - stride.side] = (stride.other_strike - stride.begin) / (
            stride.end - stride.begin
        )
        return compute_cycle_angles(
            self.clip.actor,
            self.clip.feet,
            stride.begin,
            end=stride.end,
            heading=stride.heading,
            strikes=(float(strikes[0]), float(strikes[1])),
        )

    def _compute_com_height(self) -> _ComHeight:
        """Return the height of the center of mass over the stride."""
        actor = self.clip.actor
        feet = self.clip.feet
        com = self.com
        a = self.stride.begin
        b = self.stride.end
        height = com[a : b + 1, 2] - (com[b, 2] - com[a, 2]) * np.linspace(0, 1, b - a + 1)
        is_level = bool(
            np.ptp(actor.hips[a : b + 1].mean(1)[:, 2]) < WALK_OR_RUN.min_rise * actor.leg_length
        )
        if is_level:
            height = com[a : b + 1, 2] - np.minimum(feet.heels, feet.balls)[a : b + 1, :, 2].min(1)
        return _ComHeight(
            np.asarray(gaussian_filter1d(height, GAIT.rise_smoothing_time * FPS, mode="nearest")),
            is_level,
        )

    def _compute_hip_drop(self) -> float:
        """Return the height of the hips below that over straight legs in mid-contact [m]."""
        actor = self.clip.actor
        straight_leg = sum(
            float(np.median(np.linalg.norm(a - b, axis=-1)))
            for a, b in ((actor.hips, actor.knees), (actor.knees, actor.ankles))
        )
        return straight_leg - self._average_sides(lambda m: measure_hip_height(actor, m.contact))

    def _average_sides(self, measure: Callable[[ContactMeasures], float]) -> float:
        """Return the mean of a measure over complete contacts.

        Where the sides differ, it is the mean of their means: one may have one more contact.
        """
        if self.clip.asymmetry is None:
            return _compute_mean([measure(m) for m in self.complete_contacts])
        return 0.5 * sum(
            _compute_mean([measure(m) for m in self.complete_contacts if m.contact.side == side])
            for side in (0, 1)
        )


def _compute_mean(values: list[float]) -> float:
    return float(np.mean(values))


def _symmetrize(height: Array) -> Array:
    """Return the mean of a cycle and the same cycle half a period later, (n,) -> (n - 1,)."""
    cycle = height[:-1]
    shifted_index = (np.arange(len(cycle)) + 0.5 * len(cycle)) % len(cycle)
    return 0.5 * (cycle + np.interp(shifted_index, np.arange(len(height)), height))


def _compare_sides(
    contacts: Sequence[ContactMeasures], measure: Callable[[ContactMeasures], float]
) -> float:
    """Return the mean of a measure over left contacts minus that over right contacts.

    If one side has no contacts, it is assumed to have the opposite value.
    """
    left, right = (
        float(np.mean(values)) if values else None
        for values in ([measure(m) for m in contacts if m.contact.side == side] for side in (0, 1))
    )
    if left is None or right is None:
        return 2 * (left or -(right or 0.0))
    return left - right
