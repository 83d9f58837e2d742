"""Registration of all classes, properties and hooks of the extension in Blender."""

import bpy

from .addon.animation import duplicate
from .addon.bake.properties import FootfallBake, FootfallLastBake
from .addon.drive.modal import end_drives
from .addon.drive.properties import FootfallDrive
from .addon.footsteps import follow
from .addon.footsteps import properties as footstep_properties
from .addon.overlay import marker_line
from .addon.overlay.manager import add_handlers, remove_handlers
from .addon.overlay.properties import FootfallOverlay
from .addon.rigs.libraries import after_loading
from .addon.rigs.part_list import on_part_changed
from .addon.scene.style_summary import (
    on_clip_changed,
    on_corrections_changed,
    update_action_summary,
    update_source_summary,
)
from .addon.settings import hooks
from .addon.settings.character import OVERRIDABLE, FootfallCharacter, FootfallFinding, FootfallPart
from .addon.settings.events import FootfallJump, FootfallPush, FootfallWait
from .addon.settings.key_poses import FootfallKeyPose
from .addon.settings.knobs import FootfallKnobs
from .addon.settings.markers import FootfallMarker
from .addon.settings.scene import FootfallCharacterSettings, FootfallProgress, FootfallScene
from .addon.settings.style import FootfallStyleSource
from .addon.temp_folders import remove_session_folder, remove_stale_folders
from .addon.worker.drive_process import stop_all_drives
from .addon.worker.job import stop_all_jobs
from .operators.bake import FOOTFALL_OT_bake_again, FOOTFALL_OT_revert_bake
from .operators.character_settings import (
    FOOTFALL_OT_add_character_settings,
    FOOTFALL_OT_share_settings,
)
from .operators.clip import FOOTFALL_FH_clip, FOOTFALL_OT_drop_clip, FOOTFALL_OT_use_clip
from .operators.detect import FOOTFALL_OT_detect_character
from .operators.draw_path import FOOTFALL_OT_draw_path
from .operators.drive import FOOTFALL_OT_drive
from .operators.events import (
    FOOTFALL_OT_add_jump,
    FOOTFALL_OT_add_push,
    FOOTFALL_OT_add_wait,
    FOOTFALL_OT_remove_jump,
    FOOTFALL_OT_remove_push,
    FOOTFALL_OT_remove_wait,
)
from .operators.footsteps import CLASSES as STEP_OPERATORS
from .operators.generate import FOOTFALL_OT_generate, FOOTFALL_OT_generate_all
from .operators.key_poses import FOOTFALL_OT_add_key_pose, FOOTFALL_OT_remove_key_pose
from .operators.knobs import FOOTFALL_OT_reset_knobs
from .operators.mapping import (
    FOOTFALL_OT_load_preset,
    FOOTFALL_OT_mirror_part,
    FOOTFALL_OT_parts_by_hand,
    FOOTFALL_OT_reset_parts,
    FOOTFALL_OT_save_preset,
)
from .operators.markers import CLASSES as MARKER_OPERATORS
from .operators.questions import FOOTFALL_OT_answer
from .operators.report import CLASSES as REPORT_OPERATORS
from .operators.save_failure import FOOTFALL_OT_save_failed
from .operators.scale import FOOTFALL_OT_apply_scale
from .operators.settings import CLASSES as SETTINGS_OPERATORS
from .operators.stop import FOOTFALL_OT_stop
from .operators.style import (
    FOOTFALL_OT_read_action,
    FOOTFALL_OT_remove_style,
    FOOTFALL_OT_save_style,
    FOOTFALL_OT_use_style,
)
from .operators.train import FOOTFALL_OT_train
from .panels.bake import FOOTFALL_PT_bake
from .panels.drive import FOOTFALL_PT_live
from .panels.events import (
    FOOTFALL_PT_jumps,
    FOOTFALL_PT_key_poses,
    FOOTFALL_PT_obstacles,
    FOOTFALL_PT_pushes,
    FOOTFALL_PT_waits,
)
from .panels.footsteps import FOOTFALL_PT_steps
from .panels.main import FOOTFALL_PT_character, FOOTFALL_PT_motion, FOOTFALL_PT_path
from .panels.markers import FOOTFALL_UL_markers
from .panels.physics import FOOTFALL_PT_physics
from .panels.settings import FOOTFALL_PT_bake_presets, FOOTFALL_PT_motion_presets
from .panels.style import (
    FOOTFALL_MT_mixed,
    FOOTFALL_MT_styles,
    FOOTFALL_MT_upper,
    FOOTFALL_PT_style,
)

