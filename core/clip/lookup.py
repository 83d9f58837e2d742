"""Any style by what names it. A file is read once as long as it stays as it is, since panels ask for their style all the time."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ..character.character import Character
from ..errors import ClipError, FootfallError, TaskError
from .recording.analyze import understand_anybody
from .recording.bvh import read_bvh
from .recording.gait_analysis import Understood, understand
from .recording.posture import Posture, posture_shown
from .recording.quadruped.gait_analysis import UnderstoodQuadruped, understand_quadruped
from .recording.quadruped.to_style import quadruped_shown
from .recording.to_style import style_shown
from .style.knobs import Knobs, adjusted
from .style.mixing import mixed_styles, with_upper_body
from .style.quadruped_file import tells_quadruped
from .style.quadruped_style import DEFAULT, QuadrupedStyle, load_quadruped, quadruped_style, quadruped_styles
from .style.recipe import Recipe
from .style.shelf import builtin_style, builtin_styles, load_style
from .style.style import Style

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


def find_upper(what: str | Path) -> Style:
    """A style whose upper body is taken: as `find_style`, and also a clip in which nobody walks, with the posture that it keeps.

    Raises:
        TaskError: there is no such one, or its file is broken.
        ClipError: the clip is broken, or nobody in it has two legs.
    """
    return _found_upper(_key(what))


def made_of(base: Style | None, recipe: Recipe, lent: Mapping[str, Style] | None = None) -> Style:
    """What a recipe makes of styles that no name and no file tells.

    Args:
        base: in place of the recipe's style; None for that.
        lent: those that are mixed in or lend their upper body, by what the recipe calls them.
    """
    lent = lent or {}
    mixed = tuple((lent.get(part.style) or find_style(part.style), part.share) for part in recipe.mixed)
    upper = None if recipe.upper is None else lent.get(recipe.upper) or find_upper(recipe.upper)
    return _with(find_style(recipe.style) if base is None else base, mixed, upper, recipe.knobs)


def quadruped_for(recipe: Recipe, character: Character) -> QuadrupedStyle:
    """A style of a body that is not built like people: by its name on the shelf for four legs, or by the path of a style's
    file (.toml) or of a clip of such a body (.bvh).

    Raises:
        ClipError: the clip is broken, or shows nobody who goes on four legs.
        TaskError: it does not fit the body, there is no such one, or it is mixed or turned by knobs as only people's styles can be.
    """
    what = recipe.style
    if recipe.knobs.turned():
        raise TaskError(f"The knob {next(iter(recipe.knobs.turned()))} turns styles of people, and {character.name} is built "
                        "otherwise; take the knobs out.")
    if recipe.mixed or recipe.upper is not None:
        raise TaskError(f"Styles of people can be mixed, and {character.name} is built otherwise; leave one style for it.")
    if not character.four_legged:
        if what != DEFAULT:
            raise TaskError(f"There are no styles for {character.name} with its {len(character.legs)} legs as yet; leave the style "
                            "out, and choose a gait if it should keep one.")
        return quadruped_style(DEFAULT)
    if what in quadruped_styles() or Path(what).suffix.lower() in (".toml", ".bvh"):
        return find_quadruped_style(what)
    wrong = f"The style {what!r} is one for people" if what in builtin_styles() else f"There is no style {what!r} for four legs"
    raise TaskError(f"{wrong}; those that fit {character.name} are: {', '.join(quadruped_styles())}, files of others that end in "
                    ".toml, and clips of bodies on four legs that end in .bvh.")


def find_quadruped_style(what: str | Path) -> QuadrupedStyle:
    """A style for four legs by its name on their shelf, or by the path of its file (.toml) or of a clip that shows it (.bvh).

    Raises:
        TaskError: there is no such one, or its file is broken or one for people.
        ClipError: the clip is broken, or shows nobody who goes on four legs.
    """
    if str(what) in quadruped_styles() or Path(what).suffix.lower() not in (".toml", ".bvh"):
        return quadruped_style(str(what))
    return _four_found(_file(Path(what)))


def carries_tail(what: str) -> bool:
    """Whether a style, by its name or file, is one for four legs that says what a tail does; one that cannot be read does not."""
    try:
        return find_quadruped_style(what).carries_tail
    except FootfallError:                  # of people, or broken: whoever reads it for good says which
        return False


def clip_shown(path: Path) -> Understood | UnderstoodQuadruped:
    """What the clip in a file shows, of somebody on two legs or on four.

    Raises:
        ClipError: it is broken, or shows no gait.
    """
    return _anybody(_file(path))


def posture_of(path: Path) -> Posture | None:
    """How the upper body is held in a clip (.bvh) in which nobody walks; None where somebody does.

    Raises:
        ClipError: it is broken, or nobody in it has two legs.
    """
    return _posture(_file(path))


def _key(what: str | Path) -> str | File:
    if str(what) in builtin_styles():
        return str(what)
    path = Path(what)
    if str(what) in quadruped_styles():
        raise TaskError(f"The style {str(what)!r} is one for four legs. For people there are: {', '.join(builtin_styles())}; files "
                        "of others end in .toml, clips that show one in .bvh.")
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
    if key[0].suffix.lower() != ".toml":
        return style_shown(_understood(key))
    if tells_quadruped(key[0]):
        raise TaskError(f"The style {key[0].name} is one for four legs, and people have styles of their own: "
                        f"{', '.join(builtin_styles())}, and files of others.")
    return load_style(key[0])


def _found_upper(key: str | File) -> Style:
    held = _posture(key) if not isinstance(key, str) and key[0].suffix.lower() == ".bvh" else None
    return _found(key) if held is None else held.style


@lru_cache(16)
def _posture(file: File) -> Posture | None:
    try:
        _understood(file)
    except ClipError:                      # a file that is broken says so again
        return posture_shown(read_bvh(file[0]))
    return None


@lru_cache(64)
def _made(style: str | File, mixed: tuple[tuple[str | File, float], ...], upper: str | File | None, recipe: Recipe) -> Style:
    return _with(_found(style), tuple((_found(key), share) for key, share in mixed),
                 None if upper is None else _found_upper(upper), recipe.knobs)


def _with(base: Style, mixed: tuple[tuple[Style, float], ...], upper: Style | None, knobs: Knobs) -> Style:
    out = mixed_styles(base, mixed)
    return adjusted(out if upper is None else with_upper_body(out, upper), knobs)


@lru_cache(16)
def _understood(file: File) -> Understood:
    return understand(read_bvh(file[0]))


@lru_cache(16)
def _anybody(file: File) -> Understood | UnderstoodQuadruped:
    return understand_anybody(read_bvh(file[0]))


@lru_cache(16)
def _four_found(file: File) -> QuadrupedStyle:
    if file[0].suffix.lower() == ".toml":
        return load_quadruped(file[0])
    return quadruped_shown(understand_quadruped(read_bvh(file[0])))
