"""A pendulum that hangs: how a body swings below its hands, and what its legs do below the body.

Kwon et al. 2020, section 7.2, take a course drawn by hand for the monkey bars; ours is the motion
of a pendulum whose support goes over from hand to hand. Unlike the pendulum on a cart (section 4.1)
it needs no balance, only somebody to keep it from swinging more than it should.
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

# s before the first swing and after the last, in which the weight goes from one hand to both
WEIGHT_SHIFT_TIME = 0.35
# how much the pendulum's own law counts under one hand, and under two, which may pull apart
PENDULUM_WEIGHTS = (10.0, 1.0)
EVEN_PATH_WEIGHT = 1.0  # how much the even way along the bars does

# and the lean, and which share of the support's way aside it should have
LEAN_WEIGHT = 0.5
LEAN_SHARE = 0.3

JERK_WEIGHT = 1e-3  # and jerk
END_SPEED_WEIGHT = 20.0  # and speed, once the last rung is held
EVEN_PATH_SMOOTHING = 0.35  # s over which the even way is smoothed


@dataclass(frozen=True)
class HoldSupport:
    """What bears a hanging body at n moments.

    `hold_shares` (n, k) of each hold in bearing it, all together 1; `single_hold_share` (n,) how
    far one hand bears it alone.
    """

    hold_shares: Array
    single_hold_share: Array

    @staticmethod
    def from_holds(holds: Handholds, time: Array) -> HoldSupport:
        """The weight goes over from hold to hold while both are kept."""
        hold_count = len(holds.grips)
        # of each hold but the first: how far the weight has come to it
        begins = holds.overlaps[:, 0].copy()
        ends = holds.overlaps[:, 1].copy()
        begins[0] = ends[0] - WEIGHT_SHIFT_TIME
        ends[-1] = begins[-1] + WEIGHT_SHIFT_TIME
        u = np.clip((time[:, None] - begins) / (ends - begins), 0, 1)
        transfer = u * u * (3 - 2 * u)
        transfer[:, 0] = 0.5 + 0.5 * transfer[:, 0]  # at rest both hands bear alike
        transfer[:, -1] *= 0.5
        if hold_count == 2:
            transfer[:] = 0.5
        hold_shares = np.concatenate([np.ones((len(time), 1)), transfer], 1)
        hold_shares[:, :-1] -= transfer
        return HoldSupport(hold_shares, np.clip(2 * hold_shares.max(1) - 1, 0, 1))


@dataclass(frozen=True)
class HangingPendulum:
    """A rigid body that hangs, for small angles.

    Args:
        length: from its support to its centre of mass, m.
        gyration: about a level axis through its centre of mass, m.
    """

    length: float
    gyration: float
    gravity: float

    @property
    def half_period(self) -> float:
        """Time from one end of a free swing to the other, s, of a body that turns half as far as
        its support lies aside.
        """
        return float(
            np.pi * np.sqrt((self.length + 0.5 * self.gyration**2 / self.length) / self.gravity)
        )

    def solve_swing(
        self, time: Array, holds: Handholds, support: HoldSupport
    ) -> tuple[Array, Array]:
        """Where the centre of mass is, seen from above, and how far the body leans, rad, as it
        swings from hold to hold.

        The torque about the centre of mass is the body's inertia times its turn: with support p,
        centre of mass c and lean a, l c'' / g + c - p - (k^2 / g) a'' = 0. Of all c and a take
        those with the smallest sum of squares of: what is left of that law; the distance from an
        even way along the bars; the lean, against one that goes with the pendulum; jerk; and speed
        at both ends.

        Args:
            time: (n,) in steps of DT.

        Returns:
            (n, 2) m and (n, 2) rad along the world's x and y.
        """
        n = len(time)
        pendulum_length = self.length
        support_point = support.hold_shares @ holds.places[:, :2]
        even_path = gaussian_filter1d(
            _compute_even_path(time, holds),
            EVEN_PATH_SMOOTHING / SAMPLE_INTERVAL,
            axis=0,
            mode="nearest",
        )
        speed_weight = _weigh_end_speeds(time, holds)
        law_weight_factors = PENDULUM_WEIGHTS[1] + (
            PENDULUM_WEIGHTS[0] - PENDULUM_WEIGHTS[1]
        ) * np.maximum(support.single_hold_share, speed_weight / END_SPEED_WEIGHT)
        second_difference = (
            sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], (n - 2, n)) / SAMPLE_INTERVAL**2
        )
        # of c, and of a times l
        law = sparse.hstack(
            [
                second_difference * pendulum_length / self.gravity + sparse.eye(n).tocsr()[1:-1],
                -second_difference * self.gyration**2 / self.gravity / pendulum_length,
            ]
        )
        third_difference = (
            sparse.diags([-1.0, 3.0, -3.0, 1.0], [0, 1, 2, 3], (n - 3, n))
            / SAMPLE_INTERVAL**3
            * (pendulum_length / self.gravity) ** 1.5
        )
        first_difference = (
            sparse.diags([-1.0, 1.0], [0, 1], (n - 1, n))
            / SAMPLE_INTERVAL
            * np.sqrt(pendulum_length / self.gravity)
        )
        law_weight = sparse.diags(law_weight_factors[1:-1])
        speed_penalty = first_difference.T @ sparse.diags(speed_weight[1:]) @ first_difference
        smoothness = JERK_WEIGHT * third_difference.T @ third_difference + speed_penalty
        regularization = sparse.block_diag(
            [
                EVEN_PATH_WEIGHT * sparse.eye(n) + smoothness,
                LEAN_WEIGHT * sparse.eye(n) + smoothness,
            ]
        )
        right_side = (
            np.concatenate(
                [
                    EVEN_PATH_WEIGHT * even_path,
                    LEAN_WEIGHT * LEAN_SHARE * (support_point - even_path),
                ]
            )
            + law.T @ law_weight @ support_point[1:-1]
        )
        solution = np.asarray(
            spsolve((law.T @ law_weight @ law + regularization).tocsc(), right_side)
        ).reshape(2 * n, 2)
        return solution[:n], solution[n:] / pendulum_length


def _compute_even_path(time: Array, holds: Handholds) -> Array:
    """Half-way between two holds in the middle of the time that both are kept. (n, 2)."""
    places = holds.places[:, :2]
    middle = holds.overlaps.mean(1)
    middle[0], middle[-1] = holds.overlaps[0, 1] if len(middle) > 1 else 0.0, holds.overlaps[-1, 0]
    midpoints = 0.5 * (places[1:] + places[:-1])
    return np.stack([np.interp(time, middle, midpoints[:, k]) for k in range(2)], -1)


def _weigh_end_speeds(time: Array, holds: Handholds) -> Array:
    """How much speed counts: before the first swing and after the last. (n,)."""
    return np.where(
        (time < holds.overlaps[0, 1] - WEIGHT_SHIFT_TIME) | (time > holds.overlaps[-1, 0]),
        END_SPEED_WEIGHT,
        0.0,
    )


def simulate_driven_pendulum(
    pivot_acceleration: Array, natural_frequency: float, damping_ratio: float
) -> Array:
    """Angle of a damped pendulum whose pivot is moved,
    against where it hangs at rest. (n,) -> (n,) rad.

    Args:
        pivot_acceleration: (n,) acceleration of the pivot over g, in steps of DT.
        natural_frequency: rad/s.
        damping_ratio: share of the critical.
    """
    w = natural_frequency * SAMPLE_INTERVAL
    a = 2 * damping_ratio * natural_frequency * SAMPLE_INTERVAL
    # x'' + 2 d w x' + w^2 x = -w^2 drive, stepped implicitly
    return np.asarray(lfilter([-w * w], [1 + a + w * w, -2 - a, 1.0], pivot_acceleration))
