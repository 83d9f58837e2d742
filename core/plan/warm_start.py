"""What earlier plans had for the forces: what goes on as it was, and what
to begin a search from.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..motion.footstep import Footstep
from .body import ForceCurve
from .force_basis import COEFFICIENT_COUNT, compute_remaining_share, evaluate_force_basis
from .horizon import Horizon
from .linearization import NominalTrajectory, TrackingGoal

Array = NDArray[np.float64]

FORCE_CURVE_SAMPLES = 24  # of a force curve that another planner takes over

WindowKey = tuple[int, int, float]
"""Names a window: its footstep, its point and when it begins."""


class CoefficientMemory:
    """Coefficients by window.

    Args:
        windows: point, begin and end of each window of each footstep.
        warm_start: coefficients of an earlier pass.
        coefficient_count: of coefficients of each window.
    """

    def __init__(
        self,
        windows: list[list[tuple[int, float, float]]],
        warm_start: dict[WindowKey, Array],
        coefficient_count: int = COEFFICIENT_COUNT,
    ) -> None:
        self._windows = windows
        self._warm_start = warm_start
        self._coefficient_count = coefficient_count
        self._spans = np.array(
            [
                (min(w[1] for w in step_windows), max(w[2] for w in step_windows))
                for step_windows in windows
            ]
        ).reshape(-1, 2)
        self._last: dict[WindowKey, Array] = {}
        self.next_warm_start: dict[WindowKey, Array] = {}

    def find_windows(
        self, begin: float, end: float
    ) -> list[tuple[int, list[tuple[int, float, float]]]]:
        """Footsteps with windows in a stretch of time, each with those;
        found at once, however many footsteps there are.
        """
        overlapping = np.flatnonzero((self._spans[:, 0] < end) & (self._spans[:, 1] > begin))
        windows = [
            (int(k), [w for w in self._windows[k] if w[1] < end and w[2] > begin])
            for k in overlapping
        ]
        return [(k, step_windows) for k, step_windows in windows if step_windows]

    def store_coefficients(self, h: Horizon, coefficients: Array) -> None:
        """Keep the coefficients, and for later guesses each as it was when
        most of it still lay ahead.
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
        """The coefficients of a horizon's windows as they were planned last,
        nothing where they were not. (count w, 3).
        """
        coefficients = [
            self._last.get(key, np.zeros((h.coefficient_count, 3))) for key in _window_keys(h)
        ]
        return np.concatenate(coefficients) if coefficients else np.zeros((0, 3))

    def sample_active_forces(
        self, time: float, footsteps: list[Footstep]
    ) -> dict[tuple[int, int], ForceCurve]:
        """The forces planned from a time on, of all points that are down
        then, by footstep and point.
        """
        curves = {}
        for k, f in enumerate(footsteps):
            if not f.strike < time < f.lift:
                continue
            for point in {point for point, begin, end in self._windows[k] if begin < time < end}:
                point_windows = [
                    (begin, end) for p, begin, end in self._windows[k] if p == point and end > time
                ]
                times = np.linspace(time, max(end for _, end in point_windows), FORCE_CURVE_SAMPLES)
                value = evaluate_force_basis(
                    times, np.array(point_windows), time, self._coefficient_count
                ).value.reshape(FORCE_CURVE_SAMPLES, -1)
                coefficients = np.concatenate(
                    [
                        self._last.get((k, point, begin), np.zeros((self._coefficient_count, 3)))
                        for begin, _ in point_windows
                    ]
                )
                curves[k, point] = ForceCurve(times, value @ coefficients)
        return curves

    def adopt_forces(self, time: float, forces: dict[tuple[int, int], ForceCurve]) -> None:
        """Take over forces from another planner, drawn out or shortened where their contacts now
        last longer or shorter.
        """
        for (k, point), curve in forces.items():
            point_windows = [
                (begin, end) for p, begin, end in self._windows[k] if p == point and end > time
            ]
            if not point_windows:
                continue
            times = np.linspace(time, max(end for _, end in point_windows), len(curve.times))
            value = evaluate_force_basis(
                times, np.array(point_windows), time, self._coefficient_count
            ).value.reshape(len(times), -1)
            coefficients = np.linalg.lstsq(value, curve.values, rcond=1e-6)[0]
            for j, (begin, _) in enumerate(point_windows):
                self._last[k, point, begin] = coefficients[
                    self._coefficient_count * j : self._coefficient_count * (j + 1)
                ]

    def build_continuity(self, h: Horizon) -> tuple[Array, Array] | None:
        """The force at the start of each window under way, as the plan before had it."""
        last_coefficients = [
            self._last.get(key) if h.windows[k, 0] < h.start else None
            for k, key in enumerate(_window_keys(h))
        ]
        active = [k for k, c in enumerate(last_coefficients) if c is not None]
        if not active:
            return None
        # (w, count)
        value = evaluate_force_basis(
            np.array([h.start]), h.windows, h.start, h.coefficient_count
        ).value[0]
        rows = np.zeros((len(active), h.coefficient_count * len(h.windows)))
        for row, k in zip(rows, active, strict=True):
            row[h.coefficient_count * k : h.coefficient_count * (k + 1)] = value[k]
        return rows, np.stack([value[k] @ last_coefficients[k] for k in active])

    def build_warm_start(
        self, h: Horizon, goal: TrackingGoal, footsteps: list[Footstep]
    ) -> NominalTrajectory | None:
        """What is known of this horizon's forces; None where something is not.

        Windows under way go on as they were; later ones do as in the earlier pass, or as the same
        leg did in its last contact. What the plan before had for the far end of its own horizon is
        not worth much.
        """
        coefficient_blocks = []
        for k, key in enumerate(_window_keys(h)):
            if h.windows[k, 0] < h.start and key in self._last:
                coefficient_blocks.append(self._last[key])
            elif key in self._warm_start:
                coefficient_blocks.append(self._warm_start[key])
            else:
                repeated = self._find_repeated(footsteps, key[0], key[1])
                if repeated is None:
                    return None
                coefficient_blocks.append(repeated)
        positions = np.stack([s.position for s in h.stances])
        coefficients = np.concatenate(coefficient_blocks)
        nominal = NominalTrajectory.from_rollout(
            coefficients, positions, h.roll_out(coefficients, positions, goal.rotation)
        )
        return replace(nominal, start_error=so3.log(h.state.rotation @ goal.rotation[0].T))

    def _find_repeated(self, footsteps: list[Footstep], step: int, point: int) -> Array | None:
        """Coefficients of the same point in the last contact of the same leg,
        where that lasted about as long.
        """
        footstep = footsteps[step]
        for k in range(step - 1, -1, -1):
            earlier = footsteps[k]
            if earlier.leg == footstep.leg:
                is_similar = (
                    0.8 < (footstep.lift - footstep.strike) / (earlier.lift - earlier.strike) < 1.25
                )
                old_begins, new_begins = (
                    [begin for p, begin, _ in self._windows[j] if p == point] for j in (k, step)
                )
                has_single_windows = (
                    len(self._windows[k]) == len(self._windows[step]) <= 2
                    and len(old_begins) == len(new_begins) == 1
                )
                return (
                    self.next_warm_start.get((k, point, old_begins[0]))
                    if is_similar and has_single_windows
                    else None
                )
        return None


def _window_keys(h: Horizon) -> list[WindowKey]:
    """What names each window of a horizon: footstep, point and begin."""
    return [
        (h.stances[s].step, int(p), float(begin))
        for s, p, begin in zip(h.window_stance, h.window_point, h.windows[:, 0], strict=True)
    ]
