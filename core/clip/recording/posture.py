"""The upper body of a clip in which nobody walks: the posture that it keeps to the longest, for other legs to carry.

A style's curves go with the steps, and what has no steps has no phase for them: so a posture is held, and what moves in it, such as
a hand that waves, is left out and told.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import ClipError
from ..style.shelf import builtin_style
from ..style.style import LIMBS, ROWS, Cycle, Style
from .actor import FPS, Actor
from .angles import held_angles
from .bvh import Recording
from .find_actor import LEAST_FRAMES, find_actor

Array = NDArray[np.float64]

CARRIED = ("chest_turn", "chest_list", "chest_lean", "arm", "arm_out", "arm_turn", "elbow")
NEAR = 0.12               # leg lengths that arms may be from where they are held
STILL = 0.03              # the same, up to which a clip counts as still
LOOKED_AT = 300           # frames at most, to find the posture


@dataclass(frozen=True)
class Posture:
    """How an upper body is held.

    Args:
        begin, end: of the stretch of the clip that it was taken from, s.
        moves: how far elbows and wrists go from there in the clip, the root of their mean square, m.
        still: whether that is as good as nothing.
        angles: of chest and arms, (2,) for both sides, rad; only chest where there are no arms.
    """

    name: str
    begin: float
    end: float
    moves: float
    still: bool
    angles: dict[str, Array]

    @property
    def told(self) -> str:
        """In words, for users."""
        if self.still:
            return "Nobody walks in it: its upper body is held as it is"
        return (f"Nobody walks in it: its upper body is held as from {self.begin:.1f} to {self.end:.1f} s; that it moves, by "
                f"{100 * self.moves:.0f} cm on the mean, is left out. Key Poses have it pass through poses over time")

    @property
    def style(self) -> Style:
        """The natural style with this upper body, as it goes and as it stands."""
        natural = builtin_style("natural")
        return replace(natural, name=self.name, about=f"The upper body as {self.name} has it", cycles=tuple(
            self._held(c) for c in natural.cycles), stood=self._held(natural.standing), sources=(f"the clip {self.name}",
                                                                                              *natural.sources))

    def _held(self, cycle: Cycle) -> Cycle:
        """A cycle whose chest and arms are still."""
        table = cycle.curves.copy()
        for name, (left, right) in self.angles.items():
            for row, angle in ((name, left), *(((f"{name}.R", right),) if name in LIMBS else ())):
                table[ROWS.index(row)] = 0.0
                table[ROWS.index(row), 0] = angle
        return replace(cycle, curves=table)


def posture_shown(recording: Recording) -> Posture:
    """How the upper body is held in a clip; a single pose is enough.

    Raises:
        ClipError: nobody in it has two legs to stand on, by which arms and chest are told.
    """
    if 0 < recording.frames < LEAST_FRAMES:
        times = np.minimum(np.arange(LEAST_FRAMES), recording.frames - 1)
        recording = replace(recording, positions=recording.positions[times], rotations=recording.rotations[times])
    actor = find_actor(recording)
    if actor.frames < 1:
        raise ClipError(f"The clip {recording.name} has no frame to take a posture from.")
    places = _seen_by_hips(actor)
    begin, end, moves = _longest_held(places, actor.leg_length)
    angles = held_angles(actor, begin, end)
    return Posture(recording.name, begin / FPS + actor.skipped, end / FPS + actor.skipped, moves, moves < STILL * actor.leg_length,
                   {name: angles[name] for name in CARRIED if name in angles})


def _seen_by_hips(actor: Actor) -> Array:
    """Places of elbows and wrists, or of the neck where there are no arms, against hips and their facing, m. (n, k, 3)."""
    points = actor.neck[:, None] if actor.arms is None else np.concatenate(actor.arms[1:], axis=1)
    across = actor.hips[:, 0] - actor.hips[:, 1]
    left = across * [1.0, 1.0, 0.0] / np.maximum(np.linalg.norm(across[:, :2], axis=1, keepdims=True), 1e-9)
    ahead = np.stack([left[:, 1], -left[:, 0], np.zeros(len(left))], 1)
    own = points - actor.hips.mean(1)[:, None]
    return np.stack([np.einsum("nki,ni->nk", own, ahead), np.einsum("nki,ni->nk", own, left), own[..., 2]], -1)


def _longest_held(places: Array, leg_length: float) -> tuple[int, int, float]:
    """The stretch around the frame that most others are like, and how far all are from there, m."""
    tried = np.unique(np.linspace(0, len(places) - 1, min(len(places), LOOKED_AT)).astype(int))
    apart = np.sqrt(np.square(places[tried, None] - places[None, tried]).sum(-1).mean(-1))            # (m, m)
    best = int(tried[apart.sum(1).argmin()])                     # a median: what is gone through on the way counts little
    away = np.sqrt(np.square(places - places[best]).sum(-1).mean(-1))
    begin = end = best
    while begin > 0 and away[begin - 1] < NEAR * leg_length:
        begin -= 1
    while end < len(places) - 1 and away[end + 1] < NEAR * leg_length:
        end += 1
    return begin, end, float(np.sqrt(np.square(away).mean()))
