"""How high the body may ride for its legs to reach the ground."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..character.model import KinematicModel
from ..clip.pose import style_poses
from ..clip.style import Style
from ..motion.footstep import Footstep

Array = NDArray[np.float64]

STRAIGHT = 0.998      # of the leg's length from hip to ankle that a step may use: a knee bent by 7 degrees


@dataclass(frozen=True)
class LegReach:
    """What a leg can reach from the pose that a style has as its foot strikes, by its keys.

    `hip` is the place of the hip joint against the centre of mass, forward, left and up, m.
    """

    length: float             # hip to ankle, m
    foot: Foot
    keys: Array               # (k,) rising, of the style
    hip: Array                # (k, 3)

    def hip_at(self, key: float) -> Array:
        """Place of the hip at a key of the style. (3,)."""
        return np.array([np.interp(key, self.keys, self.hip[:, axis]) for axis in range(3)])


def leg_reaches(model: KinematicModel, style: Style) -> tuple[LegReach, ...]:
    """The reach of each leg."""
    character = model.character
    keys = style.keys
    curves, toe_out, later = style.curves(keys), np.zeros(len(keys)), style.later(keys)
    out = []
    for k, (limb, foot) in enumerate(zip(character.legs, character.feet, strict=True)):
        phases = np.zeros((len(keys), len(character.legs)))
        phases[:, [j for j in range(len(character.legs)) if j != k]] = (0.5 - limb.side * later)[:, None]
        placed = model.place(style_poses(model, curves, toe_out, phases, later))
        hip = placed.origin[:, limb.links[0]] - placed.com
        length = character.origin(limb.links[0])[2] - character.origin(foot.link)[2]
        out.append(LegReach(float(length), foot, keys, hip))
    return tuple(out)


def highest(f: Footstep, reach: LegReach, com: Array, yaw: float, key: float, pitch: float) -> float:
    """Highest centre of mass from which a leg reaches its footstep, the foot resting on its heel, flat or on its ball.

    Args:
        com: (2,) place of the centre of mass at that moment.
        yaw: heading of the body there.
        key: of the style there.
        pitch: of the foot, rad, toes up on its heel or down on its ball; of ball and toes alone their footstep's own counts.
    """
    foot = reach.foot
    pitch = pitch if f.raised is None else -f.raised
    rests = foot.heel if pitch >= 0 and f.raised is None else foot.ball
    # from heel or ball to ankle with the toes raised, in the sole's frame
    x, z = -rests[0], -rests[2]
    ankle = f.rotation @ (rests - foot.centre + np.array([np.cos(pitch) * x - np.sin(pitch) * z, -rests[1],
                                                          np.sin(pitch) * x + np.cos(pitch) * z])) + f.position
    hip = reach.hip_at(key)
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    away = float(np.linalg.norm(ankle[:2] - com - turn @ hip[:2]))
    length = STRAIGHT * reach.length
    return float(ankle[2]) + float(np.sqrt(max(length**2 - away**2, 0.25 * length**2))) - float(hip[2])
