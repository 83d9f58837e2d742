"""The knobs of a style as sliders."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.
from dataclasses import Field, fields
from math import degrees, radians
from typing import Any

import bpy
from bpy.props import FloatProperty

from ...core.clip import Knobs

UNITS = {"legs": "leg lengths", "hips": "hip widths", "times": "multiples of the style's own", "degrees": "degrees",
         "share": "shares of the whole"}


def _slider(knob: Field[float]) -> Any:
    told, angle = knob.metadata, knob.metadata["unit"] == "degrees"
    usual, least, most = (radians(v) if angle else v for v in (float(str(knob.default)), told["least"], told["most"]))
    return FloatProperty(
        name=knob.name.replace("_", " ").title(), description=f"{told['about']}. In {UNITS[told['unit']]}", default=usual,
        min=least, max=most, subtype="ANGLE" if angle else "NONE", step=100 if angle else 1, precision=1 if angle else 2)


class FootfallKnobs(bpy.types.PropertyGroup):
    """What is turned on the style; one slider a knob of the core, angles in radians as Blender has them."""

    __annotations__ = {knob.name: _slider(knob) for knob in fields(Knobs)}


def read_knobs(sliders: FootfallKnobs) -> Knobs:
    """The knobs as a task has them, each within its ends: a slider's end in single precision may lie just beyond."""
    values = {}
    for knob in fields(Knobs):
        value = float(getattr(sliders, knob.name))
        value = round(degrees(value) if knob.metadata["unit"] == "degrees" else value, 5)
        values[knob.name] = min(max(value, knob.metadata["least"]), knob.metadata["most"])
    return Knobs(**values)
