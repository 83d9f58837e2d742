"""Time steps of the planar biped on a ground (Abe 2011, implementation details).

A step of fixed length on velocities, with contact impulses, and then a projection that moves the
body out of the ground by the least change in the norm of the mass matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .biped import HEEL_1, HEEL_2, TOE_1, TOE_2, Dynamics, PlanarBiped, PointMotion
from .contact_ground import ContactGround
from .contacts import solve_impulses
from .ground_step import FIRM, Contact

Array = NDArray[np.float64]

SOLE_POINTS = (HEEL_1, TOE_1, HEEL_2, TOE_2)


@dataclass(frozen=True)
class PlanarSimulationParameters:
    """Numbers of the simulation.

    Args:
        time_step: [s]; that of the paper
        near: height above the ground below which a point may land within the step [m]; at the 4 m/s
            of a fast swing a point moves by 17 mm in it.
        riser: depth from which a point is beside a step of the ground and not below it [m], twice
            `near`, since a point that lands is never as deep.
        riser_slope: slope from which the ground is a step; a sampled step of 1.5 cm has it, and the
            steepest ground that is accepted 0.36 (`GROUND_GAITS.max_grade`).
        tolerance: depth that is not corrected [m]. Numerical: a projection of less would only move
            rounding errors.
    """

    time_step: float = 1 / 240
    near: float = 0.02
    riser: float = 0.04
    riser_slope: float = 3.0
    tolerance: float = 1e-5


SIMULATION = PlanarSimulationParameters()


@dataclass(frozen=True)
class StepResult:
    """State after a time step.

    Args:
        q, v: coordinates and rates, shape (9,).
        impulses: normal and tangential impulse by point in contact [N s].
        surface: state of the ground.
    """

    q: Array
    v: Array
    impulses: dict[int, tuple[float, float]]
    surface: Array


class BodySimulation(Protocol):
    """Simulation of a biped on a ground, whichever engine computes the contacts."""

    @property
    def biped(self) -> PlanarBiped:
        """The body."""

    @property
    def ground(self) -> ContactGround:
        """The ground along the path."""

    @property
    def friction(self) -> float:
        """Coefficient of friction."""

    def advance(
        self,
        state: tuple[Array, Array],
        dynamics: Dynamics,
        moving: PointMotion,
        force: Array,
        surface: Array = FIRM,
    ) -> StepResult:
        """Return the state after a time step."""


@dataclass(frozen=True)
class FallBounds:
    """Bounds of a body that has not fallen.

    Args:
        height: least height of the hip above the ground, as a share of the leg.
        pitch: largest pitch of the trunk to either side [rad].
    """

    height: float
    pitch: float

    def is_fallen(self, simulation: BodySimulation, q: Array) -> bool:
        """Return whether hip or trunk are out of bounds, or a coordinate is not finite."""
        height = q[1] - simulation.ground.rest.locate(float(q[0])).height
        low = height < self.height * simulation.biped.side_view.leg_length
        return bool(not np.isfinite(q).all() or low or abs(q[2]) > self.pitch)


@dataclass(frozen=True)
class PlanarSimulation:
    """Simulation of a biped on a ground.

    Args:
        biped: its dynamics.
        ground: along the path.
        friction: coefficient of friction.
    """

    biped: PlanarBiped
    ground: ContactGround
    friction: float = 0.8

    def find_contacts(self, q: Array, surface: Array) -> list[Contact]:
        """Return the points of the soles that are near the ground or in it.

        Args:
            q: coordinates, shape (9,).
            surface: state of the ground.
        """
        places = self.biped.locate(q, self.biped.points[:4]).tolist()
        out = []
        for point in SOLE_POINTS:
            place = places[point]
            ground = self.ground.locate_surface(surface, place.real)
            above = place.imag - ground.height
            slope = ground.slope
            if abs(slope) > SIMULATION.riser_slope:
                slope = 0.0
            scale = 1 / hypot(1.0, slope)
            gap = above * scale - self._find_height_above_sole(point)
            if gap > SIMULATION.near:
                continue
            normal = scale * np.array([-slope, 1.0])
            if gap < -SIMULATION.riser:
                gap = 0.0
                normal = np.array([-1.0, 0.0])
            out.append(Contact(point, gap, normal, place.real))
        return out

    def advance(
        self,
        state: tuple[Array, Array],
        dynamics: Dynamics,
        moving: PointMotion,
        force: Array,
        surface: Array = FIRM,
    ) -> StepResult:
        """Return the state after a time step.

        Args:
            state: coordinates and rates, each (9,).
            dynamics, moving: of the state.
            force: generalized force of torques and pushes, shape (9,).
            surface: state of the ground; empty where nothing moves.
        """
        q, v = state
        dt = SIMULATION.time_step
        inverse = np.linalg.inv(dynamics.mass)
        free = v + dt * (inverse @ (force - dynamics.bias))
        contacts = self.find_contacts(q, surface)
        step = self.ground.begin_step(surface, contacts, dt)
        impulse = np.zeros(0)
        if contacts:
            rows = np.concatenate([c.axes @ moving.jacobian[c.point] for c in contacts])
            response = inverse @ rows.T
            velocity = rows @ free - step.velocity
            velocity[0::2] += step.approach
            impulse = solve_impulses(rows @ response + step.response, velocity, self.friction)
            free = free + response @ impulse
        q = q + dt * free
        if self.ground.is_fixed:
            q = self._project(q, inverse, surface)
        else:
            surface = step.finish(impulse, self._locate_soles(q, contacts))
        impulses = {
            c.point: (float(impulse[2 * k]), float(impulse[2 * k + 1]))
            for k, c in enumerate(contacts)
            if impulse[2 * k] > 0
        }
        return StepResult(q, free, impulses, surface)

    def _find_height_above_sole(self, point: int) -> float:
        """Return the height of a point of `SOLE_POINTS` above the sole on flat feet [m]."""
        return self.biped.side_view.toe_height if point in (TOE_1, TOE_2) else 0.0

    def _locate_soles(self, q: Array, contacts: list[Contact]) -> Array:
        """Return the heights of the soles at contacts with level ground [m], shape (k,)."""
        places = self.biped.locate(q)
        return np.array(
            [places[c.point].imag - self._find_height_above_sole(c.point) for c in contacts]
        )

    def _project(self, q: Array, inverse: Array, surface: Array) -> Array:
        """Return coordinates with the soles out of the ground."""
        contacts = self.find_contacts(q, surface)
        deep = [c for c in contacts if c.gap < -SIMULATION.tolerance]
        if not deep:
            return q
        points = [c.point for c in deep]
        jacobian = self.biped.move_points(q, np.zeros_like(q), self.biped.points[points]).jacobian
        rows = np.stack([c.normal @ jacobian[k] for k, c in enumerate(deep)])
        response = inverse @ rows.T
        matrix = rows @ response
        matrix[np.diag_indices_from(matrix)] *= 1 + 1e-9
        return np.asarray(q + response @ np.linalg.solve(matrix, [-c.gap for c in deep]))
