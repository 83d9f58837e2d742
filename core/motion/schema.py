"""The arrays of a motion: their shapes, elements and which of them every file has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ..errors import MotionError


class Elements(Enum):
    """What an array holds, with numpy's letters of the types that are read as such."""

    NUMBERS = "fiu"
    INTEGERS = "iu"
    FLAGS = "b"
    TEXTS = "U"


@dataclass(frozen=True)
class ArraySchema:
    """The shape and the elements of an array.

    Args:
        shape: lengths of the axes; a letter stands for the same length in all arrays.
        elements: what the array holds.
        is_required: whether every file has it.
    """

    shape: tuple[int | str, ...]
    elements: Elements = Elements.NUMBERS
    is_required: bool = True


# Letters of shapes, for messages; the first array of each letter determines its length
LETTERS = {
    "n": "frames",
    "l": "links",
    "c": "contact points",
    "f": "footsteps",
    "s": "solids",
    "h": "hurdles",
}
# Arrays whose first axes determine n, l and c, and all others
ARRAYS = {
    "link_position": ArraySchema(("n", "l", 3)),
    "contact_position": ArraySchema(("n", "c", 3)),
    "fps": ArraySchema(()),
    "gravity": ArraySchema((3,)),
    "link_names": ArraySchema(("l",), Elements.TEXTS),
    "link_mass": ArraySchema(("l",)),
    "link_inertia": ArraySchema(("l", 3, 3)),
    "link_orientation": ArraySchema(("n", "l", 4)),
    "link_origin": ArraySchema(("n", "l", 3), is_required=False),
    "contact_names": ArraySchema(("c",), Elements.TEXTS),
    "contact_limb": ArraySchema(("c",), Elements.TEXTS),
    "contact_active": ArraySchema(("n", "c"), Elements.FLAGS),
    "contact_force": ArraySchema(("n", "c", 3)),
    "push_force": ArraySchema(("n", 3)),
    "push_point": ArraySchema(("n", 3)),
    "push_moment": ArraySchema(("n", 3), is_required=False),
    "planned_com": ArraySchema(("n", 3)),
    "goal_velocity": ArraySchema(("n", 3)),
    "reference_orientation": ArraySchema(("n", "l", 4), is_required=False),
    "style_links": ArraySchema(("l",), Elements.FLAGS, is_required=False),
    "relaxed": ArraySchema(("n",), Elements.FLAGS),
    "terrain_vertices": ArraySchema(("v", 3), is_required=False),
    "terrain_triangles": ArraySchema(("t", 3), Elements.INTEGERS, is_required=False),
    "toe_orientation": ArraySchema(("n", "toes", 4), is_required=False),
    "path": ArraySchema(("p", 2), is_required=False),
    "rungs": ArraySchema(("r", 2, 3), is_required=False),
    "hurdles": ArraySchema(("h", 2, 3), is_required=False),
    "hurdle_depth": ArraySchema(("h",), is_required=False),
    "surface_line": ArraySchema(("n", "points of moving ground", 3), is_required=False),
    "surface_width": ArraySchema((), is_required=False),
}
# Arrays of footsteps and solids in a file, which a motion holds as objects
OBJECT_ARRAYS = {
    "footstep_leg": ArraySchema(("f",), Elements.INTEGERS, is_required=False),
    "footstep_times": ArraySchema(("f", 4), is_required=False),
    "footstep_position": ArraySchema(("f", 3), is_required=False),
    "footstep_rotation": ArraySchema(("f", 3, 3), is_required=False),
    "footstep_kept": ArraySchema(("f",), Elements.FLAGS, is_required=False),
    "footstep_grip": ArraySchema(("f",), Elements.FLAGS, is_required=False),
    "footstep_raised": ArraySchema(("f",), is_required=False),
    "footstep_toes_first": ArraySchema(("f",), Elements.FLAGS, is_required=False),
    "solid_link": ArraySchema(("s",), Elements.INTEGERS, is_required=False),
    "solid_ends": ArraySchema(("s", 2, 3), is_required=False),
    "solid_radius": ArraySchema(("s",), is_required=False),
}


def check_shapes(
    shapes: Mapping[str, tuple[int, ...]], schemas: Mapping[str, ArraySchema] = ARRAYS
) -> None:
    """Check the shapes of arrays against their schemas.

    Args:
        shapes: by name; arrays without a schema are left out of account.
        schemas: by name.

    Raises:
        MotionError: an array has another shape.
    """
    lengths: dict[str, int] = {}
    for name, schema in schemas.items():
        if name not in shapes:
            continue
        shape = shapes[name]
        if len(shape) == len(schema.shape):
            for length, letter in zip(shape, schema.shape, strict=True):
                if isinstance(letter, str):
                    lengths.setdefault(letter, length)
        expected = tuple(
            lengths.get(length, 0) if isinstance(length, str) else length for length in schema.shape
        )
        if shape != expected:
            counts = ", ".join(
                f"{lengths[c]} {word}" for c, word in LETTERS.items() if c in lengths
            )
            raise MotionError(
                f"The motion's {name} has shape {shape}; with {counts or 'any frames'} it must be "
                f"{expected}."
            )
