"""Joint torques that reproduce ideal forces on the end effectors (Wu and Popović 2010, section 6).

The four frames of a foot are fixed to a rigid part, so the forces on them that joint torques can
exert form a space of at most six dimensions for each foot: an orthonormal basis of it, constant in
the axes of the foot, replaces the null space of the paper's equation 5d. With f = U z the program
has twelve unknowns z.
"""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag
from scipy.linalg.lapack import dposv, dpotrf

from ...geometry import so3
from .biped import Biped
from .biped_model import FootFrames

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ForceSolverParameters:
    """Numbers of the quadratic program, for the body of the reference size.

    Args:
        max_force: of a frame along each axis, equation 5b [N]; section 6.2
        min_singular_value: of the Jacobian; forces of smaller ones have no torques [m], which is
            equation 5d. A straight knee has 0.
        damping: of the inverse that keeps torques which bend knees out of the end effectors [m].
            Numerical: twice the least singular value, without which it is singular at straight
            knees.
        regularization: added to the Hessian. Numerical: forces that two pinned feet exert against
            each other cost nothing otherwise.
        friction: share of the normal force that a pinned foot may push along the ground, less than
            the coefficient of 1 of the paper's simulation (appendix C).
        twist_arm: yaw moment of a pinned foot by its normal force [m]: with `friction` a lever of
            9 cm, a third of a sole.
        pressure_margin: least distance of the center of pressure from the ends of a pinned sole.
            Tuned: without it feet stand on their heels with the toes up when the body is to be
            pushed ahead [m].
    """

    max_force: float = 2000.0
    min_singular_value: float = 1e-2
    damping: float = 0.02
    regularization: float = 1e-6
    friction: float = 0.8
    twist_arm: float = 0.07
    pressure_margin: float = 0.03


FORCES = ForceSolverParameters()
# Part of a sole that carries where its toes or its heel alone are pinned [1]: these and the middle.
PINNED_SHARE = 0.6
# Diagonal matrices of the squares of two parameters (12, 12) [m^2]
THRESHOLD = FORCES.min_singular_value**2 * np.eye(12)
DAMPING = FORCES.damping**2 * np.eye(12)


@dataclass(frozen=True)
class ForceProblem:
    """What the feet and the upper body shall experience, in one instant.

    Args:
        jacobian: (12, joints) twists of both feet, each in its axes and at the ankle, by joint
            velocities: linear velocity, then angular.
        rotation: (2, 3, 3) feet to world.
        arm: (2, 3) from the center of the upper body to the ankles [m].
        body_force: (6,) ideal force and torque on the upper body [N], [N m].
        foot_force: (2, 12) ideal forces on the frames, in the axes of the feet [N].
        pinned: (2, 4) whether a frame is pinned to the ground.
        body_weight: W of the upper body in equation 5a.
        bending: (joints,) torques that bend straight knees, which leave the end effectors alone;
            None for none [N m].
    """

    jacobian: Array
    rotation: Array
    arm: Array
    body_force: Array
    foot_force: Array
    pinned: NDArray[np.bool_]
    body_weight: float
    bending: Array | None = None


@dataclass(frozen=True)
class ForceSolution:
    """Result of the quadratic program.

    Args:
        torque: (joints,) [N m].
        force: (2, 12) forces on the frames, in the axes of the feet [N].
        body_error: (6,) ideal minus exerted force and torque on the upper body.
        foot_error: (2, 12) the same of the frames; 0 for pinned ones.
    """

    torque: Array
    force: Array
    body_error: Array
    foot_error: Array


@dataclass(frozen=True)
class PinnedPattern:
    """Parts of the program that depend on nothing but which frames are pinned.

    Args:
        free: (2, 12) 1 for the forces of frames that are not pinned.
        masked_basis: (2, 6, 12) map from ideal forces on these frames to the gradient.
        gram: (12, 12) Hessian of their errors.
        pressure: (n, 12) rows whose products with z must not be positive.
        lower, upper: (24 + joints + n,) bounds of forces, torques and pressure.
        sense: (24 + joints + n,) kinds of these bounds for the solver: inequalities.
    """

    free: Array
    masked_basis: Array
    gram: Array
    pressure: Array
    lower: Array
    upper: Array
    sense: NDArray[np.int32]


