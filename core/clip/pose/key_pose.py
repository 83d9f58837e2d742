"""Key poses: single poses that a motion passes through, such as the spread legs of a leap."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...geometry import so3
from ..style.style import CURVES, HARMONICS, OPTIONAL_CURVES, Array, Coefficients, build_table
from .pose import compute_style_poses

POSES_FILE = Path(__file__).parents[1] / "poses.toml"


@dataclass(frozen=True)
class KeyPoseTemplate:
    """A pose of a body with one leading leg.

    The angles of the leading and the trailing side are expressed as the first two terms of the
    curves of a style, at the phases 0 and 0.5.

    Args:
        name: name of the pose.
        curves: (len(ROWS), HARMONICS + 1) Fourier coefficients [rad].
        thigh_spread: outward angle of the leading and the trailing thigh about the forward axis
            [rad].
    """

    name: str
    curves: Coefficients
    thigh_spread: tuple[float, float] = (0.0, 0.0)

    def build_pose(self, model: KinematicModel, leading_leg: int) -> Array:
        """Return the pose with the root at the origin and the heading along x, (nq,).

        Args:
            leading_leg: index of the leading leg.
        """
        phases = np.array(
            [[0.0 if k == leading_leg else 0.5 for k in range(len(model.character.legs))]]
        )
        pose = compute_style_poses(model, self.curves[None], np.zeros(1), phases)[0]
        for k, leg in enumerate(model.character.legs):
            hip = model.joint_coordinates(model.character.links[leg.links[0]].joint.name)
            spread = so3.quat_exp(
                np.array([leg.side * self.thigh_spread[k != leading_leg], 0.0, 0.0])
            )
            pose[hip] = so3.quat_multiply(spread, pose[hip])
        return pose


@dataclass(frozen=True)
class KeyPosePassage:
    """A key pose that a motion passes through.

    Args:
        begin: start of the blend [s].
        end: end of the blend [s].
        pose: (nq,) pose.
        peak_weight: largest weight of the pose, from 0 to 1.
        dof_mask: (nv,) degrees of freedom that take the pose; None for all.
        hold_time: time for which the weight stays at its maximum [s].
    """

    begin: float
    end: float
    pose: Array
    peak_weight: float
    dof_mask: NDArray[np.bool_] | None = None
    hold_time: float = 0.0

    def weight_at(self, times: Array) -> Array:
        """Return the weight of the pose at n times, (n,).

        It is 0 outside the blend and `peak_weight` in its middle.
        """
        middle = 0.5 * (self.begin + self.end)
        blend = 0.5 * (self.end - self.begin - self.hold_time)
        u = np.clip(
            (blend - np.maximum(np.abs(times - middle) - 0.5 * self.hold_time, 0)) / blend, 0, 1
        )
        return self.peak_weight * 0.5 * (1 - np.cos(np.pi * u))


@lru_cache(maxsize=1)
def load_key_poses() -> dict[str, KeyPoseTemplate]:
    """Return the built-in key poses by name."""
    templates = {}
    for name, angles in tomllib.loads(POSES_FILE.read_text(encoding="utf-8")).items():
        curves = {}
        for curve in (c for c in CURVES if c in angles or c not in OPTIONAL_CURVES):
            lead, trail = np.radians(angles[curve])
            curves[curve] = np.zeros(HARMONICS + 1, complex)
            curves[curve][:2] = 0.5 * (lead + trail), 0.5 * (lead - trail)
        lead, trail = np.radians(angles.get("thigh_out", (0.0, 0.0)))
        templates[name] = KeyPoseTemplate(name, build_table(curves), (float(lead), float(trail)))
    return templates


def find_key_pose(name: str) -> KeyPoseTemplate:
    """Return a built-in key pose.

    Raises:
        TaskError: there is no key pose of that name.
    """
    if name not in load_key_poses():
        raise TaskError(f"There is no key pose {name!r}; there are: {', '.join(load_key_poses())}.")
    return load_key_poses()[name]


def blend_key_poses(
    model: KinematicModel, poses: Array, times: Array, passages: list[KeyPosePassage]
) -> Array:
    """Return poses that are blended with key poses, (n, nq).

    Args:
        poses: (n, nq) poses.
        times: (n,) times of the poses [s].
        passages: key poses, applied in this order.
    """
    blended = poses
    for p in passages:
        weight = p.weight_at(times)
        is_active = weight > 0
        if is_active.any():
            difference = model.difference(
                blended[is_active], np.tile(p.pose, (int(is_active.sum()), 1))
            )
            difference = difference if p.dof_mask is None else difference * p.dof_mask
            blended = blended.copy()
            blended[is_active] = model.integrate(
                blended[is_active], weight[is_active, None] * difference
            )
    return blended
