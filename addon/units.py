"""The scene's units of length and gravity."""

from __future__ import annotations

import bpy

from ..core.geometry.units import STANDARD_GRAVITY


def read_gravity(scene: bpy.types.Scene) -> float:
    """Return the downward gravity of a scene [m/s^2].

    If gravity is switched off or does not point down, the result is `STANDARD_GRAVITY`.
    """
    downward_gravity = -float(scene.gravity[2])
    return downward_gravity if scene.use_gravity and downward_gravity > 0.1 else STANDARD_GRAVITY


def read_unit_scale(scene: bpy.types.Scene) -> float:
    """Return the length of a scene unit [m]."""
    units = scene.unit_settings
    return float(units.scale_length) if units.system != "NONE" else 1.0
