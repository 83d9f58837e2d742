"""Reference motions: styles as tables of curves, what recorded clips show, and the poses that styles give a body."""
from .anybody import understand_anybody
from .as_quadruped import quadruped_shown
from .as_style import style_shown
from .bvh import Recording, read_bvh
from .knobs import Knobs, adjusted
from .named import (
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
from .posture import Posture, posture_shown
from .quadruped import QuadrupedStyle, quadruped_style, quadruped_styles
from .quadruped_file import tells_quadruped
from .recipe import Recipe, Share
from .shelf import builtin_style, builtin_styles, line_about, load_style
from .style import Cycle, Style
from .style_file import save_style
from .understand import Understood, understand
from .understand_quadruped import UnderstoodQuadruped, understand_quadruped

__all__ = ["Cycle", "Knobs", "Posture", "QuadrupedStyle", "Recipe", "Recording", "Share", "Style", "Understood",
           "UnderstoodQuadruped", "adjusted", "builtin_style", "builtin_styles", "carries_tail", "clip_shown",
           "find_quadruped_style", "find_style", "find_upper", "line_about", "load_style", "made_of", "posture_of",
           "posture_shown", "quadruped_for", "quadruped_shown", "quadruped_style", "quadruped_styles", "read_bvh", "save_style",
           "style_of", "style_shown", "tells_quadruped", "understand", "understand_anybody", "understand_quadruped"]
