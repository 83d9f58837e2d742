"""Steps of a planned walk that begins or ends in a stand, read from its side view.

The first step begins with both feet side by side, the last one ends so. In the plane a foot beside
the one that stands has the same pose and bears no weight, so both are single support.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ....errors import TaskError
from ....motion import Footstep
from ..input_walk import (
    INPUT,
    SagittalWalk,
    StepSamples,
    continue_step,
    lower_hip,
    measure_drop,
    place_legs,
    sample_frames,
    sample_step,
)
from ..side_view import ComplexArray, SideView

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StandParameters:
    """How steps from and to a stand are read, and how the body comes to rest.

    Args:
        interval: between the instants of the first and the last step [s], about a time step.
        least_speed: of the hip [m/s], so that the phase increases where the input pauses.
        smoothing: instants over which its advance is smoothed where a pause begins or ends: 10 ms,
            two time steps.
        settling: rate at which the speed vanishes in the stand [1/s]. tuned: with 3 1/s the hip
            comes to rest 12 cm in front of the ankles, where those of a person are 5 cm
        rest_time: time of the last step after its foot lies flat [s], in which the speed vanishes
            but for 1 %.
        rest_zone: phase before a start and beyond a stop from which the body is brought back to
            the stand [rad]. tuned: without, the start in the style `limp` ended in a fall backward
        pieces: of the splines of rate and place of the force in the last step: each some time
            steps long.
        least_speed_left: least speed of the hip as the last foot lies flat [m/s], from which the
            rest of the distance takes time.
        capture: place of the capture point from the last ankle as its foot lands [m]. tuned: where
            the plan alone has it, up to 4 cm behind the ankle, the last step took 0.9 to 1.2 s with
            the foot in the air, or the body swayed back; with 0.03 m 8 of 42 stops at 1.1 to 1.5
            m/s after 5 to 8.4 m fell, with 0.045 m 5, all after less than 6 m, test_stands
        most_ratio: largest speed of the step before as a multiple of that in the plan. tuned: with
            2.5 the stop of `proud` after 3 m ends in a fall forward
    """

    interval: float = 0.005
    least_speed: float = 0.02
    smoothing: float = 2.0
    settling: float = 5.0
    rest_time: float = 1.0
    rest_zone: float = 0.15
    pieces: int = 16
    least_speed_left: float = 0.02
    capture: float = 0.045
    most_ratio: float = 1.4


STANDS = StandParameters()


@dataclass(frozen=True)
class StandStep:
    """A step of such a walk, from a footstep to the next one of the other leg.

    Args:
        samples: of the step.
        front: contact of leg 1.
        next_contact: contact of leg 2 at its end.
        rear: contact of leg 2 before it.
        true_time: time of the samples up to which they are those of the walk [s].
        begins_standing: whether foot 2 begins beside foot 1.
        ends_standing: whether it ends there.
    """

    samples: StepSamples
    front: Footstep
    next_contact: Footstep
    rear: Footstep
    true_time: float
    begins_standing: bool = False
    ends_standing: bool = False


def read_stand_steps(
    walk: SagittalWalk, view: SideView, begins_standing: bool, ends_standing: bool
) -> tuple[StandStep, ...]:
    """Return the steps of a walk in their order.

    Args:
        walk: side view of the walk.
        view: proportions.
        begins_standing: whether it begins in a stand; else its first step is left out.
        ends_standing: whether its last step, which is within its time, ends in one.

    Raises:
        TaskError: a foot lands twice in a row.
    """
    walk = lower_hip(_advance_hip(walk), view)
    order = _sort_contacts(walk.footsteps, begins_standing)
    steps = []
    for k in range(1, len(order) - 1):
        rear, front, ahead = (walk.footsteps[i] for i in order[k - 1 : k + 2])
        if front.leg == ahead.leg or rear.leg == front.leg:
            raise TaskError(
                "A foot lands twice in a row in the walk to follow from or to a stand. Set the "
                "start to 'moving' and switch off the stop at the end, or choose another style."
            )
        if ahead.strike > walk.times[-1]:
            break
        if front.strike < walk.times[0] and not (begins_standing and k == 1):
            continue
        origin = complex(walk.ankle_at_rest[order[k]])
        reader = _StepReader(walk, view, rear, front, ahead, origin)
        if begins_standing and k == 1:
            steps.append(reader.read_first())
        elif ends_standing and k == len(order) - 2:
            steps.append(reader.read_last())
        else:
            samples = sample_step(walk, view, order[k], order[k + 1])
            duration = samples.duration
            steps.append(StandStep(samples, front, ahead, rear, duration))
    return tuple(steps)


def _advance_hip(walk: SagittalWalk) -> SagittalWalk:
    """Return a walk whose hip advances all the time, as the phase has to increase.

    Its frames are as close as samples, so that splines through them advance as well.
    """
    times = np.arange(walk.times[0], walk.times[-1], STANDS.interval)
    curves = np.stack([walk.hip, *walk.ankle, walk.trunk, *walk.foot], -1)
    hip, *ankle, trunk, foot_1, foot_2 = CubicSpline(walk.times, curves)(times).T
    ramp = STANDS.least_speed * times
    ahead = gaussian_filter1d(np.maximum.accumulate(hip.real - ramp), STANDS.smoothing) + ramp
    return replace(
        walk,
        times=times,
        hip=ahead + 1j * hip.imag,
        ankle=np.stack(ankle),
        trunk=trunk.real,
        foot=np.stack([foot_1.real, foot_2.real]),
    )


def _sort_contacts(footsteps: Sequence[Footstep], begins_standing: bool) -> list[int]:
    """Return the indices of contacts in the order of their strikes; of a stand, of their lifts."""
    order = sorted(range(len(footsteps)), key=lambda k: footsteps[k].strike)
    if begins_standing:
        order[:2] = sorted(order[:2], key=lambda k: footsteps[k].lift)
    return order


@dataclass(frozen=True)
class _StepReader:
    """Samples of a step from or to a stand.

    Args:
        walk: side view of the walk.
        view: proportions.
        rear, front, ahead: contacts of leg 2, of leg 1, and of leg 2 at the end of the step.
        origin: ankle of leg 1 while its foot is flat [m].
    """

    walk: SagittalWalk
    view: SideView
    rear: Footstep
    front: Footstep
    ahead: Footstep
    origin: complex

    def read_first(self) -> StandStep:
        """Return the step that begins with both feet side by side, at the begin of the walk."""
        begin = float(self.walk.times[0])
        frames = self._sample(begin, self.ahead.strike)
        late = continue_step(frames)
        drop = measure_drop(late[:, 0], late[:, 1:3].T, self.view, INPUT.max_stretch)
        late[:, 0] -= 1j * drop
        count = len(frames)
        span = INPUT.late_share * (count - 1) * STANDS.interval
        late_time = span * np.arange(1, len(late) + 1) / len(late)
        time = STANDS.interval * np.arange(count)
        samples = StepSamples(
            self.front.leg,
            np.concatenate([time, time[-1] + late_time]),
            place_legs(np.concatenate([frames, late]), self.view),
            landing=count - 1,
            flat=0,
            lift=0,
            heel_off=self._find(self.front.heel_off - begin, count),
            begin=begin,
            origin=self.origin,
        )
        return self._make_step(samples, samples.duration, begins_standing=True)

    def read_last(self) -> StandStep:
        """Return the step that ends with both feet side by side.

        Its single support begins with it: the steps before a stand are short, and the phase hardly
        advances in double support. From the instant at which foot 2 lies flat the speed vanishes.
        """
        begin = self.front.strike
        frames = self._sample(begin, self.ahead.flat)
        flat = len(frames)
        velocity = frames[-1, 0] - frames[-2, 0]
        least = STANDS.least_speed_left * STANDS.interval
        velocity = complex(max(velocity.real, least), velocity.imag)
        count = round(STANDS.rest_time / STANDS.interval)
        decay = STANDS.settling * STANDS.interval
        rest = np.repeat(frames[-1:], count, axis=0)
        rest[:, 0] += velocity / decay * (1 - np.exp(-decay * np.arange(1, count + 1)))
        frames = np.concatenate([frames, rest])
        last = len(frames) - 1
        samples = StepSamples(
            self.front.leg,
            np.linspace(0.0, STANDS.interval * last, last + 1),
            place_legs(frames, self.view),
            landing=last,
            flat=self._find(self.front.flat - begin, flat),
            lift=1,
            heel_off=last - count // 8,
            begin=begin,
            origin=self.origin,
        )
        return self._make_step(samples, (flat - 1) * STANDS.interval, ends_standing=True)

    def _make_step(
        self,
        samples: StepSamples,
        true_time: float,
        begins_standing: bool = False,
        ends_standing: bool = False,
    ) -> StandStep:
        return StandStep(
            samples,
            self.front,
            self.ahead,
            self.rear,
            true_time=true_time,
            begins_standing=begins_standing,
            ends_standing=ends_standing,
        )

    def _find(self, time: float, count: int) -> int:
        """Return the index of a time since the begin [s] among `count` instants."""
        return int(np.clip(round(time / STANDS.interval), 1, count - 2))

    def _sample(self, begin: float, end: float) -> ComplexArray:
        """Return hip, ankles and pitches as `sample_frames`, from ankle 1."""
        times = np.arange(begin, end, STANDS.interval)
        frames = sample_frames(self.walk, times, (self.front.leg, self.ahead.leg))
        frames[:, :3] -= self.origin
        return frames