class ForceSolver:
    """Solver of the quadratic program of one body.

    Args:
        max_torque: (joints,) [N m].
    """

    def __init__(self, biped: Biped, frames: FootFrames, max_torque: Array) -> None:
        self._sole = biped.sole
        self._is_toe = frames.is_toe
        self._max_torque = max_torque
        self._min_torque = -max_torque
        # (12, 6) velocities of the frames of a foot by its twist
        twist_map = np.concatenate(
            [np.tile(np.eye(3), (4, 1)), -so3.hat(frames.offsets).reshape(12, 3)], 1
        )
        basis, twist_basis = np.linalg.qr(twist_map)
        self._basis = basis
        self._twist_basis = twist_basis
        resultant = basis.reshape(4, 3, 6).sum(0)
        moment = (so3.hat(frames.offsets) @ basis.reshape(4, 3, 6)).sum(0)
        self._wrench = np.stack([resultant, moment])  # (2, 3, 6) force and moment on a foot
        self._patterns: dict[bytes, PinnedPattern] = {}  # by the pinned frames, made when needed
        self._force_rows = block_diag(basis, basis)  # (24, 12)

    def solve(self, problem: ForceProblem) -> ForceSolution:
        """Return the torques and forces that reproduce the ideal forces best (equation 5)."""
        pattern = self._find_pattern(problem.pinned)
        # (12, joints), U^T J
        map_to_torque = (self._twist_basis @ problem.jacobian.reshape(2, 6, -1)).reshape(12, -1)
        body_map = self._make_body_map(problem)
        hessian = problem.body_weight * (body_map.T @ body_map)
        hessian += pattern.gram
        gradient = problem.body_weight * (problem.body_force @ body_map)
        gradient -= (pattern.masked_basis @ problem.foot_force[:, :, None]).ravel()
        gram = map_to_torque @ map_to_torque.T
        z = self._minimize(gram, hessian, gradient, map_to_torque, pattern)
        torque = z @ map_to_torque
        if problem.bending is not None:
            torque += self._project_bending(problem.bending, gram, map_to_torque)
            np.maximum(torque, self._min_torque, out=torque)
            np.minimum(torque, self._max_torque, out=torque)
        force = z.reshape(2, 6) @ self._basis.T
        return ForceSolution(
            torque,
            force,
            problem.body_force + body_map @ z,
            (problem.foot_force - force) * pattern.free,
        )

    def _make_body_map(self, problem: ForceProblem) -> Array:
        """Return the force and torque that the feet receive from the upper body, by z (6, 12)."""
        out = problem.rotation[:, None] @ self._wrench  # foot, force or moment, component, z
        force = out[:, 0]
        moment = out[:, 1]
        moment += so3.hat(problem.arm) @ force
        return out.transpose(1, 2, 0, 3).reshape(6, 12)

    def _minimize(
        self,
        gram: Array,
        hessian: Array,
        gradient: Array,
        map_to_torque: Array,
        pattern: PinnedPattern,
    ) -> Array:
        """Return the z (12,) of least error within the bounds.

        Args:
            gram: (12, 12) of the map from z to torques, whose null space z must not enter.
        """
        space = _find_reachable(gram)
        h = hessian if space is None else space.T @ hessian @ space
        g = gradient if space is None else space.T @ gradient
        h.ravel()[:: len(h) + 1] += FORCES.regularization
        z = dposv(h, -g)[1]
        if space is not None:
            z = space @ z
        is_pressed = len(pattern.pressure) == 0 or (pattern.pressure @ z).max() <= 0.0
        if is_pressed and self._measure_share(z, map_to_torque) <= 1.0:
            return np.asarray(z)
        rows = np.concatenate([self._force_rows, map_to_torque.T, pattern.pressure])
        solution, _, flag, _ = daqp.solve(
            h,
            g,
            rows if space is None else np.ascontiguousarray(rows @ space),
            pattern.upper,
            pattern.lower,
            pattern.sense,
        )
        if flag > 0:
            return np.asarray(solution if space is None else space @ solution)
        return np.asarray(z / max(1.0, self._measure_share(z, map_to_torque)))

    def _measure_share(self, z: Array, map_to_torque: Array) -> float:
        """Return the largest force or torque by z (12,) as a share of its bound."""
        return max(
            float(np.abs(z.reshape(2, 6) @ self._basis.T).max()) / FORCES.max_force,
            float((np.abs(z @ map_to_torque) / self._max_torque).max()),
        )

    def _find_pattern(self, pinned: NDArray[np.bool_]) -> PinnedPattern:
        """Return the parts of the program for pinned frames (2, 4)."""
        key = pinned.tobytes()
        pattern = self._patterns.get(key)
        if pattern is None:
            pattern = self._patterns[key] = self._make_pattern(pinned)
        return pattern

    def _make_pattern(self, pinned: NDArray[np.bool_]) -> PinnedPattern:
        """Compute the parts of the program for pinned frames (2, 4)."""
        free = np.repeat(1.0 - pinned, 3, axis=1)
        masked_basis = np.swapaxes(self._basis * free[..., None], 1, 2)
        pressure = block_diag(*(self._make_pressure_rows(foot) for foot in pinned))
        bounds = np.concatenate([np.full(24, FORCES.max_force), self._max_torque])
        return PinnedPattern(
            free,
            masked_basis,
            gram=block_diag(*(masked_basis @ self._basis)),
            pressure=pressure,
            lower=np.concatenate([-bounds, np.full(len(pressure), -1e30)]),
            upper=np.concatenate([bounds, np.zeros(len(pressure))]),
            sense=np.zeros(len(bounds) + len(pressure), np.int32),
        )

    def _make_pressure_rows(self, pinned: NDArray[np.bool_]) -> Array:
        """Return rows whose products with the z of a pinned foot must not be positive.

        They keep the center of pressure within the part of the sole that touches the ground, and
        its force within the friction cone. The foot pushes on the ground with the force that it
        receives from the upper body.

        Args:
            pinned: (4,) whether a frame is pinned.
        """
        if not pinned.any():
            return np.zeros((0, 6))
        sole = self._sole
        has_toe = bool((pinned & self._is_toe).any())
        has_heel = bool((pinned & ~self._is_toe).any())
        margin = FORCES.pressure_margin
        rear = sole.heel + margin if has_heel else sole.tip - PINNED_SHARE * sole.length
        front = sole.tip - margin if has_toe else sole.heel + PINNED_SHARE * sole.length
        fx, fy, fz, mx, my, mz = self._wrench.reshape(6, 6)
        along = -sole.ankle_height * fx - my  # place of the pressure along x, times fz < 0
        across = mx - sole.ankle_height * fy
        grip = FORCES.friction
        return np.array(
            [
                fz,
                front * fz - along,
                along - rear * fz,
                sole.half_width * fz - across,
                sole.half_width * fz + across,
                grip * fz + fx,
                grip * fz - fx,
                grip * fz + fy,
                grip * fz - fy,
                FORCES.twist_arm * fz + mz,
                FORCES.twist_arm * fz - mz,
            ]
        )

    def _project_bending(self, bending: Array, gram: Array, map_to_torque: Array) -> Array:
        """Return the part of torques that has no force on the frames (equation 12)."""
        force = dposv(gram + DAMPING, map_to_torque @ bending)[1]
        return np.asarray(bending - force @ map_to_torque)


def _find_reachable(gram: Array) -> Array | None:
    """Return a basis (12, k) of the forces that have torques, or None for all forces.

    Args:
        gram: (12, 12) of the map to torques.
    """
    if dpotrf(gram - THRESHOLD)[1] == 0:
        return None
    values, vectors = np.linalg.eigh(gram)
    return np.asarray(vectors[:, values > FORCES.min_singular_value**2])
