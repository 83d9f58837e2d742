"""Poses of the full body that follow targets, solved window by window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel
from .objective import BodyObjective, CostExpansion, PreviousFrame
from .targets import BodyTargets
from .weights import BodyWeights
from .window import solve_window_step

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SolverParameters:
    """Parameters of the Gauss-Newton iterations.

    Half or twice of numbers without a note moves links by at most 2 cm (docs/dev/parameters.csv);
    of `damping_factor` by 5 cm.
    """

    # Duration of a window [s]. Memory grows with it, and there are fewer seams.
    window_time: float = 6.0
    # Least number of frames in a window. tuned: windows of small animals held 33 frames, for which
    # the fixed costs of a window count
    min_window_frames: int = 120
    # Time solved beyond a window, so that its end is not the end of what is solved [s]
    lookahead_time: float = 0.4
    # Number of frames below which the remainder of a clip is part of the last window
    min_remaining_frames: int = 8
    # Largest change of a joint in one step [rad]
    max_joint_step: float = 0.5
    # Error of contacts before the last step, as a share of the tolerance. The step reduces the
    # error to its square.
    contact_tolerance_share: float = 0.3
    # Relative change of the cost below which an iteration has stalled, as with legs that cannot
    # reach and only alternate
    stalled_cost_change: float = 3e-3
    # Share of the previous contact error above which a stalled iteration ends
    stalled_error_ratio: float = 0.5
    # Growth of the cost above which a step is undone. tuned: fast heavy legs of a quadruped
    # alternated between the ends of their ranges, and the center of mass with them
    max_cost_growth: float = 1.2
    # Relative gain of a step below which the iteration ends if the contacts are met. tuned: a few
    # frames of a gallop alternated for all of eight steps while the cost did not change
    min_cost_gain: float = 0.06
    # Error of contacts below which the cost alone decides whether a step is undone [m] or [rad]
    small_contact_error: float = 0.05
    # Damping of the step that replaces an undone step
    initial_damping: float = 10.0
    # Factor of the damping after a step that is undone; its inverse after any other step
    damping_factor: float = 4.0
    # Damping of last steps that only meet the contacts. tuned: windows ended with feet off their
    # places
    final_damping: float = 100.0
    # Largest number of such steps. tuned: with 1, a foot of a run that stops slid by 1.5 mm,
    # test_engine.py
    max_final_steps: int = 4
    # Number of first steps that are not undone and do not end the iteration for lack of gain.
    # tuned: with its first step undone, a lamp ended 20 mm in the ground
    min_steps: int = 2


SOLVER = SolverParameters()


@dataclass(frozen=True)
class BodyProblem:
    """Poses to solve for.

    Args:
        model: body.
        targets: targets of n frames.
        weights: weights of the terms.
        previous: frame before the first one, or None at the start of a clip.
    """

    model: KinematicModel
    targets: BodyTargets
    weights: BodyWeights
    previous: PreviousFrame | None = None


@dataclass(frozen=True)
class IterationLimits:
    """When the iterations of a window end."""

    steps: int  # Largest number of Gauss-Newton steps, at least 1
    tolerance: float = 1e-3  # Root mean square change of a pose coordinate [m] or [rad]
    # Whether contacts must be met exactly, even if the poses have not converged. Poses that another
    # pass starts from need not.
    meets_contacts: bool = True


@dataclass(frozen=True)
class SolvedPoses:
    """Poses of all frames, and figures of the iterations."""

    poses: Array  # (n, nq)
    steps: int  # Number of Gauss-Newton steps in all windows
    last_change: float  # Root mean square change of the last step [m] or [rad]


def solve_body(
    problem: BodyProblem,
    initial_poses: Array,
    limits: IterationLimits,
    progress: Callable[[float], None] = lambda share: None,
) -> SolvedPoses:
    """Return the poses of a whole clip.

    Args:
        problem: targets and weights of n frames.
        initial_poses: poses to start from, such as the reference of the targets, shape (n, nq).
        limits: limits of the iterations of each window.
        progress: called with the share of the frames that are solved.
    """
    model = problem.model
    targets = problem.targets
    previous = problem.previous
    dt = float(targets.time[1] - targets.time[0])
    window_frames = max(int(SOLVER.window_time / dt), SOLVER.min_window_frames)
    lookahead_frames = int(np.ceil(SOLVER.lookahead_time / dt))
    n = len(targets.time)
    poses = initial_poses.copy()
    step_count = 0
    change = 0.0
    for begin in range(0, n, window_frames):
        end = min(begin + window_frames + lookahead_frames, n)
        if n - end < SOLVER.min_remaining_frames:
            end = n
        if begin > 0:
            previous = PreviousFrame(
                poses[begin - 1], targets.reference[begin - 1], targets.momentum[begin - 1]
            )
        objective = BodyObjective(
            model, targets.slice_frames(begin, end), problem.weights, previous
        )
        solved = _iterate_window(objective, poses[begin:end], limits)
        poses[begin:end] = solved.poses
        step_count = step_count + solved.steps
        change = solved.last_change
        progress(min(begin + window_frames, n) / n)
        if end == n:
            break
    return SolvedPoses(poses, step_count, change)


def _iterate_window(objective: BodyObjective, poses: Array, limits: IterationLimits) -> SolvedPoses:
    """Return the poses of one window after steps that no longer change or improve them.

    Args:
        objective: cost of n frames.
        poses: initial poses, shape (n, nq).
        limits: limits of the iterations.
    """
    iteration = _WindowIteration(objective, poses)
    contact_tolerance = SOLVER.contact_tolerance_share * limits.tolerance
    while iteration.step_count < limits.steps:
        iteration.advance()
        if iteration.is_done(limits):
            break
    if limits.meets_contacts and iteration.contact_error > contact_tolerance:
        iteration.meet_contacts(contact_tolerance)
    return SolvedPoses(iteration.poses, iteration.step_count, iteration.change)


class _WindowIteration:
    """Gauss-Newton steps over one window.

    A step that increases the cost, as where joints alternate between the ends of their ranges, is
    undone and replaced by a damped step (Levenberg-Marquardt). The damping then decreases again.

    Args:
        objective: cost of n frames.
        poses: initial poses, shape (n, nq).
    """

    def __init__(self, objective: BodyObjective, poses: Array) -> None:
        self.objective = objective
        self.poses = poses
        self.step_count = 0
        self.change = 0.0  # Root mean square change of the last step [m] or [rad]
        self.contact_error = np.inf  # Largest error of a contact before the last step
        self._cost = np.inf  # Cost before the last step
        self._previous_cost = np.inf
        self._previous_error = np.inf
        self._was_undone = False
        self._damping = 0.0
        self._expansion: CostExpansion | None = None  # At the poses before the last step
        self._expanded_poses = poses

    def advance(self) -> None:
        """Take a step from the current poses, or a shorter one from those before."""
        self.step_count += 1
        expansion = self.objective.expand(self.poses)
        self._was_undone = (
            self.step_count > SOLVER.min_steps
            and expansion.cost > SOLVER.max_cost_growth * self._cost
            and expansion.max_contact_error < SOLVER.small_contact_error
        )
        if self._expansion is not None and self._was_undone:
            expansion = self._expansion
            self.poses = self._expanded_poses
            self._damping = max(SOLVER.initial_damping, SOLVER.damping_factor * self._damping)
        else:
            is_damped = self._damping > SOLVER.initial_damping / SOLVER.damping_factor
            self._damping = self._damping / SOLVER.damping_factor if is_damped else 0.0
        x = solve_window_step(
            _add_damping(expansion, self._damping) if self._damping else expansion,
            self.objective.targets.time,
        )
        largest = np.abs(x[:, 3:]).max(1, keepdims=True)
        x *= np.minimum(1.0, SOLVER.max_joint_step / np.maximum(largest, 1e-12))
        self._expansion = expansion
        self._expanded_poses = self.poses
        self.poses = self.objective.model.integrate(self.poses, x)
        self.change = float(np.sqrt((x * x).mean()))
        self._previous_cost = self._cost
        self._previous_error = self.contact_error
        self._cost = expansion.cost
        self.contact_error = expansion.max_contact_error

    def is_done(self, limits: IterationLimits) -> bool:
        """Return whether the last step was small, gained little or has stalled."""
        gain = self._previous_cost - self._cost
        is_stalled = (
            not self._was_undone
            and abs(gain) < SOLVER.stalled_cost_change * self._cost
            and self.contact_error > SOLVER.stalled_error_ratio * self._previous_error
        )
        is_idle = (
            not self._was_undone
            and gain < SOLVER.min_cost_gain * self._cost
            and self.step_count > SOLVER.min_steps
        )
        are_contacts_met = (
            not limits.meets_contacts
            or self.contact_error < SOLVER.contact_tolerance_share * limits.tolerance
        )
        return is_stalled or ((self.change < limits.tolerance or is_idle) and are_contacts_met)

    def meet_contacts(self, tolerance: float) -> None:
        """Take strongly damped steps until the contacts are met.

        A step reduces an error to its square, so small errors are not measured again. Each frame
        keeps the poses with its least error: contacts out of reach are met by no step, and each
        step may increase their errors.

        Args:
            tolerance: error of contacts that are met [m] or [rad].
        """
        best_poses = self.poses
        best_errors = np.full(len(self.poses), np.inf)
        for step in range(SOLVER.max_final_steps + 1):
            expansion = self.objective.expand(self.poses)
            errors = expansion.contact_errors
            is_better = errors < np.maximum(best_errors, tolerance)
            best_poses = np.where(is_better[:, None], self.poses, best_poses)
            best_errors = np.where(is_better, errors, best_errors)
            largest = float(errors.max(initial=0.0))
            if largest <= tolerance or step == SOLVER.max_final_steps:
                break
            x = solve_window_step(
                _add_damping(expansion, SOLVER.final_damping), self.objective.targets.time
            )
            self.poses = self.objective.model.integrate(self.poses, x)
            self.step_count += 1
            if largest**2 <= tolerance:
                best_poses = self.poses
                break
        self.poses = best_poses
        self.contact_error = float(best_errors.max(initial=0.0))


def _add_damping(expansion: CostExpansion, damping: float) -> CostExpansion:
    """Return an expansion with a cost of changes."""
    return replace(
        expansion, diagonal=expansion.diagonal + damping * np.eye(expansion.diagonal.shape[-1])
    )
