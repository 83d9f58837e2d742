"""Joint angles of a walk over the phase: the angle of the leg that stands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from footfall.core.character.character import Character
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.motion.gait_figures import compute_joint_angles
from numpy.typing import NDArray

Array = NDArray[np.float64]

POINTS = 40  # phases of a step at which two walks are compared
LEG_ANGLES = ("thigh", "knee", "ankle")


@dataclass(frozen=True)
class PhasedStep:
    """Angles of a step.

    Args:
        leg: leg that stands.
        phase: increasing [deg], shape (k,).
        angles: thighs, knees, ankles and trunk by name and leg [deg], shape (k,) each.
    """

    leg: int
    phase: Array
    angles: dict[tuple[str, int], Array]


def list_steps(motion: Motion, character: Character) -> list[PhasedStep]:
    """Return the steps of a walk on a straight path that are within its frames."""
    forward = motion.path[-1] - motion.path[0]
    forward = forward / np.linalg.norm(forward)
    angles = _measure_angles(motion, character, forward)
    thighs = [leg.links[0] for leg in character.legs]
    hip = motion.link_origin[:, thighs].mean(1)
    times = np.arange(motion.frames) / motion.fps
    order = sorted(motion.footsteps, key=lambda f: f.strike)
    out = []
    for first, second in pairwise(order):
        if first.strike < 0 or second.strike > times[-1]:
            continue
        ankle = first.position - first.rotation @ character.feet[first.leg].sole_center
        on = np.flatnonzero((times >= first.strike) & (times < second.strike))
        line = hip[on] - ankle
        phase = np.degrees(so3.atan2(line[:, :2] @ forward, line[:, 2]))
        rank = np.argsort(phase)
        out.append(
            PhasedStep(first.leg, phase[rank], {key: a[on][rank] for key, a in angles.items()})
        )
    return out


def measure_differences(walk: Motion, model: Motion, character: Character) -> dict[str, float]:
    """Return the rms differences of the angles of a walk from those of the last steps of another
    one at the same phases [deg].
    """
    last = {step.leg: step for step in list_steps(model, character)}
    differences: dict[str, list[Array]] = {}
    for step in list_steps(walk, character):
        other = last[step.leg]
        phase = np.linspace(
            max(step.phase[0], other.phase[0]), min(step.phase[-1], other.phase[-1]), POINTS
        )
        for key, angle in step.angles.items():
            expected = np.interp(phase, other.phase, other.angles[key])
            differences.setdefault(key[0], []).append(
                np.interp(phase, step.phase, angle) - expected
            )
    return {name: float(np.sqrt(np.mean(np.square(d)))) for name, d in differences.items()}


def _measure_angles(
    motion: Motion, character: Character, forward: Array
) -> dict[tuple[str, int], Array]:
    out = {
        (name, leg): angle
        for leg in range(len(character.legs))
        for name, angle in compute_joint_angles(motion, leg).items()
        if name in LEG_ANGLES
    }
    up = so3.quat_to_matrix(motion.link_orientation[:, character.trunk[-1]])[:, :, 2]
    out["trunk", 0] = np.degrees(so3.atan2(up[:, :2] @ forward, up[:, 2]))
    return out
