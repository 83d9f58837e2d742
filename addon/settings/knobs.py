"""The knobs of a style as sliders."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from dataclasses import Field, fields
from math import degrees, radians
from typing import Any

import bpy
from bpy.props import FloatProperty

from ...core.clip import Knobs

UNIT_LABELS = {
    "legs": "leg lengths",
    "hips": "hip widths",
    "times": "multiples of the value of the style",
    "degrees": "degrees",
    "share": "shares of the whole",
}


def _make_slider(knob: Field[float]) -> Any:
    metadata = knob.metadata
    is_angle = knob.metadata["unit"] == "degrees"
    default, minimum, maximum = (
        radians(v) if is_angle else v
        for v in (float(str(knob.default)), metadata["least"], metadata["most"])
    )
    return FloatProperty(
        name=knob.name.replace("_", " ").title(),
        description=f"{metadata['about']}. In {UNIT_LABELS[metadata['unit']]}",
        default=default,
        min=minimum,
        max=maximum,
        subtype="ANGLE" if is_angle else "NONE",
        step=100 if is_angle else 1,
        precision=1 if is_angle else 2,
    )


class FootfallKnobs(bpy.types.PropertyGroup):
    """Changes to the style: one slider for each knob of the core, with angles in radians as in
    Blender.
    """

    __annotations__ = {knob.name: _make_slider(knob) for knob in fields(Knobs)}


def read_knobs(sliders: FootfallKnobs) -> Knobs:
    """Return the knobs for a task.

    Each is clipped to its range, since the end of a slider in single precision may lie just
    outside.
    """
    values = {}
    for knob in fields(Knobs):
        value = float(getattr(sliders, knob.name))
        value = round(degrees(value) if knob.metadata["unit"] == "degrees" else value, 5)
        values[knob.name] = min(max(value, knob.metadata["least"]), knob.metadata["most"])
    return Knobs(**values)
