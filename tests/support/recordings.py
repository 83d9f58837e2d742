"""Recordings for tests: a generated motion as a recording, and text of a BVH file."""

from __future__ import annotations

import numpy as np
from footfall.core.character.load import load_builtin
from footfall.core.clip import Recording
from footfall.core.geometry import so3
from footfall.core.motion import Motion

BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg
  {
    OFFSET 0 -1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.5 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.025
0 1 0 0 0 0 90 0 0
2 1 0 0 0 90 0 0 0
"""


def make_recording(motion: Motion) -> Recording:
    """Return a motion of the built-in humanoid as a recording.

    It has one joint for each link, and one for each ball of a foot and each hand.
    """
    body = load_builtin("humanoid")
    names = list(motion.link_names)
    parents = [link.parent for link in body.links]
    offsets = [
        body.neutral_joint_position(k) - (body.neutral_joint_position(p) if p >= 0 else 0.0)
        for k, p in enumerate(parents)
    ]
    positions = [motion.link_origin[:, k] for k in range(len(names))]
    rotations = [so3.quat_to_matrix(motion.link_orientation[:, k]) for k in range(len(names))]
    for side in "LR":
        foot = names.index(f"foot.{side}")
        forearm = names.index(f"forearm.{side}")
        ball = motion.contact_position[:, motion.contact_names.index(f"foot.{side}/ball")]
        hand = 2 * motion.link_position[:, forearm] - motion.link_origin[:, forearm]
        for name, parent, position in (
            (f"toe.{side}", foot, ball),
            (f"hand.{side}", forearm, hand),
        ):
            names.append(name)
            parents.append(parent)
            positions.append(position)
            rotations.append(rotations[parent])
            offsets.append(np.array([0.14, 0, -0.06] if name.startswith("toe") else [0, 0, -0.25]))
    return Recording(
        "generated",
        motion.fps,
        tuple(names),
        tuple(parents),
        np.array(offsets),
        np.stack(positions, 1),
        np.stack(rotations, 1),
    )
