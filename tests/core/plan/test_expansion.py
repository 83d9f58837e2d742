"""Derivatives of the plan against finite differences."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.geometry import so3
from footfall.core.plan.force_cost import ContinuityTarget, ForceCost
from footfall.core.plan.forces import COEFFICIENT_COUNT, build_difference_penalty
from footfall.core.plan.horizon import CentroidalState, Horizon, PlanRollout, PlanStance
from footfall.core.plan.linearization import NominalTrajectory, TrackingGoal
from footfall.core.plan.quadratic import PlanProgram, expand_cost
from footfall.core.plan.weights import EndWeights, PlanLimits, PlanWeights

GRAVITY = 9.81
# a man's five times over, m s^2: forces drawn at random then turn the body by 1 rad/s,
# as a plan's do, and not by 6
INERTIA = np.array([[1.2, 0.1, 0.0], [0.1, 1.1, 0.05], [0.0, 0.05, 0.4]]) * 0.06
POINTS = np.array([[-0.08, 0.0, 0.0], [0.09, 0.01, 0.0]])


def _horizon(dt: float) -> Horizon:
    """Half a second on a foot that stays and one that may be shifted, the body turning a little."""
    nodes = round(0.5 / dt) + 1
    stances = (
        PlanStance(0, 0, np.array([0.0, 0.1, 0.0]), np.eye(3), POINTS, False, -0.2, 0.35),
        PlanStance(
            1,
            1,
            np.array([0.5, -0.1, 0.05]),
            so3.exp(np.array([0.1, -0.1, 0.2])),
            POINTS,
            True,
            0.2,
            0.8,
        ),
    )
    windows = np.array([[-0.2, 0.25], [-0.1, 0.35], [0.2, 0.6], [0.3, 0.8]])
    state = CentroidalState(
        np.array([0.05, 0.0, 0.95]),
        np.array([1.1, 0.05, 0.1]),
        so3.exp(np.array([0.05, 0.1, 0.3])),
        np.array([0.003, 0.004, -0.002]),
    )
    m = 2 * nodes - 1
    return Horizon(
        0.0,
        nodes,
        dt,
        stances,
        windows,
        np.array([0, 0, 1, 1]),
        np.array([0, 1, 0, 1]),
        state,
        np.tile(INERTIA, (m, 1, 1)),
        np.full((m, 3), 1e-3),
        GRAVITY,
    )


def _coefficients() -> np.ndarray:
    """Forces that hold the body up and push it about, (COUNT w, 3)."""
    rng = np.random.default_rng(3)
    return np.column_stack(
        [
            rng.uniform(-0.1, 0.1, (4 * COEFFICIENT_COUNT, 2)),
            rng.uniform(0.4, 0.8, 4 * COEFFICIENT_COUNT),
        ]
    )


def _rolled(h: Horizon, coefficients: np.ndarray, positions: np.ndarray) -> PlanRollout:
    """What the forces do, with rotations that join."""
    rotation = np.tile(h.state.rotation, (h.node_count, 1, 1))
    for k in range(h.node_count - 1):
        out = h.roll_out(coefficients, positions, rotation)
        rotation[k + 1] = so3.exp(out.midpoint_spin[k] * h.dt) @ rotation[k]
    return h.roll_out(coefficients, positions, rotation)


def _goal(h: Horizon) -> TrackingGoal:
    rng = np.random.default_rng(5)
    n = h.node_count
    t = h.times[::2, None]
    rotation = so3.exp(rng.normal(0, 0.1, (n, 3))) @ h.state.rotation
    return TrackingGoal(
        h.state.com + t * h.state.velocity + rng.normal(0, 0.02, (n, 3)),
        np.tile(h.state.velocity, (n, 1)),
        np.tile([0.0, 0.0, 1.0], (n, 1)),
        rotation,
        rng.normal(0, 0.2, (n, 3)),
    )


class _Unknowns(NamedTuple):
    """Coefficients of forces and positions of footsteps."""

    coefficients: np.ndarray
    positions: np.ndarray


class _Setting:
    """A base whose rotations join, and changes of its unknowns."""

    def __init__(self, dt: float = 0.025) -> None:
        self.h = _horizon(dt)
        self.positions = np.stack([s.position for s in self.h.stances])
        self.c = _coefficients()
        self.out = _rolled(self.h, self.c, self.positions)
        self.base = NominalTrajectory.from_rollout(self.c, self.positions, self.out)
        self.goal = _goal(self.h)

    def expanded(self, weights: PlanWeights) -> PlanProgram:
        return expand_cost(
            self.h,
            self.base,
            self.goal,
            weights,
            PlanLimits(),
            ForceCost.from_horizon(self.h, self.goal, weights, self.kept),
        )

    @property
    def kept(self) -> ContinuityTarget:
        """Forces at the start that are kept from the previous plan."""
        return ContinuityTarget(self.h.basis.value[:1], np.array([[0.1, 0.0, 0.9]]))

    def changed(self, x: np.ndarray) -> _Unknowns:
        """Return coefficients and positions after a change x of the unknowns, without slacks."""
        count = self.c.size
        positions = self.positions.copy()
        positions[1, :2] += x[count : count + 2]
        return _Unknowns(self.c + x[:count].reshape(-1, 3), positions)

    def cost(self, x: np.ndarray, w: PlanWeights) -> float:
        """Return half of the plan's cost by direct evaluation; the last two of x are slacks."""
        c, positions = self.changed(x)
        h = self.h
        goal = self.goal
        out = (
            _rolled(h, c, positions) if w.rotation else h.roll_out(c, positions, self.out.rotation)
        )
        mean = np.full(h.node_count, 1 / h.node_count)
        end = np.eye(h.node_count)[-1]
        com = out.com[::2] - goal.com
        velocity = out.velocity[::2] - goal.velocity
        total = ((np.outer(mean, w.com) + w.end.com * end[:, None]) * com**2).sum()
        total += ((np.outer(mean, w.velocity) + w.end.velocity * end[:, None]) * velocity**2).sum()
        total += w.force * (mean[:, None] * (out.force[::2].sum(1) - goal.force) ** 2).sum()
        turned = so3.log(out.rotation @ np.swapaxes(goal.rotation, 1, 2))
        spun = out.spin - goal.spin
        total += ((w.rotation * mean + w.end.rotation * end)[:, None] * turned**2).sum()
        total += ((w.spin * mean + w.end.spin * end)[:, None] * spun**2).sum()
        for window in c.reshape(-1, COEFFICIENT_COUNT, 3):
            for axis, factor in enumerate((w.horizontal_factor, w.horizontal_factor, 1.0)):
                v = window[:, axis]
                total += factor * (
                    w.coefficient * v @ v
                    + w.coefficient_difference * v @ build_difference_penalty() @ v
                )
        total += w.opposing_forces / h.node_count * _fought(h, c)
        kept = self.kept
        total += w.continuity * ((kept.rows @ c - kept.forces) ** 2).sum()
        total += w.shift * (x[c.size : c.size + 2] ** 2).sum()
        slack = x[c.size + 2 :]
        return float(0.5 * (total + w.slack_square * slack @ slack + w.slack_linear * slack.sum()))


