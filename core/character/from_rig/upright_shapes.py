"""Solids of the links of an upright body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character import Limb
from ..link import Link, LinkShape
from .shapes import make_head_shapes, make_limb_shape, make_pelvis_shapes, make_trunk_shapes

Array = NDArray[np.float64]

# Length of forearm and hand over the length of the upper arm, as in humans, for arms without hands
FOREARM_AND_HAND_RATIO = 1.45
HEADLESS_TRUNK_LENGTH = 0.3  # Length of the last link of a trunk without a head [leg length]


@dataclass(frozen=True)
class UprightParts:
    """Links of an upright body: those of the trunk, outward, the head, and the limbs."""

    trunk: tuple[int, ...]
    head: int | None
    limbs: tuple[Limb, ...]


def make_upright_shapes(
    links: Sequence[Link], parts: UprightParts, head_height: float | None, leg_length: float
) -> dict[int, tuple[LinkShape, ...]]:
    """Return the solids of each link.

    Args:
        links: with their offsets.
        head_height: of the top of the head above the neck joint; None without a head [m].
        leg_length: [m].
    """
    offsets = [np.asarray(link.offset) for link in links]
    hip_half_width = float(
        np.mean([abs(offsets[limb.links[0]][1]) for limb in parts.limbs if limb.kind == "leg"])
    )
    shoulders = [offsets[limb.links[0]] for limb in parts.limbs if limb.kind == "arm"]
    trunk = parts.trunk
    shapes: dict[int, tuple[LinkShape, ...]] = {
        0: make_pelvis_shapes(hip_half_width, leg_length, offsets[trunk[0]] if trunk else None)
    }
    for k, link in enumerate(trunk):
        above = trunk[k + 1] if k + 1 < len(trunk) else parts.head
        end = (
            offsets[above]
            if above is not None
            else np.array([0, 0, HEADLESS_TRUNK_LENGTH * leg_length])
        )
        shapes[link] = make_trunk_shapes(
            end, shoulders if link == trunk[-1] else [], hip_half_width, leg_length
        )
    if parts.head is not None and head_height is not None:
        shapes[parts.head] = make_head_shapes(head_height, leg_length)
    for limb in parts.limbs:
        make_shapes = _make_leg_shapes if limb.kind == "leg" else _make_arm_shapes
        shapes |= make_shapes(limb, offsets, leg_length)
    return shapes


def _make_leg_shapes(
    limb: Limb, offsets: Sequence[Array], leg_length: float
) -> dict[int, tuple[LinkShape, ...]]:
    thigh, shin, foot = limb.links
    assert limb.foot is not None
    return {
        thigh: (make_limb_shape("thigh", np.zeros(3), offsets[shin], leg_length),),
        shin: (make_limb_shape("shin", np.zeros(3), offsets[foot], leg_length),),
        foot: (make_limb_shape("foot", limb.foot.heel, limb.foot.tip, leg_length),),
    }


def _make_arm_shapes(
    limb: Limb, offsets: Sequence[Array], leg_length: float
) -> dict[int, tuple[LinkShape, ...]]:
    upper_arm, forearm = limb.links
    direction = (
        np.array([0.0, 0.0, -1.0])
        if limb.hand is None
        else limb.hand.grip / np.linalg.norm(limb.hand.grip)
    )
    hand_end = FOREARM_AND_HAND_RATIO * np.linalg.norm(offsets[forearm]) * direction
    return {
        upper_arm: (make_limb_shape("upper_arm", np.zeros(3), offsets[forearm], leg_length),),
        forearm: (make_limb_shape("forearm", np.zeros(3), hand_end, leg_length),),
    }
