"""Conversion of a character to a MuJoCo model."""

from __future__ import annotations

import mujoco
import numpy as np

from ..errors import CharacterError
from ..files.values import show_error
from ..geometry import so3
from ..geometry.units import STANDARD_GRAVITY
from .character import Character
from .link import Inertial, Joint, LinkShape

# Density of all solids [kg/m^3]. Only the links' shares of the mass depend on it, as the total
# mass is set afterwards.
WATER_DENSITY = 1000.0


def _add_shape(body: mujoco.MjsBody, shape: LinkShape) -> None:
    start = np.asarray(shape.start, float)
    end = np.asarray(shape.end, float)
    axis = end - start
    half_length = 0.5 * float(np.linalg.norm(axis))
    z = axis / (2 * half_length)
    y = (
        np.array([0.0, 1.0, 0.0]) - z[1] * z
        if abs(z[1]) < 0.9
        else np.array([1.0, 0.0, 0.0]) - z[0] * z
    )
    y /= np.linalg.norm(y)
    frame = np.stack([np.cross(y, z), y, z], -1)
    half_width, half_depth = shape.radii
    kind, size = {
        "capsule": (
            mujoco.mjtGeom.mjGEOM_CAPSULE,
            [half_width, max(half_length - 0.5 * half_width, 1e-3 * half_length), 0],
        ),
        "ellipsoid": (mujoco.mjtGeom.mjGEOM_ELLIPSOID, [half_depth, half_width, half_length]),
        "box": (mujoco.mjtGeom.mjGEOM_BOX, [half_depth, half_width, half_length]),
    }[shape.kind]
    body.add_geom(
        type=kind,
        size=size,
        pos=0.5 * (start + end),
        quat=so3.quat_from_matrix(frame),
        density=WATER_DENSITY,
        contype=0,
        conaffinity=0,
    )


def _add_joint(body: mujoco.MjsBody, joint: Joint) -> None:
    if joint.kind == "free":
        body.add_freejoint(name=joint.name)
    elif joint.kind == "ball":
        body.add_joint(name=joint.name, type=mujoco.mjtJoint.mjJNT_BALL)
    else:
        for k, axis in enumerate(joint.axes):
            body.add_joint(name=f"{joint.name}.{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)


def _set_inertial(body: mujoco.MjsBody, inertial: Inertial) -> None:
    inertia = inertial.inertia
    body.mass = inertial.mass
    body.ipos = inertial.center_of_mass
    body.explicitinertial = True
    body.fullinertia = [
        inertia[0, 0],
        inertia[1, 1],
        inertia[2, 2],
        inertia[0, 1],
        inertia[0, 2],
        inertia[1, 2],
    ]


def build_spec(character: Character) -> mujoco.MjSpec:
    """Return an editable MuJoCo specification of links and joints.

    Contacts of the solids are disabled.
    """
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, -STANDARD_GRAVITY]
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
    """Return the MuJoCo model of a character, with the masses of `Link` and the total mass.

    Raises:
        CharacterError: MuJoCo refuses the body, for example because no solid has such an inertia.
    """
    try:
        model = build_spec(character).compile()
        distribute_mass(model, character)
    except (ValueError, mujoco.FatalError) as error:
        raise CharacterError(
            f"The body {character.name!r} is not possible: {show_error(error)}."
        ) from error
    return model


def distribute_mass(model: mujoco.MjModel, character: Character) -> None:
    """Scale the masses of the model, which follow from volumes, to those of the character.

    Links with a given mass get this mass; the others share the rest in proportion to volume.
    """
    volume = {link.name: float(model.body(link.name).mass[0]) for link in character.links}
    given_masses = {
        link.name: link.specified_mass
        for link in character.links
        if link.specified_mass is not None
    }
    free_volume = sum(v for name, v in volume.items() if name not in given_masses)
    remaining_mass = character.mass - sum(given_masses.values())
    for name, mass in given_masses.items():
        _scale_mass(model, name, mass / volume[name])
    for name in volume.keys() - given_masses.keys() if given_masses else ():
        _scale_mass(model, name, remaining_mass / free_volume)
    mujoco.mj_setTotalmass(model, character.mass)
    mujoco.mj_setConst(model, mujoco.MjData(model))


def _scale_mass(model: mujoco.MjModel, name: str, factor: float) -> None:
    body = model.body(name).id
    model.body_mass[body] *= factor
    model.body_inertia[body] *= factor
