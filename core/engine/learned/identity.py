"""Which body in which style a network belongs to."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character, is_humanoid
from ...clip import QuadrupedStyle, Style, load_recipe, resolve_quadruped_style
from ...task import Task

Array = NDArray[np.float64]

# Largest difference of proportions within which bodies count as one [leg lengths]
MAX_PROPORTION_ERROR = 2e-3
# Fields of a style that describe it to people
STYLE_LABELS = frozenset({"name", "about", "sources"})
# Number of hexadecimal digits of a digest
DIGEST_LENGTH = 16


@dataclass(frozen=True)
class NetworkIdentity:
    """A body, whatever its size and name, in a style.

    Args:
        joints: names of the joints, in order.
        proportions: places of joints and soles in the neutral pose [leg lengths], shape (3 k,).
        style: digest of the style.
    """

    joints: tuple[str, ...]
    proportions: tuple[float, ...]
    style: str

    @staticmethod
    def from_task(task: Task, character: Character) -> NetworkIdentity:
        """Return the identity of a task's body in its style.

        Raises:
            TaskError: the style does not exist or does not fit the body.
            ClipError: the clip of the style cannot be read.
        """
        joints = tuple(link.joint.name for link in character.links)
        proportions = np.round(_measure_proportions(character), 4)
        return NetworkIdentity(
            joints, tuple(proportions.tolist()), compute_digest(resolve_style(task, character))
        )

    def matches(self, other: NetworkIdentity) -> bool:
        """Return whether a network of one serves the other."""
        return (
            (self.joints, self.style) == (other.joints, other.style)
            and len(self.proportions) == len(other.proportions)
            and np.abs(np.subtract(self.proportions, other.proportions)).max()
            < MAX_PROPORTION_ERROR
        )

    @property
    def label(self) -> str:
        """Short digest for names of files."""
        proportions = np.round(self.proportions, 2)
        text = f"{self.joints} {proportions.tolist()} {self.style}"
        return hashlib.sha256(text.encode()).hexdigest()[: DIGEST_LENGTH // 2]


def resolve_style(task: Task, character: Character) -> Style | QuadrupedStyle:
    """Return the style of a task's body.

    Raises:
        TaskError: the style does not exist or does not fit the body.
        ClipError: the clip of the style cannot be read.
    """
    if is_humanoid(character):
        return load_recipe(task.recipe)
    return resolve_quadruped_style(task.recipe, character)


def compute_digest(style: object) -> str:
    """Return the digest of the numbers of a style, which does not depend on its name."""
    return _compute_cached_digest(_SameObject(style))


@dataclass(frozen=True, eq=False)
class _SameObject:
    """Key of a cache for an object that cannot be hashed, such as a style: the object itself."""

    value: object

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameObject) and other.value is self.value


# Loaded styles are cached, so the same object returns for each motion; writing its 3,500 numbers
# takes as long as predicting a second of motion.
@lru_cache(maxsize=32)
def _compute_cached_digest(key: _SameObject) -> str:
    text = _write_numbers(key.value)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def _write_numbers(value: object) -> str:
    """Return the numbers of a value, with five significant digits."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = [
            f"{f.name}={_write_numbers(getattr(value, f.name))}"
            for f in fields(value)
            if f.name not in STYLE_LABELS
        ]
        return f"({' '.join(parts)})"
    if isinstance(value, np.ndarray) and value.dtype.kind == "c":
        return _write_numbers(np.stack([value.real, value.imag]))
    if isinstance(value, np.ndarray | list | tuple):
        return f"[{' '.join(_write_numbers(item) for item in value)}]"
    if isinstance(value, float | np.floating):
        # Rounded to a micro unit first, so that a zero has one form.
        return f"{round(float(value), 6) + 0.0:.5g}"
    return str(value)


def _measure_proportions(character: Character) -> Array:
    """Return the places of joints and soles in leg lengths, shape (3 k,)."""
    joints = [character.neutral_joint_position(k) for k in range(len(character.links))]
    places = np.vstack([*joints, *character.neutral_foot_positions])
    return (places / character.leg_length).ravel()
