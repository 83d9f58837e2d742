"""The receding horizon: one plan a footstep, each taking over from the last where that one's next
contact is at its middle.

Source: Kwon et al. 2020, section 5.1, in a condensed form. Forces are the only unknowns besides the
footsteps' shifts, the centre of mass is their exact double integral, so the equation of motion (10)
holds at every instant and not only at keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..motion.easing import ConstraintViolation
from ..motion.footstep import Footstep
from .body import CentroidalBody, PlanState
from .external import ExternalForce
from .gauss_newton import PlanSolution, iterate_plan
from .horizon import CentroidalState, Horizon, PlanStance, roll_out_freely
from .legs import measure_leg_overreach
from .linearization import NominalTrajectory, TrackingGoal, nominal_from_reference
from .pacing import Pacing
from .reference import PlanReference
from .result import PlanPiece
from .warm_start import CoefficientMemory, WindowKey
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

SMALL_FORCE_CHANGE = 0.25  # body weights
POSITION_TOLERANCE = 1e-9  # m by which the ground may take a footstep elsewhere before that counts
SIMULTANEOUS_LANDING_TIME = 0.02  # s within which two feet land at once
# m/s, of a fall that has a leg come down as bent as one that catches a body must
BENT_LANDING_SPEED = 2.0
# m that a leg's limit is overstepped before a frame counts as relaxed
MIN_REPORTED_OVERREACH = 0.01

PlaceFootstep = Callable[[int, Array], Footstep]
GetShiftBounds = Callable[[int], Array | None]
GetLimbRoots = Callable[[NDArray[np.int64], Array], Array]


@dataclass
class Planner:
    """Plans a clip.

    Args:
        reference: the wished-for course.
        footsteps: from the sketch, in order of their middles.
        foot_points: heel and ball of each leg relative to the sole's middle, in the sole's frame,
            (limbs, 2, 3); 0 for hands.
        place_footstep: places footstep k anew with its middle over a place (2,).
        warm_start: coefficients of an earlier pass, by footstep, point and begin of the window.
        initial_state: where the body is at the start; None to begin at time 0
            on the wished-for course.
        external_forces: pushes; a plan that begins before a push does not know of it.
        limb_roots: where limbs (s,) begin against the centre of mass at times (n,), world axes,
            (s, n, 3); in that itself unless given.
        pacing: where one plan takes over from another, and how finely each is resolved.
        bent_landings: footsteps onto which a leg is to come down bent, as if the body fell on it.
        shift_bounds: the least and the most that footstep k may be shifted along x and y, (2, 2) m;
            None as far as the limits allow.
    """

    body: CentroidalBody
    reference: PlanReference
    footsteps: list[Footstep]
    foot_points: Array
    place_footstep: PlaceFootstep
    weights: PlanWeights
    limits: PlanLimits
    iterations: int = 4
    warm_start: dict[WindowKey, Array] = field(default_factory=dict)
    initial_state: PlanState | None = None
    external_forces: tuple[ExternalForce, ...] = ()
    pacing: Pacing = field(default_factory=Pacing)
    shift_bounds: GetShiftBounds = lambda k: None
    bent_landings: frozenset[int] = frozenset()
    limb_roots: GetLimbRoots | None = None

    def __post_init__(self) -> None:
        self._cached_shift_bounds = cache(self.shift_bounds)
        self._landing_speeds = self._compute_landing_speeds()
        self._windows = [self.pacing.build_windows(f) for f in self.footsteps]
        self._memory = CoefficientMemory(
            self._windows, self.warm_start, self.pacing.coefficient_count
        )
        if self.initial_state is None:
            self._time, self._state = 0.0, self._state_from_reference()
        else:
            self._time = self.initial_state.time
            self._state = self.initial_state.state
            self._memory.adopt_forces(self._time, self.initial_state.forces)

    def plan(
        self,
        until: float,
        shiftable: bool,
        progress: Callable[[float], None] = lambda share: None,
        exact: bool = False,
    ) -> tuple[PlanPiece, ...]:
        """Plan on to at least `until`.

        Args:
            shiftable: whether footsteps may still be shifted.
            progress: told the share done after each piece.
            exact: plan to `until` itself, where something else takes over.
        """
        pieces: list[PlanPiece] = []
        begin = self._time
        for start, end, horizon_end in self.pacing.split_into_pieces(
            self.footsteps, begin, until, exact
        ):
            piece, self._state = self._plan_piece(
                start, end, horizon_end, state=self._state, shiftable=shiftable
            )
            pieces.append(piece)
            progress(min((end - begin) / max(until - begin, 1e-9), 1.0))
            self._time = end
        return tuple(pieces)

    def run_open_loop(self, until: float) -> PlanPiece:
        """Go on with the forces as they were planned, whatever happens to the body (Kwon et
        al. 2020, section 5.2).
        """
        h = self._build_horizon(
            self._time, until, until, state=self._state, shiftable=False, pushes_until=until
        )
        coefficients = self._memory.collect_last_coefficients(h)
        positions = np.stack([s.position for s in h.stances]) if h.stances else np.zeros((0, 3))
        rollout = roll_out_freely(h, coefficients, positions)
        last_node = h.node_count - 1
        self._state = CentroidalState(
            rollout.com[2 * last_node],
            rollout.velocity[2 * last_node],
            rollout.rotation[last_node],
            rollout.momentum[2 * last_node],
        )
        self._time = until
        return PlanPiece(
            h, until, coefficients, positions=positions, rollout=rollout, violations=()
        )

    @property
    def current_state(self) -> PlanState:
        """The body where the last piece left it."""
        return PlanState(
            self._time, self._state, self._memory.sample_active_forces(self._time, self.footsteps)
        )

    @property
    def next_warm_start(self) -> dict[WindowKey, Array]:
        """Coefficients for another pass to begin from."""
        return self._memory.next_warm_start

    def _compute_landing_speeds(self) -> Array:
        """Speed at which the body comes down on each footstep out of a flight, m/s;
        on both of two that land at once.
        """
        strike = np.array([f.strike for f in self.footsteps])
        latest_lift = np.maximum.accumulate([f.lift for f in self.footsteps])
        flight_times = np.append(0.0, np.maximum(strike[1:] - latest_lift[:-1], 0.0))
        for k in range(1, len(flight_times)):
            if strike[k] - strike[k - 1] < SIMULTANEOUS_LANDING_TIME:
                flight_times[k] = max(flight_times[k], flight_times[k - 1])
        return np.asarray(0.5 * self.body.gravity * flight_times)

    def _state_from_reference(self) -> CentroidalState:
        zero = np.zeros(1)
        reference = self.reference.sample(zero)
        rotation = reference.rotation[0]
        scale = self.body.mass * self.body.gravity
        inertia = rotation @ self.body.inertia(zero)[0] @ rotation.T
        momentum = inertia @ reference.spin[0] + self.body.limb_momentum(zero)[0]
        return CentroidalState(reference.com[0], reference.velocity[0], rotation, momentum / scale)

    def _plan_piece(
        self, start: float, end: float, horizon_end: float, state: CentroidalState, shiftable: bool
    ) -> tuple[PlanPiece, CentroidalState]:
        h = self._build_horizon(start, end, horizon_end, state=state, shiftable=shiftable)
        handover_node = int(round((end - start) / h.dt))
        solution = self._solve(h, handover_node)
        coefficients = solution.coefficients
        positions = solution.positions
        rollout = solution.rollout
        if shiftable:
            # what is carried out are the footsteps as the ground takes them;
            # those to come push only after the end
            self._commit_footsteps(h, positions, end)
            h = replace(
                h,
                stances=tuple(
                    self._build_stance(s.step, True) if s.is_shiftable else s for s in h.stances
                ),
            )
            committed_positions = np.stack([s.position for s in h.stances])
            if (
                np.abs(committed_positions - positions)[[s.begin <= end for s in h.stances]].max(
                    initial=0.0
                )
                > POSITION_TOLERANCE
            ):
                rollout = h.roll_out(coefficients, committed_positions, rollout.rotation)
            positions = committed_positions
        self._memory.store_coefficients(h, coefficients)
        state = CentroidalState(
            rollout.com[2 * handover_node],
            rollout.velocity[2 * handover_node],
            rollout.rotation[handover_node],
            rollout.momentum[2 * handover_node],
        )
        violations = [
            ConstraintViolation(s.begin, s.end, "arm" if s.is_grip else "reach")
            for k, (s, slack) in enumerate(zip(h.stances, solution.slack, strict=True))
            if slack > MIN_REPORTED_OVERREACH
            and (
                s.is_grip
                or measure_leg_overreach(h, k, rollout, position=positions[k], limits=self.limits)
                > MIN_REPORTED_OVERREACH
            )
        ]
        if solution.is_rotation_free:
            violations.append(ConstraintViolation(start, end, "turn"))
        return PlanPiece(
            h, end, coefficients, positions=positions, rollout=rollout, violations=tuple(violations)
        ), state

    def _build_horizon(
        self,
        start: float,
        end: float,
        horizon_end: float,
        state: CentroidalState,
        shiftable: bool,
        pushes_until: float | None = None,
    ) -> Horizon:
        dt = (end - start) / np.ceil((end - start) / self.pacing.node_spacing - 1e-9)
        node_count = int(np.ceil((horizon_end - start) / dt)) + 1
        windows: list[tuple[float, float]] = []
        window_stances: list[int] = []
        window_points: list[int] = []
        stances: list[PlanStance] = []
        for k, step_windows in self._memory.find_windows(start + 1e-4, horizon_end - 1e-4):
            footstep = self.footsteps[k]
            windows += [(begin, finish) for _, begin, finish in step_windows]
            window_stances += [len(stances)] * len(step_windows)
            window_points += [point for point, _, _ in step_windows]
            stances.append(
                self._build_stance(
                    k, shiftable and not footstep.pinned and footstep.strike > start + 1e-6
                )
            )
        times = start + 0.5 * dt * np.arange(2 * node_count - 1)
        weight = self.body.mass * self.body.gravity
        limb_roots = (
            None
            if self.limb_roots is None or not stances
            else self.limb_roots(np.array([s.leg for s in stances]), times[::2])
        )
        return Horizon(
            start,
            node_count,
            dt,
            stances=tuple(stances),
            windows=np.array(windows).reshape(-1, 2),
            window_stance=np.array(window_stances, np.int64),
            window_point=np.array(window_points, np.int64),
            state=state,
            inertia=self.body.inertia(times) / weight,
            limb_momentum=self.body.limb_momentum(times) / weight,
            gravity=self.body.gravity,
            external_forces=tuple(
                external
                for external in self.external_forces
                if external.begin <= (start if pushes_until is None else pushes_until) + 1e-6
                and external.end > start
            ),
            limb_roots=limb_roots,
            coefficient_count=self.pacing.coefficient_count,
        )

    def _build_stance(self, k: int, is_shiftable: bool) -> PlanStance:
        footstep = self.footsteps[k]
        shift_bounds = self._cached_shift_bounds(k) if is_shiftable else None
        landing_speed = (
            max(self._landing_speeds[k], BENT_LANDING_SPEED * (k in self.bent_landings))
            if not footstep.grip
            else 0.0
        )
        return PlanStance(
            k,
            footstep.leg,
            footstep.position,
            rotation=footstep.rotation,
            points=self.foot_points[footstep.leg] @ footstep.rotation.T,
            is_shiftable=is_shiftable and (shift_bounds is None or bool(np.ptp(shift_bounds) > 0)),
            begin=footstep.strike,
            end=footstep.lift,
            landing_speed=landing_speed,
            shift_bounds=shift_bounds,
            is_grip=footstep.grip,
        )

    def _solve(self, h: Horizon, handover_node: int) -> PlanSolution:
        """The best that can be had, by the first of three ways that works.

        First about what the plans so far suggest, if they do: mostly one step is enough. Then about
        the wished course with the weight borne straight up, which no guess of forces can mislead.
        Last only against spinning, where the program is convex and settled in one step: the body
        turns as it will, and the frames are marked.
        """
        reference = self.reference.sample(h.times)
        goal = TrackingGoal(
            reference.com[::2],
            reference.velocity[::2],
            reference.force[::2],
            rotation=reference.rotation[::2],
            spin=reference.spin[::2],
        )
        continuity = self._memory.build_continuity(h)
        warm_start = self._memory.build_warm_start(h, goal, self.footsteps)
        solution = (
            self._iterate(
                h,
                warm_start,
                goal,
                continuity=continuity,
                handover_node=handover_node,
                small_change=SMALL_FORCE_CHANGE,
            )
            if warm_start is not None
            else None
        )
        if solution is None:
            cold_start = nominal_from_reference(
                h,
                reference.com,
                goal.rotation,
                spin=goal.spin,
                midpoint_spin=reference.spin[1::2],
                total_force=reference.force if self.pacing.has_reference_force else None,
            )
            solution = self._iterate(
                h,
                cold_start,
                goal,
                continuity=continuity,
                handover_node=handover_node,
                small_change=0.0,
            )
        if solution is None:
            free_rotation_weights = replace(
                self.weights, rotation=0.0, end=(*self.weights.end[:2], 0.0, self.weights.end[3])
            )
            solution = iterate_plan(
                h,
                cold_start,
                goal,
                weights=free_rotation_weights,
                limits=self.limits,
                continuity=continuity,
                handover_node=handover_node,
                small_change=np.inf,
                iterations=self.iterations,
            )
            if solution is None:
                raise FootfallError(
                    "The forces could not be planned; this is a fault of Footfall and not of the "
                    "task. Save the task and report it."
                )
            solution = replace(solution, is_rotation_free=True)
        return solution

    def _iterate(
        self,
        h: Horizon,
        nominal: NominalTrajectory,
        goal: TrackingGoal,
        continuity: tuple[Array, Array] | None,
        handover_node: int,
        small_change: float,
    ) -> PlanSolution | None:
        return iterate_plan(
            h,
            nominal,
            goal,
            weights=self.weights,
            limits=self.limits,
            continuity=continuity,
            handover_node=handover_node,
            small_change=small_change,
            iterations=self.iterations,
        )

    def _commit_footsteps(self, h: Horizon, positions: Array, end: float) -> None:
        """Footsteps that land before the next plan keep their shift,
        put on the ground where that takes them.
        """
        for stance, position in zip(h.stances, positions, strict=True):
            if stance.is_shiftable and stance.begin <= end:
                self.footsteps[stance.step] = self.place_footstep(stance.step, position[:2])
