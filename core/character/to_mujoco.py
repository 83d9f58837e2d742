"""From a character to a MuJoCo model."""
from __future__ import annotations

import mujoco
import numpy as np

from ..geometry import so3
from .character import Character
from .link import Inertial, Joint, Shape

WATER = 1000.0      # kg/m^3; the total mass is set afterwards, so only the share of each link depends on it


def _add_shape(body: mujoco.MjsBody, shape: Shape) -> None:
    start, end = np.asarray(shape.start, float), np.asarray(shape.end, float)
    axis = end - start
    half = 0.5 * float(np.linalg.norm(axis))
    z = axis / (2 * half)
    y = np.array([0.0, 1.0, 0.0]) - z[1] * z if abs(z[1]) < 0.9 else np.array([1.0, 0.0, 0.0]) - z[0] * z
    y /= np.linalg.norm(y)
    frame = np.stack([np.cross(y, z), y, z], -1)
    sideways, across = shape.radii
    kind, size = {
        "capsule": (mujoco.mjtGeom.mjGEOM_CAPSULE, [sideways, max(half - 0.5 * sideways, 1e-3 * half), 0]),
        "ellipsoid": (mujoco.mjtGeom.mjGEOM_ELLIPSOID, [across, sideways, half]),
        "box": (mujoco.mjtGeom.mjGEOM_BOX, [across, sideways, half]),
    }[shape.kind]
    body.add_geom(type=kind, size=size, pos=0.5 * (start + end), quat=so3.quat_from_matrix(frame), density=WATER,
                  contype=0, conaffinity=0)


def _add_joint(body: mujoco.MjsBody, joint: Joint) -> None:
    if joint.kind == "free":
        body.add_freejoint(name=joint.name)
    elif joint.kind == "ball":
        body.add_joint(name=joint.name, type=mujoco.mjtJoint.mjJNT_BALL)
    else:
        for k, axis in enumerate(joint.axes):
            body.add_joint(name=f"{joint.name}.{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)


def _set_inertial(body: mujoco.MjsBody, given: Inertial) -> None:
    i = given.inertia
    body.mass, body.ipos, body.explicitinertial = given.mass, given.centre, True
    body.fullinertia = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]


def character_spec(character: Character) -> mujoco.MjSpec:
    """A character's links and joints as a model that can still be added to; its solids touch nothing."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, -9.81]
    bodies: list[mujoco.MjsBody] = []
    for link in character.links:
        parent = spec.worldbody if link.parent < 0 else bodies[link.parent]
        body = parent.add_body(name=link.name, pos=link.offset)
        _add_joint(body, link.joint)
        for shape in link.shapes:
            _add_shape(body, shape)
        if link.inertial is not None:
            _set_inertial(body, link.inertial)
        bodies.append(body)
    return spec


def compile_character(character: Character) -> mujoco.MjModel:
    """MuJoCo model of a character: its links and joints, and masses as given or from volumes, scaled to the total mass."""
    model = character_spec(character).compile()
    share_mass(model, character)
    return model


def share_mass(model: mujoco.MjModel, character: Character) -> None:
    """Bring masses that came from volumes to those given, or to their share of what is left; all add up to the character's."""
    volume = {link.name: float(model.body(link.name).mass[0]) for link in character.links}
    given = {link.name: link.given_mass for link in character.links if link.given_mass is not None}
    unknown = sum(v for name, v in volume.items() if name not in given)
    left = character.mass - sum(given.values())
    for name, mass in given.items():
        _times_mass(model, name, mass / volume[name])
    for name in volume.keys() - given.keys() if given else ():
        _times_mass(model, name, left / unknown)
    mujoco.mj_setTotalmass(model, character.mass)
    mujoco.mj_setConst(model, mujoco.MjData(model))


def _times_mass(model: mujoco.MjModel, name: str, factor: float) -> None:
    body = model.body(name).id
    model.body_mass[body] *= factor
    model.body_inertia[body] *= factor
