"""From the plan of jumps to the full body: acted poses placed along it, and the feet's ways."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....fullbody.flight_path import build_flight_path
from ....fullbody.targets import BodyTargets
from ....geometry import so3
from ....plan.reference import ReferenceSample
from ....plan.result import Plan
from ....terrain import Ground
from .jumping import Jumping

Array = NDArray[np.float64]


def compute_jump_targets(
    model: KinematicModel,
    jumping: Jumping,
    plan: Plan,
    ground: Ground,
    times: Array,
    reference_sample: ReferenceSample | None = None,
) -> BodyTargets:
    """Targets at given times, from what was planned.

    Args:
        reference_sample: where given, poses are turned as it would have them and not
            by the plan's rotation.
    """
    sample = plan.sample(times)
    rotation = sample.rotation if reference_sample is None else reference_sample.rotation
    pose = jumping.pose_sequence.sample(times)
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    placed = model.compute_link_poses(pose)
    pose[:, :3] = sample.com - placed.com
    feet = []
    for leg, (limb, foot) in enumerate(
        zip(model.character.legs, model.character.feet, strict=True)
    ):
        length = model.character.straight_leg_length(limb, foot)
        feet.append(
            build_flight_path(
                times,
                [f for f in plan.footsteps if f.leg == leg],
                foot,
                origin=placed.origin[:, foot.link] + pose[:, :3],
                rotation=placed.rotation[:, foot.link],
                body=rotation,
                ground=ground,
                hip=placed.origin[:, limb.links[0]] + pose[:, :3],
                leg_length=length,
            )
        )
    return BodyTargets(times, sample.com, sample.momentum, reference=pose, feet=tuple(feet))
