"""Draw handlers of the overlay, and the cache of prepared plans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import blf
import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Matrix

from ...core.character.from_rig.rig import rig_from_skeleton
from ...core.errors import FootfallError
from ..bake.root_motion import compute_root_trajectory
from ..bake.stored_plan import StoredPlan, get_played_stamp, has_plan, read_played_plan
from ..rigs.armature import read_skeleton
from ..scene.active import find_armature
from ..units import read_unit_scale
from . import gpu
from .physics import PhysicsDisplay, build_physics_display
from .properties import redraw_overlay
from .question_view import draw_marks, has_marks
from .timeline import PhysicsStrip, StripArea
from .view3d import ComMarker, PhysicsView

# Greatest number of cached plans, of as many characters; those of a larger crowd are prepared
# again at each redraw.
MAX_ENTRIES = 32
RULER_HEIGHT = 22.0  # height of a timeline's ruler at an interface scale of 1 [pixels]
# Size of an error message, about that of Blender's texts in the view, and its margin, one line of
# it, at an interface scale of 1 [pixels].
MESSAGE_SIZE = 12
MESSAGE_MARGIN = 12


class OverlayEntry:
    """Overlay of a plan and its placement on an armature; nothing is on the GPU before drawing.

    Args:
        stored_plan: plan.
        armature: armature that plays the plan.
        scene: scene of the armature.

    Raises:
        FootfallError: the body of the armature is not the body of the plan.
    """

    def __init__(
        self, stored_plan: StoredPlan, armature: bpy.types.Object, scene: bpy.types.Scene
    ) -> None:
        self.physics: PhysicsDisplay = build_physics_display(stored_plan)
        self.view = PhysicsView(self.physics)
        self.strip = PhysicsStrip(self.physics)
        self._root_motion = stored_plan.rig_options.root_motion
        self._to_armature = Matrix(np.linalg.inv(stored_plan.placement))
        self._inverse_trajectory = (
            _compute_inverse_trajectory(stored_plan, armature, scene)
            if self._root_motion == "PLACE"
            else None
        )

    def compute_world_matrix(self, armature: bpy.types.Object, scene: bpy.types.Scene) -> Matrix:
        """Return the transform from the motion to the world, at the armature's current place."""
        if self._root_motion == "OBJECT":  # keys of the object are in world space
            return Matrix.Scale(1.0 / read_unit_scale(scene), 4)
        if self._inverse_trajectory is None:
            return armature.matrix_world @ self._to_armature
        k = min(
            max(round(scene.frame_current_final - self.physics.first_frame), 0),
            self.physics.frame_count - 1,
        )
        return armature.matrix_world @ Matrix(self._inverse_trajectory[k]) @ self._to_armature


# By identifier of the plan and name of the armature.
_entries: dict[tuple[str, str], OverlayEntry] = {}
_problems: dict[str, str] = {}  # error message by identifier of the plan
_handles: list[tuple[Any, Any]] = []
_com_marker = ComMarker()


def _compute_inverse_trajectory(
    stored_plan: StoredPlan, armature: bpy.types.Object, scene: bpy.types.Scene
) -> Any:
    """Return the inverse of the root trajectory in armature space, (n, 4, 4)."""
    binding = rig_from_skeleton(read_skeleton(armature, scene, with_skin=False)).binding
    return np.linalg.inv(
        compute_root_trajectory(armature, stored_plan.motion, binding, stored_plan.placement)
    )


def get_entry(armature: bpy.types.Object, scene: bpy.types.Scene) -> OverlayEntry | None:
    """Return the overlay of an armature's action, from the cache if possible.

    Returns:
        The overlay; None if the action has no plan or its plan cannot be shown.
    """
    if not has_plan(armature):
        return None
    key = (get_played_stamp(armature), armature.name)
    if key not in _entries and key[0] not in _problems:
        try:
            stored_plan = read_played_plan(armature)
            assert stored_plan is not None
            while len(_entries) >= MAX_ENTRIES:
                del _entries[next(iter(_entries))]
            _entries[key] = OverlayEntry(stored_plan, armature, scene)
        except FootfallError as error:
            _problems[key[0]] = str(error)
        except Exception as error:  # of a plan that another version wrote, for every frame drawn
            _problems[key[0]] = (
                f"The physics of the action cannot be shown ({type(error).__name__}: {error}). "
                "Generate the motion again."
            )
    return _entries.get(key)


def get_cached_physics(armature: bpy.types.Object | None) -> PhysicsDisplay | None:
    """Return the physics of an armature's action if they are in the cache."""
    if armature is None or not has_plan(armature):
        return None
    entry = _entries.get((get_played_stamp(armature), armature.name))
    return None if entry is None else entry.physics


def get_problem(armature: bpy.types.Object | None) -> str:
    """Return why the physics of an armature's action cannot be shown; empty if they can."""
    return (
        _problems.get(get_played_stamp(armature), "")
        if armature is not None and has_plan(armature)
        else ""
    )


