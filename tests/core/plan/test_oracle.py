"""Comparison of our plan with the program of the paper, solved by IPOPT for the same problem.

The problems have the same footsteps, times, reference and initial state. `published` has keyframes
every 0.1 s and tracks the reference, as in the paper. `fine` has keyframes every 0.025 s, limits
friction between the nodes of the forces as well, and minimizes the common cost: it is close to the
optimum.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import numpy as np
import pytest
from footfall.core.geometry import so3
from oracle_problem import (
    BodyTrajectory,
    Problem,
    Trial,
    compute_cone_excess,
    compute_cost,
    compute_equation_error,
    compute_leg_excess,
    integrate_forces,
    record_problems,
)

if not os.environ.get("CI"):
    pytest.importorskip("casadi", reason="the oracle needs casadi; install the extra 'oracle'")


@dataclass(frozen=True)
class _Case:
    problem: Problem
    published: Trial
    fine: Trial
    keys: np.ndarray  # keyframes of the published program (n,) [s]
    real: dict[str, BodyTrajectory]  # motion that the forces of each trial cause

    def cost(self, name: str) -> float:
        """Return the common cost of the motion that a trial's forces cause."""
        p = self.problem
        return compute_cost(p, self.real[name], self.trials[name]).total

    @property
    def trials(self) -> dict[str, Trial]:
        """All four trials by name."""
        return {
            "ours": self.problem.ours,
            "unregularized": self.problem.unregularized,
            "published": self.published,
            "fine": self.fine,
        }


@pytest.fixture(scope="module", params=["humanoid-walk", "humanoid-run", "humanoid-terrain-walk"])
def case(request: pytest.FixtureRequest) -> _Case:
    from nlp_oracle import FINE, PUBLISHED, solve_nlp

    problem = record_problems(request.param, 2.5, 2.9)[0]
    published = solve_nlp(problem, PUBLISHED)
    fine = solve_nlp(problem, FINE)
    assert published.trial.solved, published.status
    assert fine.trial.solved, fine.status
    case = _Case(problem, published.trial, fine.trial, published.keys, {})
    return replace(
        case, real={name: integrate_forces(problem, trial) for name, trial in case.trials.items()}
    )


def test_published_program_satisfies_the_equation_of_motion_at_keyframes(case: _Case) -> None:
    """Checks the formulas of the program against those of the measures."""
    error = compute_equation_error(case.problem, case.published, case.keys[1:-1])
    assert error.linear.max() < 5e-4
    assert error.angular.max() < 5e-4


def test_equation_of_motion_between_keyframes(case: _Case) -> None:
    """Our plan is exact for positions and uses Simpson's rule for rotations between nodes."""
    p = case.problem
    ours = compute_equation_error(p, p.ours, p.smooth)
    assert ours.linear.max() < 5e-6
    assert ours.angular.max() < 0.02
    published = compute_equation_error(p, case.published, p.smooth)
    assert published.linear.max() > 0.1
    assert ours.angular.max() < 0.2 * published.angular.max()
    fine = compute_equation_error(p, case.fine, p.smooth)
    assert ours.linear.max() < 1e-3 * fine.linear.max()


def test_forces_cause_the_planned_motion(case: _Case) -> None:
    p = case.problem
    real = case.real["ours"]
    claimed = p.ours.claim(p.grid)
    assert np.linalg.norm(real.com - claimed.com, axis=1).max() < 1e-4
    rotation_error = so3.log(real.rotation @ np.swapaxes(claimed.rotation, 1, 2))
    assert np.degrees(np.linalg.norm(rotation_error, axis=1).max()) < 3
    published_error = case.real["published"].com - case.published.claim(p.grid).com
    assert np.linalg.norm(published_error, axis=1).max() > 0.05


def test_cost_is_lower_than_of_the_published_program(case: _Case) -> None:
    """The motion that its forces cause is far more costly; the claimed one costs about as much."""
    p = case.problem
    ours = case.cost("ours")
    assert ours < 0.15 * case.cost("published")
    # Our plan limits landing legs to a shorter length, which adds cost on terrain.
    assert ours < 2.0 * compute_cost(p, case.published.claim(p.grid), case.published).total


def test_cost_is_close_to_the_optimum(case: _Case) -> None:
    """Bounds are wider on terrain, where friction cones of spline coefficients are conservative."""
    p = case.problem
    best = case.cost("fine")
    hills = np.ptp([s.position[2] for s in p.horizon.stances]) > 0.01
    assert case.cost("unregularized") < (3.5 if hills else 1.6) * best
    assert case.cost("ours") < (5.0 if hills else 2.5) * best


def test_plan_respects_the_limits_of_the_paper(case: _Case) -> None:
    """Friction and force at every time (11, 12), leg lengths (14) and shifts of footsteps (17)."""
    p = case.problem
    for name in ("ours", "unregularized"):
        trial = case.trials[name]
        assert trial.solved
        assert compute_cone_excess(p, trial) < 1e-6
        assert compute_leg_excess(p, trial, case.real[name]) < 0.01
        assert np.linalg.norm(trial.shift[:, :2], axis=1).max() < 0.06 * np.sqrt(2) + 1e-6
    assert compute_cone_excess(p, case.published) > 0.01


def test_plan_is_computed_faster_than_the_fine_program(case: _Case) -> None:
    assert case.problem.ours.seconds < 0.3 * case.fine.seconds
