"""Gaits by name: lags and duty that stay whatever the speed."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from .gait_body import GaitBody

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FixedGait:
    """A gait that is kept; lags in strides.

    Args:
        row: from a leg to the next one before it on its side.
        hind, fore: from the first foot of the rearmost pair to the second, and of all others.
        duty: share of the stride that a foot is down.
        phases: of a body on four legs, when its right hind, left fore and right fore foot come down after the left hind one, where
            that is told of each.
    """

    row: float
    hind: float
    fore: float
    duty: float
    phases: tuple[float, float, float] | None = None

    def lags(self, body: GaitBody) -> Array:
        """Of each leg after the first one of the rearmost row. (legs,)."""
        usual = pair_lags(body, self.row, self.hind, self.fore)
        if self.phases is None:
            return usual
        told = dict(zip(((0, 1), (0, -1), (1, 1), (1, -1)), (0.0, *self.phases), strict=True))
        own = np.array([told[leg.row, leg.side] for leg in body.legs])
        return np.asarray(usual + (own - usual + 0.5) % 1.0 - 0.5)           # around the stride as near to the gait's as can be


def pair_lags(body: GaitBody, row: float, hind: float, fore: float) -> Array:
    """Lags of legs whose sides follow each other: `row` from row to row, `hind` and `fore` within pairs. (legs,)."""
    within = np.where(body.row == 0, hind, fore) * body.second
    return np.asarray(body.row * row + within, float)


_ONE = {"hop": FixedGait(0.0, 0.0, 0.0, 0.45)}
_TWO = {"walk": FixedGait(0.0, 0.5, 0.5, 0.6), "run": FixedGait(0.0, 0.5, 0.5, 0.35), "hop": FixedGait(0.0, 0.0, 0.0, 0.4)}
_FOUR = {
    "walk": FixedGait(0.20, 0.5, 0.5, 0.62), "trot": FixedGait(0.48, 0.5, 0.5, 0.38), "pace": FixedGait(0.04, 0.5, 0.5, 0.38),
    "amble": FixedGait(0.20, 0.5, 0.5, 0.42), "canter": FixedGait(0.36, 0.34, 0.34, 0.32),
    "gallop": FixedGait(0.36, 0.18, 0.18, 0.26), "half bound": FixedGait(0.45, 0.02, 0.15, 0.3),
    "bound": FixedGait(0.5, 0.0, 0.0, 0.3), "pronk": FixedGait(0.0, 0.0, 0.0, 0.4)}


def fixed_gaits(body: GaitBody) -> dict[str, FixedGait]:
    """The gaits that a body can be held to, by name."""
    if len(body.legs) == 1:
        return _ONE
    if body.rows == 1 and len(body.legs) == 2:
        return _TWO
    if body.four_legged:
        return _FOUR
    n = 2 * body.rows
    alternating = {3: "tripod", 4: "tetrapod"}.get(body.rows, "alternating")
    return {"wave": FixedGait(1 / n, 0.5, 0.5, 1 - 1 / n), "ripple": FixedGait(1 / 3, 0.5, 0.5, 2 / 3),
            alternating: FixedGait(0.5, 0.5, 0.5, 0.5)}


def gait_names() -> tuple[str, ...]:
    """All names that gaits have, of bodies of any number of legs; each once, those of four legs first."""
    many = {"wave", "ripple", "tripod", "tetrapod"}
    return tuple(dict.fromkeys([*_FOUR, *_TWO, *_ONE, *sorted(many)]))


def fixed_gait(name: str, body: GaitBody) -> FixedGait:
    """A gait by its name.

    Raises:
        TaskError: a body with these legs has no gait of that name.
    """
    there = fixed_gaits(body)
    if name not in there:
        raise TaskError(f"There is no gait {name!r} for a body with {len(body.legs)} legs; there are: {', '.join(there)}.")
    return there[name]
