"""Names of Blender's data, which survive undo; references to the data do not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ..core.errors import CharacterError


class ArmatureReference:
    """The name of an armature."""

    def __init__(self, armature: bpy.types.Object) -> None:
        library = armature.library
        self.name = armature.name
        self._key = (armature.name, None if library is None else library.filepath)

    def find(self) -> bpy.types.Object:
        """Return the armature.

        Raises:
            CharacterError: it was deleted or renamed.
        """
        armature = bpy.data.objects.get(self._key)
        if armature is None or armature.type != "ARMATURE":
            raise CharacterError(
                f"The armature {self.name!r} is no longer in the file, so there was nothing to "
                "bake onto."
            )
        return armature


class SceneReference:
    """The name of a scene."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self.name = scene.name

    def find(self) -> bpy.types.Scene:
        """Return the scene.

        Raises:
            CharacterError: it was deleted or renamed.
        """
        scene = bpy.data.scenes.get(self.name)
        if scene is None:
            raise CharacterError(
                f"The scene {self.name!r} is no longer in the file, so there was nothing to bake "
                "onto."
            )
        return scene


@contextmanager
def in_scene(scene: bpy.types.Scene) -> Iterator[None]:
    """Make a scene the current one for the code inside, whichever scene the window shows."""
    if bpy.context.scene == scene:
        yield
        return
    with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
        yield
