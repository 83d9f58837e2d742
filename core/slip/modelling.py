"""Modeling objectives as residuals: section 5.2, equations 24-26, and soft constraints of 5.3."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import IncomingProjectile, StepGoal
from .phases import ComplexArray
from .rollout import NODE_WEIGHTS, NODES, SampledRollout
from .schedule import COP, REST_LENGTH
from .state import SlipState
from .weights import SlipWeights

Array = NDArray[np.float64]

# Added to phase durations in the weights of integrals [s]; the square root of a duration, by which
# residuals are weighted, has no finite slope at 0
MIN_PHASE_TIME = 1e-4
# Weight of rest lengths in the regularization, relative to that of centers of pressure [1]; their
# numbers are larger. Numerical.
REST_LENGTH_SHARE = 0.1


@dataclass(frozen=True)
class GroundParameters:
    """Limits of the ground reaction force."""

    # Largest ratio of horizontal to vertical force. Without a limit the decoupled model breaks any
    # cone
    friction: float = 0.6
    # Weight of an acceleration of 1 m/s^2 beyond the limit, relative to a leg 1 m beyond its limit:
    # an acceleration of g beyond it weighs as much as a leg that is longer than it can be
    limit_weight: float = 0.1


@dataclass(frozen=True)
class FootParameters:
    """Placement of foot B."""

    # [m] lateral distance between the centers of the soles, whose width is 0.1
    min_separation: float = 0.13
    # [m] by which feet may be closer, or cross, if one is well ahead of the other. tuned: without
    # it pushes toward the stance leg were not caught
    crossing_allowance: float = 0.25
    # [m] distance along the heading at which the allowance begins, and over which it grows; at 0.3
    # feet of human length are past each other
    crossing_begin: float = 0.15
    crossing_range: float = 0.3
    # [m/s^2] largest acceleration of a swinging foot on level ground. tuned: without it legs that
    # cannot arrive in time throw the body up
    max_swing_acceleration: float = 100.0
    # The same on rough ground. tuned: tighter limits gave worse results there
    max_rough_swing_acceleration: float = 1000.0
    # [m] by which a swing may exceed the distance that its acceleration allows. Numerical: so that
    # a foot that is over its place leaves the bounds some room
    swing_margin: float = 0.02


@dataclass(frozen=True)
class ProjectileAvoidanceParameters:
    """Avoidance of projectiles."""

    # [s] after the preview for which body and projectile are extrapolated. tuned: else previews end
    # before the projectile arrives
    lookahead: float = 0.5


GROUND = GroundParameters()
FOOT_PLACEMENT = FootParameters()
PROJECTILE_AVOIDANCE = ProjectileAvoidanceParameters()


def compute_model_residuals(
    state: SlipState,
    goal: StepGoal,
    body: SlipBody,
    w: SlipWeights,
    rollout: SampledRollout,
    u: Array,
) -> list[Array]:
    """Compute the residuals of the modeling objectives; their squares are summed.

    Args:
        state: state at the start.
        goal: goals of the steps.
        body: parameters of the model.
        w: weights.
        rollout: simulation of n candidates.
        u: (n, 24) parameters.

    Returns:
        Arrays (n, k).
    """
    n = len(u)
    acceleration = rollout.acceleration
    # (n, p, q - 1) square roots of the quadrature weights of integrals over time
    node_weights = np.sqrt(NODE_WEIGHTS * (rollout.duration[..., None] + MIN_PHASE_TIME))
    sqrt_weights = sqrt(w.acceleration) * node_weights
    # eq. 24
    acceleration_residuals = [
        (sqrt_weights * part[..., :-1]).reshape(n, -1)
        for part in (
            acceleration.horizontal.real,
            acceleration.horizontal.imag,
            acceleration.vertical,
        )
    ]
    residuals = [
        *acceleration_residuals,
        sqrt(w.regularization) * u[:, COP],
        REST_LENGTH_SHARE * sqrt(w.regularization) * u[:, REST_LENGTH],
        *_compute_leg_residuals(body, w, rollout, node_weights),
    ]
    contact_phases = [k for k, slot in enumerate(rollout.slots) if slot.kind != "flight"]
    if contact_phases:
        residuals += _compute_ground_residuals(
            body,
            w,
            acceleration.horizontal[:, contact_phases],
            acceleration.vertical[:, contact_phases],
        )
    if rollout.touchdown is not None:
        residuals += _compute_foot_residuals(state, goal, w, rollout)
    if goal.projectile is not None:
        residuals.append(_compute_dodge_residuals(goal.projectile, w, rollout))
    return residuals


@dataclass(frozen=True)
class _LegSample:
    """Legs in contact: f pairs of a phase and a foot, at q nodes."""

    phase_indices: list[int]  # of each pair
    hip_from_ankle: ComplexArray  # (n, f, q) [m] horizontal
    squared_length: Array  # (n, f, q) [m^2]
    # (f, 1) whether the foot lifts off after the phase, so that its heel may rise
    is_trailing: NDArray[np.bool_]


def _compute_leg_residuals(
    body: SlipBody, w: SlipWeights, rollout: SampledRollout, node_weights: Array
) -> list[Array]:
    """Compute equations 25, 26 and 27 for each foot in contact in each phase.

    Equation 27, the limits of the leg length, is a hinge instead of a sigmoid.
    """
    if not any(slot.feet for slot in rollout.slots):
        return []
    n = len(rollout.duration)
    legs = _sample_legs(body, rollout)
    leg_weights = node_weights[:, legs.phase_indices]
    # eq. 25
    length_residuals = (
        sqrt(w.leg) * (legs.squared_length[..., :-1] - body.leg_length**2) * leg_weights
    )
    hip_residuals = sqrt(w.hip) * legs.hip_from_ankle[..., :-1] * leg_weights  # eq. 26
    leg_length = np.sqrt(legs.squared_length)
    max_leg = body.max_leg + body.heel_rise * legs.is_trailing
    # eq. 27
    limit_residuals = sqrt(w.limit) * (
        np.maximum(leg_length - max_leg, 0) + np.maximum(body.min_leg - leg_length, 0)
    )
    return [
        residuals.reshape(n, -1)
        for residuals in (
            length_residuals,
            hip_residuals.real,
            hip_residuals.imag,
            limit_residuals,
        )
    ]


def _sample_legs(body: SlipBody, rollout: SampledRollout) -> _LegSample:
    """Measure the vector from ankle to hip of each foot in contact in each phase."""
    pairs = [(k, foot) for k, slot in enumerate(rollout.slots) for foot in slot.feet]
    is_trailing = [
        slot.kind == "double" and len(rollout.slots) > 1 and foot == slot.trailing_foot
        for slot in rollout.slots
        for foot in slot.feet
    ]
    n = len(rollout.duration)
    phase_indices = [k for k, _ in pairs]
    ankles = {
        name: foot.point_at(body.ankle_offset[0], foot.side * body.ankle_offset[1])
        for name, foot in rollout.feet.items()
    }
    ankle = np.empty((n, len(pairs), 1), complex)
    height = np.empty((n, len(pairs), 1))
    for k, (_, name) in enumerate(pairs):
        ankle[:, k] = ankles[name]
        height[:, k] = rollout.feet[name].height + body.ankle_offset[2]
    side = np.array([rollout.feet[name].side for _, name in pairs])[:, None]
    # (n, f, q) hip relative to the CoM
    hip = np.exp(1j * rollout.heading[:, phase_indices]) * (
        body.hip_offset[0] + 1j * side * body.hip_offset[1]
    )
    hip_from_ankle = rollout.place.horizontal[:, phase_indices] + hip - ankle
    squared_length = (
        hip_from_ankle.real**2
        + hip_from_ankle.imag**2
        + (rollout.place.vertical[:, phase_indices] + body.hip_offset[2] - height) ** 2
    )
    return _LegSample(phase_indices, hip_from_ankle, squared_length, np.array(is_trailing)[:, None])


def _compute_ground_residuals(
    body: SlipBody, w: SlipWeights, horizontal: ComplexArray, vertical: Array
) -> list[Array]:
    """Compute how far forces pull on the ground or exceed friction; the model allows both.

    Args:
        body: parameters of the model.
        w: weights.
        horizontal: (n, p, q) [m/s^2] acceleration of the CoM.
        vertical: (n, p, q) [m/s^2] acceleration of the CoM.
    """
    n = len(vertical)
    weight = GROUND.limit_weight * sqrt(w.limit)
    load = vertical + body.gravity
    slip = np.maximum(
        np.sqrt(horizontal.real**2 + horizontal.imag**2 + 1e-6)
        - GROUND.friction * np.maximum(load, 0),
        0,
    )
    return [weight * np.maximum(-load, 0).reshape(n, -1), weight * slip.reshape(n, -1)]


def _compute_foot_residuals(
    state: SlipState, goal: StepGoal, w: SlipWeights, rollout: SampledRollout
) -> list[Array]:
    """Compute the residuals of foot B's place: its separation, its swing, and its foothold."""
    landing_foot = rollout.feet["B"]
    touchdown = rollout.touchdown
    assert touchdown is not None
    residuals = []
    if goal.gait != "hop":
        residuals.append(_compute_separation_residual(goal, w, rollout, touchdown.heading))
    residuals.append(_compute_swing_residual(state, goal, w, rollout))
    if goal.foothold_distance is not None:
        distance = goal.foothold_distance(
            np.concatenate([landing_foot.horizontal.real, landing_foot.horizontal.imag], -1),
            np.broadcast_to(touchdown.heading, (len(rollout.duration), 1))[:, 0],
        )
        residuals.append(sqrt(w.foothold) * distance[:, None])
    return residuals


