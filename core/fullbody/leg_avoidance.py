"""Swinging feet kept from the other leg: as their ways are drawn, and once more
as the body was solved.

Ways are drawn for ankles. What shins, feet and knees then do, and how far a foot strays from its
way in mid-swing, only the solved body tells; its ways are led apart by what is missing and solved
again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.capsule import Capsule, find_nearest_points
from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, LinkPoses
from .foot_path import FootPath, FootSupport

Array = NDArray[np.float64]

PASSING_DISTANCE = 0.30  # m before and behind the other foot within which a foot passes it
SMOOTHING_TIME = 0.035  # s over which the way round is smoothed
LEG_CLEARANCE = 0.008  # m between solved legs that pass each other
MAX_OUTWARD_SHIFT = 0.04  # m that a foot is led out after the body was solved
# of what is missing, by which it is led out: solved legs follow their ways in part,
# and smoothing blunts them
OVERCORRECTION = 2.2
CROSSING_DISTANCE = 0.04  # m beyond the other foot, from where on a swing crosses over
# share of a way out that counts at least, where limbs lie before and behind each other
MIN_OUTWARD_SLOPE = 0.5
MIN_SHIN_SHARE = 0.4  # share of the shin from the knee on, from where the ankle leads it out


def separate_foot_paths(
    paths: list[FootPath], sides: list[int], heading: Array, min_separation: float, dt: float
) -> list[FootPath]:
    """The ways of the feet, led outward round the other foot where they would pass it too near.

    Args:
        sides: of the feet, 1 left or -1 right.
        heading: (n,) of the body, rad.
        min_separation: least distance sideways between the feet's origins in passing, m.
        dt: time between two frames, s.
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
            nearness = np.clip(2 - 2 * forward_distance / PASSING_DISTANCE, 0, 1)
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
                shift, SMOOTHING_TIME / dt, mode="nearest"
            ) * _build_swing_envelope(path)
            origin = path.origin.copy()
            origin[:, :2] += sides[k] * shift[:, None] * left
            path = replace(path, origin=origin)
        separated.append(path)
    return separated


def separate_solved_legs(
    model: KinematicModel, paths: tuple[FootPath, ...], placed: LinkPoses, dt: float
) -> tuple[FootPath, ...]:
    """The ways of the feet, led outward in their swings where the solved
    legs go through each other.

    Args:
        placed: the links in the poses that the ways led to, n frames.
        dt: time between two frames, s.
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
        shift = np.minimum(shift, MAX_OUTWARD_SHIFT)
        if shift.max() > 0:
            shift = (
                OVERCORRECTION
                * gaussian_filter1d(shift, SMOOTHING_TIME / dt, mode="nearest")
                * _build_swing_envelope(path)
            )
            path = replace(path, origin=path.origin + leg.side * shift[:, None] * left)
        separated.append(path)
    return tuple(separated)


def _compute_required_shift(
    leg: Limb, other: Limb, shapes: tuple[Capsule, ...], placed: LinkPoses, outward: Array
) -> Array:
    """How far a leg's ankle must go out for its shin and foot to be clear of another leg. (n,)."""
    shift = np.zeros(len(outward))
    knee = placed.origin[:, leg.links[1]]
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
            min_distance = capsule.radius + other_capsule.radius + LEG_CLEARANCE
            distance = np.linalg.norm(offset, axis=1)
            outward_slope = np.maximum(
                (offset * outward).sum(1) / np.maximum(distance, 1e-9), MIN_OUTWARD_SLOPE
            )
            # share of the shin
            shin_share = ((point - knee) * shin).sum(1) / np.maximum((shin * shin).sum(1), 1e-9)
            shift = np.maximum(
                shift,
                (min_distance - distance)
                / outward_slope
                / np.clip(shin_share, MIN_SHIN_SHARE, 1.0),
            )
    return shift


def _find_swings(path: FootPath) -> list[slice]:
    swing = path.support == FootSupport.SWING
    edges = np.flatnonzero(np.diff(np.concatenate([[0], swing.astype(np.int8), [0]])))
    return [slice(int(begin), int(end)) for begin, end in zip(edges[::2], edges[1::2], strict=True)]


def _build_swing_envelope(path: FootPath) -> Array:
    """1 in the middle of each swing, smoothly 0 at its ends and in contacts. (n,)."""
    envelope = np.zeros(len(path.support))
    for swing in _find_swings(path):
        n = swing.stop - swing.start
        u = np.clip(np.minimum(np.arange(1, n + 1), np.arange(n, 0, -1)) / (0.25 * (n + 1)), 0, 1)
        envelope[swing] = u * u * u * (10 - 15 * u + 6 * u * u)
    return envelope


def _compute_uncrossed_share(path: FootPath, other: FootPath, outward: Array) -> Array:
    """1 in swings that begin and end on the foot's own side of the other one,
    0 in those that cross over. (n,).

    A leg that is on its way across, as after a push, only comes later where it
    must be if it is led out.
    """
    lateral_distance = ((path.origin - other.origin) * outward).sum(1)
    share = np.zeros(len(outward))
    for swing in _find_swings(path):
        share[swing] = np.clip(
            1
            + min(lateral_distance[swing.start], lateral_distance[swing.stop - 1])
            / CROSSING_DISTANCE,
            0,
            1,
        )
    return share
