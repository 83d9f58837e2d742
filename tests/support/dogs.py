"""Recordings of real dogs, retargeted to a Laikago robot by the project motion_imitation."""

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
# Offsets of the Laikago's description, x forward, y outward, z up [m]: of front and rear hips, and
# of the further joints of a leg, each from the one before
HIP_POSITIONS = {"F": (0.242889, 0.0817145, 0.0), "R": (-0.194401, 0.0817145, 0.0)}
LEG_OFFSETS = ((0.0, 0.0547, 0.0), (-0.1422, -0.02069, -0.20833), (-0.022, 0.0, -0.25))
SOLE_OFFSET = (0.0, 0.0, -0.03)
STANDING_ANGLES = (0.0, 0.07, -0.59)  # Angles of a leg's three joints while it stands [rad]
# Quaternion of the root while the robot stands: its description has y up and z forward
LEVEL_ROTATION = (0.5, 0.5, 0.5, 0.5)


@dataclass(frozen=True)
class DogClip:
    """A recording of one stride and its duration `cycle` [s]."""

    recording: Recording
    cycle: float


def load_dog_clip(file: Path) -> DogClip:
    """Load a clip.

    Each frame of the file holds the position of the root, its quaternion (x, y, z, w), and the
    angles of hip, upper and lower leg of FR, FL, RR and RL.
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
    """Return positions (n, 17, 3) [m] and rotations (n, 17, 3, 3) of the joints.

    Args:
        root_positions: (n, 3) [m].
        root_rotations: (n, 3, 3).
        angles: of the three joints of each leg, (n, 4, 3) [rad].
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
