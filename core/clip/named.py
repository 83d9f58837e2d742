"""Any style by what names it."""
from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..errors import ClipError, TaskError
from .as_style import style_shown
from .bvh import read_bvh
from .knobs import Knobs, adjusted
from .shelf import builtin_style, builtin_styles, load_style
from .style import Style
from .understand import understand


def find_style(what: str | Path) -> Style:
    """A style by its name on the shelf, or by the path of its file (.toml) or of a clip that shows it (.bvh).

    Raises:
        TaskError: there is no such one, or its file is broken.
        ClipError: the clip is broken, or shows no walk or run.
    """
    if str(what) in builtin_styles():
        return builtin_style(str(what))
    path = Path(what)
    if path.suffix.lower() not in (".toml", ".bvh"):
        raise TaskError(f"There is no style {str(what)!r}. On the shelf are: {', '.join(builtin_styles())}; files of others end in "
                        ".toml, clips that show one in .bvh.")
    try:
        found = path.stat()
        return _read(path, found.st_mtime_ns, found.st_size)
    except (OSError, ValueError) as error:
        kind = TaskError if path.suffix.lower() == ".toml" else ClipError
        raise kind(f"The style {path} cannot be opened: {getattr(error, 'strerror', None) or error}.") from error


@lru_cache(16)
def _read(path: Path, _changed: int, _size: int) -> Style:
    """Read a file once as long as it stays as it is."""
    if path.suffix.lower() == ".toml":
        return load_style(path)
    return style_shown(understand(read_bvh(path)))


def style_of(what: str | Path, knobs: Knobs) -> Style:
    """A style as `find_style` finds it, with its knobs turned."""
    return adjusted(find_style(what), knobs)
