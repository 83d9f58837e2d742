"""The planar biped in MuJoCo, behind the interface of `BodySimulation`.

It shows that the controller does not depend on the contacts of one engine: MuJoCo's are soft, and
its joint of the toes rolls on a ball.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from .biped import (
    COORDINATES,
    HEEL_1,
    HEEL_2,
    TOE_1,
    TOE_2,
    TORQUE_SEGMENTS,
    Dynamics,
    PlanarBiped,
    PointMotion,
)
from .ground_step import FIRM
from .path_ground import PathGround
from .simulation import SIMULATION, StepResult

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MujocoParameters:
    """Numbers of the model, which only checks the simulation of the engine (test_mujoco).

    Args:
        substeps: steps of the physics in a time step of the simulation, so that `contact_time` is
            9 of them; MuJoCo wants at least 2.
        heel_radius: of the ball of a heel [m]; MuJoCo has no contacts of points.
        contact_time: time constant of a contact [s], half of MuJoCo's default, for harder ground.
        impedance_ratio: of friction to normal forces; large ones slip less. MuJoCo's documentation
            advises more than its default of 1 against slip, together with the elliptic cone.
    """

    substeps: int = 4
    heel_radius: float = 0.005
    contact_time: float = 0.01
    impedance_ratio: float = 10.0


MUJOCO = MujocoParameters()
# Axis about which pitches are counterclockwise, seen with the path to the right.
PITCH_AXIS = (0.0, -1.0, 0.0)


@dataclass(frozen=True)
class MujocoSimulation:
    """Simulation of a biped with MuJoCo's contacts.

    Args:
        biped: its dynamics.
        ground: along the path; level.
        friction: coefficient of friction.

    Raises:
        TaskError: the ground is not level.
    """

    biped: PlanarBiped
    ground: PathGround
    friction: float = 0.8
    model: mujoco.MjModel = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if np.ptp(self.ground.heights) > 0:
            raise TaskError(
                "The ground is not level; MuJoCo's contacts are tried on level ground only. Take "
                "level ground, or the class 'PlanarSimulation'."
            )
        object.__setattr__(self, "model", _build_model(self))

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
            dynamics, moving: of the state; not used, as MuJoCo computes them.
            force: generalized force of torques and pushes, shape (9,).
            surface: state of the ground, which does not move.
        """
        data = mujoco.MjData(self.model)
        data.qpos[:] = RELATIVE @ state[0]
        data.qvel[:] = RELATIVE @ state[1]
        data.qfrc_applied[:] = ABSOLUTE.T @ force
        impulses = np.zeros((4, 2))
        for _ in range(MUJOCO.substeps):
            mujoco.mj_step(self.model, data)
            impulses += self.model.opt.timestep * self._read_forces(data)
        touched = np.flatnonzero(impulses[:, 0] > 0)
        return StepResult(
            ABSOLUTE @ data.qpos,
            ABSOLUTE @ data.qvel,
            {int(p): (float(impulses[p, 0]), float(impulses[p, 1])) for p in touched},
            surface,
        )

    def compute_bias(self, q: Array, v: Array) -> Array:
        """Return MuJoCo's generalized force of gravity and of centrifugal forces, shape (9,)."""
        data = mujoco.MjData(self.model)
        data.qpos[:] = RELATIVE @ q
        data.qvel[:] = RELATIVE @ v
        mujoco.mj_forward(self.model, data)
        return np.asarray(RELATIVE.T @ data.qfrc_bias)

    def _read_forces(self, data: mujoco.MjData) -> Array:
        """Return the normal and tangential force on each point [N], shape (4, 2)."""
        out = np.zeros((4, 2))
        local = np.zeros(6)
        for k, contact in enumerate(data.contact):
            mujoco.mj_contactForce(self.model, data, k, local)
            # The rows of the frame are the normal and two tangents.
            world = contact.frame.reshape(3, 3).T @ local[:3]
            out[max(contact.geom) - 1] += abs(world[2]), world[0]
        return out


def _make_relative_map() -> Array:
    """Return the matrix from coordinates of the biped to joints of the model, shape (9, 9)."""
    out = np.eye(COORDINATES)
    for upper, lower in TORQUE_SEGMENTS:
        out[2 + lower, 2 + upper] = -1.0
    return out


RELATIVE = _make_relative_map()
ABSOLUTE = np.linalg.inv(RELATIVE)


def _build_model(simulation: MujocoSimulation) -> mujoco.MjModel:
    """Return the model; its first geom is the ground, then the points 0 to 3 follow."""
    view = simulation.biped.side_view
    spec = mujoco.MjSpec()
    _set_options(spec, simulation.biped.gravity)
    height = float(simulation.ground.heights[0])
    ground = spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[500.0, 1.0, 1.0], pos=[0.0, 0.0, height]
    )
    _set_contact(ground, simulation.friction)
    trunk = spec.worldbody.add_body(name="trunk")
    for axis in ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]):
        trunk.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
    _set_segment(trunk, simulation.biped, 0)
    offsets = (0j, view.thigh, view.shin)
    for leg in (0, 1):
        body = trunk
        for k, offset in enumerate(offsets):
            name = f"{('thigh', 'shin', 'foot')[k]}.{leg}"
            body = body.add_body(name=name, pos=_to_space(offset))
            _set_segment(body, simulation.biped, 1 + 3 * leg + k)
        heel = view.heel + 1j * MUJOCO.heel_radius
        for point, (place, radius) in zip(
            ((HEEL_1, TOE_1), (HEEL_2, TOE_2))[leg],
            ((heel, MUJOCO.heel_radius), (view.toe, view.toe_height)),
            strict=True,
        ):
            ball = body.add_geom(
                name=f"point.{point}",
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                size=[radius, 0.0, 0.0],
                pos=_to_space(place),
                mass=0.0,
            )
            _set_contact(ball, simulation.friction)
            ball.contype = 1
            ball.conaffinity = 2
    return spec.compile()


def _set_options(spec: mujoco.MjSpec, gravity: float) -> None:
    """Set the time step and the solver of contacts. Gravity in [m/s^2]."""
    spec.compiler.degree = False
    spec.option.timestep = SIMULATION.time_step / MUJOCO.substeps
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = MUJOCO.impedance_ratio
    spec.option.gravity = [0.0, 0.0, -gravity]


def _set_segment(body: mujoco.MjsBody, biped: PlanarBiped, segment: int) -> None:
    """Give a body the pitch joint and the mass of a segment."""
    view = biped.side_view
    body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=list(PITCH_AXIS))
    body.explicitinertial = True
    body.mass = float(view.mass[segment])
    body.ipos = _to_space(complex(view.center[segment]))
    body.inertia = [float(view.inertia[segment])] * 3


def _set_contact(geom: mujoco.MjsGeom, friction: float) -> None:
    geom.contype = 2
    geom.conaffinity = 1
    geom.friction = [friction, 0.0, 0.0]
    geom.solref = [MUJOCO.contact_time, 1.0]
    geom.condim = 3


def _to_space(place: complex) -> list[float]:
    return [place.real, 0.0, place.imag]
