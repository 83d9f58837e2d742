"""The scene's units of length and gravity."""

from __future__ import annotations

import bpy

DEFAULT_GRAVITY = 9.81  # gravity of a scene without downward gravity [m/s^2]


def read_gravity(scene: bpy.types.Scene) -> float:
    """Return the downward gravity of a scene [m/s^2].

    If gravity is switched off or does not point down, the result is `DEFAULT_GRAVITY`.
    """
    downward_gravity = -float(scene.gravity[2])
    return downward_gravity if scene.use_gravity and downward_gravity > 0.1 else DEFAULT_GRAVITY


def read_unit_scale(scene: bpy.types.Scene) -> float:
    """Return the length of a scene unit [m]."""
    units = scene.unit_settings
    return float(units.scale_length) if units.system != "NONE" else 1.0
