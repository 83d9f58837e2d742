"""What a style is made of: one style, shares of others,
the upper body of yet another, and knobs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import TaskError
from .knobs import Knobs


@dataclass(frozen=True)
class StyleShare:
    """How much of a style is mixed in, 0 to 1.

    Raises:
        TaskError: a share beyond that.
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
    """Styles by their names or paths.

    Args:
        style: the one that legs and gait are of.
        mixed_styles: others with their shares; what is missing to 1 is the style's own.
        upper_style: whose chest, arms and head are taken; None for the style's own.
        knobs: turned last.

    Raises:
        TaskError: shares of more than 1 together.
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
                f"{total:.2f} together; all that is mixed in must be 1 at most."
            )
