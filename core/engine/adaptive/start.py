"""State in which a walk begins."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from .biped_model import SIDES, BipedModel


@dataclass(frozen=True)
class Start:
    """State in which a walk begins: both feet side by side, knees bent.

    Args:
        speed: of the whole body [m/s].
        lateral_speed: to the left [m/s].
        knee: angle [rad].
        swing: foot that swings first, 0 left, 1 right.
        position: (x, y) of the body [m].
        heading: [rad].
    """

    speed: float = 1.0
    lateral_speed: float = 0.0
    knee: float = 0.475
    swing: int = 1
    position: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0


def set_start_pose(model: BipedModel, data: mujoco.MjData, start: Start) -> None:
    """Write the pose at the beginning of a walk, at the neutral height above height 0."""
    mj_model = model.mujoco
    data.qpos[:2] = start.position
    data.qpos[3:7] = [np.cos(0.5 * start.heading), 0.0, 0.0, np.sin(0.5 * start.heading)]
    hip = 0.5 * start.knee
    for side, sign in zip(SIDES, model.knee_signs, strict=True):
        thigh = mj_model.joint(f"thigh.{side}").qposadr[0]
        data.qpos[thigh : thigh + 4] = [np.cos(0.5 * hip), 0.0, -sign * np.sin(0.5 * hip), 0.0]
        knee = mj_model.joint(f"shin.{side}.0")
        bend = float(np.clip(sign * start.knee, *knee.range))
        data.qpos[knee.qposadr[0]] = bend
        ankle = sign * hip - bend
        foot = mj_model.body(f"foot.{side}").jntadr[0]
        address = mj_model.jnt_qposadr[foot]
        if mj_model.jnt_type[foot] == mujoco.mjtJoint.mjJNT_BALL:
            data.qpos[address : address + 4] = [np.cos(0.5 * ankle), 0.0, np.sin(0.5 * ankle), 0.0]
        else:
            data.qpos[address] = ankle
