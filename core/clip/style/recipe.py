"""Recipes of styles: a style, shares of others, the upper body of another one, and knobs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import TaskError
from .knobs import Knobs


@dataclass(frozen=True)
class StyleShare:
    """A style that is mixed in.

    Args:
        style: name or path of the style.
        share: share of the style, from 0 to 1.

    Raises:
        TaskError: the share is out of its range.
    """

    style: str
    share: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.share) and 0 <= self.share <= 1):
            raise TaskError(
                f"The share of {self.style!r} is {self.share:g}; it must be between 0 and 1."
            )


@dataclass(frozen=True)
class Recipe:
    """A composition of styles, which are given by their names or paths.

    Args:
        style: style of the legs and of the gait.
        mixed_styles: other styles with their shares; the rest to 1 is `style`.
        upper_style: style of chest, arms and head; None for `style`.
        knobs: knobs, applied last.

    Raises:
        TaskError: the sum of the shares is above 1.
    """

    style: str
    mixed_styles: tuple[StyleShare, ...] = ()
    upper_style: str | None = None
    knobs: Knobs = field(default_factory=Knobs)

    def __post_init__(self) -> None:
        total = sum(part.share for part in self.mixed_styles)
        if total > 1 + 1e-6:
            raise TaskError(
                f"The shares of {', '.join(part.style for part in self.mixed_styles)} make "
                f"{total:.2f} together; the sum must be 1 at most."
            )