def _fought(h: Horizon, c: np.ndarray) -> float:
    """Sum over the nodes of squared horizontal forces by which heel and ball are
    off a common hand-over.
    """
    times = h.times[::2]
    total = 0.0
    force = h.roll_out(
        c, np.stack([s.position for s in h.stances]), np.tile(np.eye(3), (h.node_count, 1, 1))
    ).force[::2]
    for heel in np.flatnonzero(h.window_point == 0):
        for ball in np.flatnonzero(
            (h.window_point == 1) & (h.window_stance == h.window_stance[heel])
        ):
            begin = max(h.windows[heel, 0], h.windows[ball, 0])
            end = min(h.windows[heel, 1], h.windows[ball, 1])
            both = (times > begin) & (times < end)
            share = ((times[both] - begin) / (end - begin))[:, None]
            total += float(
                ((share * force[both, heel, :2] - (1 - share) * force[both, ball, :2]) ** 2).sum()
            )
    return total


def _differences(size: int) -> list[tuple[int, np.ndarray]]:
    return [(k, 1e-5 * np.eye(size)[k]) for k in range(size)]


NO_TURNING = replace(PlanWeights(), rotation=0.0, spin=0.0, end=EndWeights(50.0, 5.0, 0.0, 0.0))


def test_gradient_and_hessian_apart_from_turning_are_exact() -> None:
    """What is quadratic in the forces: places, velocities, calm forces,
    continuity, shifts and slacks.
    """
    s = _Setting()
    q = s.expanded(NO_TURNING).program
    size = len(q.gradient)
    slope = [(s.cost(d, NO_TURNING) - s.cost(-d, NO_TURNING)) / 2e-5 for _, d in _differences(size)]
    np.testing.assert_allclose(q.gradient, slope, atol=1e-6 * np.abs(slope).max())
    rng = np.random.default_rng(0)
    for x in rng.normal(size=(5, size)):
        bend = s.cost(x, NO_TURNING) + s.cost(-x, NO_TURNING) - 2 * s.cost(0 * x, NO_TURNING)
        # 1e-6 on its diagonal keeps it definite
        assert x @ q.hessian @ x == pytest.approx(bend, rel=1e-4)


