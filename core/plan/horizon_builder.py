"""Construction of the horizon of one plan from footsteps, force windows and pushes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion.footstep import Footstep
from .body import CentroidalBody
from .external import ExternalForce
from .horizon import CentroidalState, Horizon, PlanStance
from .pacing import Pacing, PieceSpan
from .warm_start import CoefficientMemory

Array = NDArray[np.float64]

# Interval within which two touchdowns count as simultaneous [s]
SIMULTANEOUS_LANDING_TIME = 0.02
# Assumed speed of the fall onto a footstep that must land bent [m/s], that of a recovery step
BENT_LANDING_SPEED = 2.0

GetShiftBounds = Callable[[int], Array | None]
GetLimbRoots = Callable[[NDArray[np.int64], Array], Array]


@dataclass(frozen=True)
class StanceBuilder:
    """Builder of stances from footsteps.

    Args:
        footsteps: in order of their middles; the planner replaces displaced ones.
        foot_points: (limbs, 2, 3) [m] heel and ball relative to the center of the sole, in its
            frame.
        shift_bounds: returns the displacement bounds of footstep k, (2, 2) [m] or None.
        landing_speeds: (footsteps,) [m/s].
    """

    footsteps: list[Footstep]
    foot_points: Array
    shift_bounds: GetShiftBounds
    landing_speeds: Array

    def build(self, k: int, is_shiftable: bool) -> PlanStance:
        """Build the stance of footstep k. It is not shiftable if its bounds leave no room."""
        footstep = self.footsteps[k]
        shift_bounds = self.shift_bounds(k) if is_shiftable else None
        return PlanStance(
            k,
            footstep.leg,
            footstep.position,
            rotation=footstep.rotation,
            points=self.foot_points[footstep.leg] @ footstep.rotation.T,
            is_shiftable=is_shiftable and (shift_bounds is None or bool(np.ptp(shift_bounds) > 0)),
            begin=footstep.strike,
            end=footstep.lift,
            landing_speed=0.0 if footstep.grip else float(self.landing_speeds[k]),
            shift_bounds=shift_bounds,
            is_grip=footstep.grip,
        )


@dataclass(frozen=True)
class HorizonBuilder:
    """Builder of horizons.

    Args:
        body: mass properties over time.
        memory: force windows by footstep.
        stances: builder of the stances.
        pacing: spacing of nodes and number of coefficients.
        limb_roots: returns the roots of limbs (s,) relative to the CoM at times (n,) [s],
            (s, n, 3) [m]; None to measure legs from the CoM.
    """

    body: CentroidalBody
    memory: CoefficientMemory
    stances: StanceBuilder
    pacing: Pacing
    limb_roots: GetLimbRoots | None

    def build(
        self,
        span: PieceSpan,
        state: CentroidalState,
        shiftable: bool,
        external_forces: tuple[ExternalForce, ...],
    ) -> Horizon:
        """Build the horizon of one plan.

        Args:
            span: interval of the plan and of its horizon.
            state: at the start.
            shiftable: whether footsteps may be displaced, unless pinned or touched down.
            external_forces: pushes that act in the horizon or are anticipated.
        """
        start = span.start
        duration = span.end - start
        dt = duration / np.ceil(duration / self.pacing.node_spacing - 1e-9)
        node_count = int(np.ceil((span.horizon_end - start) / dt)) + 1
        steps = self.memory.find_windows(start + 1e-4, span.horizon_end - 1e-4)
        stances = tuple(
            self.stances.build(s.step, shiftable and self._is_free(s.step, start)) for s in steps
        )
        windows = [w for s in steps for w in s.windows]
        times = start + 0.5 * dt * np.arange(2 * node_count - 1)
        weight = self.body.mass * self.body.gravity
        return Horizon(
            start,
            node_count,
            dt,
            stances=stances,
            windows=np.array([(w.begin, w.end) for w in windows]).reshape(-1, 2),
            window_stance=np.array([k for k, s in enumerate(steps) for _ in s.windows], np.int64),
            window_point=np.array([w.point for w in windows], np.int64),
            state=state,
            inertia=self.body.inertia(times) / weight,
            limb_momentum=self.body.limb_momentum(times) / weight,
            gravity=self.body.gravity,
            external_forces=external_forces,
            limb_roots=self._sample_limb_roots(stances, times[::2]),
            coefficient_count=self.pacing.coefficient_count,
        )

    def _is_free(self, step: int, start: float) -> bool:
        """Return whether a footstep is not pinned and touches down after `start` [s]."""
        footstep = self.stances.footsteps[step]
        return not footstep.pinned and footstep.strike > start + 1e-6

    def _sample_limb_roots(self, stances: Sequence[PlanStance], times: Array) -> Array | None:
        """Return the roots of the stances' limbs at `times` (n,) [s]. (s, n, 3) [m]."""
        if self.limb_roots is None or not stances:
            return None
        return self.limb_roots(np.array([s.leg for s in stances]), times)


def compute_landing_speeds(
    footsteps: Sequence[Footstep], bent_landings: frozenset[int], gravity: float
) -> Array:
    """Return the speed of the fall that ends in each footstep [m/s]: g T / 2 for a flight T.

    Simultaneous touchdowns share the longer flight.

    Args:
        footsteps: in order of their middles.
        bent_landings: footsteps whose speed is at least `BENT_LANDING_SPEED`.
        gravity: [m/s^2].

    Returns:
        (footsteps,).
    """
    strike = np.array([f.strike for f in footsteps])
    latest_lift = np.maximum.accumulate([f.lift for f in footsteps])
    flight_times = np.append(0.0, np.maximum(strike[1:] - latest_lift[:-1], 0.0))
    for k in range(1, len(flight_times)):
        if strike[k] - strike[k - 1] < SIMULTANEOUS_LANDING_TIME:
            flight_times[k] = max(flight_times[k], flight_times[k - 1])
    speeds = np.asarray(0.5 * gravity * flight_times)
    is_bent = [k in bent_landings for k in range(len(speeds))]
    return np.maximum(speeds, BENT_LANDING_SPEED * np.array(is_bent))
