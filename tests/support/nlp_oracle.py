"""The centroidal trajectory planner as published, solved by IPOPT, as a reference for our plan.

Source: Kwon et al. 2020, section 5.1 and appendix D; numbers in brackets are its equations. Forces
are in body weights. The footsteps, their times, the reference and the initial state come from the
problem that our plan solves.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from footfall.core.geometry import so3
from footfall.core.plan.weights import PYRAMID_SHARE
from nlp_splines import (
    SplineTrajectory,
    compute_hermite_weights,
    make_euler_rotation,
    make_rate_matrix,
)
from numpy.typing import NDArray
from oracle_problem import PAPER_MAX_SHIFT, PYRAMID_NORMALS, Problem, Trial, compute_inertia
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

SEGMENTS = 4  # of each force curve (appendix D.2)


@dataclass(frozen=True)
class NlpSettings:
    """Settings that the paper leaves to experiment."""

    spacing: float = 0.1  # largest time between keyframes [s]
    steepest_force: float = 1.5  # of equation 13 [body weights per segment]
    max_shift: float = PAPER_MAX_SHIFT  # of a footstep, equation 17 [m]
    # angles of the planes of equation 14 in the sagittal plane [rad]
    tilts: tuple[float, ...] = (-0.4, 0.0, 0.4)
    # points between the nodes of each segment of a force curve at which its limits hold
    points_between: int = 0
    effort: float = 0.0  # weight of the force beyond the reference force; not in the paper
    iterations: int = 500


PUBLISHED = NlpSettings()
FINE = NlpSettings(spacing=0.025, points_between=3, effort=1.0)


@dataclass(frozen=True)
class NlpSolution:
    """Solution of IPOPT."""

    trial: Trial
    keys: Array  # (n,) times of the keyframes [s]
    iterations: int
    status: str
    variables: int
    build_time: float  # time to build the program and its derivatives [s]


def solve_nlp(p: Problem, settings: NlpSettings = PUBLISHED) -> NlpSolution:
    """Return the solution of the published program (21, 22) for a problem."""
    started = time.perf_counter()
    program = _NlpProgram(p, settings)
    solver = program.make_solver()
    build_time = time.perf_counter() - started
    started = time.perf_counter()
    result = solver(
        x0=program.make_guess(),
        lbx=program.low,
        ubx=program.high,
        lbg=program.constraint_low,
        ubg=program.constraint_high,
    )
    seconds = time.perf_counter() - started
    stats = solver.stats()
    trial = program.make_trial(np.array(result["x"]).ravel(), seconds, bool(stats["success"]))
    return NlpSolution(
        trial,
        program.keys,
        int(stats["iter_count"]),
        str(stats["return_status"]),
        len(program.low),
        build_time,
    )


class _NlpProgram:
    """The nonlinear program of a problem.

    Its variables are, in this order: q and its rate at keyframes (6 each), forces and their rates
    at nodes (3 each), and positions of footsteps (3 each).
    """

    def __init__(self, p: Problem, settings: NlpSettings) -> None:
        self.p = p
        self.settings = settings
        self.h = p.horizon
        h = self.h
        length = (h.node_count - 1) * h.dt
        self.keys = h.start + np.linspace(
            0, length, int(np.ceil(length / settings.spacing - 1e-9)) + 1
        )
        self.n = len(self.keys)
        self.w = len(h.windows)
        self.s = len(h.stances)
        self.step = float(self.keys[1] - self.keys[0])
        self.q = ca.SX.sym("q", 6, self.n)
        self.qd = ca.SX.sym("qd", 6, self.n)
        self.f = ca.SX.sym("f", 3, 5 * self.w)
        self.fd = ca.SX.sym("fd", 3, 5 * self.w)
        self.positions = ca.SX.sym("p", 3, self.s)
        self.nodes = np.linspace(h.windows[:, 0], h.windows[:, 1], SEGMENTS + 1, axis=1)  # (w, 5)
        self._sample_reference()
        self._set_bounds()
        self.terms: list[Any] = []
        self._constraint_low: list[float] = []
        self._constraint_high: list[float] = []
        self._add_dynamics()
        self._add_force_limits()
        self._add_position_limits()
        self.constraint_low = np.array(self._constraint_low)
        self.constraint_high = np.array(self._constraint_high)

    def _sample_reference(self) -> None:
        """Sample the reference (appendix D.4) with angles relative to the start. (6, n)."""
        reference = self.p.reference.sample(self.keys)
        start = self.h.state.rotation
        # Angles and rates relative to the initial pose, as in the program
        angle = Rotation.from_matrix(start.T @ reference.rotation).as_euler("ZYX")[:, ::-1]
        spin = (np.swapaxes(reference.rotation, 1, 2) @ reference.spin[..., None])[..., 0]
        rate = np.array(
            [np.linalg.solve(make_rate_matrix(e, np), s) for e, s in zip(angle, spin, strict=True)]
        )
        self.reference_q = np.concatenate([reference.com - self.h.state.com, angle], 1).T
        self.reference_qd = np.concatenate([reference.velocity, rate], 1).T
        self.reference_force = reference.force.T

    def _compute_start(self) -> tuple[Array, Array]:
        s = self.h.state
        spin = np.linalg.solve(compute_inertia(self.h), s.rotation.T @ s.momentum)
        return np.zeros(6), np.concatenate([s.velocity, spin])

    def _set_bounds(self) -> None:
        """Set bounds: start and end (18), positions (16, 17), zero forces at ends of windows."""
        q = np.full((6, self.n), np.inf)
        qd = np.full((6, self.n), np.inf)
        f = np.full((3, 5 * self.w), np.inf)
        f[:, ::5] = f[:, 4::5] = 0.0
        sets = [[-q, q], [-qd, qd], [-f, f], [-np.inf * np.ones_like(f), np.inf * np.ones_like(f)]]
        start = self._compute_start()
        goal = (self.reference_q[:, -1], self.reference_qd[:, -1])
        for k in (0, 1):
            for bound in sets[k]:
                bound[:, 0], bound[:, -1] = start[k], goal[k]
        base = np.stack([s.position for s in self.h.stances], 1)
        slack = np.array(
            [self.settings.max_shift if s.is_shiftable else 0.0 for s in self.h.stances]
        )
        sets.append([base - slack, base + slack])
        self.low, self.high = (np.concatenate([s[k].ravel("F") for s in sets]) for k in (0, 1))

    def _add_constraint(self, term: Any, low: float, high: float) -> None:
        size = term.numel()
        self.terms.append(ca.reshape(term, size, 1))
        self._constraint_low += [low] * size
        self._constraint_high += [high] * size

    def _compute_acceleration(self, k: int, end: bool) -> Any:
        """Return the second derivative of the segment after keyframe k, at its begin or its end."""
        slope = 6 * (self.q[:, k + 1] - self.q[:, k]) / self.step**2
        a = self.qd[:, k]
        b = self.qd[:, k + 1]
        return -slope + (2 * a + 4 * b) / self.step if end else slope - (4 * a + 2 * b) / self.step

    def _add_dynamics(self) -> None:
        """Add the equation of motion at the keyframes (10) and continuous accelerations (19)."""
        g = self.h.gravity
        start = self.h.state
        inertia = ca.DM(compute_inertia(self.h))
        for k in range(self.n):
            acceleration = (
                self._compute_acceleration(k, False)
                if k < self.n - 1
                else self._compute_acceleration(k - 1, True)
            )
            if 0 < k < self.n - 1:
                self._add_constraint(
                    acceleration - self._compute_acceleration(k - 1, True), 0.0, 0.0
                )
            e = self.q[3:, k]
            ed = self.qd[3:, k]
            edd = acceleration[3:]
            spin = make_rate_matrix(e, ca) @ ed
            angular_acceleration = make_rate_matrix(e, ca) @ edd + ca.jtimes(spin, e, ed)
            total = ca.SX.zeros(3)
            moment = ca.SX.zeros(3)
            for w, force in self._find_active_forces(float(self.keys[k])):
                total += force
                moment += ca.cross(self._get_contact_point(w) - start.com - self.q[:3, k], force)
            rotation = ca.DM(start.rotation) @ make_euler_rotation(e)
            self._add_constraint(acceleration[:3] / g + ca.DM([0, 0, 1]) - total, 0.0, 0.0)
            self._add_constraint(
                inertia @ angular_acceleration
                + ca.cross(spin, inertia @ spin)
                - rotation.T @ moment,
                0.0,
                0.0,
            )

    def _find_active_forces(self, t: float) -> list[tuple[int, Any]]:
        """Return the contact windows that are active at a time, with their forces."""
        return [
            (w, self._interpolate_force(w, t))
            for w, nodes in enumerate(self.nodes)
            if nodes[0] < t < nodes[-1]
        ]

    def _interpolate_force(self, w: int, t: float) -> Any:
        nodes = self.nodes[w]
        j = int(np.clip(np.searchsorted(nodes, t) - 1, 0, SEGMENTS - 1))
        a, b, c, d = compute_hermite_weights(t, nodes[j], nodes[j + 1])
        i = 5 * w + j
        return a * self.f[:, i] + b * self.fd[:, i] + c * self.f[:, i + 1] + d * self.fd[:, i + 1]

    def _get_contact_point(self, w: int) -> Any:
        s = int(self.h.window_stance[w])
        return self.positions[:, s] + ca.DM(self.h.stances[s].points[self.h.window_point[w]])

    def _add_force_limits(self) -> None:
        """Limit friction (11) by the pyramid inside the cone, force (12) and its rate (13)."""
        for w in range(self.w):
            frame = ca.DM(self.h.stances[self.h.window_stance[w]].rotation)
            slope = PYRAMID_SHARE * self.p.limits.friction
            steepest = self.settings.steepest_force / (self.nodes[w, 1] - self.nodes[w, 0])
            for i in range(5 * w, 5 * w + 5):
                self._add_constraint(ca.sumsqr(self.fd[:, i]), -np.inf, steepest**2)
            for local in (frame.T @ f for f in self._sample_limited_forces(w)):
                sides = ca.DM(PYRAMID_NORMALS) @ local[:2] - slope * local[2]
                self._add_constraint(sides, -np.inf, 0.0)
                self._add_constraint(local[2], 0.0, self.p.limits.max_force)

    def _sample_limited_forces(self, w: int) -> list[Any]:
        """Return the limited forces of a window: at its nodes, and at the points between them."""
        grid = np.linspace(
            self.nodes[w, 0], self.nodes[w, -1], SEGMENTS * (self.settings.points_between + 1) + 1
        )[1:-1]
        return [self._interpolate_force(w, float(t)) for t in grid]

    def _add_position_limits(self) -> None:
        """Limit lengths of legs by planes (14), and keep feet on the ground (15)."""
        yaw = so3.yaw_from_matrix(self.p.reference.sample(self.keys).rotation)
        for j, s in enumerate(self.h.stances):
            if s.is_shiftable:
                self._add_constraint(
                    ca.dot(ca.DM(s.rotation[:, 2]), self.positions[:, j] - ca.DM(s.position)),
                    0.0,
                    0.0,
                )
            for k in np.flatnonzero(
                (self.keys > s.begin) & (self.keys < s.end) & (self.keys > self.h.start + 1e-9)
            ):
                leg = self.h.state.com + self.q[:3, k] - self.positions[:, j]
                for tilt in self.settings.tilts:
                    normal = so3.rotation_about("z", yaw[k]) @ [np.sin(tilt), 0.0, np.cos(tilt)]
                    self._add_constraint(
                        ca.dot(ca.DM(normal), leg), -np.inf, self.p.limits.leaving_reach
                    )

    def _make_objective(self) -> Any:
        """Return the mean of tracking (20), weighted as in our plan, and effort."""
        w = self.p.weights
        position_weights = ca.DM([*w.com, *[w.rotation] * 3])
        velocity_weights = ca.DM([*w.velocity, *[w.spin] * 3])
        total = ca.dot(position_weights, ca.sum2((self.q - self.reference_q) ** 2)) + ca.dot(
            velocity_weights, ca.sum2((self.qd - self.reference_qd) ** 2)
        )
        if self.settings.effort:
            for k, t in enumerate(self.keys):
                total_force = sum(
                    (f for _, f in self._find_active_forces(float(t))), ca.SX.zeros(3)
                )
                total += self.settings.effort * ca.sumsqr(
                    total_force - ca.DM(self.reference_force[:, k])
                )
        return total / self.n

    def make_solver(self) -> Any:
        """Return IPOPT with first and second derivatives by CasADi."""
        x = ca.vertcat(*[ca.vec(v) for v in (self.q, self.qd, self.f, self.fd, self.positions)])
        options = {
            "print_time": False,
            "ipopt": {
                "print_level": 0,
                "sb": "yes",
                "max_iter": self.settings.iterations,
                "tol": 1e-6,
            },
        }
        return ca.nlpsol(
            "oracle",
            "ipopt",
            {"x": x, "f": self._make_objective(), "g": ca.vertcat(*self.terms)},
            options,
        )

    def make_guess(self) -> Array:
        """Return the initial guess: reference, footsteps, and equal forces of stance feet."""
        f = np.zeros((3, 5 * self.w))
        for w, nodes in enumerate(self.nodes):
            for j in range(1, SEGMENTS):
                down = ((self.h.windows[:, 0] < nodes[j]) & (nodes[j] < self.h.windows[:, 1])).sum()
                f[2, 5 * w + j] = 1.0 / down
        positions = np.stack([s.position for s in self.h.stances], 1)
        return np.concatenate(
            [a.ravel("F") for a in (self.reference_q, self.reference_qd, f, 0 * f, positions)]
        )

    def make_trial(self, x: Array, seconds: float, solved: bool) -> Trial:
        """Return the trial with the splines that the variables define."""
        sizes = np.cumsum([6 * self.n, 6 * self.n, 15 * self.w, 15 * self.w])
        q, qd, f, fd, positions = (
            part.reshape(-1, rows)
            for part, rows in zip(np.split(x, sizes), (6, 6, 3, 3, 3), strict=True)
        )
        curves = [
            CubicHermiteSpline(
                nodes, f[5 * w : 5 * w + 5], fd[5 * w : 5 * w + 5], extrapolate=False
            )
            for w, nodes in enumerate(self.nodes)
        ]
        points = np.stack(
            [
                positions[s] + self.h.stances[s].points[k]
                for s, k in zip(self.h.window_stance, self.h.window_point, strict=True)
            ]
        )
        shift = positions - np.stack([s.position for s in self.h.stances])
        trajectory = SplineTrajectory(
            CubicHermiteSpline(self.keys, q, qd), self.h.state, compute_inertia(self.h)
        )
        return Trial(
            points,
            lambda t: np.nan_to_num(np.stack([c(t) for c in curves], 1)),
            trajectory.claim,
            shift,
            seconds,
            solved,
        )
