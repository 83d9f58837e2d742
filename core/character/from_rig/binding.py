"""The binding of bones to links, and poses of bones from poses of links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ..character import Character
from .shared_sole import LinkFrames, SharedSole, raise_soles, settle_soles

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DraggedTail:
    """A tail that trails behind the body over the ground.

    Args:
        bones: names of its bones, outward.
        joints: (k + 1, 3) its joints and its tip at rest, from the origin of the root link in its
            frame [m].
        heights: (k + 1,) planned heights of the joints over the ground [m].
    """

    bones: tuple[str, ...]
    joints: Array
    heights: Array


@dataclass(frozen=True)
class Binding:
    """The bones that follow links.

    Other bones keep their pose relative to their parents. The first bone is that of the root: it is
    translated and rotated, the others are rotated only.

    Args:
        bones: names of the bones.
        link_index: (b,) link of each bone; for toes the link of the foot.
        toe_leg: (b,) leg of a bone that is a toe, else -1.
        rotation: (b, 3, 3) bone to link.
        root_offset: (3,) head of the first bone from the origin of the root link, in its frame [m].
        rest_bones: bones between these that must stay at rest.
        head_offsets: for bones that are also translated, such as detached feet: head from the
            origin of the link, in its frame [m].
        parent_bones: for each bone the bone of the parent of its link. The parent of the bone in
            the rig may be another one, as where hips are children of the spine.
        reversed_bones: bones that point toward the body, with their joint at the tail.
        loose_bones: bones that hang on no part of the body and follow the part nearest to them.
            They come last.
        dragged_tails: tails whose bones move by themselves; their link is the root.
        settled_soles: soles whose legs are moved until their skin is where they are planned.
        raised_soles: soles whose legs are raised until their skin is not deeper than planned.
    """

    bones: tuple[str, ...]
    link_index: NDArray[np.int64]
    toe_leg: NDArray[np.int64]
    rotation: Array
    root_offset: Array
    rest_bones: tuple[str, ...]
    head_offsets: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    parent_bones: Mapping[str, str] = field(default_factory=dict)
    reversed_bones: frozenset[str] = frozenset()
    loose_bones: frozenset[str] = frozenset()
    dragged_tails: tuple[DraggedTail, ...] = ()
    settled_soles: tuple[SharedSole, ...] = ()
    raised_soles: tuple[SharedSole, ...] = ()


@dataclass(frozen=True)
class BoundCharacter:
    """A character made from a rig, and the bones that follow its links."""

    character: Character
    binding: Binding


@dataclass(frozen=True)
class BonePoses:
    """Poses of the bones of a binding over n frames, in world axes.

    Args:
        names: of the bones.
        orientation: (n, b, 4) quaternions.
        root_position: (n, 3) head of the first bone [m].
        head_positions: (n, 3) heads of the other bones that are translated, by name [m].
    """

    names: tuple[str, ...]
    orientation: Array
    root_position: Array
    head_positions: Mapping[str, Array] = field(default_factory=dict)


def pose_bones(binding: Binding, origin: Array, orientation: Array, toes: Array) -> BonePoses:
    """Return the poses of the bones from those of the links.

    Args:
        origin: (n, l, 3) joints of the links [m].
        orientation: (n, l, 4) of the links.
        toes: (n, legs, 4) orientations of the toes.
    """
    planned = LinkFrames(np.asarray(origin), so3.quat_to_matrix(orientation))
    links = raise_soles(binding.raised_soles, settle_soles(binding.settled_soles, planned))
    frames = links.rotation[:, binding.link_index]  # (n, b, 3, 3)
    is_toe = binding.toe_leg >= 0
    if is_toe.any():
        frames[:, is_toe] = so3.quat_to_matrix(toes)[:, binding.toe_leg[is_toe]]
    bone_orientation = so3.quat_unwrap(so3.quat_from_matrix(frames @ binding.rotation))
    root_position = links.origin[:, 0] + links.rotation[:, 0] @ binding.root_offset
    head_positions = {}
    for name, offset in binding.head_offsets.items():
        link = binding.link_index[binding.bones.index(name)]
        head_positions[name] = links.origin[:, link] + links.rotation[:, link] @ np.asarray(offset)
    return BonePoses(binding.bones, bone_orientation, root_position, head_positions)
