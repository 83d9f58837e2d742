"""Parameters of a controller, with their bounds (Wu and Popović 2010, table 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from ...files.values import show_value

Array = NDArray[np.float64]

STEP_BOUNDS = (-0.2, 0.9)  # of the step lengths of a transition [m]
ROUNDED_GRAVITY = 9.8  # factor of the bounds of weights in table 1 [m/s^2]


@dataclass(frozen=True)
class SearchBounds:
    """Range in which the optimization searches a parameter.

    Args:
        low: lower bound.
        high: upper bound.
        unit: of the bounds, "1" for ratios.
        is_cubic: whether the optimization searches the cube root of the normalized value, so that
            small values have more room.
        is_optional: whether files may leave it out, for its default.
    """

    low: float
    high: float
    unit: str
    is_cubic: bool = False
    is_optional: bool = False


def _within(
    low: float,
    high: float,
    default: float,
    unit: str = "1",
    *,
    cubic: bool = False,
    optional: bool = False,
) -> float:
    """Return a dataclass field with bounds and a default."""
    bounds = SearchBounds(low, high, unit, cubic, is_optional=optional)
    parameter: float = field(default=default, metadata={"bounds": bounds})
    return parameter


@dataclass(frozen=True)
class LocomotionParameters:
    """All unknowns of a symmetric cyclical controller, for the body of `biped.REFERENCE_LENGTH`.

    The defaults were set by hand: with them a body takes several steps when helper forces of 30 N
    to 80 N support it. The search of a movement begins with `movements.Movement.start`. "Outward"
    means toward the side of the swing foot. Bounds are those of table 1, except where a comment
    states a wider one.
    """

    # PD coefficients of the upper body (equations 1 and 2)
    body_stiffness: float = _within(0, 4000, 1500, "N/m")
    body_damping: float = _within(0, 800, 300, "N s/m", cubic=True)
    body_lift: float = _within(0, 140 * ROUNDED_GRAVITY, 640, "N")
    body_turn_stiffness: float = _within(0, 4000, 400, "N m", cubic=True)
    body_turn_damping: float = _within(0, 80, 3, "N m s", cubic=True)
    # PD coefficients of the ankles (equation 1), and of toes and heels (equation 3)
    ankle_stiffness: float = _within(0, 4000, 2500, "N/m")
    ankle_damping: float = _within(0, 400, 100, "N s/m", cubic=True)
    ankle_lift: float = _within(0, 10 * ROUNDED_GRAVITY, 60, "N")
    sole_stiffness: float = _within(0, 8000, 1500, "N/m", cubic=True)
    sole_damping: float = _within(0, 100, 3, "N s/m", cubic=True)
    # Weight of the upper body in the quadratic program (equation 5), assumed bounds
    body_weight: float = _within(0, 8, 1.5)
    # Torque that bends a knee that is too straight (appendix B), assumed bounds
    knee_bending: float = _within(0, 4000, 1500, "N")
    # Time by which a step is longer than a half-cycle, as a share of the half-cycle
    swing_extension: float = _within(0, 0.6, 0.1)
    # Placement of the swing foot (equation 8) and its feedback of the upper body's deviation
    step_outward: float = _within(-0.3, 0.3, 0.0, "m")
    step_forward: float = _within(-0.3, 0.3, 0.0, "m")
    step_gain_outward: float = _within(0, 3, 0.6)
    step_gain_ahead: float = _within(0, 3, 0.6)
    step_gain_inward: float = _within(0, 3, 0.6)
    step_gain_behind: float = _within(0, 3, 0.6)
    # Feedback of the target of the upper body (equation 9)
    body_gain_outward: float = _within(0, 3, 0.3)
    body_gain_forward: float = _within(0, 3, 0.3)
    # Swing path: timing, pitch of the foot and control points
    swing_timing_1: float = _within(0, 1, 0.3)
    swing_timing_2: float = _within(0, 1, 0.7)
    swing_pitch_1: float = _within(-180, 80, -40, "deg")
    swing_pitch_2: float = _within(-180, 80, 15, "deg")
    swing_along_1: float = _within(0, 0.8, 0.15)
    swing_along_2: float = _within(0.2, 1, 0.8)
    swing_height_1: float = _within(0, 0.8, 0.15, "m")
    swing_height_2: float = _within(0, 0.8, 0.12, "m")
    # Path of the upper body: control points, with assumed bounds of heights
    body_along_1: float = _within(0, 0.66, 0.33)
    body_along_2: float = _within(0.33, 1, 0.67)
    body_height_1: float = _within(-0.3, 0.3, 0.03, "m")
    body_height_2: float = _within(-0.3, 0.3, 0.03, "m")
    # Target of the upper body: offset, height and orientation (equations 9 and 10)
    body_outward: float = _within(-0.3, 0.3, 0.0, "m")
    body_forward: float = _within(-0.3, 0.3, 0.0, "m")
    body_lowering: float = _within(-0.3, 0.3, -0.08, "m")
    body_lean_back: float = _within(-15, 15, 0.0, "deg")
    body_roll_outward: float = _within(-15, 15, 0.0, "deg")
    body_twist: float = _within(-30, 30, 0.0, "deg")
    # Feedback of the deviation within a half-cycle, see `step_correction`; the paper has none
    correction_along: float = _within(0, 3, 0.0, optional=True)
    correction_outward: float = _within(0, 3, 0.0, optional=True)
    correction_inward: float = _within(0, 3, 0.0, optional=True)
    correction_time: float = _within(0, 0.5, 0.0, "s", optional=True)
    correction_of_body: float = _within(0, 1, 0.0, optional=True)


@dataclass(frozen=True)
class GaitParameters:
    """All unknowns of a cyclical controller, or of a transition of some half-cycles.

    Args:
        first: of half-cycles in which the foot on the side of the movement swings; of all
            half-cycles if both halves of a cycle look alike. In a transition, of its first
            half-cycle; `second` is of its other ones. In turns and between sidesteps, of every
            other half-cycle.
        second: of the other half-cycles; in a cyclical controller its coefficients of PD
            controllers and of the quadratic program are those of `first`. None if both halves
            look alike.
        steps: step lengths of a transition's half-cycles; None in a cyclical controller [m].
    """

    first: LocomotionParameters
    second: LocomotionParameters | None = None
    steps: tuple[float, ...] | None = None

    def select(self, swing: int, lead: int | None) -> LocomotionParameters:
        """Return the parameters of a half-cycle of a cyclical controller.

        Args:
            swing: foot that swings, 0 left, 1 right.
            lead: foot on the side of the movement.
        """
        if self.second is None or swing == lead:
            return self.first
        return self.second


@cache
def list_parameter_fields() -> tuple[Field[Any], ...]:
    """Return the fields of `LocomotionParameters` in their order."""
    return fields(LocomotionParameters)


@cache
def list_bounds() -> tuple[SearchBounds, ...]:
    """Return the bounds of all parameters in their order."""
    return tuple(one.metadata["bounds"] for one in list_parameter_fields())


@cache
def _bound_arrays() -> tuple[Array, Array, NDArray[np.bool_]]:
    bounds = list_bounds()
    low = np.array([b.low for b in bounds])
    high = np.array([b.high for b in bounds])
    return low, high, np.array([b.is_cubic for b in bounds])


def normalize(parameters: LocomotionParameters) -> Array:
    """Return the parameters as coordinates of the search, each from 0 to 1."""
    low, high, is_cubic = _bound_arrays()
    values = np.array([getattr(parameters, one.name) for one in list_parameter_fields()])
    shares = (values - low) / (high - low)
    return np.where(is_cubic, np.cbrt(shares), shares)


def denormalize(coordinates: Array) -> LocomotionParameters:
    """Return the parameters at coordinates of the search."""
    low, high, is_cubic = _bound_arrays()
    shares = np.where(is_cubic, np.asarray(coordinates) ** 3, coordinates)
    values = low + shares * (high - low)
    names = [one.name for one in list_parameter_fields()]
    return LocomotionParameters(**dict(zip(names, map(float, values), strict=True)))


@cache
def count_shared_parameters() -> int:
    """Return how many parameters, the first ones, both halves of a cycle share."""
    return [one.name for one in list_parameter_fields()].index("swing_extension")


def normalize_gait(gait: GaitParameters) -> Array:
    """Return the parameters of a controller as coordinates of the search."""
    first = normalize(gait.first)
    if gait.second is None:
        return first
    second = normalize(gait.second)
    if gait.steps is None:
        return np.concatenate([first, second[count_shared_parameters() :]])
    low, high = STEP_BOUNDS
    return np.concatenate([first, second, (np.array(gait.steps) - low) / (high - low)])


def mark_coordinates(gait: GaitParameters, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return which coordinates of a controller belong to parameters with some names, or to steps.

    Args:
        gait: the controller.
        names: of parameters; none for all.
    """
    marks = [not names or one.name in names for one in list_parameter_fields()]
    if gait.second is None:
        return np.array(marks)
    if gait.steps is None:
        return np.array([*marks, *marks[count_shared_parameters() :]])
    return np.array([*marks, *marks, *([True] * len(gait.steps))])


