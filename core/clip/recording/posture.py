"""Posture of the upper body in a clip without a gait, to be combined with other legs.

The curves of a style follow the steps, so a clip without steps has no phase for them. The posture
that is held longest is taken; motion away from it, such as a waving hand, is left out and reported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import ClipError
from ..style.shelf import load_builtin_style
from ..style.style import LIMB_CURVES, ROWS, Cycle, Style
from .actor import FPS, Actor
from .angles import compute_mean_angles
from .bvh import Recording
from .find_actor import find_actor
from .recognize_body import MIN_FRAMES

Array = NDArray[np.float64]

POSTURE_CURVES = ("chest_turn", "chest_list", "chest_lean", "arm", "arm_out", "arm_turn", "elbow")


@dataclass(frozen=True)
class PostureParameters:
    """Search for the posture that is held longest."""

    # RMS distance of elbows and wrists up to which a posture is held [leg lengths], 11 cm: arms
    # that hold one still move with breath and steps.
    max_arm_distance: float = 0.12
    # The same distance below which a clip counts as still [leg lengths]: 3 cm, breath and sway.
    still_arm_distance: float = 0.03
    # Largest number of frames that are compared with each other. Numerical: their pairs take time
    # and memory.
    max_compared_frames: int = 300


POSTURE = PostureParameters()


@dataclass(frozen=True)
class Posture:
    """Posture of an upper body.

    Args:
        name: name of the clip.
        begin: start of the span in which it is held, in the time of the clip [s].
        end: end of that span [s].
        arm_motion: RMS distance of elbows and wrists from the posture in the whole clip [m].
        is_still: whether that distance is negligible.
        angles: (2,) angles of chest and arms on both sides [rad], by curve; without arms only those
            of the chest.
    """

    name: str
    begin: float
    end: float
    arm_motion: float
    is_still: bool
    angles: dict[str, Array]

    @property
    def summary(self) -> str:
        """Description for users."""
        if self.is_still:
            return "It shows no walk: its upper body is held as it is"
        return (
            f"It shows no walk: its upper body is held as from {self.begin:.1f} to "
            f"{self.end:.1f} s; its motion, {100 * self.arm_motion:.0f} cm on average, is "
            "left out. With Key Poses the upper body passes through poses over time"
        )

    @property
    def style(self) -> Style:
        """The natural style with this upper body at all speeds and in standing."""
        natural = load_builtin_style("natural")
        return replace(
            natural,
            name=self.name,
            about=f"The upper body as {self.name} has it",
            cycles=tuple(self._hold_cycle(c) for c in natural.cycles),
            custom_standing=self._hold_cycle(natural.standing),
            sources=(f"the clip {self.name}", *natural.sources),
        )

    def _hold_cycle(self, cycle: Cycle) -> Cycle:
        """Return a cycle in which chest and arms hold the posture."""
        table = cycle.curves.copy()
        for name, (left, right) in self.angles.items():
            for row, angle in (
                (name, left),
                *(((f"{name}.R", right),) if name in LIMB_CURVES else ()),
            ):
                table[ROWS.index(row)] = 0.0
                table[ROWS.index(row), 0] = angle
        return replace(cycle, curves=table)


@dataclass(frozen=True)
class _HeldSpan:
    """The span of frames in which a posture is held longest.

    Args:
        begin: first frame.
        end: last frame.
        arm_motion: RMS distance of elbows and wrists from the posture in all frames [m].
    """

    begin: int
    end: int
    arm_motion: float


def extract_posture(recording: Recording) -> Posture:
    """Return the posture of the upper body in a clip, which may be a single pose.

    Raises:
        ClipError: the clip shows no body with two legs, which are needed to recognize arms and
            chest.
    """
    if 0 < recording.frames < MIN_FRAMES:
        frames = np.minimum(np.arange(MIN_FRAMES), recording.frames - 1)
        recording = replace(
            recording, positions=recording.positions[frames], rotations=recording.rotations[frames]
        )
    actor = find_actor(recording)
    if actor.frames < 1:
        raise ClipError(f"The clip {recording.name} has no frame to take a posture from.")
    arm_positions = _express_in_hip_frame(actor)
    held = _find_longest_hold(arm_positions, actor.leg_length)
    angles = compute_mean_angles(actor, held.begin, held.end)
    return Posture(
        recording.name,
        held.begin / FPS + actor.skipped_time,
        held.end / FPS + actor.skipped_time,
        arm_motion=held.arm_motion,
        is_still=held.arm_motion < POSTURE.still_arm_distance * actor.leg_length,
        angles={name: angles[name] for name in POSTURE_CURVES if name in angles},
    )


def _express_in_hip_frame(actor: Actor) -> Array:
    """Return elbows and wrists, or the neck without arms, in the frame of the hips.

    Shape (n, k, 3) [m], with x along the facing of the hips and y to the left.
    """
    points = (
        actor.neck[:, None]
        if actor.arms is None
        else np.concatenate([actor.arms.elbows, actor.arms.wrists], axis=1)
    )
    hip_line = actor.hips[:, 0] - actor.hips[:, 1]
    left = (
        hip_line
        * [1.0, 1.0, 0.0]
        / np.maximum(np.linalg.norm(hip_line[:, :2], axis=1, keepdims=True), 1e-9)
    )
    forward = np.stack([left[:, 1], -left[:, 0], np.zeros(len(left))], 1)
    offsets = points - actor.hips.mean(1)[:, None]
    return np.stack(
        [
            np.einsum("nki,ni->nk", offsets, forward),
            np.einsum("nki,ni->nk", offsets, left),
            offsets[..., 2],
        ],
        -1,
    )


def _find_longest_hold(arm_positions: Array, leg_length: float) -> _HeldSpan:
    """Return the span around the frame that is most similar to the others.

    Args:
        arm_positions: (n, k, 3) points in the frame of the hips [m].
        leg_length: leg length [m].
    """
    count = min(len(arm_positions), POSTURE.max_compared_frames)
    frames = np.unique(np.linspace(0, len(arm_positions) - 1, count).astype(int))
    # (m, m)
    distances = np.sqrt(
        np.square(arm_positions[frames, None] - arm_positions[None, frames]).sum(-1).mean(-1)
    )
    # The smallest sum of distances is a median, on which passing motion has little influence.
    best = int(frames[distances.sum(1).argmin()])
    distance = np.sqrt(np.square(arm_positions - arm_positions[best]).sum(-1).mean(-1))
    max_distance = POSTURE.max_arm_distance * leg_length
    begin = end = best
    while begin > 0 and distance[begin - 1] < max_distance:
        begin -= 1
    while end < len(arm_positions) - 1 and distance[end + 1] < max_distance:
        end += 1
    return _HeldSpan(begin, end, float(np.sqrt(np.square(distance).mean())))
