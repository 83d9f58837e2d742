"""A walk seen from the side: what the motion constraints are fitted to.

The walk is read from the arrays of a motion, whichever engine, clip or file made it. A foot of such
a walk lands on the heel, lies flat, and rises over the joint of the toes before the other foot
lands; the planar biped has a contact state for each of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...character.character import Character
from ...errors import TaskError
from ...geometry import so3
from ...motion import Footstep, Motion
from .side_view import ComplexArray, SideView

Array = NDArray[np.float64]


@dataclass(frozen=True)
class InputParameters:
    """How steps are read from a motion.

    Args:
        samples: number of instants of a step, 5 ms apart, about a time step of the simulation.
        late_share: time after the landing for which the step continues, should the ground be lower,
            as a share of the step.
        late_samples: number of instants of this time, as far apart as those of the step.
        late_drop: distance by which the hip sinks in it [m], less than the foot.
        late_reach: distance by which the foot sinks in it [m], that of a free fall in this time at
            1.3 m/s; more than the hip, so that the leg stretches toward the ground.
        max_stretch: longest distance from hip to ankle, as a share of the straight leg. tuned: with
            a straight knee the constraints of double support have no solution nearby,
            test_walker.test_walk_on_flat_ground_does_not_fall; the whole body has straighter knees
        drop_step: time between the instants at which the hip is lowered [s], that of `samples`.
        drop_smoothing: deviation over which this is smoothed [s], four instants.
    """

    samples: int = 101
    late_share: float = 0.3
    late_samples: int = 30
    late_drop: float = 0.07
    late_reach: float = 0.12
    max_stretch: float = 0.995
    drop_step: float = 0.005
    drop_smoothing: float = 0.02


INPUT = InputParameters()


@dataclass(frozen=True)
class StepSamples:
    """One step of a walk: from the landing of leg 1 to that of leg 2, and on.

    Places are relative to the ankle of leg 1 while its foot is flat.

    Args:
        leg: index of leg 1 in the character.
        time: time since the landing [s], shape (n,).
        coordinates: of the planar biped, shape (n, 9).
        landing: index of the landing of leg 2.
        flat: index from which foot 1 is flat.
        lift: index of the lift of foot 2.
        heel_off: index from which foot 1 rises over its toes.
        begin: time of the landing in the input walk [s].
        slope: of the ground [rad].
        origin: ankle of leg 1 while its foot is flat, in the input walk [m].
    """

    leg: int
    time: Array
    coordinates: Array
    landing: int
    flat: int
    lift: int
    heel_off: int
    begin: float
    origin: complex
    slope: float = 0.0

    @property
    def duration(self) -> float:
        """Time up to the landing of leg 2 [s]."""
        return float(self.time[self.landing])


@dataclass(frozen=True)
class SagittalWalk:
    """Joints of a body in the plane of its heading over n frames.

    Args:
        times: [s], shape (n,).
        hip: middle of the hips [m], shape (n,).
        trunk: pitch of the trunk [rad], shape (n,).
        ankle: [m], shape (2, n).
        foot: pitch of the feet [rad], shape (2, n).
        footsteps: contacts of the feet.
        ankle_at_rest: place of the ankle of each footstep while the foot is flat [m].
    """

    times: Array
    hip: ComplexArray
    trunk: Array
    ankle: ComplexArray
    foot: Array
    footsteps: tuple[Footstep, ...]
    ankle_at_rest: ComplexArray

    @staticmethod
    def from_motion(motion: Motion, character: Character) -> SagittalWalk:
        """Return the side view of a motion along a straight path."""
        first = motion.path[0]
        last = motion.path[-1]
        forward = (last - first) / np.linalg.norm(last - first)
        rotation = so3.quat_to_matrix(motion.link_orientation)

        def project(points: Array) -> ComplexArray:
            return np.asarray((points[..., :2] - first) @ forward + 1j * points[..., 2])

        def measure_pitch(link: int) -> Array:
            ahead = rotation[:, link, :, 0]
            return np.unwrap(so3.atan2(ahead[:, 2], ahead[:, :2] @ forward))

        thighs = [leg.links[0] for leg in character.legs]
        feet = [foot.link for foot in character.feet]
        trunk = character.trunk[-1] if character.trunk else 0
        return SagittalWalk(
            np.arange(motion.frames) / motion.fps,
            project(motion.link_origin[:, thighs].mean(1)),
            measure_pitch(trunk),
            ankle=project(motion.link_origin[:, feet]).T,
            foot=np.stack([measure_pitch(link) for link in feet]),
            footsteps=motion.footsteps,
            ankle_at_rest=np.array(
                [
                    project(f.position - f.rotation @ character.feet[f.leg].sole_center)
                    for f in motion.footsteps
                ]
            ),
        )

    def list_steps(self) -> NDArray[np.int64]:
        """Return the indices of footsteps and of those of the other leg that follow each, (k, 2).

        Only those within the frames are taken, without the first one.
        """
        order = sorted(range(len(self.footsteps)), key=lambda k: self.footsteps[k].strike)
        pairs = [
            (a, b)
            for a, b in pairwise(order[1:])
            if self.footsteps[a].strike >= self.times[0]
            and self.footsteps[b].strike <= self.times[-1]
            and self.footsteps[a].leg != self.footsteps[b].leg
        ]
        return np.array(pairs, np.int64).reshape(-1, 2)


def read_steps(walk: SagittalWalk, view: SideView) -> tuple[StepSamples, ...]:
    """Return a step on the left and one on the right foot, the last ones of a walk.

    Raises:
        TaskError: the walk has no two whole steps, or a phase without contact.
    """
    steps = walk.list_steps()
    walk = lower_hip(walk, view)
    out = []
    for leg in (0, 1):
        pairs = [(a, b) for a, b in steps if walk.footsteps[a].leg == leg]
        if not pairs:
            raise TaskError(
                "The walk to follow is too short: it needs a whole step of each foot after the "
                "first two."
            )
        out.append(sample_step(walk, view, *pairs[-1]))
    return out[0], out[1]


def sample_step(walk: SagittalWalk, view: SideView, first: int, second: int) -> StepSamples:
    """Return the samples of one step.

    Args:
        first, second: indices of the footsteps of leg 1 and, where it lands, of leg 2.
    """
    front = walk.footsteps[first]
    next_step = walk.footsteps[second]
    duration = next_step.strike - front.strike
    times = np.linspace(0.0, duration, INPUT.samples)
    lift = max(
        f.lift for f in walk.footsteps if f.leg == next_step.leg and f.strike < next_step.strike
    )
    if lift <= front.strike:
        raise TaskError(
            "The walk to follow has phases without contact, as runs and jumps have. Reduce the "
            "speed, choose a style that walks, or choose the engine 'centroidal'."
        )
    sampled = sample_frames(walk, front.strike + times, (front.leg, next_step.leg))
    origin = walk.ankle_at_rest[first]
    sampled[:, :3] -= [[origin, origin, origin]]
    late = continue_step(sampled)
    late[:, 0] -= 1j * measure_drop(late[:, 0], late[:, 1:3].T, view, INPUT.max_stretch)
    step = duration / (INPUT.samples - 1)
    late_times = duration + INPUT.late_share * duration * np.linspace(0, 1, INPUT.late_samples + 1)
    sampled = np.concatenate([sampled, late])

    def find(time: float) -> int:
        return int(np.clip(round((time - front.strike) / step), 1, INPUT.samples - 2))

    return StepSamples(
        front.leg,
        np.concatenate([times, late_times[1:]]),
        place_legs(sampled, view),
        landing=INPUT.samples - 1,
        flat=find(front.flat),
        lift=find(lift),
        heel_off=find(front.heel_off),
        begin=front.strike,
        origin=complex(origin),
    )


def sample_frames(walk: SagittalWalk, times: Array, legs: tuple[int, int]) -> ComplexArray:
    """Return hip, ankles [m], pitches of trunk and feet [rad] of the legs, shape (n, 6)."""
    frames = np.stack(
        [
            walk.hip,
            *(walk.ankle[leg] for leg in legs),
            walk.trunk,
            *(walk.foot[leg] for leg in legs),
        ],
        -1,
    )
    return np.asarray(CubicSpline(walk.times, frames)(times), complex)


def continue_step(sampled: ComplexArray) -> ComplexArray:
    """Return the frames of a step whose foot finds no ground: hip and foot go on to sink.

    Args:
        sampled: as of `sample_frames`, shape (n, 6).
    """
    u = np.linspace(0.0, 1.0, INPUT.late_samples + 1)[1:, None]
    span = INPUT.late_share * (len(sampled) - 1)
    rate = span * (sampled[-1] - sampled[-2])
    ease = u - 0.5 * u * u  # The rate falls to 0.
    out = sampled[-1] + rate * ease
    out[:, 0] = sampled[-1, 0] + rate[0].real * u[:, 0] - 1j * INPUT.late_drop * u[:, 0] ** 2
    out[:, 2] = sampled[-1, 2] - 1j * INPUT.late_reach * u[:, 0] * (0.5 + 0.5 * u[:, 0])
    return np.asarray(out)


def place_legs(sampled: ComplexArray, view: SideView) -> Array:
    """Return coordinates of the biped, shape (n, 9). A leg that does not reach is straight.

    Args:
        sampled: hip, ankles [m], pitches of trunk and feet [rad], shape (n, 6).
        view: proportions.
    """
    hip, *ankles, trunk, foot_1, foot_2 = sampled.T
    out = np.empty((len(hip), 9))
    out[:, 0] = hip.real
    out[:, 1] = hip.imag
    out[:, 2] = trunk.real
    for k, (ankle, foot) in enumerate(zip(ankles, (foot_1, foot_2), strict=True)):
        thigh, shin = solve_leg(ankle - hip, view)
        out[:, 3 + 3 * k] = thigh
        out[:, 4 + 3 * k] = shin
        out[:, 5 + 3 * k] = foot.real
    return out


def lower_hip(walk: SagittalWalk, view: SideView) -> SagittalWalk:
    """Return a walk whose hip is lowered where a leg does not reach, smoothly over time.

    All steps are lowered at once, so that each begins as the one before it ends.
    """
    times = np.arange(walk.times[0], walk.times[-1], INPUT.drop_step)
    places = CubicSpline(walk.times, np.stack([walk.hip, *walk.ankle], -1))(times).T
    drop = measure_drop(places[0], places[1:], view, INPUT.max_stretch)
    if drop.any():
        width = int(2 * INPUT.drop_smoothing / INPUT.drop_step) | 1
        smooth = gaussian_filter1d(
            maximum_filter1d(drop, 2 * width + 1), INPUT.drop_smoothing / INPUT.drop_step
        )
        drop = np.maximum(drop, smooth)
    return replace(walk, hip=walk.hip - 1j * np.interp(walk.times, times, drop))


def measure_drop(
    hip: ComplexArray, ankles: ComplexArray, view: SideView, max_stretch: float
) -> Array:
    """Return how much the hip must be lowered for both legs to reach [m], shape (n,).

    Args:
        hip: [m], shape (n,).
        ankles: [m], shape (2, n).
        view: proportions.
        max_stretch: longest distance from hip to ankle, as a share of the straight leg.
    """
    reach = max_stretch * view.leg_length
    line = hip - ankles
    height = np.sqrt(np.maximum(reach**2 - line.real**2, 0.0))
    return np.asarray(np.maximum(line.imag - height, 0.0).max(0))


def solve_leg(line: ComplexArray, view: SideView) -> Array:
    """Return the pitches of thigh and shin, (2, n) [rad], for lines from hip to ankle (n,) [m].

    The knee bends backward. Where the leg does not reach, it is straight.
    """
    a = abs(view.thigh)
    b = abs(view.shin)
    length = np.clip(np.abs(line), abs(a - b) + 1e-9, a + b - 1e-9)
    at_hip = np.arccos(np.clip((a**2 + length**2 - b**2) / (2 * a * length), -1, 1))
    thigh_line = line / np.abs(line) * np.exp(1j * at_hip)
    thigh = np.angle(thigh_line / view.thigh)
    shin = np.angle((line - a * thigh_line) / view.shin)
    return np.unwrap(np.stack([thigh, shin]))
