"""From the plan of a body of any number of legs to the full body: its trunk as it stands, its legs where its feet go."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....clip.pose.carriage import carry
from ....fullbody.leg_ik import legs_to
from ....fullbody.stride_path import stride_path
from ....fullbody.targets import Wish
from ....geometry import so3
from ....plan.reference import Wished
from ....plan.result import Plan
from ....terrain import Ground
from .striding import Striding

Array = NDArray[np.float64]


def stride_along(model: KinematicModel, striding: Striding, plan: Plan, ground: Ground, times: Array,
                 wished: Wished | None = None) -> Wish:
    """Targets at given times, from what was planned.

    Args:
        wished: where given, poses are turned as it would have them and not by the plan's rotation.
    """
    sample, character = plan.at(times), model.character
    rotation = sample.rotation if wished is None else wished.rotation
    pose = np.tile(model.neutral, (len(times), 1))
    bearing = striding.bearing
    carry(model, bearing.style, pose, bearing.phase(times), bearing.had(times), striding.nods(times, rotation))
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    placed = model.place(pose)
    pose[:, :3] += sample.com - placed.com
    hips = sample.com[:, None] + striding.hips.at(times) @ np.swapaxes(rotation, 1, 2)
    feet = tuple(
        stride_path(times, [f for f in plan.footsteps if f.leg == leg], foot, ground,
                    hips[:, leg], float(striding.reach[leg]),
                    1 + (bearing.style.lift - 1) * bearing.had(times))
        for leg, foot in enumerate(character.feet))
    return Wish(times, sample.com, sample.momentum, legs_to(model, pose, sample.com, feet), feet)
