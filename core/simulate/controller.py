"""Torques of a whole body by one quadratic program an instant (Mordatch et al. 2010, section 6)."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .body import Body
from .body_state import Reading
from .foot_on_ground import laid
from .gains import RUNNING, Gains
from .objectives import Objectives, bearing
from .physics import State
from .reference import Reference
from .torque_qp import solve_program

Array = NDArray[np.float64]

FORCE_UNIT = 100.0    # N, so that unknowns are of like size
MOST_FORCE = 50.0     # units along one edge of a friction cone
STOPPING = 900.0      # 1/s^2, stiffness with which a hinge stops at the end of its range
FAR = 500.0           # rad/s^2, bounds beyond which are none
BENT, BENDING = 0.5, 200.0         # rad that a knee is bent by at least in the first half of a swing, and 1/s^2 of the way there
RIDGE = 1e-5          # weight of every acceleration
EVEN = 0.005          # m that a point of a runner's sole may be higher than its lowest, to be counted on
# of a pyramid inside a cone of friction 1: ahead, aside, along the normal
EDGES = np.array([[s, t, 1.0] for s in (0.5**0.5, -0.5**0.5) for t in (0.5**0.5, -0.5**0.5)])


@dataclass(frozen=True)
class Torques:
    """What the controller found: torques (nv - 6,) Nm and accelerations (nv,). Not feasible, the torques are zero.

    `forces` are those it counts on, (3,) N for each leg.
    """

    values: Array
    feasible: bool
    accelerations: Array
    forces: Array             # (legs, 3)


class Controller:
    """Finds torques, accelerations and contact forces that come nearest to what a reference wants (equations 29-30).

    Args:
        body: that is driven.
        gains, running: weights of the objectives, and those of a body that runs.
    """

    def __init__(self, body: Body, gains: Gains | None = None, running: Gains | None = None) -> None:
        self.body, self.gains = body, gains if gains is not None else Gains()
        self.running = running if running is not None else RUNNING
        self._limit = body.model.torque_limit
        self._unbound = np.full((2, body.nv), [[-np.inf], [np.inf]])
        self._edges = FORCE_UNIT * EDGES * [self.gains.friction, self.gains.friction, 1.0]        # (4, 3) upward z
        m = body.model.mujoco
        joints = np.flatnonzero(m.jnt_type == mujoco.mjtJoint.mjJNT_HINGE)
        self._hinges, self._angles, self._spans = m.jnt_dofadr[joints], m.jnt_qposadr[joints], m.jnt_range[joints]

    def torques(self, state: State, reference: Reference, reading: Reading | None = None) -> Torques:
        """For one instant.

        Args:
            reading: of this state, where it was read already.
        """
        now = reading if reading is not None else self.body.read(state)
        gains = reference.gains or (self.running if reference.runs else self.gains)
        rows = Objectives(self.body, gains, state, now, reference).rows()
        cones, of_leg = self._cones(state, now, reference)                                  # (f, nv), FORCE_UNIT each
        nv, legs = self.body.nv, len(self.body.character.legs)
        weighted = rows.maps.T * rows.weight
        hessian = weighted @ rows.maps
        hessian.flat[::nv + 1] += rows.own_weight + RIDGE
        gradient = -weighted @ rows.wanted - rows.own_weight * rows.own_wanted
        found = solve_program(hessian, gradient, cones, now.mass_matrix, now.bias, self._limit,
                              *self._within_ranges(now, reference), self.gains.force * FORCE_UNIT**2, MOST_FORCE)
        if found is None:
            return Torques(np.zeros(nv - 6), False, np.zeros(nv), np.zeros((legs, 3)))
        accelerations, weights = found
        values = now.mass_matrix[6:] @ accelerations + now.bias[6:] - weights @ cones[:, 6:]
        forces = np.zeros((legs, 3))
        for leg, edges, own in of_leg:
            forces[leg] = weights[own].reshape(-1, len(edges)).sum(0) @ edges
        return Torques(np.minimum(np.maximum(values, -self._limit), self._limit), True, accelerations, forces)

    def _within_ranges(self, now: Reading, reference: Reference) -> tuple[Array, Array]:
        """Least and largest accelerations (nv,) with which no hinge comes to the end of its range faster than it can stop.

        A leg that has begun to swing bends its knee besides. As long as it is straight, no bending shortens it to first order,
        so no objective asks for any: the leg would swing stiffly, and its foot be stuck behind the body.
        """
        slowest, fastest = self._unbound[0].copy(), self._unbound[1].copy()
        left = STOPPING * (self._spans - now.pose[self._angles, None])                      # (hinges, 2)
        left -= 2 * np.sqrt(STOPPING) * now.velocity[self._hinges, None]
        slowest[self._hinges] = np.where(left[:, 0] > -FAR, left[:, 0], -np.inf)
        fastest[self._hinges] = np.where(left[:, 1] < FAR, left[:, 1], np.inf)
        swing, folds = reference.swing, reference.folds
        if swing is not None and swing.arrives >= swing.since:
            folds = (*folds, swing.leg)
        for leg in folds:
            knee = self.body.knees[leg]
            if knee is None:
                continue
            v, side = knee.freedom, knee.side
            bend = BENDING * (BENT - side * now.pose[knee.coordinate]) - 2 * np.sqrt(BENDING) * side * now.velocity[v]
            if side > 0:
                slowest[v] = min(max(slowest[v], bend), fastest[v])
            else:
                fastest[v] = max(min(fastest[v], -bend), slowest[v])
        return slowest, fastest

    def _cones(self, state: State, now: Reading, reference: Reference) -> tuple[Array, list[tuple[int, Array, slice]]]:
        """Generalized forces of units along the edges of friction cones, (f, nv); each leg's edges (4, 3), and which."""
        legs = reference.stance
        if len(legs) > 1:
            legs = tuple(leg for leg in legs if bearing(state, leg)) or legs
        rows: list[Array] = []
        of_leg, begin = [], 0
        for leg in legs:
            ground = laid(float(so3.yaw_of(now.feet.rotation[leg])), now.normals[leg])
            edges = self._edges @ ground.T                                                  # (4, 3)
            points = self.body.bearing_points(leg, rolls=leg in reference.rolls)
            if reference.runs and reference.hangs is None:            # a hop that does goes slower
                points = lowest(points, now.points[leg] @ now.normals[leg])
            jacobian = now.point_jacobians[leg][points]                                     # (p, 3, nv)
            rows.append((edges @ jacobian).reshape(-1, self.body.nv))
            of_leg.append((leg, edges, slice(begin, begin + 4 * len(jacobian))))
            begin += 4 * len(jacobian)
        return np.concatenate(rows) if rows else np.zeros((0, self.body.nv)), of_leg


def lowest(points: NDArray[np.int64], heights: Array) -> NDArray[np.int64]:
    """Those points of a sole that are down: who counts on the others as it lands turns the foot about the ones that are.

    Args:
        heights: of all points of the sole, m.
    """
    own = heights[points]
    return points[own < own.min() + EVEN]
