"""Pendulum models of a hanging body: how it swings below its hands, and its legs below the pelvis.

Kwon et al. 2020, section 7.2, draw the reference for monkey bars by hand. Here it is the motion of
a pendulum whose support moves from hand to hand. Unlike the cart pendulum (section 4.1) it is
stable: only its swing must be limited.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.ndimage import gaussian_filter1d
from scipy.signal import lfilter
from scipy.sparse.linalg import spsolve

from .....plan.reference import SAMPLE_INTERVAL
from .handholds import Handholds

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HangingSwingParameters:
    """Weights of the swing of a hanging body.

    Half or twice of each weight moves a body on bars by 1 to 8 cm and worsens no measure; twice of
    `weight_shift_time` moves it by 28 cm (docs/dev/parameters.csv).
    """

    # Time before the first swing and after the last one in which the load moves from one hand to
    # both [s]
    weight_shift_time: float = 0.35
    # Weight of the equation of the pendulum under one hand
    single_hold_law: float = 10.0
    # Weight of the equation under two hands, which can pull against each other
    double_hold_law: float = 1.0
    # Weight of the smooth path along the bars
    smooth_path: float = 1.0
    # Weight of the lean of the body
    lean: float = 0.5
    # Lean at which that weight is zero, as a share of the lateral distance of the support from the
    # smooth path
    lean_share: float = 0.3
    # Weight of the jerk
    jerk: float = 1e-3
    # Weight of the speed before the first swing and once the last rung is held
    end_speed: float = 20.0
    # Standard deviation of the filter of the smooth path [s]
    path_smoothing: float = 0.35


HANGING_SWING = HangingSwingParameters()


@dataclass(frozen=True)
class HoldSupport:
    """Distribution of the load of a hanging body over k holds at n moments.

    Args:
        hold_shares: share of each hold, with a sum of 1, shape (n, k).
        single_hold_share: 1 where a single hand carries the load, 0 where two carry half of it
            each, shape (n,).
    """

    hold_shares: Array
    single_hold_share: Array

    @staticmethod
    def from_holds(holds: Handholds, time: Array) -> HoldSupport:
        """Return the distribution for holds: the load moves from one to the next while both are
        held.
        """
        hold_count = len(holds.grips)
        begins = holds.overlaps[:, 0].copy()
        ends = holds.overlaps[:, 1].copy()
        begins[0] = ends[0] - HANGING_SWING.weight_shift_time
        ends[-1] = begins[-1] + HANGING_SWING.weight_shift_time
        u = np.clip((time[:, None] - begins) / (ends - begins), 0, 1)
        transfer = u * u * (3 - 2 * u)  # Share that has moved to each hold but the first
        transfer[:, 0] = 0.5 + 0.5 * transfer[:, 0]  # At rest both hands carry half.
        transfer[:, -1] *= 0.5
        if hold_count == 2:
            transfer[:] = 0.5
        hold_shares = np.concatenate([np.ones((len(time), 1)), transfer], 1)
        hold_shares[:, :-1] -= transfer
        return HoldSupport(hold_shares, np.clip(2 * hold_shares.max(1) - 1, 0, 1))


@dataclass(frozen=True)
class Swing:
    """Motion of a hanging body at n moments.

    Args:
        position: center of mass along the x and y axes of the world [m], shape (n, 2).
        lean: lean of the body along the same axes [rad], shape (n, 2).
    """

    position: Array
    lean: Array


@dataclass(frozen=True)
class HangingPendulum:
    """A rigid body that hangs, for small angles.

    Args:
        length: distance from its support to its center of mass [m].
        gyration: radius of gyration about a horizontal axis through its center of mass [m].
        gravity: gravity [m/s^2].
    """

    length: float
    gyration: float
    gravity: float

    @property
    def half_period(self) -> float:
        """Time from one end of a free swing to the other [s].

        It is that of a body whose lean is half of the angle between its support and its center
        of mass.
        """
        return float(
            np.pi * np.sqrt((self.length + 0.5 * self.gyration**2 / self.length) / self.gravity)
        )

    def solve_swing(self, time: Array, holds: Handholds, support: HoldSupport) -> Swing:
        """Return the swing from hold to hold.

        The torque about the center of mass is the inertia times the angular acceleration: with
        support p, center of mass c, lean a, length l and gyration k, l c'' / g + c - p -
        (k^2 / g) a'' = 0. The result minimizes a sum of squares: the residual of that equation;
        the distance from a smooth path along the bars; the deviation of the lean from one that
        follows the pendulum; jerk; and the speed at both ends.

        Args:
            time: n times with spacing `SAMPLE_INTERVAL` [s].
            holds: the holds.
            support: distribution of the load over the holds.
        """
        n = len(time)
        support_point = support.hold_shares @ holds.places[:, :2]
        smooth_path = gaussian_filter1d(
            _compute_even_path(time, holds),
            HANGING_SWING.path_smoothing / SAMPLE_INTERVAL,
            axis=0,
            mode="nearest",
        )
        speed_weight = _weigh_end_speeds(time, holds)
        law_weights = HANGING_SWING.double_hold_law + (
            HANGING_SWING.single_hold_law - HANGING_SWING.double_hold_law
        ) * np.maximum(support.single_hold_share, speed_weight / HANGING_SWING.end_speed)
        law_weight = sparse.diags(law_weights[1:-1])
        law = self._build_law(n)
        smoothness = self._build_smoothness(speed_weight)
        regularization = sparse.block_diag(
            [
                HANGING_SWING.smooth_path * sparse.eye(n) + smoothness,
                HANGING_SWING.lean * sparse.eye(n) + smoothness,
            ]
        )
        right_side = (
            np.concatenate(
                [
                    HANGING_SWING.smooth_path * smooth_path,
                    HANGING_SWING.lean * HANGING_SWING.lean_share * (support_point - smooth_path),
                ]
            )
            + law.T @ law_weight @ support_point[1:-1]
        )
        solution = np.asarray(
            spsolve((law.T @ law_weight @ law + regularization).tocsc(), right_side)
        ).reshape(2 * n, 2)
        return Swing(solution[:n], solution[n:] / self.length)

    def _build_law(self, n: int) -> sparse.spmatrix:
        """Return the matrix of the equation of motion, without the support.

        It acts on the center of mass and on the lean times the length, shape (n - 2, 2 n).
        """
        second_difference = (
            sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], (n - 2, n)) / SAMPLE_INTERVAL**2
        )
        return sparse.hstack(
            [
                second_difference * self.length / self.gravity + sparse.eye(n).tocsr()[1:-1],
                -second_difference * self.gyration**2 / self.gravity / self.length,
            ]
        )

    def _build_smoothness(self, speed_weight: Array) -> sparse.spmatrix:
        """Return the quadratic cost of jerk and of speed with weights (n,), shape (n, n)."""
        n = len(speed_weight)
        third_difference = (
            sparse.diags([-1.0, 3.0, -3.0, 1.0], [0, 1, 2, 3], (n - 3, n))
            / SAMPLE_INTERVAL**3
            * (self.length / self.gravity) ** 1.5
        )
        first_difference = (
            sparse.diags([-1.0, 1.0], [0, 1], (n - 1, n))
            / SAMPLE_INTERVAL
            * np.sqrt(self.length / self.gravity)
        )
        speed_penalty = first_difference.T @ sparse.diags(speed_weight[1:]) @ first_difference
        return HANGING_SWING.jerk * third_difference.T @ third_difference + speed_penalty


def _compute_even_path(time: Array, holds: Handholds) -> Array:
    """Return a path halfway between two holds in the middle of their overlap [m], (n, 2)."""
    places = holds.places[:, :2]
    middle = holds.overlaps.mean(1)
    middle[0] = holds.overlaps[0, 1] if len(middle) > 1 else 0.0
    middle[-1] = holds.overlaps[-1, 0]
    midpoints = 0.5 * (places[1:] + places[:-1])
    return np.stack([np.interp(time, middle, midpoints[:, k]) for k in range(2)], -1)


def _weigh_end_speeds(time: Array, holds: Handholds) -> Array:
    """Return the weight of the speed, non-zero before the first swing and after the last, (n,)."""
    return np.where(
        (time < holds.overlaps[0, 1] - HANGING_SWING.weight_shift_time)
        | (time > holds.overlaps[-1, 0]),
        HANGING_SWING.end_speed,
        0.0,
    )


def simulate_driven_pendulum(
    pivot_acceleration: Array, natural_frequency: float, damping_ratio: float
) -> Array:
    """Return the angle of a damped pendulum with a moving pivot, relative to rest [rad], (n,).

    Args:
        pivot_acceleration: acceleration of the pivot in units of gravity, with spacing
            `SAMPLE_INTERVAL`, shape (n,).
        natural_frequency: natural frequency [rad/s].
        damping_ratio: damping as a share of the critical one.
    """
    w = natural_frequency * SAMPLE_INTERVAL
    a = 2 * damping_ratio * natural_frequency * SAMPLE_INTERVAL
    # x'' + 2 d w x' + w^2 x = -w^2 drive, integrated implicitly
    return np.asarray(lfilter([-w * w], [1 + a + w * w, -2 - a, 1.0], pivot_acceleration))
