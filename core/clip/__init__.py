"""Reference motions: styles as tables of curves, analysis of recorded clips, and poses."""

from .lookup import (
    analyze_clip_file,
    compose_style,
    find_posture,
    find_quadruped_style,
    find_style,
    find_upper_body,
    has_tail_motion,
    list_clip_joints,
    load_recipe,
    resolve_quadruped_style,
)
from .recording.analyze import analyze_clip
from .recording.bvh import Recording, read_bvh
from .recording.corrections import NO_CORRECTIONS, ClipCorrections
from .recording.gait_analysis import GaitAnalysis, analyze_gait
from .recording.posture import Posture, extract_posture
from .recording.quadruped.gait_analysis import QuadrupedGaitAnalysis, analyze_quadruped_gait
from .recording.quadruped.to_style import build_quadruped_clip_style
from .recording.to_style import build_clip_style
from .style.knobs import Knobs, apply_knobs
from .style.quadruped_style import (
    QuadrupedStyle,
    is_quadruped_file,
    list_quadruped_styles,
    load_builtin_quadruped_style,
)
from .style.recipe import Recipe, StyleShare
from .style.shelf import describe_builtin_style, list_builtin_styles, load_builtin_style, load_style
from .style.style import Cycle, Style
from .style.style_file import save_style

__all__ = [
    "NO_CORRECTIONS",
    "ClipCorrections",
    "Cycle",
    "GaitAnalysis",
    "Knobs",
    "Posture",
    "QuadrupedGaitAnalysis",
    "QuadrupedStyle",
    "Recipe",
    "Recording",
    "Style",
    "StyleShare",
    "analyze_clip",
    "analyze_clip_file",
    "analyze_gait",
    "analyze_quadruped_gait",
    "apply_knobs",
    "build_clip_style",
    "build_quadruped_clip_style",
    "compose_style",
    "describe_builtin_style",
    "extract_posture",
    "find_posture",
    "find_quadruped_style",
    "find_style",
    "find_upper_body",
    "has_tail_motion",
    "is_quadruped_file",
    "list_builtin_styles",
    "list_clip_joints",
    "list_quadruped_styles",
    "load_builtin_quadruped_style",
    "load_builtin_style",
    "load_recipe",
    "load_style",
    "read_bvh",
    "resolve_quadruped_style",
    "save_style",
]
