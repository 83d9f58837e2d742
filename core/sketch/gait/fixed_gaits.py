"""Gaits with a name: lags and duty that do not depend on the speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from .gait_body import GaitBody

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FixedGait:
    """A gait with fixed lags and duty; lags in strides.

    Args:
        row_lag: lag from a leg to the next one in front of it on its side.
        hind_pair_lag: lag from the first to the second foot of the rearmost pair.
        fore_pair_lag: lag from the first to the second foot of all other pairs.
        duty: share of the stride for which a foot is down.
        phases: lags of the right hind, left fore and right fore foot of a four-legged body after
            the left hind foot; None to follow from the other lags.
    """

    row_lag: float
    hind_pair_lag: float
    fore_pair_lag: float
    duty: float
    phases: tuple[float, float, float] | None = None

    def compute_lags(self, body: GaitBody) -> Array:
        """Return the lag of each leg after the first one of the rearmost row. (legs,)."""
        default_lags = compute_pair_lags(body, self.row_lag, self.hind_pair_lag, self.fore_pair_lag)
        if self.phases is None:
            return default_lags
        phase_by_place = dict(
            zip(((0, 1), (0, -1), (1, 1), (1, -1)), (0.0, *self.phases), strict=True)
        )
        explicit_lags = np.array([phase_by_place[leg.row, leg.side] for leg in body.legs])
        # Shift each lag by whole strides to be as close as possible to the default
        return np.asarray(default_lags + (explicit_lags - default_lags + 0.5) % 1.0 - 0.5)


def compute_pair_lags(
    body: GaitBody, row_lag: float, hind_pair_lag: float, fore_pair_lag: float
) -> Array:
    """Return the lags of legs. (legs,) [strides].

    Args:
        row_lag: lag from row to row.
        hind_pair_lag: lag within the rearmost pair.
        fore_pair_lag: lag within all other pairs.
    """
    pair_lag = np.where(body.leg_rows == 0, hind_pair_lag, fore_pair_lag) * body.on_leading_side
    return np.asarray(body.leg_rows * row_lag + pair_lag, float)


# Gaits by name, for bodies with one, two and four legs
_ONE_LEG_GAITS = {"hop": FixedGait(0.0, 0.0, 0.0, 0.45)}
_TWO_LEG_GAITS = {
    "walk": FixedGait(0.0, 0.5, 0.5, 0.6),
    "run": FixedGait(0.0, 0.5, 0.5, 0.35),
    "hop": FixedGait(0.0, 0.0, 0.0, 0.4),
}
_FOUR_LEG_GAITS = {
    "walk": FixedGait(0.20, 0.5, 0.5, 0.62),
    "trot": FixedGait(0.48, 0.5, 0.5, 0.38),
    "pace": FixedGait(0.04, 0.5, 0.5, 0.38),
    "amble": FixedGait(0.20, 0.5, 0.5, 0.42),
    "canter": FixedGait(0.36, 0.34, 0.34, 0.32),
    "gallop": FixedGait(0.36, 0.18, 0.18, 0.26),
    "half bound": FixedGait(0.45, 0.02, 0.15, 0.3),
    "bound": FixedGait(0.5, 0.0, 0.0, 0.3),
    "pronk": FixedGait(0.0, 0.0, 0.0, 0.4),
}


def get_fixed_gaits(body: GaitBody) -> dict[str, FixedGait]:
    """Return the gaits that a body may be given, by name."""
    if len(body.legs) == 1:
        return _ONE_LEG_GAITS
    if body.row_count == 1 and len(body.legs) == 2:
        return _TWO_LEG_GAITS
    if body.is_quadruped:
        return _FOUR_LEG_GAITS
    n = 2 * body.row_count
    alternating = {3: "tripod", 4: "tetrapod"}.get(body.row_count, "alternating")
    return {
        "wave": FixedGait(1 / n, 0.5, 0.5, 1 - 1 / n),
        "ripple": FixedGait(1 / 3, 0.5, 0.5, 2 / 3),
        alternating: FixedGait(0.5, 0.5, 0.5, 0.5),
    }


def list_gait_names() -> tuple[str, ...]:
    """Return the names of the gaits of all bodies, those of four legs first."""
    multi_leg_names = {"wave", "ripple", "tripod", "tetrapod"}
    return tuple(
        dict.fromkeys(
            [*_FOUR_LEG_GAITS, *_TWO_LEG_GAITS, *_ONE_LEG_GAITS, *sorted(multi_leg_names)]
        )
    )


def find_fixed_gait(name: str, body: GaitBody) -> FixedGait:
    """Return a gait by its name.

    Raises:
        TaskError: a body with these legs has no gait of that name.
    """
    available = get_fixed_gaits(body)
    if name not in available:
        raise TaskError(
            f"A body with {len(body.legs)} legs has no gait {name!r}; it must be one of: "
            f"{', '.join(available)}."
        )
    return available[name]
