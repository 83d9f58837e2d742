"""Matplotlib figures for picture files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import FootfallError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def create_figure(
    path: Path, width: float, height: float, error_type: type[FootfallError]
) -> Figure:
    """Return an empty figure for a picture file, which does not open a window.

    Args:
        path: of the picture; its suffix determines the format.
        width: [inch].
        height: [inch].
        error_type: of errors.

    Raises:
        FootfallError: matplotlib is not installed, or the suffix is not that of a picture format.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as import_error:
        raise error_type(
            "Pictures need matplotlib; install it with `pip install 'footfall[plot]'`."
        ) from import_error
    figure = Figure(figsize=(width, height), dpi=110)
    formats = FigureCanvasAgg(figure).get_supported_filetypes()
    if Path(path).suffix[1:].lower() not in formats:
        raise error_type(
            f"{path} has no suffix of a picture format; the suffixes are: "
            f"{', '.join(sorted(formats))}."
        )
    return figure


def simplify_axes(ax: Axes) -> None:
    """Set small ticks, and remove the frame at the top and right."""
    ax.tick_params(labelsize=6, length=2)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def quantize_colors(path: Path, color_count: int) -> None:
    """Rewrite a picture with a palette, which reduces the file to about a third."""
    from PIL import Image  # comes with matplotlib

    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(color_count, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
