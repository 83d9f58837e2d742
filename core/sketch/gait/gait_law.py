"""Gaits that emerge from speed: one law for any number of legs and any size, as functions of the Froude number.

Froude number F = v^2 / (g h) with the hip height h: bodies of all sizes move alike at the same F (Alexander and Jayes 1983,
J. Zoology 201:135). All lengths below are in hip heights and all times in sqrt(h / g).

Four legs: a body that can be seen as two bipeds in a row has a lag from a hind foot to the fore foot of its side and a lag from
the first foot of a pair to the second. Kwon et al. 2020, appendix G, tie the feet's places to each other and let the gait
follow; the lags here are such ties, told as shares of the stride, which each give way to the next as F grows.
More rows go in a wave that starts at the rear: a leg lifts when the one behind it has come down (Wilson 1966), so
its lag is the share of the stride that a foot is in the air, and legs move one by one when slow, in two sets when fast.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...clip.style.quadruped_defaults import usual_stride
from .fixed_gaits import FixedGait, fixed_gait, pair_lags
from .gait_body import GaitBody, Trunk
from .rhythm import Rhythm, longest_flight

Array = NDArray[np.float64]

TWO_LEGS = 1.08                 # times as long as those are the strides of bipeds
HOP = 1.8                       # T of a body with one leg, which hardly changes with speed
SLOWEST = 0.0225                # F below which strides are no longer made slower, only shorter
SLOWEST_MANY = 0.01             # the same of more than two rows of legs, which slow down to lifting one leg at a time
SWEEP = (0.60, 0.135)           # S = a + b sqrt(F): what the body travels over a foot, but in a walk
WALK_DUTY = (0.50, 0.09, 0.11, 0.3)     # a + b (F / c)^-d: duty factor of a walk
DUTY = (0.15, 0.78)             # least and largest share of a stride that a foot is down
STEPPING_DUTY = 0.65            # share that feet are down in steps that are shorter than their pace has them
HOP_DUTY = 0.42                 # largest of a body with one leg, which flies in every stride

WALK_TO_RUN = 0.35              # F: horses of all sizes (Griffin et al. 2004, J. Exp. Biol. 207:4215); bipeds 0.45
TWO_LEGS_TO_RUN = 0.45
CHANGES: dict[Trunk, tuple[float, float, float]] = {        # F of walk to trot, to canter, to gallop or pace
    "stiff": (WALK_TO_RUN, 2.2, 4.5), "firm": (WALK_TO_RUN, 2.2, 4.5), "supple": (WALK_TO_RUN, 1.4, 1.5)}
HELD = 0.1                      # of log F, by which a gait is held on to at a change, up and down

# lags in strides: hind to fore foot of a side, first to second foot of a pair
WALK, TROT, CANTER, GALLOP, PACE = (0.20, 0.50), (0.48, 0.50), (0.36, 0.34), (0.36, 0.18), (0.04, 0.50)

DEFAULT = {1: 0.4, 2: 0.19, 4: 0.18}        # F of the speed at which a body goes unless told otherwise, by its legs
DEFAULT_MANY = 0.08
FARTHEST = 1.3                  # S that a gait fixed by name may ask for; beyond it steps are quicker
LEAST_SWING = 0.5               # time that a foot takes to swing at least, in sqrt(h / g)
LONGEST_FLIGHT = 1.0            # of such a gait, in sqrt(h / g): a rise of an eighth of the hip height


@dataclass(frozen=True)
class RhythmLaw:
    """The gait of a body at any speed.

    Args:
        gravity: m/s^2.
        gait: name of one that is kept at all speeds, see `fixed_gaits`; None for those that the speed brings about.
        duty: share of the stride that feet are down in a gait that is kept, where it is not the gait's own.
        quick: strides a second, as a multiple of the usual.
        phases: of the touch-downs of right hind, left fore and right fore foot in such a gait, where they are not the gait's own.
        sooner: feet leave sooner in such a gait at speeds at which they would be swept too far.

    Raises:
        TaskError: the body has no gait of that name.
    """

    body: GaitBody
    gravity: float = 9.81
    gait: str | None = None
    duty: float | None = None
    quick: float = 1.0
    sooner: bool = False
    phases: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        self.fixed      # noqa: B018  to say at once that there is no such gait

    @cached_property
    def fixed(self) -> FixedGait | None:
        """The gait that is kept, if one is."""
        if self.gait is None:
            return None
        kept = fixed_gait(self.gait, self.body)
        return replace(kept, duty=kept.duty if self.duty is None else self.duty, phases=self.phases)

    @cached_property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return self.body.unit_speed(self.gravity)

    @property
    def default_speed(self) -> float:
        """The speed at which the body goes unless told otherwise, m/s."""
        return self.unit_speed * float(np.sqrt(DEFAULT.get(len(self.body.legs), DEFAULT_MANY)))

    @property
    def top_speed(self) -> float:
        """The speed in m/s beyond which feet have no time to swing in a gait that is kept; infinity where none is."""
        if self.fixed is None:
            return np.inf
        return FARTHEST * (1 - self.fixed.duty) / (self.fixed.duty * LEAST_SWING) * self.unit_speed

    def froude(self, speed: ArrayLike) -> Array:
        """v^2 / (g h), not below the slowest that strides follow. (...,) -> (...,)."""
        return np.maximum(np.square(np.asarray(speed, float) / self.unit_speed), self._slowest)

    def stride_time(self, speed: ArrayLike) -> Array:
        """Of a stride at speeds in m/s, s. (...,) -> (...,)."""
        f, unit, legs = self.froude(speed), self.body.unit_time(self.gravity), len(self.body.legs)
        own = usual_stride(f)
        if legs == 1:
            own = np.full_like(f, HOP)
        elif self.body.rows == 1:
            own = TWO_LEGS * own
        if self.fixed is not None:
            own = np.minimum(np.minimum(own / self.quick, FARTHEST / (self.fixed.duty * np.sqrt(f))), self._longest)
        return np.asarray(unit * own)

    def at(self, speed: float, pace: float | None = None, passed: tuple[bool, ...] = ()) -> Rhythm:
        """The gait at a speed in m/s.

        Args:
            pace: the speed in m/s whose steps and gait it keeps to, only of other length; None for its own.
            passed: the memory of the stride before, `Rhythm.passed`; a gait is held on to for a little when the speed
                changes.
        """
        pace = max(speed if pace is None else pace, self.unit_speed * self._slowest**0.5)
        f = (pace / self.unit_speed) ** 2
        stride_time = float(self.stride_time(pace))
        now = _passed(f, self._changes, passed)
        if self.fixed is not None:
            duty = self.fixed.duty
            if self.sooner and duty < 0.5:
                duty = min(duty, self._duty(pace, stride_time, False))
            return Rhythm(self.body, speed, f, stride_time, self.fixed.lags(self.body), duty, now)
        walks = bool(now) and not now[0]
        usual = self._duty(pace, stride_time, walks)
        duty = min(self._duty(speed, stride_time, walks), max(usual, STEPPING_DUTY))    # short steps need time to swing too
        return Rhythm(self.body, speed, f, stride_time, self._lags(now, usual), duty, now)

    @cached_property
    def _longest(self) -> float:
        """Longest stride, in sqrt(h / g), of the gait that is kept: what is no walk bounces, and no flight is a leap."""
        gait = fixed_gait(str(self.gait), self.body)
        if self.phases is not None and self.fixed is not None:          # as it is told, so that it may fly as long as it is told to
            gait = self.fixed
        slowest = float(usual_stride(WALK_TO_RUN)) / min(self.quick, 1.0) if gait.duty < 0.5 else np.inf
        flight = longest_flight(gait.lags(self.body), gait.duty)
        return float(min(slowest, LONGEST_FLIGHT / max(flight, 1e-9)))

    @cached_property
    def _slowest(self) -> float:
        """Froude number below which strides are no longer made slower."""
        return SLOWEST if self.body.rows <= 2 else SLOWEST_MANY

    @cached_property
    def _changes(self) -> tuple[float, ...]:
        """Froude numbers at which one gait gives way to the next."""
        if self.body.four_legged:
            return CHANGES[self.body.trunk]
        return (TWO_LEGS_TO_RUN,) if self.body.rows == 1 and len(self.body.legs) > 1 else ()

    def _duty(self, speed: float, stride_time: float, walks: bool) -> float:
        """Share of the stride that feet are down: they pass under the body by as much as legs reach at that speed."""
        f = (speed / self.unit_speed) ** 2
        most = _walk_duty(max(f, self._slowest)) if self._changes else self._most_down
        if walks:
            return most
        sweep = (SWEEP[0] + SWEEP[1] * speed / self.unit_speed) * self.body.hip_height
        return float(min(max(sweep / max(speed * stride_time, 1e-9), DUTY[0]), most))

    @cached_property
    def _most_down(self) -> float:
        """Largest share of a stride that a foot is down."""
        if len(self.body.legs) == 1:
            return HOP_DUTY
        return DUTY[1] if self._changes else max(DUTY[1], 1 - 1 / (2 * self.body.rows))

    def _lags(self, passed: tuple[bool, ...], duty: float) -> Array:
        """Of each leg after the first. (legs,)."""
        if len(self.body.legs) == 1:
            return np.zeros(1)
        if self.body.four_legged:
            gaits = (WALK, TROT, CANTER, PACE if self.body.trunk == "stiff" else GALLOP)
            row, pair = gaits[sum(passed)]
            return pair_lags(self.body, row, pair, pair)
        return pair_lags(self.body, min(max(1 - duty, 0.5 / self.body.rows), 0.5), 0.5, 0.5)


def _walk_duty(froude: float) -> float:
    a, b, c, d = WALK_DUTY
    return float(a + b * (froude / c) ** -d)


def _passed(froude: float, changes: tuple[float, ...], before: tuple[bool, ...]) -> tuple[bool, ...]:
    """Which changes of gait lie behind, of a body that had those behind it before, or of one that has no history."""
    if not before:
        return tuple(froude > c for c in changes)
    return tuple(froude > c * exp(-HELD if was else HELD) for c, was in zip(changes, before, strict=True))
