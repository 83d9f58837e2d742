"""Soles whose skin follows several links: legs move until this skin stands on the ground.

A plan moves soles with the links of their feet. Skin that is weighted to shin or hips as well lags
behind its foot: it slides or sinks. `settle_soles` brings it to where it is planned, which needs
a foot with most of the weights. `raise_soles` raises the end of the leg until none of it is deeper
than planned, whatever the weights are: a hoof that turns with its shin then rolls over its edges.
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
# Bend of a knee below which the thigh shows in which direction it bends [length of the thigh]: the
# place of the knee of a straight leg does not
STRAIGHT_KNEE = 1e-3
MAX_EXTENSION = 0.9995  # Greatest distance from hip to ankle [length of thigh and shin]


@dataclass(frozen=True)
class SharedSole:
    """A sole whose skin follows other links in part, such as the shin or the pelvis.

    Args:
        leg: links of thigh, shin and foot; of a leg with a hock those of shin, hock and foot.
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
        target = _place_on_link(sole, planned, 0)
        for _ in range(ITERATIONS):
            _fit_foot(sole, planned, settled, target)
            if not sole.is_single_bone:
                _bend_leg(sole.leg, planned, settled)
    return settled


def raise_soles(soles: Sequence[SharedSole], planned: LinkFrames) -> LinkFrames:
    """Return poses in which no skin of the soles is deeper than the lowest of the planned feet.

    Depths are along the upward axis of the foot.
    """
    raised = LinkFrames(planned.origin.copy(), planned.rotation.copy())
    for sole in soles:
        foot = sole.leg[-1]
        up = planned.rotation[:, foot, :, 2]
        on_foot = _place_on_link(sole, planned, 0)
        planned_height = (on_foot @ up[:, :, None]).min((1, 2))
        lift = np.zeros(len(up))
        for _ in range(ITERATIONS):
            skin = _blend_skin(sole, raised)
            lift = np.maximum(lift + planned_height - (skin @ up[:, :, None]).min((1, 2)), 0.0)
            raised.origin[:, foot] = planned.origin[:, foot] + lift[:, None] * up
            _bend_leg(sole.leg, planned, raised)
    return raised


def _blend_skin(sole: SharedSole, frames: LinkFrames, first: int = 0) -> Array:
    """Return the sum of what the links contribute to the skin, from one of them on (n, m, 3)."""
    return np.asarray(
        sum(
            sole.weights[k][:, None] * _place_on_link(sole, frames, k)
            for k in range(first, len(sole.links))
        )
    )


def _place_on_link(sole: SharedSole, frames: LinkFrames, k: int) -> Array:
    """Return the points of a sole as if they followed one of its links alone (n, m, 3)."""
    link = sole.links[k]
    return np.asarray(
        frames.origin[:, None, link] + sole.offsets[k] @ np.swapaxes(frames.rotation[:, link], 1, 2)
    )


def _fit_foot(sole: SharedSole, planned: LinkFrames, settled: LinkFrames, target: Array) -> None:
    """Move a foot so that its skin is nearest to the target, given the other links.

    The fit is that of Kabsch (1976), weighted by the squares of the foot's shares.

    Args:
        target: (n, m, 3) planned positions of the points [m].
    """
    foot = sole.leg[-1]
    share = sole.weights[0]
    remainder = target - _blend_skin(sole, settled, first=1)
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
    fold = _find_fold_direction(leg, planned, direction)
    along = (upper**2 - lower**2 + distance**2) / (2 * distance)
    bent_knee = hip + along * direction + np.sqrt(np.maximum(upper**2 - along**2, 0)) * fold
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


def _find_fold_direction(leg: tuple[int, int, int], planned: LinkFrames, direction: Array) -> Array:
    """Return in which direction the knee leaves the line from hip to ankle, unit vectors (n, 3).

    It is that of the plan, turned as the line.

    Args:
        direction: new direction of the line, unit vectors (n, 3).
    """
    thigh, shin, foot = leg
    to_ankle = planned.origin[:, foot] - planned.origin[:, thigh]
    line = to_ankle / np.linalg.norm(to_ankle, axis=1)[:, None]
    to_knee = planned.origin[:, shin] - planned.origin[:, thigh]
    bend = to_knee - (to_knee * line).sum(1)[:, None] * line
    forward = planned.rotation[:, thigh, :, 0]
    folds_backward = (bend * forward).sum() < 0  # as the elbow of a foreleg
    reach = STRAIGHT_KNEE * float(np.linalg.norm(to_knee[0]))
    bend = bend + (-reach if folds_backward else reach) * forward
    fold = (so3.rotations_between(line, direction) @ bend[..., None])[..., 0]
    fold = fold - (fold * direction).sum(1)[:, None] * direction
    return np.asarray(fold / np.linalg.norm(fold, axis=1)[:, None])
