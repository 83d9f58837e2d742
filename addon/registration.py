"""What Blender is told of at start and at the end."""
import bpy

from ..operators.bake import FOOTFALL_OT_bake_again, FOOTFALL_OT_revert_bake
from ..operators.clip import FOOTFALL_FH_clip, FOOTFALL_OT_drop_clip, FOOTFALL_OT_use_clip
from ..operators.detect import FOOTFALL_OT_detect_character
from ..operators.draw_path import FOOTFALL_OT_draw_path
from ..operators.drive import FOOTFALL_OT_drive
from ..operators.failed import FOOTFALL_OT_save_failed
from ..operators.generate import FOOTFALL_OT_generate, FOOTFALL_OT_generate_all
from ..operators.jump import FOOTFALL_OT_add_jump, FOOTFALL_OT_remove_jump
from ..operators.knobs import FOOTFALL_OT_reset_knobs
from ..operators.mapping import (
    FOOTFALL_OT_load_preset,
    FOOTFALL_OT_mirror_part,
    FOOTFALL_OT_parts_by_hand,
    FOOTFALL_OT_reset_parts,
    FOOTFALL_OT_save_preset,
)
from ..operators.markers import CLASSES as MARKER_OPERATORS
from ..operators.own_settings import FOOTFALL_OT_own_settings, FOOTFALL_OT_share_settings
from ..operators.push import FOOTFALL_OT_add_push, FOOTFALL_OT_remove_push
from ..operators.settings import CLASSES as SETTINGS_OPERATORS
from ..operators.steps import CLASSES as STEP_OPERATORS
from ..operators.stop import FOOTFALL_OT_stop
from ..operators.struck import FOOTFALL_OT_add_struck, FOOTFALL_OT_remove_struck
from ..operators.style import FOOTFALL_OT_read_action, FOOTFALL_OT_remove_style, FOOTFALL_OT_save_style, FOOTFALL_OT_use_style
from ..operators.wait import FOOTFALL_OT_add_wait, FOOTFALL_OT_remove_wait
from ..panels.bake import FOOTFALL_PT_bake
from ..panels.live import FOOTFALL_PT_live
from ..panels.main import FOOTFALL_PT_character, FOOTFALL_PT_motion, FOOTFALL_PT_path
from ..panels.markers import FOOTFALL_UL_markers
from ..panels.more import FOOTFALL_PT_jumps, FOOTFALL_PT_key_poses, FOOTFALL_PT_obstacles, FOOTFALL_PT_pushes, FOOTFALL_PT_waits
from ..panels.physics import FOOTFALL_PT_physics
from ..panels.settings import FOOTFALL_PT_bake_presets, FOOTFALL_PT_motion_presets
from ..panels.steps import FOOTFALL_PT_steps
from ..panels.style import FOOTFALL_MT_mixed, FOOTFALL_MT_styles, FOOTFALL_MT_upper, FOOTFALL_PT_style
from . import live, marker_line, step_properties
from .bake_properties import FootfallBake, FootfallBaked
from .drive_mode import end_drives
from .driving import stop_all_driving
from .event_properties import FootfallJump, FootfallPush, FootfallWait
from .jobs import stop_all
from .knobs import FootfallKnobs
from .lent import FootfallLent
from .libraries import after_loading
from .live_properties import FootfallLive
from .markers import FootfallMarker
from .overlay import add_handlers, remove_handlers
from .overlay_properties import FootfallOverlay
from .properties import (
    KEPT,
    FootfallCharacter,
    FootfallFinding,
    FootfallOwnWish,
    FootfallPart,
    FootfallProgress,
    FootfallScene,
)
from .struck import FootfallStruck

PROPERTIES = (FootfallPart, FootfallFinding, FootfallCharacter, FootfallJump, FootfallProgress, FootfallPush, FootfallWait,
              FootfallStruck, FootfallMarker, FootfallKnobs, FootfallLent, FootfallScene, FootfallOwnWish, FootfallOverlay,
              FootfallLive, FootfallBake, FootfallBaked)