def denormalize_gait(coordinates: Array) -> GaitParameters:
    """Return the controller at coordinates of the search; their number says what it is."""
    count = len(list_parameter_fields())
    first = denormalize(coordinates[:count])
    if len(coordinates) == count:
        return GaitParameters(first)
    if len(coordinates) < 2 * count:
        shared = coordinates[: count_shared_parameters()]
        return GaitParameters(first, denormalize(np.concatenate([shared, coordinates[count:]])))
    low, high = STEP_BOUNDS
    steps = low + (high - low) * coordinates[2 * count :]
    second = denormalize(coordinates[count : 2 * count])
    return GaitParameters(first, second, tuple(float(step) for step in steps))


def read_parameters(table: Mapping[str, Any]) -> LocomotionParameters:
    """Return the parameters of a table of numbers by name.

    Raises:
        TaskError: a parameter is missing, unknown, no number or out of its bounds.
    """
    names = [one.name for one in list_parameter_fields()]
    defaults = {
        one.name: one.default
        for one, bounds in zip(list_parameter_fields(), list_bounds(), strict=True)
        if bounds.is_optional
    }
    table = {**defaults, **table}
    missing = [name for name in names if name not in table]
    unknown = [name for name in table if name not in names]
    if missing or unknown:
        problem = (
            f"There is no parameter {missing[0]!r} in a controller"
            if missing
            else f"A controller has no parameter {show_value(unknown[0])}"
        )
        raise TaskError(f"{problem}; its parameters are {', '.join(names)}.")
    for name, bounds in zip(names, list_bounds(), strict=True):
        value = table[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TaskError(f"The controller's {name} is {show_value(value)}; it must be a number.")
        if not bounds.low - 1e-9 <= value <= bounds.high + 1e-9:
            raise TaskError(
                f"The controller's {name} is {show_value(value)} {bounds.unit}; it must be from "
                f"{bounds.low:g} to {bounds.high:g}."
            )
    return LocomotionParameters(**{name: float(table[name]) for name in names})
