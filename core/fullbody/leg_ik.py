"""Inverse kinematics of legs with any joints, by damped least squares for all frames at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel
from ..geometry import so3
from .foot_path import FootPath, FootSupport
from .leg_chain import Index, LegKinematics, LegPlacement
from .stride_path import get_tracked_point

Array = NDArray[np.float64]

# Largest number of iterations. Numerical: they end as soon as a foot is at its place.
MAX_ROUNDS = 12


@dataclass(frozen=True)
class LegIKParameters:
    """Parameters of the iteration. Lengths are in leg lengths.

    These are poses to start from: half or twice of damping, step and tolerance moves a solved dog
    by at most 12 mm (docs/dev/parameters.csv).
    """

    # Iteration before which legs that have not come close restart from another frame. tuned: six
    # iterations left legs of a gallop up to 0.9 m off, caught at the limits of their joints
    restart_round: int = 6
    # Damping. A smaller one makes a stretched leg oscillate.
    damping_ratio: float = 0.03
    # Largest rotation of a joint in one iteration [rad]
    max_joint_step: float = 0.5
    # Length that counts as much as a rotation of the sole by one radian
    rotation_scale: float = 0.3
    # Error of a foot below which its frame has converged
    converged_error: float = 5e-4
    # Error of a foot above which its leg restarts
    lost_error: float = 0.05
    # Angle from the end of its range within which a hinge is at its limit [rad]
    bound_tolerance: float = 1e-6


LEG_IK = LegIKParameters()


def solve_leg_ik(
    model: KinematicModel,
    poses: Array,
    com: Array,
    feet: tuple[FootPath, ...],
    rounds: int = MAX_ROUNDS,
) -> Array:
    """Return poses (n, nq) with given centers of mass and feet on their paths.

    Legs that do not converge, as they are caught at the limits of their joints, restart from the
    nearest frame whose legs have converged.

    Args:
        model: body.
        poses: initial poses, shape (n, nq).
        com: center of mass [m], shape (n, 3).
        feet: path of each foot.
        rounds: largest number of iterations.
    """
    n = len(poses)
    poses = poses.copy()
    leg_length = model.character.leg_length
    solver = _LegSolver.from_model(model, poses, feet)
    errors = np.full((n, len(feet)), np.inf)
    active = np.arange(n)
    for k in range(rounds):
        if k == LEG_IK.restart_round:
            _restart_lost_legs(solver, poses, errors, LEG_IK.lost_error * leg_length)
        step = solver.compute_step(poses[active], active, com[active])
        errors[active] = step.errors
        poses[active] = solver.clamp_to_ranges(model.integrate(poses[active], step.change))
        tolerance = LEG_IK.converged_error * leg_length
        active = active[(errors[active].max(1) > tolerance) | (step.root_shift > tolerance)]
        if not active.size:
            break
    return poses


@dataclass(frozen=True)
class _PoseStep:
    """One iteration of k frames."""

    change: Array  # Change of the poses, (k, nv)
    errors: Array  # Distance of each foot from its place before the step [m], (k, feet)
    root_shift: Array  # Distance by which the root moves [m], (k,)


@dataclass(frozen=True)
class _LegStep:
    """One iteration of a leg with d degrees of freedom, in k frames."""

    change: Array  # Change of its joints [rad], (k, d)
    error: Array  # Distance of the foot from its place before the step [m], (k,)


@dataclass(frozen=True)
class _FootError:
    """Difference of a foot from its place in k frames, with r rows."""

    jacobian: Array  # Derivative of the foot with respect to the joints, (k, r, d)
    error: Array  # Position [m], and rotation times a length [m] if the foot has a sole, (k, r)


@dataclass(frozen=True)
class _LegSolver:
    """All legs of a body in n frames. The rotation and the joints of the trunk are given."""

    model: KinematicModel
    feet: tuple[FootPath, ...]
    chains: tuple[LegKinematics, ...]
    trunk_moment: Array  # Mass times position, relative to the root, without legs [kg m], (n, 3)

    @staticmethod
    def from_model(model: KinematicModel, poses: Array, feet: tuple[FootPath, ...]) -> _LegSolver:
        """Return the solver for poses (n, nq)."""
        placed = model.compute_link_poses(poses)
        chains = tuple(
            LegKinematics.from_model(model, k, placed, get_tracked_point(foot))
            for k, foot in enumerate(model.character.feet)
        )
        frames = np.arange(len(poses))
        total_moment = model.character.mass * (placed.com - placed.origin[:, 0])
        return _LegSolver(
            model,
            feet,
            chains,
            total_moment - sum(chain.place(poses, frames).mass_moment for chain in chains),
        )

    def compute_step(self, poses: Array, frames: Index, com: Array) -> _PoseStep:
        """Return the next step of some frames.

        Args:
            poses: current poses, shape (k, nq).
            frames: indices of the k frames.
            com: target of the center of mass [m], shape (k, 3).
        """
        placed = [chain.place(poses, frames) for chain in self.chains]
        com_from_root = (
            self.trunk_moment[frames] + sum(leg.mass_moment for leg in placed)
        ) / self.model.character.mass
        root_position = com - com_from_root
        change = np.zeros((len(frames), self.model.nv))
        change[:, :3] = root_position - poses[:, :3]
        errors = np.empty((len(frames), len(placed)))
        for k, (leg, chain) in enumerate(zip(placed, self.chains, strict=True)):
            error = self._measure_foot_error(k, leg, frames, root_position)
            step = self._step_leg(chain, error, poses)
            change[:, chain.dofs] = step.change
            errors[:, k] = step.error
        return _PoseStep(change, errors, np.linalg.norm(change[:, :3], axis=1))

    def _measure_foot_error(
        self, k: int, leg: LegPlacement, frames: Index, root_position: Array
    ) -> _FootError:
        """Return how far the foot of leg k is from its path.

        Args:
            k: index of the leg.
            leg: leg in the frames.
            frames: indices of the frames.
            root_position: position of the root in each of these frames [m].
        """
        path = self.feet[k]
        jacobian = leg.end_jacobian
        error = path.origin[frames] - root_position - leg.end
        if not self.model.character.feet[k].is_point:
            scale = LEG_IK.rotation_scale * self.model.character.leg_length
            rotation_error = so3.log(path.rotation[frames] @ np.swapaxes(leg.rotation, 1, 2))
            jacobian = np.concatenate([jacobian, scale * leg.axes], 1)
            error = np.concatenate([error, scale * rotation_error], 1)
        error = np.where((path.support[frames] == FootSupport.FREE)[:, None], 0.0, error)
        return _FootError(jacobian, error)

    def _step_leg(self, chain: LegKinematics, foot: _FootError, poses: Array) -> _LegStep:
        """Return the step of a leg's joints that moves its foot to its place.

        Args:
            chain: leg.
            foot: difference of the foot from its place.
            poses: current poses, shape (k, nq).
        """
        damping = LEG_IK.damping_ratio * self.model.character.leg_length
        step = _solve_damped(foot.jacobian, foot.error, damping)
        angle = poses[:, chain.coordinates]
        turn = step[:, chain.hinge_dofs]
        at_limit = ((angle > chain.upper - LEG_IK.bound_tolerance) & (turn > 0)) | (
            (angle < chain.lower + LEG_IK.bound_tolerance) & (turn < 0)
        )
        # Hinges of the hip stay: without one of them, the others would turn the leg inside out.
        at_limit &= chain.is_below_hip
        limited = np.flatnonzero(at_limit.any(1))
        if limited.size:  # Solve again without the hinges that are at their limits.
            free = np.ones((len(limited), foot.jacobian.shape[2]))
            free[:, chain.hinge_dofs] -= at_limit[limited]
            step[limited] = _solve_damped(
                foot.jacobian[limited] * free[:, None], foot.error[limited], damping
            )
        largest = np.abs(step).max(1, keepdims=True)
        max_step = LEG_IK.max_joint_step
        return _LegStep(
            step * np.minimum(1.0, max_step / np.maximum(largest, max_step)),
            np.linalg.norm(foot.error, axis=1),
        )

    def clamp_to_ranges(self, poses: Array) -> Array:
        """Return the poses with hinges limited to their ranges. Changes `poses` in place."""
        for chain in self.chains:
            poses[:, chain.coordinates] = np.clip(
                poses[:, chain.coordinates], chain.lower, chain.upper
            )
        return poses


def _solve_damped(jacobian: Array, error: Array, damping: float) -> Array:
    """Return the damped least-squares step (n, d) for errors (n, r) and Jacobians (n, r, d)."""
    transpose = np.swapaxes(jacobian, 1, 2)
    square = jacobian @ transpose + damping**2 * np.eye(jacobian.shape[1])
    return np.asarray((transpose @ np.linalg.solve(square, error[..., None]))[..., 0])


def _restart_lost_legs(legs: _LegSolver, poses: Array, errors: Array, lost_error: float) -> None:
    """Set the hinges of each lost leg to those of the nearest frame whose leg is not lost.

    Args:
        legs: legs.
        poses: poses, shape (n, nq). Written.
        errors: distance of each foot from its place [m], shape (n, feet).
        lost_error: distance above which a leg is lost [m].
    """
    for chain, leg_error in zip(legs.chains, errors.T, strict=True):
        lost_frames = np.flatnonzero(leg_error > lost_error)
        solved_frames = np.flatnonzero(leg_error <= lost_error)
        if lost_frames.size and solved_frames.size:
            nearest = solved_frames[np.abs(lost_frames[:, None] - solved_frames).argmin(1)]
            poses[lost_frames[:, None], chain.coordinates] = poses[
                nearest[:, None], chain.coordinates
            ]
