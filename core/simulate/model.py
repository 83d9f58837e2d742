"""MuJoCo model of a character that is driven by torques and touches the ground."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character, Foot
from ..character.to_mujoco import build_spec, distribute_mass
from ..geometry import so3
from ..terrain import Ground
from .ground_planes import add_planes
from .hinge_range import find_upper_limit
from .soles import CONTACT, SolePoint, find_sole_points
from .strength import TOE, assign_joint_strengths, compute_torque_unit
from .terrain_geoms import add_terrain

Array = NDArray[np.float64]

# By default MuJoCo writes its warnings into a file in the current folder, which is the user's.
mujoco.set_mju_user_warning(logging.getLogger(__name__).warning)

# Time step of the physics [s], a sixth of the time constant of contacts (`ContactParameters`)
SUBSTEP = 0.001
BODY_COLLISION = {"contype": 2, "conaffinity": 1}  # Collision bits of the body in MuJoCo


@dataclass(frozen=True)
class ModelParameters:
    """Properties of the model. Lengths are in leg lengths."""

    # Height above the ground down to which the solids of legs may reach as the body stands, so that
    # the balls of the soles alone carry it
    min_leg_clearance: float = 0.012
    # Radius of the balls at the corners of soles, below `min_leg_clearance`; MuJoCo has no contacts
    # of points
    corner_radius: float = 0.008
    # Reflected inertia of a joint [kg m^2] by weight times leg length [Nm]
    armature: float = 8e-6
    # Damping of a joint [Nms] by weight times leg length [Nm]
    damping: float = 3.3e-4
    # Mass of the toes, as a share of the body's. The character includes it in the feet.
    toe_mass: float = 5e-4
    # Radius of gyration of the toes: that of a rod of 0.1 leg lengths
    toe_gyration_radius: float = 0.03
    # Range of the toes [rad], upward negative, that of human ones. Toes that bend down would prop
    # up the foot.
    toe_range: tuple[float, float] = (-1.2, 0.0)
    # Ratio of frictional to normal constraint impedance (MuJoCo's `impratio`); above MuJoCo's 1
    # feet creep less
    impedance_ratio: float = 5.0
    # Largest number of iterations of MuJoCo's solver, whose default is 100. Numerical: it ends as
    # soon as the contacts of two feet converge
    solver_iterations: int = 50


MODEL = ModelParameters()


@dataclass(frozen=True)
class TouchPoint:
    """Point of a sole in the model."""

    name: str
    body: int  # that the point is part of
    place: Array  # (3,) [m] in the frame of the body
    geom: int
    is_corner: bool


@dataclass(frozen=True)
class _SoleGeom:
    """Point of a sole in a model that is not compiled."""

    point: SolePoint
    geom: str  # name of its geom
    place: Array  # (3,) [m] in the frame of its body


@dataclass(frozen=True)
class SimulatedModel:
    """Model of a character's links, and of the toes of its feet."""

    character: Character
    ground: Ground
    # nq coordinates, nv degrees of freedom, nv - 6 motors in the order of the degrees of freedom
    mujoco: mujoco.MjModel
    links: NDArray[np.int64]  # (l,) body of each link
    soles: tuple[tuple[TouchPoint, ...], ...]  # points of each sole
    toes: tuple[int | None, ...]  # degree of freedom of the toes of each leg, None without toes
    # Indices of the coordinates and degrees of freedom of the character's kinematic model
    coordinates: NDArray[np.int64]
    dofs: NDArray[np.int64]
    friction: float  # coefficient of sliding

    @property
    def torque_limit(self) -> Array:
        """Largest torques of the motors. (nv - 6,) [Nm]."""
        return self.mujoco.actuator_ctrlrange[:, 1]

    def measure_range_excess(self, poses: Array) -> Array:
        """Return by how much each joint with a range exceeds it (n, joints) [rad]; 0 within.

        Args:
            poses: (n, q) of the kinematic model.
        """
        model = self.mujoco
        coordinates = np.zeros((len(poses), model.nq))
        coordinates[:, self.coordinates] = poses
        excess = np.zeros((len(poses), model.njnt))
        for joint in np.flatnonzero(model.jnt_limited):
            first = model.jnt_qposadr[joint]
            values = coordinates[:, first]
            if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
                turns = so3.quat_log(coordinates[:, first : first + 4])
                values = np.linalg.norm(turns, axis=1)
            low, high = model.jnt_range[joint]
            excess[:, joint] = np.maximum(np.maximum(low - values, values - high), 0.0)
        excess[:, [k for k in range(model.njnt) if model.jnt_bodyid[k] not in self.links]] = 0.0
        return excess


