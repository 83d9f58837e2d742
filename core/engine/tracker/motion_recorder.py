"""Conversion of a walk of the whole body to a motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...character.kinematic_model import KinematicModel, LinkPoses
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.toes import SoleMotion, place_sole
from ...geometry import so3
from ...motion import Motion, Report
from ...motion.surface import MovingSurface
from ...task import Push, Task
from ...terrain import Ground, TriangleMesh, YieldingTerrain
from ..shared.contact_forces import FRICTION_SHARE
from ..shared.motion_builder import (
    SOLE_POINT_NAMES,
    FrameSeries,
    LimbContacts,
    MotionBuilder,
    PushSeries,
)
from .biped import CENTER
from .body_motion import PlacedWalk
from .followed_walk import TrackedBody
from .forces import MovingBody, compute_contact_forces
from .task_checks import find_push_place
from .walker_state import TrunkPush

Array = NDArray[np.float64]


def list_trunk_pushes(
    pushes: Sequence[Push], body: TrackedBody, heading: float, time: float
) -> list[TrunkPush]:
    """Return the pushes that act on a biped at a time.

    Args:
        pushes: at human scale.
        body: body.
        heading: of its path [rad].
        time: [s].
    """
    out = []
    forward = np.array([np.cos(heading), np.sin(heading)])
    for push in pushes:
        share = _find_push_share(np.array([time]), push.time, push.seconds)[0]
        if share == 0.0:
            continue
        force = np.asarray(push.force)
        planar = share * np.array([force[:2] @ forward, force[2]])
        place = find_push_place(body.model, push.body_part)
        if place is None:
            out.append(TrunkPush(planar, body.biped.points[CENTER]))
        else:
            out.append(TrunkPush.on_trunk(body.biped, planar, place))
    return out


def _find_push_share(times: Array, begin: float, seconds: float) -> Array:
    """Return the share of its peak that a push has at times [s], shape (n,)."""
    u = (times - begin) / seconds
    return np.clip(np.minimum(4 * u, 4 * (1 - u)), 0.0, 1.0)


def sum_pushes(
    pushes: Sequence[Push], model: KinematicModel, times: Array, com: Array
) -> PushSeries:
    """Return the resultant of pushes.

    It acts at the mean of their points, weighted by their sizes; pushes of different directions
    leave a moment about it.

    Args:
        pushes: at human scale.
        model: body.
        times: [s], shape (n,).
        com: center of mass [m], shape (n, 3).
    """
    acting = [
        _find_push_share(times, push.time, push.seconds)[:, None] * np.asarray(push.force)
        for push in pushes
    ]
    places = [find_push_place(model, push.body_part) for push in pushes]
    arms = [np.array([0.0, 0.0, 0.0 if place is None else place.imag]) for place in places]
    sizes = [np.linalg.norm(force, axis=1, keepdims=True) for force in acting]
    total = np.zeros((len(times), 1)) + sum(sizes)
    resultant, torque, arm = (np.zeros((len(times), 3)) for _ in range(3))
    for force, lever, size in zip(acting, arms, sizes, strict=True):
        resultant += force
        torque += np.cross(lever, force)
        arm += np.divide(size, total, out=np.zeros_like(total), where=total > 0) * lever
    moment = torque - np.cross(arm, resultant)
    return PushSeries.without_rounding(resultant, com + arm, moment)


@dataclass(frozen=True)
class _LoadedSoles:
    """Heel and ball of both feet over n frames.

    Attributes:
        places: [m], shape (n, 4, 3).
        active: whether they rest, shape (n, 2, 2).
    """

    places: Array
    active: NDArray[np.bool_]

    @staticmethod
    def from_feet(soles: list[SoleMotion], feet: list[FootPath]) -> _LoadedSoles:
        return _LoadedSoles(
            np.concatenate([s.points[:, :2] for s in soles], 1),
            np.stack([_find_active(path) for path in feet], 1),
        )


@dataclass(frozen=True)
class _FrameGround:
    """Ground whose points are one for each frame, as it is in that frame."""

    surface: MovingSurface
    at_rest: Ground

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return the height under a point of each frame. (n, 2) -> (n,) [m]."""
        places = np.asarray(xy, float)
        return self.surface.sample_all_frames(places, self.at_rest.sample_heights(places))

    def to_mesh(self) -> TriangleMesh | None:
        """Return the ground at rest as a mesh."""
        return self.at_rest.to_mesh()


