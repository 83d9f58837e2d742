"""Torques of a whole body by one quadratic program an instant (Mordatch et al. 2010, section 6)."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .body import SimulatedBody
from .body_state import BodyState
from .foot_on_ground import align_foot
from .gains import RUNNING_GAINS, Gains
from .objectives import Objectives, is_loaded
from .physics import PhysicsState
from .reference import ControlReference
from .torque_qp import solve_torque_program

Array = NDArray[np.float64]

FORCE_UNIT = 100.0  # N, so that unknowns are of like size
MAX_EDGE_FORCE = 50.0  # units along one edge of a friction cone
RANGE_STIFFNESS = 900.0  # 1/s^2, stiffness with which a hinge stops at the end of its range
MAX_FINITE_BOUND = 500.0  # rad/s^2, bounds beyond which are none
MIN_SWING_BEND = 0.5  # rad that a knee is bent by at least in the first half of a swing
BEND_STIFFNESS = 200.0  # 1/s^2 of the way there
ACCELERATION_WEIGHT = 1e-5  # weight of every acceleration
# m that a point of a runner's sole may be higher than its lowest, to be counted on
LEVEL_TOLERANCE = 0.005
# of a pyramid inside a cone of friction 1: ahead, aside, along the normal
PYRAMID_EDGES = np.array(
    [[s, t, 1.0] for s in (0.5**0.5, -(0.5**0.5)) for t in (0.5**0.5, -(0.5**0.5))]
)


@dataclass(frozen=True)
class ControlResult:
    """What the controller found: torques (nv - 6,) Nm and accelerations (nv,).
    Not feasible, the torques are zero.

    `forces` are those it counts on, (3,) N for each leg.
    """

    torques: Array
    is_feasible: bool
    accelerations: Array
    forces: Array  # (legs, 3)


class Controller:
    """Finds torques, accelerations and contact forces that come nearest to what a reference
    wants (equations 29-30).

    Args:
        body: that is driven.
        gains, running_gains: weights of the objectives, and those of a body that runs.
    """

    def __init__(
        self, body: SimulatedBody, gains: Gains | None = None, running_gains: Gains | None = None
    ) -> None:
        self.body = body
        self.gains = gains if gains is not None else Gains()
        self.running_gains = running_gains if running_gains is not None else RUNNING_GAINS
        self._torque_limit = body.model.torque_limit
        self._no_bounds = np.full((2, body.nv), [[-np.inf], [np.inf]])
        # (4, 3) upward z
        cone = self.gains.friction * body.model.friction
        self._edges = FORCE_UNIT * PYRAMID_EDGES * [cone, cone, 1.0]
        model = body.model.mujoco
        joints = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE)
        self._hinges = model.jnt_dofadr[joints]
        self._hinge_coordinates = model.jnt_qposadr[joints]
        self._hinge_ranges = model.jnt_range[joints]

    def compute_torques(
        self, state: PhysicsState, reference: ControlReference, body_state: BodyState | None = None
    ) -> ControlResult:
        """For one instant.

        Args:
            body_state: of this state, where it was read already.
        """
        current = body_state if body_state is not None else self.body.compute_state(state)
        gains = reference.gains or (self.running_gains if reference.is_running else self.gains)
        objectives = Objectives(
            self.body, gains, state, body_state=current, reference=reference
        ).build_rows()
        cones, leg_cones = self._build_cones(state, current, reference)  # (f, nv), FORCE_UNIT each
        nv = self.body.nv
        legs = len(self.body.character.legs)
        weighted = objectives.maps.T * objectives.weight
        hessian = weighted @ objectives.maps
        hessian.flat[:: nv + 1] += objectives.acceleration_weights + ACCELERATION_WEIGHT
        gradient = (
            -weighted @ objectives.targets
            - objectives.acceleration_weights * objectives.acceleration_targets
        )
        solution = solve_torque_program(
            hessian,
            gradient,
            cones,
            current.mass_matrix,
            current.bias,
            self._torque_limit,
            *self._bound_accelerations(current, reference),
            self.gains.force * FORCE_UNIT**2,
            MAX_EDGE_FORCE,
        )
        if solution is None:
            return ControlResult(np.zeros(nv - 6), False, np.zeros(nv), np.zeros((legs, 3)))
        accelerations, weights = solution
        values = current.mass_matrix[6:] @ accelerations + current.bias[6:] - weights @ cones[:, 6:]
        forces = np.zeros((legs, 3))
        for leg, edges, edge_slice in leg_cones:
            forces[leg] = weights[edge_slice].reshape(-1, len(edges)).sum(0) @ edges
        return ControlResult(
            np.minimum(np.maximum(values, -self._torque_limit), self._torque_limit),
            True,
            accelerations,
            forces,
        )

    def _bound_accelerations(
        self, body_state: BodyState, reference: ControlReference
    ) -> tuple[Array, Array]:
        """Least and largest accelerations (nv,) with which no hinge comes to the end of its range
        faster than it can stop.

        A leg that has begun to swing bends its knee besides. As long as it is straight, no bending
        shortens it to first order, so no objective asks for any: the leg would swing stiffly, and
        its foot be stuck behind the body.
        """
        min_acceleration = self._no_bounds[0].copy()
        max_acceleration = self._no_bounds[1].copy()
        # (hinges, 2)
        range_bounds = RANGE_STIFFNESS * (
            self._hinge_ranges - body_state.pose[self._hinge_coordinates, None]
        )
        range_bounds -= 2 * np.sqrt(RANGE_STIFFNESS) * body_state.velocity[self._hinges, None]
        min_acceleration[self._hinges] = np.where(
            range_bounds[:, 0] > -MAX_FINITE_BOUND, range_bounds[:, 0], -np.inf
        )
        max_acceleration[self._hinges] = np.where(
            range_bounds[:, 1] < MAX_FINITE_BOUND, range_bounds[:, 1], np.inf
        )
        swing = reference.swing
        folding_legs = reference.folding_legs
        if swing is not None and swing.remaining_time >= swing.elapsed_time:
            folding_legs = (*folding_legs, swing.leg)
        for leg in folding_legs:
            knee = self.body.knees[leg]
            if knee is None:
                continue
            dof = knee.dof
            side = knee.bend_sign
            bend = (
                BEND_STIFFNESS * (MIN_SWING_BEND - side * body_state.pose[knee.coordinate])
                - 2 * np.sqrt(BEND_STIFFNESS) * side * body_state.velocity[dof]
            )
            if side > 0:
                min_acceleration[dof] = min(max(min_acceleration[dof], bend), max_acceleration[dof])
            else:
                max_acceleration[dof] = max(
                    min(max_acceleration[dof], -bend), min_acceleration[dof]
                )
        return min_acceleration, max_acceleration

    def _build_cones(
        self, state: PhysicsState, body_state: BodyState, reference: ControlReference
    ) -> tuple[Array, list[tuple[int, Array, slice]]]:
        """Generalized forces of units along the edges of friction cones, (f, nv);
        each leg's edges (4, 3), and which.
        """
        legs = reference.stance
        if len(legs) > 1:
            legs = tuple(leg for leg in legs if is_loaded(state, leg)) or legs
        rows: list[Array] = []
        leg_cones = []
        begin = 0
        for leg in legs:
            ground_frame = align_foot(
                float(so3.yaw_from_matrix(body_state.foot_frames.rotation[leg])),
                body_state.normals[leg],
            )
            edges = self._edges @ ground_frame.T  # (4, 3)
            points = self.body.select_support_points(leg, is_rolling=leg in reference.rolling_legs)
            # a hop that does goes slower
            if reference.is_running and reference.free_foot_offsets is None:
                points = select_lowest(
                    points, body_state.sole_points[leg] @ body_state.normals[leg]
                )
            jacobian = body_state.sole_point_jacobians[leg][points]  # (p, 3, nv)
            rows.append((edges @ jacobian).reshape(-1, self.body.nv))
            leg_cones.append((leg, edges, slice(begin, begin + 4 * len(jacobian))))
            begin += 4 * len(jacobian)
        return np.concatenate(rows) if rows else np.zeros((0, self.body.nv)), leg_cones


def select_lowest(points: NDArray[np.int64], heights: Array) -> NDArray[np.int64]:
    """Those points of a sole that are down: who counts on the others as it lands turns the foot
    about the ones that are.

    Args:
        heights: of all points of the sole, m.
    """
    point_heights = heights[points]
    return points[point_heights < point_heights.min() + LEVEL_TOLERANCE]
