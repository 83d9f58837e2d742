"""Any style by what names it. A file is read once as long as it stays as it is, since panels ask
for their style all the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ..character.character import Character
from ..errors import ClipError, FootfallError, TaskError
from .recording.analyze import analyze_clip
from .recording.bvh import read_bvh
from .recording.gait_analysis import GaitAnalysis, analyze_gait
from .recording.posture import Posture, extract_posture
from .recording.quadruped.gait_analysis import QuadrupedGaitAnalysis, analyze_quadruped_gait
from .recording.quadruped.to_style import build_quadruped_clip_style
from .recording.to_style import build_clip_style
from .style.knobs import Knobs, apply_knobs
from .style.mixing import mix_styles, replace_upper_body
from .style.quadruped_file import is_quadruped_file
from .style.quadruped_style import (
    DEFAULT_STYLE,
    QuadrupedStyle,
    list_quadruped_styles,
    load_builtin_quadruped_style,
    load_quadruped_style,
)
from .style.recipe import Recipe
from .style.shelf import list_builtin_styles, load_builtin_style, load_style
from .style.style import Style

FileKey = tuple[Path, int, int]
"""A path, when its file was changed, and how large it is."""


def find_style(name_or_path: str | Path) -> Style:
    """A style by its name on the shelf, or by the path of its file (.toml) or of a
    clip that shows it (.bvh).

    Raises:
        TaskError: there is no such one, or its file is broken.
        ClipError: the clip is broken, or shows no walk or run.
    """
    return _load_style(_make_key(name_or_path))


def load_recipe(recipe: Recipe) -> Style:
    """What a recipe makes, of styles that are found as `find_style` finds them."""
    upper = None if recipe.upper_style is None else _make_key(recipe.upper_style)
    return _load_recipe(
        _make_key(recipe.style),
        tuple((_make_key(part.style), part.share) for part in recipe.mixed_styles),
        upper,
        recipe,
    )


def find_upper_body(name_or_path: str | Path) -> Style:
    """A style whose upper body is taken: as `find_style`, and also a clip in which nobody walks,
    with the posture that it keeps.

    Raises:
        TaskError: there is no such one, or its file is broken.
        ClipError: the clip is broken, or nobody in it has two legs.
    """
    return _load_upper_body(_make_key(name_or_path))


def compose_style(
    base: Style | None, recipe: Recipe, loaded_styles: Mapping[str, Style] | None = None
) -> Style:
    """What a recipe makes of styles that no name and no file tells.

    Args:
        base: in place of the recipe's style; None for that.
        loaded_styles: those that are mixed in or lend their upper body,
            by what the recipe calls them.
    """
    loaded_styles = loaded_styles or {}
    mixed = tuple(
        (loaded_styles.get(part.style) or find_style(part.style), part.share)
        for part in recipe.mixed_styles
    )
    upper = (
        None
        if recipe.upper_style is None
        else loaded_styles.get(recipe.upper_style) or find_upper_body(recipe.upper_style)
    )
    return _compose(find_style(recipe.style) if base is None else base, mixed, upper, recipe.knobs)


def resolve_quadruped_style(recipe: Recipe, character: Character) -> QuadrupedStyle:
    """A style of a body that is not built like people: by its name on the shelf for four legs, or
    by the path of a style's file (.toml) or of a clip of such a body (.bvh).

    Raises:
        ClipError: the clip is broken, or shows nobody who goes on four legs.
        TaskError: it does not fit the body, there is no such one, or it is mixed or turned by knobs
            as only people's styles can be.
    """
    name = recipe.style
    if recipe.knobs.list_changes():
        raise TaskError(
            f"The knob {next(iter(recipe.knobs.list_changes()))} turns styles of people, and "
            f"{character.name} is built otherwise; take the knobs out."
        )
    if recipe.mixed_styles or recipe.upper_style is not None:
        raise TaskError(
            f"Styles of people can be mixed, and {character.name} is built otherwise; leave one "
            "style for it."
        )
    if not character.is_quadruped:
        if name != DEFAULT_STYLE:
            raise TaskError(
                f"There are no styles for {character.name} with its {len(character.legs)} legs as "
                "yet; leave the style out, and choose a gait if it should keep one."
            )
        return load_builtin_quadruped_style(DEFAULT_STYLE)
    if name in list_quadruped_styles() or Path(name).suffix.lower() in (".toml", ".bvh"):
        return find_quadruped_style(name)
    reason = (
        f"The style {name!r} is one for people"
        if name in list_builtin_styles()
        else f"There is no style {name!r} for four legs"
    )
    raise TaskError(
        f"{reason}; those that fit {character.name} are: {', '.join(list_quadruped_styles())}, "
        "files of others that end in .toml, and clips of bodies on four legs that end in .bvh."
    )


def find_quadruped_style(name_or_path: str | Path) -> QuadrupedStyle:
    """A style for four legs by its name on their shelf, or by the path of its file (.toml) or of a
    clip that shows it (.bvh).

    Raises:
        TaskError: there is no such one, or its file is broken or one for people.
        ClipError: the clip is broken, or shows nobody who goes on four legs.
    """
    if str(name_or_path) in list_quadruped_styles() or Path(name_or_path).suffix.lower() not in (
        ".toml",
        ".bvh",
    ):
        return load_builtin_quadruped_style(str(name_or_path))
    return _load_quadruped_file(_make_file_key(Path(name_or_path)))


def has_tail_motion(name_or_path: str) -> bool:
    """Whether a style, by its name or file, is one for four legs that says what a tail does; one
    that cannot be read does not.
    """
    try:
        return find_quadruped_style(name_or_path).has_tail_motion
    except FootfallError:  # of people, or broken: whoever reads it for good says which
        return False


def analyze_clip_file(path: Path) -> GaitAnalysis | QuadrupedGaitAnalysis:
    """What the clip in a file shows, of somebody on two legs or on four.

    Raises:
        ClipError: it is broken, or shows no gait.
    """
    return _analyze_any_file(_make_file_key(path))


def find_posture(path: Path) -> Posture | None:
    """How the upper body is held in a clip (.bvh) in which nobody walks; None where somebody does.

    Raises:
        ClipError: it is broken, or nobody in it has two legs.
    """
    return _load_posture(_make_file_key(path))


def _make_key(name_or_path: str | Path) -> str | FileKey:
    if str(name_or_path) in list_builtin_styles():
        return str(name_or_path)
    path = Path(name_or_path)
    if str(name_or_path) in list_quadruped_styles():
        raise TaskError(
            f"The style {str(name_or_path)!r} is one for four legs. For people there are: "
            f"{', '.join(list_builtin_styles())}; files of others end in .toml, clips that show "
            "one in .bvh."
        )
    if path.suffix.lower() not in (".toml", ".bvh"):
        raise TaskError(
            f"There is no style {str(name_or_path)!r}. On the shelf are: "
            f"{', '.join(list_builtin_styles())}; files of others end in .toml, clips that show "
            "one in .bvh."
        )
    return _make_file_key(path)


def _make_file_key(path: Path) -> FileKey:
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        error_type = TaskError if path.suffix.lower() == ".toml" else ClipError
        raise error_type(
            f"The style {path} cannot be opened: {getattr(error, 'strerror', None) or error}."
        ) from error
    return path, status.st_mtime_ns, status.st_size


@lru_cache(16)
def _load_style(key: str | FileKey) -> Style:
    if isinstance(key, str):
        return load_builtin_style(key)
    if key[0].suffix.lower() != ".toml":
        return build_clip_style(_analyze_file(key))
    if is_quadruped_file(key[0]):
        raise TaskError(
            f"The style {key[0].name} is one for four legs, and people have styles of their own: "
            f"{', '.join(list_builtin_styles())}, and files of others."
        )
    return load_style(key[0])


def _load_upper_body(key: str | FileKey) -> Style:
    posture = (
        _load_posture(key) if not isinstance(key, str) and key[0].suffix.lower() == ".bvh" else None
    )
    return _load_style(key) if posture is None else posture.style


@lru_cache(16)
def _load_posture(file: FileKey) -> Posture | None:
    try:
        _analyze_file(file)
    except ClipError:  # a file that is broken says so again
        return extract_posture(read_bvh(file[0]))
    return None


@lru_cache(64)
def _load_recipe(
    style: str | FileKey,
    mixed: tuple[tuple[str | FileKey, float], ...],
    upper: str | FileKey | None,
    recipe: Recipe,
) -> Style:
    return _compose(
        _load_style(style),
        tuple((_load_style(key), share) for key, share in mixed),
        None if upper is None else _load_upper_body(upper),
        recipe.knobs,
    )


def _compose(
    base: Style, mixed: tuple[tuple[Style, float], ...], upper: Style | None, knobs: Knobs
) -> Style:
    mixed_style = mix_styles(base, mixed)
    return apply_knobs(
        mixed_style if upper is None else replace_upper_body(mixed_style, upper), knobs
    )


@lru_cache(16)
def _analyze_file(file: FileKey) -> GaitAnalysis:
    return analyze_gait(read_bvh(file[0]))


@lru_cache(16)
def _analyze_any_file(file: FileKey) -> GaitAnalysis | QuadrupedGaitAnalysis:
    return analyze_clip(read_bvh(file[0]))


@lru_cache(16)
def _load_quadruped_file(file: FileKey) -> QuadrupedStyle:
    if file[0].suffix.lower() == ".toml":
        return load_quadruped_style(file[0])
    return build_quadruped_clip_style(analyze_quadruped_gait(read_bvh(file[0])))
