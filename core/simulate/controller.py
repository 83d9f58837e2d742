"""Joint torques from one quadratic program per instant (Mordatch et al. 2010, section 6)."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .body import KneeHinge, SimulatedBody
from .body_state import BodyState
from .foot_on_ground import align_foot
from .objective_rows import ObjectiveRows
from .objectives import Objectives, is_loaded
from .physics import PhysicsState
from .reference import RUNNING_GAINS, ControlReference, Gains
from .torque_qp import TorqueProgram

Array = NDArray[np.float64]

# Unit of the edge weights [N], which brings all unknowns to a similar scale
FORCE_UNIT = 100.0
# Edges of the pyramid inscribed in a cone of friction 1: ahead, aside, along the normal. (4, 3)
PYRAMID_EDGES = np.array(
    [[s, t, 1.0] for s in (0.5**0.5, -(0.5**0.5)) for t in (0.5**0.5, -(0.5**0.5))]
)


@dataclass(frozen=True)
class ControllerParameters:
    """Bounds and regularization of the controller."""

    # [FORCE_UNIT] along one edge of a friction cone. Numerical: daqp wants bounds, and no force
    # comes near this one
    max_edge_force: float = 50.0
    # [1/s^2] with which a hinge stops at the end of its range, within 0.03 s: eight control steps
    range_stiffness: float = 900.0
    # [rad/s^2] beyond which a bound is not needed. Numerical: rows that no acceleration reaches
    # only take time
    max_finite_bound: float = 500.0
    # [rad] flexion of the knee in the first half of a swing, at least. tuned: no bend shortens a
    # straight leg to first order, so its foot was stuck behind the body
    min_swing_bend: float = 0.5
    # [1/s^2] with which the knee reaches it: in 0.07 s, within the first half of a swing
    bend_stiffness: float = 200.0
    # Weight of all generalized accelerations. Numerical: without it the program is singular in
    # directions that no objective has
    acceleration_weight: float = 1e-5
    # [m] height above the lowest point of a runner's sole up to which points can carry load. tuned:
    # with forces at points in the air, landing feet turned by 20 rad/s and slid by 16 to 55 mm, now
    # by 4 to 16; test_simulate.test_a_landing_foot_of_a_run_carries_load_only_where_it_is_down
    level_tolerance: float = 0.005


CONTROL = ControllerParameters()


@dataclass(frozen=True)
class ControlResult:
    """Result of the controller. Torques are zero if none are feasible."""

    torques: Array  # (nv - 6,) [Nm]
    is_feasible: bool
    accelerations: Array  # (nv,)
    forces: Array  # (legs, 3) [N] expected ground reaction forces


@dataclass(frozen=True)
class _LegCone:
    """Friction cone of one leg, shared by its contact points."""

    leg: int
    edges: Array  # (4, 3) [N] per unit, world axes
    entries: slice  # of all edges, four per contact point


@dataclass(frozen=True)
class _Cones:
    """Friction cones of all contact points."""

    edges: Array  # (f, nv) generalized force of a unit along each edge
    legs: tuple[_LegCone, ...]


@dataclass(frozen=True)
class _AccelerationBounds:
    """Bounds of the generalized accelerations; infinite for none."""

    lower: Array  # (nv,)
    upper: Array  # (nv,)


class Controller:
    """Controller that tracks a reference (Mordatch et al. 2010, equations 29 and 30).

    It solves for accelerations and contact forces that come closest to the objectives, and returns
    the torques that produce them.

    Args:
        body: the body.
        gains: weights of the objectives; None for the defaults.
        running_gains: those of runs; None for the defaults.
    """

    def __init__(
        self, body: SimulatedBody, gains: Gains | None = None, running_gains: Gains | None = None
    ) -> None:
        self.body = body
        self.gains = gains if gains is not None else Gains()
        self.running_gains = running_gains if running_gains is not None else RUNNING_GAINS
        self._torque_limit = body.model.torque_limit
        # (4, 3) in the frame of the ground
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
        """Compute the torques of one instant.

        Args:
            state: of the simulation.
            reference: accelerations and contacts to realize.
            body_state: kinematics and dynamics of `state`; None to compute them.
        """
        current = body_state if body_state is not None else self.body.compute_state(state)
        gains = reference.gains or (self.running_gains if reference.is_running else self.gains)
        objectives = Objectives(
            self.body, gains, state, body_state=current, reference=reference
        ).build_rows()
        cones = self._build_cones(state, current, reference)
        solution = self._build_program(current, reference, objectives, cones.edges).solve()
        nv = self.body.nv
        legs = len(self.body.character.legs)
        if solution is None:
            return ControlResult(np.zeros(nv - 6), False, np.zeros(nv), np.zeros((legs, 3)))
        accelerations = solution.accelerations
        weights = solution.edge_weights
        values = (
            current.mass_matrix[6:] @ accelerations
            + current.bias[6:]
            - weights @ cones.edges[:, 6:]
        )
        forces = np.zeros((legs, 3))
        for cone in cones.legs:
            edges = cone.edges
            forces[cone.leg] = weights[cone.entries].reshape(-1, len(edges)).sum(0) @ edges
        return ControlResult(
            np.minimum(np.maximum(values, -self._torque_limit), self._torque_limit),
            True,
            accelerations,
            forces,
        )

    def _build_program(
        self,
        body_state: BodyState,
        reference: ControlReference,
        objectives: ObjectiveRows,
        edges: Array,
    ) -> TorqueProgram:
        """Build the quadratic program.

        Args:
            body_state: kinematics and dynamics.
            reference: accelerations and contacts to realize.
            objectives: weighted rows.
            edges: (f, nv) generalized force of a unit along each edge.
        """
        weighted = objectives.maps.T * objectives.weight
        hessian = weighted @ objectives.maps
        hessian.flat[:: self.body.nv + 1] += (
            objectives.acceleration_weights + CONTROL.acceleration_weight
        )
        gradient = (
            -weighted @ objectives.targets
            - objectives.acceleration_weights * objectives.acceleration_targets
        )
        bounds = self._bound_accelerations(body_state, reference)
        return TorqueProgram(
            hessian,
            gradient,
            edges,
            mass=body_state.mass_matrix,
            bias=body_state.bias,
            torque_limit=self._torque_limit,
            min_acceleration=bounds.lower,
            max_acceleration=bounds.upper,
            force_weight=self.gains.force * FORCE_UNIT**2,
            max_force=CONTROL.max_edge_force,
        )

    def _bound_accelerations(
        self, body_state: BodyState, reference: ControlReference
    ) -> _AccelerationBounds:
        """Bound the accelerations so that every hinge can stop at the end of its range.

        Also bend the knee of a leg in the first half of its swing, and of folding legs. Bending a
        straight leg does not shorten it to first order, so no objective would bend it: the leg
        would swing stiffly and leave its foot behind the body.
        """
        bounds = _AccelerationBounds(np.full(self.body.nv, -np.inf), np.full(self.body.nv, np.inf))
        stiffness = CONTROL.range_stiffness
        # (hinges, 2)
        range_bounds = stiffness * (
            self._hinge_ranges - body_state.pose[self._hinge_coordinates, None]
        )
        range_bounds -= 2 * np.sqrt(stiffness) * body_state.velocity[self._hinges, None]
        bounds.lower[self._hinges] = np.where(
            range_bounds[:, 0] > -CONTROL.max_finite_bound, range_bounds[:, 0], -np.inf
        )
        bounds.upper[self._hinges] = np.where(
            range_bounds[:, 1] < CONTROL.max_finite_bound, range_bounds[:, 1], np.inf
        )
        swing = reference.swing
        folding_legs = reference.folding_legs
        if swing is not None and swing.remaining_time >= swing.elapsed_time:
            folding_legs = (*folding_legs, swing.leg)
        for leg in folding_legs:
            knee = self.body.knees[leg]
            if knee is not None:
                _bend_knee(bounds, knee, body_state)
        return bounds

    def _build_cones(
        self, state: PhysicsState, body_state: BodyState, reference: ControlReference
    ) -> _Cones:
        """Build the friction cones at the contact points of the standing legs.

        Of several legs only those that carry load are used, if any does.
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
            # A hop loses speed if its points are restricted
            if reference.is_running and reference.free_foot_offsets is None:
                points = select_lowest(
                    points, body_state.sole_points[leg] @ body_state.normals[leg]
                )
            jacobian = body_state.sole_point_jacobians[leg][points]  # (p, 3, nv)
            rows.append((edges @ jacobian).reshape(-1, self.body.nv))
            leg_cones.append(_LegCone(leg, edges, slice(begin, begin + 4 * len(jacobian))))
            begin += 4 * len(jacobian)
        all_edges = np.concatenate(rows) if rows else np.zeros((0, self.body.nv))
        return _Cones(all_edges, tuple(leg_cones))


def _bend_knee(bounds: _AccelerationBounds, knee: KneeHinge, body_state: BodyState) -> None:
    """Tighten the bounds of a knee so that it bends, in place."""
    dof = knee.dof
    side = knee.bend_sign
    stiffness = CONTROL.bend_stiffness
    bend = (
        stiffness * (CONTROL.min_swing_bend - side * body_state.pose[knee.coordinate])
        - 2 * np.sqrt(stiffness) * side * body_state.velocity[dof]
    )
    lower = bounds.lower
    upper = bounds.upper
    if side > 0:
        lower[dof] = min(max(lower[dof], bend), upper[dof])
    else:
        upper[dof] = max(min(upper[dof], -bend), lower[dof])


def select_lowest(points: NDArray[np.int64], heights: Array) -> NDArray[np.int64]:
    """Select the points of a sole that are down.

    During a landing, forces at points that are still in the air would rotate the foot about those
    that are down.

    Args:
        points: (p,) indices of the candidates.
        heights: (all points,) [m].
    """
    point_heights = heights[points]
    return points[point_heights < point_heights.min() + CONTROL.level_tolerance]
