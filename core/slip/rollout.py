"""The preview itself: phases one after the other, equation 17, for many candidates at once."""

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
    Phase,
    SplitVector,
    integrate_heading,
    solve_stance,
)
from .schedule import COP, FOOT, REST_LENGTH, PhaseSlot
from .state import FootPose, SlipState

Array = NDArray[np.float64]

_legendre_nodes, _legendre_weights = roots_legendre(4)
# of each phase at which integrands are taken, and its end, as shares of it
NODES = np.append(0.5 * (_legendre_nodes + 1), 1.0)
NODE_WEIGHTS = 0.5 * _legendre_weights  # of the phase that each node but the last stands for


@dataclass(frozen=True)
class PreviewFoot:
    """Where a foot stands, the same for all candidates or for each of n: (n, 1)."""

    horizontal: ComplexArray  # place along the ground
    height: Array
    forward: ComplexArray  # unit vector of its heading
    side: float  # 1 left, -1 right
    velocity: ComplexArray | complex = 0j

    @classmethod
    def from_pose(cls, foot: FootPose, side: float) -> PreviewFoot:
        """The same foot for all candidates."""
        return cls(
            _to_complex(foot.place),
            np.asarray(foot.place[2]),
            np.exp(1j * np.asarray(foot.heading)),
            side=side,
            velocity=complex(*foot.velocity),
        )

    def point_at(self, ahead: Array | float, aside: Array | float = 0.0) -> ComplexArray:
        """A point of the foot, by its distances ahead and to the left of its middle."""
        return self.horizontal + self.forward * (ahead + 1j * aside)


@dataclass(frozen=True)
class BodyInstant:
    """The body at an instant of the preview."""

    place: SplitVector
    velocity: SplitVector
    heading: Array
    heading_rate: Array


@dataclass(frozen=True)
class PhaseRollout:
    """n previews of p phases; what is a candidate's own is (n, 1)."""

    slots: tuple[PhaseSlot, ...]
    phases: tuple[Phase, ...]
    feet: dict[str, PreviewFoot]  # A, O and, where a foot comes down, B
    starts: tuple[BodyInstant, ...]  # of each phase
    touchdown: BodyInstant | None  # when foot B comes down; None of a body that stands
    end: BodyInstant
    duration: Array  # (n, p)


@dataclass(frozen=True)
class SampledRollout(PhaseRollout):
    """The same with q nodes in each phase."""

    place: SplitVector  # (n, p, q) at the nodes
    acceleration: SplitVector  # (n, p, q)
    heading: Array  # (n, p, q)


def roll_out_phases(
    state: SlipState, goal: StepGoal, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array
) -> PhaseRollout:
    """Preview n candidates (n, 24) from phase to phase."""
    return _integrate_phases(state, goal, body, slots=slots, u=u, nodes=NODES[-1:])[0]


def roll_out(
    state: SlipState, goal: StepGoal, body: SlipBody, slots: tuple[PhaseSlot, ...], u: Array
) -> SampledRollout:
    """Preview n candidates (n, 24), and tell how they go between the phases' ends."""
    phase_rollout, motions, headings = _integrate_phases(
        state, goal, body, slots=slots, u=u, nodes=NODES
    )
    shape = (len(u), len(slots), len(NODES))
    place, acceleration = (
        SplitVector(
            *(np.concatenate(parts, 1).reshape(shape) for parts in zip(*vectors, strict=True))
        )
        for vectors in zip(*((m.place, m.acceleration) for m in motions), strict=True)
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
        heading=np.concatenate(headings, 1).reshape(shape),
    )


