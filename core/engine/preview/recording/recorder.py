"""A simulated body written down as a motion."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....character.kinematic_model import KinematicModel
from ....geometry import so3
from ....motion import Footstep, Motion, Report
from ....simulate import Body, State
from ....task import Task
from ...shared.motion_writer import POINTS, solids_of, style_links
from ..instant import Instant
from .contact_forces import bearing, means
from .contacts import Contacts
from .sole_points import Soles

Array = NDArray[np.float64]


@dataclass
class Recording:
    """What happened at each instant, `every` of which make a frame.

    Args:
        every: instants a frame.
        step: s between instants.
    """

    body: Body
    every: int
    step: float
    poses: list[Array] = field(default_factory=list)
    forces: list[Array] = field(default_factory=list)         # (points, 3) of all soles, means from this instant to the next
    pushes: list[Array] = field(default_factory=list)         # (3,) N
    pushed_at: list[Array] = field(default_factory=list)      # (3,)
    planned: list[Array] = field(default_factory=list)        # (3,) centre of mass
    goals: list[Array] = field(default_factory=list)          # (3,) m/s
    eased: list[bool] = field(default_factory=list)
    stands: list[NDArray[np.bool_]] = field(default_factory=list)         # (legs,)
    forgotten: int = 0

    def __post_init__(self) -> None:
        self.model, self.soles = KinematicModel(self.body.character), Soles(self.body.model)
        self._contacts = Contacts(self.body.model.soles, self.step, self.body.weight)

    @property
    def instants(self) -> int:
        """How many were noted."""
        return self.forgotten + len(self.poses)

    def note(self, done: Instant, after: State, push: tuple[Array, Array], goal: Array) -> None:
        """One instant, and what the ground did until the next."""
        self.poses.append(done.state.pose)
        self.forces.append(np.concatenate([foot.forces for foot in after.feet]))
        self.pushes.append(push[0])
        self.pushed_at.append(push[1])
        self.planned.append(done.com)
        self.goals.append(goal)
        self.eased.append(not done.controlled)
        self.stands.append(np.isin(np.arange(len(after.feet)), done.stands))

    def forget(self, keep: int) -> None:
        """Leave only so many of the last instants."""
        drop = len(self.poses) - keep
        if drop <= 0:
            return
        self._contacts.forget(np.array(self.forces)[..., 2], self.forgotten, drop)
        for noted in (self.poses, self.forces, self.pushes, self.pushed_at, self.planned, self.goals, self.eased, self.stands):
            del noted[:drop]
        self.forgotten += drop

    def motion(self, task: Task, frames: int, begin: int, first: int, report: Report) -> Motion:
        """From instant `begin` on; forces are means about each frame.

        Args:
            first: instant from which the times of footsteps count.
        """
        character, simulated, model, soles = self.body.character, self.body.model, self.model, self.soles
        wide = begin - self.forgotten + self.every * np.arange(-2, frames)                # with two frames before those asked for
        at, seen = wide[2:], np.array(self.poses)[np.maximum(wide, 0)]
        corners, middles, toes = soles.at(seen)
        above = corners[..., 2] - task.ground.height(corners[..., :2])
        speed = self._speed(wide, corners)
        bears = bearing(np.array(self.forces), np.array(self.stands), wide, self.every, above, speed, simulated.soles,
                        self.body.weight)
        poses, corners, middles, toes = seen[2:], corners[2:], middles[2:], toes[2:]
        placed = model.place(poses[:, simulated.coordinates])
        pushes = means(np.array(self.pushes), at, self.every)
        size = np.linalg.norm(self.pushes, axis=1, keepdims=True)
        push_point = means(size * np.array(self.pushed_at), at, self.every) / np.maximum(means(size, at, self.every), 1e-9)
        names, limbs, position, active, force, begin_ = [], [], [], [], [], 0
        for leg, (limb, foot, sole) in enumerate(zip(character.legs, character.feet, simulated.soles, strict=True)):
            own = slice(begin_, begin_ + len(sole))
            begin_ += len(sole)
            link = character.links[foot.link].name
            names += [f"{link}/{point}" for point in (*POINTS, *(point.name for point in sole))]
            limbs += [limb.name] * (3 + len(sole))
            position += [middles[:, leg], corners[:, own]]
            active += [np.zeros((frames, 3), bool), bears.points[:, own]]
            force += [np.zeros((frames, 3, 3)), bears.forces[:, own]]
        upper = style_links(model)                # no style: the reference is the pose itself
        mesh = task.ground.mesh()
        return Motion(
            fps=task.fps, gravity=np.array([0.0, 0.0, -task.gravity]), link_names=character.link_names(),
            link_mass=model.link_mass, link_inertia=model.link_inertia, link_position=placed.centre,
            link_orientation=so3.continuous(so3.quat_from_matrix(placed.rotation)), contact_names=tuple(names),
            contact_limb=tuple(limbs), contact_position=np.concatenate(position, 1), contact_active=np.concatenate(active, 1),
            contact_force=np.concatenate(force, 1), push_force=pushes, push_point=push_point,
            push_moment=np.zeros((frames, 3)),
            planned_com=np.array(self.planned)[at], goal_velocity=np.array(self.goals)[at],
            reference_orientation=so3.continuous(so3.quat_from_matrix(placed.rotation)),
            style_links=np.isin(np.arange(len(character.links)), upper), relaxed=np.array(self.eased)[at],
            terrain_vertices=None if mesh is None else mesh[0], terrain_triangles=None if mesh is None else mesh[1],
            toe_orientation=so3.continuous(so3.quat_from_matrix(toes)), link_origin=placed.origin, path=task.path.points,
            footsteps=self._footsteps(first), solids=solids_of(model), report=report)

    def _speed(self, at: NDArray[np.int64], corners: Array) -> Array:
        """Of the soles' corners along the ground, from the instant before each on, (n, points) m/s; corners (n, points, 3)."""
        before, _, _ = self.soles.at(np.array(self.poses)[np.maximum(at - 1, 0)])
        return np.asarray(np.linalg.norm((corners - before)[..., :2], axis=-1) / self.step)

    def _footsteps(self, first: int) -> tuple[Footstep, ...]:
        """Every contact of a foot that lasts."""
        out = []
        for found in self._contacts.lasting(np.array(self.forces)[..., 2], self.forgotten):
            place, rotation = self.soles.foot(self.poses[found.middle - self.forgotten], found.leg)
            strike, flat, heel_off, lift = ((t - first) * self.step for t in found.instants)
            if lift > 0:
                out.append(Footstep(found.leg, strike, flat, heel_off, lift, place, rotation))
        return tuple(sorted(out, key=lambda f: f.strike))
