"""Characters from other files: which can be animated, and how library overrides keep their
detection.
"""

from __future__ import annotations

import bpy
from bpy.app.handlers import persistent

from ...core.errors import CharacterError

OVERRIDE_HINT = "make a library override of it first (Object > Library Override > Make)"


def check_not_linked(armature: bpy.types.Object) -> None:
    """Check that an armature can be keyed in this file.

    Raises:
        CharacterError: the armature is linked; Blender would let a script key it and lose the keys
            at the next save.
    """
    if armature.library is not None:
        raise CharacterError(
            f"The armature {armature.name!r} is linked from {armature.library.name!r} and cannot "
            f"be animated here. {OVERRIDE_HINT[0].upper()}{OVERRIDE_HINT[1:]}."
        )


def describe_active(obj: bpy.types.Object | None) -> str:
    """Return words for an active object that is no character, with a hint on how to get one."""
    if obj is None:
        return "nothing is active"
    kind = obj.type.lower()
    description = f"the active object {obj.name!r} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    collection = obj.instance_collection if obj.instance_type == "COLLECTION" else None
    if collection is None:
        return description
    if collection.library is None:
        return (
            f"{description} that shows the collection {collection.name!r}; make its instances "
            "real first (Object > Apply)"
        )
    return (
        f"{description} that shows the collection {collection.name!r} from "
        f"{collection.library.name!r}; {OVERRIDE_HINT}"
    )


def preserve_override(armature: bpy.types.Object) -> None:
    """Make a library override keep its character when the file is saved.

    Blender compares it with the linked one value by value only if that has such values too; reading
    them creates them.
    """
    override = armature.override_library
    if override is not None and override.reference is not None:
        len(override.reference.footfall.parts)


@persistent  # type: ignore[untyped-decorator]
def after_loading(_: object) -> None:
    """Make all library overrides of a newly loaded file keep their characters."""
    for obj in bpy.data.objects:
        if obj.type == "ARMATURE" and obj.override_library is not None and obj.footfall.parts:
            preserve_override(obj)