def _integrate_phases(
    state: SlipState,
    goal: StepGoal,
    body: SlipBody,
    slots: tuple[PhaseSlot, ...],
    u: Array,
    nodes: Array,
) -> tuple[PhaseRollout, list[ComMotion], list[Array]]:
    """Also the motion and the headings (n, q) of each phase at nodes,
    the last of which is its end.
    """
    feet = {
        "A": PreviewFoot.from_pose(state.standing_foot, state.side),
        "O": PreviewFoot.from_pose(state.stepping_foot, -state.side),
    }
    knots, rest_lengths = _compute_knots(body, u)
    instant = BodyInstant(
        SplitVector(_to_complex(state.com), np.asarray(state.com[2])),
        SplitVector(_to_complex(state.velocity), np.asarray(state.velocity[2])),
        np.asarray(state.heading),
        np.asarray(state.heading_rate),
    )
    touchdown = None
    phases = []
    starts = []
    motions = []
    headings = []
    for slot in slots:
        if touchdown is None and not slot.is_first_step:
            touchdown = instant
            feet["B"] = _place_foot(state, goal, instant, u)
        duration = u[:, slot.duration_index, None]
        heading_acceleration: Array | float = 0.0
        if slot.kind == "flight":
            phase: Phase = FlightPhase(duration, instant.place, instant.velocity, body.gravity)
        else:
            first_knot, last_knot = slot.knot_indices
            cop = tuple(
                _place_cop(base, feet, body, knots[:, k, None])
                for base, k in zip(slot.cop_bases, slot.knot_indices, strict=True)
            )
            ground_height = sum(feet[foot].height for foot in slot.feet) / len(slot.feet)
            phase = solve_stance(
                instant.place,
                instant.velocity,
                duration,
                cop=(cop[0], cop[1]),
                rest_lengths=(rest_lengths[:, first_knot, None], rest_lengths[:, last_knot, None]),
                ground_height=ground_height,
                spring=body.spring,
                gravity=body.gravity,
                is_coupled=goal.has_flight,
            )
            heading_acceleration = u[:, slot.acceleration_index, None]
        times = duration * nodes  # (n, q)
        motion, heading, heading_rate = (
            phase.evaluate(times),
            *integrate_heading(instant.heading, instant.heading_rate, heading_acceleration, times),
        )
        phases.append(phase)
        starts.append(instant)
        motions.append(motion)
        headings.append(heading)
        instant = BodyInstant(
            _take_end(motion.place),
            _take_end(motion.velocity),
            heading[:, -1:].copy(),
            heading_rate[:, -1:].copy(),
        )
    duration = u[:, [slot.duration_index for slot in slots]]
    return (
        PhaseRollout(
            slots,
            tuple(phases),
            feet,
            starts=tuple(starts),
            touchdown=touchdown,
            end=instant,
            duration=duration,
        ),
        motions,
        headings,
    )


def _take_end(vector: SplitVector) -> SplitVector:
    """At the last node; copies, for numpy takes what lies behind a column for a part of it, and
    then rounds products otherwise.
    """
    return SplitVector(vector.horizontal[:, -1:].copy(), vector.vertical[:, -1:].copy())


def _to_complex(place: Array) -> ComplexArray:
    return np.asarray(complex(place[0], place[1]))


def _compute_knots(body: SlipBody, u: Array) -> tuple[ComplexArray, Array]:
    """Bilinear coordinates of centres of pressure, along a sole in m and across as they are; rest
    lengths, m. Each (n, 5).
    """
    cop = u[:, COP].reshape(-1, 5, 2)
    return body.sole_half_size[0] * cop[..., 0] + 1j * cop[..., 1], (
        u[:, REST_LENGTH] + body.gravity
    ) / body.spring + body.com_height


def _place_foot(state: SlipState, goal: StepGoal, instant: BodyInstant, u: Array) -> PreviewFoot:
    """Foot B when it comes down, equation 16."""
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
    # where there is none, footing tells
    return PreviewFoot(position, np.where(np.isfinite(height), height, ground_level), forward, side)


def _place_cop(
    cop_base: str, feet: dict[str, PreviewFoot], body: SlipBody, knot: ComplexArray
) -> ComplexArray:
    """Place of a centre of pressure from its coordinates: section 5.3.

    Between two feet the quadrilateral has the middle lines of both soles as sides,
    so that all of it carries.
    """
    if cop_base != "both":
        return feet[cop_base].point_at(knot.real, body.sole_half_size[1] * knot.imag)
    share = 0.5 * (knot.imag + 1)
    return np.asarray(
        (1 - share) * feet["A"].point_at(knot.real) + share * feet["O"].point_at(knot.real), complex
    )
