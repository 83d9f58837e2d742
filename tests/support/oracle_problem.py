"""Plans as they arise while a motion is made, and one yardstick for whoever solves them.

Nothing here is taken from a plan but its forces and what it says that they do: the motion that they
really cause comes from an integrator of SciPy's that knows neither splines nor nodes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

import numpy as np
from footfall.core.engine.centroidal import generate, planning
from footfall.core.geometry import so3
from footfall.core.plan import gauss_newton
from footfall.core.plan.force_basis import evaluate_force_basis
from footfall.core.plan.horizon import Horizon
from footfall.core.plan.linearization import TrackingGoal, nominal_from_reference
from footfall.core.plan.planner import Planner
from footfall.core.plan.reference import PlanReference
from footfall.core.plan.result import Plan, PlanPiece
from footfall.core.plan.weights import PlanLimits, PlanWeights
from footfall.core.scenarios.scenarios import SCENARIOS
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]

GRID_RATE = 500.0  # Hz of the grid on which plans are measured
DIFFERENCE_STEP = 1e-4  # s of the differences that take derivatives
PAPER_MAX_SHIFT = 0.06  # m, of a footstep (appendix D.3)


@dataclass(frozen=True)
class BodyTrajectory:
    """A body's way at n times. World axes; `momentum_rate` in body weights times metres."""

    com: Array  # (n, 3) m
    velocity: Array  # (n, 3) m/s
    rotation: Array  # (n, 3, 3)
    spin: Array  # (n, 3) rad/s
    acceleration: Array | None = None  # (n, 3) m/s^2
    momentum_rate: Array | None = None  # (n, 3)


@dataclass(frozen=True)
class Trial:
    """Somebody's plan: contact points (w, 3), forces of a time grid (n,) -> (n, w, 3) in body
    weights, and the way it claims.
    """

    points: Array
    force: Callable[[Array], Array]
    claim: Callable[[Array], BodyTrajectory]
    shift: Array  # (s, 3) of each stance from where the sketch had it, m
    seconds: float  # of computing
    solved: bool


@dataclass(frozen=True)
class Problem:
    """What a planner was asked for once, and our answers.

    `unregularized` is what our solver finds without the wishes that the common cost and the paper
    do not have: calm forces, unshifted footsteps, no jump where a plan takes over from the last;
    and with as many steps as it takes. The first tells how good the plan is, the second the solver.
    """

    horizon: Horizon
    reference: PlanReference
    weights: PlanWeights
    limits: PlanLimits
    ours: Trial
    unregularized: Trial

    @property
    def grid(self) -> Array:
        """Times at which plans are measured, inside the horizon. (n,)."""
        h = self.horizon
        end = h.start + (h.node_count - 1) * h.dt
        return np.arange(h.start + 0.5 / GRID_RATE, end, 1 / GRID_RATE)

    @property
    def smooth(self) -> Array:
        """The grid without the moments at which a contact begins or ends,
        where no difference takes a derivative. (n,).
        """
        t = self.grid
        return t[np.abs(t[:, None] - self.horizon.windows.ravel()).min(1) > 2 * DIFFERENCE_STEP]


@dataclass(frozen=True)
class Cost:
    """The common cost: means over time with the weights of our plan, ends not favoured."""

    tracking: float  # of place, velocity, orientation and angular velocity
    effort: float  # squared force beyond the one that the wished-for course takes

    @property
    def total(self) -> float:
        return self.tracking + self.effort


def record_problems(name: str, begin: float, end: float) -> list[Problem]:
    """The plans of a scenario's first pass, of a rigid body as in the paper,
    that start between two times, s.
    """
    recorded: list[Problem] = []

    class Recorder(Planner):
        def _solve(self, h: Horizon, handover_node: int) -> Any:
            started = time.perf_counter()
            s = super()._solve(h, handover_node)
            seconds = time.perf_counter() - started
            if begin <= h.start < end and not self.warm_start:
                ours = _make_trial(h, s, self.footsteps, seconds)
                recorded.append(
                    Problem(
                        h,
                        self.reference,
                        self.weights,
                        self.limits,
                        ours,
                        _solve_unregularized(self, h, handover_node),
                    )
                )
            return s

    with mock.patch.object(planning, "Planner", Recorder):
        generate.generate(SCENARIOS[name].build_task(fps=30, seconds=end))
    return recorded


def _solve_unregularized(planner: Planner, h: Horizon, last: int) -> Trial:
    """From the wished-for course and not from the plans before,
    as the paper's own solver begins.
    """
    weights = replace(
        planner.weights,
        coefficient=1e-6,
        coefficient_difference=1e-6,
        shift=1e-6,
        opposing_forces=0.0,
    )
    limits = replace(planner.limits, max_shift=PAPER_MAX_SHIFT)
    started = time.perf_counter()
    reference = planner.reference.sample(h.times)
    goal = TrackingGoal(
        reference.com[::2],
        reference.velocity[::2],
        reference.force[::2],
        reference.rotation[::2],
        reference.spin[::2],
    )
    base = nominal_from_reference(h, reference.com, goal.rotation, goal.spin, reference.spin[1::2])
    problem = gauss_newton.PlanProblem(h, goal, weights, limits, None, last)
    exact = replace(gauss_newton.ITERATION, converged_gap=1e-9)
    with mock.patch.object(gauss_newton, "ITERATION", exact):
        s = gauss_newton.iterate_plan(problem, base, 0.0, 12)
    assert s is not None
    return _make_trial(h, s, planner.footsteps, time.perf_counter() - started)


