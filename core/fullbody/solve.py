"""Poses that fulfil a wish, window after window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel
from .objective import BodyObjective, CostExpansion
from .targets import BodyTargets
from .weights import BodyWeights
from .window import solve_window_step

Array = NDArray[np.float64]

WINDOW_TIME = 6.0  # s solved at once; memory grows with it, seams with its inverse
# frames, where few make up that time: what a window costs of itself would count
MIN_WINDOW_FRAMES = 120
# s solved beyond what is kept, so that a window's end does not know that it is one
LOOKAHEAD_TIME = 0.4
MAX_JOINT_STEP = 0.5  # rad that a joint may change in one step
# of the tolerance by which a contact may have been missed before the last step:
# after it, by its square
CONTACT_TOLERANCE_SHARE = 0.3
# of the cost, change of a step below which legs that cannot reach only go to and fro
STALLED_COST_CHANGE = 3e-3
MAX_COST_GROWTH = 1.2  # times the cost before, above which a step was too bold
# of the cost, below which what a step gained is worth no other where contacts are met
MIN_COST_GAIN = 0.06
SMALL_CONTACT_ERROR = 0.05  # m or rad of contacts, below which the cost alone tells
INITIAL_DAMPING = 10.0  # damping of joints' changes in the step that takes its place, at first
DAMPING_FACTOR = 4.0  # times as much where that was too bold as well
FINAL_DAMPING = 100.0  # the same in a last step that is for the contacts alone


@dataclass(frozen=True)
class BodyMotion:
    """Poses of all frames and how the last step left them."""

    poses: Array  # (n, nq)
    steps: int  # Gauss-Newton steps taken, over all windows
    last_change: float  # root mean square of the last step's change, rad or m


@dataclass(frozen=True)
class PreviousFrame:
    """The frame before the first one, already decided."""

    pose: Array  # (nq,)
    reference: Array  # (nq,) the style's pose there
    momentum: Array  # (3,) angular momentum wished for there, kg m^2/s


def solve_body(
    model: KinematicModel,
    targets: BodyTargets,
    weights: BodyWeights,
    initial_poses: Array,
    steps: int,
    tolerance: float = 1e-3,
    progress: Callable[[float], None] = lambda share: None,
    previous: PreviousFrame | None = None,
) -> BodyMotion:
    """Poses for a whole clip.

    Args:
        initial_poses: (n, nq) poses to begin from, such as the wish's reference.
        steps: Gauss-Newton steps a window at most.
        tolerance: change, root mean square over frames and joints, rad or m,
            at which a window is done.
        previous: what the clip goes on from.
    """
    dt = float(targets.time[1] - targets.time[0])
    window_frames = max(int(WINDOW_TIME / dt), MIN_WINDOW_FRAMES)
    lookahead_frames = int(np.ceil(LOOKAHEAD_TIME / dt))
    n = len(targets.time)
    poses = initial_poses.copy()
    step_count = 0
    change = 0.0
    for begin in range(0, n, window_frames):
        end = min(begin + window_frames + lookahead_frames, n)
        if n - end < 8:
            end = n
        if begin > 0:
            previous = PreviousFrame(
                poses[begin - 1], targets.reference[begin - 1], targets.momentum[begin - 1]
            )
        previous_arguments = (
            () if previous is None else (previous.pose, previous.reference, previous.momentum)
        )
        objective = BodyObjective(
            model, targets.slice_frames(begin, end), weights, *previous_arguments
        )
        solved = _iterate_window(objective, poses[begin:end], steps, tolerance)
        poses[begin:end] = solved.poses
        step_count = step_count + solved.steps
        change = solved.last_change
        progress(min(begin + window_frames, n) / n)
        if end == n:
            break
    return BodyMotion(poses, step_count, change)


def _iterate_window(
    objective: BodyObjective, poses: Array, steps: int, tolerance: float
) -> BodyMotion:
    """Gauss-Newton steps over one window until nothing changes to speak of,
    or nothing gets better any more.

    A step that made things worse, as where joints go to and fro between the ends of their ranges,
    is taken back for a shorter one, by Levenberg and Marquardt; the steps after it are let go
    longer again as they help.
    """
    cost = np.inf
    previous_error = np.inf
    damping = 0.0
    step_count = 0
    previous_poses = poses
    previous_expansion: CostExpansion | None = None
    while step_count < steps:
        step_count += 1
        expansion = objective.expand(poses)
        is_too_bold = (
            step_count > 2
            and expansion.cost > MAX_COST_GROWTH * cost
            and expansion.max_contact_error < SMALL_CONTACT_ERROR
        )
        if previous_expansion is not None and is_too_bold:
            expansion = previous_expansion
            poses = previous_poses
            damping = max(INITIAL_DAMPING, DAMPING_FACTOR * damping)
        else:
            damping = (
                damping / DAMPING_FACTOR if damping > INITIAL_DAMPING / DAMPING_FACTOR else 0.0
            )
        x = solve_window_step(_add_damping(expansion, damping) if damping else expansion)
        largest = np.abs(x[:, 3:]).max(1, keepdims=True)
        x *= np.minimum(1.0, MAX_JOINT_STEP / np.maximum(largest, 1e-12))
        previous_expansion = expansion
        previous_poses = poses
        poses = objective.model.integrate(poses, x)
        change = float(np.sqrt((x * x).mean()))
        contact_error = expansion.max_contact_error
        is_stalled = (
            not is_too_bold
            and abs(cost - expansion.cost) < STALLED_COST_CHANGE * expansion.cost
            and contact_error > 0.5 * previous_error
        )
        is_idle = (
            not is_too_bold
            and cost - expansion.cost < MIN_COST_GAIN * expansion.cost
            and step_count > 2
        )
        if is_stalled or (
            (change < tolerance or is_idle) and contact_error < CONTACT_TOLERANCE_SHARE * tolerance
        ):
            break
        cost = expansion.cost
        previous_error = contact_error
    # feet are to be where they stand, whatever else is left
    if contact_error > CONTACT_TOLERANCE_SHARE * tolerance:
        expansion = objective.expand(poses)
        x = solve_window_step(_add_damping(expansion, FINAL_DAMPING))
        poses = objective.model.integrate(poses, x)
        step_count = step_count + 1
    return BodyMotion(poses, step_count, change)


def _add_damping(expansion: CostExpansion, damping: float) -> CostExpansion:
    """An expansion in which changes cost something for themselves."""
    return replace(
        expansion, diagonal=expansion.diagonal + damping * np.eye(expansion.diagonal.shape[-1])
    )
