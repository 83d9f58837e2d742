"""MuJoCo model of a biped on a ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...simulate.hinge_range import find_upper_limit
from ...simulate.soles import CONTACT
from .biped import Biped
from .height_field import EndlessField
from .parts import MovementPart
from .upper_limbs import find_joint_spring

Array = NDArray[np.float64]

SIDES = ("L", "R")


@dataclass(frozen=True)
class PassiveJoint:
    """Spring, damper and strength of a joint.

    Args:
        stiffness: [N m/rad].
        damping: [N m s/rad].
        max_torque: largest torque of the muscles about each axis, table 3 [N m].
    """

    stiffness: float
    damping: float
    max_torque: float


@dataclass(frozen=True)
class BipedModelParameters:
    """Properties that the paper leaves open, for the body of the reference size.

    Passive springs are needed since the forces between upper body and feet determine 12 of the
    17 torques at most. Tuned: without them the pelvis and the swivel of the legs swing freely and
    bodies fall within two steps.
    """

    waist: PassiveJoint = PassiveJoint(100.0, 20.0, 1600.0)
    hip: PassiveJoint = PassiveJoint(10.0, 4.0, 1600.0)
    knee: PassiveJoint = PassiveJoint(0.0, 1.0, 700.0)
    ankle: PassiveJoint = PassiveJoint(5.0, 2.0, 400.0)
    # Torque that stands for the limit of joints that no controller moves [N m]
    unused_torque: float = 100.0
    # Reflected inertia of the joints [kg m^2]
    armature: float = 0.01
    # Largest turn of waist and of ankles that are ball joints [rad]
    max_waist_turn: float = float(np.radians(50))
    max_ankle_turn: float = float(np.radians(70))
    # Shares of the sole's length that the blocks of toes and heel take; between them is a gap
    # (figure 9)
    toe_share: float = 0.4
    heel_share: float = 0.36
    # Share of the time constant of contacts of other simulated bodies. Tuned: with 1, soles sank
    # 11 mm into the ground where a walk lands,
    # test_generate.test_the_shipped_controller_walks_without_help.
    contact_time_share: float = 0.6
    # Radius of the balls at the corners of the blocks [m]
    ball_radius: float = 0.012
    # Smallest range of heights of a field about 0, within which they can be exchanged [m]
    min_field_range: float = 20.0
    # Largest number of iterations of MuJoCo's solver
    solver_iterations: int = 30


MODEL = BipedModelParameters()


@dataclass(frozen=True)
class FootFrames:
    """Frames of a foot relative to its ankle, in the axes of the foot.

    Args:
        offsets: (4, 3) ankle, left toe, right toe, heel [m].
        center: (3,) center of mass of the foot, to which toes and heel are relative [m].
        is_toe: (4,) whether a frame is pinned by a contact of the toes rather than of the heel.
    """

    offsets: Array
    center: Array
    is_toe: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BipedModel:
    """A compiled model of a biped, equal to nothing but itself.

    Args:
        mujoco: the model; its root is the upper body, at its center of mass.
        parts: body of each part: upper body, pelvis, thigh, shin and foot of both legs, and the
            parts of arms and head.
        knees: (2,) degrees of freedom of the knees.
        knee_signs: (2,) +1 where a knee bends about its axis, -1 where it is inverted.
        contact_block: (geoms,) number of the block of a geom: 0 and 1 toes and heel of the left
            foot, 2 and 3 of the right; -1 for other geoms.
        balls: (2, 8) geoms of the balls of each foot.
        ball_places: (8, 3) their lowest points relative to the ankle [m].
        max_torque: (nv - 6,) [N m].
    """

    biped: Biped
    mujoco: mujoco.MjModel
    parts: tuple[int, ...]
    knees: NDArray[np.int64]
    knee_signs: Array
    contact_block: NDArray[np.int64]
    balls: NDArray[np.int64]
    ball_places: Array
    frames: FootFrames
    max_torque: Array

    @property
    def feet(self) -> tuple[int, ...]:
        """Bodies of the feet."""
        return self.parts[4], self.parts[7]

    @cached_property
    def ball_columns(self) -> NDArray[np.int64]:
        """(geoms,) number of a ball among those of both feet; -1 for other geoms."""
        columns = np.full(self.mujoco.ngeom, -1)
        columns[self.balls.ravel()] = np.arange(self.balls.size)
        return columns


def build_biped_model(biped: Biped, ground: EndlessField | None, substep: float) -> BipedModel:
    """Return the model of a biped on a ground.

    Args:
        ground: None for a plane at height 0.
        substep: time step of the physics [s].
    """
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = substep
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.iterations = MODEL.solver_iterations
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    _add_ground(spec, ground)
    upper = biped.upper_body
    root = spec.worldbody.add_body(name="upper_body", pos=upper.center)
    root.add_freejoint(name="root")
    _set_mass(root, biped.trunk or upper, upper.center)
    pelvis = _add_part(root, biped.pelvis, "pelvis", upper.center, waist=upper.joint)
    balls = _list_ball_places(biped)
    for side, leg in zip(SIDES, biped.legs, strict=True):
        body = pelvis
        origin = upper.joint
        for name, part in zip(("thigh", "shin", "foot"), leg.parts, strict=True):
            body = _add_part(body, part, f"{name}.{side}", origin)
            origin = part.joint
        for k, place in enumerate(balls):
            geom = body.add_geom(
                name=f"ball.{side}.{k}",
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                size=[MODEL.ball_radius, 0, 0],
                pos=place + [0.0, 0.0, MODEL.ball_radius],
                mass=0,
            )
            _set_contact(geom, 1, 2)
    _add_upper_limbs(spec, biped, root)
    model = _describe(biped, spec.compile(), balls)
    if ground is not None:
        set_ground(model, ground)  # since the compiler normalizes the heights
    return model


def set_ground(model: BipedModel, ground: EndlessField) -> None:
    """Write the heights of a ground with the same grid into a model."""
    # The position stays: MuJoCo would not notice contacts outside of the box that the compiler
    # puts around the field
    lowest = model.mujoco.geom_pos[model.mujoco.geom("ground").id, 2]
    size = model.mujoco.hfield_size[0, 2]
    model.mujoco.hfield_data[:] = np.asarray((ground.heights.T - lowest) / size).ravel()


def _add_upper_limbs(spec: mujoco.MjSpec, biped: Biped, root: mujoco.MjsBody) -> None:
    """Add arms and head, whose hinges are moved by springs with a rest that moves."""
    for limb in biped.upper_limbs:
        body = root
        origin = biped.upper_body.center
        for k, part in enumerate(limb.parts):
            name = f"{limb.name}-{k}"
            body = body.add_body(name=name, pos=part.joint - origin)
            _set_mass(body, part, part.joint)
            origin = part.joint
            for j, hinge in enumerate(part.hinges):
                joint = body.add_joint(
                    name=f"{name}-{j}",
                    type=mujoco.mjtJoint.mjJNT_HINGE,
                    axis=hinge.axis,
                    range=[hinge.low, find_upper_limit(hinge.low, hinge.high)],
                    limited=mujoco.mjtLimited.mjLIMITED_TRUE,
                    armature=MODEL.armature,
                )
                spring = find_joint_spring(limb, k)
                actuator = spec.add_actuator(
                    name=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=joint.name
                )
                actuator.set_to_position(spring.stiffness, kv=spring.damping)


def _set_contact(geom: mujoco.MjsGeom, kind: int, partner: int) -> None:
    geom.contype = kind
    geom.conaffinity = partner
    geom.friction = CONTACT.friction
    time_constant, damping_ratio = CONTACT.solref
    geom.solref = [MODEL.contact_time_share * time_constant, damping_ratio]
    geom.solimp = CONTACT.solimp


def _add_ground(spec: mujoco.MjSpec, ground: EndlessField | None) -> None:
    """Add a plane or a height field."""
    if ground is None:
        plane = spec.worldbody.add_geom(
            name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[100, 100, 1]
        )
        _set_contact(plane, 2, 1)
        return
    columns, rows = ground.heights.shape
    half_x = 0.5 * (columns - 1) * ground.spacing
    half_y = 0.5 * (rows - 1) * ground.spacing
    lowest = min(float(ground.heights.min()), -0.5 * MODEL.min_field_range)
    size = max(float(ground.heights.max()), 0.5 * MODEL.min_field_range) - lowest
    spec.add_hfield(
        name="ground",
        nrow=rows,
        ncol=columns,
        size=[half_x, half_y, size, 1.0],
        userdata=np.zeros(rows * columns),
    )
    geom = spec.worldbody.add_geom(
        name="ground",
        type=mujoco.mjtGeom.mjGEOM_HFIELD,
        hfieldname="ground",
        pos=[
            ground.origin[0] + half_x,
            ground.origin[1] + half_y,
            lowest,
        ],
    )
    _set_contact(geom, 2, 1)


def _set_mass(body: mujoco.MjsBody, part: MovementPart, origin: Array) -> None:
    body.explicitinertial = True
    body.mass = part.mass
    body.ipos = part.center - origin
    m = part.inertia
    body.fullinertia = [m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]


def _add_part(
    parent: mujoco.MjsBody,
    part: MovementPart,
    name: str,
    parent_origin: Array,
    waist: Array | None = None,
) -> mujoco.MjsBody:
    """Add a part with its joint, which is named after it.

    Args:
        parent_origin: (3,) origin of the parent's frame in the neutral pose [m].
        waist: (3,) of the pelvis: joint below the upper body, which is its origin [m].
    """
    origin = part.joint if waist is None else waist
    body = parent.add_body(name=name, pos=origin - parent_origin)
    _set_mass(body, part, origin)
    passive = _find_passive(name)
    common = {"damping": [passive.damping, 0, 0], "armature": MODEL.armature}
    limited = mujoco.mjtLimited.mjLIMITED_TRUE
    if part.hinges and waist is None:
        for k, hinge in enumerate(part.hinges):
            body.add_joint(
                name=f"{name}.{k}",
                type=mujoco.mjtJoint.mjJNT_HINGE,
                axis=hinge.axis,
                range=[hinge.low, find_upper_limit(hinge.low, hinge.high)],
                limited=limited,
                stiffness=[passive.stiffness, 0, 0],
                **common,
            )
        return body
    joint = body.add_joint(
        name=name,
        type=mujoco.mjtJoint.mjJNT_BALL,
        stiffness=[passive.stiffness, 0, 0],
        **common,
    )
    turn = {"pelvis": MODEL.max_waist_turn, "foot": MODEL.max_ankle_turn}.get(name.split(".")[0])
    if turn is not None:
        joint.range = [0, turn]
        joint.limited = limited
    return body


def _find_passive(name: str) -> PassiveJoint:
    joints = {"pelvis": MODEL.waist, "thigh": MODEL.hip, "shin": MODEL.knee, "foot": MODEL.ankle}
    return joints[name.split(".")[0]]


def _find_max_torque(name: str) -> float:
    """Return the largest torque of the joint of a body [N m]; arms and head have springs."""
    return MODEL.unused_torque if "-" in name else _find_passive(name).max_torque


def _list_ball_places(biped: Biped) -> Array:
    """Return the lowest points of the balls of a foot (8, 3) [m]: four of the toes, then heel."""
    sole = biped.sole
    radius = MODEL.ball_radius
    half_width = sole.half_width - radius
    columns = (
        sole.tip - MODEL.toe_share * sole.length,
        sole.tip - radius,
        sole.heel + radius,
        sole.heel + MODEL.heel_share * sole.length,
    )
    return np.array(
        [(x, y, -sole.ankle_height) for x in columns for y in (half_width, -half_width)]
    )


def _describe(biped: Biped, model: mujoco.MjModel, ball_places: Array) -> BipedModel:
    names = [f"{part}.{side}" for side in SIDES for part in ("thigh", "shin", "foot")]
    limbs = [f"{limb.name}-{k}" for limb in biped.upper_limbs for k in range(len(limb.parts))]
    parts = tuple(int(model.body(name).id) for name in ("upper_body", "pelvis", *names, *limbs))
    balls = np.array(
        [[model.geom(f"ball.{s}.{k}").id for k in range(len(ball_places))] for s in SIDES]
    )
    contact_block = np.full(model.ngeom, -1)
    for foot in (0, 1):
        contact_block[balls[foot, :4]] = 2 * foot
        contact_block[balls[foot, 4:]] = 2 * foot + 1
    max_torque = np.array(
        [_find_max_torque(model.body(model.dof_bodyid[dof]).name) for dof in range(6, model.nv)]
    )
    sole = biped.sole
    down = -sole.ankle_height
    offsets = np.array(
        [
            [0.0, 0.0, 0.0],
            [sole.tip, sole.half_width, down],
            [sole.tip, -sole.half_width, down],
            [sole.heel, 0.0, down],
        ]
    )
    left = biped.legs[0].foot
    center = (left.center - left.joint) * [1.0, 0.0, 1.0]
    hinges = [leg.shin.hinges[0] for leg in biped.legs]
    return BipedModel(
        biped,
        model,
        parts,
        knees=np.array([model.joint(f"shin.{side}.0").dofadr[0] for side in SIDES]),
        knee_signs=np.array([1.0 if abs(h.high) >= abs(h.low) else -1.0 for h in hinges]),
        contact_block=contact_block,
        balls=balls,
        ball_places=ball_places,
        frames=FootFrames(offsets, center, np.array([False, True, True, False])),
        max_torque=max_torque,
    )
