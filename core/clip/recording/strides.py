"""Strides of an actor that may represent its gait, and a measure of how regular each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...geometry import so3
from .actor import FPS, Actor
from .angles import CYCLE_SAMPLES
from .contacts import Feet

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RecordedStrideParameters:
    """Limits of a stride of a walk or run, and weights of its irregularity."""

    # Shortest stride [s]; sprinters take 0.4, shorter ones have another frame rate
    min_time: float = 0.35
    # Longest stride [s], twice that of a slow human walk
    max_time: float = 2.6
    # Earliest strike of the other foot, as a share of the stride; the latest one is as far from its
    # end. It is at 0.5 in healthy people, and less far from there in limps. Tuned: with a wider
    # range the stride of cmu_06_10_turn90_left_dribble is one in its turn.
    min_other_strike: float = 0.3
    # Lowest speed [sqrt(g l)], 0.24 m/s; slower bodies step on the spot
    min_speed: float = 0.08
    # Largest angle between the facing of the body and its direction of travel [rad]. Tuned:
    # doubled, the hops of cmu_131_03_hop are a walk.
    max_direction_error: float = float(np.radians(35))
    # Angle between facing and travel from which on the body moves backward, not sideways [rad]:
    # nearer to backward.
    min_backward_error: float = float(np.radians(135))
    # Largest turn within a stride [rad]. Tuned: doubled, the hops of cmu_131_03_hop are a walk;
    # halved, cmu_06_10_turn90_left_dribble has a single stride.
    max_turn: float = float(np.radians(50))
    # Longest time between the strikes of both feet that come down together, as a share of the
    # stride: nearer to together than to the earliest strike in turn
    max_together: float = 0.15
    # Least rise of both feet in a jump [leg lengths], 4 cm; markers of feet that stand sway by less
    min_jump_rise: float = 0.04
    # Shortest path of a stride [leg lengths], a fourth of a slow one. A body that covers less in a
    # longer time than that of a stride stands.
    min_path: float = 0.25
    # Share of the times from a strike to the next one that have to be strides where none of these
    # is steady. One of 24 in a dance, and one of 103 in another one, are such strides by chance.
    min_unsteady_share: float = 0.1
    # Largest distance between the poses at the start and the end of a stride [leg lengths], six of
    # its scales: such a stride is doubted by it alone. Tuned: halved, the stride of
    # cmu_03_01_uneven_terrain sinks by 25 cm.
    max_closure_error: float = 0.25
    # Irregularity up to which a stride is a steady one. With the four scales below, deviations of
    # which count equally, steady human walks come to at most 5, those that start, stop or turn to
    # 10 and more. Half or twice of one scale changes no stride that is chosen from ten recordings.
    max_steady_irregularity: float = 6.0
    closure_error_scale: float = 0.04  # Distance between the poses at both ends [leg lengths]
    speed_change_scale: float = 0.08  # Relative change of speed
    turn_scale: float = float(np.radians(10))  # Turn [rad]
    rise_scale: float = 0.05  # Change of height [leg lengths]
    # Standard deviation of the filter on the position of the hips [s], a tenth of a human step.
    hip_smoothing_time: float = 0.05
    # The same of their facing [s]: the pelvis turns to and fro with the steps. Half or twice
    # changes curves by less than 0.1 %.
    facing_smoothing_time: float = 0.1


STRIDE = RecordedStrideParameters()
BACKWARD = "the body moves backward"
IN_PLACE = "the body stays where it is"
NOT_IN_TURN = "its feet do not come down in turn, as in a walk or a run"
FRAME_RATE = "perhaps since it has another frame rate"
TOGETHER = "both feet come down together, as in a jump"


@dataclass(frozen=True)
class Stride:
    """A stride from one strike of a foot to its next.

    Args:
        side: 0 for the left foot, 1 for the right foot.
        begin: first frame.
        end: last frame.
        other_strike: frame in which the other foot strikes.
        heading: (CYCLE_SAMPLES + 1,) heading of the body [rad].
        irregularity: deviation from a steady, straight and closed stride; 1 for each deviation of
            the size of its scale in `RecordedStrideParameters`.
    """

    side: int
    begin: int
    end: int
    other_strike: int
    heading: Array
    irregularity: float


@dataclass(frozen=True)
class StrideSearch:
    """Strides of an actor.

    Args:
        strides: strides that may represent the gait.
        reason: reason for which most of the rejected strides were rejected, for users.
    """

    strides: tuple[Stride, ...]
    reason: str


@dataclass(frozen=True)
class _HipTrack:
    """Motion of the hips over n frames.

    Args:
        actor: the body over time.
        facing: (n,) facing of the hips, without jumps [rad].
        center: (n, 3) smoothed middle of the hips [m].
    """

    actor: Actor
    facing: Array
    center: Array

    @staticmethod
    def from_actor(actor: Actor) -> _HipTrack:
        """Return the motion of the hips of an actor."""
        center = gaussian_filter1d(
            actor.hips.mean(1), STRIDE.hip_smoothing_time * FPS, axis=0, mode="nearest"
        )
        return _HipTrack(actor, compute_facing(actor), center)

    def compute_turn(self, begin: int, end: int) -> float:
        """Return the turn between two frames [rad]."""
        return float(self.facing[end] - self.facing[begin])

    def compute_displacement(self, begin: int, end: int) -> Array:
        """Return the horizontal displacement between two frames, (2,) [m]."""
        return np.asarray((self.center[end] - self.center[begin])[:2])

    def describe_defect(self, begin: int, end: int) -> str | None:
        """Return why the travel between two frames is not that of a stride, None if it is."""
        displacement = self.compute_displacement(begin, end)
        speed = float(np.linalg.norm(displacement)) * FPS / (end - begin)
        if speed < STRIDE.min_speed * self.actor.unit_speed:
            return IN_PLACE
        direction_error = abs(
            so3.wrap_angle(
                np.arctan2(displacement[1], displacement[0]) - float(self.facing[begin:end].mean())
            )
        )
        if direction_error > STRIDE.max_direction_error:
            return (
                BACKWARD
                if direction_error > STRIDE.min_backward_error
                else "the body moves sideways"
            )
        if abs(self.compute_turn(begin, end)) > STRIDE.max_turn:
            return "the body turns by more than 50 degrees in a stride"
        return None

    def has_flight(self, begin: int, end: int) -> bool:
        """Return whether both feet rise between two frames."""
        rises = np.ptp(self.actor.ankles[begin : end + 1, :, 2], axis=0)
        return bool(rises.min() > STRIDE.min_jump_rise * self.actor.leg_length)

    def measure_swing_period(self) -> float:
        """Return the time in which the legs swing to and fro [s]; 0 if they hardly do."""
        offset = (self.actor.ankles[:, 0] - self.actor.ankles[:, 1])[:, :2]
        lead = (offset * np.stack([np.cos(self.facing), np.sin(self.facing)], 1)).sum(1)
        apart = np.flatnonzero(np.abs(lead) > 0.5 * STRIDE.min_path * self.actor.leg_length)
        changes = apart[1:][np.diff(np.sign(lead[apart])) != 0]
        return 2 * float(np.diff(changes).mean()) / FPS if len(changes) > 2 else 0.0

    def compute_heading(self, begin: int, end: int) -> Array:
        """Return the heading between two frames, (CYCLE_SAMPLES + 1,) [rad]."""
        displacement = self.compute_displacement(begin, end)
        return np.asarray(
            np.arctan2(displacement[1], displacement[0])
            + self.compute_turn(begin, end) * (np.arange(CYCLE_SAMPLES + 1) / CYCLE_SAMPLES - 0.5)
        )

    def compute_closure_error(self, begin: int, end: int) -> float:
        """Return the distance between the poses of two frames [leg lengths]."""
        return _compute_pose_distance(self.actor, self.facing, begin, end) / self.actor.leg_length

    def compute_irregularity(self, begin: int, end: int) -> float:
        """Return the irregularity of a stride between two frames; see `Stride`."""
        half = (begin + end) // 2
        first_speed, second_speed = (
            float(np.linalg.norm(self.compute_displacement(j, k))) / (k - j)
            for j, k in ((begin, half), (half, end))
        )
        change = abs(first_speed - second_speed) / (first_speed + second_speed) * 2
        rise = abs(self.center[end, 2] - self.center[begin, 2]) / self.actor.leg_length
        return float(
            self.compute_closure_error(begin, end) / STRIDE.closure_error_scale
            + change / STRIDE.speed_change_scale
            + abs(self.compute_turn(begin, end)) / STRIDE.turn_scale
            + rise / STRIDE.rise_scale
        )


def find_strides(actor: Actor, feet: Feet) -> StrideSearch:
    """Return all strides of an actor that may represent its gait."""
    strides: list[Stride] = []
    reasons: list[str] = []
    track = _HipTrack.from_actor(actor)
    for side in (0, 1):
        strikes = [round(s.strike * FPS) for s in feet.side_contacts(side) if s.strike * FPS > 1]
        other_strikes = np.array([round(s.strike * FPS) for s in feet.side_contacts(1 - side)])
        for begin, end in pairwise(strikes):
            stride = _make_stride(track, side, begin, end=end, other_strikes=other_strikes)
            if isinstance(stride, Stride):
                strides.append(stride)
            else:
                reasons.append(stride)
    is_steady = any(s.irregularity <= STRIDE.max_steady_irregularity for s in strides)
    min_count = STRIDE.min_unsteady_share * (len(strides) + len(reasons))
    return StrideSearch(
        tuple(strides) if is_steady or len(strides) >= min_count else (),
        _select_reason(reasons) if reasons else _explain_missing_strikes(track, feet),
    )


def _select_reason(reasons: Sequence[str]) -> str:
    """Return the reason for most of the rejected strides.

    That a stride takes long is also so where the body stands in between, and that feet do not come
    down in turn is so between two gaits, so any other reason counts more.
    """
    other_reasons = [reason for reason in reasons if reason != NOT_IN_TURN] or reasons
    sure_reasons = [r for r in other_reasons if not r.endswith(FRAME_RATE)] or other_reasons
    return max(sure_reasons, key=sure_reasons.count)


def _explain_missing_strikes(track: _HipTrack, feet: Feet) -> str:
    """Return why no foot comes down twice, for users."""
    last_time = (track.actor.frames - 1) / FPS
    edge = STRIDE.min_time
    if feet.contacts and all(c.strike < edge and c.lift > last_time - edge for c in feet.contacts):
        return "its feet stay on the ground"
    period = track.measure_swing_period()
    return _describe_time(period) if period > STRIDE.max_time else "no foot comes down twice"


def _describe_time(seconds: float) -> str:
    """Return what the time of a stride that no person takes means."""
    return f"a stride takes {seconds:.1f} s, {FRAME_RATE}"


def _make_stride(
    track: _HipTrack, side: int, begin: int, end: int, other_strikes: Array
) -> Stride | str:
    """Return the stride between two strikes of a foot, or the reason why it is not one.

    Args:
        other_strikes: frames in which the other foot strikes.
    """
    strikes_within = other_strikes[
        (other_strikes > begin + STRIDE.min_other_strike * (end - begin))
        & (other_strikes < begin + (1 - STRIDE.min_other_strike) * (end - begin))
    ]
    if len(strikes_within) != 1:
        distances = np.abs(other_strikes[:, None] - [begin, end]).min(0, initial=end)
        if distances.max() > STRIDE.max_together * (end - begin):
            return NOT_IN_TURN
        return TOGETHER if track.has_flight(begin, end) else IN_PLACE
    stride_time = (end - begin) / FPS
    if not STRIDE.min_time <= stride_time <= STRIDE.max_time:
        path = float(np.linalg.norm(track.compute_displacement(begin, end)))
        is_standing = (
            stride_time > STRIDE.max_time and path < STRIDE.min_path * track.actor.leg_length
        )
        return IN_PLACE if is_standing else _describe_time(stride_time)
    defect = track.describe_defect(begin, end)
    if defect is not None:
        return defect
    if track.compute_closure_error(begin, end) > STRIDE.max_closure_error:
        return "no stride ends as it began"
    return Stride(
        side,
        begin,
        end,
        other_strike=int(strikes_within[0]),
        heading=track.compute_heading(begin, end),
        irregularity=track.compute_irregularity(begin, end),
    )


def compute_facing(actor: Actor) -> Array:
    """Return the facing of the hips over time without jumps, (n,) [rad]."""
    hip_line = gaussian_filter1d(
        actor.hips[:, 0] - actor.hips[:, 1],
        STRIDE.facing_smoothing_time * FPS,
        axis=0,
        mode="nearest",
    )
    return np.unwrap(so3.atan2(-hip_line[:, 0], hip_line[:, 1]))


def _compute_pose_distance(actor: Actor, facing: Array, a: int, b: int) -> float:
    """Return the RMS distance of joints in two frames, relative to the hips and facing [m]."""
    poses = express_in_hip_frames(actor, facing, [a, b])
    return float(np.sqrt(((poses[0] - poses[1]) ** 2).sum(1).mean()))


def express_in_hip_frames(actor: Actor, facing: Array, frames: Sequence[int]) -> Array:
    """Return joints of the limbs relative to the hips and their facing, (frames, joints, 3) [m].

    Args:
        facing: (n,) facing of the hips [rad].
    """
    index = list(frames)
    points = [
        getattr(actor, name)[index]
        for name in ("knees", "ankles", "elbows", "wrists")
        if getattr(actor, name) is not None
    ]
    offsets = np.concatenate(points, 1) - actor.hips[index].mean(1, keepdims=True)
    return np.asarray(np.einsum("nij,nkj->nki", so3.rotation_about("z", -facing[index]), offsets))
