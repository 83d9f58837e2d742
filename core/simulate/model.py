"""A character as a MuJoCo model that is driven by torques and touches the ground."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character, Foot
from ..character.to_mujoco import build_spec, distribute_mass
from ..terrain import Ground
from .ground_planes import add_planes
from .soles import SolePoint, find_sole_points
from .strength import TOE, assign_joint_strengths, compute_torque_unit
from .terrain_geoms import add_terrain

Array = NDArray[np.float64]

SUBSTEP = 0.001  # s of a physics step
# at 1 ms: stiffer or less damped contacts rebound, and the controller then pushes on
# contacts that are not there
SOLREF = (0.006, 2.0)
SOLIMP = (0.95, 0.99, 0.001, 0.5, 2.0)
FRICTION = (1.0, 0.005, 0.0001)
GROUND_COLLISION = {"contype": 1, "conaffinity": 2}
BODY_COLLISION = {"contype": 2, "conaffinity": 1}
# leg lengths above the ground, to which the solids of legs may reach as the body stands
MIN_LEG_CLEARANCE = 0.012
CORNER_RADIUS = 0.008  # leg lengths, radius of the balls at the soles' corners

# of weight times leg length: reflected inertia, kg m^2, and damping, Nms, of a joint
ARMATURE = 8e-6
DAMPING = 3.3e-4

TOE_MASS = 5e-4  # of the whole: the character counts its toes to the feet
# rad, up is negative; toes that bent down would prop up the foot like a bridge
TOE_RANGE = (-1.2, 0.0)


@dataclass(frozen=True)
class TouchPoint:
    """A corner of a sole in the model: the body that carries it, its place there, and its geom."""

    name: str
    body: int
    place: Array  # (3,) in the body's frame
    geom: int
    is_corner: bool


@dataclass(frozen=True)
class SimulatedModel:
    """A character's links with toes added where its feet have them.

    Args:
        mujoco: nq coordinates, nv degrees of freedom, nv - 6 motors in the order of
            the degrees of freedom.
        links: body of each link.
        soles: for each leg the points where it touches.
        toes: for each leg its toes' degree of freedom, None where it has none.
        coordinates, dofs: where the coordinates and degrees of freedom of the
            character's own model are.
    """

    character: Character
    ground: Ground
    mujoco: mujoco.MjModel
    links: NDArray[np.int64]  # (l,)
    soles: tuple[tuple[TouchPoint, ...], ...]
    toes: tuple[int | None, ...]
    coordinates: NDArray[np.int64]
    dofs: NDArray[np.int64]
    friction: float  # coefficient of sliding

    @property
    def torque_limit(self) -> Array:
        """Largest torques of the motors, Nm. (nv - 6,)."""
        return self.mujoco.actuator_ctrlrange[:, 1]


def build_simulated_model(
    character: Character, ground: Ground, friction: float = 1.0
) -> SimulatedModel:
    """Build the model of a character on a ground.

    Args:
        friction: coefficient of sliding, of soles as well as of the rest of the body.

    Raises:
        TerrainError: the ground cannot be made of solids.
    """
    spec = build_spec(character)
    _set_options(spec)
    torque_scale = compute_torque_unit(character)
    feet = {foot.link for foot in character.feet}
    for number, link in enumerate(character.links):
        for geom in spec.body(link.name).geoms:
            if number not in feet:  # soles touch with their corners: their solids hold the toes too
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
    is_height_field = add_terrain(
        spec, ground, friction=FRICTION, solref=SOLREF, solimp=SOLIMP, **GROUND_COLLISION
    )
    if is_height_field:
        point_geoms = [geom for sole in points for _, geom, _ in sole]
        for name in point_geoms:
            spec.geom(name).contype = spec.geom(name).conaffinity = 0
        add_planes(spec, point_geoms, FRICTION, solref=SOLREF, solimp=SOLIMP)
    _add_motors(spec, character, torque_scale)
    model = spec.compile()
    # the larger coefficient of two geoms counts, so all of them have it
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
    option.impratio = 5.0
    option.iterations = 50
    # without this a number that is not finite starts the body again as if nothing had been
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)


def _enable_contact(geom: mujoco.MjsGeom) -> None:
    geom.contype = BODY_COLLISION["contype"]
    geom.conaffinity = BODY_COLLISION["conaffinity"]
    geom.friction = FRICTION
    geom.solref = SOLREF
    geom.solimp = SOLIMP


def _add_toe(spec: mujoco.MjSpec, character: Character, foot: Foot, torque_scale: float) -> str:
    """Toes that hinge on the foot; the name of their joint and body."""
    link = character.links[foot.link]
    name = f"{link.name}/toe"
    mass = TOE_MASS * character.mass
    inertia = mass * (0.03 * character.leg_length) ** 2
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
        range=TOE_RANGE,
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        armature=ARMATURE * torque_scale,
        damping=[DAMPING * torque_scale, 0, 0],
    )
    return name


def _disable_wide_leg_contacts(model: mujoco.MjModel, character: Character) -> None:
    """Solids of legs that reach down to the soles, as wide trousers do, touch nothing: their body
    stands and has not fallen.
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
                < MIN_LEG_CLEARANCE * character.leg_length
            ):
                model.geom_contype[geom] = model.geom_conaffinity[geom] = 0


def _distribute_mass(model: mujoco.MjModel, character: Character) -> None:
    """Masses of the character's links; that of toes is taken from their feet."""
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
) -> list[tuple[SolePoint, str, Array]]:
    """Balls at the corners of a sole: each with its geom's name and its place in the frame of
    the body that carries it.
    """
    link = character.links[foot.link].name
    corners = []
    for point in find_sole_points(character, foot):
        place = point.place - foot.pivot if point.is_on_toe else point.place
        radius = foot.radius if foot.radius > 0 else CORNER_RADIUS * character.leg_length
        geom = spec.body(toe if point.is_on_toe and toe else link).add_geom(
            name=f"{link}/{point.name}",
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[radius, 0, 0],
            mass=0,
            pos=place + np.array([0.0, 0.0, radius]),
        )
        _enable_contact(geom)
        corners.append((point, geom.name, place))
    return corners


def _set_joints(spec: mujoco.MjSpec, character: Character, torque_scale: float) -> None:
    """Ranges, reflected inertia and damping."""
    limited = mujoco.mjtLimited.mjLIMITED_TRUE
    for link, strength in zip(
        character.links[1:], assign_joint_strengths(character)[1:], strict=True
    ):
        if link.joint.kind == "ball":
            joint = spec.joint(link.joint.name)
            joint.range = (0.0, strength.max_turn)
            joint.limited = limited
            joint.armature, joint.damping = ARMATURE * torque_scale, [DAMPING * torque_scale, 0, 0]
        for k, span in enumerate(link.joint.ranges):
            joint = spec.joint(f"{link.joint.name}.{k}")
            joint.range = span
            joint.limited = limited
            joint.armature, joint.damping = ARMATURE * torque_scale, [DAMPING * torque_scale, 0, 0]


def _add_motors(spec: mujoco.MjSpec, character: Character, torque_scale: float) -> None:
    """One for each degree of freedom but the root's, in their order."""
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
    points: list[list[tuple[SolePoint, str, Array]]],
    toes: list[str | None],
    friction: float,
) -> SimulatedModel:
    soles = tuple(
        tuple(
            TouchPoint(
                point.name,
                int(model.geom(geom).bodyid[0]),
                place,
                geom=model.geom(geom).id,
                is_corner=point.is_corner,
            )
            for point, geom, place in sole_points_of_leg
        )
        for sole_points_of_leg in points
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
