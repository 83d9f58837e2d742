"""Real dogs as they were captured and brought onto a Laikago robot for motion_imitation:
its frames as recordings.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from footfall.core.clip import Recording
from footfall.core.geometry import so3

LEGS = ("FR", "FL", "RR", "RL")
JOINTS = (
    "trunk",
    *(f"{leg}_{part}" for leg in LEGS for part in ("hip", "upper_leg", "lower_leg", "toe")),
)
PARENTS = (-1, *(parent for k in range(4) for parent in (0, 4 * k + 1, 4 * k + 2, 4 * k + 3)))
# of the Laikago's description, m, x ahead, y outward, z up: hips before and behind, and of each leg
# the joints one after another
HIP_POSITIONS = {"F": (0.242889, 0.0817145, 0.0), "R": (-0.194401, 0.0817145, 0.0)}
LEG_OFFSETS = ((0.0, 0.0547, 0.0), (-0.1422, -0.02069, -0.20833), (-0.022, 0.0, -0.25))
SOLE_OFFSET = (0.0, 0.0, -0.03)
STANDING_ANGLES = (0.0, 0.07, -0.59)  # rad of its three joints as it stands
LEVEL_ROTATION = (0.5, 0.5, 0.5, 0.5)  # its root as it stands: its description has y up and z ahead


@dataclass(frozen=True)
class DogClip:
    """A clip, and how long its one stride takes, s."""

    recording: Recording
    cycle: float


def load_dog_clip(file: Path) -> DogClip:
    """A file: frames of root, its quaternion x y z w, and the angles of hip,
    upper and lower leg, FR, FL, RR, RL.
    """
    data = json.loads(file.read_text())
    frames = np.array(data["Frames"])
    frame_time = float(data["FrameDuration"])
    root = (
        so3.quat_to_matrix(frames[:, [6, 3, 4, 5]]) @ so3.quat_to_matrix(np.array(LEVEL_ROTATION)).T
    )
    positions, rotations = _compute_joint_poses(
        frames[:, :3], root, frames[:, 7:].reshape(-1, 4, 3)
    )
    rest_positions, rest_rotations = _compute_joint_poses(
        np.zeros((1, 3)), np.eye(3)[None], np.tile(STANDING_ANGLES, (1, 4, 1))
    )
    offsets = np.array(
        [
            rest_positions[0, k] - (rest_positions[0, parent] if parent >= 0 else 0.0)
            for k, parent in enumerate(PARENTS)
        ]
    )
    tips = {JOINTS.index(f"{leg}_toe"): np.array(SOLE_OFFSET) for leg in LEGS}
    recording = Recording(
        file.stem,
        1 / frame_time,
        JOINTS,
        PARENTS,
        offsets,
        positions,
        rotations @ np.swapaxes(rest_rotations, -1, -2),
        tips,
    )
    return DogClip(recording, (len(frames) - 1) * frame_time)


def _compute_joint_poses(
    root_positions: np.ndarray, root_rotations: np.ndarray, angles: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Joints (n, 17, 3) and how they are turned (n, 17, 3, 3), of roots (n, 3),
    (n, 3, 3) and angles (n, 4, 3).
    """
    positions = [root_positions]
    rotations = [root_rotations]
    for k, leg in enumerate(LEGS):
        mirror = np.array([1.0, 1.0 if leg[1] == "L" else -1.0, 1.0])
        hip, upper, lower = angles[:, k].T
        position = root_positions + root_rotations @ (mirror * HIP_POSITIONS[leg[0]])
        rotation = root_rotations @ so3.rotation_about("x", mirror[1] * hip)
        positions.append(position)
        rotations.append(rotation)
        for bone, angle in zip(LEG_OFFSETS, (upper, lower, None), strict=True):
            position = position + rotation @ (mirror * bone)
            if angle is not None:
                rotation = rotation @ so3.rotation_about("y", angle)
            positions.append(position)
            rotations.append(rotation)
    return np.stack(positions, 1), np.stack(rotations, 1)
