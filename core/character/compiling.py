"""From a character to a MuJoCo model."""
from __future__ import annotations

import mujoco
import numpy as np

from .. import so3
from .character import Character, Shape

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


def compile_character(character: Character) -> mujoco.MjModel:
    """MuJoCo model of a character: its links, joints, and masses from the volumes of its shapes, scaled to its total mass."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, -9.81]
    bodies: list[mujoco.MjsBody] = []
    for link in character.links:
        parent = spec.worldbody if link.parent < 0 else bodies[link.parent]
        body = parent.add_body(name=link.name, pos=link.offset)
        if link.joint.kind == "free":
            body.add_freejoint(name=link.joint.name)
        elif link.joint.kind == "ball":
            body.add_joint(name=link.joint.name, type=mujoco.mjtJoint.mjJNT_BALL)
        else:
            for k, axis in enumerate(link.joint.axes):
                body.add_joint(name=f"{link.joint.name}.{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
        for shape in link.shapes:
            _add_shape(body, shape)
        bodies.append(body)
    model = spec.compile()
    mujoco.mj_setTotalmass(model, character.mass)
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model
