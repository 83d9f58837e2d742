"""Duplicate of an armature in a temporary scene, where it can be posed and played unseen."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .action_builder import ActionBuilder, PendingKeys, bone_of, data_bone_of

# Custom property of temporary data-blocks, by which `remove_temporary_data` identifies them
TEMPORARY_KEY = "footfall_temporary"


class ArmatureDuplicate:
    """A duplicate of an armature as the only object of a temporary scene.

    Duplicates leave the user's scene alone, and are evaluated quickly: without meshes, and without
    the bones that do not matter. They do not outlive undo, redo, and the loading and saving of
    files, which call `remove_temporary_data`.

    Args:
        armature: armature to duplicate; it may be shown at rest or be in edit mode.
        bones: bones to keep, with all bones that they depend on; None keeps all bones.
    """

    def __init__(self, armature: bpy.types.Object, bones: Set[str] | None = None) -> None:
        scene = bpy.data.scenes.new("Footfall")
        self._scene_name = _mark(scene)
        self._object_name = ""
        self._data_name = ""
        self._action_name = ""
        try:
            data = armature.data.copy()
            self._data_name = _mark(data)
            duplicate = armature.copy()
            self._object_name = _mark(duplicate)
            for datablock in (duplicate, data):
                if datablock.override_library is not None:  # its bones could not be edited
                    datablock.make_local(clear_liboverride=True)
            duplicate.data = data
            data.pose_position = "POSE"
            duplicate.hide_viewport = False
            scene.collection.objects.link(duplicate)
            if bones is not None:
                self._retarget_data_drivers(armature)
                self.drop_bones(bones)
        except BaseException:
            self.remove()
            raise

    @property
    def is_present(self) -> bool:
        """Whether the duplicate still exists."""
        return (
            self._scene_name in bpy.data.scenes
            and self._object_name in bpy.data.objects
            and self._data_name in bpy.data.armatures
        )

    @property
    def scene(self) -> bpy.types.Scene:
        """The temporary scene."""
        return bpy.data.scenes[self._scene_name]

    @property
    def armature(self) -> bpy.types.Object:
        """The duplicate."""
        return bpy.data.objects[self._object_name]

    @property
    def view_layer(self) -> bpy.types.ViewLayer:
        """The only view layer of the temporary scene."""
        return self.scene.view_layers[0]

    def play(self, pending_keys: PendingKeys) -> None:
        """Let the duplicate play a temporary action with some keys.

        Bones without keys stay in their pose.
        """
        duplicate = self.armature
        data = duplicate.animation_data or duplicate.animation_data_create()
        data.use_tweak_mode = data.use_nla = False
        data.action = None
        names = {*duplicate.pose.bones.keys(), ""}
        kept_keys = PendingKeys()
        kept_keys.channels = {
            curve_id: keys
            for curve_id, keys in pending_keys.channels.items()
            if bone_of(curve_id[0]) in names
        }
        builder = ActionBuilder(duplicate, "Footfall", kept_keys)
        self._action_name = _mark(builder.action)
        builder.write()
        builder.assign()
        data.action_influence = 1.0
        data.action_blend_type = "REPLACE"
        data.action_extrapolation = "HOLD"

    def remove(self) -> None:
        """Remove the duplicate and its scene; does nothing if they were removed before."""
        for collection, name in (
            (bpy.data.scenes, self._scene_name),
            (bpy.data.objects, self._object_name),
            (bpy.data.armatures, self._data_name),
            (bpy.data.actions, self._action_name),
        ):
            datablock = collection.get(name)
            if datablock is not None and datablock.get(TEMPORARY_KEY):
                collection.remove(datablock)

    def drop_bones(self, kept_bones: Set[str]) -> None:
        """Remove all other bones, with their drivers and custom shapes."""
        duplicate = self.armature
        for owner, find_bone in ((duplicate, bone_of), (duplicate.data, data_bone_of)):
            data = owner.animation_data
            for curve in list(data.drivers) if data else ():
                name = find_bone(curve.data_path)
                if name and name not in kept_bones:
                    data.drivers.remove(curve)
        for bone in duplicate.pose.bones:
            bone.custom_shape = None
        if all(bone.name in kept_bones for bone in duplicate.data.bones):
            return
        self.view_layer.objects.active = duplicate
        with bpy.context.temp_override(
            scene=self.scene,
            view_layer=self.view_layer,
            active_object=duplicate,
            object=duplicate,
            selected_objects=[duplicate],
        ):
            bpy.ops.object.mode_set(mode="EDIT")
            edit_bones = duplicate.data.edit_bones
            for edit_bone in [b for b in edit_bones if b.name not in kept_bones]:
                edit_bones.remove(edit_bone)
            bpy.ops.object.mode_set(mode="OBJECT")

    def _retarget_data_drivers(self, armature: bpy.types.Object) -> None:
        """Let drivers of the armature data read the duplicate, so that the original is not
        evaluated.
        """
        duplicate = self.armature
        data = duplicate.data.animation_data
        for curve in data.drivers if data else ():
            for target in (t for variable in curve.driver.variables for t in variable.targets):
                if target.id == armature:
                    target.id = duplicate


def _mark(datablock: Any) -> str:
    """Mark a data-block as temporary and return its name."""
    datablock[TEMPORARY_KEY] = True
    return str(datablock.name)


@persistent  # type: ignore[untyped-decorator]
def remove_temporary_data(*_: object) -> None:
    """Remove all duplicates, also those that came back with an undo step or a file."""
    for collection in (bpy.data.scenes, bpy.data.objects, bpy.data.armatures, bpy.data.actions):
        for datablock in [d for d in collection if d.get(TEMPORARY_KEY)]:
            collection.remove(datablock)


HANDLER_LISTS = ("undo_pre", "undo_post", "redo_pre", "redo_post", "save_pre", "load_post")


def register() -> None:
    """Add the handlers that remove duplicates."""
    for name in HANDLER_LISTS:
        getattr(bpy.app.handlers, name).append(remove_temporary_data)


def unregister() -> None:
    """Remove the handlers, and all duplicates."""
    for name in HANDLER_LISTS:
        getattr(bpy.app.handlers, name).remove(remove_temporary_data)
    remove_temporary_data()
