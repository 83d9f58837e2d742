"""From the plan of a body of any number of legs to the full body:
its trunk as it stands, its legs where its feet go.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....clip.pose.carriage import apply_carriage
from ....fullbody.leg_ik import solve_leg_ik
from ....fullbody.stride_path import build_stride_path
from ....fullbody.targets import BodyTargets
from ....geometry import so3
from ....plan.reference import ReferenceSample
from ....plan.result import Plan
from ....terrain import Ground
from .striding import Striding

Array = NDArray[np.float64]


def compute_stride_targets(
    model: KinematicModel,
    striding: Striding,
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
    character = model.character
    rotation = sample.rotation if reference_sample is None else reference_sample.rotation
    pose = np.tile(model.neutral, (len(times), 1))
    style_phase = striding.style_phase
    apply_carriage(
        model,
        style_phase.style,
        pose,
        phase=style_phase.phase_at(times),
        share=style_phase.style_weight_at(times),
        trunk_pitch=striding.nose_pitch_at(times, rotation),
    )
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    placed = model.compute_link_poses(pose)
    pose[:, :3] += sample.com - placed.com
    hips = sample.com[:, None] + striding.limb_roots.sample(times) @ np.swapaxes(rotation, 1, 2)
    feet = tuple(
        build_stride_path(
            times,
            [f for f in plan.footsteps if f.leg == leg],
            foot,
            ground=ground,
            hip=hips[:, leg],
            leg_length=float(striding.leg_reach[leg]),
            lift_factor=1 + (style_phase.style.lift - 1) * style_phase.style_weight_at(times),
        )
        for leg, foot in enumerate(character.feet)
    )
    return BodyTargets(
        times,
        sample.com,
        sample.momentum,
        reference=solve_leg_ik(model, pose, sample.com, feet),
        feet=feet,
    )
