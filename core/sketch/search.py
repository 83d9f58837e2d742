"""The search for the times of the next footsteps: places follow from the times by sampling the cart's path.

Source: Kwon et al. 2020, section 4.2 and appendix C.
"""
from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

with warnings.catch_warnings():
    warnings.simplefilter("ignore")      # that it cannot plot without matplotlib is nobody's concern here
    import cma

Array = NDArray[np.float64]

WEIGHTS = {"stride_time": 2.0, "step_time": 2.0, "stride_length": 1.0, "step_length": 1.0, "crossing": 20.0, "effort": 1.0}
SPREAD = 1.2          # largest change of a logarithm of a step's duration


@dataclass(frozen=True)
class Contact:
    """A contact that is already decided. Where the body stood still on it, `time` leaves the wait out: it is the moment
    at which the contact's middle would have been, had the foot come down later by the wait.
    """

    leg: int
    time: float
    position: Array       # (2,)


@dataclass(frozen=True)
class FootstepProblem:
    """What the next footsteps are judged by. Legs tread in turn, the one of `last[0]` next.

    Args:
        last: the latest contact of each of the two legs, earlier first.
        sample: gives at times (...,) the middle line's place (..., 2) and heading (...,).
        effort: gives at times the cart's squared force summed up to then (...,).
        stride_time, stride_length: wished for, s and m.
        offsets: (2,) of each leg's foot to the left of the middle line, m.
        behind: by which feet stand behind the place sampled, m.
        forbidden: tells for places (n, 2) and headings (n,) where no foot may stand; None when it may everywhere.
        count: number of footsteps to look ahead.
    """

    last: tuple[Contact, Contact]
    sample: Callable[[Array], tuple[Array, Array]]
    effort: Callable[[Array], Array]
    stride_time: float
    stride_length: float
    offsets: Array
    behind: float
    forbidden: Callable[[Array, Array], NDArray[np.bool_]] | None = None
    count: int = 4

    @property
    def legs(self) -> NDArray[np.int64]:
        """Leg of each footstep searched for. (count,)."""
        return np.array([self.last[k % 2].leg for k in range(self.count)])

    def times(self, x: Array) -> Array:
        """Times from logarithms of the steps' durations, so that their order holds (equations 7, 8, C.4). (n, count)."""
        steps = 0.5 * self.stride_time * np.exp(np.clip(x, -SPREAD, SPREAD))
        return self.last[1].time + np.cumsum(steps, 1)

    def places(self, times: Array) -> tuple[Array, Array]:
        """Places (n, count, 2) and headings (n, count) of the feet at times (n, count): the foot offset (C.1)."""
        line, heading = self.sample(times)
        side = self.offsets[self.legs]
        left = np.stack([-np.sin(heading), np.cos(heading)], -1)
        ahead = np.stack([np.cos(heading), np.sin(heading)], -1)
        return line + side[:, None] * left - self.behind * ahead, heading

    def cost(self, x: Array) -> Array:
        """Weighted sum of the objectives E1 to E6 of each candidate. (n, count) -> (n,)."""
        n = len(x)
        new = self.times(x)
        place, heading = self.places(new)
        t = np.concatenate([np.broadcast_to([c.time for c in self.last], (n, 2)), new], 1)         # (n, 2 + count)
        p = np.concatenate([np.broadcast_to([c.position for c in self.last], (n, 2, 2)), place], 1)
        ahead = np.stack([np.cos(heading), np.sin(heading)], -1)                                   # (n, count, 2)
        stride, step = p[:, 2:] - p[:, :-2], p[:, 2:] - p[:, 1:-1]
        e1 = (t[:, 2:] - t[:, :-2] - self.stride_time) ** 2                                         # equation 1
        e2 = (t[:, 2:] - t[:, 1:-1] - 0.5 * self.stride_time) ** 2                                  # equation 2
        e3 = ((stride * ahead).sum(-1) - self.stride_length) ** 2                                   # equation 3
        e4 = ((step * ahead).sum(-1) - 0.5 * self.stride_length) ** 2                               # equation 4
        e5 = self._crossing(p) ** 2                                                                 # equation 5
        e6 = self.effort(t[:, -1]) - self.effort(t[:, 1]) + self.effort(t[:, -2]) - self.effort(t[:, 0])   # equation 6
        w = WEIGHTS
        return ((w["stride_time"] * e1 + w["step_time"] * e2).sum(1)
                + (w["stride_length"] * e3 + w["step_length"] * e4).sum(1)
                + w["crossing"] * e5.sum(1) + w["effort"] * e6)

    def _crossing(self, p: Array) -> Array:
        """How far each foot lies beyond the line between the other foot's places before and after it, inward. (n, count - 1)."""
        foot, before, after = p[:, 2:-1], p[:, 1:-2], p[:, 3:]
        line = after - before
        size = np.maximum(np.linalg.norm(line, axis=-1), 1e-6)
        beside = (line[..., 0] * (foot - before)[..., 1] - line[..., 1] * (foot - before)[..., 0]) / size   # left is +
        side = np.sign(self.offsets[self.legs[:-1]])
        return np.maximum(-side * beside, 0.0)

    def collides(self, x: Array) -> NDArray[np.bool_]:
        """Whether any footstep of a candidate stands where none may (equation 9). (n, count) -> (n,)."""
        if self.forbidden is None:
            return np.zeros(len(x), bool)
        place, heading = self.places(self.times(x))
        return self.forbidden(place.reshape(-1, 2), heading.ravel()).reshape(heading.shape).any(1)


