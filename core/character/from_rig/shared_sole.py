"""Soles whose skin follows several links: legs move until this skin is where it is planned.

A plan moves soles with the links of their feet. Skin that is weighted to shin or hips as well lags
behind its foot: it slides or sinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3

Array = NDArray[np.float64]

# Number of solutions for a sole of which the shin, that turns, has a share. Tuned: two fewer leave
# 2 mm on castle_skinned_anim, which tests/blender/bake/test_shared_soles.py measures.
ITERATIONS = 5
MAX_EXTENSION = 0.9995  # Greatest distance from hip to ankle [length of thigh and shin]


@dataclass(frozen=True)
class SharedSole:
    """A sole whose skin follows other links in part, such as the shin or the pelvis.

    Args:
        leg: links of thigh, shin and foot.
        links: (j,) links with a share, the foot first.
        offsets: (j, m, 3) the points of the sole at rest from the origins of these links, in their
            frames [m].
        weights: (j, m) shares; the sum over the links is 1.
        is_single_bone: whether one bone is the whole leg. It is not turned, since its hip would
            move.
    """

    leg: tuple[int, int, int]
    links: NDArray[np.int64]
    offsets: Array
    weights: Array
    is_single_bone: bool


@dataclass(frozen=True)
class LinkFrames:
    """Poses of all links over n frames, in world axes.

    Args:
        origin: (n, l, 3) joints [m].
        rotation: (n, l, 3, 3).
    """

    origin: Array
    rotation: Array


def settle_soles(soles: Sequence[SharedSole], planned: LinkFrames) -> LinkFrames:
    """Return poses in which the skin of the soles is where the planned feet would have it."""
    settled = LinkFrames(planned.origin.copy(), planned.rotation.copy())
    for sole in soles:
        foot = sole.leg[-1]
        target = planned.origin[:, None, foot] + sole.offsets[0] @ np.swapaxes(
            planned.rotation[:, foot], 1, 2
        )
        for _ in range(ITERATIONS):
            _fit_foot(sole, planned, settled, target)
            if not sole.is_single_bone:
                _bend_leg(sole.leg, planned, settled)
    return settled


def _fit_foot(sole: SharedSole, planned: LinkFrames, settled: LinkFrames, target: Array) -> None:
    """Move a foot so that its skin is nearest to the target, given the other links.

    The fit is that of Kabsch (1976), weighted by the squares of the foot's shares.

    Args:
        target: (n, m, 3) planned positions of the points [m].
    """
    foot = sole.leg[-1]
    share = sole.weights[0]
    remainder = target - sum(
        weight[:, None]
        * (settled.origin[:, None, link] + points @ np.swapaxes(settled.rotation[:, link], 1, 2))
        for link, points, weight in zip(
            sole.links[1:], sole.offsets[1:], sole.weights[1:], strict=True
        )
    )
    goals = remainder / share[:, None]  # where the foot alone would have to bring the points
    fit_weights = share**2 / (share**2).sum()
    goal_center = fit_weights @ goals
    center = fit_weights @ sole.offsets[0]
    rotation = planned.rotation[:, foot]
    if not sole.is_single_bone:
        covariance = np.einsum(
            "nmi,m,mj->nij", goals - goal_center[:, None], fit_weights, sole.offsets[0] - center
        )
        u, _, vt = np.linalg.svd(covariance)
        u[:, :, 2] *= np.linalg.det(u @ vt)[:, None]
        rotation = u @ vt
    settled.rotation[:, foot] = rotation
    settled.origin[:, foot] = goal_center - rotation @ center


def _bend_leg(leg: tuple[int, int, int], planned: LinkFrames, settled: LinkFrames) -> None:
    """Turn thigh and shin so that they end at the ankle, with the knee in its planned plane.

    An ankle out of reach is moved toward the hip.
    """
    thigh, shin, foot = leg
    hip = planned.origin[:, thigh]
    knee = planned.origin[:, shin]
    upper, lower = (
        float(np.linalg.norm(vectors[0]))
        for vectors in (knee - hip, planned.origin[:, foot] - knee)
    )
    to_ankle = settled.origin[:, foot] - hip
    distance = np.linalg.norm(to_ankle, axis=1)[:, None]
    direction = to_ankle / distance
    distance = np.minimum(distance, MAX_EXTENSION * (upper + lower))
    forward = planned.rotation[:, thigh, :, 0]  # a knee bends forward
    forward = forward - (forward * direction).sum(1)[:, None] * direction
    forward /= np.linalg.norm(forward, axis=1)[:, None]
    along = (upper**2 - lower**2 + distance**2) / (2 * distance)
    bent_knee = hip + along * direction + np.sqrt(np.maximum(upper**2 - along**2, 0)) * forward
    ankle = hip + distance * direction
    for link, before, after in (
        (thigh, knee - hip, bent_knee - hip),
        (shin, planned.origin[:, foot] - knee, ankle - bent_knee),
    ):
        lengths = [np.linalg.norm(v, axis=1)[:, None] for v in (before, after)]
        turn = so3.rotations_between(before / lengths[0], after / lengths[1])
        settled.rotation[:, link] = turn @ planned.rotation[:, link]
    settled.origin[:, shin] = bent_knee
    settled.origin[:, foot] = ankle
