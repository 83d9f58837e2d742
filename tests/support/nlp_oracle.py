"""The centroidal trajectory planner as published, solved by IPOPT: what our plan is compared with.

Source: Kwon et al. 2020, section 5.1 and appendix D; numbers in brackets are its equations. Forces are in body weights. The
footsteps, their times, the course wished for and the start come from the same problem that our plan solves.
"""
from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from footfall.core.geometry import so3
from nlp_splines import SplineWay, euler, hermite, rates
from numpy.typing import NDArray
from oracle_problem import PAPERS_SHIFT, Problem, Trial, inertia_of
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

SEGMENTS = 4          # of each force curve (appendix D.2)


@dataclass(frozen=True)
class Settings:
    """What the paper leaves to experiment.

    `effort` is the weight of the force beyond the one that the wished-for course takes; the paper has none.
    """

    spacing: float = 0.1              # s between keyframes, at most
    steepest_force: float = 1.5       # body weights in a segment of the force curve, of equation 13
    shift: float = PAPERS_SHIFT       # m, of equation 17
    tilts: tuple[float, ...] = (-0.4, 0.0, 0.4)     # rad, of the planes of equation 14 in the sagittal plane
    between: int = 0                  # points in each segment of a force curve at which its limits hold besides its nodes
    effort: float = 0.0
    iterations: int = 500


PUBLISHED = Settings()
FINE = Settings(spacing=0.025, between=3, effort=1.0)


@dataclass(frozen=True)
class Answer:
    """What IPOPT found, and how."""

    trial: Trial
    keys: Array               # (n,) times of the keyframes, s
    iterations: int
    status: str
    variables: int
    building: float           # s to write the program and its derivatives down


def solve_nlp(p: Problem, settings: Settings = PUBLISHED) -> Answer:
    """Solve the published program (21, 22) for a problem."""
    started = time.perf_counter()
    program = _Program(p, settings)
    solver = program.solver()
    building = time.perf_counter() - started
    started = time.perf_counter()
    found = solver(x0=program.guess(), lbx=program.low, ubx=program.high, lbg=program.least, ubg=program.most)
    seconds = time.perf_counter() - started
    stats = solver.stats()
    trial = program.trial(np.array(found["x"]).ravel(), seconds, bool(stats["success"]))
    return Answer(trial, program.keys, int(stats["iter_count"]), str(stats["return_status"]), len(program.low), building)


