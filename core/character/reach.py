"""How far legs reach when they are stretched."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize

from ..geometry import so3
from .character import Character, Limb

Array = NDArray[np.float64]
FloatTuple = tuple[float, ...]
LinkGeometry = tuple[FloatTuple, tuple[FloatTuple, ...]]
"""A link's offset from its parent's joint, m, and the axes of its own hinges."""

# rad that every hinge is turned by, either way, to begin a search beside the neutral pose
SEARCH_BEND = 0.3


def leg_end_point(character: Character, leg: Limb) -> Array:
    """The point that a step places, in the frame of the foot's link, (3,):
    a sole's ankle, a round foot's middle.

    A sole is placed with its direction, so its ankle is where the leg ends;
    a round foot may be turned any way.
    """
    foot = leg.foot
    assert foot is not None
    return foot.sphere_center if foot.is_point else np.zeros(3)


def stretch_leg(character: Character, leg: Limb) -> tuple[float, Array]:
    """A leg's greatest distance from hip joint to `leg_end_point` within its ranges, m, and the
    inner hinges' angles there, rad.
    """
    inner_links = [character.links[number] for number in leg.links[1:]]
    geometry = tuple(
        (_to_floats(link.offset), tuple(_to_floats(axis) for axis in link.joint.axes))
        for link in inner_links
    )
    ranges = tuple(
        (float(low), float(high)) for link in inner_links for low, high in link.joint.ranges
    )
    reach, angles = _stretch_chain(geometry, ranges, _to_floats(leg_end_point(character, leg)))
    return reach, np.array(angles)


def compute_leg_reaches(character: Character) -> tuple[float, ...]:
    """Each leg's greatest distance from hip joint to `leg_end_point`, metres,
    in the order of the legs.
    """
    return tuple(stretch_leg(character, leg)[0] for leg in character.legs)


def _to_floats(values: ArrayLike) -> FloatTuple:
    return tuple(float(v) for v in np.asarray(values))


@lru_cache(maxsize=256)
def _stretch_chain(
    geometry: tuple[LinkGeometry, ...],
    ranges: tuple[tuple[float, float], ...],
    end_point: FloatTuple,
) -> tuple[float, FloatTuple]:
    """Of a leg given by numbers alone, which are remembered:
    the same body is asked for time and again.
    """
    if not ranges:
        return float(np.linalg.norm(_end_and_jacobian(geometry, end_point, np.zeros(0))[0])), ()

    def negative_length(angles: Array) -> tuple[float, Array]:
        position, jacobian = _end_and_jacobian(geometry, end_point, angles)
        length = max(float(np.linalg.norm(position)), 1e-9)
        return -length, -(jacobian @ position) / length

    low, high = np.array(ranges).T
    solutions = []
    # a leg that stands straight, or folded, is at a turning point of its length
    for start in (0.0, SEARCH_BEND, -SEARCH_BEND):
        solutions.append(
            minimize(
                negative_length,
                np.clip(np.full(len(ranges), start), low, high),
                jac=True,
                bounds=ranges,
            )
        )
    best = min(solutions, key=lambda f: f.fun)
    return -float(best.fun), _to_floats(best.x)


def _end_and_jacobian(
    geometry: tuple[LinkGeometry, ...], end_point: FloatTuple, angles: Array
) -> tuple[Array, Array]:
    """Place of the `leg_end_point` from the hip joint, (3,),
    and how it moves with each angle, (hinges, 3).

    Args:
        angles: of all hinges after the hip's, outward, rad.
            The hip and balls stay as in the neutral pose.
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
    return position, np.cross(
        world_axes, position - np.array(hinge_positions)
    ) if world_axes else np.zeros((0, 3))
