"""Sizes that are probably mistakes of the scale: of a character, and of its ground."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.geometry.units import HUMAN_LEG_LENGTH
from ..units import read_unit_scale
from .presence import find_present

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SizeLimits:
    """Sizes that are usual in scenes.

    Args:
        min_leg_length: shortest legs, such as a mouse's [m].
        max_leg_length: longest legs, such as a giant's of a film [m].
        min_ground_extent: least extent of a ground [leg lengths]: two steps.
    """

    min_leg_length: float = 0.025
    max_leg_length: float = 15.0
    min_ground_extent: float = 2.0


SIZE_LIMITS = SizeLimits()


@dataclass(frozen=True)
class ScaleProblem:
    """A size that is probably a mistake.

    Args:
        text: what is too large or too small.
        factor: power of ten by which the character is to be scaled; 1 if that does not help.
        is_unit: whether the length of the scene's unit is at fault instead of the character.
    """

    text: str
    factor: float = 1.0
    is_unit: bool = False


def find_scale_problem(leg_length: float, scene: bpy.types.Scene) -> ScaleProblem | None:
    """Return what is wrong with the size of a character; None if nothing is.

    Args:
        leg_length: length of its legs [m]; 0 if it is unknown.
    """
    if leg_length <= 0:
        return None
    if not SIZE_LIMITS.min_leg_length < leg_length < SIZE_LIMITS.max_leg_length:
        return _describe_legs(leg_length, read_unit_scale(scene))
    extent = _measure_ground_extent(find_present(scene.footfall.terrain, scene), scene)
    if extent is not None and extent < SIZE_LIMITS.min_ground_extent * leg_length:
        return ScaleProblem(
            f"The ground is only {extent:.2g} m across and the legs are {leg_length:.2g} m long. "
            "Scale the ground or the character",
            _find_usual_factor(leg_length),
        )
    return None


def _describe_legs(leg_length: float, unit_scale: float) -> ScaleProblem:
    """Return the problem of legs that are too long or too short."""
    factor = _find_usual_factor(leg_length)
    is_unit = bool(unit_scale != 1 and np.isclose(unit_scale * factor, 1.0))
    unit_text = f", since a unit of the scene is {unit_scale:g} m" if is_unit else ""
    return ScaleProblem(
        f"The legs are {leg_length:.2g} m long{unit_text}. Apply the scale unless this is intended",
        factor,
        is_unit,
    )


def _find_usual_factor(leg_length: float) -> float:
    """Return the power of ten that makes legs nearly as long as is usual."""
    return float(10.0 ** round(np.log10(HUMAN_LEG_LENGTH / leg_length)))


def _measure_ground_extent(terrain: bpy.types.ID | None, scene: bpy.types.Scene) -> float | None:
    """Return the larger horizontal extent of a ground [m]; None without one."""
    if isinstance(terrain, bpy.types.Collection):
        objects = [obj for obj in terrain.all_objects if obj.type == "MESH"]
    else:
        objects = [terrain] if isinstance(terrain, bpy.types.Object) else []
    if not objects:
        return None
    corners = np.concatenate([_read_corners(obj) for obj in objects])
    return float(np.ptp(corners[:, :2], axis=0).max()) * read_unit_scale(scene)


def _read_corners(obj: bpy.types.Object) -> Array:
    """Return the corners of the bounding box of an object in the world (8, 3)."""
    matrix = np.array(obj.matrix_world)
    return np.array(obj.bound_box, float) @ matrix[:3, :3].T + matrix[:3, 3]
