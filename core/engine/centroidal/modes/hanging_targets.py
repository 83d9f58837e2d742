"""From the plan of a body on bars to the full body:
it hangs along the plan, its hands hold and reach.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....fullbody.foot_path import FootPath, FootSupport
from ....fullbody.targets import BodyTargets
from ....plan.reference import ReferenceSample
from ....plan.result import Plan
from .hanging.hanging import Hanging
from .hanging.overhead import place_hanging_poses

Array = NDArray[np.float64]


def compute_hang_targets(
    model: KinematicModel,
    swinging: Hanging,
    plan: Plan,
    times: Array,
    reference_sample: ReferenceSample | None = None,
) -> BodyTargets:
    """Targets at given times, from what was planned.

    Args:
        reference_sample: where given, poses are turned as it would have them and not
            by the plan's rotation.
    """
    sample = plan.sample(times)
    hands = swinging.hand_paths(times)
    rotation = sample.rotation if reference_sample is None else reference_sample.rotation
    pose = place_hanging_poses(
        model,
        swinging.poses_at(times),
        rotation,
        com=sample.com,
        grips=np.stack([h.place for h in hands], 1),
    )
    placed = model.compute_link_poses(pose)
    feet = tuple(
        _make_free_foot_path(placed.origin[:, foot.link], placed.rotation[:, foot.link])
        for foot in model.character.feet
    )
    return BodyTargets(times, sample.com, sample.momentum, reference=pose, feet=feet, hands=hands)


def _make_free_foot_path(origin: Array, rotation: Array) -> FootPath:
    """A foot that goes where the pose has it."""
    n = len(origin)
    return FootPath(
        np.full(n, int(FootSupport.FREE)),
        rotation,
        origin,
        rest_rotation=rotation,
        heel=np.zeros((n, 3)),
        pivot=np.zeros((n, 3)),
        toe_bend=np.zeros(n),
        firmness=np.zeros(n),
    )
