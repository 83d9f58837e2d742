"""Reference motions: styles as tables of curves, and the poses that they give a body."""
from .style import Cycle, Style, builtin_style, builtin_styles, load_style

__all__ = ["Cycle", "Style", "builtin_style", "builtin_styles", "load_style"]
