"""Reference motions: styles as tables of curves, what recorded clips show, and the poses that styles give a body."""
from .lookup import (
           carries_tail,
           clip_shown,
           find_quadruped_style,
           find_style,
           find_upper,
           made_of,
           posture_of,
           quadruped_for,
           style_of,
)
from .recording.analyze import understand_anybody
from .recording.bvh import Recording, read_bvh
from .recording.gait_analysis import Understood, understand
from .recording.posture import Posture, posture_shown
from .recording.quadruped.gait_analysis import UnderstoodQuadruped, understand_quadruped
from .recording.quadruped.to_style import quadruped_shown
from .recording.to_style import style_shown
from .style.knobs import Knobs, adjusted
from .style.quadruped_file import tells_quadruped
from .style.quadruped_style import QuadrupedStyle, quadruped_style, quadruped_styles
from .style.recipe import Recipe, Share
from .style.shelf import builtin_style, builtin_styles, line_about, load_style
from .style.style import Cycle, Style
from .style.style_file import save_style

__all__ = ["Cycle", "Knobs", "Posture", "QuadrupedStyle", "Recipe", "Recording", "Share", "Style", "Understood",
           "UnderstoodQuadruped", "adjusted", "builtin_style", "builtin_styles", "carries_tail", "clip_shown",
           "find_quadruped_style", "find_style", "find_upper", "line_about", "load_style", "made_of", "posture_of",
           "posture_shown", "quadruped_for", "quadruped_shown", "quadruped_style", "quadruped_styles", "read_bvh", "save_style",
           "style_of", "style_shown", "tells_quadruped", "understand", "understand_anybody", "understand_quadruped"]
