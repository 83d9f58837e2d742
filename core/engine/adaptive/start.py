"""State in which a walk begins."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from .biped_model import SIDES, BipedModel
from .height_field import EndlessField
from .physics_views import PhysicsViews

Array = NDArray[np.float64]

# Height of the feet above the ground at the begin [m], so that no contact begins with a depth.
START_HEIGHT = 0.002
# Range of a knee that cannot bend [rad]
FROZEN_RANGE = 0.01
# Time for which a body stands before a clip or a drive that begins standing [s]: the two
# half-cycles of `GaitChoiceParameters.min_standing`, 0.56 s each, after which it may move
STANDING_TIME = 1.2


@dataclass(frozen=True)
class Start:
    """State in which a walk begins: both feet flat on the ground, knees bent.

    Args:
        speed: of the whole body [m/s].
        lateral_speed: to the left [m/s].
        knee: angle [rad].
        swing: foot that swings first, 0 left, 1 right.
        position: (x, y) of the body [m].
        heading: [rad].
        sway: speed toward the foot that stands first, as in the middle of a walk. Tuned: without
            it bodies fall away from that foot and need two steps to catch themselves [m/s].
        stride: distance by which that foot is ahead of the other one [m].
    """

    speed: float = 1.0
    lateral_speed: float = 0.0
    knee: float = 0.475
    swing: int = 1
    position: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0
    sway: float = 0.0
    stride: float = 0.0

    @property
    def velocity(self) -> Array:
        """Velocity of the body (2,) [m/s]."""
        left = self.lateral_speed + (self.sway if self.swing == 1 else -self.sway)
        c = np.cos(self.heading)
        s = np.sin(self.heading)
        return np.array([c * self.speed - s * left, s * self.speed + c * left])


def set_start_pose(model: BipedModel, data: mujoco.MjData, start: Start) -> None:
    """Write the pose at the beginning of a walk, at the neutral height above height 0."""
    mj_model = model.mujoco
    data.qpos[:2] = start.position
    data.qpos[3:7] = [np.cos(0.5 * start.heading), 0.0, 0.0, np.sin(0.5 * start.heading)]
    for k, (side, sign) in enumerate(zip(SIDES, model.knee_signs, strict=True)):
        leg = model.biped.legs[k]
        upper = float(np.linalg.norm(leg.shin.joint - leg.thigh.joint))
        lower = float(np.linalg.norm(leg.foot.joint - leg.shin.joint))
        ahead = -0.5 * start.stride if k == start.swing else 0.5 * start.stride
        knee = mj_model.joint(f"shin.{side}.0")
        if knee.range[1] - knee.range[0] < FROZEN_RANGE:
            hip = float(np.arcsin(ahead / (upper + lower)))
            bend = 0.0
        else:
            hip, bend = _solve_leg(upper, lower, ahead, sign * start.knee)
        thigh = mj_model.joint(f"thigh.{side}").qposadr[0]
        data.qpos[thigh : thigh + 4] = [np.cos(0.5 * hip), 0.0, -np.sin(0.5 * hip), 0.0]
        data.qpos[knee.qposadr[0]] = bend
        ankle = hip - bend
        foot = mj_model.body(f"foot.{side}").jntadr[0]
        address = mj_model.jnt_qposadr[foot]
        if mj_model.jnt_type[foot] == mujoco.mjtJoint.mjJNT_BALL:
            data.qpos[address : address + 4] = [np.cos(0.5 * ankle), 0.0, np.sin(0.5 * ankle), 0.0]
        else:
            data.qpos[address] = ankle


def measure_clearance(model: BipedModel, views: PhysicsViews, ground: EndlessField | None) -> float:
    """Return the height of the lowest ball of the feet above the ground [m].

    Args:
        ground: None for a plane at height 0.
    """
    points = views.foot_position[:, None] + model.ball_places @ np.swapaxes(
        views.foot_rotation, 1, 2
    )
    level = 0.0 if ground is None else ground.sample(points[..., 0], points[..., 1])
    return float(np.min(points[..., 2] - level))


def _solve_leg(upper: float, lower: float, ahead: float, knee: float) -> tuple[float, float]:
    """Return the angles of hip and knee at which a foot is ahead of the hip [rad].

    Args:
        upper, lower: lengths of thigh and shin [m].
        ahead: of the foot [m].
        knee: angle at which a foot below the hip would be as low as this one, negative where the
            knee bends backward [rad].
    """
    bent = np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(knee))
    whole = upper + lower - 1e-3
    height = min(bent, np.sqrt(max(whole**2 - ahead**2, 0.0)))
    length = np.hypot(height, ahead)
    inner = (upper**2 + lower**2 - length**2) / (2.0 * upper * lower)
    at_hip = (upper**2 + length**2 - lower**2) / (2.0 * upper * length)
    sign = np.sign(knee)
    hip = np.arctan2(ahead, height) + sign * np.arccos(np.clip(at_hip, -1.0, 1.0))
    return float(hip), float(sign * (np.pi - np.arccos(np.clip(inner, -1.0, 1.0))))
