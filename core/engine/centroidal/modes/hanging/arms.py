"""A pendulum that hangs: how a body swings below its hands, and what its legs do below the body.

Kwon et al. 2020, section 7.2, take a course drawn by hand for the monkey bars; ours is the motion of a pendulum whose support
goes over from hand to hand. Unlike the pendulum on a cart (section 4.1) it needs no balance, only somebody to keep it from
swinging more than it should.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.ndimage import gaussian_filter1d
from scipy.signal import lfilter
from scipy.sparse.linalg import spsolve

from .....plan.reference import DT
from .handholds import Handholds

Array = NDArray[np.float64]

SHIFTED = 0.35        # s before the first swing and after the last, in which the weight goes from one hand to both
FREELY = (10.0, 1.0)  # how much the pendulum's own law counts under one hand, and under two, which may pull apart
EVENLY = 1.0          # how much the even way along the bars does
UPRIGHT, LEANS = 0.5, 0.3     # and the lean, and which share of the support's way aside it should have
CALM = 1e-3           # and jerk
SETTLING = 20.0       # and speed, once the last rung is held
EVEN = 0.35           # s over which the even way is smoothed


@dataclass(frozen=True)
class Support:
    """What bears a hanging body at n moments.

    `share` (n, k) of each hold in bearing it, all together 1; `single` (n,) how far one hand bears it alone.
    """

    share: Array
    single: Array

    @staticmethod
    def of(holds: Handholds, time: Array) -> Support:
        """The weight goes over from hold to hold while both are kept."""
        count = len(holds.grips)
        # of each hold but the first: how far the weight has come to it
        begins, ends = holds.both[:, 0].copy(), holds.both[:, 1].copy()
        begins[0] = ends[0] - SHIFTED
        ends[-1] = begins[-1] + SHIFTED
        u = np.clip((time[:, None] - begins) / (ends - begins), 0, 1)
        come = u * u * (3 - 2 * u)
        come[:, 0] = 0.5 + 0.5 * come[:, 0]                       # at rest both hands bear alike
        come[:, -1] *= 0.5
        if count == 2:
            come[:] = 0.5
        share = np.concatenate([np.ones((len(time), 1)), come], 1)
        share[:, :-1] -= come
        return Support(share, np.clip(2 * share.max(1) - 1, 0, 1))


@dataclass(frozen=True)
class Pendulum:
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
        """Time from one end of a free swing to the other, s, of a body that turns half as far as its support lies aside."""
        return float(np.pi * np.sqrt((self.length + 0.5 * self.gyration**2 / self.length) / self.gravity))

    def swing(self, time: Array, holds: Handholds, support: Support) -> tuple[Array, Array]:
        """Where the centre of mass is, seen from above, and how far the body leans, rad, as it swings from hold to hold.

        The torque about the centre of mass is the body's inertia times its turn: with support p, centre of mass c and lean a,
        l c'' / g + c - p - (k^2 / g) a'' = 0. Of all c and a take those with the smallest sum of squares of: what is left of
        that law; the distance from an even way along the bars; the lean, against one that goes with the pendulum; jerk; and
        speed at both ends.

        Args:
            time: (n,) in steps of DT.

        Returns:
            (n, 2) m and (n, 2) rad along the world's x and y.
        """
        n, size = len(time), self.length
        point = support.share @ holds.places[:, :2]
        even = gaussian_filter1d(_even_way(time, holds), EVEN / DT, axis=0, mode="nearest")
        still = _still(time, holds)
        free = FREELY[1] + (FREELY[0] - FREELY[1]) * np.maximum(support.single, still / SETTLING)
        second = sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], (n - 2, n)) / DT**2
        law = sparse.hstack([second * size / self.gravity + sparse.eye(n).tocsr()[1:-1],
                             -second * self.gyration**2 / self.gravity / size])              # of c, and of a times l
        third = sparse.diags([-1.0, 3.0, -3.0, 1.0], [0, 1, 2, 3], (n - 3, n)) / DT**3 * (size / self.gravity)**1.5
        first = sparse.diags([-1.0, 1.0], [0, 1], (n - 1, n)) / DT * np.sqrt(size / self.gravity)
        weight, slow = sparse.diags(free[1:-1]), first.T @ sparse.diags(still[1:]) @ first
        calm = CALM * third.T @ third + slow
        own = sparse.block_diag([EVENLY * sparse.eye(n) + calm, UPRIGHT * sparse.eye(n) + calm])
        right = np.concatenate([EVENLY * even, UPRIGHT * LEANS * (point - even)]) + law.T @ weight @ point[1:-1]
        found = np.asarray(spsolve((law.T @ weight @ law + own).tocsc(), right)).reshape(2 * n, 2)
        return found[:n], found[n:] / size


def _even_way(time: Array, holds: Handholds) -> Array:
    """Half-way between two holds in the middle of the time that both are kept. (n, 2)."""
    places, middle = holds.places[:, :2], holds.both.mean(1)
    middle[0], middle[-1] = holds.both[0, 1] if len(middle) > 1 else 0.0, holds.both[-1, 0]
    between = 0.5 * (places[1:] + places[:-1])
    return np.stack([np.interp(time, middle, between[:, k]) for k in range(2)], -1)


def _still(time: Array, holds: Handholds) -> Array:
    """How much speed counts: before the first swing and after the last. (n,)."""
    return np.where((time < holds.both[0, 1] - SHIFTED) | (time > holds.both[-1, 0]), SETTLING, 0.0)


def dangling(drive: Array, pace: float, damping: float) -> Array:
    """Angle of a damped pendulum whose pivot is moved, against where it hangs at rest. (n,) -> (n,) rad.

    Args:
        drive: (n,) acceleration of the pivot over g, in steps of DT.
        pace: rad/s.
        damping: share of the critical.
    """
    w, a = pace * DT, 2 * damping * pace * DT
    # x'' + 2 d w x' + w^2 x = -w^2 drive, stepped implicitly
    return np.asarray(lfilter([-w * w], [1 + a + w * w, -2 - a, 1.0], drive))
