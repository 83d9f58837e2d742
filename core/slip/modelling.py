"""What makes up for the model's simplicity, as residuals:
section 5.2, equations 24-26, and the soft bounds of 5.3.
"""

from __future__ import annotations

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

# s that a phase counts at least: an objective of the root of a duration has no slope at 0
MIN_PHASE_TIME = 1e-4
FRICTION = 0.6  # of the vertical force that the horizontal one may reach
MIN_FOOT_SEPARATION = 0.13  # m between the middles of the feet, across the heading, at least
CROSSING_ALLOWANCE = 0.25  # m by which this may be less,
# for feet whose middles are farther from each other along the heading, m,
# and over how much that comes
CROSSING_DISTANCES = (0.15, 0.3)
# m/s^2 of a swinging foot at most, on level and on rough ground, where more of it was worse
MAX_SWING_ACCELERATIONS = 100.0, 1000.0
# s past the end of a preview in which the body is taken to go straight on before a projectile
DODGE_LOOKAHEAD = 0.5
GROUND_LIMIT_WEIGHT = 0.1  # of a leg's limit that one m/s^2 beyond what the ground can give weighs


def compute_model_residuals(
    state: SlipState,
    goal: StepGoal,
    body: SlipBody,
    w: SlipWeights,
    rollout: SampledRollout,
    u: Array,
) -> list[Array]:
    """Each (n, k), to be squared and summed."""
    n = len(u)
    acceleration = rollout.acceleration
    # (n, p, q)
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
        0.1 * sqrt(w.regularization) * u[:, REST_LENGTH],
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


def _compute_leg_residuals(
    body: SlipBody, w: SlipWeights, rollout: SampledRollout, node_weights: Array
) -> list[Array]:
    """Equations 25, 26 and 27 for each foot that stands in each phase."""
    pairs = [(k, foot) for k, slot in enumerate(rollout.slots) for foot in slot.feet]
    is_trailing = [
        slot.kind == "double" and len(rollout.slots) > 1 and foot == slot.trailing_foot
        for slot in rollout.slots
        for foot in slot.feet
    ]
    if not pairs:
        return []
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
    # (n, f, q) from the com
    hip = np.exp(1j * rollout.heading[:, phase_indices]) * (
        body.hip_offset[0] + 1j * side * body.hip_offset[1]
    )
    hip_from_ankle = rollout.place.horizontal[:, phase_indices] + hip - ankle
    squared_length = (
        hip_from_ankle.real**2
        + hip_from_ankle.imag**2
        + (rollout.place.vertical[:, phase_indices] + body.hip_offset[2] - height) ** 2
    )
    leg_weights = node_weights[:, phase_indices]
    # eq. 25
    length_residuals = sqrt(w.leg) * (squared_length[..., :-1] - body.leg_length**2) * leg_weights
    horizontal_residuals = sqrt(w.hip) * hip_from_ankle[..., :-1] * leg_weights  # eq. 26
    leg_length = np.sqrt(squared_length)
    max_leg = body.max_leg + body.heel_rise * np.array(is_trailing)[:, None]
    # eq. 27
    limit_residuals = sqrt(w.limit) * (
        np.maximum(leg_length - max_leg, 0) + np.maximum(body.min_leg - leg_length, 0)
    )
    return [
        leg_weights.reshape(n, -1)
        for leg_weights in (
            length_residuals,
            horizontal_residuals.real,
            horizontal_residuals.imag,
            limit_residuals,
        )
    ]


def _compute_ground_residuals(
    body: SlipBody, w: SlipWeights, horizontal: ComplexArray, vertical: Array
) -> list[Array]:
    """Ground that does not pull, and friction that ends: the model is free to break both.
    Accelerations (n, p, q).
    """
    n = len(vertical)
    weight = GROUND_LIMIT_WEIGHT * sqrt(w.limit)
    load = vertical + body.gravity
    slip = np.maximum(
        np.sqrt(horizontal.real**2 + horizontal.imag**2 + 1e-6) - FRICTION * np.maximum(load, 0), 0
    )
    return [weight * np.maximum(-load, 0).reshape(n, -1), weight * slip.reshape(n, -1)]


