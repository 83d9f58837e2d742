"""Reference motions: styles as tables of curves, and the poses that they give a body."""
from .knobs import Knobs, adjusted
from .shelf import builtin_style, builtin_styles, load_style, style_of
from .style import Cycle, Style

__all__ = ["Cycle", "Knobs", "Style", "adjusted", "builtin_style", "builtin_styles", "load_style", "style_of"]
