"""A robot's model as a tree of links that move, in one pose of it, seen with x ahead, y to the left and z up."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3

Array = NDArray[np.float64]

HINGE, BALL = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_BALL
STEEP = 0.3           # sine of the angle below which a link without a shape counts as level
APART = 1e-4          # m between the places of hinges that count as one joint


@dataclass(frozen=True)
class Mover:
    """One link that moves: its body, what is fixed to it, and its joints in a row."""

    name: str
    parent: int                    # -1 for the root
    bodies: tuple[int, ...]        # its own first, then those that move with it
    joints: tuple[int, ...]        # of the root none


class RobotTree:
    """The links of a model; `hold` names joints that are to stay as they are."""

    def __init__(self, model: mujoco.MjModel, name: str, hold: Sequence[str] = ()) -> None:
        self.model, self.name = model, name
        self.notes: list[str] = []
        self.data = mujoco.MjData(model)
        self.pose: Array = model.qpos0.copy()
        known = {model.joint(k).name for k in range(model.njnt)}
        unknown = [joint for joint in hold if joint not in known]
        if unknown:
            raise CharacterError(f"{name} has no joint {unknown[0]!r} that could be held; its joints are: "
                                 f"{', '.join(sorted(known - {''}))}.")
        self.held = {k for k in range(model.njnt) if model.joint(k).name in hold}
        self.sliding = [k for k in range(model.njnt) if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_SLIDE]
        self.held |= set(self.sliding)
        if self.sliding:
            self.notes.append(f"joints that slide are held: {', '.join(model.joint(k).name for k in self.sliding)}")
        self.root = int(next(model.jnt_bodyid[k] for k in range(model.njnt) if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_FREE))
        self.movers = self._movers()
        self.rest = mujoco.MjData(model)
        mujoco.mj_kinematics(model, self.rest)
        self.set_pose(self.pose)

    def weld(self, joints: set[int]) -> None:
        """Hold more joints."""
        self.held |= joints
        self.movers = self._movers()

    def _movers(self) -> tuple[Mover, ...]:
        model, of_body = self.model, {self.root: 0}
        bodies: list[list[int]] = [[self.root]]
        parents, joints = [-1], [()]
        for body in range(self.root + 1, model.nbody):
            above = int(model.body_parentid[body])
            if above not in of_body:
                continue                                      # stands on the world beside the robot
            first = int(model.body_jntadr[body])
            own = tuple(k for k in range(first, first + int(model.body_jntnum[body])) if k not in self.held)
            if own:
                of_body[body] = len(bodies)
                bodies.append([body])
                parents.append(of_body[above])
                joints.append(own)                            # type: ignore[arg-type]
            else:
                of_body[body] = of_body[above]
                bodies[of_body[above]].append(body)
        names = [model.body(own[0]).name or f"link.{k}" for k, own in enumerate(bodies)]
        return tuple(Mover(n, p, tuple(b), j) for n, p, b, j in zip(names, parents, bodies, joints, strict=True))

    def set_pose(self, pose: Array) -> None:
        """Put the robot into a pose; the axes are then turned so that the root looks along x, and begin at the root's joint."""
        self.pose = pose.copy()
        self.data.qpos[:] = pose
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        root = self.data.xmat[self.root].reshape(3, 3)
        ahead = root[:, 0]
        self._turn = so3.about("z", -np.arctan2(ahead[1], ahead[0])) if np.hypot(*ahead[:2]) > 0.3 else np.eye(3)
        self._origin = self.data.xpos[self.root].copy()

    def place(self, points: Array) -> Array:
        """World points in the robot's axes. (..., 3)."""
        return (points - self._origin) @ self._turn.T

    def directions(self, matrix: Array) -> Array:
        """World directions, the columns of a matrix, in the robot's axes. (3, k)."""
        return self._turn @ matrix

    def joint_place(self, link: int) -> Array:
        """Place of a link's joint. (3,).

        Raises:
            CharacterError: its hinges are at different places.
        """
        mover = self.movers[link]
        if not mover.joints:
            return np.zeros(3)
        at = self.data.xanchor[list(mover.joints)]
        if np.abs(at - at[0]).max() > APART:
            raise CharacterError(f"The hinges of the body {mover.name!r} of {self.name} are at different places; give each but the "
                                 "last a body of its own.")
        return self.place(at[0])

    def axes(self, link: int) -> Array:
        """Axes of a link's hinges as they stand. (k, 3)."""
        return self.directions(self.data.xaxis[list(self.movers[link].joints)].T).T

    def way(self, link: int) -> tuple[int, ...]:
        """The link and all that it hangs on, from the root's next outward."""
        out: list[int] = []
        while link > 0:
            out.append(link)
            link = self.movers[link].parent
        return tuple(out[::-1])

    def leaves(self) -> list[int]:
        """Links on which no other hangs."""
        parents = {mover.parent for mover in self.movers}
        return [k for k in range(1, len(self.movers)) if k not in parents]

    def geoms(self, link: int) -> list[int]:
        """A link's solids: those that touch things if there are any, else all."""
        model, own = self.model, set(self.movers[link].bodies)
        found = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) in own]
        touching = [g for g in found if model.geom_contype[g] or model.geom_conaffinity[g]]
        return touching or found

    def guessed_end(self, link: int) -> Array:
        """Where a link ends whose shape nobody tells: as far below its joint as twice its middle is, in the file's own pose. (3,).

        A leg that lies level in that pose ends at twice the way to its middle.
        """
        mover = self.movers[link]
        bodies, rest, first = list(mover.bodies), self.rest, mover.bodies[0]
        masses, start = self.model.body_mass[bodies], rest.xanchor[mover.joints[0]]
        way = 2 * (masses @ rest.xipos[bodies] / masses.sum() - start)
        if -way[2] > STEEP * np.linalg.norm(way):
            way = np.array([0.0, 0.0, way[2]])
        return self.place(self.data.xpos[first] + self.data.xmat[first].reshape(3, 3) @ (rest.xmat[first].reshape(3, 3).T
                                                                                         @ (start + way - rest.xpos[first])))

    def inertia(self, link: int) -> tuple[float, Array, Array]:
        """Mass, centre (3,) and inertia about it (3, 3) of a link and what is fixed to it, kg, m, kg m^2."""
        model, bodies = self.model, list(self.movers[link].bodies)
        masses, centres = model.body_mass[bodies], self.place(self.data.xipos[bodies])
        mass = float(masses.sum())
        if mass <= 0:
            raise CharacterError(f"The body {self.movers[link].name!r} of {self.name} has no mass; every part that moves needs one "
                                 "(meshes are not read).")
        centre = masses @ centres / mass
        total = np.zeros((3, 3))
        for body, m, c in zip(bodies, masses, centres, strict=True):
            turned = self.directions(self.data.ximat[body].reshape(3, 3))
            away = c - centre
            total += turned @ np.diag(model.body_inertia[body]) @ turned.T + m * (away @ away * np.eye(3) - np.outer(away, away))
        return mass, centre, 0.5 * (total + total.T)
