"""Choice of the soles whose skin follows other links than the foot in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character import Limb
from ..recognition.anatomy import Anatomy
from ..recognition.skeleton import LowSkin, Skeleton
from .bind import LinkBinding
from .loose_bones import find_moving_bones
from .shared_sole import SharedSole

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SharedSoleParameters:
    """Which soles are corrected.

    Args:
        min_other_share: least mean share of other links, below which legs keep the planned pose
            exactly. Tuned: at 0.16 quaternius_men_Casual sinks by 2 mm with and without a
            correction, at 0.19 raylib_greenman slides by 10 mm a frame without.
        min_foot_share: least share of the foot in a point of the sole. Points that follow it less,
            such as those of a coat, would throw the foot.
        height_band: height of the sole above the lowest skin [stature].
        min_points: least number of points, which show the direction of a sole.
    """

    min_other_share: float = 0.18
    min_foot_share: float = 0.3
    height_band: float = 0.02
    min_points: int = 3


PARAMETERS = SharedSoleParameters()


def find_shared_soles(
    skeleton: Skeleton, anatomy: Anatomy, limbs: Sequence[Limb], bound: LinkBinding
) -> tuple[SharedSole, ...]:
    """Return the soles of a biped whose skin follows other links in part.

    Args:
        limbs: those of the character, the legs first, in the order of the anatomy.
    """
    if skeleton.low_skin is None:
        return ()
    carriers = find_moving_bones(skeleton, bound.link_of)
    soles = []
    for leg, limb in zip(anatomy.legs, limbs, strict=False):
        foot = leg.foot if leg.foot is not None else leg.ankle
        thigh_link, shin_link, foot_link = limb.links
        if bound.link_of.get(foot) != foot_link:
            continue  # the shin ends in the sole
        toes = skeleton.subtree(leg.toe) if leg.toe is not None else []
        has_toe = limb.foot is not None and limb.foot.has_toe  # toes have another orientation
        without_toes = [-1 if has_toe and k in toes else c for k, c in enumerate(carriers)]
        skin = _select_sole(skeleton, skeleton.low_skin, without_toes, foot=foot)
        if skin is None:
            continue
        offsets = [
            (skin.points - bound.joint_positions[bone]) @ bound.rest_to_link[bone].T
            for bone in skin.weights
        ]
        soles.append(
            SharedSole(
                (thigh_link, shin_link, foot_link),
                np.array([bound.link_of[bone] for bone in skin.weights]),
                np.stack(offsets),
                weights=np.stack(list(skin.weights.values())),
                is_single_bone=len(leg.segments) == 1,
            )
        )
    return tuple(soles)


@dataclass(frozen=True)
class _SoleSkin:
    """Points of a sole.

    Args:
        points: (m, 3) at rest [m].
        weights: (m,) by bound bone, the foot first.
    """

    points: Array
    weights: dict[int, Array]


def _select_sole(
    skeleton: Skeleton, low_skin: LowSkin, carriers: Sequence[int], foot: int
) -> _SoleSkin | None:
    """Return the points of the sole of a foot; None where they follow the foot alone.

    Args:
        carriers: bound bone that moves each bone; -1 for none.
    """
    shares: dict[int, Array] = {foot: np.zeros(len(low_skin.points))}
    for name, weight in low_skin.weights.items():
        if name in skeleton.names and carriers[skeleton.names.index(name)] >= 0:
            carrier = carriers[skeleton.names.index(name)]
            shares[carrier] = shares.get(carrier, 0.0) + weight
    total = np.sum(list(shares.values()), axis=0)
    heights = low_skin.points[:, 2]
    is_sole = (
        (heights < heights.min(initial=np.inf) + PARAMETERS.height_band * skeleton.height)
        & (total > 0)
        & (shares[foot] > PARAMETERS.min_foot_share * total)
    )
    if is_sole.sum() < PARAMETERS.min_points:
        return None
    weights = {bone: share[is_sole] / total[is_sole] for bone, share in shares.items()}
    if 1 - weights[foot].mean() < PARAMETERS.min_other_share:
        return None
    used = {bone: share for bone, share in weights.items() if bone == foot or share.any()}
    return _SoleSkin(low_skin.points[is_sole], used)
