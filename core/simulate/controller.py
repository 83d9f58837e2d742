"""Torques of a whole body by one quadratic program an instant (Mordatch et al. 2010, section 6)."""
from __future__ import annotations

from dataclasses import dataclass

import daqp
import mujoco
import numpy as np
from numpy.typing import NDArray

from .. import so3
from .body import Body
from .gains import Gains
from .laying import laid
from .objectives import Objectives, bearing
from .physics import State
from .reading import Reading
from .reference import Reference

Array = NDArray[np.float64]

FORCE_UNIT = 100.0    # N, so that unknowns are of like size
MOST_FORCE = 50.0     # units along one edge of a friction cone
MOST_ACCELERATION = 3000.0
STOPPING = 900.0      # 1/s^2, stiffness with which a hinge stops at the end of its range
RIDGE = 1e-5          # weight of every acceleration
# of a pyramid inside a cone of friction 1: ahead, aside, along the normal
EDGES = np.array([[s, t, 1.0] for s in (0.5**0.5, -0.5**0.5) for t in (0.5**0.5, -0.5**0.5)])
EQUATION, INEQUALITY = 5, 0


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
        gains: weights of the objectives.
    """

    def __init__(self, body: Body, gains: Gains | None = None) -> None:
        self.body, self.gains = body, gains if gains is not None else Gains()
        self._limit = body.model.torque_limit
        m = body.model.mujoco
        joints = np.flatnonzero(m.jnt_type == mujoco.mjtJoint.mjJNT_HINGE)
        self._hinges, self._angles, self._spans = m.jnt_dofadr[joints], m.jnt_qposadr[joints], m.jnt_range[joints]

    def torques(self, state: State, reference: Reference, reading: Reading | None = None) -> Torques:
        """For one instant.

        Args:
            reading: of this state, where it was read already.
        """
        now = reading if reading is not None else self.body.read(state)
        rows = Objectives(self.body, self.gains, state, now, reference).rows()
        cones, of_leg = self._cones(state, now, reference)                                  # (f, nv), FORCE_UNIT each
        f, nv = len(cones), self.body.nv
        hessian, gradient = np.zeros((f + nv, f + nv)), np.zeros(f + nv)
        weighted = rows.maps.T * rows.weight
        hessian[f:, f:] = weighted @ rows.maps
        gradient[f:] = -weighted @ rows.wanted - rows.own_weight * rows.own_wanted
        diagonal = np.arange(f + nv)
        hessian[diagonal[:f], diagonal[:f]] = self.gains.force * FORCE_UNIT**2
        hessian[diagonal[f:], diagonal[f:]] += rows.own_weight + RIDGE
        # equation of motion: the root's six rows are equations, the others tell the torques
        motion = np.concatenate([-cones.T, now.mass_matrix], 1)                             # (nv, f + nv)
        slowest, fastest = self._within_ranges(now)
        upper = np.concatenate([np.full(f, MOST_FORCE), fastest, -now.bias])
        lower = np.concatenate([np.zeros(f), slowest, -now.bias])
        upper[f + nv + 6:] += self._limit
        lower[f + nv + 6:] -= self._limit
        sense = np.full(len(upper), INEQUALITY, np.int32)
        sense[f + nv:f + nv + 6] = EQUATION
        x, _, flag, _ = daqp.solve(hessian, gradient, motion, upper, lower, sense)
        if flag < 1:                               # a program that failed returns numbers, too
            return Torques(np.zeros(nv - 6), False, np.zeros(nv), np.zeros((len(self.body.character.legs), 3)))
        values = np.clip(motion[6:] @ x + now.bias[6:], -self._limit, self._limit)
        return Torques(values, True, x[f:], self._forces(x[:f], of_leg))

    def _within_ranges(self, now: Reading) -> tuple[Array, Array]:
        """Least and largest accelerations (nv,) with which no hinge comes to the end of its range faster than it can stop."""
        slowest, fastest = np.full(self.body.nv, -MOST_ACCELERATION), np.full(self.body.nv, MOST_ACCELERATION)
        hinges, angle, rate = self._hinges, now.pose[self._angles], now.velocity[self._hinges]
        brake = -2 * np.sqrt(STOPPING) * rate
        slowest[hinges] = np.clip(STOPPING * (self._spans[:, 0] - angle) + brake, -MOST_ACCELERATION, MOST_ACCELERATION)
        fastest[hinges] = np.clip(STOPPING * (self._spans[:, 1] - angle) + brake, -MOST_ACCELERATION, MOST_ACCELERATION)
        return slowest, fastest

    def _cones(self, state: State, now: Reading, reference: Reference) -> tuple[Array, list[tuple[int, Array]]]:
        """Generalized forces of unit weights on the edges of friction cones, (f, nv); and each leg's edges (4 points, 3)."""
        legs = reference.stance
        if len(legs) > 1:
            legs = tuple(leg for leg in legs if bearing(state, leg)) or legs
        rows, of_leg = [np.zeros((0, self.body.nv))], []
        for leg in legs:
            ground = laid(float(so3.yaw_of(now.feet.rotation[leg])), now.normals[leg])
            edges = FORCE_UNIT * EDGES * [self.gains.friction, self.gains.friction, 1.0] @ ground.T        # (4, 3)
            jacobian = now.corner_jacobians[leg]                                            # (p, 3, nv)
            rows.append((edges @ jacobian).reshape(-1, self.body.nv))
            of_leg.append((leg, np.tile(edges, (len(jacobian), 1))))
        return np.concatenate(rows), of_leg

    def _forces(self, weights: Array, of_leg: list[tuple[int, Array]]) -> Array:
        out, begin = np.zeros((len(self.body.character.legs), 3)), 0
        for leg, edges in of_leg:
            out[leg] = weights[begin:begin + len(edges)] @ edges
            begin += len(edges)
        return out
