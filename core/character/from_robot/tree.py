"""A robot's model as a tree of links that move, in one pose of it, seen with x ahead,
y to the left and z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3

Array = NDArray[np.float64]

HINGE = mujoco.mjtJoint.mjJNT_HINGE
BALL = mujoco.mjtJoint.mjJNT_BALL
MAX_LEVEL_SINE = 0.3  # sine of the angle below which a link without a shape counts as level
HINGE_TOLERANCE = 1e-4  # m between the places of hinges that count as one joint


@dataclass(frozen=True)
class MovingLink:
    """One link that moves: its body, what is fixed to it, and its joints in a row."""

    name: str
    parent: int  # -1 for the root
    bodies: tuple[int, ...]  # its own first, then those that move with it
    joints: tuple[int, ...]  # of the root none


@dataclass(frozen=True)
class MassProperties:
    """Mass and inertia of a link with everything fixed to it, in the robot's axes.

    Args:
        mass: [kg].
        center: (3,) center of mass [m].
        inertia: (3, 3) about the center of mass [kg m^2].
    """

    mass: float
    center: Array
    inertia: Array


class RobotTree:
    """The links of a model; `fixed_joint_names` names joints that are to stay as they are."""

    def __init__(
        self, model: mujoco.MjModel, name: str, fixed_joint_names: Sequence[str] = ()
    ) -> None:
        self.model = model
        self.name = name
        self.notes: list[str] = []
        self.data = mujoco.MjData(model)
        self.pose: Array = model.qpos0.copy()
        joint_names = {model.joint(k).name for k in range(model.njnt)}
        missing = [joint for joint in fixed_joint_names if joint not in joint_names]
        if missing:
            raise CharacterError(
                f"{name} has no joint {missing[0]!r} that could be held; its joints are: "
                f"{', '.join(sorted(joint_names - {''}))}."
            )
        self.fixed_joints = {
            k for k in range(model.njnt) if model.joint(k).name in fixed_joint_names
        }
        self.sliding_joints = [
            k for k in range(model.njnt) if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_SLIDE
        ]
        self.fixed_joints |= set(self.sliding_joints)
        if self.sliding_joints:
            self.notes.append(
                "joints that slide are held: "
                f"{', '.join(model.joint(k).name for k in self.sliding_joints)}"
            )
        self.root = int(
            next(
                model.jnt_bodyid[k]
                for k in range(model.njnt)
                if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_FREE
            )
        )
        self.moving_links = self._find_moving_links()
        self.rest_data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, self.rest_data)
        self.set_pose(self.pose)

    def fix_joints(self, joints: set[int]) -> None:
        """Hold more joints."""
        self.fixed_joints |= joints
        self.moving_links = self._find_moving_links()

    def _find_moving_links(self) -> tuple[MovingLink, ...]:
        model = self.model
        link_of_body = {self.root: 0}
        bodies: list[list[int]] = [[self.root]]
        parents = [-1]
        joints = [()]
        for body in range(self.root + 1, model.nbody):
            parent_body = int(model.body_parentid[body])
            if parent_body not in link_of_body:
                continue  # stands on the world beside the robot
            first = int(model.body_jntadr[body])
            moving_joints = tuple(
                k
                for k in range(first, first + int(model.body_jntnum[body]))
                if k not in self.fixed_joints
            )
            if moving_joints:
                link_of_body[body] = len(bodies)
                bodies.append([body])
                parents.append(link_of_body[parent_body])
                joints.append(moving_joints)  # type: ignore[arg-type]
            else:
                link_of_body[body] = link_of_body[parent_body]
                bodies[link_of_body[parent_body]].append(body)
        names = [
            model.body(moving_joints[0]).name or f"link.{k}"
            for k, moving_joints in enumerate(bodies)
        ]
        return tuple(
            MovingLink(n, p, tuple(b), j)
            for n, p, b, j in zip(names, parents, bodies, joints, strict=True)
        )

    def set_pose(self, pose: Array) -> None:
        """Put the robot into a pose; the axes are then turned so that the root looks along x, and
        begin at the root's joint.
        """
        self.pose = pose.copy()
        self.data.qpos[:] = pose
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        root = self.data.xmat[self.root].reshape(3, 3)
        forward = root[:, 0]
        self._world_to_robot = (
            so3.rotation_about("z", -np.arctan2(forward[1], forward[0]))
            if np.hypot(*forward[:2]) > 0.3
            else np.eye(3)
        )
        self._origin = self.data.xpos[self.root].copy()

    def transform_points(self, points: Array) -> Array:
        """World points in the robot's axes. (..., 3)."""
        return (points - self._origin) @ self._world_to_robot.T

    def transform_directions(self, matrix: Array) -> Array:
        """World directions, the columns of a matrix, in the robot's axes. (3, k)."""
        return self._world_to_robot @ matrix

    def joint_position(self, link: int) -> Array:
        """Place of a link's joint. (3,).

        Raises:
            CharacterError: its hinges are at different places.
        """
        mover = self.moving_links[link]
        if not mover.joints:
            return np.zeros(3)
        anchors = self.data.xanchor[list(mover.joints)]
        if np.abs(anchors - anchors[0]).max() > HINGE_TOLERANCE:
            raise CharacterError(
                f"The hinges of the body {mover.name!r} of {self.name} are at different places; "
                "give each but the last a body of its own."
            )
        return self.transform_points(anchors[0])

    def hinge_axes(self, link: int) -> Array:
        """Axes of a link's hinges as they stand. (k, 3)."""
        return self.transform_directions(self.data.xaxis[list(self.moving_links[link].joints)].T).T

    def path_from_root(self, link: int) -> tuple[int, ...]:
        """The link and all that it hangs on, from the root's next outward."""
        out: list[int] = []
        while link > 0:
            out.append(link)
            link = self.moving_links[link].parent
        return tuple(out[::-1])

    def list_leaves(self) -> list[int]:
        """Links on which no other hangs."""
        parents = {mover.parent for mover in self.moving_links}
        return [k for k in range(1, len(self.moving_links)) if k not in parents]

    def list_geoms(self, link: int) -> list[int]:
        """A link's solids: those that touch things if there are any, else all."""
        model = self.model
        bodies = set(self.moving_links[link].bodies)
        geoms = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) in bodies]
        colliding = [g for g in geoms if model.geom_contype[g] or model.geom_conaffinity[g]]
        return colliding or geoms

    def guess_link_end(self, link: int) -> Array:
        """Where a link ends whose shape nobody tells: as far below its joint as twice its middle
        is, in the file's own pose. (3,).

        A leg that lies level in that pose ends at twice the way to its middle.
        """
        mover = self.moving_links[link]
        bodies = list(mover.bodies)
        rest = self.rest_data
        first = mover.bodies[0]
        masses = self.model.body_mass[bodies]
        start = rest.xanchor[mover.joints[0]]
        offset = 2 * (masses @ rest.xipos[bodies] / masses.sum() - start)
        if -offset[2] > MAX_LEVEL_SINE * np.linalg.norm(offset):
            offset = np.array([0.0, 0.0, offset[2]])
        return self.transform_points(
            self.data.xpos[first]
            + self.data.xmat[first].reshape(3, 3)
            @ (rest.xmat[first].reshape(3, 3).T @ (start + offset - rest.xpos[first]))
        )

    def compute_mass_properties(self, link: int) -> MassProperties:
        """Return mass, center of mass and inertia of a link with everything fixed to it.

        Raises:
            CharacterError: the link has no mass.
        """
        model = self.model
        bodies = list(self.moving_links[link].bodies)
        masses = model.body_mass[bodies]
        centers = self.transform_points(self.data.xipos[bodies])
        mass = float(masses.sum())
        if mass <= 0:
            raise CharacterError(
                f"The body {self.moving_links[link].name!r} of {self.name} has no mass; every "
                "part that moves needs one (meshes are not read)."
            )
        center = masses @ centers / mass
        total = np.zeros((3, 3))
        for body, m, c in zip(bodies, masses, centers, strict=True):
            principal_axes = self.transform_directions(self.data.ximat[body].reshape(3, 3))
            lever = c - center
            total += principal_axes @ np.diag(model.body_inertia[body]) @ principal_axes.T + m * (
                lever @ lever * np.eye(3) - np.outer(lever, lever)
            )
        return MassProperties(mass, center, 0.5 * (total + total.T))
