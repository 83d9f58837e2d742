"""Joints of a recording that belong to one body, without scene roots and other people."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .bvh import Recording

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointGroupParameters:
    """Separation of the bodies in a recording."""

    # Largest range of the positions of a joint that stays in place [extents of the joints].
    # Numerical: above the rounding of files with five digits.
    max_still_range: float = 1e-4
    # Smallest number of joints of a body, relative to the largest body. Props have fewer; people
    # of one file come from one rig.
    min_relative_size: float = 0.6
    # Smallest number of joints of one of several bodies: hips, knees, ankles, shoulders
    min_joints: int = 8


JOINT_GROUP = JointGroupParameters()


def list_bodies(recording: Recording) -> list[tuple[int, ...]]:
    """Return the joints of each body in a recording, parents before children.

    Roots outside the bodies are left out. Trees of joints that are too small for a body belong to
    the only body, since a foot or a prop may have a separate root.
    """
    groups = [_list_subtree(recording, root) for root in _list_body_roots(recording)]
    largest = max(len(group) for group in groups)
    bodies = [
        group
        for group in groups
        if len(group) >= max(JOINT_GROUP.min_joints, JOINT_GROUP.min_relative_size * largest)
    ]
    if len(bodies) > 1:
        return bodies
    return [tuple(sorted(joint for group in groups for joint in group))]


def select_joints(recording: Recording, joints: tuple[int, ...]) -> Recording:
    """Return a recording of some joints, which must come before their children.

    Joints without a parent among them become roots.
    """
    new_index = {joint: k for k, joint in enumerate(joints)}
    index = list(joints)
    return replace(
        recording,
        joints=tuple(recording.joints[k] for k in joints),
        parents=tuple(new_index.get(recording.parents[k], -1) for k in joints),
        offsets=recording.offsets[index],
        positions=recording.positions[:, index],
        rotations=recording.rotations[:, index],
        tips={new_index[k]: tip for k, tip in recording.tips.items() if k in new_index},
    )


def _list_body_roots(recording: Recording) -> list[int]:
    """Return the roots of the bodies, below the roots of the scene.

    A root of the scene stays in place above a single joint, or above joints that all move relative
    to it. The hips of a body that stands may stay in place as well, but not away from the thighs.
    """
    positions = recording.positions
    extent = float(np.median(np.ptp(positions, axis=1), axis=0).max())
    max_range = JOINT_GROUP.max_still_range * extent
    roots = []
    pending = [k for k, parent in enumerate(recording.parents) if parent < 0]
    while pending:
        joint = pending.pop(0)
        children = _list_children(recording, joint)
        distances = np.linalg.norm(positions[:, children] - positions[:, [joint]], axis=-1)
        is_scene_root = (
            np.ptp(positions[:, joint], axis=0).max() <= max_range
            and children
            and (len(children) == 1 or np.ptp(distances, axis=0).min() > max_range)
        )
        if is_scene_root:
            pending = children + pending
        else:
            roots.append(joint)
    return roots


def _list_children(recording: Recording, joint: int) -> list[int]:
    return [k for k, parent in enumerate(recording.parents) if parent == joint]


def _list_subtree(recording: Recording, root: int) -> tuple[int, ...]:
    """Return a joint and its descendants."""
    subtree = {root}
    for k in range(root + 1, len(recording.parents)):
        if recording.parents[k] in subtree:
            subtree.add(k)
    return tuple(sorted(subtree))
