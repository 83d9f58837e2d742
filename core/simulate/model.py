"""A character as a MuJoCo model that is driven by torques and touches the ground."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character, Foot
from ..character.to_mujoco import character_spec, share_mass
from ..terrain import Ground
from .ground_planes import add_planes
from .soles import SolePoint, sole_points
from .strength import TOE, strength_of_links, torque_unit
from .terrain_geoms import add_terrain

Array = NDArray[np.float64]

SUBSTEP = 0.001       # s of a physics step
# at 1 ms: stiffer or less damped contacts rebound, and the controller then pushes on contacts that are not there
SOLREF, SOLIMP = (0.006, 2.0), (0.95, 0.99, 0.001, 0.5, 2.0)
FRICTION = (1.0, 0.005, 0.0001)
GROUND, BODY = {"contype": 1, "conaffinity": 2}, {"contype": 2, "conaffinity": 1}
WIDE = 0.012          # leg lengths above the ground, to which the solids of legs may reach as the body stands
POINT = 0.008         # leg lengths, radius of the balls at the soles' corners
ARMATURE, DAMPING = 8e-6, 3.3e-4     # of weight times leg length: reflected inertia, kg m^2, and damping, Nms, of a joint
TOE_MASS = 5e-4       # of the whole: the character counts its toes to the feet
TOE_RANGE = (-1.2, 0.0)              # rad, up is negative; toes that bent down would prop up the foot like a bridge


@dataclass(frozen=True)
class TouchPoint:
    """A corner of a sole in the model: the body that carries it, its place there, and its geom."""

    name: str
    body: int
    place: Array          # (3,) in the body's frame
    geom: int
    is_corner: bool


@dataclass(frozen=True)
class SimulatedModel:
    """A character's links with toes added where its feet have them.

    Args:
        mujoco: nq coordinates, nv degrees of freedom, nv - 6 motors in the order of the degrees of freedom.
        links: body of each link.
        soles: for each leg the points where it touches.
        toes: for each leg its toes' degree of freedom, None where it has none.
        coordinates, freedoms: where the coordinates and degrees of freedom of the character's own model are.
    """

    character: Character
    ground: Ground
    mujoco: mujoco.MjModel
    links: NDArray[np.int64]                  # (l,)
    soles: tuple[tuple[TouchPoint, ...], ...]
    toes: tuple[int | None, ...]
    coordinates: NDArray[np.int64]
    freedoms: NDArray[np.int64]

    @property
    def torque_limit(self) -> Array:
        """Largest torques of the motors, Nm. (nv - 6,)."""
        return self.mujoco.actuator_ctrlrange[:, 1]


def simulated_model(character: Character, ground: Ground) -> SimulatedModel:
    """Build the model of a character on a ground.

    Raises:
        TerrainError: the ground cannot be made of solids.
    """
    spec = character_spec(character)
    _set_options(spec)
    unit, feet = torque_unit(character), {foot.link for foot in character.feet}
    for number, link in enumerate(character.links):
        for geom in spec.body(link.name).geoms:
            if number not in feet:                       # soles touch with their corners: their solids hold the toes too
                _touch(geom)
    toes = [_add_toe(spec, character, foot, unit) if foot.has_toe else None for foot in character.feet]
    points = [_add_points(spec, character, foot, toe) for foot, toe in zip(character.feet, toes, strict=True)]
    _set_joints(spec, character, unit)
    smooth = add_terrain(spec, ground, friction=FRICTION, solref=SOLREF, solimp=SOLIMP, **GROUND)
    if smooth:
        own = [geom for sole in points for _, geom, _ in sole]
        for name in own:
            spec.geom(name).contype = spec.geom(name).conaffinity = 0
        add_planes(spec, own, FRICTION, SOLREF, SOLIMP)
    _add_motors(spec, character, unit)
    model = spec.compile()
    _share_mass(model, character)
    _spare_wide_legs(model, character)
    return _described(character, ground, model, points, toes)


def _set_options(spec: mujoco.MjSpec) -> None:
    spec.compiler.degree = False
    option = spec.option
    option.timestep, option.integrator = SUBSTEP, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone, option.impratio, option.iterations = mujoco.mjtCone.mjCONE_ELLIPTIC, 5.0, 50
    # without this a number that is not finite starts the body again as if nothing had been
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)


def _touch(geom: mujoco.MjsGeom) -> None:
    geom.contype, geom.conaffinity = BODY["contype"], BODY["conaffinity"]
    geom.friction, geom.solref, geom.solimp = FRICTION, SOLREF, SOLIMP


def _add_toe(spec: mujoco.MjSpec, character: Character, foot: Foot, unit: float) -> str:
    """Toes that hinge on the foot; the name of their joint and body."""
    link = character.links[foot.link]
    name = f"{link.name}/toe"
    mass = TOE_MASS * character.mass
    inertia = mass * (0.03 * character.leg_length) ** 2
    middle = 0.5 * (foot.ball + foot.tip) - foot.pivot
    body = spec.body(link.name).add_body(name=name, pos=foot.pivot, mass=mass, ipos=middle, inertia=[inertia] * 3,
                                         explicitinertial=True)
    body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0], range=TOE_RANGE,
                   limited=mujoco.mjtLimited.mjLIMITED_TRUE, armature=ARMATURE * unit, damping=[DAMPING * unit, 0, 0])
    return name


def _spare_wide_legs(model: mujoco.MjModel, character: Character) -> None:
    """Solids of legs that reach down to the soles, as wide trousers do, touch nothing: their body stands and has not fallen."""
    data = mujoco.MjData(model)
    data.qpos[2] = character.root_height
    mujoco.mj_kinematics(model, data)
    feet = {foot.link for foot in character.feet}
    for number in (link for leg in character.legs for link in leg.links if link not in feet):
        for geom in np.flatnonzero(model.geom_bodyid == model.body(character.links[number].name).id):
            middle, half = model.geom_aabb[geom].reshape(2, 3)
            down = data.geom_xmat[geom].reshape(3, 3)[2]
            if data.geom_xpos[geom, 2] + down @ middle - np.abs(down) @ half < WIDE * character.leg_length:
                model.geom_contype[geom] = model.geom_conaffinity[geom] = 0


def _share_mass(model: mujoco.MjModel, character: Character) -> None:
    """Masses of the character's links; that of toes is taken from their feet."""
    feet = [character.links[foot.link].name for foot in character.feet if foot.has_toe]
    toes = [model.body(f"{foot}/toe").id for foot in feet]
    toe_mass = model.body_mass[toes].copy()
    model.body_mass[toes] = 0.0
    share_mass(model, character)
    model.body_mass[toes] = toe_mass
    model.body_mass[[model.body(foot).id for foot in feet]] -= toe_mass
    mujoco.mj_setConst(model, mujoco.MjData(model))


