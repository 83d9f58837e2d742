"""Analysis of a clip of a four-legged body: its gait, its most regular stride, its carriage."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...style.quadruped_defaults import predict_stride_time
from ...style.quadruped_style import NUMBER_RANGES
from ..bvh import Recording
from ..contacts import FootContact
from ..treadmill import TREADMILL
from ..units import HipHeightUnits
from .actor import QuadrupedActor, find_quadruped
from .carriage import STRIDE_SAMPLES, compute_carriage, compute_chain_rise
from .contacts import FOOT_NAMES, QuadrupedStride, find_cleanest_stride
from .gait_names import name_quadruped_gait
from .poses import QuadrupedPoses

Array = NDArray[np.float64]

# Row, 0 for hind and 1 for fore, and side, 1 for left and -1 for right, of the feet in order.
FOOT_ORDER = ((0, 1), (0, -1), (1, 1), (1, -1))
STRIP_MARKS = 24  # Number of marks of a footfall strip


@dataclass(frozen=True)
class QuadrupedGaitAnalysis(HipHeightUnits):
    """Gait of a clip of a four-legged body. Fields may be replaced before a style is built.

    The feet are in the order left hind, right hind, left fore, right fore.

    Args:
        name: name of the clip.
        gait: name of the gait.
        begin: start of the most regular stride at a touch-down of the left hind foot, in the time
            of the clip [s].
        end: end of that stride [s].
        hip_height: height of hips and shoulders over the soles in the rest pose, to which lengths
            are relative [m].
        speed: speed [m/s].
        stride_time: time of a stride [s].
        phases: (4,) touch-down of each foot [strides].
        duties: (4,) share of the stride for which each foot is down.
        crouch: height of the body below its rest pose [m].
        bounce: height of its vertical motion, from lowest to highest [m].
        lift: mean height to which feet are lifted [m].
        neck_rise: angle between the neck and the horizontal in the rest pose [degrees]; NaN without
            a neck.
        tail_rise: the same of the tail [degrees].
        contacts: all contacts of the clip, with `side` from 0 to 3, in the time of the clip.
        curves: (STRIDE_SAMPLES,) curves of a style over the stride [degrees], by name; NaN for
            missing body parts.
        notes: assumptions, for users.
    """

    name: str
    gait: str
    begin: float
    end: float
    hip_height: float
    speed: float
    stride_time: float
    phases: Array
    duties: Array
    crouch: float
    bounce: float
    lift: float
    neck_rise: float
    tail_rise: float
    contacts: tuple[FootContact, ...]
    curves: dict[str, Array]
    notes: tuple[str, ...] = ()

    @property
    def stride_length(self) -> float:
        """Distance that the body travels in a stride [m]."""
        return self.speed * self.stride_time

    @property
    def stride_rate_ratio(self) -> float:
        """Strides per second, as a multiple of the usual number at that speed."""
        return (
            float(predict_stride_time((self.speed / self.unit_speed) ** 2))
            * self.unit_time
            / self.stride_time
        )

    @property
    def footfall_strips(self) -> tuple[str, ...]:
        """Contact of each foot over the stride, as a line of text."""
        moments = (np.arange(STRIP_MARKS) + 0.5) / STRIP_MARKS
        is_down = (moments - self.phases[:, None]) % 1.0 < self.duties[:, None]
        return tuple(
            "".join("▮" if on else "▯" for on in row) + f"  {foot}"
            for foot, row in zip(FOOT_NAMES, is_down, strict=True)
        )

    @property
    def duty(self) -> float:
        """Mean share of the stride for which a foot is down."""
        return float(self.duties.mean())


def analyze_quadruped_gait(recording: Recording) -> QuadrupedGaitAnalysis:
    """Return the gait of a clip of a four-legged body.

    Raises:
        ClipError: the clip shows no body on four legs, or no whole stride forward.
    """
    actor = find_quadruped(recording)
    stride = find_cleanest_stride(actor)
    notes = list(actor.notes)
    if stride.in_place:
        notes.append(f"it stays in place; its feet move as at a speed of {stride.speed:.2f} m/s")
    analysis = _measure_stride(actor, stride)
    return replace(analysis, notes=(*notes, *_list_rate_notes(analysis)))


def _list_rate_notes(analysis: QuadrupedGaitAnalysis) -> list[str]:
    """Return a note if the strides are quicker or slower than a style can have them."""
    min_rate, max_rate = NUMBER_RANGES["quick"]
    rate = analysis.stride_rate_ratio
    if min_rate <= rate <= max_rate:
        return []
    style_stride_time = analysis.stride_time * rate / min(max(rate, min_rate), max_rate)
    rate_text = f"{rate:.1f} times as many a second as usual" if rate > 1 else "as in slow motion"
    return [
        f"its strides take {analysis.stride_time:.2f} s, {rate_text} for its size and "
        f"speed; the style takes {style_stride_time:.2f} s, which weight and legs "
        "allow"
    ]


def _measure_stride(actor: QuadrupedActor, stride: QuadrupedStride) -> QuadrupedGaitAnalysis:
    """Return the analysis of a clip by one of its strides, without notes."""
    a = stride.begin
    b = stride.end
    poses = _sample_stride(actor, stride)
    rest = actor.rest
    hip_height = actor.hip_height
    phases = (stride.strikes - a) / (b - a) % 1.0
    duties = (stride.lifts - stride.strikes) / (b - a)
    floor = np.quantile(actor.poses.sole_heights, TREADMILL.floor_quantile, axis=0)
    root_heights = poses.leg_roots[..., 2].mean(1)
    begin_frame = a - actor.loop_frames if a >= actor.loop_frames > 0 else a
    return QuadrupedGaitAnalysis(
        actor.name,
        name_quadruped_gait(dict(zip(FOOT_ORDER, phases, strict=True)), float(duties.mean())),
        begin_frame * actor.dt,
        end=(begin_frame + b - a) * actor.dt,
        hip_height=hip_height,
        speed=stride.speed,
        stride_time=(b - a) * actor.dt,
        phases=phases,
        duties=duties,
        crouch=float(hip_height - (root_heights - floor.mean()).mean()),
        bounce=float(np.ptp(root_heights)),
        lift=float((poses.sole_heights - floor).max(0).mean()),
        neck_rise=_compute_rise_degrees(rest.neck, rest.chest, 1.0),
        tail_rise=_compute_rise_degrees(rest.tail, rest.pelvis, -1.0),
        contacts=_list_contacts(actor, stride),
        curves=compute_carriage(poses, rest),
    )


def _sample_stride(actor: QuadrupedActor, stride: QuadrupedStride) -> QuadrupedPoses:
    """Return the poses at STRIDE_SAMPLES times of a stride."""
    moments = (
        stride.begin + (stride.end - stride.begin) * np.arange(STRIDE_SAMPLES) / STRIDE_SAMPLES
    )
    frames = np.arange(len(actor.forward_speed))

    def sample(_: str, values: Array) -> Array:
        flat = values.reshape(len(frames), -1)
        columns = [np.interp(moments, frames, column) for column in flat.T]
        return (
            np.stack(columns, -1).reshape(STRIDE_SAMPLES, *values.shape[1:])
            if columns
            else np.zeros((STRIDE_SAMPLES, *values.shape[1:]))
        )

    return actor.poses.map_arrays(sample)


def _list_contacts(actor: QuadrupedActor, stride: QuadrupedStride) -> tuple[FootContact, ...]:
    """Return all contacts of the clip in order of time, of a loop those of one period."""
    clip_end = (actor.loop_frames or len(actor.forward_speed)) * actor.dt
    contacts = [
        FootContact(
            leg,
            s * actor.dt,
            s * actor.dt,
            heel_off=e * actor.dt,
            lift=e * actor.dt,
            is_complete=s > 0,
        )
        for leg, spans in enumerate(stride.contacts)
        for s, e in spans
        if s * actor.dt < clip_end
    ]
    return tuple(sorted(contacts, key=lambda s: s.time))


def _compute_rise_degrees(chain: Array, base: Array, direction: float) -> float:
    """Return the angle between a chain and the horizontal in the rest pose [degrees], else NaN."""
    return (
        float(np.degrees(compute_chain_rise(chain, base, direction)[0]))
        if chain.shape[1] > 1
        else float("nan")
    )