def _compute_separation_residual(
    goal: StepGoal, w: SlipWeights, rollout: SampledRollout, heading: Array
) -> Array:
    """Compute the missing lateral separation of foot B from foot A. (n, 1).

    A foot well ahead of the other one, or behind it, may cross it. Not in walks on rough ground,
    where there is seldom room to recover; runs that may not cross weave from side to side.

    Args:
        goal: goals of the steps.
        w: weights.
        rollout: simulation of n candidates.
        heading: [rad] at touchdown.
    """
    landing_foot = rollout.feet["B"]
    separation = (landing_foot.horizontal - rollout.feet["A"].horizontal) * np.exp(-1j * heading)
    may_cross = goal.ground_height is None or goal.has_flight
    crossing_allowance = FOOT_PLACEMENT.crossing_allowance if may_cross else 0.0
    distance = np.abs(separation.real) - FOOT_PLACEMENT.crossing_begin
    min_separation = FOOT_PLACEMENT.min_separation - crossing_allowance * np.minimum(
        np.maximum(distance / FOOT_PLACEMENT.crossing_range, 0.0), 1.0
    )
    return np.asarray(
        sqrt(w.foot_separation)
        * np.maximum(min_separation - separation.imag * landing_foot.side, 0)
    )


def _compute_swing_residual(
    state: SlipState, goal: StepGoal, w: SlipWeights, rollout: SampledRollout
) -> Array:
    """Compute how far foot B is beyond the distance that its acceleration allows. (n, 1).

    The cubic from the current place and velocity v to rest, a distance d away, begins with the
    acceleration 6 d / t^2 - 4 v / t. Hence |d - 2 v t / 3| <= a_max t^2 / 6.
    """
    is_hop = goal.gait == "hop"
    swing_phases = [
        k
        for k, slot in enumerate(rollout.slots)
        if slot.phase_number in ((3,) if is_hop else (2, 3))
    ]
    time = rollout.duration[:, swing_phases].sum(1)[:, None]
    swing_start = rollout.feet["A" if is_hop else "O"]
    is_standing = state.support == "double" or (is_hop and state.support == "single")
    swing_distance = np.abs(
        rollout.feet["B"].horizontal
        - swing_start.horizontal
        - 2 / 3 * time * (0.0 if is_standing else swing_start.velocity)
    )
    max_acceleration = (
        FOOT_PLACEMENT.max_swing_acceleration
        if goal.ground_height is None
        else FOOT_PLACEMENT.max_rough_swing_acceleration
    )
    excess = swing_distance - max_acceleration / 6 * time**2 - FOOT_PLACEMENT.swing_margin
    return np.asarray(sqrt(w.swing) * np.maximum(excess, 0))


