"""Receding-horizon planner of the centroidal motion.

Each plan covers about one footstep and takes over from the previous one in the middle of a contact.

Source: Kwon et al. 2020, section 5.1, in a condensed form. The only unknowns are the contact forces
and the displacements of footsteps. The CoM is the exact double integral of the forces, so its
equation of motion (10) holds at every instant and not only at the nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..errors import PlanningError
from ..motion.footstep import Footstep
from ..motion.violations import ConstraintViolation
from .body import CentroidalBody, PlanState
from .external import ExternalForce
from .forces import WindowKey
from .gauss_newton import PlanProblem, PlanSolution, iterate_plan
from .horizon import CentroidalState, Horizon, PlanRollout, roll_out_freely
from .horizon_builder import (
    GetLimbRoots,
    GetShiftBounds,
    HorizonBuilder,
    StanceBuilder,
    compute_landing_speeds,
)
from .linearization import NominalTrajectory, TrackingGoal, nominal_from_reference
from .pacing import Pacing, PieceSpan
from .reference import PlanReference, ReferenceSample
from .result import PlanPiece
from .warm_start import CoefficientMemory
from .weights import PlanLimits, PlanWeights

Array = NDArray[np.float64]

# Change of a force below which a warm-started plan needs no second step [body weights]
SMALL_FORCE_CHANGE = 0.25
# Correction of a footstep by the ground above which the motion is integrated anew [m]
POSITION_TOLERANCE = 1e-9
# Excess leg length above which a contact is reported as relaxed [m]
MIN_REPORTED_OVERREACH = 0.01

PlaceFootstep = Callable[[int, Array], Footstep]


@dataclass(frozen=True)
class _Committed:
    """A plan whose footsteps were placed on the ground."""

    horizon: Horizon
    solution: PlanSolution


@dataclass
class Planner:
    """Planner of a clip. Each call of `plan` continues from the state that the last one left.

    Args:
        body: mass properties over time.
        reference: motion to track.
        footsteps: sketched, in order of their middles. Displaced footsteps are replaced in place.
        foot_points: (limbs, 2, 3) [m] heel and ball of each leg relative to the center of its sole,
            in the sole's frame; 0 for hands.
        place_footstep: returns footstep k with its middle moved to a place (2,) [m] on the ground.
        weights: weights of the cost.
        limits: limits of forces and legs.
        iterations: largest number of Gauss-Newton steps per plan. Numerical: they end as soon as
            forces hardly change.
        warm_start: coefficients (K, 3) of an earlier pass [body weights].
        initial_state: state at the start; None to start at time 0 on the reference.
        external_forces: pushes, which may be replaced between calls. A plan that starts before a
            push does not anticipate it.
        pacing: division into plans and their resolution.
        shift_bounds: returns the lower and upper displacement of footstep k along x and y,
            (2, 2) [m]; None for `PlanLimits.max_shift` alone.
        bent_landings: footsteps onto which the leg must land bent, as after a fall.
        limb_roots: returns the roots of limbs (s,) relative to the CoM at times (n,) [s], world
            axes, (s, n, 3) [m]; None to measure legs from the CoM.
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
        self._memory = CoefficientMemory(
            [self.pacing.build_windows(f) for f in self.footsteps],
            self.warm_start,
            self.pacing.coefficient_count,
        )
        self._stances = StanceBuilder(
            self.footsteps,
            self.foot_points,
            shift_bounds=cache(self.shift_bounds),
            landing_speeds=compute_landing_speeds(
                self.footsteps, self.bent_landings, self.body.gravity
            ),
        )
        self._horizons = HorizonBuilder(
            self.body,
            self._memory,
            self._stances,
            pacing=self.pacing,
            limb_roots=self.limb_roots,
        )
        if self.initial_state is None:
            self._time = 0.0
            self._state = self._state_from_reference()
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
        """Continue the plan up to `until` or a little beyond.

        Args:
            until: [s].
            shiftable: whether footsteps may be displaced.
            progress: called with the completed share after each piece.
            exact: whether to stop at `until` exactly, where another planner takes over.

        Raises:
            PlanningError: if the forces cannot be planned.
        """
        pieces: list[PlanPiece] = []
        begin = self._time
        for span in self.pacing.split_into_pieces(self.footsteps, begin, until, exact):
            pieces.append(self._plan_piece(span, shiftable))
            progress(min((span.end - begin) / max(until - begin, 1e-9), 1.0))
            self._time = span.end
        return tuple(pieces)

    def run_open_loop(self, until: float) -> PlanPiece:
        """Integrate the motion under the forces planned so far (Kwon et al. 2020, section 5.2).

        Args:
            until: [s]. External forces that begin before it act on the body.
        """
        span = PieceSpan(self._time, until, until)
        h = self._horizons.build(
            span,
            self._state,
            shiftable=False,
            external_forces=self._select_pushes(span.start, until),
        )
        coefficients = self._memory.collect_last_coefficients(h)
        positions = np.stack([s.position for s in h.stances]) if h.stances else np.zeros((0, 3))
        rollout = roll_out_freely(h, coefficients, positions)
        self._state = rollout.state_at(h.node_count - 1)
        self._time = until
        return PlanPiece(
            h, until, coefficients, positions=positions, rollout=rollout, violations=()
        )

    @property
    def current_state(self) -> PlanState:
        """State at the end of the last piece, with the planned forces of active contacts."""
        return PlanState(
            self._time, self._state, self._memory.sample_active_forces(self._time, self.footsteps)
        )

    @property
    def next_warm_start(self) -> dict[WindowKey, Array]:
        """Coefficients (K, 3) from which another pass can start [body weights]."""
        return self._memory.next_warm_start

    def _state_from_reference(self) -> CentroidalState:
        """Return the state of the reference at time 0."""
        zero = np.zeros(1)
        reference = self.reference.sample(zero)
        rotation = reference.rotation[0]
        scale = self.body.mass * self.body.gravity
        inertia = rotation @ self.body.inertia(zero)[0] @ rotation.T
        momentum = inertia @ reference.spin[0] + self.body.limb_momentum(zero)[0]
        return CentroidalState(reference.com[0], reference.velocity[0], rotation, momentum / scale)

    def _plan_piece(self, span: PieceSpan, shiftable: bool) -> PlanPiece:
        """Plan one piece, and store its coefficients, footsteps and the state at its handover."""
        h = self._horizons.build(
            span,
            self._state,
            shiftable,
            external_forces=self._select_pushes(span.start, span.start),
        )
        handover_node = int(round((span.end - span.start) / h.dt))
        solution = self._solve(h, handover_node)
        if shiftable:
            committed = self._commit_footsteps(h, solution, span.end)
            h = committed.horizon
            solution = committed.solution
        self._memory.store_coefficients(h, solution.coefficients)
        self._state = solution.rollout.state_at(handover_node)
        return PlanPiece(
            h,
            span.end,
            solution.coefficients,
            positions=solution.positions,
            rollout=solution.rollout,
            violations=self._find_violations(h, solution, span),
        )

    def _select_pushes(self, start: float, until: float) -> tuple[ExternalForce, ...]:
        """Return the pushes that begin by `until` [s] and end after `start` [s]."""
        return tuple(e for e in self.external_forces if e.begin <= until + 1e-6 and e.end > start)

    def _find_violations(
        self, h: Horizon, solution: PlanSolution, span: PieceSpan
    ) -> tuple[ConstraintViolation, ...]:
        """Return the contacts whose limb is too long, and the span if rotation was left out."""
        violations = [
            ConstraintViolation(s.begin, s.end, "arm" if s.is_grip else "reach")
            for k, (s, slack) in enumerate(zip(h.stances, solution.slack, strict=True))
            if slack > MIN_REPORTED_OVERREACH
            and (
                s.is_grip
                or measure_leg_overreach(
                    h,
                    k,
                    solution.rollout,
                    position=solution.positions[k],
                    limits=self.limits,
                )
                > MIN_REPORTED_OVERREACH
            )
        ]
        if solution.is_rotation_free:
            violations.append(ConstraintViolation(span.start, span.end, "turn"))
        return tuple(violations)

    def _solve(self, h: Horizon, handover_node: int) -> PlanSolution:
        """Solve a plan by the first of three methods that succeeds.

        1. From a warm start, if there is one; mostly one step suffices.
        2. From the reference, which needs no guess of the forces.
        3. Without tracking the rotation, only damping it: the program is convex and solved in one
           step. The rotation follows from the forces, and the frames are reported.

        Args:
            h: the horizon.
            handover_node: node at which the next plan takes over.

        Raises:
            PlanningError: if all three fail.
        """
        reference = self.reference.sample(h.times)
        goal = TrackingGoal(
            reference.com[::2],
            reference.velocity[::2],
            reference.force[::2],
            rotation=reference.rotation[::2],
            spin=reference.spin[::2],
        )
        problem = PlanProblem(
            h,
            goal,
            self.weights,
            limits=self.limits,
            continuity=self._memory.build_continuity(h),
            handover_node=handover_node,
        )
        warm_start = self._memory.build_warm_start(h, goal, self.footsteps)
        if warm_start is not None:
            solution = iterate_plan(problem, warm_start, SMALL_FORCE_CHANGE, self.iterations)
            if solution is not None:
                return solution
        cold_start = self._build_cold_start(h, goal, reference)
        solution = iterate_plan(problem, cold_start, 0.0, self.iterations)
        if solution is not None:
            return solution
        free_problem = replace(
            problem,
            weights=replace(
                self.weights, rotation=0.0, end=replace(self.weights.end, rotation=0.0)
            ),
        )
        solution = iterate_plan(free_problem, cold_start, np.inf, self.iterations)
        if solution is None:
            place = (float(reference.com[0, 0]), float(reference.com[0, 1]))
            raise PlanningError("the ground cannot carry the body", float(h.times[0]), place)
        return replace(solution, is_rotation_free=True)

    def _build_cold_start(
        self, h: Horizon, goal: TrackingGoal, reference: ReferenceSample
    ) -> NominalTrajectory:
        """Return the reference as expansion point.

        Args:
            h: the horizon.
            goal: the reference at the nodes.
            reference: the reference at nodes and midpoints.
        """
        return nominal_from_reference(
            h,
            reference.com,
            goal.rotation,
            spin=goal.spin,
            midpoint_spin=reference.spin[1::2],
            total_force=reference.force if self.pacing.has_reference_force else None,
        )

    def _commit_footsteps(self, h: Horizon, solution: PlanSolution, end: float) -> _Committed:
        """Place the displaced footsteps that touch down before the handover on the ground.

        Later footsteps return to their sketched positions; they carry no force before the handover.

        Args:
            h: the horizon.
            solution: the plan.
            end: [s] of the handover.
        """
        for stance, position in zip(h.stances, solution.positions, strict=True):
            if stance.is_shiftable and stance.begin <= end:
                self.footsteps[stance.step] = self.place_footstep(stance.step, position[:2])
        h = replace(
            h,
            stances=tuple(
                self._stances.build(s.step, True) if s.is_shiftable else s for s in h.stances
            ),
        )
        positions = np.stack([s.position for s in h.stances])
        correction = np.abs(positions - solution.positions)[[s.begin <= end for s in h.stances]]
        rollout = solution.rollout
        if correction.max(initial=0.0) > POSITION_TOLERANCE:
            rollout = h.roll_out(solution.coefficients, positions, rollout.rotation)
        return _Committed(h, replace(solution, positions=positions, rollout=rollout))


def measure_leg_overreach(
    h: Horizon, stance_index: int, rollout: PlanRollout, position: Array, limits: PlanLimits
) -> float:
    """Return the largest excess of a leg's length over its reach during a contact [m].

    The shorter reach of a leg that lands from a fall is not counted: a leg that lands too straight
    is no violation.

    Args:
        h: the horizon.
        stance_index: index of the stance.
        rollout: the motion.
        position: (3,) [m] of the contact, with its displacement.
        limits: limits of the legs.
    """
    stance = h.stances[stance_index]
    times = h.times[::2]
    in_contact = (times > stance.begin) & (times < stance.end) & (times > h.start + 1e-9)
    share = (times[in_contact] - stance.begin) / (stance.end - stance.begin)
    root = 0.0 if h.limb_roots is None else h.limb_roots[stance_index, in_contact]
    length = np.linalg.norm(rollout.com[::2][in_contact] + root - position, axis=1)
    return float((length - limits.leg_reach_at(stance.leg, share)).max(initial=0.0))
