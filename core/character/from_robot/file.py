"""MJCF and URDF files read through MuJoCo, without the meshes and pictures that they name."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np

from ...errors import CharacterError

# m^2, squared radius of gyration of what a file has as a mass in a point
MIN_SQUARED_GYRATION_RADIUS = 1e-6
FREE_JOINT = mujoco.mjtJoint.mjJNT_FREE


def read_robot(path: Path) -> mujoco.MjModel:
    """The model of a robot's file, whose only moving body under the world hangs on a free joint.

    Meshes, textures and what shows them are left out, so their files need not be there. Inertias
    that no body can have are evened out as MuJoCo's `balanceinertia` does.

    Raises:
        CharacterError: there is no such file, it is neither MJCF nor URDF, nothing in it can move
            freely, or MuJoCo finds it wrong otherwise, as when a moving body has no mass.
    """
    if not path.is_file():
        raise CharacterError(f"There is no file {path}.")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
    except ValueError as error:
        raise CharacterError(
            f"{path.name} is neither an MJCF nor a URDF file: {_to_one_line(error)}."
        ) from error
    _remove_assets(spec)
    if ElementTree.parse(path).getroot().tag == "robot":
        for geom in spec.geoms:  # in a URDF only what has an inertial weighs anything
            geom.mass = 0.0
    _ensure_free_base(spec, path.name)
    spec.compiler.fusestatic = False  # the root of a URDF would be fused with the world
    spec.compiler.balanceinertia = True
    _enlarge_point_masses(spec)
    try:
        return spec.compile()
    except ValueError as error:
        raise CharacterError(
            f"{path.name} describes no body that can move: {_to_one_line(error)}. Every body with "
            "a joint needs a mass and an inertia; meshes are not read."
        ) from error


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
    # sensors and pairs do nothing to how a body is built, but may name what was just left out
    for kind in ("skins", "sensors", "pairs", "meshes", "hfields", "materials", "textures"):
        for element in list(getattr(spec, kind)):
            spec.delete(element)


def _enlarge_point_masses(spec: mujoco.MjSpec) -> None:
    """Give a hardly noticeable extent to masses in a point or on a line,
    as files have for what is screwed to the base.
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
    """Make sure that one body moves freely; a fixed base is set free."""
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
            f"The base {base.name!r} of {name} hangs on the world by the joint "
            f"{base.joints[0].name!r}; it must move freely or have no joint."
        )
    base.add_freejoint(name="root")
    for key in spec.keys:  # of the robot on its stand
        key.qpos = [*base.pos, *base.quat, *key.qpos]


def _join_names(bodies: list[mujoco.MjsBody]) -> str:
    return ", ".join(repr(body.name) for body in bodies)


def _to_one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")
