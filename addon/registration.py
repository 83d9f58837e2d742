"""What Blender is told of at start and at the end."""
import bpy

from ..operators.bake import FOOTFALL_OT_bake_again, FOOTFALL_OT_revert_bake
from ..operators.clip import FOOTFALL_FH_clip, FOOTFALL_OT_drop_clip, FOOTFALL_OT_use_clip
from ..operators.detect import FOOTFALL_OT_detect_character
from ..operators.generate import FOOTFALL_OT_generate
from ..operators.jump import FOOTFALL_OT_add_jump, FOOTFALL_OT_remove_jump
from ..operators.knobs import FOOTFALL_OT_reset_knobs
from ..operators.mapping import (
    FOOTFALL_OT_load_preset,
    FOOTFALL_OT_mirror_part,
    FOOTFALL_OT_parts_by_hand,
    FOOTFALL_OT_reset_parts,
    FOOTFALL_OT_save_preset,
)
from ..operators.push import FOOTFALL_OT_add_push, FOOTFALL_OT_remove_push
from ..operators.stop import FOOTFALL_OT_stop
from ..operators.struck import FOOTFALL_OT_add_struck, FOOTFALL_OT_remove_struck
from ..operators.style import FOOTFALL_OT_read_action, FOOTFALL_OT_remove_style, FOOTFALL_OT_save_style, FOOTFALL_OT_use_style
from ..panels.bake import FOOTFALL_PT_bake
from ..panels.main import FOOTFALL_PT_character, FOOTFALL_PT_motion, FOOTFALL_PT_path
from ..panels.more import FOOTFALL_PT_jumps, FOOTFALL_PT_key_poses, FOOTFALL_PT_obstacles, FOOTFALL_PT_pushes
from ..panels.style import FOOTFALL_MT_styles, FOOTFALL_PT_style
from .bake_properties import FootfallBake, FootfallBaked
from .jobs import stop_all
from .knobs import FootfallKnobs
from .libraries import after_loading
from .properties import (
    KEPT,
    FootfallCharacter,
    FootfallFinding,
    FootfallJump,
    FootfallPart,
    FootfallProgress,
    FootfallPush,
    FootfallScene,
)
from .struck import FootfallStruck

PROPERTIES = (FootfallPart, FootfallFinding, FootfallCharacter, FootfallJump, FootfallProgress, FootfallPush, FootfallStruck,
              FootfallKnobs, FootfallScene, FootfallBake, FootfallBaked)
OPERATORS = (
    FOOTFALL_OT_detect_character, FOOTFALL_OT_mirror_part, FOOTFALL_OT_reset_parts, FOOTFALL_OT_parts_by_hand,
    FOOTFALL_OT_save_preset, FOOTFALL_OT_load_preset, FOOTFALL_OT_generate, FOOTFALL_OT_stop, FOOTFALL_OT_add_push,
    FOOTFALL_OT_remove_push, FOOTFALL_OT_add_jump, FOOTFALL_OT_remove_jump, FOOTFALL_OT_reset_knobs, FOOTFALL_OT_use_clip,
    FOOTFALL_OT_drop_clip, FOOTFALL_FH_clip, FOOTFALL_OT_use_style, FOOTFALL_OT_save_style, FOOTFALL_OT_remove_style,
    FOOTFALL_OT_read_action, FOOTFALL_OT_add_struck, FOOTFALL_OT_remove_struck, FOOTFALL_OT_bake_again,
    FOOTFALL_OT_revert_bake)
PANELS = (
    FOOTFALL_MT_styles, FOOTFALL_PT_character, FOOTFALL_PT_path, FOOTFALL_PT_obstacles, FOOTFALL_PT_motion, FOOTFALL_PT_style,
    FOOTFALL_PT_key_poses, FOOTFALL_PT_jumps, FOOTFALL_PT_pushes, FOOTFALL_PT_bake)
CLASSES = (*PROPERTIES, *OPERATORS, *PANELS)


def register() -> None:
    """Register every class and hang the properties on scenes, objects and windows."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.footfall = bpy.props.PointerProperty(type=FootfallScene, name="Footfall")
    bpy.types.Object.footfall = bpy.props.PointerProperty(type=FootfallCharacter, name="Footfall", override=KEPT)
    bpy.types.Scene.footfall_bake = bpy.props.PointerProperty(type=FootfallBake, name="Footfall Bake")
    bpy.types.Object.footfall_baked = bpy.props.PointerProperty(type=FootfallBaked, name="Footfall Bake", override=KEPT)
    bpy.types.WindowManager.footfall = bpy.props.PointerProperty(type=FootfallProgress, name="Footfall")
    bpy.app.handlers.load_post.append(after_loading)


def _rest() -> None:
    """Nothing is at work."""
    for manager in bpy.data.window_managers:
        manager.footfall.working = False
    if bpy.context.workspace is not None:
        bpy.context.workspace.status_text_set(None)


def unregister() -> None:
    """Undo `register`, in reverse. What is still at work ends."""
    stop_all()
    _rest()
    bpy.app.handlers.load_post.remove(after_loading)
    del bpy.types.WindowManager.footfall, bpy.types.Object.footfall, bpy.types.Scene.footfall
    del bpy.types.Object.footfall_baked, bpy.types.Scene.footfall_bake
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
