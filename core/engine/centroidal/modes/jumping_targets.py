"""From the plan of jumps to the full body: acted poses placed along it, and the feet's ways."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....fullbody.flight_path import flight_path
from ....fullbody.targets import Wish
from ....geometry import so3
from ....plan.reference import Wished
from ....plan.result import Plan
from ....terrain import Ground
from .jumping import Jumping

Array = NDArray[np.float64]


def act(model: KinematicModel, jumping: Jumping, plan: Plan, ground: Ground, times: Array, wished: Wished | None = None) -> Wish:
    """Targets at given times, from what was planned.

    Args:
        wished: where given, poses are turned as it would have them and not by the plan's rotation.
    """
    sample = plan.at(times)
    rotation = sample.rotation if wished is None else wished.rotation
    pose = jumping.acted.at(times)
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    placed = model.place(pose)
    pose[:, :3] = sample.com - placed.com
    feet = []
    for leg, (limb, foot) in enumerate(zip(model.character.legs, model.character.feet, strict=True)):
        length = model.character.straight_leg_length(limb, foot)
        feet.append(flight_path(times, [f for f in plan.footsteps if f.leg == leg], foot,
                                placed.origin[:, foot.link] + pose[:, :3], placed.rotation[:, foot.link], rotation, ground,
                                placed.origin[:, limb.links[0]] + pose[:, :3], length))
    return Wish(times, sample.com, sample.momentum, pose, tuple(feet))