def _compute_dodge_residuals(
    ball: IncomingProjectile, w: SlipWeights, rollout: SampledRollout
) -> Array:
    """Compute by how much a projectile comes too close, equation 31 as a hinge. (n, p q).

    Between two nodes body and projectile move on straight lines relative to each other; a fast
    projectile could otherwise pass between nodes. The same holds after the end of the preview;
    otherwise a preview that ends before the projectile arrives would be the best escape.
    """
    begin = np.cumsum(rollout.duration, axis=1) - rollout.duration
    t = (begin[..., None] + rollout.duration[..., None] * NODES).reshape(len(begin), -1)  # (n, p q)
    x, y, z = ball.place
    u, v, climb_rate = ball.velocity
    horizontal = complex(x, y) + complex(u, v) * t - rollout.place.horizontal.reshape(t.shape)
    vertical = z + climb_rate * t - rollout.place.vertical.reshape(t.shape)
    end_velocity = rollout.end.velocity
    horizontal = np.column_stack(
        [
            horizontal,
            horizontal[:, -1:]
            + PROJECTILE_AVOIDANCE.lookahead * (complex(u, v) - end_velocity.horizontal),
        ]
    )
    vertical = np.column_stack(
        [
            vertical,
            vertical[:, -1:]
            + PROJECTILE_AVOIDANCE.lookahead * (climb_rate - end_velocity.vertical),
        ]
    )
    if ball.needs_side_pass:
        vertical = np.zeros_like(vertical)
    horizontal_steps = np.diff(horizontal)
    vertical_steps = np.diff(vertical)
    squared_steps = np.abs(horizontal_steps) ** 2 + vertical_steps**2 + 1e-12
    share = np.clip(
        -((horizontal[:, :-1] * horizontal_steps.conj()).real + vertical[:, :-1] * vertical_steps)
        / squared_steps,
        0.0,
        1.0,
    )
    distances = np.sqrt(
        np.abs(horizontal[:, :-1] + share * horizontal_steps) ** 2
        + (vertical[:, :-1] + share * vertical_steps) ** 2
        + 1e-9
    )
    return sqrt(w.dodge) * np.maximum(ball.distance - distances, 0)
