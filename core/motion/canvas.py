"""The paper that pictures are drawn on. Needs matplotlib."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import FootfallError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def blank_figure(path: Path, width: float, height: float, error: type[FootfallError]) -> Figure:
    """An empty figure for a picture file, which needs no window.

    Args:
        path: of the picture; its ending tells the kind.
        width, height: inches.
        error: what is raised.

    Raises:
        FootfallError: matplotlib is not installed, or the picture's ending names no kind of picture.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise error("Pictures need matplotlib; install it with `pip install 'footfall[plot]'`.") from missing
    figure = Figure(figsize=(width, height), dpi=110)
    kinds = FigureCanvasAgg(figure).get_supported_filetypes()
    if Path(path).suffix[1:].lower() not in kinds:
        raise error(f"{path} does not end like a picture; it should end in one of: {', '.join(sorted(kinds))}.")
    return figure


def plain(ax: Axes) -> None:
    """Small ticks, and no frame above and to the right."""
    ax.tick_params(labelsize=6, length=2)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def quantise(path: Path, colours: int) -> None:
    """Rewrite a picture with a palette, for a file of a third of the size."""
    from PIL import Image  # comes with matplotlib

    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
