"""What a clip of a body on four legs shows: its gait, its cleanest stride,
and how it carries itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...style.quadruped_defaults import predict_stride_time
from ...style.quadruped_style import NUMBER_RANGES
from ..bvh import Recording
from ..contacts import FootContact
from ..units import HipHeightUnits
from .actor import QuadrupedActor, find_quadruped
from .carriage import STRIDE_SAMPLES, compute_carriage, compute_chain_rise
from .contacts import FOOT_NAMES, QuadrupedStride, find_cleanest_stride
from .gait_names import name_quadruped_gait

Array = NDArray[np.float64]

# rows and sides of feet in the order in which they are told
FOOT_ORDER = ((0, 1), (0, -1), (1, 1), (1, -1))
STRIP_MARKS = 24  # of a foot's strip


@dataclass(frozen=True)
class QuadrupedGaitAnalysis(HipHeightUnits):
    """What was understood of a clip of a body on four legs. Every field may be replaced, and
    what is made of it follows.

    Args:
        gait: what the footfalls are called.
        begin, end: of the cleanest stride, from a touch-down of the left hind foot to
            its next, s of the clip.
        hip_height: of hips and shoulders over the soles as the body stands, m,
            after which lengths are told.
        speed: m/s.
        stride_time: s.
        phases: of the touch-downs of left hind, right hind,
            left fore and right fore foot, strides. (4,).
        duties: share of the stride that each of them is down. (4,).
        crouch: how far the body rides lower than it stands, m.
        bounce: how much it rises and falls from lowest to highest, m.
        lift: how high feet are lifted, m.
        neck_rise, tail_rise: how steeply they rise as the body stands, degrees;
            NaN of what is not there.
        contacts: all contacts of the clip, `side` telling the foot from 0 to 3; s of the clip.
        curves: those of a style, each (SAMPLES,) over the stride, degrees;
            NaN of what is not there.
        notes: what was assumed, for users.
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
        """What the body goes in a stride, m."""
        return self.speed * self.stride_time

    @property
    def stride_rate_ratio(self) -> float:
        """Strides a second, as a multiple of the usual at that speed."""
        return (
            float(predict_stride_time((self.speed / self.unit_speed) ** 2))
            * self.unit_time
            / self.stride_time
        )

    @property
    def footfall_strips(self) -> tuple[str, ...]:
        """When each foot is down over the stride, a line each, as text."""
        moments = (np.arange(STRIP_MARKS) + 0.5) / STRIP_MARKS
        is_down = (moments - self.phases[:, None]) % 1.0 < self.duties[:, None]
        return tuple(
            "".join("▮" if on else "▯" for on in row) + f"  {foot}"
            for foot, row in zip(FOOT_NAMES, is_down, strict=True)
        )

    @property
    def duty(self) -> float:
        """Share of the stride that feet are down, the mean of all."""
        return float(self.duties.mean())


def analyze_quadruped_gait(recording: Recording) -> QuadrupedGaitAnalysis:
    """Find the gait of a clip of a body on four legs.

    Raises:
        ClipError: nobody on four legs, or nobody who goes ahead for a stride.
    """
    actor = find_quadruped(recording)
    stride = find_cleanest_stride(actor)
    notes = list(actor.notes)
    if stride.in_place:
        notes.append(f"it stays in place; its feet say that it goes at {stride.speed:.2f} m/s")
    analysis = _measure_stride(actor, stride, tuple(notes))
    min_rate, max_rate = NUMBER_RANGES["quick"]
    if not min_rate <= analysis.stride_rate_ratio <= max_rate:
        style_stride_time = (
            analysis.stride_time
            * analysis.stride_rate_ratio
            / min(max(analysis.stride_rate_ratio, min_rate), max_rate)
        )
        rate_text = (
            f"{analysis.stride_rate_ratio:.1f} times as many a second as usual"
            if analysis.stride_rate_ratio > 1
            else "as in slow motion"
        )
        analysis = replace(
            analysis,
            notes=(
                *analysis.notes,
                (
                    f"its strides take {analysis.stride_time:.2f} s, {rate_text} for its size and "
                    f"speed; the style takes {style_stride_time:.2f} s, which weight and legs "
                    "allow"
                ),
            ),
        )
    return analysis


def _measure_stride(
    actor: QuadrupedActor, stride: QuadrupedStride, notes: tuple[str, ...]
) -> QuadrupedGaitAnalysis:
    a = stride.begin
    b = stride.end
    moments = a + (b - a) * np.arange(STRIDE_SAMPLES) / STRIDE_SAMPLES
    frames = np.arange(len(actor.forward_speed))

    def sample(_: str, values: Array) -> Array:
        flat = values.reshape(len(frames), -1)
        columns = [np.interp(moments, frames, column) for column in flat.T]
        return (
            np.stack(columns, -1).reshape(STRIDE_SAMPLES, *values.shape[1:])
            if columns
            else np.zeros((STRIDE_SAMPLES, *values.shape[1:]))
        )

    poses = actor.poses.map_arrays(sample)
    rest = actor.rest
    hip_height = actor.hip_height
    phases = (stride.strikes - a) / (b - a) % 1.0
    duties = (stride.lifts - stride.strikes) / (b - a)
    floor = np.quantile(actor.poses.sole_heights, 0.03, axis=0)
    root_heights = poses.leg_roots[..., 2].mean(1)
    begin_frame = a - actor.loop_frames if a >= actor.loop_frames > 0 else a
    clip_end = (actor.loop_frames or len(frames)) * actor.dt
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
        contacts=tuple(sorted(contacts, key=lambda s: s.time)),
        curves=compute_carriage(poses, rest),
        notes=notes,
    )


def _compute_rise_degrees(chain: Array, base: Array, direction: float) -> float:
    return (
        float(np.degrees(compute_chain_rise(chain, base, direction)[0]))
        if chain.shape[1] > 1
        else float("nan")
    )
