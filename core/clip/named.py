"""Any style by what names it. A file is read once as long as it stays as it is, since panels ask for their style all the time."""
from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..errors import ClipError, TaskError
from .as_style import style_shown
from .bvh import read_bvh
from .knobs import Knobs, adjusted
from .mixing import mixed_styles, with_upper_body
from .recipe import Recipe
from .shelf import builtin_style, builtin_styles, load_style
from .style import Style
from .understand import Understood, understand

File = tuple[Path, int, int]
"""A path, when its file was changed, and how large it is."""


def find_style(what: str | Path) -> Style:
    """A style by its name on the shelf, or by the path of its file (.toml) or of a clip that shows it (.bvh).

    Raises:
        TaskError: there is no such one, or its file is broken.
        ClipError: the clip is broken, or shows no walk or run.
    """
    return _found(_key(what))


def style_of(recipe: Recipe) -> Style:
    """What a recipe makes, of styles that are found as `find_style` finds them."""
    upper = None if recipe.upper is None else _key(recipe.upper)
    return _made(_key(recipe.style), tuple((_key(part.style), part.share) for part in recipe.mixed), upper, recipe)


def made_of(base: Style, recipe: Recipe) -> Style:
    """What a recipe makes of a style that no name tells, in place of its own."""
    upper = None if recipe.upper is None else find_style(recipe.upper)
    return _with(base, tuple((find_style(part.style), part.share) for part in recipe.mixed), upper, recipe.knobs)


def clip_shown(path: Path) -> Understood:
    """What the clip in a file shows.

    Raises:
        ClipError: it is broken, or shows no walk or run.
    """
    return _understood(_file(path))


def _key(what: str | Path) -> str | File:
    if str(what) in builtin_styles():
        return str(what)
    path = Path(what)
    if path.suffix.lower() not in (".toml", ".bvh"):
        raise TaskError(f"There is no style {str(what)!r}. On the shelf are: {', '.join(builtin_styles())}; files of others end in "
                        ".toml, clips that show one in .bvh.")
    return _file(path)


def _file(path: Path) -> File:
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        kind = TaskError if path.suffix.lower() == ".toml" else ClipError
        raise kind(f"The style {path} cannot be opened: {getattr(error, 'strerror', None) or error}.") from error
    return path, found.st_mtime_ns, found.st_size


@lru_cache(16)
def _found(key: str | File) -> Style:
    if isinstance(key, str):
        return builtin_style(key)
    return load_style(key[0]) if key[0].suffix.lower() == ".toml" else style_shown(_understood(key))


@lru_cache(64)
def _made(style: str | File, mixed: tuple[tuple[str | File, float], ...], upper: str | File | None, recipe: Recipe) -> Style:
    return _with(_found(style), tuple((_found(key), share) for key, share in mixed), None if upper is None else _found(upper),
                 recipe.knobs)


def _with(base: Style, mixed: tuple[tuple[Style, float], ...], upper: Style | None, knobs: Knobs) -> Style:
    out = mixed_styles(base, mixed)
    return adjusted(out if upper is None else with_upper_body(out, upper), knobs)


@lru_cache(16)
def _understood(file: File) -> Understood:
    return understand(read_bvh(file[0]))
