"""Force coefficients of earlier plans: continuity of active contacts, and initial guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..motion.footstep import Footstep
from .body import ForceCurve
from .force_cost import ContinuityTarget
from .forces import (
    COEFFICIENT_COUNT,
    ForceWindow,
    PointKey,
    StepWindows,
    WindowKey,
    compute_remaining_share,
    evaluate_force_basis,
)
from .horizon import Horizon
from .linearization import NominalTrajectory, TrackingGoal

Array = NDArray[np.float64]

# Number of samples of a force curve that is handed to another planner
FORCE_CURVE_SAMPLES = 24
# Ratio of the durations of two contacts between which coefficients are reused: above 4/5, below 5/4
MIN_DURATION_RATIO = 0.8
MAX_DURATION_RATIO = 1 / MIN_DURATION_RATIO


class CoefficientMemory:
    """Store of force coefficients by window.

    Args:
        windows: force windows of each footstep.
        warm_start: coefficients (K, 3) of an earlier pass [body weights].
        coefficient_count: K, the number of coefficients per window.
    """

    def __init__(
        self,
        windows: Sequence[tuple[ForceWindow, ...]],
        warm_start: dict[WindowKey, Array],
        coefficient_count: int = COEFFICIENT_COUNT,
    ) -> None:
        self._windows = windows
        self._warm_start = warm_start
        self._coefficient_count = coefficient_count
        # (footsteps, 2) [s] from the first begin to the last end of each footstep's windows
        self._spans = np.array(
            [
                (min(w.begin for w in step_windows), max(w.end for w in step_windows))
                for step_windows in windows
            ]
        ).reshape(-1, 2)
        self._last: dict[WindowKey, Array] = {}
        self.next_warm_start: dict[WindowKey, Array] = {}

    def find_windows(self, begin: float, end: float) -> list[StepWindows]:
        """Return the footsteps with windows in an interval [s], each with those windows."""
        overlapping = np.flatnonzero((self._spans[:, 0] < end) & (self._spans[:, 1] > begin))
        candidates = [
            StepWindows(
                int(k), tuple(w for w in self._windows[k] if w.begin < end and w.end > begin)
            )
            for k in overlapping
        ]
        return [c for c in candidates if c.windows]

    def store_coefficients(self, h: Horizon, coefficients: Array) -> None:
        """Store the coefficients of a plan.

        For warm starts each coefficient keeps the value of the last plan that could still change
        most of it, i.e. with more than half of its impulse after the start.

        Args:
            h: the horizon of the plan.
            coefficients: (w K, 3) [body weights].
        """
        mostly_ahead = compute_remaining_share(h.windows, h.start, h.coefficient_count) > 0.5
        for w, key in enumerate(_window_keys(h)):
            window_coefficients = coefficients[
                h.coefficient_count * w : h.coefficient_count * (w + 1)
            ]
            self._last[key] = window_coefficients
            self.next_warm_start[key] = np.where(
                mostly_ahead[w][:, None],
                window_coefficients,
                self.next_warm_start.get(key, window_coefficients),
            )

    def collect_last_coefficients(self, h: Horizon) -> Array:
        """Return the last planned coefficients of a horizon's windows, 0 where there are none.

        Returns:
            (w K, 3) [body weights].
        """
        coefficients = [
            self._last.get(key, np.zeros((h.coefficient_count, 3))) for key in _window_keys(h)
        ]
        return np.concatenate(coefficients) if coefficients else np.zeros((0, 3))

    def sample_active_forces(
        self, time: float, footsteps: list[Footstep]
    ) -> dict[PointKey, ForceCurve]:
        """Sample the planned forces of all contact points that are down at a time.

        Args:
            time: [s].
            footsteps: of the plan.

        Returns:
            Force curves from `time` on, by (footstep, contact point).
        """
        curves = {}
        for k, f in enumerate(footsteps):
            if not f.strike < time < f.lift:
                continue
            for point in {w.point for w in self._windows[k] if w.begin < time < w.end}:
                windows = self._remaining_windows(k, point, time)
                times = np.linspace(time, max(w.end for w in windows), FORCE_CURVE_SAMPLES)
                coefficients = np.concatenate(
                    [
                        self._last.get(
                            WindowKey(k, point, w.begin), np.zeros((self._coefficient_count, 3))
                        )
                        for w in windows
                    ]
                )
                value = self._evaluate_windows(times, windows, time)
                curves[PointKey(k, point)] = ForceCurve(times, value @ coefficients)
        return curves

    def adopt_forces(self, time: float, forces: dict[PointKey, ForceCurve]) -> None:
        """Take over forces from another planner.

        They are stretched in time where their contacts last longer or shorter now, and fitted by
        least squares.

        Args:
            time: [s] of the handover.
            forces: by (footstep, contact point).
        """
        for (k, point), curve in forces.items():
            windows = self._remaining_windows(k, point, time)
            if not windows:
                continue
            times = np.linspace(time, max(w.end for w in windows), len(curve.times))
            value = self._evaluate_windows(times, windows, time)
            coefficients = np.linalg.lstsq(value, curve.values, rcond=1e-6)[0]
            for j, w in enumerate(windows):
                self._last[WindowKey(k, point, w.begin)] = coefficients[
                    self._coefficient_count * j : self._coefficient_count * (j + 1)
                ]

    def build_continuity(self, h: Horizon) -> ContinuityTarget | None:
        """Return the previously planned forces at the start of all active windows, if any."""
        last_coefficients = [
            self._last.get(key) if h.windows[k, 0] < h.start else None
            for k, key in enumerate(_window_keys(h))
        ]
        active = [k for k, c in enumerate(last_coefficients) if c is not None]
        if not active:
            return None
        # (w, K)
        value = evaluate_force_basis(
            np.array([h.start]), h.windows, h.start, h.coefficient_count
        ).value[0]
        rows = np.zeros((len(active), h.coefficient_count * len(h.windows)))
        for row, k in zip(rows, active, strict=True):
            row[h.coefficient_count * k : h.coefficient_count * (k + 1)] = value[k]
        return ContinuityTarget(rows, np.stack([value[k] @ last_coefficients[k] for k in active]))

    def build_warm_start(
        self, h: Horizon, goal: TrackingGoal, footsteps: list[Footstep]
    ) -> NominalTrajectory | None:
        """Return an initial guess from earlier coefficients, or None where a window has none.

        Active windows keep the last planned coefficients. Later windows use those of the earlier
        pass, or those of the same leg's previous contact. The previous plan's coefficients of later
        windows are not used: the far end of a horizon is a poor guess.

        Args:
            h: the horizon.
            goal: the reference, whose rotations are used.
            footsteps: of the plan.
        """
        coefficient_blocks = []
        for k, key in enumerate(_window_keys(h)):
            if h.windows[k, 0] < h.start and key in self._last:
                coefficient_blocks.append(self._last[key])
            elif key in self._warm_start:
                coefficient_blocks.append(self._warm_start[key])
            else:
                repeated = self._find_previous_contact(footsteps, key.step, key.point)
                if repeated is None:
                    return None
                coefficient_blocks.append(repeated)
        positions = np.stack([s.position for s in h.stances])
        coefficients = np.concatenate(coefficient_blocks)
        nominal = NominalTrajectory.from_rollout(
            coefficients, positions, h.roll_out(coefficients, positions, goal.rotation)
        )
        return replace(nominal, start_error=so3.log(h.state.rotation @ goal.rotation[0].T))

    def _find_previous_contact(
        self, footsteps: list[Footstep], step: int, point: int
    ) -> Array | None:
        """Return the coefficients of the same point in the same leg's previous contact.

        None unless that contact was of similar duration, with one window per point.
        """
        footstep = footsteps[step]
        previous = next(
            (k for k in range(step - 1, -1, -1) if footsteps[k].leg == footstep.leg), None
        )
        if previous is None:
            return None
        earlier = footsteps[previous]
        ratio = (footstep.lift - footstep.strike) / (earlier.lift - earlier.strike)
        old_begins, new_begins = (
            [w.begin for w in self._windows[j] if w.point == point] for j in (previous, step)
        )
        has_single_windows = (
            len(self._windows[previous]) == len(self._windows[step]) <= 2
            and len(old_begins) == len(new_begins) == 1
        )
        if not (MIN_DURATION_RATIO < ratio < MAX_DURATION_RATIO and has_single_windows):
            return None
        return self.next_warm_start.get(WindowKey(previous, point, old_begins[0]))

    def _remaining_windows(self, step: int, point: int, time: float) -> list[ForceWindow]:
        """Return the windows of a contact point that end after a time [s]."""
        return [w for w in self._windows[step] if w.point == point and w.end > time]

    def _evaluate_windows(self, times: Array, windows: list[ForceWindow], start: float) -> Array:
        """Return the values of the force basis. (n,) -> (n, w K)."""
        spans = np.array([(w.begin, w.end) for w in windows])
        return evaluate_force_basis(times, spans, start, self._coefficient_count).flatten().value


def _window_keys(h: Horizon) -> list[WindowKey]:
    """Return the name of each window of a horizon."""
    return [
        WindowKey(h.stances[s].step, int(p), float(begin))
        for s, p, begin in zip(h.window_stance, h.window_point, h.windows[:, 0], strict=True)
    ]