def _iter_shown_armatures(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    """Yield the armatures whose physics are shown, the active one first."""
    obj = context.object
    view_space = context.space_data if context.area.type == "VIEW_3D" else None
    active = (
        find_armature(obj) if obj is not None and obj.visible_get(viewport=view_space) else None
    )
    if active is not None and has_plan(active):
        yield active
    if context.scene.footfall_overlay.whose == "ALL":
        for other in context.view_layer.objects:
            if (
                other.type == "ARMATURE"
                and other != active
                and has_plan(other)
                and other.visible_get(viewport=view_space)
            ):
                yield other


def _get_visible_settings(context: bpy.types.Context) -> Any:
    """Return the settings of the overlay; None if it is hidden in this editor."""
    settings = context.scene.footfall_overlay
    space = context.space_data
    return (
        settings
        if settings.show and (space.type != "VIEW_3D" or space.overlay.show_overlays)
        else None
    )


def _draw_view() -> None:
    """Draw in the 3D view, in world coordinates."""
    context = bpy.context
    _draw_question_marks(context)
    settings = _get_visible_settings(context)
    scene = context.scene
    if settings is None:
        return
    for armature in _iter_shown_armatures(context):
        entry = get_entry(armature, scene)
        if entry is not None:
            k = entry.physics.to_motion_frame(scene.frame_current_final)
            entry.view.draw(
                settings,
                k,
                entry.compute_world_matrix(armature, scene),
                context.preferences.system.ui_scale,
            )


def _draw_question_marks(context: bpy.types.Context) -> None:
    """Mark the parts of the active armature while a question about it is open."""
    armature = find_armature(context.object)
    if (
        armature is not None
        and context.space_data.overlay.show_overlays
        and armature.visible_get(viewport=context.space_data)
        and has_marks(armature)
    ):
        draw_marks(armature, context.preferences.system.ui_scale)


def _draw_screen() -> None:
    """Draw in the 3D view, in pixels of the region."""
    context = bpy.context
    settings = _get_visible_settings(context)
    scene = context.scene
    ui_scale = context.preferences.system.ui_scale
    if settings is None:
        return
    is_first = True
    for armature in _iter_shown_armatures(context):
        entry = get_entry(armature, scene)
        strip_area = find_strip_area(context.area, context.region, ui_scale)
        if entry is None:
            if is_first:
                _draw_message(get_problem(armature), strip_area)
            continue
        k = entry.physics.to_motion_frame(scene.frame_current_final)
        if settings.com and k is not None:
            position = location_3d_to_region_2d(
                context.region,
                context.region_data,
                entry.view.locate_com(k, entry.compute_world_matrix(armature, scene)),
            )
            if position is not None:
                _com_marker.draw(position, ui_scale)
        if (
            is_first
            and (settings.graph or settings.contacts)
            and context.region_data == context.space_data.region_3d
        ):
            entry.strip.draw_panel(strip_area, k, settings.graph, settings.contacts)
        is_first = False


def _draw_timeline() -> None:
    """Draw in timelines and dope sheets."""
    context = bpy.context
    settings = _get_visible_settings(context)
    if settings is None or not settings.timeline:
        return
    armature = next(_iter_shown_armatures(context), None)
    entry = None if armature is None else get_entry(armature, context.scene)
    if entry is None:
        return
    first_frame = entry.physics.first_frame
    ui_scale = context.preferences.system.ui_scale
    ends = [
        context.region.view2d.view_to_region(x, 0.0, clip=False)[0]
        for x in (first_frame - 0.5, first_frame + entry.physics.frame_count - 0.5)
    ]
    entry.strip.draw_timeline(
        ends[0], ends[1], context.region.height - RULER_HEIGHT * ui_scale, ui_scale
    )


def find_strip_area(area: bpy.types.Area, region: bpy.types.Region, scale: float) -> StripArea:
    """Return the free part of a region's lower edge between overlapping regions."""
    left = 0.0
    right = float(region.width)
    bottom = 0.0
    for other in area.regions:
        if other == region or other.type == "WINDOW" or min(other.width, other.height) <= 1:
            continue
        x_min = other.x - region.x
        x_max = other.x + other.width - region.x
        y_min = other.y - region.y
        y_max = other.y + other.height - region.y
        if x_max <= 0 or x_min >= region.width or y_max <= 0 or y_min >= region.height:
            continue
        if other.alignment == "LEFT" or other.type == "HUD":
            left = max(left, x_max)
        elif other.alignment == "RIGHT":
            right = min(right, x_min)
        elif other.alignment == "BOTTOM":
            bottom = max(bottom, y_max)
    return StripArea(left, right, bottom, scale)


def _draw_message(text: str, strip_area: StripArea) -> None:
    blf.size(0, MESSAGE_SIZE * strip_area.scale)
    blf.color(0, 1.0, 0.6, 0.5, 1.0)
    margin = MESSAGE_MARGIN * strip_area.scale
    blf.position(0, strip_area.left + margin, strip_area.bottom + margin, 0)
    blf.draw(0, text)


def add_handlers() -> None:
    """Add the handlers."""
    view = bpy.types.SpaceView3D
    dope_sheet = bpy.types.SpaceDopeSheetEditor
    for space, function, draw_type in (
        (view, _draw_view, "POST_VIEW"),
        (view, _draw_screen, "POST_PIXEL"),
        (dope_sheet, _draw_timeline, "POST_PIXEL"),
    ):
        _handles.append((space, space.draw_handler_add(function, (), "WINDOW", draw_type)))
    bpy.app.handlers.load_post.append(_forget_problems)


@persistent  # type: ignore[untyped-decorator]
def _forget_problems(_: object) -> None:
    """Try plans again that could not be shown: another file may hold them undamaged."""
    _problems.clear()


def remove_handlers() -> None:
    """Remove the handlers and clear the cache."""
    global _com_marker
    bpy.app.handlers.load_post.remove(_forget_problems)
    while _handles:
        space, handle = _handles.pop()
        space.draw_handler_remove(handle, "WINDOW")
    _entries.clear()
    _problems.clear()
    _com_marker = ComMarker()
    gpu.clear_cache()
    redraw_overlay()
