"""Forward simulation of the preview phase by phase, equation 17, vectorized over candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre

from .body import SlipBody
from .command import StepGoal
from .phases import (
    ComMotion,
    ComplexArray,
    FlightPhase,
    HeadingState,
    Phase,
    SplitVector,
    StanceControls,
    StanceModel,
    integrate_heading,
    solve_stance,
)
from .schedule import COP, FOOT, REST_LENGTH, PhaseSlot
from .state import FootPose, SlipState

Array = NDArray[np.float64]

_legendre_nodes, _legendre_weights = roots_legendre(4)
# (q,) Gauss-Legendre nodes of each phase, and its end, as shares of the phase
NODES = np.append(0.5 * (_legendre_nodes + 1), 1.0)
# (q - 1,) Gauss-Legendre weights of the nodes, as shares of the phase
NODE_WEIGHTS = 0.5 * _legendre_weights


@dataclass(frozen=True)
class PreviewFoot:
    """Pose of a foot. Arrays are scalar if all candidates share it, or (n, 1)."""

    horizontal: ComplexArray  # [m] center of the sole
    height: Array  # [m]
    forward: ComplexArray  # unit vector of the heading
    side: float  # 1 left, -1 right
    velocity: ComplexArray | complex = 0j  # [m/s] horizontal

    @classmethod
    def from_pose(cls, foot: FootPose, side: float) -> PreviewFoot:
        """Convert the pose of a foot that all candidates share."""
        return cls(
            _to_complex(foot.place),
            np.asarray(foot.place[2]),
            np.exp(1j * np.asarray(foot.heading)),
            side=side,
            velocity=complex(*foot.velocity),
        )

    def point_at(self, ahead: Array | float, aside: Array | float = 0.0) -> ComplexArray:
        """Return a point of the sole [m], `ahead` and `aside` (left) of its center [m]."""
        return self.horizontal + self.forward * (ahead + 1j * aside)


@dataclass(frozen=True)
class BodyInstant:
    """State of the body at an instant. Arrays are scalar or (n, 1)."""

    place: SplitVector  # [m] of the CoM
    velocity: SplitVector  # [m/s] of the CoM
    heading: Array  # [rad]
    heading_rate: Array  # [rad/s]


@dataclass(frozen=True)
class PhaseRollout:
    """Previews of n candidates with p phases. Values that differ by candidate are (n, 1)."""

    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    feet: dict[str, PreviewFoot]  # A, O and, unless the body stands, B
    starts: tuple[BodyInstant, ...]  # of each phase
    touchdown: BodyInstant | None  # of foot B; None for a body that stands
    end: BodyInstant
    duration: Array  # (n, p) [s]


@dataclass(frozen=True)
class SampledRollout(PhaseRollout):
    """Previews with the motion at the q nodes of each phase."""

    place: SplitVector  # (n, p, q) [m] of the CoM
    acceleration: SplitVector  # (n, p, q) [m/s^2] of the CoM
    heading: Array  # (n, p, q) [rad]


@dataclass(frozen=True)
class _Integration:
    """Previews, with the motion and headings (n, q) of each phase at given nodes."""

    rollout: PhaseRollout
    motions: list[ComMotion]
    headings: list[Array]


@dataclass(frozen=True)
class _Knots:
    """Knots of the controls."""

    cop: ComplexArray  # (n, 5) along the sole [m], and across it in bilinear coordinates
    rest_length: Array  # (n, 5) [m]


def roll_out_phases(
    state: SlipState, goal: StepGoal, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array
) -> PhaseRollout:
    """Simulate n candidates, for the states at the phases' ends only.

    Args:
        state: state at the start.
        goal: goals of the steps.
        body: parameters of the model.
        slots: phases.
        u: (n, 24) parameters.
    """
    return _integrate_phases(state, goal, body, slots=slots, u=u, nodes=NODES[-1:]).rollout


def roll_out(
    state: SlipState, goal: StepGoal, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array
) -> SampledRollout:
    """Simulate n candidates, with the motion at the nodes of each phase (see `roll_out_phases`)."""
    integration = _integrate_phases(state, goal, body, slots=slots, u=u, nodes=NODES)
    phase_rollout = integration.rollout
    shape = (len(u), len(slots), len(NODES))
    place, acceleration = (
        SplitVector(
            *(np.concatenate(parts, 1).reshape(shape) for parts in zip(*vectors, strict=True))
        )
        for vectors in zip(*((m.place, m.acceleration) for m in integration.motions), strict=True)
    )
    return SampledRollout(
        phase_rollout.slots,
        phase_rollout.phases,
        phase_rollout.feet,
        starts=phase_rollout.starts,
        touchdown=phase_rollout.touchdown,
        end=phase_rollout.end,
        duration=phase_rollout.duration,
        place=place,
        acceleration=acceleration,
        heading=np.concatenate(integration.headings, 1).reshape(shape),
    )


@dataclass(frozen=True)
class _PhaseSolver:
    """Solver of one phase after the other for n candidates (see `roll_out_phases`)."""

    state: SlipState
    goal: StepGoal
    body: SlipBody
    u: Array  # (n, 24)
    knots: _Knots

    def start(self) -> BodyInstant:
        """Return the state at the start of the preview."""
        state = self.state
        return BodyInstant(
            SplitVector(_to_complex(state.com), np.asarray(state.com[2])),
            SplitVector(_to_complex(state.velocity), np.asarray(state.velocity[2])),
            np.asarray(state.heading),
            np.asarray(state.heading_rate),
        )

    def solve(self, slot: PhaseSlot, instant: BodyInstant, feet: dict[str, PreviewFoot]) -> Phase:
        """Solve a phase.

        Args:
            slot: the phase.
            instant: state at its start.
            feet: by name.
        """
        body = self.body
        duration = self.u[:, slot.duration_index, None]
        if slot.kind == "flight":
            return FlightPhase(duration, instant.place, instant.velocity, body.gravity)
        first, last = slot.knot_indices
        first_base, last_base = slot.cop_bases
        controls = StanceControls(
            duration,
            cop_begin=_place_cop(first_base, feet, body, self.knots.cop[:, first, None]),
            cop_end=_place_cop(last_base, feet, body, self.knots.cop[:, last, None]),
            rest_begin=self.knots.rest_length[:, first, None],
            rest_end=self.knots.rest_length[:, last, None],
        )
        ground_height = sum(feet[foot].height for foot in slot.feet) / len(slot.feet)
        model = StanceModel(body.spring, body.gravity, is_coupled=self.goal.has_flight)
        return solve_stance(instant.place, instant.velocity, controls, ground_height, model)

    def heading_acceleration(self, slot: PhaseSlot) -> Array | float:
        """Return the angular acceleration of the heading in a phase [rad/s^2]; 0 in flight."""
        return 0.0 if slot.kind == "flight" else self.u[:, slot.acceleration_index, None]


def _integrate_phases(
    state: SlipState,
    goal: StepGoal,
    body: SlipBody,
    slots: tuple[PhaseSlot, ...],
    u: Array,
    nodes: Array,
) -> _Integration:
    """Simulate n candidates phase by phase (see `roll_out_phases`).

    Args:
        nodes: (q,) at which each phase is evaluated, as shares of the phase; the last is 1.
    """
    solver = _PhaseSolver(state, goal, body, u, _compute_knots(body, u))
    feet = {
        "A": PreviewFoot.from_pose(state.standing_foot, state.side),
        "O": PreviewFoot.from_pose(state.stepping_foot, -state.side),
    }
    instant = solver.start()
    touchdown = None
    phases: list[Phase] = []
    starts = []
    motions = []
    headings = []
    for slot in slots:
        if touchdown is None and not slot.is_first_step:
            touchdown = instant
            feet["B"] = _place_foot(state, goal, instant, u)
        phase = solver.solve(slot, instant, feet)
        times = phase.duration * nodes  # (n, q)
        motion = phase.evaluate(times)
        heading = integrate_heading(
            HeadingState(instant.heading, instant.heading_rate),
            solver.heading_acceleration(slot),
            times,
        )
        phases.append(phase)
        starts.append(instant)
        motions.append(motion)
        headings.append(heading.heading)
        instant = _take_end(motion, heading)
    rollout = PhaseRollout(
        slots,
        tuple(phases),
        feet,
        starts=tuple(starts),
        touchdown=touchdown,
        end=instant,
        duration=u[:, [slot.duration_index for slot in slots]],
    )
    return _Integration(rollout, motions, headings)


def _take_end(motion: ComMotion, heading: HeadingState) -> BodyInstant:
    """Return the state at the last node.

    Columns are copied: NumPy multiplies strided columns with another rounding than contiguous ones.
    """
    return BodyInstant(
        _take_last_column(motion.place),
        _take_last_column(motion.velocity),
        heading.heading[:, -1:].copy(),
        heading.heading_rate[:, -1:].copy(),
    )


def _take_last_column(vector: SplitVector) -> SplitVector:
    return SplitVector(vector.horizontal[:, -1:].copy(), vector.vertical[:, -1:].copy())


def _to_complex(place: Array) -> ComplexArray:
    return np.asarray(complex(place[0], place[1]))


def _compute_knots(body: SlipBody, u: Array) -> _Knots:
    """Convert parameters (n, 24) to knots."""
    cop = u[:, COP].reshape(-1, 5, 2)
    return _Knots(
        body.sole_half_size[0] * cop[..., 0] + 1j * cop[..., 1],
        (u[:, REST_LENGTH] + body.gravity) / body.spring + body.com_height,
    )


def _place_foot(state: SlipState, goal: StepGoal, instant: BodyInstant, u: Array) -> PreviewFoot:
    """Return foot B at touchdown, equation 16.

    Args:
        state: state at the start.
        goal: goals of the steps.
        instant: state at touchdown.
        u: (n, 24) parameters.
    """
    forward = np.exp(1j * instant.heading)
    ground_level = (
        state.standing_foot.place[2] if state.ground_level is None else state.ground_level
    )
    side = goal.compute_next_side(state.side)
    position = instant.place.horizontal + forward * (
        u[:, FOOT.start, None] + 1j * u[:, FOOT.start + 1, None]
    )
    if goal.ground_height is None:
        return PreviewFoot(position, np.full(position.shape, ground_level), forward, side)
    height = goal.ground_height(np.stack([position.real, position.imag], -1))
    # Where there is no ground, the foothold residual pushes the foot away
    return PreviewFoot(position, np.where(np.isfinite(height), height, ground_level), forward, side)


def _place_cop(
    cop_base: str, feet: dict[str, PreviewFoot], body: SlipBody, knot: ComplexArray
) -> ComplexArray:
    """Convert the coordinates of a CoP to a position [m] (section 5.3).

    In double support the sides of the support quadrilateral are the center lines of both soles, so
    that all of it can carry weight.

    Args:
        cop_base: "A" or "B" for one foot, "both" for A and O.
        feet: by name.
        body: parameters of the model.
        knot: (n, 1) along the sole [m], and across it in bilinear coordinates.
    """
    if cop_base != "both":
        return feet[cop_base].point_at(knot.real, body.sole_half_size[1] * knot.imag)
    share = 0.5 * (knot.imag + 1)
    return np.asarray(
        (1 - share) * feet["A"].point_at(knot.real) + share * feet["O"].point_at(knot.real), complex
    )