def _make_trial(h: Horizon, s: Any, footsteps: list[Any], seconds: float) -> Trial:
    end = h.start + (h.node_count - 1) * h.dt
    plan = Plan(
        (PlanPiece(h, end, s.coefficients, s.positions, s.rollout, ()),),
        tuple(footsteps),
        1.0,
        2,
        {},
    )
    points = h.place_contact_points(s.positions)

    def force(t: Array) -> Array:
        value = evaluate_force_basis(t, h.windows, h.start).value
        return np.einsum("nwk,wka->nwa", value, s.coefficients.reshape(len(h.windows), -1, 3))

    def claim(t: Array) -> BodyTrajectory:
        before, at, after = (plan.sample(t + d) for d in (-DIFFERENCE_STEP, 0.0, DIFFERENCE_STEP))
        inertia = at.rotation @ compute_inertia(h) @ np.swapaxes(at.rotation, 1, 2)
        spin = np.linalg.solve(inertia, at.momentum[..., None])[..., 0]
        return BodyTrajectory(
            at.com,
            at.velocity,
            at.rotation,
            spin,
            (after.com - 2 * at.com + before.com) / DIFFERENCE_STEP**2,
            (after.momentum - before.momentum) / (2 * DIFFERENCE_STEP),
        )

    shift = s.positions - np.stack([x.position for x in h.stances])
    return Trial(points, force, claim, shift, seconds, not s.is_rotation_free)


def compute_inertia(h: Horizon) -> Array:
    """The rigid body's inertia in its own axes, divided by its weight, m s^2. (3, 3)."""
    assert np.ptp(h.inertia, axis=0).max() < 1e-12
    assert not h.limb_momentum.any()
    return h.inertia[0]


def integrate_forces(p: Problem, trial: Trial) -> BodyTrajectory:
    """What a trial's forces do to a rigid body, by an integrator that knows nothing
    of how they were found.
    """
    h = p.horizon
    inertia = compute_inertia(p.horizon)
    inverse = np.linalg.inv(inertia)
    g = h.gravity

    def rate(t: float, y: Array) -> Array:
        r = so3.quat_to_matrix(y[6:10] / np.linalg.norm(y[6:10]))
        forces = trial.force(np.array([t]))[0]
        spin = r @ inverse @ r.T @ y[10:]
        quaternion_rate = 0.5 * so3.quat_multiply(np.concatenate([[0.0], spin]), y[6:10])
        moment = np.cross(trial.points - y[:3], forces).sum(0)
        return np.concatenate([y[3:6], g * (forces.sum(0) - [0, 0, 1]), quaternion_rate, moment])

    y0 = np.concatenate(
        [h.state.com, h.state.velocity, so3.quat_from_matrix(h.state.rotation), h.state.momentum]
    )
    y = solve_ivp(
        rate, (h.start, p.grid[-1]), y0, t_eval=p.grid, rtol=1e-8, atol=1e-9, max_step=0.02
    ).y.T
    rotation = so3.quat_to_matrix(y[:, 6:10])
    spin = (rotation @ inverse @ np.swapaxes(rotation, 1, 2) @ y[:, 10:, None])[..., 0]
    return BodyTrajectory(y[:, :3], y[:, 3:6], rotation, spin)


def compute_cost(p: Problem, course: BodyTrajectory, trial: Trial) -> Cost:
    """The common cost of a course that came, or is claimed to come, of a trial's forces."""
    reference = p.reference.sample(p.grid)
    w = p.weights
    rotation_error = so3.log(course.rotation @ np.swapaxes(reference.rotation, 1, 2))
    tracking = (
        (course.com - reference.com) ** 2 @ np.array(w.com)
        + (course.velocity - reference.velocity) ** 2 @ np.array(w.velocity)
        + w.rotation * (rotation_error**2).sum(1)
        + w.spin * ((course.spin - reference.spin) ** 2).sum(1)
    )
    effort = w.force * ((trial.force(p.grid).sum(1) - reference.force) ** 2).sum(1)
    return Cost(float(tracking.mean()), float(effort.mean()))


def compute_equation_error(p: Problem, trial: Trial, times: Array) -> tuple[Array, Array]:
    """By how much the claimed motion misses the equation of motion (10) at times (n,).

    (n,) body weights, and (n,) body weights times metres of turning.
    """
    claimed = trial.claim(times)
    push = trial.force(times)
    assert claimed.acceleration is not None
    assert claimed.momentum_rate is not None
    linear = claimed.acceleration / p.horizon.gravity + [0, 0, 1] - push.sum(1)
    moment = np.cross(trial.points - claimed.com[:, None], push).sum(1)
    return np.linalg.norm(linear, axis=1), np.linalg.norm(claimed.momentum_rate - moment, axis=1)


def compute_cone_excess(p: Problem, trial: Trial) -> float:
    """By how much forces leave the pyramid in the friction cone or the largest force between
    their keys, body weights.
    """
    h = p.horizon
    frames = np.stack([s.rotation for s in h.stances])[h.window_stance]
    local = np.einsum("wba,nwb->nwa", frames, trial.force(p.grid))
    side = np.abs(local[..., :2]).max(-1) - p.limits.friction / np.sqrt(2) * local[..., 2]
    return float(
        max(side.max(), (-local[..., 2]).max(), (local[..., 2] - p.limits.max_force).max())
    )


def compute_leg_excess(p: Problem, trial: Trial, course: BodyTrajectory) -> float:
    """By how much a leg's length is overstepped while its foot is down, m."""
    excess = -np.inf
    for s, shift in zip(p.horizon.stances, trial.shift, strict=True):
        down = (p.grid > s.begin) & (p.grid < s.end)
        if down.any():
            length = np.linalg.norm(course.com[down] - s.position - shift, axis=1)
            excess = max(excess, float(length.max()) - p.limits.leaving_reach)
    return excess
