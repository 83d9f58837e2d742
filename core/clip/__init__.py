"""Reference motions: styles as tables of curves, what recorded clips show, and the poses that styles give a body."""
from .as_style import style_of
from .bvh import Recording, read_bvh
from .named import find_style
from .style import Cycle, Style, builtin_style, builtin_styles, load_style
from .understand import Understood, understand

__all__ = ["Cycle", "Recording", "Style", "Understood", "builtin_style", "builtin_styles", "find_style", "load_style", "read_bvh",
           "style_of", "understand"]
