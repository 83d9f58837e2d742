"""The tree of moving links of a robot's model, in one pose, in axes with x forward and z up."""

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
# Greatest sine of the inclination of a link without solids that counts as level
MAX_LEVEL_SINE = 0.3
# Greatest distance between the hinges of one joint [m]: rounding of files with four decimals
HINGE_TOLERANCE = 1e-4


@dataclass(frozen=True)
class MovingLink:
    """A moving link.

    Args:
        parent: index of the parent link; -1 for the root.
        bodies: MuJoCo's bodies: first the body with the joints, then those fixed to it.
        joints: MuJoCo's joints in series; none for the root.
    """

    name: str
    parent: int
    bodies: tuple[int, ...]
    joints: tuple[int, ...]


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
    """The moving links of a model.

    Args:
        name: of the robot's file, for messages.
        fixed_joint_names: joints that keep their position.

    Raises:
        CharacterError: there is no joint of such a name.
    """

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
                f"{name} has no joint {missing[0]!r} to fix; its joints are: "
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
                "sliding joints are fixed: "
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
        """Fix more joints at their position."""
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
                continue  # it is fixed to the world
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
        """Set the pose, and with it the robot's axes: the root faces along x and is the origin."""
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
        """Return world points (..., 3) in the robot's axes (..., 3) [m]."""
        return (points - self._origin) @ self._world_to_robot.T

    def transform_directions(self, matrix: Array) -> Array:
        """Return world directions, the columns (3, k) of a matrix, in the robot's axes (3, k)."""
        return self._world_to_robot @ matrix

    def joint_position(self, link: int) -> Array:
        """Return the position of the joint of a link (3,) [m].

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
                "give each hinge but the last a separate body."
            )
        return self.transform_points(anchors[0])

    def hinge_axes(self, link: int) -> Array:
        """Return the axes of the hinges of a link in the current pose (k, 3)."""
        return self.transform_directions(self.data.xaxis[list(self.moving_links[link].joints)].T).T

    def path_from_root(self, link: int) -> tuple[int, ...]:
        """Return the links from the root, which is excluded, to a link."""
        out: list[int] = []
        while link > 0:
            out.append(link)
            link = self.moving_links[link].parent
        return tuple(out[::-1])

    def list_leaves(self) -> list[int]:
        """Return the links without children."""
        parents = {mover.parent for mover in self.moving_links}
        return [k for k in range(1, len(self.moving_links)) if k not in parents]

    def list_geoms(self, link: int) -> list[int]:
        """Return the solids of a link: those with collisions if there are any, else all."""
        model = self.model
        bodies = set(self.moving_links[link].bodies)
        geoms = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) in bodies]
        colliding = [g for g in geoms if model.geom_contype[g] or model.geom_conaffinity[g]]
        return colliding or geoms

    def guess_link_end(self, link: int) -> Array:
        """Return the estimated end of a link without solids (3,) [m].

        In the initial pose of the file it is below the joint by twice the drop of the center of
        mass; for a link that is level there, at twice the offset of the center of mass.
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