class _Program:
    """Variables, in this order: q and its rate at keyframes (6 each), forces and rates at nodes (3 each), positions (3)."""

    def __init__(self, p: Problem, settings: Settings) -> None:
        self.p, self.set, self.h = p, settings, p.horizon
        h = self.h
        length = (h.nodes - 1) * h.dt
        self.keys = h.start + np.linspace(0, length, int(np.ceil(length / settings.spacing - 1e-9)) + 1)
        self.n, self.w, self.s = len(self.keys), len(h.windows), len(h.stances)
        self.step = float(self.keys[1] - self.keys[0])
        self.q, self.qd = ca.SX.sym("q", 6, self.n), ca.SX.sym("qd", 6, self.n)
        self.f, self.fd = ca.SX.sym("f", 3, 5 * self.w), ca.SX.sym("fd", 3, 5 * self.w)
        self.place = ca.SX.sym("p", 3, self.s)
        self.nodes = np.linspace(h.windows[:, 0], h.windows[:, 1], SEGMENTS + 1, axis=1)          # (w, 5)
        self._wish()
        self._bounds()
        self.terms: list[Any] = []
        self._least: list[float] = []
        self._most: list[float] = []
        self._motion()
        self._forces()
        self._positions()
        self.least, self.most = np.array(self._least), np.array(self._most)

    def _wish(self) -> None:
        """The desired course (appendix D.4), orientations as angles relative to the start. (6, n) each."""
        wished = self.p.reference.at(self.keys)
        start = self.h.state.rotation
        # angles and rates as the program has them: moved and turned so that the start is zero
        angle = Rotation.from_matrix(start.T @ wished.rotation).as_euler("ZYX")[:, ::-1]
        spin = (np.swapaxes(wished.rotation, 1, 2) @ wished.spin[..., None])[..., 0]
        rate = np.array([np.linalg.solve(rates(e, np), s) for e, s in zip(angle, spin, strict=True)])
        self.wish_q = np.concatenate([wished.com - self.h.state.com, angle], 1).T
        self.wish_qd = np.concatenate([wished.velocity, rate], 1).T
        self.wish_force = wished.force.T

    def _start(self) -> tuple[Array, Array]:
        s = self.h.state
        spin = np.linalg.solve(inertia_of(self.h), s.rotation.T @ s.momentum)
        return np.zeros(6), np.concatenate([s.velocity, spin])

    def _bounds(self) -> None:
        """Bounds of the variables: start and end (18), free places (16, 17), forces that begin and end with nothing."""
        q, qd, f = np.full((6, self.n), np.inf), np.full((6, self.n), np.inf), np.full((3, 5 * self.w), np.inf)
        f[:, ::5] = f[:, 4::5] = 0.0
        sets = [[-q, q], [-qd, qd], [-f, f], [-np.inf * np.ones_like(f), np.inf * np.ones_like(f)]]
        start, goal = self._start(), (self.wish_q[:, -1], self.wish_qd[:, -1])
        for k in (0, 1):
            for bound in sets[k]:
                bound[:, 0], bound[:, -1] = start[k], goal[k]
        base = np.stack([s.position for s in self.h.stances], 1)
        give = np.array([self.set.shift if s.free else 0.0 for s in self.h.stances])
        sets.append([base - give, base + give])
        self.low, self.high = (np.concatenate([s[k].ravel("F") for s in sets]) for k in (0, 1))

    def _add(self, term: Any, least: float, most: float) -> None:
        size = term.numel()
        self.terms.append(ca.reshape(term, size, 1))
        self._least += [least] * size
        self._most += [most] * size

    def _acceleration(self, k: int, end: bool) -> Any:
        """Second derivative of the segment after keyframe k, at its begin or its end."""
        slope = 6 * (self.q[:, k + 1] - self.q[:, k]) / self.step**2
        a, b = self.qd[:, k], self.qd[:, k + 1]
        return -slope + (2 * a + 4 * b) / self.step if end else slope - (4 * a + 2 * b) / self.step

    def _motion(self) -> None:
        """Equation of motion at the keyframes (10), and continuous accelerations (19)."""
        g, start, inertia = self.h.gravity, self.h.state, ca.DM(inertia_of(self.h))
        for k in range(self.n):
            acceleration = self._acceleration(k, False) if k < self.n - 1 else self._acceleration(k - 1, True)
            if 0 < k < self.n - 1:
                self._add(acceleration - self._acceleration(k - 1, True), 0.0, 0.0)
            e, ed, edd = self.q[3:, k], self.qd[3:, k], acceleration[3:]
            spin = rates(e, ca) @ ed
            faster = rates(e, ca) @ edd + ca.jtimes(spin, e, ed)
            total, moment = ca.SX.zeros(3), ca.SX.zeros(3)
            for w, force in self._pushing(float(self.keys[k])):
                total += force
                moment += ca.cross(self._point(w) - start.com - self.q[:3, k], force)
            turned = ca.DM(start.rotation) @ euler(e)
            self._add(acceleration[:3] / g + ca.DM([0, 0, 1]) - total, 0.0, 0.0)
            self._add(inertia @ faster + ca.cross(spin, inertia @ spin) - turned.T @ moment, 0.0, 0.0)

    def _pushing(self, t: float) -> list[tuple[int, Any]]:
        """Windows that push at a time, and their forces."""
        return [(w, self._force(w, t)) for w, nodes in enumerate(self.nodes) if nodes[0] < t < nodes[-1]]

    def _force(self, w: int, t: float) -> Any:
        nodes = self.nodes[w]
        j = int(np.clip(np.searchsorted(nodes, t) - 1, 0, SEGMENTS - 1))
        a, b, c, d = hermite(t, nodes[j], nodes[j + 1])
        i = 5 * w + j
        return a * self.f[:, i] + b * self.fd[:, i] + c * self.f[:, i + 1] + d * self.fd[:, i + 1]

    def _point(self, w: int) -> Any:
        s = int(self.h.window_stance[w])
        return self.place[:, s] + ca.DM(self.h.stances[s].points[self.h.window_point[w]])

    def _forces(self) -> None:
        """Friction (11), as the pyramid inside the cone; largest force (12); steepness (13). At the nodes only."""
        for w in range(self.w):
            frame = ca.DM(self.h.stances[self.h.window_stance[w]].rotation)
            side = self.p.limits.friction / np.sqrt(2)
            steepest = self.set.steepest_force / (self.nodes[w, 1] - self.nodes[w, 0])
            for i in range(5 * w, 5 * w + 5):
                self._add(ca.sumsqr(self.fd[:, i]), -np.inf, steepest**2)
            for local in (frame.T @ f for f in self._limited(w)):
                for sign in (1, -1):
                    self._add(sign * local[:2] - side * local[2], -np.inf, 0.0)
                self._add(local[2], 0.0, self.p.limits.largest_force)

    def _limited(self, w: int) -> list[Any]:
        """Forces of a window on which limits are imposed: at its nodes, and between them where that is asked for."""
        grid = np.linspace(self.nodes[w, 0], self.nodes[w, -1], SEGMENTS * (self.set.between + 1) + 1)[1:-1]
        return [self._force(w, float(t)) for t in grid]

    def _positions(self) -> None:
        """Legs' lengths by planes across the sagittal plane (14), feet on the ground (15)."""
        yaw = so3.yaw_of(self.p.reference.at(self.keys).rotation)
        for j, s in enumerate(self.h.stances):
            if s.free:
                self._add(ca.dot(ca.DM(s.rotation[:, 2]), self.place[:, j] - ca.DM(s.position)), 0.0, 0.0)
            for k in np.flatnonzero((self.keys > s.begin) & (self.keys < s.end) & (self.keys > self.h.start + 1e-9)):
                leg = self.h.state.com + self.q[:3, k] - self.place[:, j]
                for tilt in self.set.tilts:
                    normal = so3.about("z", yaw[k]) @ [np.sin(tilt), 0.0, np.cos(tilt)]
                    self._add(ca.dot(ca.DM(normal), leg), -np.inf, self.p.limits.reach[1])

    def _objective(self) -> Any:
        """Tracking (20), with the weights that our plan has, as a mean over the keyframes; and, if asked for, effort."""
        w = self.p.weights
        place, pace = ca.DM([*w.com, *[w.rotation] * 3]), ca.DM([*w.velocity, *[w.spin] * 3])
        total = ca.dot(place, ca.sum2((self.q - self.wish_q) ** 2)) + ca.dot(pace, ca.sum2((self.qd - self.wish_qd) ** 2))
        if self.set.effort:
            for k, t in enumerate(self.keys):
                push = sum((f for _, f in self._pushing(float(t))), ca.SX.zeros(3))
                total += self.set.effort * ca.sumsqr(push - ca.DM(self.wish_force[:, k]))
        return total / self.n

    def solver(self) -> Any:
        """IPOPT with derivatives by CasADi, the second ones too."""
        x = ca.vertcat(*[ca.vec(v) for v in (self.q, self.qd, self.f, self.fd, self.place)])
        options = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "max_iter": self.set.iterations, "tol": 1e-6}}
        return ca.nlpsol("oracle", "ipopt", {"x": x, "f": self._objective(), "g": ca.vertcat(*self.terms)}, options)

    def guess(self) -> Array:
        """The sketch: the wished-for course, its footsteps, and the weight shared by the feet that are down."""
        f = np.zeros((3, 5 * self.w))
        for w, nodes in enumerate(self.nodes):
            for j in range(1, SEGMENTS):
                down = ((self.h.windows[:, 0] < nodes[j]) & (nodes[j] < self.h.windows[:, 1])).sum()
                f[2, 5 * w + j] = 1.0 / down
        place = np.stack([s.position for s in self.h.stances], 1)
        return np.concatenate([a.ravel("F") for a in (self.wish_q, self.wish_qd, f, 0 * f, place)])

    def trial(self, x: Array, seconds: float, solved: bool) -> Trial:
        """The splines that the variables stand for."""
        sizes = np.cumsum([6 * self.n, 6 * self.n, 15 * self.w, 15 * self.w])
        q, qd, f, fd, place = (part.reshape(-1, rows) for part, rows in zip(np.split(x, sizes), (6, 6, 3, 3, 3), strict=True))
        curves = [CubicHermiteSpline(nodes, f[5 * w:5 * w + 5], fd[5 * w:5 * w + 5], extrapolate=False)
                  for w, nodes in enumerate(self.nodes)]
        points = np.stack([place[s] + self.h.stances[s].points[k]
                           for s, k in zip(self.h.window_stance, self.h.window_point, strict=True)])
        shift = place - np.stack([s.position for s in self.h.stances])
        way = SplineWay(CubicHermiteSpline(self.keys, q, qd), self.h.state, inertia_of(self.h))
        return Trial(points, lambda t: np.nan_to_num(np.stack([c(t) for c in curves], 1)), way.claim, shift, seconds, solved)
