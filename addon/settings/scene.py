"""Settings that the .blend file stores, and the progress of the work, which it does not."""
# No `from __future__ import annotations` here: Blender reads the annotations as they are.

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, PointerProperty, StringProperty

from .motion import MotionSettings
from .polls import has_meshes, is_mesh


def _on_terrain_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    """Update the two fields of the panel, one for an object and one for a collection."""
    collection = self.terrain if isinstance(self.terrain, bpy.types.Collection) else None
    obj = self.terrain if isinstance(self.terrain, bpy.types.Object) else None
    if self.terrain is not None:
        self.terrain_kind = "OBJECT" if collection is None else "COLLECTION"
    if self.terrain_object != obj:
        self.terrain_object = obj
    if self.terrain_collection != collection:
        self.terrain_collection = collection


def _on_object_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.terrain_kind == "OBJECT" and self.terrain != self.terrain_object:
        self.terrain = self.terrain_object


def _on_collection_changed(self: bpy.types.PropertyGroup, _: bpy.types.Context) -> None:
    if self.terrain_kind == "COLLECTION" and self.terrain != self.terrain_collection:
        self.terrain = self.terrain_collection


def _can_be_hurdles(self: bpy.types.PropertyGroup, collection: bpy.types.Collection) -> bool:
    return has_meshes(collection) and collection != self.stones


def _can_be_stones(self: bpy.types.PropertyGroup, collection: bpy.types.Collection) -> bool:
    return has_meshes(collection) and collection != self.hurdles


class FootfallScene(MotionSettings, bpy.types.PropertyGroup):
    """The ground of all characters, and the settings of characters without separate ones."""

    terrain: PointerProperty(
        type=bpy.types.ID,
        name="Terrain",
        update=_on_terrain_changed,
        description=(
            "Mesh object or collection of meshes to walk on; without one the ground is level at "
            "height 0"
        ),
    )
    terrain_kind: EnumProperty(
        name="Terrain",
        items=[
            ("OBJECT", "Object", "Walk on one mesh object"),
            ("COLLECTION", "Collection", "Walk on all meshes of a collection"),
        ],
        description="What to walk on",
    )
    terrain_object: PointerProperty(
        type=bpy.types.Object,
        name="Ground",
        poll=is_mesh,
        update=_on_object_changed,
        description="Mesh object to walk on; without one the ground is level at height 0",
    )
    terrain_collection: PointerProperty(
        type=bpy.types.Collection,
        name="Ground",
        update=_on_collection_changed,
        description=(
            "Collection whose meshes are walked on; without one the ground is level at height 0"
        ),
    )
    hurdles: PointerProperty(
        type=bpy.types.Collection,
        name="Hurdles",
        poll=_can_be_hurdles,
        description=(
            "Collection of meshes that the character leaps over where its path crosses them: each "
            "visible mesh is one hurdle, as high as its highest point"
        ),
    )
    stones: PointerProperty(
        type=bpy.types.Collection,
        name="Stones",
        poll=_can_be_stones,
        description=(
            "Collection of meshes that are stepping stones: from the first to the last, feet "
            "stand on them and on nothing else"
        ),
    )
    friction: FloatProperty(
        name="Friction",
        default=1.0,
        min=0.05,
        soft_max=1.5,
        description=(
            "Coefficient of friction between soles and ground: 1 is rubber on stone, 0.1 is ice, "
            "on which forces stay nearly vertical"
        ),
    )


class FootfallCharacterSettings(MotionSettings, bpy.types.PropertyGroup):
    """Separate settings of one character."""

    armature: PointerProperty(
        type=bpy.types.Object, name="Character", description="Armature that has these settings"
    )


class FootfallProgress(bpy.types.PropertyGroup):
    """Progress of the work, which is never saved."""

    working: BoolProperty(options={"SKIP_SAVE"})
    stop: BoolProperty(options={"SKIP_SAVE"})
    stage: StringProperty(options={"SKIP_SAVE"})
    share: FloatProperty(min=0.0, max=1.0, options={"SKIP_SAVE"})
    left: FloatProperty(min=0.0, options={"SKIP_SAVE"})
    failed: BoolProperty(options={"SKIP_SAVE"})
