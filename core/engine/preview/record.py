"""A simulated body written down as a motion."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ... import so3
from ...character.model import KinematicModel
from ...motion import Footstep, Motion, Report
from ...simulate import Body, State
from ...task import Task
from ..record import POINTS, solids_of, style_links
from .soles import Soles

Array = NDArray[np.float64]

BEARS = 0.002         # body weights on a corner of a sole that bears
CONTACT = 0.02        # body weights under a foot that is down
SHORT = 0.05          # s: shorter contacts are no footsteps, and gaps no swings


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

    def note(self, before: State, after: State, push: tuple[Array, Array], planned: Array, goal: Array, eased: bool) -> None:
        """One instant, and what the ground did until the next."""
        self.poses.append(before.pose)
        self.forces.append(np.concatenate([foot.forces for foot in after.feet]))
        self.pushes.append(push[0])
        self.pushed_at.append(push[1])
        self.planned.append(planned)
        self.goals.append(goal)
        self.eased.append(eased)

    def motion(self, task: Task, frames: int, begin: int, report: Report) -> Motion:
        """From instant `begin` on; forces are means over the time that is nearest to each frame."""
        character, simulated = self.body.character, self.body.model
        model = KinematicModel(character)
        at = begin + self.every * np.arange(frames)
        poses = np.array(self.poses)[at]
        placed = model.place(poses[:, simulated.coordinates])
        forces = self._means(np.array(self.forces), at)                                   # (n, points, 3)
        pushes = self._means(np.array(self.pushes), at)
        soles = Soles(self.body.model)
        corners, middles, toes = soles.at(poses)
        bears = forces[..., 2] > BEARS * self.body.weight
        names, limbs, position, active, force, begin_ = [], [], [], [], [], 0
        for leg, (limb, foot, sole) in enumerate(zip(character.legs, character.feet, simulated.soles, strict=True)):
            own = slice(begin_, begin_ + len(sole))
            begin_ += len(sole)
            link = character.links[foot.link].name
            names += [f"{link}/{point}" for point in (*POINTS, *(point.name for point in sole))]
            limbs += [limb.name] * (3 + len(sole))
            position += [middles[:, leg], corners[:, own]]
            active += [np.zeros((frames, 3), bool), bears[:, own]]
            force += [np.zeros((frames, 3, 3)), forces[:, own] * bears[:, own, None]]
        upper = style_links(model)                # no style: the reference is the pose itself
        mesh = task.ground.mesh()
        return Motion(
            fps=task.fps, gravity=np.array([0.0, 0.0, -task.gravity]), link_names=character.link_names(),
            link_mass=model.link_mass, link_inertia=model.link_inertia, link_position=placed.centre,
            link_orientation=so3.continuous(so3.quat_from_matrix(placed.rotation)), contact_names=tuple(names),
            contact_limb=tuple(limbs), contact_position=np.concatenate(position, 1), contact_active=np.concatenate(active, 1),
            contact_force=np.concatenate(force, 1), push_force=pushes, push_point=np.array(self.pushed_at)[at],
            push_moment=np.zeros((frames, 3)),
            planned_com=np.array(self.planned)[at], goal_velocity=np.array(self.goals)[at],
            reference_orientation=so3.continuous(so3.quat_from_matrix(placed.rotation)),
            style_links=np.isin(np.arange(len(character.links)), upper), relaxed=np.array(self.eased)[at],
            terrain_vertices=None if mesh is None else mesh[0], terrain_triangles=None if mesh is None else mesh[1],
            toe_orientation=so3.continuous(so3.quat_from_matrix(toes)), link_origin=placed.origin, path=task.path.points,
            footsteps=self._footsteps(soles, begin), solids=solids_of(model), report=report)

    def _means(self, values: Array, at: NDArray[np.int64]) -> Array:
        """Over a frame's time about each frame, as far as there is any."""
        run = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
        low = np.maximum(at - self.every // 2, 0)
        high = np.minimum(at + self.every - self.every // 2, len(values))
        count = (high - low).reshape(-1, *[1] * (values.ndim - 1))
        return np.asarray((run[high] - run[low]) / count)

    def _footsteps(self, soles: Soles, begin: int) -> tuple[Footstep, ...]:
        """Every contact of a foot that lasts."""
        out, first = [], 0
        forces = np.array(self.forces)[..., 2] / self.body.weight                         # (instants, points)
        for leg, sole in enumerate(self.body.model.soles):
            own = forces[:, first:first + len(sole)]
            first += len(sole)
            heel = own[:, [k for k, point in enumerate(sole) if "heel" in point.name]].sum(1) > BEARS
            front = own[:, [k for k, point in enumerate(sole) if "heel" not in point.name]].sum(1) > BEARS
            for a, b in self._stretches(own.sum(1) > CONTACT):
                place, rotation = soles.foot(self.poses[(a + b) // 2], leg)
                down = [np.flatnonzero(part[a:b]) if part[a:b].any() else np.array([0, b - a - 1]) for part in (heel, front)]
                times = (a + down[0][0], a + down[1][0], a + down[0][-1] + 1, a + down[1][-1] + 1)
                strike, flat, heel_off, lift = ((t - begin) * self.step for t in times)
                if lift > 0:
                    out.append(Footstep(leg, strike, flat, heel_off, lift, place, rotation))
        return tuple(sorted(out, key=lambda f: f.strike))

    def _stretches(self, down: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """Instants from and to which a foot is down."""
        edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(np.int8), [0]])))
        pairs: list[tuple[int, int]] = []
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            if pairs and (a - pairs[-1][1]) * self.step < SHORT:
                pairs[-1] = (pairs[-1][0], int(b))
            else:
                pairs.append((int(a), int(b)))
        return [(a, b) for a, b in pairs if (b - a) * self.step >= SHORT]
