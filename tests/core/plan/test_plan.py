"""The plan against an independent integration of its forces, and its limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.motion import Motion
from footfall.core.plan.forces import (
    COEFFICIENT_COUNT,
    build_difference_penalty,
    evaluate_force_basis,
)
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.scripting import measure
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline


def test_force_basis_integrals_by_quadrature() -> None:
    windows = np.array([[0.1, 0.6], [0.3, 0.9]])
    times = np.linspace(0, 1.2, 4801)
    b = evaluate_force_basis(times, windows, 0.0)
    dt = times[1] - times[0]
    flat = b.value.reshape(len(times), -1)
    once = np.concatenate(
        [np.zeros((1, flat.shape[1])), np.cumsum(0.5 * (flat[1:] + flat[:-1]) * dt, 0)]
    )
    twice = np.concatenate(
        [np.zeros((1, flat.shape[1])), np.cumsum(0.5 * (once[1:] + once[:-1]) * dt, 0)]
    )
    np.testing.assert_allclose(b.integral.reshape(once.shape), once, atol=1e-6)
    np.testing.assert_allclose(b.double_integral.reshape(twice.shape), twice, atol=1e-6)
    outside = (times < 0.1) | (times > 0.9)
    assert np.abs(flat[outside]).max() == 0


def test_difference_penalty_is_that_of_zero_at_both_ends() -> None:
    c = np.random.default_rng(0).normal(size=COEFFICIENT_COUNT)
    padded = np.concatenate([[0.0], c, [0.0]])
    assert c @ build_difference_penalty() @ c == pytest.approx((np.diff(padded) ** 2).sum())


def test_centre_of_mass_is_the_integral_of_the_forces(walk: Motion) -> None:
    """An integrator that knows nothing of splines follows the forces and
    arrives where the plan is.
    """
    time = np.arange(walk.frames) / walk.fps
    mass = walk.link_mass.sum()
    pull = CubicSpline(time, walk.contact_force.sum(1) / mass + walk.gravity)
    start = CubicSpline(time, walk.planned_com).derivative()(0.0)

    def fall(t: float, s: np.ndarray) -> np.ndarray:
        return np.concatenate([s[3:], pull(t)])

    begin = np.concatenate([walk.planned_com[0], start])
    solution = solve_ivp(fall, (0, 2.0), begin, t_eval=time[time <= 2.0], rtol=1e-8, max_step=0.01)
    off = np.linalg.norm(solution.y[:3].T - walk.planned_com[: solution.y.shape[1]], axis=1)
    assert off.max() < 0.004


def test_forces_explain_the_acceleration_from_frame_to_frame() -> None:
    """The second difference of the center of mass is the acceleration under a window that falls to
    0 at the frames before and after; forces at the instants of the frames differ by 0.018 weights.
    """
    motion = generate(SCENARIOS["humanoid-run"].build_task(fps=60, seconds=3))
    mass = motion.link_mass.sum()
    acceleration = np.diff(motion.planned_com, 2, axis=0) * motion.fps**2
    unexplained = mass * (acceleration - motion.gravity) - motion.contact_force.sum(1)[1:-1]
    assert np.sqrt((unexplained**2).sum(1).mean()) < 0.01 * mass * 9.81


def test_forces_push_within_friction(walk: Motion) -> None:
    force = walk.contact_force[walk.contact_active]
    assert force[:, 2].min() >= -1e-6
    assert (np.linalg.norm(force[:, :2], axis=1) <= 1.0 * force[:, 2] + 1e-6).all()
    assert (walk.contact_force[~walk.contact_active] == 0).all()


def test_feet_do_not_slide_on_ice() -> None:
    """By Coulomb's law no foot pushes harder along ice of friction 0.2 than 0.2 of its load."""
    task = replace(SCENARIOS["humanoid-walk"].build_task(fps=60, seconds=3), friction=0.2)
    motion = generate(task)
    force = motion.contact_force[motion.contact_active]
    assert motion.link_mass.sum() * 9.81 == pytest.approx(
        motion.contact_force.sum(1)[:, 2].mean(), rel=0.05
    )
    assert (np.linalg.norm(force[:, :2], axis=1) <= 0.2 * force[:, 2] + 1e-3).all()


def test_full_body_keeps_to_the_plan(walk: Motion) -> None:
    assert np.linalg.norm(walk.com - walk.planned_com, axis=1).max() < 1e-4


def test_poses_turn_as_the_forces_of_the_ground_make_them(walk: Motion) -> None:
    """The rate of the angular momentum of all links is the moment of the forces, within 2 % of
    the weight times the height of the center of mass.
    """
    assert measure(walk).angular_residual < 0.02
