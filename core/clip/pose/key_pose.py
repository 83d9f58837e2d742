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
from ..style.style import CURVES, HARMONICS, UNTOLD, Array, Coefficients, table_of
from .pose import style_poses

SHELF = Path(__file__).parents[1] / "poses.toml"


@dataclass(frozen=True)
class KeyPose:
    """A pose by the angles of the leading and the trailing side, as the first two terms of a style's curves."""

    name: str
    curves: Coefficients      # (len(ROWS), HARMONICS + 1)
    thigh_out: tuple[float, float] = (0.0, 0.0)      # rad, by which the thighs are spread to the side, about the way ahead

    def of(self, model: KinematicModel, leading: int) -> Array:
        """The pose of a body whose leg `leading` leads; root at the origin, heading along x. (nq,)."""
        phases = np.array([[0.0 if k == leading else 0.5 for k in range(len(model.character.legs))]])
        pose = style_poses(model, self.curves[None], np.zeros(1), phases)[0]
        for k, leg in enumerate(model.character.legs):
            hip = model.joint_coordinates(model.character.links[leg.links[0]].joint.name)
            spread = so3.quat_exp(np.array([leg.side * self.thigh_out[k != leading], 0.0, 0.0]))
            pose[hip] = so3.quat_multiply(spread, pose[hip])
        return pose


@dataclass(frozen=True)
class Passage:
    """A key pose that poses are to pass through around a moment, by a share of 0 to 1; `hold` s of it they stay there."""

    begin: float
    end: float
    pose: Array               # (nq,)
    share: float
    joints: NDArray[np.bool_] | None = None      # (nv,) degrees of freedom that go there, where not all do
    hold: float = 0.0

    def weight(self, times: Array) -> Array:
        """How much the pose counts: nothing up to the begin, `share` in the middle, nothing from the end on. (n,)."""
        middle, blend = 0.5 * (self.begin + self.end), 0.5 * (self.end - self.begin - self.hold)
        u = np.clip((blend - np.maximum(np.abs(times - middle) - 0.5 * self.hold, 0)) / blend, 0, 1)
        return self.share * 0.5 * (1 - np.cos(np.pi * u))


@lru_cache(maxsize=1)
def key_poses() -> dict[str, KeyPose]:
    """The key poses on the shelf, by name."""
    out = {}
    for name, angles in tomllib.loads(SHELF.read_text(encoding="utf-8")).items():
        told = {}
        for curve in (c for c in CURVES if c in angles or c not in UNTOLD):
            lead, trail = np.radians(angles[curve])
            told[curve] = np.zeros(HARMONICS + 1, complex)
            told[curve][:2] = 0.5 * (lead + trail), 0.5 * (lead - trail)
        lead, trail = np.radians(angles.get("thigh_out", (0.0, 0.0)))
        out[name] = KeyPose(name, table_of(told), (float(lead), float(trail)))
    return out


def key_pose(name: str) -> KeyPose:
    """A key pose by its name.

    Raises:
        TaskError: there is none of that name.
    """
    if name not in key_poses():
        raise TaskError(f"There is no key pose {name!r}; there are: {', '.join(key_poses())}.")
    return key_poses()[name]


def pass_through(model: KinematicModel, poses: Array, times: Array, passages: list[Passage]) -> Array:
    """Poses led through key poses: joints turn towards them and back. (n, nq)."""
    out = poses
    for p in passages:
        weight = p.weight(times)
        on = weight > 0
        if on.any():
            away = model.difference(out[on], np.tile(p.pose, (int(on.sum()), 1)))
            away = away if p.joints is None else away * p.joints
            out = out.copy()
            out[on] = model.integrate(out[on], weight[on, None] * away)
    return out