def build_simulated_model(
    character: Character, ground: Ground, friction: float = 1.0
) -> SimulatedModel:
    """Return the model of a character on a ground.

    Args:
        character: character.
        ground: ground.
        friction: coefficient of sliding of the whole body.

    Raises:
        TerrainError: the ground cannot be represented by solids.
    """
    spec = build_spec(character)
    _set_options(spec)
    torque_scale = compute_torque_unit(character)
    feet = {foot.link for foot in character.feet}
    for number, link in enumerate(character.links):
        for geom in spec.body(link.name).geoms:
            # Soles touch with their corners, since the solids of feet contain the toes.
            if number not in feet:
                _enable_contact(geom)
    toes = [
        _add_toe(spec, character, foot, torque_scale) if foot.has_toe else None
        for foot in character.feet
    ]
    points = [
        _add_points(spec, character, foot, toe)
        for foot, toe in zip(character.feet, toes, strict=True)
    ]
    _set_joints(spec, character, torque_scale)
    is_height_field = add_terrain(spec, ground, CONTACT)
    if is_height_field:
        point_geoms = [point.geom for sole in points for point in sole]
        for name in point_geoms:
            spec.geom(name).contype = spec.geom(name).conaffinity = 0
        add_planes(spec, point_geoms, CONTACT)
    _add_motors(spec, character, torque_scale)
    model = spec.compile()
    # MuJoCo uses the larger coefficient of two geoms, so it is set for all of them.
    model.geom_friction[:, 0] *= friction
    model.pair_friction[:, :2] *= friction
    _distribute_mass(model, character)
    _disable_wide_leg_contacts(model, character)
    return _describe(character, ground, model, points=points, toes=toes, friction=friction)


def _set_options(spec: mujoco.MjSpec) -> None:
    spec.compiler.degree = False
    option = spec.option
    option.timestep = SUBSTEP
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = MODEL.impedance_ratio
    option.iterations = MODEL.solver_iterations
    # Otherwise MuJoCo resets the body without notice when a number is not finite.
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)


def _enable_contact(geom: mujoco.MjsGeom) -> None:
    geom.contype = BODY_COLLISION["contype"]
    geom.conaffinity = BODY_COLLISION["conaffinity"]
    geom.friction = CONTACT.friction
    geom.solref = CONTACT.solref
    geom.solimp = CONTACT.solimp


def _add_toe(spec: mujoco.MjSpec, character: Character, foot: Foot, torque_scale: float) -> str:
    """Add toes with a hinge on the foot, and return the name of their joint and body."""
    link = character.links[foot.link]
    name = f"{link.name}/toe"
    mass = MODEL.toe_mass * character.mass
    inertia = mass * (MODEL.toe_gyration_radius * character.leg_length) ** 2
    middle = 0.5 * (foot.ball + foot.tip) - foot.pivot
    body = spec.body(link.name).add_body(
        name=name,
        pos=foot.pivot,
        mass=mass,
        ipos=middle,
        inertia=[inertia] * 3,
        explicitinertial=True,
    )
    body.add_joint(
        name=name,
        type=mujoco.mjtJoint.mjJNT_HINGE,
        axis=[0, 1, 0],
        range=MODEL.toe_range,
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        armature=MODEL.armature * torque_scale,
        damping=[MODEL.damping * torque_scale, 0, 0],
    )
    return name


def _disable_wide_leg_contacts(model: mujoco.MjModel, character: Character) -> None:
    """Disable contacts of solids of legs that reach down to the soles, such as wide trousers.

    Otherwise a body that stands would count as fallen.
    """
    data = mujoco.MjData(model)
    data.qpos[2] = character.root_height
    mujoco.mj_kinematics(model, data)
    feet = {foot.link for foot in character.feet}
    for number in (link for leg in character.legs for link in leg.links if link not in feet):
        for geom in np.flatnonzero(
            model.geom_bodyid == model.body(character.links[number].name).id
        ):
            middle, half_size = model.geom_aabb[geom].reshape(2, 3)
            down = data.geom_xmat[geom].reshape(3, 3)[2]
            if (
                data.geom_xpos[geom, 2] + down @ middle - np.abs(down) @ half_size
                < MODEL.min_leg_clearance * character.leg_length
            ):
                model.geom_contype[geom] = model.geom_conaffinity[geom] = 0


def _distribute_mass(model: mujoco.MjModel, character: Character) -> None:
    """Set the masses of the character's links. The mass of toes is subtracted from their feet."""
    feet = [character.links[foot.link].name for foot in character.feet if foot.has_toe]
    toes = [model.body(f"{foot}/toe").id for foot in feet]
    toe_mass = model.body_mass[toes].copy()
    model.body_mass[toes] = 0.0
    distribute_mass(model, character)
    model.body_mass[toes] = toe_mass
    model.body_mass[[model.body(foot).id for foot in feet]] -= toe_mass
    mujoco.mj_setConst(model, mujoco.MjData(model))


