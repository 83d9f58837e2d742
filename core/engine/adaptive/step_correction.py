"""Feedback of the upper body's deviation within a half-cycle.

In the paper the planner reacts to a deviation at the beginning of the next half-cycle. A body that
is pushed aside has fallen too far by then. Here the targets of the swing foot and of the upper body
also follow the deviation while the foot swings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .curves import find_upper_hull
from .paths import BodyPath, HalfCyclePlan, SwingFootPath, differentiate, move_foot_path
from .planner import CLEARANCE, Goal, HalfCyclePlanner, rotation_2d

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CorrectionParameters:
    """When and how far targets move.

    Args:
        interval: control steps between two corrections. Tuned: with 8 instead of 4 seven instead
            of ten of twelve bodies took a push of 350 N from the side.
        last_share: share of the half-cycle after which nothing is corrected, since a foot that is
            about to land cannot be moved any more.
        max_shift: largest shift of the foot's target, what a leg reaches beside its step [m].
    """

    interval: int = 4
    last_share: float = 0.85
    max_shift: float = 0.4


CORRECTION = CorrectionParameters()


@dataclass(frozen=True)
class StepCorrection:
    """A half-cycle's plan and its correction so far.

    Args:
        plan: as it was planned.
        goal: of the half-cycle.
        side: 1 when the left foot swings, -1 when the right foot does.
        swing, body: corrected paths.
        shift: of the foot's target by the feedback (2,) [m].
        offset: of the foot's target from the planned one, with that beside an edge (2,) [m].
    """

    plan: HalfCyclePlan
    goal: Goal
    side: float
    swing: SwingFootPath
    body: BodyPath
    shift: Array
    offset: Array

    @staticmethod
    def begin(plan: HalfCyclePlan, goal: Goal, swing: int) -> StepCorrection:
        """Return the state at the beginning of a half-cycle.

        Args:
            swing: 0 when the left foot swings, 1 when the right foot does.
        """
        side = 1.0 if swing == 0 else -1.0
        none = np.zeros(2)
        return StepCorrection(plan, goal, side, plan.swing, plan.body, shift=none, offset=none)

    def is_due(self, planner: HalfCyclePlanner, tick: int) -> bool:
        """Return whether the plan is corrected at a control step of the half-cycle."""
        p = planner.parameters
        return (
            tick > 0
            and tick % CORRECTION.interval == 0
            and tick <= CORRECTION.last_share * planner.timing.half_cycle
            and self.plan.target is not None
            and (p.correction_along + p.correction_outward + p.correction_inward) > 0
        )

    def advance(
        self, planner: HalfCyclePlanner, tick: int, position: Array, velocity: Array
    ) -> StepCorrection:
        """Return the plan with the feedback of the upper body at a control step.

        Args:
            planner: of the plan.
            tick: control step of the half-cycle.
            position, velocity: (2,) of the upper body [m], [m/s].
        """
        target = self.plan.target
        assert target is not None
        shift = self._find_shift(planner, tick, position, velocity)
        edge = planner.find_edge_offset(target + shift, self.goal)
        offset = target + shift + edge - self.plan.swing.ankle[-1, :2]
        body = self.body
        share = planner.parameters.correction_of_body
        if share > 0:
            blend = _blend(np.arange(len(body.position), dtype=float), tick, len(body.position) - 1)
            place = body.position.copy()
            place[:, :2] += blend[:, None] * (share * (shift - self.shift))
            speed = differentiate(place, planner.timing.control_step)
            body = replace(body, position=place, velocity=speed)
        return replace(
            self,
            swing=self._move_foot(planner, tick, offset - self.offset),
            body=body,
            shift=shift,
            offset=offset,
        )

    def _find_shift(
        self, planner: HalfCyclePlanner, tick: int, position: Array, velocity: Array
    ) -> Array:
        """Return the shift of the foot's target by the feedback (2,) [m]."""
        p = planner.parameters
        planned = self.plan.body
        deviation = position - planned.position[tick, :2]
        deviation = deviation + p.correction_time * (velocity - planned.velocity[tick, :2])
        axes = rotation_2d(self.goal.direction)
        ahead, outward = (axes.T @ deviation) * [1.0, self.side]
        gain = p.correction_outward if outward > 0 else p.correction_inward
        shift = axes @ [p.correction_along * ahead, self.side * gain * outward]
        size = float(np.hypot(*shift))
        return np.asarray(shift * min(1.0, CORRECTION.max_shift / max(size, 1e-9)))

    def _move_foot(self, planner: HalfCyclePlanner, tick: int, change: Array) -> SwingFootPath:
        """Return the path of the swing foot to a target that has moved (2,) [m]."""
        path = self.swing
        count = len(path.ankle)
        steps = np.arange(count, dtype=float)
        blend = _blend(steps, tick, count - 2)
        ankle = path.ankle.copy()
        ankle[:, :2] += blend[:, None] * change
        if planner.has_terrain:
            left = slice(tick, count - 2)  # the path ends with two rows at its target
            lowest = planner.find_lowest_heights(ankle[left, :2], path.rotation[left], CLEARANCE)
            lowest[0] = ankle[tick, 2]
            end = planner.find_lowest_heights(ankle[-1:, :2], path.rotation[-1:])
            lowest = np.concatenate([lowest, end, end])
            ankle[:, 2] += blend * (end[0] - ankle[-1, 2])
            hull = find_upper_hull(steps[tick:], lowest)
            least = np.interp(steps[tick:], steps[tick:][hull], lowest[hull])
            ankle[tick:, 2] = np.maximum(ankle[tick:, 2], least)
        return move_foot_path(path, ankle, planner.timing.control_step)


def _blend(steps: Array, first: int, last: int) -> Array:
    """Return shares of a change that rise smoothly from 0 at one step to 1 at another."""
    s = np.clip((steps - first) / max(last - first, 1), 0.0, 1.0)
    return np.asarray(s * s * (3.0 - 2.0 * s))
