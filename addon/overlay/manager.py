"""The overlay's place in Blender: who is shown where, and when what was prepared is out of date."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import blf
import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Matrix

from ...core.character.from_rig.rig import rig_from_skeleton
from ...core.errors import FootfallError
from ..bake.root_motion import way_of
from ..bake.stored_plan import Planned, has_plan, planned_of, stamp_played
from ..rigs.armature import read_skeleton
from ..scene.active import armature_of
from ..units import unit_scale
from . import gpu
from .physics import Physics, physics_of
from .properties import redraw
from .timeline import PhysicsStrip, Room
from .view3d import ComMark, PhysicsView

KEPT = 32                 # plans that stay prepared
RULER = 22.0              # pixels of a timeline's upper edge that its numbers take


class Shown:
    """A plan as it is drawn, and how it lies on the armature that it was made for."""

    def __init__(self, planned: Planned, armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Everything is computed here, and nothing is on the GPU yet.

        Raises:
            FootfallError: the armature no longer has the body that the motion was planned for.
        """
        self.physics: Physics = physics_of(planned)
        self.view, self.strip = PhysicsView(self.physics), PhysicsStrip(self.physics)
        self._root = planned.way.root
        self._back = Matrix(np.linalg.inv(planned.placement))
        self._ways = _ways(planned, armature, scene) if self._root == "PLACE" else None

    def matrix(self, armature: bpy.types.Object, scene: bpy.types.Scene) -> Matrix:
        """From the motion to the view's world, wherever the armature was moved since."""
        if self._root == "OBJECT":                      # its keys tell where in the world it goes
            return Matrix.Scale(1.0 / unit_scale(scene), 4)
        if self._ways is None:
            return armature.matrix_world @ self._back
        k = min(max(round(scene.frame_current_final - self.physics.first_frame), 0), self.physics.frames - 1)
        return armature.matrix_world @ Matrix(self._ways[k]) @ self._back


_shown: dict[tuple[str, str], Shown] = {}       # by stamp, and by the armature where its body matters
_broken: dict[str, str] = {}                    # what is wrong with a plan, by stamp
_handles: list[tuple[Any, Any]] = []
_mark = ComMark()


def _ways(planned: Planned, armature: bpy.types.Object, scene: bpy.types.Scene) -> Any:
    """What takes the planned body back to where it rests, frame by frame, in the armature's space. (n, 4, 4)."""
    binding = rig_from_skeleton(read_skeleton(armature, scene, with_skin=False)).binding
    return np.linalg.inv(way_of(armature, planned.motion, binding, planned.placement))


def shown_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> Shown | None:
    """What an armature's action shows; made where it is not known, which takes a moment."""
    if not has_plan(armature):
        return None
    key = (stamp_played(armature), armature.name)
    if key not in _shown and key[0] not in _broken:
        try:
            planned = planned_of(armature)
            assert planned is not None
            while len(_shown) >= KEPT:
                del _shown[next(iter(_shown))]
            _shown[key] = Shown(planned, armature, scene)
        except FootfallError as error:
            _broken[key[0]] = str(error)
    return _shown.get(key)


def known_of(armature: bpy.types.Object | None) -> Physics | None:
    """What is known of an armature's action already, at no cost."""
    if armature is None or not has_plan(armature):
        return None
    shown = _shown.get((stamp_played(armature), armature.name))
    return None if shown is None else shown.physics


def trouble_of(armature: bpy.types.Object | None) -> str:
    """Why the physics of an armature's action cannot be shown; empty where they can."""
    return _broken.get(stamp_played(armature), "") if armature is not None and has_plan(armature) else ""