def _add_points(
    spec: mujoco.MjSpec, character: Character, foot: Foot, toe: str | None
) -> list[_SoleGeom]:
    """Add a ball at each point of a sole to a model.

    Args:
        spec: model. Changed.
        character: character.
        foot: foot.
        toe: name of the body of its toes, or None.
    """
    link = character.links[foot.link].name
    corners = []
    for point in find_sole_points(character, foot):
        place = point.place - foot.pivot if point.is_on_toe else point.place
        radius = foot.radius if foot.radius > 0 else MODEL.corner_radius * character.leg_length
        geom = spec.body(toe if point.is_on_toe and toe else link).add_geom(
            name=f"{link}/{point.name}",
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[radius, 0, 0],
            mass=0,
            pos=place + np.array([0.0, 0.0, radius]),
        )
        _enable_contact(geom)
        corners.append(_SoleGeom(point, geom.name, place))
    return corners


def _set_joints(spec: mujoco.MjSpec, character: Character, torque_scale: float) -> None:
    """Set ranges, reflected inertia and damping of the joints."""
    limited = mujoco.mjtLimited.mjLIMITED_TRUE
    for link, strength in zip(
        character.links[1:], assign_joint_strengths(character)[1:], strict=True
    ):
        if link.joint.kind == "ball":
            joint = spec.joint(link.joint.name)
            joint.range = (0.0, strength.max_turn)
            joint.limited = limited
            joint.armature = MODEL.armature * torque_scale
            joint.damping = [MODEL.damping * torque_scale, 0, 0]
        for k, (low, high) in enumerate(link.joint.ranges):
            joint = spec.joint(f"{link.joint.name}.{k}")
            joint.range = (low, find_upper_limit(low, high))
            joint.limited = limited
            joint.armature = MODEL.armature * torque_scale
            joint.damping = [MODEL.damping * torque_scale, 0, 0]


def _add_motors(spec: mujoco.MjSpec, character: Character, torque_scale: float) -> None:
    """Add a motor for each degree of freedom except the root's, in their order."""
    strength = {
        link.name: s
        for link, s in zip(character.links, assign_joint_strengths(character), strict=True)
    }
    plain = spec.copy().compile()
    for joint in range(1, plain.njnt):
        name = plain.joint(joint).name
        body = plain.body(plain.jnt_bodyid[joint]).name
        axes = (
            np.eye(3)
            if plain.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
            else np.abs(plain.jnt_axis[[joint]])
        )
        limits = torque_scale * (
            axes @ strength[body].torque if body in strength else np.array([TOE])
        )
        for k, limit in enumerate(limits):
            motor = spec.add_actuator(
                name=f"{name}/{k}",
                target=name,
                trntype=mujoco.mjtTrn.mjTRN_JOINT,
                gear=np.eye(6)[k],
                ctrllimited=mujoco.mjtLimited.mjLIMITED_TRUE,
                ctrlrange=(-limit, limit),
            )
            motor.set_to_motor()


def _describe(
    character: Character,
    ground: Ground,
    model: mujoco.MjModel,
    points: list[list[_SoleGeom]],
    toes: list[str | None],
    friction: float,
) -> SimulatedModel:
    """Return the description of a compiled model.

    Args:
        character: character.
        ground: ground.
        model: compiled model.
        points: points of each sole.
        toes: name of the joint of the toes of each foot, or None.
        friction: coefficient of sliding.
    """
    soles = tuple(
        tuple(
            TouchPoint(
                sole_geom.point.name,
                int(model.geom(sole_geom.geom).bodyid[0]),
                sole_geom.place,
                geom=model.geom(sole_geom.geom).id,
                is_corner=sole_geom.point.is_corner,
            )
            for sole_geom in sole
        )
        for sole in points
    )
    toe_joints = [model.joint(toe).id for toe in toes if toe is not None]
    coordinates = np.setdiff1d(np.arange(model.nq), model.jnt_qposadr[toe_joints])
    dofs = np.setdiff1d(np.arange(model.nv), model.jnt_dofadr[toe_joints])
    links = np.array([model.body(link.name).id for link in character.links])
    return SimulatedModel(
        character,
        ground,
        model,
        links=links,
        soles=soles,
        toes=tuple(None if toe is None else int(model.joint(toe).dofadr[0]) for toe in toes),
        coordinates=coordinates,
        dofs=dofs,
        friction=friction,
    )
