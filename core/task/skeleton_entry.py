"""The character of a task file: a name, or a table of bones."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..character.recognition.skeleton import Skeleton
from ..errors import TaskError
from .packed import read_array, write_array


def read_character(entry: object) -> str | Skeleton:
    """Return the name or the skeleton that an entry holds.

    Raises:
        TaskError: neither a name nor a table of bones.
        CharacterError: the bones make no skeleton.
    """
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        raise TaskError("The character must be the name of a built-in one or a table of bones.")
    names = entry.get("names", [])
    skin = entry.get("skin", {})
    if (
        not isinstance(names, list)
        or not all(isinstance(x, str) for x in names)
        or not isinstance(skin, dict)
    ):
        raise TaskError(
            "The character's `names` must be a list of bone names, and its `skin` a table by bone "
            "name."
        )
    bones = {
        key: read_array(entry.get(key, []), f"character's {key}")
        for key in ("heads", "tails", "axes")
    }
    points = {name: read_array(v, f"skin of {name!r}").reshape(-1, 3) for name, v in skin.items()}
    parents = tuple(
        int(k) for k in read_array(entry.get("parents", []), "character's parents", int).ravel()
    )
    is_moved_by_controls = entry.get("controls", False)
    if not isinstance(is_moved_by_controls, bool):
        raise TaskError("The character's `controls` must be true or false.")
    return Skeleton(
        tuple(names),
        parents,
        bones["heads"],
        tails=bones["tails"],
        axes=bones["axes"],
        skin=points,
        deform_bones=frozenset(names) if is_moved_by_controls else frozenset(),
        parts=_read_parts(entry),
        separate_bones=_read_separate_bones(entry, frozenset(names)),
    )


def _read_parts(entry: dict[str, Any]) -> dict[str, str]:
    parts = entry.get("parts", {})
    if not isinstance(parts, dict) or not all(isinstance(name, str) for name in parts.values()):
        raise TaskError(
            'The character\'s `parts` must be a table of bone names by part, such as `"thigh.L" = '
            '"LeftUpLeg"`.'
        )
    return parts


def _read_separate_bones(entry: dict[str, Any], names: frozenset[str]) -> frozenset[str]:
    separate = entry.get("separate", [])
    if not isinstance(separate, list) or not all(
        isinstance(name, str) and name in names for name in separate
    ):
        raise TaskError("The character's `separate` must be a list of names among its `names`.")
    return frozenset(separate)


def skeleton_to_table(skeleton: Skeleton) -> dict[str, Any]:
    """Return a skeleton as a task file holds it; points of the skin in single precision."""
    return {
        "names": list(skeleton.names),
        "parents": list(skeleton.parents),
        "heads": write_array(skeleton.heads),
        "tails": write_array(skeleton.tails),
        "axes": write_array(skeleton.axes),
        "skin": {
            name: write_array(np.asarray(points, np.float32))
            for name, points in skeleton.skin.items()
        },
        **({"parts": dict(skeleton.parts)} if skeleton.parts else {}),
        **({"separate": sorted(skeleton.separate_bones)} if skeleton.separate_bones else {}),
        **({"controls": True} if len(skeleton.deform_bones) == len(skeleton.names) else {}),
    }