PROPERTIES = (
    FootfallPart,
    FootfallFinding,
    FootfallCharacter,
    FootfallJump,
    FootfallProgress,
    FootfallPush,
    FootfallWait,
    FootfallKeyPose,
    FootfallMarker,
    FootfallKnobs,
    FootfallStyleSource,
    FootfallScene,
    FootfallCharacterSettings,
    FootfallOverlay,
    FootfallDrive,
    FootfallBake,
    FootfallLastBake,
)
OPERATORS = (
    FOOTFALL_OT_detect_character,
    FOOTFALL_OT_answer,
    FOOTFALL_OT_apply_scale,
    FOOTFALL_OT_mirror_part,
    FOOTFALL_OT_reset_parts,
    FOOTFALL_OT_parts_by_hand,
    FOOTFALL_OT_save_preset,
    FOOTFALL_OT_load_preset,
    FOOTFALL_OT_generate,
    FOOTFALL_OT_generate_all,
    FOOTFALL_OT_train,
    FOOTFALL_OT_save_failed,
    FOOTFALL_OT_draw_path,
    FOOTFALL_OT_add_wait,
    FOOTFALL_OT_remove_wait,
    FOOTFALL_OT_add_character_settings,
    FOOTFALL_OT_share_settings,
    FOOTFALL_OT_stop,
    FOOTFALL_OT_add_push,
    FOOTFALL_OT_remove_push,
    FOOTFALL_OT_add_jump,
    FOOTFALL_OT_remove_jump,
    FOOTFALL_OT_reset_knobs,
    FOOTFALL_OT_use_clip,
    FOOTFALL_OT_drop_clip,
    FOOTFALL_FH_clip,
    FOOTFALL_OT_use_style,
    FOOTFALL_OT_save_style,
    FOOTFALL_OT_remove_style,
    FOOTFALL_OT_read_action,
    FOOTFALL_OT_add_key_pose,
    FOOTFALL_OT_remove_key_pose,
    FOOTFALL_OT_drive,
    FOOTFALL_OT_bake_again,
    FOOTFALL_OT_revert_bake,
    *STEP_OPERATORS,
    *REPORT_OPERATORS,
    *MARKER_OPERATORS,
    *SETTINGS_OPERATORS,
)
PANELS = (
    FOOTFALL_UL_markers,
    FOOTFALL_PT_motion_presets,
    FOOTFALL_PT_bake_presets,
    FOOTFALL_MT_styles,
    FOOTFALL_MT_mixed,
    FOOTFALL_MT_upper,
    FOOTFALL_PT_character,
    FOOTFALL_PT_path,
    FOOTFALL_PT_obstacles,
    FOOTFALL_PT_motion,
    FOOTFALL_PT_style,
    FOOTFALL_PT_live,
    FOOTFALL_PT_key_poses,
    FOOTFALL_PT_steps,
    FOOTFALL_PT_jumps,
    FOOTFALL_PT_pushes,
    FOOTFALL_PT_waits,
    FOOTFALL_PT_bake,
    FOOTFALL_PT_physics,
)
CLASSES = (*PROPERTIES, *OPERATORS, *PANELS)


def _connect_hooks() -> None:
    hooks.part_changed.connect(on_part_changed)
    hooks.clip_changed.connect(on_clip_changed)
    hooks.action_changed.connect(update_action_summary)
    hooks.corrections_changed.connect(on_corrections_changed)
    hooks.source_changed.connect(update_source_summary)
    hooks.footstep_changed.connect(follow.mark_changed)
    hooks.following_changed.connect(follow.follow_all_changes)


def register() -> None:
    """Register all classes, and add properties to scenes, objects and window managers."""
    footstep_properties.register()
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.footfall = bpy.props.PointerProperty(type=FootfallScene, name="Footfall")
    bpy.types.Scene.footfall_own = bpy.props.CollectionProperty(
        type=FootfallCharacterSettings, name="Character Settings"
    )
    bpy.types.Scene.footfall_live = bpy.props.PointerProperty(
        type=FootfallDrive, name="Footfall Live"
    )
    bpy.types.Object.footfall = bpy.props.PointerProperty(
        type=FootfallCharacter, name="Footfall", override=OVERRIDABLE
    )
    bpy.types.Scene.footfall_overlay = bpy.props.PointerProperty(
        type=FootfallOverlay, name="Physics Overlay"
    )
    bpy.types.Scene.footfall_bake = bpy.props.PointerProperty(
        type=FootfallBake, name="Footfall Bake"
    )
    bpy.types.Object.footfall_baked = bpy.props.PointerProperty(
        type=FootfallLastBake, name="Footfall Bake", override=OVERRIDABLE
    )
    bpy.types.WindowManager.footfall = bpy.props.PointerProperty(
        type=FootfallProgress, name="Footfall"
    )
    _connect_hooks()
    bpy.app.handlers.load_post.append(after_loading)
    duplicate.register()
    follow.register()
    marker_line.register()
    add_handlers()
    remove_stale_folders()


def _reset_progress() -> None:
    """Show that no job is running."""
    for manager in bpy.data.window_managers:
        manager.footfall.working = False
    if bpy.context.workspace is not None:
        bpy.context.workspace.status_text_set(None)


def unregister() -> None:
    """Undo `register` in reverse order and end all running jobs."""
    end_drives()
    stop_all_drives()
    remove_handlers()
    marker_line.unregister()
    follow.unregister()
    stop_all_jobs()
    duplicate.unregister()
    remove_session_folder()
    _reset_progress()
    for hook in hooks.ALL:
        hook.clear()
    bpy.app.handlers.load_post.remove(after_loading)
    del (
        bpy.types.WindowManager.footfall,
        bpy.types.Object.footfall,
        bpy.types.Scene.footfall_own,
        bpy.types.Scene.footfall,
    )
    del bpy.types.Scene.footfall_overlay, bpy.types.Scene.footfall_live
    del bpy.types.Object.footfall_baked, bpy.types.Scene.footfall_bake
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    footstep_properties.unregister()
