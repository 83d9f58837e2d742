"""Gaits that emerge from speed: one law for any number of legs and any size,
as functions of the Froude number.

Froude number F = v^2 / (g h) with the hip height h: bodies of all sizes move alike at the same F
(Alexander and Jayes 1983, J. Zoology 201:135). All lengths below are in hip heights and all times
in sqrt(h / g).

Four legs: a body that can be seen as two bipeds in a row has a lag from a hind foot to the fore
foot of its side and a lag from the first foot of a pair to the second. Kwon et al. 2020, appendix
G, tie the feet's places to each other and let the gait follow; the lags here are such ties, told as
shares of the stride, which each give way to the next as F grows. More rows go in a wave that starts
at the rear: a leg lifts when the one behind it has come down (Wilson 1966), so its lag is the share
of the stride that a foot is in the air, and legs move one by one when slow, in two sets when fast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...clip.style.quadruped_defaults import predict_stride_time
from .fixed_gaits import FixedGait, compute_pair_lags, find_fixed_gait
from .gait_body import GaitBody, Trunk
from .rhythm import Rhythm, compute_longest_flight

Array = NDArray[np.float64]

BIPED_STRIDE_RATIO = 1.08  # times as long as those are the strides of bipeds
HOP_STRIDE_TIME = 1.8  # T of a body with one leg, which hardly changes with speed
MIN_CADENCE_FROUDE = 0.0225  # F below which strides are no longer made slower, only shorter
# the same of more than two rows of legs, which slow down to lifting one leg at a time
MIN_CADENCE_FROUDE_MANY_LEGS = 0.01
# S = a + b sqrt(F): what the body travels over a foot, but in a walk
SWEEP_COEFFICIENTS = (0.60, 0.135)
WALK_DUTY_COEFFICIENTS = (0.50, 0.09, 0.11, 0.3)  # a + b (F / c)^-d: duty factor of a walk
DUTY_RANGE = (0.15, 0.78)  # least and largest share of a stride that a foot is down
# share that feet are down in steps that are shorter than their pace has them
SHORT_STEP_DUTY = 0.65
MAX_HOP_DUTY = 0.42  # largest of a body with one leg, which flies in every stride

# F: horses of all sizes (Griffin et al. 2004, J. Exp. Biol. 207:4215); bipeds 0.45
WALK_RUN_FROUDE = 0.35
BIPED_WALK_RUN_FROUDE = 0.45
# F of walk to trot, to canter, to gallop or pace
TRANSITION_FROUDES: dict[Trunk, tuple[float, float, float]] = {
    "stiff": (WALK_RUN_FROUDE, 2.2, 4.5),
    "firm": (WALK_RUN_FROUDE, 2.2, 4.5),
    "supple": (WALK_RUN_FROUDE, 1.4, 1.5),
}
TRANSITION_HYSTERESIS = 0.1  # of log F, by which a gait is held on to at a change, up and down

# lags in strides: hind to fore foot of a side, first to second foot of a pair
WALK_LAGS = (0.20, 0.50)
TROT_LAGS = (0.48, 0.50)
CANTER_LAGS = (0.36, 0.34)
GALLOP_LAGS = (0.36, 0.18)
PACE_LAGS = (0.04, 0.50)

# F of the speed at which a body goes unless told otherwise, by its legs
DEFAULT_FROUDE = {1: 0.4, 2: 0.19, 4: 0.18}
DEFAULT_FROUDE_MANY_LEGS = 0.08
MAX_SWEEP = 1.3  # S that a gait fixed by name may ask for; beyond it steps are quicker
MIN_SWING_TIME = 0.5  # time that a foot takes to swing at least, in sqrt(h / g)
MAX_FLIGHT_TIME = 1.0  # of such a gait, in sqrt(h / g): a rise of an eighth of the hip height


@dataclass(frozen=True)
class FroudeGaitLaw:
    """The gait of a body at any speed.

    Args:
        gravity: m/s^2.
        gait: name of one that is kept at all speeds, see `get_fixed_gaits`;
            None for those that the speed brings about.
        duty: share of the stride that feet are down in a gait that is kept,
            where it is not the gait's own.
        stride_rate_factor: strides a second, as a multiple of the usual.
        phases: of the touch-downs of right hind, left fore and right fore foot in such a gait,
            where they are not the gait's own.
        allows_early_lift: feet leave sooner in such a gait at speeds at which they
            would be swept too far.

    Raises:
        TaskError: the body has no gait of that name.
    """

    body: GaitBody
    gravity: float = 9.81
    gait: str | None = None
    duty: float | None = None
    stride_rate_factor: float = 1.0
    allows_early_lift: bool = False
    phases: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        self.fixed_gait  # noqa: B018  to say at once that there is no such gait

    @cached_property
    def fixed_gait(self) -> FixedGait | None:
        """The gait that is kept, if one is."""
        if self.gait is None:
            return None
        named_gait = find_fixed_gait(self.gait, self.body)
        return replace(
            named_gait, duty=named_gait.duty if self.duty is None else self.duty, phases=self.phases
        )

    @cached_property
    def unit_speed(self) -> float:
        """Speed at Froude number 1, m/s."""
        return self.body.unit_speed(self.gravity)

    @property
    def default_speed(self) -> float:
        """The speed at which the body goes unless told otherwise, m/s."""
        return self.unit_speed * float(
            np.sqrt(DEFAULT_FROUDE.get(len(self.body.legs), DEFAULT_FROUDE_MANY_LEGS))
        )

    @property
    def top_speed(self) -> float:
        """The speed in m/s beyond which feet have no time to swing in a gait that is kept;
        infinity where none is.
        """
        if self.fixed_gait is None:
            return np.inf
        return (
            MAX_SWEEP
            * (1 - self.fixed_gait.duty)
            / (self.fixed_gait.duty * MIN_SWING_TIME)
            * self.unit_speed
        )

    def compute_froude(self, speed: ArrayLike) -> Array:
        """v^2 / (g h), not below the slowest that strides follow. (...,) -> (...,)."""
        return np.maximum(
            np.square(np.asarray(speed, float) / self.unit_speed), self._min_cadence_froude
        )

    def compute_stride_time(self, speed: ArrayLike) -> Array:
        """Of a stride at speeds in m/s, s. (...,) -> (...,)."""
        f = self.compute_froude(speed)
        unit_time = self.body.unit_time(self.gravity)
        legs = len(self.body.legs)
        relative_time = predict_stride_time(f)
        if legs == 1:
            relative_time = np.full_like(f, HOP_STRIDE_TIME)
        elif self.body.row_count == 1:
            relative_time = BIPED_STRIDE_RATIO * relative_time
        if self.fixed_gait is not None:
            relative_time = np.minimum(
                np.minimum(
                    relative_time / self.stride_rate_factor,
                    MAX_SWEEP / (self.fixed_gait.duty * np.sqrt(f)),
                ),
                self._max_stride_time,
            )
        return np.asarray(unit_time * relative_time)

    def rhythm_at(
        self,
        speed: float,
        cadence_speed: float | None = None,
        passed_transitions: tuple[bool, ...] = (),
    ) -> Rhythm:
        """The gait at a speed in m/s.

        Args:
            cadence_speed: the speed in m/s whose steps and gait it keeps to,
                only of other length; None for its own.
            passed_transitions: the memory of the stride before, `Rhythm.passed_transitions`; a gait
                is held on to for a little when the speed changes.
        """
        cadence_speed = max(
            speed if cadence_speed is None else cadence_speed,
            self.unit_speed * self._min_cadence_froude**0.5,
        )
        f = (cadence_speed / self.unit_speed) ** 2
        stride_time = float(self.compute_stride_time(cadence_speed))
        transitions = _update_transitions(f, self._transition_froudes, passed_transitions)
        if self.fixed_gait is not None:
            duty = self.fixed_gait.duty
            if self.allows_early_lift and duty < 0.5:
                duty = min(duty, self._compute_duty(cadence_speed, stride_time, False))
            return Rhythm(
                self.body,
                speed,
                f,
                stride_time=stride_time,
                lags=self.fixed_gait.compute_lags(self.body),
                duty=duty,
                passed_transitions=transitions,
            )
        is_walk = bool(transitions) and not transitions[0]
        usual_duty = self._compute_duty(cadence_speed, stride_time, is_walk)
        # short steps need time to swing too
        duty = min(
            self._compute_duty(speed, stride_time, is_walk), max(usual_duty, SHORT_STEP_DUTY)
        )
        return Rhythm(
            self.body,
            speed,
            f,
            stride_time=stride_time,
            lags=self._compute_lags(transitions, usual_duty),
            duty=duty,
            passed_transitions=transitions,
        )

    @cached_property
    def _max_stride_time(self) -> float:
        """Longest stride, in sqrt(h / g), of the gait that is kept:
        what is no walk bounces, and no flight is a leap.
        """
        gait = find_fixed_gait(str(self.gait), self.body)
        # as it is told, so that it may fly as long as it is told to
        if self.phases is not None and self.fixed_gait is not None:
            gait = self.fixed_gait
        max_running_time = (
            float(predict_stride_time(WALK_RUN_FROUDE)) / min(self.stride_rate_factor, 1.0)
            if gait.duty < 0.5
            else np.inf
        )
        flight_share = compute_longest_flight(gait.compute_lags(self.body), gait.duty)
        return float(min(max_running_time, MAX_FLIGHT_TIME / max(flight_share, 1e-9)))

    @cached_property
    def _min_cadence_froude(self) -> float:
        """Froude number below which strides are no longer made slower."""
        return MIN_CADENCE_FROUDE if self.body.row_count <= 2 else MIN_CADENCE_FROUDE_MANY_LEGS

    @cached_property
    def _transition_froudes(self) -> tuple[float, ...]:
        """Froude numbers at which one gait gives way to the next."""
        if self.body.is_four_legged:
            return TRANSITION_FROUDES[self.body.trunk]
        return (
            (BIPED_WALK_RUN_FROUDE,) if self.body.row_count == 1 and len(self.body.legs) > 1 else ()
        )

    def _compute_duty(self, speed: float, stride_time: float, is_walk: bool) -> float:
        """Share of the stride that feet are down: they pass under the body by as much as
        legs reach at that speed.
        """
        f = (speed / self.unit_speed) ** 2
        max_duty = (
            _compute_walk_duty(max(f, self._min_cadence_froude))
            if self._transition_froudes
            else self._max_duty
        )
        if is_walk:
            return max_duty
        sweep = (
            SWEEP_COEFFICIENTS[0] + SWEEP_COEFFICIENTS[1] * speed / self.unit_speed
        ) * self.body.hip_height
        return float(min(max(sweep / max(speed * stride_time, 1e-9), DUTY_RANGE[0]), max_duty))

    @cached_property
    def _max_duty(self) -> float:
        """Largest share of a stride that a foot is down."""
        if len(self.body.legs) == 1:
            return MAX_HOP_DUTY
        return (
            DUTY_RANGE[1]
            if self._transition_froudes
            else max(DUTY_RANGE[1], 1 - 1 / (2 * self.body.row_count))
        )

    def _compute_lags(self, passed_transitions: tuple[bool, ...], duty: float) -> Array:
        """Of each leg after the first. (legs,)."""
        if len(self.body.legs) == 1:
            return np.zeros(1)
        if self.body.is_four_legged:
            gaits = (
                WALK_LAGS,
                TROT_LAGS,
                CANTER_LAGS,
                PACE_LAGS if self.body.trunk == "stiff" else GALLOP_LAGS,
            )
            row_lag, pair_lag = gaits[sum(passed_transitions)]
            return compute_pair_lags(self.body, row_lag, pair_lag, pair_lag)
        return compute_pair_lags(
            self.body, min(max(1 - duty, 0.5 / self.body.row_count), 0.5), 0.5, 0.5
        )


def _compute_walk_duty(froude: float) -> float:
    a, b, c, d = WALK_DUTY_COEFFICIENTS
    return float(a + b * (froude / c) ** -d)


def _update_transitions(
    froude: float, transition_froudes: tuple[float, ...], previous: tuple[bool, ...]
) -> tuple[bool, ...]:
    """Which changes of gait lie behind, of a body that had those behind it before,
    or of one that has no history.
    """
    if not previous:
        return tuple(froude > threshold for threshold in transition_froudes)
    return tuple(
        froude > threshold * exp(-TRANSITION_HYSTERESIS if was_passed else TRANSITION_HYSTERESIS)
        for threshold, was_passed in zip(transition_froudes, previous, strict=True)
    )
