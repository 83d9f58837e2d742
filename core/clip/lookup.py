"""Styles by their names or paths.

Files are cached until they change, since the panels of Blender request their style at every redraw.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ..character.character import Character
from ..errors import ClipError, FootfallError, TaskError
from .recording.analyze import analyze_clip
from .recording.bvh import read_bvh
from .recording.corrections import NO_CORRECTIONS, ClipCorrections
from .recording.gait_analysis import GaitAnalysis, analyze_gait
from .recording.posture import Posture, extract_posture
from .recording.quadruped.gait_analysis import QuadrupedGaitAnalysis, analyze_quadruped_gait
from .recording.quadruped.to_style import build_quadruped_clip_style
from .recording.to_style import build_clip_style
from .style.knobs import Knobs, apply_knobs
from .style.mixing import mix_styles, replace_upper_body
from .style.quadruped_style import (
    DEFAULT_STYLE,
    QuadrupedStyle,
    is_quadruped_file,
    list_quadruped_styles,
    load_builtin_quadruped_style,
    load_quadruped_style,
)
from .style.recipe import Recipe
from .style.shelf import list_builtin_styles, load_builtin_style, load_style
from .style.style import Style

FileKey = tuple[Path, int, int]
"""Path, time of modification [ns] and size [bytes] of a file."""


def find_style(name_or_path: str | Path) -> Style:
    """Return a style for people.

    Args:
        name_or_path: name of a built-in style, or path of a style file (.toml) or of a clip (.bvh).

    Raises:
        TaskError: there is no such style, or its file is broken.
        ClipError: the clip is broken, or shows no walk or run.
    """
    return _load_style(_make_key(name_or_path))


def load_recipe(recipe: Recipe) -> Style:
    """Return the style of a recipe, whose names and paths are those of `find_style`."""
    upper = None if recipe.upper_style is None else _make_key(recipe.upper_style)
    return _load_recipe(
        _make_key(recipe.style),
        tuple((_make_key(part.style), part.share) for part in recipe.mixed_styles),
        upper,
        recipe,
    )


def find_upper_body(name_or_path: str | Path) -> Style:
    """Return a style whose upper body is to be used.

    It may be any style of `find_style`, or a clip without a gait, whose posture is held.

    Raises:
        TaskError: there is no such style, or its file is broken.
        ClipError: the clip is broken, or shows no body with two legs.
    """
    return _load_upper_body(_make_key(name_or_path))


def compose_style(
    base: Style | None, recipe: Recipe, loaded_styles: Mapping[str, Style] | None = None
) -> Style:
    """Return the style of a recipe some of whose styles have no name or file.

    Args:
        recipe: recipe.
        base: style that replaces that of the recipe; None for the latter.
        loaded_styles: styles by their names in the recipe, as styles that are mixed in or as the
            upper body.
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
    """Return the style of a recipe for a body that is not a person.

    Args:
        recipe: recipe whose style is the name of a built-in style for four legs, or the path of a
            style file (.toml) or of a clip of such a body (.bvh).
        character: body.

    Raises:
        ClipError: the clip is broken, or shows no body that moves on four legs.
        TaskError: the style does not fit the body or does not exist, or the recipe has mixed styles
            or knobs, which only styles of people support.
    """
    name = recipe.style
    if recipe.knobs.list_changes():
        raise TaskError(
            f"The knob {next(iter(recipe.knobs.list_changes()))} changes styles of people only, "
            f"and {character.name} is no person; leave the knobs out."
        )
    if recipe.mixed_styles or recipe.upper_style is not None:
        raise TaskError(
            f"Only styles of people can be mixed, and {character.name} is no person; use a single "
            "style for it."
        )
    if not character.is_quadruped:
        if name != DEFAULT_STYLE:
            raise TaskError(
                f"There are no styles for {character.name} with its {len(character.legs)} legs; "
                "leave the style out, and choose a gait if it should keep one."
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
    """Return a style for four legs.

    Args:
        name_or_path: name of a built-in style for four legs, or path of a style file (.toml) or of
            a clip of such a body (.bvh).

    Raises:
        TaskError: there is no such style, or its file is broken or one for people.
        ClipError: the clip is broken, or shows no body that moves on four legs.
    """
    if str(name_or_path) in list_quadruped_styles() or Path(name_or_path).suffix.lower() not in (
        ".toml",
        ".bvh",
    ):
        return load_builtin_quadruped_style(str(name_or_path))
    return _load_quadruped_file(_make_file_key(Path(name_or_path)))


def has_tail_motion(name_or_path: str) -> bool:
    """Return whether a style is one for four legs that moves a tail.

    False is returned for a style that cannot be read.
    """
    try:
        return find_quadruped_style(name_or_path).has_tail_motion
    except FootfallError:
        # The style is one for people, or broken, which is reported when a motion is generated.
        return False


def analyze_clip_file(
    path: Path, corrections: ClipCorrections = NO_CORRECTIONS
) -> GaitAnalysis | QuadrupedGaitAnalysis:
    """Return the gait of a clip of a body on two legs or on four.

    Args:
        corrections: what the user states about a clip of a person.

    Raises:
        ClipError: the clip is broken, or shows no gait.
    """
    return _analyze_any_file(_make_file_key(path), corrections)


def list_clip_joints(path: Path) -> tuple[str, ...]:
    """Return the names of the joints of a clip (.bvh).

    Raises:
        ClipError: the clip is broken.
    """
    return _list_joints(_make_file_key(path))


def find_posture(path: Path) -> Posture | None:
    """Return the posture of the upper body in a clip (.bvh) without a gait, else None.

    Raises:
        ClipError: the clip is broken, or shows no body with two legs.
    """
    return _load_posture(_make_file_key(path))


def _make_key(name_or_path: str | Path) -> str | FileKey:
    """Return the key of a style for people in the caches.

    Raises:
        TaskError: there is no such style.
        ClipError: there is no such clip.
    """
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
    """Return the key of a file in the caches.

    Raises:
        TaskError: the style file cannot be opened.
        ClipError: the clip cannot be opened.
    """
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
            f"The style {key[0].name} is one for four legs. For people there are: "
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
    except ClipError:  # A broken file raises the error again.
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
def _list_joints(file: FileKey) -> tuple[str, ...]:
    return read_bvh(file[0]).joints


@lru_cache(16)
def _analyze_any_file(
    file: FileKey, corrections: ClipCorrections
) -> GaitAnalysis | QuadrupedGaitAnalysis:
    return analyze_clip(read_bvh(file[0]), corrections)


@lru_cache(16)
def _load_quadruped_file(file: FileKey) -> QuadrupedStyle:
    if file[0].suffix.lower() == ".toml":
        return load_quadruped_style(file[0])
    return build_quadruped_clip_style(analyze_quadruped_gait(read_bvh(file[0])))
