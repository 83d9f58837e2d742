"""Poses whose legs, of any joints, are led to where their feet are to be:
damped least squares for all frames at once.
"""

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

MAX_ROUNDS = 12
RESTART_ROUND = 6  # of them, after which legs that are lost begin again
DAMPING_SHARE = 0.03  # of a leg's length: less, and a stretched leg swings about
MAX_JOINT_STEP = 0.5  # rad a joint turns by in a round
ROTATION_SCALE = 0.3  # leg lengths, what a rad of a sole counts against a length
CONVERGED_ERROR = 5e-4  # leg lengths by which a foot is off when its frame is done
# leg lengths by which it is still off when it is lost and had better set out
# from another frame's pose
LOST_ERROR = 0.05
BOUND_TOLERANCE = 1e-6  # rad from the end of its range that a hinge is at it


def solve_leg_ik(
    model: KinematicModel,
    poses: Array,
    com: Array,
    feet: tuple[FootPath, ...],
    rounds: int = MAX_ROUNDS,
) -> Array:
    """Poses moved so that the centre of mass is in its place,
    with legs that end where the feet's ways are. (n, nq).

    Legs that come to nothing, caught at the ends of their joints' ranges, begin again as the
    nearest frame has them that did arrive.

    Args:
        com: (n, 3).
    """
    poses, n, leg_length = poses.copy(), len(poses), model.character.leg_length
    solver = _LegSolver.from_model(model, poses, feet)
    errors = np.full((n, len(feet)), np.inf)
    active = np.arange(n)
    for k in range(rounds):
        if k == RESTART_ROUND:
            _restart_lost_legs(solver, poses, errors, LOST_ERROR * leg_length)
        change, errors[active], shift = solver.compute_step(poses[active], active, com[active])
        poses[active] = solver.clamp_to_ranges(model.integrate(poses[active], change))
        active = active[
            (errors[active].max(1) > CONVERGED_ERROR * leg_length)
            | (shift > CONVERGED_ERROR * leg_length)
        ]
        if not active.size:
            break
    return poses


@dataclass(frozen=True)
class _LegSolver:
    """All legs of a body whose trunk stands as it does but for its place."""

    model: KinematicModel
    feet: tuple[FootPath, ...]
    chains: tuple[LegKinematics, ...]
    trunk_moment: Array  # (n, 3) mass times place against the root of all but the legs, kg m

    @staticmethod
    def from_model(model: KinematicModel, poses: Array, feet: tuple[FootPath, ...]) -> _LegSolver:
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

    def compute_step(self, poses: Array, frames: Index, com: Array) -> tuple[Array, Array, Array]:
        """How poses (n, nq) of the frames `frames` change, how far each foot is off, and the root.
        (n, nv), (n, feet), (n,).
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
            change[:, chain.dofs], errors[:, k] = self._step_leg(
                k, leg, poses, frames=frames, root_position=root_position
            )
        return change, errors, np.linalg.norm(change[:, :3], axis=1)

    def _step_leg(
        self, k: int, leg: LegPlacement, poses: Array, frames: Index, root_position: Array
    ) -> tuple[Array, Array]:
        """Change of a leg's joints that leads its foot to its place,
        and how far that is off. (n, d), (n,).
        """
        path = self.feet[k]
        chain = self.chains[k]
        leg_length = self.model.character.leg_length
        jacobian = leg.end_jacobian
        error = path.origin[frames] - root_position - leg.end
        if not self.model.character.feet[k].is_point:
            rotation_error = so3.log(path.rotation[frames] @ np.swapaxes(leg.rotation, 1, 2))
            jacobian = np.concatenate([jacobian, ROTATION_SCALE * leg_length * leg.axes], 1)
            error = np.concatenate([error, ROTATION_SCALE * leg_length * rotation_error], 1)
        error = np.where((path.support[frames] == FootSupport.FREE)[:, None], 0.0, error)
        step = _solve_damped(jacobian, error, DAMPING_SHARE * leg_length)
        angle = poses[:, chain.coordinates]
        turn = step[:, chain.hinge_dofs]
        at_limit = ((angle > chain.upper - BOUND_TOLERANCE) & (turn > 0)) | (
            (angle < chain.lower + BOUND_TOLERANCE) & (turn < 0)
        )
        # hips share what they do: without one, the others turn a leg inside out
        at_limit &= chain.is_below_hip
        limited = np.flatnonzero(at_limit.any(1))
        if limited.size:  # the others go on without those that can go no further
            free = np.ones((len(limited), jacobian.shape[2]))
            free[:, chain.hinge_dofs] -= at_limit[limited]
            step[limited] = _solve_damped(
                jacobian[limited] * free[:, None], error[limited], DAMPING_SHARE * leg_length
            )
        largest = np.abs(step).max(1, keepdims=True)
        return step * np.minimum(
            1.0, MAX_JOINT_STEP / np.maximum(largest, MAX_JOINT_STEP)
        ), np.linalg.norm(error, axis=1)

    def clamp_to_ranges(self, poses: Array) -> Array:
        """The same poses with hinges that keep their ranges."""
        for chain in self.chains:
            poses[:, chain.coordinates] = np.clip(
                poses[:, chain.coordinates], chain.lower, chain.upper
            )
        return poses


def _solve_damped(jacobian: Array, error: Array, damping: float) -> Array:
    """The step that leads a distance away (n, r) by slopes (n, r, d), kept short. (n, d)."""
    transpose = np.swapaxes(jacobian, 1, 2)
    square = jacobian @ transpose + damping**2 * np.eye(jacobian.shape[1])
    return np.asarray((transpose @ np.linalg.solve(square, error[..., None]))[..., 0])


def _restart_lost_legs(legs: _LegSolver, poses: Array, errors: Array, lost_error: float) -> None:
    """Give each leg that is lost the hinges of the nearest frame in time whose leg is not."""
    for chain, leg_error in zip(legs.chains, errors.T, strict=True):
        lost_frames = np.flatnonzero(leg_error > lost_error)
        solved_frames = np.flatnonzero(leg_error <= lost_error)
        if lost_frames.size and solved_frames.size:
            nearest = solved_frames[np.abs(lost_frames[:, None] - solved_frames).argmin(1)]
            poses[lost_frames[:, None], chain.coordinates] = poses[
                nearest[:, None], chain.coordinates
            ]