def _meant(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    """Armatures whose physics are to be seen, the active one first."""
    thing, view = context.object, context.space_data if context.area.type == "VIEW_3D" else None
    active = armature_of(thing) if thing is not None and thing.visible_get(viewport=view) else None
    if active is not None and has_plan(active):
        yield active
    if context.scene.footfall_overlay.whose == "ALL":
        for other in context.view_layer.objects:
            if other.type == "ARMATURE" and other != active and has_plan(other) and other.visible_get(viewport=view):
                yield other


def _wanted(context: bpy.types.Context) -> Any:
    """The overlay's settings; None where it is not to be seen."""
    wish = context.scene.footfall_overlay
    space = context.space_data
    return wish if wish.show and (space.type != "VIEW_3D" or space.overlay.show_overlays) else None


def _draw_view() -> None:
    """In the 3D view, among its things."""
    context = bpy.context
    wish, scene = _wanted(context), context.scene
    if wish is None:
        return
    for armature in _meant(context):
        shown = shown_of(armature, scene)
        if shown is not None:
            k = shown.physics.index(scene.frame_current_final)
            shown.view.draw(wish, k, shown.matrix(armature, scene), context.preferences.system.ui_scale)


def _draw_flat() -> None:
    """In the 3D view, before everything."""
    context = bpy.context
    wish, scene, u = _wanted(context), context.scene, context.preferences.system.ui_scale
    if wish is None:
        return
    first = True
    for armature in _meant(context):
        shown = shown_of(armature, scene)
        room = room_in(context.area, context.region, u)
        if shown is None:
            if first:
                _tell(trouble_of(armature), room)
            continue
        k = shown.physics.index(scene.frame_current_final)
        if wish.com and k is not None:
            place = location_3d_to_region_2d(
                context.region, context.region_data, shown.view.com_at(k, shown.matrix(armature, scene)))
            if place is not None:
                _mark.draw(place, u)
        if first and (wish.graph or wish.contacts) and context.region_data == context.space_data.region_3d:
            shown.strip.draw_panel(room, k, wish.graph, wish.contacts)
        first = False


def _draw_timeline() -> None:
    """In timelines and dope sheets, along their frames."""
    context = bpy.context
    wish = _wanted(context)
    if wish is None or not wish.timeline:
        return
    armature = next(_meant(context), None)
    shown = None if armature is None else shown_of(armature, context.scene)
    if shown is None:
        return
    first, u = shown.physics.first_frame, context.preferences.system.ui_scale
    ends = [context.region.view2d.view_to_region(x, 0.0, clip=False)[0] for x in (first - 0.5, first + shown.physics.frames - 0.5)]
    shown.strip.draw_along(ends[0], ends[1], context.region.height - RULER * u, u)


def room_in(area: bpy.types.Area, region: bpy.types.Region, scale: float) -> Room:
    """What is left of a region's lower edge beside the regions that lie over it."""
    left, right, bottom = 0.0, float(region.width), 0.0
    for other in area.regions:
        if other == region or other.type == "WINDOW" or min(other.width, other.height) <= 1:
            continue
        low, high = other.x - region.x, other.x + other.width - region.x
        under, over = other.y - region.y, other.y + other.height - region.y
        if high <= 0 or low >= region.width or over <= 0 or under >= region.height:
            continue
        if other.alignment == "LEFT" or other.type == "HUD":
            left = max(left, high)
        elif other.alignment == "RIGHT":
            right = min(right, low)
        elif other.alignment == "BOTTOM":
            bottom = max(bottom, over)
    return Room(left, right, bottom, scale)


def _tell(text: str, room: Room) -> None:
    blf.size(0, 12 * room.scale)
    blf.color(0, 1.0, 0.6, 0.5, 1.0)
    blf.position(0, room.left + 12 * room.scale, room.bottom + 12 * room.scale, 0)
    blf.draw(0, text)


def add_handlers() -> None:
    """Have Blender draw the overlay from now on."""
    view, sheet = bpy.types.SpaceView3D, bpy.types.SpaceDopeSheetEditor
    for space, function, when in ((view, _draw_view, "POST_VIEW"), (view, _draw_flat, "POST_PIXEL"),
                                  (sheet, _draw_timeline, "POST_PIXEL")):
        _handles.append((space, space.draw_handler_add(function, (), "WINDOW", when)))


def remove_handlers() -> None:
    """Have it draw nothing any more, and let go of all that was prepared."""
    global _mark
    while _handles:
        space, handle = _handles.pop()
        space.draw_handler_remove(handle, "WINDOW")
    _shown.clear()
    _broken.clear()
    _mark = ComMark()
    gpu.forget()
    redraw()