def _add_points(spec: mujoco.MjSpec, character: Character, foot: Foot, toe: str | None) -> list[tuple[SolePoint, str, Array]]:
    """Balls at the corners of a sole: each with its geom's name and its place in the frame of the body that carries it."""
    link, out = character.links[foot.link].name, []
    for point in sole_points(character, foot):
        place = point.place - foot.pivot if point.on_toe else point.place
        radius = foot.radius if foot.radius > 0 else POINT * character.leg_length
        geom = spec.body(toe if point.on_toe and toe else link).add_geom(
            name=f"{link}/{point.name}", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[radius, 0, 0], mass=0,
            pos=place + np.array([0.0, 0.0, radius]))
        _touch(geom)
        out.append((point, geom.name, place))
    return out


def _set_joints(spec: mujoco.MjSpec, character: Character, unit: float) -> None:
    """Ranges, reflected inertia and damping."""
    limited = mujoco.mjtLimited.mjLIMITED_TRUE
    for link, strength in zip(character.links[1:], strength_of_links(character)[1:], strict=True):
        if link.joint.kind == "ball":
            joint = spec.joint(link.joint.name)
            joint.range, joint.limited = (0.0, strength.turn), limited
            joint.armature, joint.damping = ARMATURE * unit, [DAMPING * unit, 0, 0]
        for k, span in enumerate(link.joint.ranges):
            joint = spec.joint(f"{link.joint.name}.{k}")
            joint.range, joint.limited = span, limited
            joint.armature, joint.damping = ARMATURE * unit, [DAMPING * unit, 0, 0]


def _add_motors(spec: mujoco.MjSpec, character: Character, unit: float) -> None:
    """One for each degree of freedom but the root's, in their order."""
    strength = {link.name: s for link, s in zip(character.links, strength_of_links(character), strict=True)}
    plain = spec.copy().compile()
    for joint in range(1, plain.njnt):
        name, body = plain.joint(joint).name, plain.body(plain.jnt_bodyid[joint]).name
        axes = np.eye(3) if plain.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL else np.abs(plain.jnt_axis[[joint]])
        limits = unit * (axes @ strength[body].torque if body in strength else np.array([TOE]))
        for k, limit in enumerate(limits):
            motor = spec.add_actuator(name=f"{name}/{k}", target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, gear=np.eye(6)[k],
                                      ctrllimited=mujoco.mjtLimited.mjLIMITED_TRUE, ctrlrange=(-limit, limit))
            motor.set_to_motor()


def _described(character: Character, ground: Ground, model: mujoco.MjModel,
               points: list[list[tuple[SolePoint, str, Array]]], toes: list[str | None]) -> SimulatedModel:
    soles = tuple(tuple(TouchPoint(point.name, int(model.geom(geom).bodyid[0]), place, model.geom(geom).id, point.is_corner)
                        for point, geom, place in own) for own in points)
    added = [model.joint(toe).id for toe in toes if toe is not None]
    coordinates = np.setdiff1d(np.arange(model.nq), model.jnt_qposadr[added])
    freedoms = np.setdiff1d(np.arange(model.nv), model.jnt_dofadr[added])
    links = np.array([model.body(link.name).id for link in character.links])
    return SimulatedModel(character, ground, model, links, soles,
                          tuple(None if toe is None else int(model.joint(toe).dofadr[0]) for toe in toes), coordinates, freedoms)
