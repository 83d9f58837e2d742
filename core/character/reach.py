"""The greatest distance that a leg reaches from its hip."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize

from ..geometry import so3
from .character import Character, Limb

Array = NDArray[np.float64]
FloatTuple = tuple[float, ...]
LinkGeometry = tuple[FloatTuple, tuple[FloatTuple, ...]]
"""Offset of a link from its parent's joint [m], and the axes of the hinges of its joint."""

# Hinge angle of the starts of the search beside the neutral pose, with either sign [rad]
SEARCH_BEND = 0.3


@dataclass(frozen=True)
class StretchedLeg:
    """A leg at its greatest length.

    Args:
        reach: distance from the hip joint to `leg_end_point` [m].
        angles: of the hinges after the hip, outward [rad].
    """

    reach: float
    angles: FloatTuple


@dataclass(frozen=True)
class _LegEnd:
    """Position of `leg_end_point` from the hip joint, and its derivative.

    Args:
        position: (3,) [m].
        jacobian: (hinges, 3) derivative of the position by each angle [m/rad].
    """

    position: Array
    jacobian: Array


def leg_end_point(character: Character, leg: Limb) -> Array:
    """Return the point of a foot that a footstep fixes, in the frame of the foot's link (3,) [m].

    A footstep fixes position and direction of a sole, and with them the ankle, which is the origin
    of the link. A round foot may turn about the center of its sphere.
    """
    foot = leg.foot
    assert foot is not None
    return foot.sphere_center if foot.is_point else np.zeros(3)


def stretch_leg(character: Character, leg: Limb) -> StretchedLeg:
    """Return the pose within the joint ranges in which a leg is longest."""
    inner_links = [character.links[number] for number in leg.links[1:]]
    geometry = tuple(
        (_to_floats(link.offset), tuple(_to_floats(axis) for axis in link.joint.axes))
        for link in inner_links
    )
    ranges = tuple(
        (float(low), float(high)) for link in inner_links for low, high in link.joint.ranges
    )
    return _stretch_chain(geometry, ranges, _to_floats(leg_end_point(character, leg)))


def compute_leg_reaches(character: Character) -> tuple[float, ...]:
    """Return the reach of each leg, as in `StretchedLeg`, in the order of the legs [m]."""
    return tuple(stretch_leg(character, leg).reach for leg in character.legs)


def _to_floats(values: ArrayLike) -> FloatTuple:
    return tuple(float(v) for v in np.asarray(values))


@lru_cache(maxsize=256)
def _stretch_chain(
    geometry: tuple[LinkGeometry, ...],
    ranges: tuple[tuple[float, float], ...],
    end_point: FloatTuple,
) -> StretchedLeg:
    """Return the longest pose of a leg given by numbers alone.

    The result is cached, as one body is queried many times.
    """
    if not ranges:
        end = _locate_end(geometry, end_point, np.zeros(0))
        return StretchedLeg(float(np.linalg.norm(end.position)), ())

    def negative_length(angles: Array) -> float:
        end = _locate_end(geometry, end_point, angles)
        return -max(float(np.linalg.norm(end.position)), 1e-9)

    def gradient(angles: Array) -> Array:
        end = _locate_end(geometry, end_point, angles)
        length = max(float(np.linalg.norm(end.position)), 1e-9)
        return -(end.jacobian @ end.position) / length

    low, high = np.array(ranges).T
    # the length is stationary where a leg is straight or folded: also search from beside it
    solutions = [
        minimize(
            negative_length,
            np.clip(np.full(len(ranges), start), low, high),
            jac=gradient,
            bounds=ranges,
        )
        for start in (0.0, SEARCH_BEND, -SEARCH_BEND)
    ]
    best = min(solutions, key=lambda f: f.fun)
    return StretchedLeg(-float(best.fun), _to_floats(best.x))


def _locate_end(
    geometry: tuple[LinkGeometry, ...], end_point: FloatTuple, angles: Array
) -> _LegEnd:
    """Return the end of a leg, with the hip and all ball joints as in the neutral pose.

    Args:
        angles: (hinges,) of all hinges after the hip, outward [rad].
    """
    rotation = np.eye(3)
    position = np.zeros(3)
    world_axes = []
    hinge_positions = []
    for offset, axes in geometry:
        position = position + rotation @ np.array(offset)
        for axis in axes:
            unit_axis = np.array(axis) / np.linalg.norm(axis)
            world_axes.append(rotation @ unit_axis)
            hinge_positions.append(position)
            rotation = rotation @ so3.exp(angles[len(world_axes) - 1] * unit_axis)
    position = position + rotation @ np.array(end_point)
    jacobian = (
        np.cross(world_axes, position - np.array(hinge_positions))
        if world_axes
        else np.zeros((0, 3))
    )
    return _LegEnd(position, jacobian)
