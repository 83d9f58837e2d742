"""The upper body of a clip in which nobody walks: the posture that it keeps to the longest,
for other legs to carry.

A style's curves go with the steps, and what has no steps has no phase for them: so a posture is
held, and what moves in it, such as a hand that waves, is left out and told.
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
from .find_actor import MIN_FRAMES, find_actor

Array = NDArray[np.float64]

POSTURE_CURVES = ("chest_turn", "chest_list", "chest_lean", "arm", "arm_out", "arm_turn", "elbow")
MAX_ARM_DISTANCE = 0.12  # leg lengths that arms may be from where they are held
STILL_ARM_DISTANCE = 0.03  # the same, up to which a clip counts as still
MAX_COMPARED_FRAMES = 300  # frames at most, to find the posture


@dataclass(frozen=True)
class Posture:
    """How an upper body is held.

    Args:
        begin, end: of the stretch of the clip that it was taken from, s.
        arm_motion: how far elbows and wrists go from there in the clip,
            the root of their mean square, m.
        is_still: whether that is as good as nothing.
        angles: of chest and arms, (2,) for both sides, rad; only chest where there are no arms.
    """

    name: str
    begin: float
    end: float
    arm_motion: float
    is_still: bool
    angles: dict[str, Array]

    @property
    def summary(self) -> str:
        """In words, for users."""
        if self.is_still:
            return "Nobody walks in it: its upper body is held as it is"
        return (
            f"Nobody walks in it: its upper body is held as from {self.begin:.1f} to "
            f"{self.end:.1f} s; that it moves, by {100 * self.arm_motion:.0f} cm on the mean, is "
            "left out. Key Poses have it pass through poses over time"
        )

    @property
    def style(self) -> Style:
        """The natural style with this upper body, as it goes and as it stands."""
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
        """A cycle whose chest and arms are still."""
        table = cycle.curves.copy()
        for name, (left, right) in self.angles.items():
            for row, angle in (
                (name, left),
                *(((f"{name}.R", right),) if name in LIMB_CURVES else ()),
            ):
                table[ROWS.index(row)] = 0.0
                table[ROWS.index(row), 0] = angle
        return replace(cycle, curves=table)


def extract_posture(recording: Recording) -> Posture:
    """How the upper body is held in a clip; a single pose is enough.

    Raises:
        ClipError: nobody in it has two legs to stand on, by which arms and chest are told.
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
    begin, end, arm_motion = _find_longest_hold(arm_positions, actor.leg_length)
    angles = compute_mean_angles(actor, begin, end)
    return Posture(
        recording.name,
        begin / FPS + actor.skipped_time,
        end / FPS + actor.skipped_time,
        arm_motion=arm_motion,
        is_still=arm_motion < STILL_ARM_DISTANCE * actor.leg_length,
        angles={name: angles[name] for name in POSTURE_CURVES if name in angles},
    )


def _express_in_hip_frame(actor: Actor) -> Array:
    """Places of elbows and wrists, or of the neck where there are no arms,
    against hips and their facing, m. (n, k, 3).
    """
    points = actor.neck[:, None] if actor.arms is None else np.concatenate(actor.arms[1:], axis=1)
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


def _find_longest_hold(arm_positions: Array, leg_length: float) -> tuple[int, int, float]:
    """The stretch around the frame that most others are like, and how far all are from there, m."""
    frames = np.unique(
        np.linspace(0, len(arm_positions) - 1, min(len(arm_positions), MAX_COMPARED_FRAMES)).astype(
            int
        )
    )
    # (m, m)
    distances = np.sqrt(
        np.square(arm_positions[frames, None] - arm_positions[None, frames]).sum(-1).mean(-1)
    )
    # a median: what is gone through on the way counts little
    best = int(frames[distances.sum(1).argmin()])
    distance = np.sqrt(np.square(arm_positions - arm_positions[best]).sum(-1).mean(-1))
    begin = end = best
    while begin > 0 and distance[begin - 1] < MAX_ARM_DISTANCE * leg_length:
        begin -= 1
    while end < len(arm_positions) - 1 and distance[end + 1] < MAX_ARM_DISTANCE * leg_length:
        end += 1
    return begin, end, float(np.sqrt(np.square(distance).mean()))
