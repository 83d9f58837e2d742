"""Poses that fulfil a wish, window after window."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel
from .objective import Expansion, Objective
from .targets import Wish
from .weights import BodyWeights
from .window import solve_window

Array = NDArray[np.float64]

WINDOW = 6.0          # s solved at once; memory grows with it, seams with its inverse
LEAST_WINDOW = 120    # frames, where few make up that time: what a window costs of itself would count
LOOKAHEAD = 0.4       # s solved beyond what is kept, so that a window's end does not know that it is one
LARGEST_STEP = 0.5    # rad that a joint may change in one step
CONTACT = 0.3         # of the tolerance by which a contact may have been missed before the last step: after it, by its square
STUCK = 3e-3          # of the cost, change of a step below which legs that cannot reach only go to and fro
GREW = 1.2            # times the cost before, above which a step was too bold
ENOUGH = 0.06         # of the cost, below which what a step gained is worth no other where contacts are met
MISSED = 0.05         # m or rad of contacts, below which the cost alone tells
DAMPED = 10.0         # damping of joints' changes in the step that takes its place, at first
HARDER = 4.0          # times as much where that was too bold as well
FIRM = 100.0          # the same in a last step that is for the contacts alone


@dataclass(frozen=True)
class BodyMotion:
    """Poses of all frames and how the last step left them."""

    poses: Array              # (n, nq)
    steps: int                # Gauss-Newton steps taken, over all windows
    last_change: float        # root mean square of the last step's change, rad or m


@dataclass(frozen=True)
class Before:
    """The frame before the first one, already decided."""

    pose: Array               # (nq,)
    reference: Array          # (nq,) the style's pose there
    momentum: Array           # (3,) angular momentum wished for there, kg m^2/s


def solve_body(model: KinematicModel, wish: Wish, weights: BodyWeights, start: Array, steps: int, tolerance: float = 1e-3,
               progress: Callable[[float], None] = lambda share: None, after: Before | None = None) -> BodyMotion:
    """Poses for a whole clip.

    Args:
        start: (n, nq) poses to begin from, such as the wish's reference.
        steps: Gauss-Newton steps a window at most.
        tolerance: change, root mean square over frames and joints, rad or m, at which a window is done.
        after: what the clip goes on from.
    """
    dt = float(wish.time[1] - wish.time[0])
    keep, extra = max(int(WINDOW / dt), LEAST_WINDOW), int(np.ceil(LOOKAHEAD / dt))
    n = len(wish.time)
    poses = start.copy()
    taken, change = 0, 0.0
    for begin in range(0, n, keep):
        end = min(begin + keep + extra, n)
        if n - end < 8:
            end = n
        if begin > 0:
            after = Before(poses[begin - 1], wish.reference[begin - 1], wish.momentum[begin - 1])
        known = () if after is None else (after.pose, after.reference, after.momentum)
        objective = Objective(model, wish.cut(begin, end), weights, *known)
        found = _settle(objective, poses[begin:end], steps, tolerance)
        poses[begin:end] = found.poses
        taken, change = taken + found.steps, found.last_change
        progress(min(begin + keep, n) / n)
        if end == n:
            break
    return BodyMotion(poses, taken, change)


def _settle(objective: Objective, poses: Array, steps: int, tolerance: float) -> BodyMotion:
    """Gauss-Newton steps over one window until nothing changes to speak of, or nothing gets better any more.

    A step that made things worse, as where joints go to and fro between the ends of their ranges, is taken back for a shorter
    one, by Levenberg and Marquardt; the steps after it are let go longer again as they help.
    """
    cost, miss, damping = np.inf, np.inf, 0.0
    taken, before = 0, poses
    last: Expansion | None = None
    while taken < steps:
        taken += 1
        e = objective.expand(poses)
        bold = taken > 2 and e.cost > GREW * cost and e.missed < MISSED
        if last is not None and bold:
            e, poses, damping = last, before, max(DAMPED, HARDER * damping)
        else:
            damping = damping / HARDER if damping > DAMPED / HARDER else 0.0
        x = solve_window(_damped(e, damping) if damping else e)
        largest = np.abs(x[:, 3:]).max(1, keepdims=True)
        x *= np.minimum(1.0, LARGEST_STEP / np.maximum(largest, 1e-12))
        last, before, poses = e, poses, objective.model.integrate(poses, x)
        change, missed = float(np.sqrt((x * x).mean())), e.missed
        stuck = not bold and abs(cost - e.cost) < STUCK * e.cost and missed > 0.5 * miss
        idle = not bold and cost - e.cost < ENOUGH * e.cost and taken > 2
        if stuck or ((change < tolerance or idle) and missed < CONTACT * tolerance):
            break
        cost, miss = e.cost, missed
    if missed > CONTACT * tolerance:               # feet are to be where they stand, whatever else is left
        e = objective.expand(poses)
        x = solve_window(_damped(e, FIRM))
        poses, taken = objective.model.integrate(poses, x), taken + 1
    return BodyMotion(poses, taken, change)


def _damped(e: Expansion, damping: float) -> Expansion:
    """An expansion in which changes cost something for themselves."""
    return replace(e, diagonal=e.diagonal + damping * np.eye(e.diagonal.shape[-1]))
