"""Characters from other files: which can be worked on, and that a library override keeps what was found in it."""
from __future__ import annotations

import bpy
from bpy.app.handlers import persistent

from ...core.errors import CharacterError

WAY_OUT = "make a library override of it first (Object > Library Override > Make)"


def refuse_linked(armature: bpy.types.Object) -> None:
    """Make sure that an armature can be keyed in this file.

    Raises:
        CharacterError: it is linked; Blender would let a script key it, and lose the keys with the next save.
    """
    if armature.library is not None:
        raise CharacterError(f"The armature {armature.name!r} is linked from {armature.library.name!r} and cannot be animated "
                             f"here. {WAY_OUT[0].upper()}{WAY_OUT[1:]}.")


def what_is(thing: bpy.types.Object | None) -> str:
    """An active object that is no character, in words, with the way to one where there is any."""
    if thing is None:
        return "nothing is active"
    kind = thing.type.lower()
    told = f"the active object {thing.name!r} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    shown = thing.instance_collection if thing.instance_type == "COLLECTION" else None
    if shown is None:
        return told
    if shown.library is None:
        return f"{told} that shows the collection {shown.name!r}; make its instances real first (Object > Apply)"
    return f"{told} that shows the collection {shown.name!r} from {shown.library.name!r}; {WAY_OUT}"


def keep_own(armature: bpy.types.Object) -> None:
    """Have an override keep its character when the file is saved.

    Blender compares it with the linked one value by value only where that has such values too, and to read them gives it some.
    """
    override = armature.override_library
    if override is not None and override.reference is not None:
        len(override.reference.footfall.parts)


@persistent      # type: ignore[untyped-decorator]
def after_loading(_: object) -> None:
    """Do so for all characters of a file, whose linked ones were read anew."""
    for thing in bpy.data.objects:
        if thing.type == "ARMATURE" and thing.override_library is not None and thing.footfall.parts:
            keep_own(thing)
