"""Feet for legs that end with the shin, as of toys and robots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...character.recognition.anatomy import Anatomy, LegBones
from ...geometry import so3
from .bvh import Recording

Array = NDArray[np.float64]

# Shortest bone of a shin whose end is its ankle [lengths of the thigh]; importers that know only
# joints make up shorter ones
MIN_SHIN_RATIO = 0.4
# Height of the ankle over the sole that the skin of a shin shows [lengths of that skin], about as
# in people
ANKLE_HEIGHT_RATIO = 0.15


def ends_with_shins(anatomy: Anatomy) -> bool:
    """Return whether a body stands on two legs that end with the shin."""
    return (
        anatomy.is_upright
        and len(anatomy.legs) == 2
        and all(leg.foot is None and len(leg.segments) == 2 for leg in anatomy.legs)
    )


def add_missing_feet(recording: Recording) -> Recording:
    """Return a recording of a rig with a foot at the end of each shin that has none.

    These feet stay level and point to where the hips face. A recording of any other body is
    returned unchanged.
    """
    if recording.rig is None or recording.rig.anatomy is None:
        return recording
    anatomy = recording.rig.anatomy
    if not ends_with_shins(anatomy):
        return recording
    ends = np.stack([_locate_shin_end(recording, leg) for leg in anatomy.legs])
    shins = [leg.knee for leg in anatomy.legs]
    ankles = recording.positions[:, shins] + np.einsum(
        "njkl,jl->njk", recording.rotations[:, shins], ends
    )
    first, second = (recording.positions[:, leg.hip] for leg in anatomy.legs)
    lateral = (first - second) * (1.0 if anatomy.legs[0].side > 0 else -1.0)
    level = so3.rotation_about("z", so3.atan2(-lateral[:, 0], lateral[:, 1]))
    feet = tuple(len(recording.joints) + k for k in (0, 1))
    legs = tuple(replace(leg, foot=foot) for leg, foot in zip(anatomy.legs, feet, strict=True))
    return replace(
        recording,
        joints=(*recording.joints, "foot 1", "foot 2"),
        parents=(*recording.parents, *shins),
        offsets=np.concatenate([recording.offsets, ends]),
        positions=np.concatenate([recording.positions, ankles], 1),
        rotations=np.concatenate([recording.rotations, np.repeat(level[:, None], 2, axis=1)], 1),
        rig=replace(recording.rig, anatomy=replace(anatomy, legs=legs)),
    )


def _locate_shin_end(recording: Recording, leg: LegBones) -> Array:
    """Return the lower end of a shin relative to the knee in the rest pose, (3,).

    It is that of the bone or of its end joint, or above the lowest skin of the shin if the bone is
    too short for a shin.
    """
    children = [k for k, parent in enumerate(recording.parents) if parent == leg.knee]
    if children:
        return np.asarray(recording.offsets[children].mean(0))
    tip = recording.tips.get(leg.knee, np.zeros(3))
    thigh_length = float(np.linalg.norm(recording.offsets[leg.knee]))
    rig = recording.rig
    skin = rig.skin_points.get(leg.knee) if rig is not None else None
    if skin is None or np.linalg.norm(tip) > MIN_SHIN_RATIO * thigh_length:
        return np.asarray(tip)
    return np.array([0.0, 0.0, (1 - ANKLE_HEIGHT_RATIO) * float(skin[:, 2].min())])
