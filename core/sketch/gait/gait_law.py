"""The gait law: gaits that emerge from the speed, for any number of legs and any size.

The Froude number is F = v^2 / (g h) with the hip height h. Bodies of all sizes move alike at the
same F (Alexander and Jayes 1983, J. Zoology 201:135). All lengths below are in hip heights and all
times in sqrt(h / g).

Four legs: a body that can be seen as two bipeds in a row has a lag from a hind foot to the fore
foot of its side and a lag from the first to the second foot of a pair. Kwon et al. 2020, appendix
G, tie the places of the feet to each other and let the gait follow. The lags here are such ties,
expressed as shares of the stride, and change from one gait to the next as F grows. More rows of
legs move in a wave that starts at the rear: a leg lifts when the one behind it has come down
(Wilson 1966). Its lag is therefore the share of the stride for which a foot is in the air, and legs
move one by one when slow and in two sets when fast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...character.character import Character, is_humanoid
from ...clip.style.quadruped_defaults import predict_stride_time
from ...geometry.units import STANDARD_GRAVITY
from .fixed_gaits import FixedGait, compute_pair_lags, find_fixed_gait
from .gait_body import GaitBody, Trunk, build_gait_body
from .rhythm import Rhythm, compute_longest_flight

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GaitLawParameters:
    """Coefficients of the gait law, in hip heights and sqrt(h / g); F is the Froude number."""

    # Stride time of bipeds, as a multiple of that of four-legged bodies. Walks of young people;
    # test_gaits.test_walks_of_two_legs_are_those_of_young_people
    biped_stride_ratio: float = 1.08
    # Stride time of a body with one leg, which hardly depends on the speed.
    hop_stride_time: float = 1.8
    # F below which strides become shorter but not slower. Walks of young people, as above
    min_cadence_froude: float = 0.0225
    # The same for more than two rows of legs, which slow down until they lift one leg at a time.
    # tuned: doubled, waves of single legs never come;
    # test_gaits.test_many_legs_go_in_a_wave_that_becomes_two_sets
    min_cadence_froude_many_legs: float = 0.01
    # Travel of the body over a foot, except in a walk, at F = 0. tuned: halved, the error of
    # angular momentum of a dog is 0.014 instead of 0.005; doubled, pops are 44 degrees instead of
    # 22; test_gaits.py
    sweep_base: float = 0.60
    # Increase of that travel per sqrt(F). tuned: halved, forces of a dog are off by
    # 0.035 body weights instead of 0.03. Strides of dogs; test_gaits.test_strides_are_those_of_dogs
    sweep_per_speed: float = 0.135
    # Least share of a stride for which a foot is down. Gallops of horses;
    # test_gaits.test_gallops_are_those_of_horses
    min_duty: float = 0.15
    # Largest share of a stride for which a foot is down. tuned: doubled, feet of many legs swing
    # for no time; test_gaits.test_many_legs_go_in_a_wave_that_becomes_two_sets
    max_duty: float = 0.78
    # Largest share in steps that are short for their cadence. Halved, a dog moves by 1 cm; doubled,
    # nothing changes (docs/dev/parameters.csv)
    short_step_duty: float = 0.65
    # Largest share of a body with one leg, which has a flight in every stride. Guarded by
    # test_gaits.test_two_legs_walk_and_run_and_one_hops
    max_hop_duty: float = 0.42
    # Margin of log F to either side of a change of gait within which the gait is kept. Guarded by
    # test_gaits.test_gaits_change_where_animals_change_them_and_later_up_than_down
    transition_hysteresis: float = 0.1
    # F of the default speed of bodies with any other number of legs.
    default_froude_many_legs: float = 0.08
    # Largest travel of the body over a foot in a gait fixed by name; at higher speeds its steps are
    # quicker. Guarded by test_gaits.test_a_gait_held_by_name_keeps_its_phases_at_every_speed
    max_sweep: float = 1.3
    # Shortest swing. Guarded by test_gaits.test_a_gait_held_by_name_has_a_top_speed
    min_swing_time: float = 0.5
    # Longest flight of a gait fixed by name, a rise by an eighth of the hip height. Guarded by
    # test_gaits.test_a_gait_held_by_name_keeps_its_phases_at_every_speed
    max_flight_time: float = 1.0


GAIT_LAW = GaitLawParameters()


# Duty factor of a walk, a + b (F / c)^-d
WALK_DUTY_COEFFICIENTS = (0.50, 0.09, 0.11, 0.3)

# Froude number of the change from walk to run of horses of all sizes
# (Griffin et al. 2004, J. Exp. Biol. 207:4215)
WALK_RUN_FROUDE = 0.35
# Froude number of the change from walk to run of bipeds
BIPED_WALK_RUN_FROUDE = 0.45
# Froude numbers of the changes from walk to trot, to canter, and to gallop or pace, by trunk
TRANSITION_FROUDES: dict[Trunk, tuple[float, float, float]] = {
    "stiff": (WALK_RUN_FROUDE, 2.2, 4.5),
    "firm": (WALK_RUN_FROUDE, 2.2, 4.5),
    "supple": (WALK_RUN_FROUDE, 1.4, 1.5),
}

# Lags from the hind to the fore foot of a side and from the first to the second foot of a pair
# [strides], fitted to recordings of dogs and horses (docs/dev/gaits.md)
WALK_LAGS = (0.20, 0.50)
TROT_LAGS = (0.48, 0.50)
CANTER_LAGS = (0.36, 0.34)
GALLOP_LAGS = (0.36, 0.18)
PACE_LAGS = (0.04, 0.50)

# Froude number of the default speed, by the number of legs: one hops, people walk at 1.3 m/s, and
# bodies on four legs are in the middle of the range of the walk
DEFAULT_FROUDE = {1: 0.4, 2: 0.19, 4: 0.18}


@dataclass(frozen=True)
class FroudeGaitLaw:
    """The gait of a body at any speed.

    Args:
        gravity: gravitational acceleration [m/s^2].
        gait: name of a gait for all speeds, see `get_fixed_gaits`; None for gaits that change with
            the speed.
        duty: share of the stride for which feet are down in the named gait; None for its default.
        stride_rate_factor: multiple of the usual stride rate, for a named gait.
        phases: lags of right hind, left fore and right fore foot in the named gait; None for its
            defaults.
        allows_early_lift: whether feet lift earlier in the named gait at speeds at which the legs
            would sweep too far.

    Raises:
        TaskError: the body has no gait of that name.
    """

    body: GaitBody
    gravity: float = STANDARD_GRAVITY
    gait: str | None = None
    duty: float | None = None
    stride_rate_factor: float = 1.0
    allows_early_lift: bool = False
    phases: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        self.fixed_gait  # noqa: B018  raises at once if there is no such gait

    @cached_property
    def fixed_gait(self) -> FixedGait | None:
        """The gait for all speeds; None if the gait changes with the speed."""
        if self.gait is None:
            return None
        named_gait = find_fixed_gait(self.gait, self.body)
        return replace(
            named_gait, duty=named_gait.duty if self.duty is None else self.duty, phases=self.phases
        )

    @cached_property
    def unit_speed(self) -> float:
        """Speed at Froude number 1 [m/s]."""
        return self.body.unit_speed(self.gravity)

    @property
    def default_speed(self) -> float:
        """Default speed of the body [m/s]."""
        return self.unit_speed * float(
            np.sqrt(DEFAULT_FROUDE.get(len(self.body.legs), GAIT_LAW.default_froude_many_legs))
        )

    @property
    def top_speed(self) -> float:
        """Speed beyond which feet have no time to swing [m/s].

        It is infinite without a named gait.
        """
        if self.fixed_gait is None:
            return np.inf
        return (
            GAIT_LAW.max_sweep
            * (1 - self.fixed_gait.duty)
            / (self.fixed_gait.duty * GAIT_LAW.min_swing_time)
            * self.unit_speed
        )

    def compute_froude(self, speed: ArrayLike) -> Array:
        """Return the Froude number of speeds, at least the one below which strides are not slower.

        (...,) -> (...,).
        """
        return np.maximum(
            np.square(np.asarray(speed, float) / self.unit_speed), self._min_cadence_froude
        )

    def compute_stride_time(self, speed: ArrayLike) -> Array:
        """Return the duration of a stride at speeds [m/s]. (...,) -> (...,) [s]."""
        f = self.compute_froude(speed)
        unit_time = self.body.unit_time(self.gravity)
        legs = len(self.body.legs)
        relative_time = predict_stride_time(f)
        if legs == 1:
            relative_time = np.full_like(f, GAIT_LAW.hop_stride_time)
        elif self.body.row_count == 1:
            relative_time = GAIT_LAW.biped_stride_ratio * relative_time
        if self.fixed_gait is not None:
            relative_time = np.minimum(
                np.minimum(
                    relative_time / self.stride_rate_factor,
                    GAIT_LAW.max_sweep / (self.fixed_gait.duty * np.sqrt(f)),
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
        """Return the rhythm at a speed [m/s].

        Args:
            cadence_speed: speed that sets gait and stride time [m/s], while `speed` sets the stride
                length; by default the speed itself.
            passed_transitions: `Rhythm.passed_transitions` of the previous stride, for the
                hysteresis of the changes of gait.
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
        # Short steps need time to swing too
        duty = min(
            self._compute_duty(speed, stride_time, is_walk),
            max(usual_duty, GAIT_LAW.short_step_duty),
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
        """Longest stride of the named gait [sqrt(h / g)].

        Gaits with flights do not stride slower than at the change from walk to run, and no flight
        is a leap.
        """
        gait = find_fixed_gait(str(self.gait), self.body)
        # Explicit phases and duty may have a longer flight than the named gait
        if self.phases is not None and self.fixed_gait is not None:
            gait = self.fixed_gait
        max_running_time = (
            float(predict_stride_time(WALK_RUN_FROUDE)) / min(self.stride_rate_factor, 1.0)
            if gait.duty < 0.5
            else np.inf
        )
        flight_share = compute_longest_flight(gait.compute_lags(self.body), gait.duty)
        return float(min(max_running_time, GAIT_LAW.max_flight_time / max(flight_share, 1e-9)))

    @cached_property
    def _min_cadence_froude(self) -> float:
        """Froude number below which strides become shorter but not slower."""
        return (
            GAIT_LAW.min_cadence_froude
            if self.body.row_count <= 2
            else GAIT_LAW.min_cadence_froude_many_legs
        )

    @cached_property
    def _transition_froudes(self) -> tuple[float, ...]:
        """Froude numbers of the changes from one gait to the next."""
        if self.body.is_quadruped:
            return TRANSITION_FROUDES[self.body.trunk]
        return (
            (BIPED_WALK_RUN_FROUDE,) if self.body.row_count == 1 and len(self.body.legs) > 1 else ()
        )

    def _compute_duty(self, speed: float, stride_time: float, is_walk: bool) -> float:
        """Return the share of the stride for which feet are down.

        It follows from how far the legs reach at a speed.

        Args:
            speed: [m/s].
            stride_time: [s].
            is_walk: whether the gait is a walk, which has the largest share.
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
            GAIT_LAW.sweep_base + GAIT_LAW.sweep_per_speed * speed / self.unit_speed
        ) * self.body.hip_height
        return float(min(max(sweep / max(speed * stride_time, 1e-9), GAIT_LAW.min_duty), max_duty))

    @cached_property
    def _max_duty(self) -> float:
        """Largest share of a stride for which a foot is down."""
        if len(self.body.legs) == 1:
            return GAIT_LAW.max_hop_duty
        return (
            GAIT_LAW.max_duty
            if self._transition_froudes
            else max(GAIT_LAW.max_duty, 1 - 1 / (2 * self.body.row_count))
        )

    def _compute_lags(self, passed_transitions: tuple[bool, ...], duty: float) -> Array:
        """Return the lag of each leg after the first one. (legs,) [strides]."""
        if len(self.body.legs) == 1:
            return np.zeros(1)
        if self.body.is_quadruped:
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
    """Return the duty factor of a walk at a Froude number."""
    a, b, c, d = WALK_DUTY_COEFFICIENTS
    return float(a + b * (froude / c) ** -d)


def _update_transitions(
    froude: float, transition_froudes: tuple[float, ...], previous: tuple[bool, ...]
) -> tuple[bool, ...]:
    """Return which changes of gait are passed at a Froude number.

    Args:
        previous: the result of the previous stride; empty without one.
    """
    if not previous:
        return tuple(froude > threshold for threshold in transition_froudes)
    return tuple(
        froude
        > threshold
        * exp(-GAIT_LAW.transition_hysteresis if was_passed else GAIT_LAW.transition_hysteresis)
        for threshold, was_passed in zip(transition_froudes, previous, strict=True)
    )


def compute_default_speed(character: Character) -> float:
    """Return the default speed on Earth of a body that is not a humanoid [m/s].

    The result is 0 for a humanoid, whose styles define the speed.
    """
    return (
        0.0 if is_humanoid(character) else FroudeGaitLaw(build_gait_body(character)).default_speed
    )