def search(problem: FootstepProblem, rng: np.random.Generator) -> Array:
    """Best times of the next footsteps, (count,).

    Where nothing is forbidden the objective is smooth and a gradient finds its optimum; where the optimum would stand on
    forbidden ground, CMA-ES searches among candidates that do not (C.4). If none is found, the best of the smooth optimum
    is returned as it is, and the ground decides.
    """
    def value_and_slope(x: Array) -> tuple[float, Array]:
        h = 1e-6
        f = problem.cost(np.vstack([x, x + h * np.eye(problem.count)]))
        return float(f[0]), (f[1:] - f[0]) / h

    smooth = minimize(value_and_slope, np.zeros(problem.count), jac=True, method="L-BFGS-B", options={"maxiter": 40}).x
    if not problem.collides(smooth[None])[0]:
        return problem.times(smooth[None])[0]
    best = _search_among_allowed(problem, smooth, rng)
    return problem.times((smooth if best is None else best)[None])[0]


def _search_among_allowed(problem: FootstepProblem, start: Array, rng: np.random.Generator, tries: int = 8) -> Array | None:
    """CMA-ES in which candidates on forbidden ground are drawn again, then moved towards the nearest allowed one found."""
    options = {"seed": int(rng.integers(1, 2**31)), "maxiter": 100, "verbose": -9, "tolfun": 1e-7,
               "popsize": 4 + int(3 * np.log(problem.count)) + 4}
    strategy = cma.CMAEvolutionStrategy(start, 0.25, options)
    best, best_cost = None, np.inf
    while not strategy.stop():
        population = np.array(strategy.ask())
        for _ in range(tries):
            bad = problem.collides(population)
            if not bad.any():
                break
            population[bad] = np.array(strategy.ask(int(bad.sum())))
        bad = problem.collides(population)
        if best is not None:
            population[bad] = best
        cost = problem.cost(population) + np.where(bad & (best is None), 1e3, 0.0)
        strategy.tell(list(population), list(cost))
        allowed = ~problem.collides(population)
        if allowed.any() and cost[allowed].min() < best_cost:
            best_cost = float(cost[allowed].min())
            best = population[allowed][np.argmin(cost[allowed])]
    return best
