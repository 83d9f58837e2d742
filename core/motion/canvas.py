"""The paper that pictures are drawn on. Needs matplotlib."""

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
    """An empty figure for a picture file, which needs no window.

    Args:
        path: of the picture; its ending tells the kind.
        width, height: inches.
        error_type: what is raised.

    Raises:
        FootfallError: matplotlib is not installed, or the picture's ending
            names no kind of picture.
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
            f"{path} does not end like a picture; it should end in one of: "
            f"{', '.join(sorted(formats))}."
        )
    return figure


def simplify_axes(ax: Axes) -> None:
    """Small ticks, and no frame above and to the right."""
    ax.tick_params(labelsize=6, length=2)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def quantize_colors(path: Path, color_count: int) -> None:
    """Rewrite a picture with a palette, for a file of a third of the size."""
    from PIL import Image  # comes with matplotlib

    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(color_count, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
