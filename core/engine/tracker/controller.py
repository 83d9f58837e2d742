"""Feedback that keeps the motion constraints, the foot and the friction (Abe 2011, 1-3 and 9-14).

Equations 1 to 3, 9 to 12 and 14 are one linear system for the nine accelerations: rows of the
contacts, of the constraints, and of the place at which the ground force acts. Where this force
leaves the friction cone, equation 13 replaces it: the accelerations that come closest to the
constraints among those with the projected force.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .biped import (
    ANKLE_1,
    COORDINATES,
    FOOT_1,
    HEEL_1,
    TOE_1,
    TOE_2,
    Dynamics,
    LegAngle,
    PlanarBiped,
    PointMotion,
)
from .constraints import JOINTS
from .phase_curve import CurveSample

Array = NDArray[np.float64]


class Stance(IntEnum):
    """What of foot 1 rests."""

    HEEL = 0
    FLAT = 1
    TOES = 2


@dataclass(frozen=True)
class ControlParameters:
    """Gains and bounds of the controller.

    Args:
        stiffness: position gain ks; table 1
        convergence: time constant epsilon [s]; the velocity gain is 2 sqrt(ks); table 1
        friction: coefficient that the controller counts on, below that of the ground, 0.8. tuned:
            with half of it a walk down 12 degrees falls, test_walker.test_walk_on_slopes
        least_load: least vertical force [body weights]. tuned: halved or doubled, the same walk
            falls
        max_torque: [N m]. tuned: 300 was not enough for legs that land late on
            lower ground, test_walker.test_walk_on_slopes
        contact_damping: rate at which the speed of a contact decays [1/s]. tuned: doubled, the
            same walk falls; halved, it is 7 % slower
        toe_weight: weight of the acceleration of the rear toes in equation 13, as `foot_weight`:
            what rests counts as much as what rolls.
        foot_weight: weight of the pitch of a foot that rolls in it. tuned: halved, the same walk
            falls
        landing_speed: rate at which a foot that has landed on its heel comes down [rad/s]. tuned:
            as a function of the phase, which hardly advances meanwhile, the foot rose again,
            test_walker.test_walk_on_flat_ground_does_not_fall
        landing_gain: rate at which it takes on this speed [1/s]. tuned: a foot that is stopped at
            once lifts the whole body, test_walker.test_walk_on_slopes
    """

    stiffness: float = 10.0
    convergence: float = 0.05
    friction: float = 0.7
    least_load: float = 0.05
    max_torque: float = 400.0
    contact_damping: float = 20.0
    toe_weight: float = 10.0
    foot_weight: float = 10.0
    landing_speed: float = 4.0
    landing_gain: float = 15.0


CONTROL = ControlParameters()


@dataclass(frozen=True)
class ControlState:
    """A state of the biped, and how it stands.

    Args:
        q, v: coordinates and rates, shape (9,).
        dynamics, points, angle: of the state.
        stance: of foot 1.
        is_double: whether the toes of leg 2 rest.
        slope: of the ground, as far as the walker knows [rad].
    """

    q: Array
    v: Array
    dynamics: Dynamics
    points: PointMotion
    angle: LegAngle
    stance: Stance
    is_double: bool
    slope: float = 0.0


@dataclass(frozen=True)
class JointOffset:
    """A distance from the constraints that is intended.

    Args:
        value: [rad], shape (k,).
        rate: [rad/s], shape (k,).
        acceleration: [rad/s^2], shape (k,).
    """

    value: Array
    rate: Array
    acceleration: Array


@dataclass(frozen=True)
class JointTargets:
    """What the controller is to reach.

    Args:
        rows: rows of `JOINTS` that are controlled, k of them.
        joints: their constraints, k columns.
        pressure: place at which the ground force acts [m], forward plus i up.
        share: share of the force on the front foot.
        offset: intended distance from the constraints, k columns; None for none.
    """

    rows: NDArray[np.int64]
    joints: CurveSample
    pressure: complex
    share: float
    offset: JointOffset | None = None


@dataclass(frozen=True)
class AccelerationRows:
    """Linear equations of the accelerations.

    Args:
        matrix: shape (rows, coordinates).
        values: right-hand sides, shape (rows,).
    """

    matrix: Array
    values: Array


@dataclass(frozen=True)
class PhaseController:
    """Controller of a biped."""

    biped: PlanarBiped

    def compute_torques(self, state: ControlState, targets: JointTargets) -> Array:
        """Return the torques of hip, knee and ankle of both legs that keep constraints, foot and
        friction [N m], shape (6,).
        """
        contact = self._make_contact_rows(state)
        joint = _make_joint_rows(state, targets)
        moment = self.biped.compute_force_map(state.q, targets.pressure, state.dynamics)
        system = np.concatenate([contact.matrix, joint.matrix, moment.row[None]])
        values = np.concatenate([contact.values, joint.values, [-moment.constant]])
        try:
            acceleration = np.linalg.solve(system, values)
        except np.linalg.LinAlgError:
            acceleration = np.linalg.lstsq(system, values, rcond=None)[0]
        mass = state.dynamics.mass
        bias = state.dynamics.bias
        force = mass[:2] @ acceleration + bias[:2]
        bounded = self._bound_force(state, force)
        if bounded is not None:
            force = bounded
            hard = 2 if state.is_double else 0
            kept = len(contact.values) - hard
            weight = np.ones(len(joint.values))
            if state.stance != Stance.FLAT:
                weight[-1] = CONTROL.foot_weight
            acceleration = _solve_constrained(
                np.concatenate(
                    [weight[:, None] * joint.matrix, CONTROL.toe_weight * contact.matrix[kept:]]
                ),
                np.concatenate([weight * joint.values, CONTROL.toe_weight * contact.values[kept:]]),
                np.concatenate([contact.matrix[:kept], moment.row[None], mass[:2]]),
                np.concatenate([contact.values[:kept], [-moment.constant], force - bias[:2]]),
            )
        return self._resolve_torques(state, acceleration, force, targets.share)

    def _make_contact_rows(self, state: ControlState) -> AccelerationRows:
        """Return the equations that keep resting points in place."""
        points = state.points
        first = {Stance.HEEL: HEEL_1, Stance.FLAT: ANKLE_1, Stance.TOES: TOE_1}[state.stance]
        jacobian = [points.jacobian[first]]
        bias = [points.bias[first]]
        if state.stance == Stance.FLAT:
            foot = np.zeros((1, COORDINATES))
            foot[0, 2 + FOOT_1] = 1.0
            jacobian.append(foot)
            bias.append(np.zeros(1))
        if state.is_double:
            jacobian.append(points.jacobian[TOE_2])
            bias.append(points.bias[TOE_2])
        rows = np.concatenate(jacobian)
        return AccelerationRows(
            rows, -np.concatenate(bias) - CONTROL.contact_damping * (rows @ state.v)
        )

    def _bound_force(self, state: ControlState, force: Array) -> Array | None:
        """Return a ground force projected to the bounds of friction and load; None if within."""
        weight = self.biped.gravity * self.biped.side_view.total_mass
        along = np.array([np.cos(state.slope), np.sin(state.slope)])
        normal = np.array([-along[1], along[0]])
        pressure = float(normal @ force)
        lift = max(pressure, CONTROL.least_load * weight)
        limit = CONTROL.friction * lift
        friction = float(along @ force)
        if lift == pressure and abs(friction) <= limit:
            return None
        return np.asarray(lift * normal + min(max(friction, -limit), limit) * along)

    def _resolve_torques(
        self, state: ControlState, acceleration: Array, force: Array, share: float
    ) -> Array:
        """Return the torques of an acceleration: the force is split between the feet."""
        points = state.points
        needed = state.dynamics.mass @ acceleration + state.dynamics.bias
        needed = needed - share * (points.jacobian[ANKLE_1].T @ force)
        if share < 1:
            needed = needed - (1 - share) * (points.jacobian[TOE_2].T @ force)
        torque = self.biped.torque_inverse @ needed
        return np.clip(torque, -CONTROL.max_torque, CONTROL.max_torque)


def _make_joint_rows(state: ControlState, targets: JointTargets) -> AccelerationRows:
    """Return the equations with which the constraints converge (3)."""
    joints = JOINTS[targets.rows]
    curve = targets.joints
    angle = state.angle
    rate = float(angle.rate)
    error = joints @ state.q - curve.value
    error_rate = joints @ state.v - curve.slope * rate
    intended = np.zeros(len(error))
    if targets.offset is not None:
        error = error - targets.offset.value
        error_rate = error_rate - targets.offset.rate
        intended = targets.offset.acceleration
    gain = CONTROL.stiffness / CONTROL.convergence**2
    damping = 2 * np.sqrt(CONTROL.stiffness) / CONTROL.convergence
    values = (
        intended
        + curve.curvature * rate**2
        + curve.slope * float(angle.bias)
        - gain * error
        - damping * error_rate
    )
    if state.stance == Stance.HEEL:
        values[-1] = -CONTROL.landing_gain * (float(state.v[2 + FOOT_1]) + CONTROL.landing_speed)
    return AccelerationRows(joints - curve.slope[:, None] * angle.jacobian, values)


def _solve_constrained(matrix: Array, values: Array, exact: Array, exact_values: Array) -> Array:
    """Return x that minimizes |matrix x - values| with exact @ x = exact_values (13)."""
    orthogonal, triangular = np.linalg.qr(exact.T, mode="complete")
    count = len(exact)
    fixed = np.linalg.lstsq(triangular[:count].T, exact_values, rcond=None)[0]
    particular = orthogonal[:, :count] @ fixed
    free = orthogonal[:, count:]
    if not free.shape[1]:
        return np.asarray(particular)
    rest = np.linalg.lstsq(matrix @ free, values - matrix @ particular, rcond=None)[0]
    return np.asarray(particular + free @ rest)