def _slopes_of_turning(s: _Setting) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the rotations by finite differences (n, 3, moved),
    and the expansion's (n, 3, moved + 1).
    """
    moved = s.c.size + 2
    turned = np.empty((s.h.node_count, 3, moved))
    for k, d in _differences(moved):
        up, down = (_rolled(s.h, *s.changed(sign * d)) for sign in (1, -1))
        turned[..., k] = so3.log(up.rotation @ np.swapaxes(down.rotation, 1, 2)) / 2e-5
    return turned, s.expanded(PlanWeights()).rotation_map


def test_turning_by_finite_differences() -> None:
    """Good to first order of the nodes' spacing: half the spacing, half the error."""
    missed = []
    for dt in (0.05, 0.025):
        truth, ours = _slopes_of_turning(_Setting(dt))
        assert np.abs(ours[..., -1]).max() < 1e-12  # rotations that join are left where they are
        missed.append(np.abs(ours[..., :-1] - truth).max() / np.abs(truth).max())
    assert missed[0] < 0.04
    assert missed[1] < 0.6 * missed[0]


def test_gradient_with_turning_by_finite_differences() -> None:
    s = _Setting()
    w = PlanWeights()
    gradient = s.expanded(w).program.gradient
    slope = np.array(
        [(s.cost(d, w) - s.cost(-d, w)) / 2e-5 for _, d in _differences(len(gradient))]
    )
    assert np.linalg.norm(gradient - slope) < 0.05 * np.linalg.norm(slope)


def test_rows_of_legs_and_cones_by_finite_differences() -> None:
    """A leg's rows are the slopes of its length, exact where the base is what the
    forces do; cones are linear.
    """
    s = _Setting()
    q = s.expanded(PlanWeights()).program
    h = s.h
    limits = PlanLimits()
    rows = q.constraint_rows
    bound = q.row_bounds
    assert len(rows) > 5
    stance = np.argmin(rows[:, s.c.size + 2 :], axis=1)
    lengths = np.linalg.norm(s.out.com[::2, None] - s.positions, axis=-1)  # (n, s)
    nodes = [
        int(np.argmin(np.abs(limits.landing_reach - b - lengths[:, k])))
        for b, k in zip(bound, stance, strict=True)
    ]
    np.testing.assert_allclose(limits.landing_reach - bound, lengths[nodes, stance], atol=1e-12)
    for k, d in _differences(s.c.size + 2):
        ends = []
        for sign in (1, -1):
            c, positions = s.changed(sign * d)
            com = h.roll_out(c, positions, s.out.rotation).com[::2]
            ends.append(np.linalg.norm(com[nodes] - positions[stance], axis=1))
        np.testing.assert_allclose(rows[:, k], (ends[0] - ends[1]) / 2e-5, atol=1e-8)