@dataclass(frozen=True)
class MotionRecorder:
    """Conversion of a walk in the frame of its path to a motion in world axes.

    Args:
        task: at human scale.
        model: body.
        heading: of the path [rad].
    """

    task: Task
    model: KinematicModel
    heading: float

    def record(self, walk: PlacedWalk) -> Motion:
        """Return the motion."""
        turn = so3.rotation_about("z", self.heading)
        shift = np.append(self.task.path.points[0], 0.0)
        surface = self._place_surface(walk, turn, shift)
        motion = self._record_body(walk, surface, turn, shift)
        if surface is None:
            return motion
        return replace(motion, surface_line=surface.line, surface_width=surface.width)

    def _record_body(
        self, walk: PlacedWalk, surface: MovingSurface | None, turn: Array, shift: Array
    ) -> Motion:
        poses, reference = (self._turn_poses(p, turn, shift) for p in (walk.poses, walk.reference))
        feet = [_turn_foot_path(path, turn, shift) for path in walk.feet]
        placed = self.model.compute_link_poses(poses)
        soles = self._place_soles(placed, feet, surface)
        pushes = sum_pushes(self.task.pushes, self.model, walk.times, placed.com)
        loaded = _LoadedSoles.from_feet(soles, feet)
        body = MovingBody(
            walk.times,
            poses,
            placed.com,
            soles=loaded.places,
            active=loaded.active.reshape(len(poses), 4),
            footsteps=walk.footsteps,
            pushes=pushes,
        )
        friction = FRICTION_SHARE * self.task.friction
        forces = compute_contact_forces(self.model, body, self.task.gravity, friction)
        contacts = tuple(
            self._make_contacts(leg, sole.points, loaded.active[:, leg], forces[:, leg])
            for leg, sole in enumerate(soles)
        )
        speed = self.task.speed.value_at(walk.times)
        series = FrameSeries(
            placed,
            contacts,
            pushes,
            planned_com=walk.com @ turn.T + shift,
            goal_velocity=speed[:, None] * turn[:, 0],
            reference_rotation=self.model.compute_link_poses(reference).rotation,
            toe_orientation=_collect_toes(soles),
            relaxed=np.zeros(len(poses), bool),
        )
        footsteps = tuple(
            replace(f, position=turn @ f.position + shift, rotation=turn @ f.rotation)
            for f in walk.footsteps
        )
        return MotionBuilder(self.task, self.model).build(series, footsteps, self._make_report())

    def _place_surface(self, walk: PlacedWalk, turn: Array, shift: Array) -> MovingSurface | None:
        """Return the ground that moves, in world axes; None without any."""
        ground = self.task.ground
        if not (walk.surface.size and isinstance(ground, YieldingTerrain)):
            return None
        line = np.insert(walk.surface, 1, 0.0, axis=-1)
        return MovingSurface(line @ turn.T + shift, ground.width)

    def _place_soles(
        self, placed: LinkPoses, feet: list[FootPath], surface: MovingSurface | None
    ) -> list[SoleMotion]:
        ground = self.task.ground if surface is None else _FrameGround(surface, self.task.ground)
        return [
            place_sole(
                foot,
                path,
                placed.origin[:, foot.link],
                rotation=placed.rotation[:, foot.link],
                ground=ground,
            )
            for foot, path in zip(self.model.character.feet, feet, strict=True)
        ]

    def _make_report(self) -> Report:
        return Report(
            self.task.name,
            "tracker",
            self.model.character.name,
            seed=self.task.seed,
            clip_seconds=self.task.seconds,
            seconds={},
        )

    def _turn_poses(self, poses: Array, turn: Array, shift: Array) -> Array:
        out = poses.copy()
        out[:, :3] = poses[:, :3] @ turn.T + shift
        out[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(turn)[None], poses[:, 3:7])
        return out

    def _make_contacts(
        self, leg: int, points: Array, active: NDArray[np.bool_], force: Array
    ) -> LimbContacts:
        character = self.model.character
        link = character.links[character.feet[leg].link].name
        count = len(points)
        return LimbContacts(
            character.legs[leg].name,
            tuple(f"{link}/{name}" for name in SOLE_POINT_NAMES),
            position=points,
            active=np.concatenate([active, np.zeros((count, 1), bool)], 1),
            force=np.concatenate([force * active[..., None], np.zeros((count, 1, 3))], 1),
        )


def _collect_toes(soles: list[SoleMotion]) -> Array:
    """Return the quaternions of the toes, shape (n, legs, 4)."""
    return np.stack([so3.quat_unwrap(so3.quat_from_matrix(s.toes)) for s in soles], 1)


def _find_active(path: FootPath) -> NDArray[np.bool_]:
    """Return whether heel and ball rest, shape (n, 2)."""
    is_flat = path.support == FootSupport.FLAT
    return np.stack(
        [
            is_flat | (path.support == FootSupport.HEEL),
            is_flat | (path.support == FootSupport.BALL),
        ],
        1,
    )


def _turn_foot_path(path: FootPath, turn: Array, shift: Array) -> FootPath:
    return replace(
        path,
        rotation=turn @ path.rotation,
        origin=path.origin @ turn.T + shift,
        rest_rotation=turn @ path.rest_rotation,
        heel=path.heel @ turn.T + shift,
        pivot=path.pivot @ turn.T + shift,
    )
