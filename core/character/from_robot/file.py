"""Reading of MJCF and URDF files by MuJoCo, without meshes and textures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np

from ...errors import CharacterError
from ...files.values import show_error
from .source import read_robot_xml

# Least squared radius of gyration of a body, for files with point masses [m^2]
MIN_SQUARED_GYRATION_RADIUS = 1e-6
MAX_BODIES = 1000  # beyond any robot; a file of more is no character
# Fields of a model, what messages call them, and their greatest size in SI units
MODEL_LIMITS = {
    "body_pos": ("The positions of bodies", 1e3),
    "body_ipos": ("The centers of mass of bodies", 1e3),
    "body_mass": ("The masses of bodies", 1e6),
    "body_inertia": ("The inertias of bodies", 1e9),
    "geom_pos": ("The positions of solids", 1e3),
    "geom_size": ("The sizes of solids", 1e3),
    "jnt_pos": ("The positions of joints", 1e3),
    "jnt_range": ("The ranges of joints", 1e6),
    "key_qpos": ("The numbers of key poses", 1e6),
    "qpos0": ("The numbers of the initial pose", 1e6),
}
MUJOCO_ERRORS = (ValueError, TypeError, mujoco.FatalError, mujoco.UnexpectedError)
FREE_JOINT = mujoco.mjtJoint.mjJNT_FREE


def read_robot(path: Path) -> mujoco.MjModel:
    """Return the model of a robot, with a free joint at its base.

    Meshes and textures are left out, so their files are not needed. Physically impossible inertias
    are corrected by MuJoCo's `balanceinertia`.

    Raises:
        CharacterError: there is no such file, it is neither MJCF nor URDF, it has no single base,
            or MuJoCo rejects it, for example because a moving body has no mass.
    """
    root = read_robot_xml(path)
    try:
        spec = mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding="unicode"))
    except MUJOCO_ERRORS as error:
        raise CharacterError(
            f"{path.name} is neither an MJCF nor a URDF file: {show_error(error)}."
        ) from error
    _remove_assets(spec)
    if root.tag == "robot":
        for geom in spec.geoms:  # in a URDF only inertials have a mass
            geom.mass = 0.0
    _ensure_free_base(spec, path.name)
    spec.compiler.fusestatic = False  # otherwise the root of a URDF is fused with the world
    spec.compiler.balanceinertia = True
    try:
        _enlarge_point_masses(spec)
        model = spec.compile()
    except MUJOCO_ERRORS as error:
        raise CharacterError(
            f"{path.name} describes no body that can move: {show_error(error)}. Every body with a "
            "joint needs a mass and an inertia; meshes are not read."
        ) from error
    _check_numbers(model, path.name)
    return model


def _check_numbers(model: mujoco.MjModel, name: str) -> None:
    """Check the size of the model and of its numbers.

    Raises:
        CharacterError: there are too many bodies, or a number is out of its range.
    """
    if model.nbody > MAX_BODIES:
        raise CharacterError(f"{name} has {model.nbody} bodies; at most {MAX_BODIES} are read.")
    for field, (label, limit) in MODEL_LIMITS.items():
        if not (np.abs(getattr(model, field)) <= limit).all():
            raise CharacterError(f"{label} in {name} must be at most {limit:g}, and a number.")


def _remove_assets(spec: mujoco.MjSpec) -> None:
    for geom in list(spec.geoms):
        if geom.type in (
            mujoco.mjtGeom.mjGEOM_MESH,
            mujoco.mjtGeom.mjGEOM_SDF,
            mujoco.mjtGeom.mjGEOM_HFIELD,
        ):
            spec.delete(geom)
        else:
            geom.material = ""
    # sensors and pairs do not affect the body, but may refer to deleted elements
    for kind in ("skins", "sensors", "pairs", "meshes", "hfields", "materials", "textures"):
        for element in list(getattr(spec, kind)):
            spec.delete(element)


def _enlarge_point_masses(spec: mujoco.MjSpec) -> None:
    """Give bodies whose mass is in a point or on a line a small extent.

    Files have such masses for parts that are mounted on the base.
    """
    for body in spec.bodies:
        xx, yy, zz, xy, xz, yz = body.fullinertia
        if not (body.explicitinertial and body.mass > 0 and np.isfinite([xx, yy, zz]).all()):
            continue
        moments, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if moments.min() < MIN_SQUARED_GYRATION_RADIUS * body.mass:
            inertia = (
                axes
                @ np.diag(np.maximum(moments, MIN_SQUARED_GYRATION_RADIUS * body.mass))
                @ axes.T
            )
            body.fullinertia = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]


def _ensure_free_base(spec: mujoco.MjSpec, name: str) -> None:
    """Make sure that exactly one body has a free joint; add it to a fixed base."""
    roots = list(spec.worldbody.bodies)
    free_bodies = [body for body in roots if any(joint.type == FREE_JOINT for joint in body.joints)]
    if len(free_bodies) == 1:
        return
    if len(free_bodies) > 1:
        raise CharacterError(
            f"{name} holds several bodies that move freely: {_join_names(free_bodies)}; leave "
            "only the robot in it."
        )
    if len(roots) != 1:
        raise CharacterError(
            f"{name} has {len(roots)} bodies that stand on the "
            f"world{': ' if roots else ''}{_join_names(roots)}; it must be one, the robot's base."
        )
    base = roots[0]
    if base.joints:
        raise CharacterError(
            f"The base {base.name!r} of {name} is attached to the world by the joint "
            f"{base.joints[0].name!r}; it must move freely or have no joint."
        )
    base.add_freejoint(name="root")
    for key in spec.keys:  # extend key poses of the fixed base
        key.qpos = [*base.pos, *base.quat, *key.qpos]


def _join_names(bodies: list[mujoco.MjsBody]) -> str:
    return ", ".join(repr(body.name) for body in bodies)
