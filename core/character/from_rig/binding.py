"""Which bone follows which link, and the bones' poses made from those of the links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..character import Character

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Binding:
    """Which bone follows which link, and how it is turned against it.

    Bones that are not listed keep their place on their parents. The first bone carries the body: it
    is moved as well as turned.
    """

    bones: tuple[str, ...]
    link_index: NDArray[np.int64]  # (b,) link of each bone; for toes the foot's
    toe_leg: NDArray[np.int64]  # (b,) leg whose toes the bone is, -1 for none
    rotation: Array  # (b, 3, 3) of the bone in its link's frame
    root_offset: Array  # (3,) of the first bone's head from the root link's origin, in its frame
    rest_bones: tuple[str, ...]  # bones between these that must stay at rest
    # bones that are moved as well as turned, such as feet that hang on no leg: head from the origin
    # of its link, in its frame
    head_offsets: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    # by bone the one whose link its own link hangs on; a rig may hang the bone
    # elsewhere, as hips on the spine
    parent_bones: Mapping[str, str] = field(default_factory=dict)
    # bones whose joint is where they end: they point to the body
    reversed_bones: frozenset[str] = frozenset()


@dataclass(frozen=True)
class BoundCharacter:
    """A character made from a rig, and the bones that follow its links."""

    character: Character
    binding: Binding


@dataclass(frozen=True)
class BonePoses:
    """World orientation of the bones of a binding, and where the first one's
    head is, over n frames.
    """

    names: tuple[str, ...]
    orientation: Array  # (n, b, 4)
    root_position: Array  # (n, 3)
    # (n, 3) heads of the bones that are moved by themselves
    head_positions: Mapping[str, Array] = field(default_factory=dict)


def pose_bones(binding: Binding, origin: Array, orientation: Array, toes: Array) -> BonePoses:
    """The bones' poses of a motion.

    Args:
        origin: (n, l, 3) joints of the links.
        orientation: (n, l, 4).
        toes: (n, legs, 4).
    """
    frames = so3.quat_to_matrix(orientation)[:, binding.link_index]  # (n, b, 3, 3)
    is_toe = binding.toe_leg >= 0
    if is_toe.any():
        frames[:, is_toe] = so3.quat_to_matrix(toes)[:, binding.toe_leg[is_toe]]
    bone_orientation = so3.quat_unwrap(so3.quat_from_matrix(frames @ binding.rotation))
    root_position = origin[:, 0] + so3.quat_to_matrix(orientation[:, 0]) @ binding.root_offset
    head_positions = {}
    for name, offset in binding.head_offsets.items():
        link = binding.link_index[binding.bones.index(name)]
        head_positions[name] = origin[:, link] + so3.quat_to_matrix(
            orientation[:, link]
        ) @ np.asarray(offset)
    return BonePoses(binding.bones, bone_orientation, root_position, head_positions)
