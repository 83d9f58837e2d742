"""Choice of the soles whose skin follows other links than the foot in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character import Limb
from ..recognition.anatomy import Anatomy
from ..recognition.skeleton import Skeleton
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
        min_end_share: least share of foot and shin together in skin that raises the end of a leg;
            a tail or a belly near the ground follows other bones.
    """

    min_other_share: float = 0.18
    min_foot_share: float = 0.3
    height_band: float = 0.02
    min_points: int = 3
    min_end_share: float = 0.5


PARAMETERS = SharedSoleParameters()


def find_settled_soles(
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
        if bound.link_of.get(foot) != limb.links[-1]:
            continue  # the shin ends in the sole
        toes = skeleton.subtree(leg.toe) if leg.toe is not None else []
        has_toe = limb.foot is not None and limb.foot.has_toe  # toes have another orientation
        without_toes = [-1 if has_toe and k in toes else c for k, c in enumerate(carriers)]
        skin = _select_sole(skeleton, _share_skin(skeleton, without_toes, foot), foot)
        if skin is not None:
            soles.append(_build_sole(skin, limb, bound, is_single_bone=len(leg.segments) == 1))
    return tuple(soles)


def find_raised_soles(
    skeleton: Skeleton, anatomy: Anatomy, limbs: Sequence[Limb], bound: LinkBinding
) -> tuple[SharedSole, ...]:
    """Return the soles and hooves whose skin follows their foot and the shin above it.

    Args:
        limbs: those of the character, the legs first, in the order of the anatomy.
    """
    if skeleton.low_skin is None:
        return ()
    carriers = find_moving_bones(skeleton, bound.link_of)
    soles = []
    for leg, limb in zip(anatomy.legs, limbs, strict=False):
        if leg.foot is None or len(leg.segments) < 2:
            continue  # the shin ends in the sole, or there is no knee to bend
        skin = _share_skin(skeleton, carriers, leg.foot)
        on_foot = skin.weights[leg.foot]
        on_shin = skin.weights.get(leg.segments[-1], np.zeros(len(on_foot)))
        is_end = on_foot + on_shin > PARAMETERS.min_end_share
        if on_shin[is_end].any():
            soles.append(_build_sole(skin.select(is_end), limb, bound, is_single_bone=False))
    return tuple(soles)


@dataclass(frozen=True)
class _SharedSkin:
    """Skin near the ground.

    Args:
        points: (m, 3) at rest [m].
        weights: (m,) by bound bone, the foot first; the sum over the bones is 1.
    """

    points: Array
    weights: dict[int, Array]

    def select(self, mask: NDArray[np.bool_]) -> _SharedSkin:
        """Return some of the points, with the foot and the other bones that have a share in them.

        Args:
            mask: (m,).
        """
        weights = {bone: weight[mask] for bone, weight in self.weights.items()}
        foot = next(iter(weights))
        used = {bone: weight for bone, weight in weights.items() if bone == foot or weight.any()}
        return _SharedSkin(self.points[mask], used)


def _share_skin(skeleton: Skeleton, carriers: Sequence[int], foot: int) -> _SharedSkin:
    """Return the skin near the ground that bound bones move.

    Args:
        carriers: bound bone that moves each bone; -1 for none.
    """
    low_skin = skeleton.low_skin
    assert low_skin is not None
    shares: dict[int, Array] = {foot: np.zeros(len(low_skin.points))}
    for name, weight in low_skin.weights.items():
        if name in skeleton.names and carriers[skeleton.names.index(name)] >= 0:
            carrier = carriers[skeleton.names.index(name)]
            shares[carrier] = shares.get(carrier, 0.0) + weight
    total = np.sum(list(shares.values()), axis=0)
    is_moved = total > 0
    return _SharedSkin(
        low_skin.points[is_moved],
        {bone: share[is_moved] / total[is_moved] for bone, share in shares.items()},
    )


def _select_sole(skeleton: Skeleton, skin: _SharedSkin, foot: int) -> _SharedSkin | None:
    """Return the points of the sole of a foot; None where they follow the foot alone."""
    assert skeleton.low_skin is not None
    lowest = skeleton.low_skin.points[:, 2].min()
    is_sole = (skin.points[:, 2] < lowest + PARAMETERS.height_band * skeleton.height) & (
        skin.weights[foot] > PARAMETERS.min_foot_share
    )
    if is_sole.sum() < PARAMETERS.min_points:
        return None
    sole = skin.select(is_sole)
    return sole if 1 - sole.weights[foot].mean() >= PARAMETERS.min_other_share else None


def _build_sole(
    skin: _SharedSkin, limb: Limb, bound: LinkBinding, is_single_bone: bool
) -> SharedSole:
    """Return the sole of a limb in the frames of its links."""
    thigh, shin, foot = limb.links[-3:]
    offsets = [
        (skin.points - bound.joint_positions[bone]) @ bound.rest_to_link[bone].T
        for bone in skin.weights
    ]
    return SharedSole(
        (thigh, shin, foot),
        np.array([bound.link_of[bone] for bone in skin.weights]),
        np.stack(offsets),
        weights=np.stack(list(skin.weights.values())),
        is_single_bone=is_single_bone,
    )