OPERATORS = (
    FOOTFALL_OT_detect_character, FOOTFALL_OT_mirror_part, FOOTFALL_OT_reset_parts, FOOTFALL_OT_parts_by_hand,
    FOOTFALL_OT_save_preset, FOOTFALL_OT_load_preset, FOOTFALL_OT_generate, FOOTFALL_OT_generate_all, FOOTFALL_OT_save_failed,
    FOOTFALL_OT_draw_path, FOOTFALL_OT_add_wait, FOOTFALL_OT_remove_wait, FOOTFALL_OT_own_settings,
    FOOTFALL_OT_share_settings, FOOTFALL_OT_stop, FOOTFALL_OT_add_push, FOOTFALL_OT_remove_push, FOOTFALL_OT_add_jump,
    FOOTFALL_OT_remove_jump, FOOTFALL_OT_reset_knobs, FOOTFALL_OT_use_clip, FOOTFALL_OT_drop_clip, FOOTFALL_FH_clip,
    FOOTFALL_OT_use_style, FOOTFALL_OT_save_style, FOOTFALL_OT_remove_style, FOOTFALL_OT_read_action, FOOTFALL_OT_add_struck,
    FOOTFALL_OT_remove_struck, FOOTFALL_OT_drive, FOOTFALL_OT_bake_again, FOOTFALL_OT_revert_bake, *STEP_OPERATORS,
    *MARKER_OPERATORS, *SETTINGS_OPERATORS)
PANELS = (
    FOOTFALL_UL_markers, FOOTFALL_PT_motion_presets, FOOTFALL_PT_bake_presets, FOOTFALL_MT_styles, FOOTFALL_MT_mixed,
    FOOTFALL_MT_upper, FOOTFALL_PT_character, FOOTFALL_PT_path, FOOTFALL_PT_obstacles, FOOTFALL_PT_motion, FOOTFALL_PT_style,
    FOOTFALL_PT_live, FOOTFALL_PT_key_poses, FOOTFALL_PT_steps, FOOTFALL_PT_jumps, FOOTFALL_PT_pushes, FOOTFALL_PT_waits,
    FOOTFALL_PT_bake, FOOTFALL_PT_physics)
CLASSES = (*PROPERTIES, *OPERATORS, *PANELS)


def register() -> None:
    """Register every class and hang the properties on scenes, objects and windows."""
    step_properties.register()
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.footfall = bpy.props.PointerProperty(type=FootfallScene, name="Footfall")
    bpy.types.Scene.footfall_own = bpy.props.CollectionProperty(type=FootfallOwnWish, name="Characters of Their Own")
    bpy.types.Scene.footfall_live = bpy.props.PointerProperty(type=FootfallLive, name="Footfall Live")
    bpy.types.Object.footfall = bpy.props.PointerProperty(type=FootfallCharacter, name="Footfall", override=KEPT)
    bpy.types.Scene.footfall_overlay = bpy.props.PointerProperty(type=FootfallOverlay, name="Physics Overlay")
    bpy.types.Scene.footfall_bake = bpy.props.PointerProperty(type=FootfallBake, name="Footfall Bake")
    bpy.types.Object.footfall_baked = bpy.props.PointerProperty(type=FootfallBaked, name="Footfall Bake", override=KEPT)
    bpy.types.WindowManager.footfall = bpy.props.PointerProperty(type=FootfallProgress, name="Footfall")
    bpy.app.handlers.load_post.append(after_loading)
    live.register()
    marker_line.register()
    add_handlers()


def _rest() -> None:
    """Nothing is at work."""
    for manager in bpy.data.window_managers:
        manager.footfall.working = False
    if bpy.context.workspace is not None:
        bpy.context.workspace.status_text_set(None)


def unregister() -> None:
    """Undo `register`, in reverse. What is still at work ends."""
    end_drives()
    stop_all_driving()
    remove_handlers()
    marker_line.unregister()
    live.unregister()
    stop_all()
    _rest()
    bpy.app.handlers.load_post.remove(after_loading)
    del bpy.types.WindowManager.footfall, bpy.types.Object.footfall, bpy.types.Scene.footfall_own, bpy.types.Scene.footfall
    del bpy.types.Scene.footfall_overlay, bpy.types.Scene.footfall_live
    del bpy.types.Object.footfall_baked, bpy.types.Scene.footfall_bake
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    step_properties.unregister()
