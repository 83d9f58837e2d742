"""Swinging feet that avoid the other leg, in the planned paths and again in solved poses.

Paths are planned for ankles. Where shins, feet and knees are, and how far a foot is off its path in
mid-swing, follows from the solved body. The paths are then moved apart by the missing distance, and
the body is solved again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.capsule import Capsule, find_nearest_points
from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, LinkPoses
from ..geometry.spans import find_spans
from .foot_path import FootPath, FootSupport

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LegAvoidanceParameters:
    """How far and how smoothly swinging feet avoid the other leg.

    Half or twice of numbers without a note moves a pushed body by at most 8 cm
    (docs/dev/parameters.csv).
    """

    # Distance before and behind the other foot within which a foot passes it [m]
    passing_distance: float = 0.30
    # Standard deviation of the smoothing of the detour [s]. tuned: halved, pops of a pushed body
    # are 14 degrees instead of 11
    smoothing_time: float = 0.035
    # Distance between solved legs that pass each other [m]
    clearance: float = 0.008
    # Largest missing distance in solved poses that counts [m]. tuned: doubled, pops of a pushed
    # body are 13 degrees instead of 11
    max_outward_shift: float = 0.04
    # Factor of the missing distance. tuned: solved legs follow the change of their paths in part,
    # and smoothing reduces its peak, test_legs_that_pass_fast_or_in_a_tight_turn_hardly_touch
    overcorrection: float = 2.2
    # Lateral distance beyond the other foot at which a swing counts as crossing over [m]
    crossing_distance: float = 0.04
    # Least cosine between outward direction and the direction between limbs. It limits the detour
    # where limbs are in front of each other.
    min_outward_slope: float = 0.5
    # Least position along the shin, from 0 at the knee to 1 at the ankle, for which the shift of
    # the ankle is computed
    min_shin_share: float = 0.4


LEG_AVOIDANCE = LegAvoidanceParameters()


def separate_foot_paths(
    paths: list[FootPath], sides: list[int], heading: Array, min_separation: float, dt: float
) -> list[FootPath]:
    """Return foot paths that are moved outward where they pass the other foot too closely.

    Args:
        paths: path of each foot in n frames.
        sides: side of each foot, 1 for left or -1 for right.
        heading: heading of the body [rad], shape (n,).
        min_separation: least lateral distance between the origins of passing feet [m].
        dt: time between two frames [s].
    """
    left = np.stack([-np.sin(heading), np.cos(heading)], -1)  # (n, 2)
    forward = np.stack([np.cos(heading), np.sin(heading)], -1)
    separated = []
    for k, path in enumerate(paths):
        shift = np.zeros(len(heading))
        for j, other in enumerate(paths):
            if sides[j] == sides[k]:
                continue
            offset = path.origin[:, :2] - other.origin[:, :2]
            lateral_distance = sides[k] * (offset * left).sum(1)
            forward_distance = np.abs((offset * forward).sum(1))
            nearness = np.clip(2 - 2 * forward_distance / LEG_AVOIDANCE.passing_distance, 0, 1)
            height_factor = np.clip(
                2 - np.abs(path.origin[:, 2] - other.origin[:, 2]) / min_separation / 3, 0, 1
            )
            shift = np.maximum(
                shift,
                np.maximum(min_separation - lateral_distance, 0.0)
                * nearness
                * height_factor
                * (path.support == FootSupport.SWING),
            )
        if shift.max() > 0:
            shift = gaussian_filter1d(
                shift, LEG_AVOIDANCE.smoothing_time / dt, mode="nearest"
            ) * _build_swing_envelope(path)
            origin = path.origin.copy()
            origin[:, :2] += sides[k] * shift[:, None] * left
            path = replace(path, origin=origin)
        separated.append(path)
    return separated


def separate_solved_legs(
    model: KinematicModel, paths: tuple[FootPath, ...], placed: LinkPoses, dt: float
) -> tuple[FootPath, ...]:
    """Return foot paths that are moved outward where solved legs intersect in a swing.

    Args:
        model: body.
        paths: path of each foot in n frames.
        placed: links in the poses solved with these paths.
        dt: time between two frames [s].
    """
    legs = model.character.legs
    shapes = model.capsules
    left = placed.rotation[:, 0, :, 1] * np.array([1.0, 1.0, 0.0])
    left /= np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-9)  # (n, 3)
    separated = []
    for path, leg in zip(paths, legs, strict=True):
        shift = np.zeros(len(left))
        for other, other_path in zip(legs, paths, strict=True):
            if other.side != leg.side:
                outward = leg.side * left
                shift = np.maximum(
                    shift,
                    _compute_required_shift(leg, other, shapes, placed=placed, outward=outward)
                    * _compute_uncrossed_share(path, other_path, outward),
                )
        shift = np.minimum(shift, LEG_AVOIDANCE.max_outward_shift)
        if shift.max() > 0:
            shift = (
                LEG_AVOIDANCE.overcorrection
                * gaussian_filter1d(shift, LEG_AVOIDANCE.smoothing_time / dt, mode="nearest")
                * _build_swing_envelope(path)
            )
            path = replace(path, origin=path.origin + leg.side * shift[:, None] * left)
        separated.append(path)
    return tuple(separated)


def _compute_required_shift(
    leg: Limb, other: Limb, shapes: tuple[Capsule, ...], placed: LinkPoses, outward: Array
) -> Array:
    """Return the outward shift of an ankle that separates its leg from another one [m], (n,).

    Args:
        leg: leg whose links below the hip are separated.
        other: other leg.
        shapes: capsules of the body.
        placed: links in the solved poses, n frames.
        outward: outward direction of the leg, shape (n, 3).
    """
    shift = np.zeros(len(outward))
    if leg.lower_link is None:
        return shift
    knee = placed.origin[:, leg.lower_link]
    ankle = placed.origin[:, leg.links[-1]]
    shin = ankle - knee
    for capsule in (c for c in shapes if c.link in leg.links[1:]):
        segment = capsule.segment_at(
            placed.origin[:, capsule.link], placed.rotation[:, capsule.link]
        )
        for other_capsule in (c for c in shapes if c.link in other.links):
            nearest = find_nearest_points(
                segment,
                other_capsule.segment_at(
                    placed.origin[:, other_capsule.link], placed.rotation[:, other_capsule.link]
                ),
            )
            point = nearest.on_first
            offset = point - nearest.on_second
            min_distance = capsule.radius + other_capsule.radius + LEG_AVOIDANCE.clearance
            distance = np.linalg.norm(offset, axis=1)
            outward_slope = np.maximum(
                (offset * outward).sum(1) / np.maximum(distance, 1e-9),
                LEG_AVOIDANCE.min_outward_slope,
            )
            # Position along the shin, 0 at the knee and 1 at the ankle
            shin_share = ((point - knee) * shin).sum(1) / np.maximum((shin * shin).sum(1), 1e-9)
            shift = np.maximum(
                shift,
                (min_distance - distance)
                / outward_slope
                / np.clip(shin_share, LEG_AVOIDANCE.min_shin_share, 1.0),
            )
    return shift


def _build_swing_envelope(path: FootPath) -> Array:
    """Return 1 in the middle of each swing, falling smoothly to 0 at its ends, shape (n,)."""
    envelope = np.zeros(len(path.support))
    for swing in find_spans(path.support == FootSupport.SWING):
        n = swing.stop - swing.start
        u = np.clip(np.minimum(np.arange(1, n + 1), np.arange(n, 0, -1)) / (0.25 * (n + 1)), 0, 1)
        envelope[swing] = u * u * u * (10 - 15 * u + 6 * u * u)
    return envelope


def _compute_uncrossed_share(path: FootPath, other: FootPath, outward: Array) -> Array:
    """Return 1 in swings that pass the other foot on its near side, 0 if on the far side, (n,).

    A leg that crosses over where it passes the other one, as after a push, would only arrive later
    if it were moved outward. One that crosses in front of the other foot or behind it is moved.

    Args:
        path: path of the foot.
        other: path of the other foot.
        outward: outward direction of the leg, shape (n, 3).
    """
    offset = path.origin - other.origin
    lateral_distance = (offset * outward).sum(1)
    forward_distance = np.abs(offset[:, 0] * outward[:, 1] - offset[:, 1] * outward[:, 0])
    share = np.zeros(len(outward))
    for swing in find_spans(path.support == FootSupport.SWING):
        passing = swing.start + int(np.argmin(forward_distance[swing]))
        share[swing] = np.clip(
            1 + lateral_distance[passing] / LEG_AVOIDANCE.crossing_distance, 0, 1
        )
    return share