def _compute_foot_residuals(
    state: SlipState, goal: StepGoal, w: SlipWeights, rollout: SampledRollout
) -> list[Array]:
    """Where foot B comes down: beside the other one, in time, and on good ground."""
    landing_foot = rollout.feet["B"]
    touchdown = rollout.touchdown
    assert touchdown is not None
    separation = (landing_foot.horizontal - rollout.feet["A"].horizontal) * np.exp(
        -1j * touchdown.heading
    )
    # a foot that is well ahead of the other one, or behind it, may cross it; walking on rough
    # ground there is seldom room to catch that, but a run that may not weaves from side to side
    crossing_allowance = (
        CROSSING_ALLOWANCE if goal.ground_height is None or goal.has_flight else 0.0
    )
    min_separation = MIN_FOOT_SEPARATION - crossing_allowance * np.minimum(
        np.maximum((np.abs(separation.real) - CROSSING_DISTANCES[0]) / CROSSING_DISTANCES[1], 0.0),
        1.0,
    )
    is_hop = goal.gait == "hop"
    residuals = (
        []
        if is_hop
        else [
            sqrt(w.foot_separation)
            * np.maximum(min_separation - separation.imag * landing_foot.side, 0)
        ]
    )
    swing_phases = [
        k
        for k, slot in enumerate(rollout.slots)
        if slot.phase_number in ((3,) if is_hop else (2, 3))
    ]
    time = rollout.duration[:, swing_phases].sum(1)[:, None]
    # the cubic from where it is, as fast as it is, to rest there begins with 6 d / t^2 - 4 v / t
    swing_start = rollout.feet["A" if is_hop else "O"]
    is_standing = state.support == "double" or (is_hop and state.support == "single")
    swing_distance = np.abs(
        landing_foot.horizontal
        - swing_start.horizontal
        - 2 / 3 * time * (0.0 if is_standing else swing_start.velocity)
    )
    max_acceleration = MAX_SWING_ACCELERATIONS[int(goal.ground_height is not None)]
    residuals.append(
        sqrt(w.swing) * np.maximum(swing_distance - max_acceleration / 6 * time**2 - 0.02, 0)
    )
    if goal.foothold_distance is not None:
        swing_distance = goal.foothold_distance(
            np.concatenate([landing_foot.horizontal.real, landing_foot.horizontal.imag], -1),
            np.broadcast_to(touchdown.heading, time.shape)[:, 0],
        )
        residuals.append(sqrt(w.foothold) * swing_distance[:, None])
    return residuals


def _compute_dodge_residuals(
    ball: IncomingProjectile, w: SlipWeights, rollout: SampledRollout
) -> Array:
    """Equation 31 as a hinge. (n, p q).

    Between two nodes both go straight on, as seen from each other: what is fast would slip through
    between them. So they do past the end: else a preview that ends before the projectile is there
    would be the best way out.
    """
    begin = np.cumsum(rollout.duration, axis=1) - rollout.duration
    t = (begin[..., None] + rollout.duration[..., None] * NODES).reshape(len(begin), -1)  # (n, p q)
    x, y, z = ball.place
    u, v, climb_rate = ball.velocity
    horizontal = complex(x, y) + complex(u, v) * t - rollout.place.horizontal.reshape(t.shape)
    vertical = z + climb_rate * t - rollout.place.vertical.reshape(t.shape)
    horizontal = np.column_stack(
        [
            horizontal,
            horizontal[:, -1] + DODGE_LOOKAHEAD * (complex(u, v) - rollout.end.velocity.horizontal),
        ]
    )
    vertical = np.column_stack(
        [vertical, vertical[:, -1] + DODGE_LOOKAHEAD * (climb_rate - rollout.end.velocity.vertical)]
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
