"""The scene's units of length and gravity."""

from __future__ import annotations

import bpy

DEFAULT_GRAVITY = 9.81  # m/s^2, where the scene has none


def read_gravity(scene: bpy.types.Scene) -> float:
    """The scene's gravity downward, m/s^2; the earth's where it is switched
    off or does not pull down.
    """
    downward_gravity = -float(scene.gravity[2])
    return downward_gravity if scene.use_gravity and downward_gravity > 0.1 else DEFAULT_GRAVITY


def read_unit_scale(scene: bpy.types.Scene) -> float:
    """Metres in one of the scene's units."""
    units = scene.unit_settings
    return float(units.scale_length) if units.system != "NONE" else 1.0
