"""From the plan of a body on bars to the full body: it hangs along the plan, its hands hold and reach."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....fullbody.foot_path import FootPath, Hold
from ....fullbody.targets import Wish
from ....plan.reference import Wished
from ....plan.result import Plan
from .hanging.hanging import Swinging
from .hanging.overhead import placed_along

Array = NDArray[np.float64]


def hang_along(model: KinematicModel, swinging: Swinging, plan: Plan, times: Array, wished: Wished | None = None) -> Wish:
    """Targets at given times, from what was planned.

    Args:
        wished: where given, poses are turned as it would have them and not by the plan's rotation.
    """
    sample, hands = plan.at(times), swinging.hands(times)
    rotation = sample.rotation if wished is None else wished.rotation
    pose = placed_along(model, swinging.poses_at(times), rotation, sample.com, np.stack([h.place for h in hands], 1))
    placed = model.place(pose)
    feet = tuple(_free(placed.origin[:, foot.link], placed.rotation[:, foot.link]) for foot in model.character.feet)
    return Wish(times, sample.com, sample.momentum, pose, feet, hands)


def _free(origin: Array, rotation: Array) -> FootPath:
    """A foot that goes where the pose has it."""
    n = len(origin)
    return FootPath(np.full(n, int(Hold.FREE)), rotation, origin, rotation, np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n),
                    np.zeros(n))
