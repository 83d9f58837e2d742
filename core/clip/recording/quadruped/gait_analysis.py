"""What a clip of a body on four legs shows: its gait, its cleanest stride, and how it carries itself."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...style.quadruped_defaults import usual_stride
from ...style.quadruped_style import NUMBERS
from ..bvh import Recording
from ..contacts import Step
from ..units import OfHipHeight
from .actor import QuadrupedActor, find_quadruped
from .carriage import SAMPLES, carriage_seen, rise_of
from .contacts import FEET, FourStride, find_stride
from .gait_names import name_four

Array = NDArray[np.float64]

PLACES = ((0, 1), (0, -1), (1, 1), (1, -1))      # rows and sides of feet in the order in which they are told
MARKS = 24                # of a foot's strip


@dataclass(frozen=True)
class UnderstoodQuadruped(OfHipHeight):
    """What was understood of a clip of a body on four legs. Every field may be replaced, and what is made of it follows.

    Args:
        gait: what the footfalls are called.
        begin, end: of the cleanest stride, from a touch-down of the left hind foot to its next, s of the clip.
        hip_height: of hips and shoulders over the soles as the body stands, m, after which lengths are told.
        speed: m/s.
        stride_time: s.
        phases: of the touch-downs of left hind, right hind, left fore and right fore foot, strides. (4,).
        duties: share of the stride that each of them is down. (4,).
        crouch: how far the body rides lower than it stands, m.
        bounce: how much it rises and falls from lowest to highest, m.
        lift: how high feet are lifted, m.
        neck_rise, tail_rise: how steeply they rise as the body stands, degrees; NaN of what is not there.
        steps: all contacts of the clip, `side` telling the foot from 0 to 3; s of the clip.
        curves: those of a style, each (SAMPLES,) over the stride, degrees; NaN of what is not there.
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
    steps: tuple[Step, ...]
    curves: dict[str, Array]
    notes: tuple[str, ...] = ()

    @property
    def stride_length(self) -> float:
        """What the body goes in a stride, m."""
        return self.speed * self.stride_time

    @property
    def quick(self) -> float:
        """Strides a second, as a multiple of the usual at that speed."""
        return float(usual_stride((self.speed / self.unit_speed) ** 2)) * self.unit_time / self.stride_time

    @property
    def strips(self) -> tuple[str, ...]:
        """When each foot is down over the stride, a line each, as text."""
        moments = (np.arange(MARKS) + 0.5) / MARKS
        down = (moments - self.phases[:, None]) % 1.0 < self.duties[:, None]
        return tuple("".join("▮" if on else "▯" for on in row) + f"  {foot}" for foot, row in zip(FEET, down, strict=True))

    @property
    def duty(self) -> float:
        """Share of the stride that feet are down, the mean of all."""
        return float(self.duties.mean())


def understand_quadruped(recording: Recording) -> UnderstoodQuadruped:
    """Find the gait of a clip of a body on four legs.

    Raises:
        ClipError: nobody on four legs, or nobody who goes ahead for a stride.
    """
    actor = find_quadruped(recording)
    stride = find_stride(actor)
    notes = list(actor.notes)
    if stride.in_place:
        notes.append(f"it stays in place; its feet say that it goes at {stride.speed:.2f} m/s")
    told = _measured(actor, stride, tuple(notes))
    slowest, quickest = NUMBERS["quick"]
    if not slowest <= told.quick <= quickest:
        taken = told.stride_time * told.quick / min(max(told.quick, slowest), quickest)
        much = f"{told.quick:.1f} times as many a second as usual" if told.quick > 1 else "as in slow motion"
        told = replace(told, notes=(*told.notes, f"its strides take {told.stride_time:.2f} s, {much} for its size and speed; the "
                                    f"style takes {taken:.2f} s, which weight and legs allow"))
    return told


def _measured(actor: QuadrupedActor, stride: FourStride, notes: tuple[str, ...]) -> UnderstoodQuadruped:
    a, b = stride.begin, stride.end
    moments = a + (b - a) * np.arange(SAMPLES) / SAMPLES
    whole = np.arange(len(actor.ahead))

    def sampled(_: str, values: Array) -> Array:
        flat = values.reshape(len(whole), -1)
        picked = [np.interp(moments, whole, column) for column in flat.T]
        return np.stack(picked, -1).reshape(SAMPLES, *values.shape[1:]) if picked else np.zeros((SAMPLES, *values.shape[1:]))

    poses, rest, height = actor.poses.of(sampled), actor.rest, actor.hip_height
    phases, duties = (stride.strikes - a) / (b - a) % 1.0, (stride.lifts - stride.strikes) / (b - a)
    floor = np.quantile(actor.poses.lows, 0.03, axis=0)
    tops = poses.tops[..., 2].mean(1)
    begins = a - actor.loop if a >= actor.loop > 0 else a
    once = (actor.loop or len(whole)) * actor.dt
    steps = [Step(leg, s * actor.dt, s * actor.dt, e * actor.dt, e * actor.dt, s > 0)
             for leg, spans in enumerate(stride.contacts) for s, e in spans if s * actor.dt < once]
    return UnderstoodQuadruped(
        actor.name, name_four(dict(zip(PLACES, phases, strict=True)), float(duties.mean())), begins * actor.dt,
        (begins + b - a) * actor.dt, height, stride.speed, (b - a) * actor.dt, phases, duties,
        crouch=float(height - (tops - floor.mean()).mean()), bounce=float(np.ptp(tops)),
        lift=float((poses.lows - floor).max(0).mean()), neck_rise=_rise(rest.neck, rest.chest, 1.0),
        tail_rise=_rise(rest.tail, rest.pelvis, -1.0), steps=tuple(sorted(steps, key=lambda s: s.time)),
        curves=carriage_seen(poses, rest), notes=notes)


def _rise(chain: Array, base: Array, ahead: float) -> float:
    return float(np.degrees(rise_of(chain, base, ahead)[0])) if chain.shape[1] > 1 else float("nan")
