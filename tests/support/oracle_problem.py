"""Planning problems recorded while a motion is generated, and measures of their solutions.

A solution is measured by its forces and by the motion that it claims for them. The motion that the
forces actually cause comes from a general integrator of SciPy.
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
from footfall.core.plan.forces import evaluate_force_basis
from footfall.core.plan.horizon import Horizon
from footfall.core.plan.linearization import TrackingGoal, nominal_from_reference
from footfall.core.plan.planner import Planner
from footfall.core.plan.reference import PlanReference
from footfall.core.plan.result import Plan, PlanPiece
from footfall.core.plan.weights import PYRAMID_SHARE, PYRAMID_SIDES, PlanLimits, PlanWeights
from footfall.core.scenarios.scenarios import SCENARIOS
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]

# (sides, 2) horizontal normals of the pyramids inside friction cones
PYRAMID_NORMALS = np.column_stack(
    [turn(2 * np.pi / PYRAMID_SIDES * np.arange(PYRAMID_SIDES)) for turn in (np.cos, np.sin)]
)

GRID_RATE = 500.0  # Rate of the grid on which plans are measured [Hz]
DIFFERENCE_STEP = 1e-4  # Step of finite differences [s]
PAPER_MAX_SHIFT = 0.06  # Largest shift of a footstep (appendix D.3) [m]


@dataclass(frozen=True)
class BodyTrajectory:
    """Motion of a rigid body at n times, in world axes."""

    com: Array  # (n, 3) [m]
    velocity: Array  # (n, 3) [m/s]
    rotation: Array  # (n, 3, 3)
    spin: Array  # (n, 3) [rad/s]
    acceleration: Array | None = None  # (n, 3) [m/s^2]
    momentum_rate: Array | None = None  # (n, 3) [body weights * m]


@dataclass(frozen=True)
class Trial:
    """A plan by any solver."""

    points: Array  # contact points (w, 3) [m]
    force: Callable[[Array], Array]  # forces (n, w, 3) at times (n,) [body weights]
    claim: Callable[[Array], BodyTrajectory]  # motion at times (n,) according to the plan
    shift: Array  # displacement of each stance from the sketch (s, 3) [m]
    seconds: float  # time of the computation [s]
    solved: bool


@dataclass(frozen=True)
class Problem:
    """One planning problem and our solutions of it.

    `ours` shows the quality of the plan in use. `unregularized` shows that of the solver: it is
    iterated until it converges, without the costs that are not in the paper (smooth forces,
    unshifted footsteps, continuity with the previous plan).
    """

    horizon: Horizon
    reference: PlanReference
    weights: PlanWeights
    limits: PlanLimits
    ours: Trial
    unregularized: Trial

    @property
    def grid(self) -> Array:
        """Times inside the horizon at which plans are measured [s]. (n,)."""
        h = self.horizon
        end = h.start + (h.node_count - 1) * h.dt
        return np.arange(h.start + 0.5 / GRID_RATE, end, 1 / GRID_RATE)

    @property
    def smooth(self) -> Array:
        """The grid without times next to the begin or end of a contact [s]. (n,).

        There, finite differences are no derivatives.
        """
        t = self.grid
        return t[np.abs(t[:, None] - self.horizon.windows.ravel()).min(1) > 2 * DIFFERENCE_STEP]


@dataclass(frozen=True)
class Cost:
    """The common cost: means over time with the weights of our plan, equal for all times."""

    tracking: float  # of position, velocity, orientation and angular velocity
    effort: float  # of squared force beyond the reference force

    @property
    def total(self) -> float:
        return self.tracking + self.effort


def record_problems(name: str, begin: float, end: float) -> list[Problem]:
    """Return the planning problems of a scenario's first pass that start between two times [s].

    In the first pass the body is rigid, as in the paper.
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
    """Return the plan without regularization, started from the reference as in the paper."""
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
    """Return the inertia of the rigid body in body axes, divided by its weight [m s^2]. (3, 3)."""
    assert np.ptp(h.inertia, axis=0).max() < 1e-12
    assert not h.limb_momentum.any()
    return h.inertia[0]


def integrate_forces(p: Problem, trial: Trial) -> BodyTrajectory:
    """Return the motion of a rigid body under a trial's forces, by numerical integration."""
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


def compute_cost(p: Problem, trajectory: BodyTrajectory, trial: Trial) -> Cost:
    """Return the common cost of a trial's forces with the trajectory that they cause or claim."""
    reference = p.reference.sample(p.grid)
    w = p.weights
    rotation_error = so3.log(trajectory.rotation @ np.swapaxes(reference.rotation, 1, 2))
    tracking = (
        (trajectory.com - reference.com) ** 2 @ np.array(w.com)
        + (trajectory.velocity - reference.velocity) ** 2 @ np.array(w.velocity)
        + w.rotation * (rotation_error**2).sum(1)
        + w.spin * ((trajectory.spin - reference.spin) ** 2).sum(1)
    )
    effort = w.force * ((trial.force(p.grid).sum(1) - reference.force) ** 2).sum(1)
    return Cost(float(tracking.mean()), float(effort.mean()))


@dataclass(frozen=True)
class EquationError:
    """Residual of the equation of motion (10) at n times."""

    linear: Array  # (n,) [body weights]
    angular: Array  # (n,) [body weights * m]


def compute_equation_error(p: Problem, trial: Trial, times: Array) -> EquationError:
    """Return the residual of the equation of motion for the claimed motion at times (n,)."""
    claimed = trial.claim(times)
    push = trial.force(times)
    assert claimed.acceleration is not None
    assert claimed.momentum_rate is not None
    linear = claimed.acceleration / p.horizon.gravity + [0, 0, 1] - push.sum(1)
    moment = np.cross(trial.points - claimed.com[:, None], push).sum(1)
    return EquationError(
        np.linalg.norm(linear, axis=1), np.linalg.norm(claimed.momentum_rate - moment, axis=1)
    )


def compute_cone_excess(p: Problem, trial: Trial) -> float:
    """Return by how much forces exceed the friction pyramid or the largest force [body weights]."""
    h = p.horizon
    frames = np.stack([s.rotation for s in h.stances])[h.window_stance]
    local = np.einsum("wba,nwb->nwa", frames, trial.force(p.grid))
    side = (local[..., :2] @ PYRAMID_NORMALS.T).max(-1)
    side -= PYRAMID_SHARE * p.limits.friction * local[..., 2]
    return float(
        max(side.max(), (-local[..., 2]).max(), (local[..., 2] - p.limits.max_force).max())
    )


def compute_leg_excess(p: Problem, trial: Trial, trajectory: BodyTrajectory) -> float:
    """Return by how much the length of a leg in stance is exceeded [m]."""
    excess = -np.inf
    for s, shift in zip(p.horizon.stances, trial.shift, strict=True):
        down = (p.grid > s.begin) & (p.grid < s.end)
        if down.any():
            length = np.linalg.norm(trajectory.com[down] - s.position - shift, axis=1)
            excess = max(excess, float(length.max()) - p.limits.leaving_reach)
    return excess
