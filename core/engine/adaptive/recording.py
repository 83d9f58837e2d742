"""Record of a simulated walk, which becomes a motion."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel, LinkPoses
from ...geometry import so3
from ...motion import Footstep, Motion, Report
from ...simulate.model import TouchPoint
from ...task import Task
from ..preview.recording.contact_forces import (
    ContactPointMotion,
    FrameForces,
    FrameInstants,
    SoleHistory,
    average_over_frames,
    compute_frame_forces,
)
from ..preview.recording.contacts import ContactDetector, SoleContact
from ..shared.motion_builder import (
    SOLE_POINT_NAMES,
    FrameSeries,
    LimbContacts,
    MotionBuilder,
    PushSeries,
)
from ..shared.scaling import REFERENCE_GRAVITY
from .biped import ScaledBiped, list_part_origins
from .biped_model import BipedModel
from .height_field import EndlessField
from .walker import TorqueWalker

Array = NDArray[np.float64]

# Names of the balls of a foot, in their order
BALL_NAMES = tuple(
    f"{row}.{side}" for row in ("ball", "tip", "heel", "heel_front") for side in ("L", "R")
)

# Lists of a recorder with an entry for each instant
_SERIES = (
    "_part_position",
    "_part_rotation",
    "_forces",
    "_pushes",
    "_push_points",
    "_goals",
    "_swinging",
)


@dataclass(frozen=True)
class ClipFrames:
    """Frames of a clip among the recorded instants.

    Args:
        first: instant of the first frame.
        per_frame: instants from one frame to the next.
        count: number of frames.
    """

    first: int
    per_frame: int
    count: int


class WalkRecorder:
    """Record of each substep of a walker.

    Args:
        scaled: character and biped.
        walker: begun, before its first step.
        ground: None for a plane at height 0.
    """

    def __init__(
        self, scaled: ScaledBiped, walker: TorqueWalker, ground: EndlessField | None
    ) -> None:
        self._scaled = scaled
        self._walker = walker
        self._ground = ground
        self._model = walker.model
        self._part_position: list[Array] = []
        self._part_rotation: list[Array] = []
        self._forces: list[Array] = []
        self._pushes: list[Array] = []
        self._push_points: list[Array] = []
        self._goals: list[Array] = []
        self._swinging: list[int] = []
        self._scratch = mujoco.MjData(self._model.mujoco)
        self._take_pose()

    @property
    def count(self) -> int:
        """Number of instants that are over."""
        return len(self._forces)

    @property
    def substep(self) -> float:
        """Time from one instant to the next [s]."""
        return self._walker.timing.substep

    def branch(self, walker: TorqueWalker, count: int | None = None) -> WalkRecorder:
        """Return an independent record of a copy of the walker.

        Args:
            walker: the copy.
            count: number of instants that were over when it was made; None for all.
        """
        other = copy.copy(self)
        other._walker = walker
        dropped = 0 if count is None else self.count - count
        for name in _SERIES:
            series = getattr(self, name)
            setattr(other, name, series[: len(series) - dropped])
        return other

    def cut(self, first: int) -> WalkRecorder:
        """Return a record that begins at an instant, to be read only."""
        other = copy.copy(self)
        for name in _SERIES:
            setattr(other, name, getattr(self, name)[first:])
        return other

    def forget(self, count: int) -> int:
        """Drop the first instants, and return how many there were to drop, at least 0."""
        count = max(count, 0)
        for name in _SERIES:
            del getattr(self, name)[:count]
        return count

    def observe(self) -> None:
        """Record one substep; to be called after it."""
        walker = self._walker
        self._forces.append(_read_forces(self._model, walker.data))
        self._pushes.append(walker.applied_push.force)
        self._push_points.append(walker.applied_push.point)
        goal = walker.goal
        speed = goal.step_length / walker.timing.half_cycle_time
        self._goals.append(speed * np.array([np.cos(goal.direction), np.sin(goal.direction), 0.0]))
        self._swinging.append(1 - walker.swing)
        self._take_pose()

    def make_motion(self, task: Task, clip: ClipFrames, report: Report) -> Motion:
        """Return the motion of a clip; the times of its footsteps begin with the clip.

        Args:
            task: in the units of the controllers.
        """
        scaled = self._scaled
        model = KinematicModel(scaled.character)
        instants = clip.first + clip.per_frame * np.arange(clip.count)
        placed = self.place_links(model, instants)
        mass_scale = scaled.biped.mass_scale
        pushes = average_over_frames(np.array(self._pushes), instants, clip.per_frame) / mass_scale
        series = FrameSeries(
            placed,
            self.arrange_contacts(task, clip, model),
            PushSeries(pushes, self._average_push_points(instants, clip), np.zeros_like(pushes)),
            planned_com=placed.com,
            goal_velocity=np.array(self._goals)[instants],
            reference_rotation=placed.rotation,  # There is no style to compare the body with.
            toe_orientation=so3.quat_unwrap(so3.quat_from_matrix(self._foot_rotations(instants))),
            relaxed=np.zeros(clip.count, bool),
        )
        return MotionBuilder(task, model).build(series, self._find_footsteps(clip), report)

    def _take_pose(self) -> None:
        """Append positions and rotations of the parts in the current pose."""
        scratch = self._scratch
        scratch.qpos[:] = self._walker.data.qpos
        mujoco.mj_kinematics(self._model.mujoco, scratch)
        parts = list(self._model.parts)
        self._part_position.append(scratch.xpos[parts])
        self._part_rotation.append(scratch.xmat[parts].reshape(-1, 3, 3))

    def place_links(self, model: KinematicModel, instants: NDArray[np.int64]) -> LinkPoses:
        """Return the links of the character, which move with their parts."""
        scaled = self._scaled
        position = np.array(self._part_position)[instants]
        rotation = np.array(self._part_rotation)[instants]
        rest = model.compute_link_poses(model.neutral[None])
        root = np.array([0.0, 0.0, scaled.character.root_height]) - rest.origin[0, 0]
        origins = list_part_origins(scaled.biped)
        count = len(scaled.character.links)
        link_origin = np.empty((len(instants), count, 3))
        link_com = np.empty_like(link_origin)
        link_rotation = np.empty((len(instants), count, 3, 3))
        for part, links in enumerate(scaled.part_links):
            for link in links:
                link_rotation[:, link] = rotation[:, part]
                for out, place in ((link_origin, rest.origin), (link_com, rest.link_com)):
                    lever = place[0, link] + root - origins[part]
                    out[:, link] = position[:, part] + rotation[:, part] @ lever
        com = np.einsum("l,nli->ni", model.link_mass, link_com) / model.link_mass.sum()
        return LinkPoses(link_origin, link_com, link_rotation, com)

    def _locate_balls(self, instants: NDArray[np.int64]) -> Array:
        """Return the lowest points of the balls of both feet (n, 16, 3) [m]."""
        instants = np.clip(instants, 0, len(self._part_position) - 1)
        position = np.array(self._part_position)[instants][:, [4, 7]]
        rotation = np.array(self._part_rotation)[instants][:, [4, 7]]
        points = position[:, :, None] + self._model.ball_places @ np.swapaxes(rotation, 2, 3)
        return points.reshape(len(instants), -1, 3)

    def _foot_rotations(self, instants: NDArray[np.int64]) -> Array:
        """Return the rotations of the feet (n, legs, 3, 3), in the order of the character."""
        rotation = np.array(self._part_rotation)[instants][:, [4, 7]]
        return rotation[:, self._list_feet()]

    def _list_feet(self) -> list[int]:
        """Return the foot of the biped, 0 left or 1 right, of each leg of the character."""
        return [0 if leg.side > 0 else 1 for leg in self._scaled.character.legs]

    def arrange_contacts(
        self, task: Task, clip: ClipFrames, model: KinematicModel
    ) -> list[LimbContacts]:
        """Return the middle points, which carry no load, and the balls of each foot."""
        frames = FrameInstants(
            clip.first + clip.per_frame * np.arange(-2, clip.count), clip.per_frame
        )
        balls = self._locate_balls(frames.instants)
        forces = self._compute_forces(task, frames, balls)
        character = model.character
        contacts = []
        for foot, limb, sole in zip(self._list_feet(), character.legs, character.feet, strict=True):
            columns = slice(8 * foot, 8 * foot + 8)
            link = character.links[sole.link].name
            ground_force = forces.forces[:, columns] / self._scaled.biped.mass_scale
            contacts.append(
                LimbContacts(
                    limb.name,
                    tuple(f"{link}/{name}" for name in (*SOLE_POINT_NAMES, *BALL_NAMES)),
                    position=np.concatenate(
                        [self._locate_middles(frames.instants[2:], foot, sole), balls[2:, columns]],
                        1,
                    ),
                    active=np.concatenate(
                        [np.zeros((clip.count, 3), bool), forces.resting[:, columns]], 1
                    ),
                    force=np.concatenate([np.zeros((clip.count, 3, 3)), ground_force], 1),
                )
            )
        return contacts

    def _locate_middles(self, instants: NDArray[np.int64], foot: int, sole: Foot) -> Array:
        """Return heel, ball and tip of a foot of the character (n, 3, 3) [m]."""
        part = 4 + 3 * foot
        position = np.array(self._part_position)[instants][:, part]
        rotation = np.array(self._part_rotation)[instants][:, part]
        points = np.array([sole.heel, sole.ball, sole.tip])
        return np.asarray(position[:, None] + points @ np.swapaxes(rotation, 1, 2))

    def _compute_forces(self, task: Task, frames: FrameInstants, balls: Array) -> FrameForces:
        """Return the forces on the balls (2 + n, 16, 3) in n frames."""
        before = self._locate_balls(frames.instants - 1)
        level = np.zeros(balls.shape[:2])
        if self._ground is not None:
            level = self._ground.sample(balls[..., 0], balls[..., 1])
        stance = np.array(self._swinging)[:, None] != np.arange(2)
        speed = np.linalg.norm((balls - before)[..., :2], axis=-1) / self._walker.timing.substep
        return compute_frame_forces(
            SoleHistory(np.array(self._forces), stance),
            frames,
            ContactPointMotion(balls[..., 2] - level, speed),
            soles=_make_soles(self._model),
            weight=self._scaled.biped.mass * task.gravity,
        )

    def _average_push_points(self, instants: NDArray[np.int64], clip: ClipFrames) -> Array:
        """Return the mean points of the pushes about each frame, weighted by their sizes [m]."""
        size = np.linalg.norm(self._pushes, axis=1, keepdims=True)
        weighted = average_over_frames(size * np.array(self._push_points), instants, clip.per_frame)
        weight = average_over_frames(size, instants, clip.per_frame)
        return np.asarray(weighted / np.maximum(weight, 1e-9))

    def _find_footsteps(self, clip: ClipFrames) -> tuple[Footstep, ...]:
        """Return the footsteps that end after the beginning of the clip."""
        biped = self._scaled.biped
        dt = self._walker.timing.substep
        detector = ContactDetector(_make_soles(self._model), dt, biped.mass * REFERENCE_GRAVITY)
        vertical = np.array(self._forces)[..., 2]
        steps = [
            self._make_footstep(contact, clip, dt)
            for contact in detector.find_contacts(vertical, 0)
            if contact.lift > clip.first
        ]
        return tuple(sorted(steps, key=lambda step: step.strike))

    def _make_footstep(self, contact: SoleContact, clip: ClipFrames, dt: float) -> Footstep:
        part = 4 + 3 * contact.leg
        rotation = self._part_rotation[contact.middle][part]
        leg = self._list_feet().index(contact.leg)
        foot = self._scaled.character.feet[leg]
        return Footstep(
            leg,
            (contact.strike - clip.first) * dt,
            (contact.flat - clip.first) * dt,
            heel_off=(contact.heel_off - clip.first) * dt,
            lift=(contact.lift - clip.first) * dt,
            position=self._part_position[contact.middle][part] + rotation @ foot.sole_center,
            rotation=rotation,
        )


def _make_soles(model: BipedModel) -> tuple[tuple[TouchPoint, ...], ...]:
    """Return the balls of both feet as contact points."""
    return tuple(
        tuple(
            TouchPoint(name, model.feet[foot], place, geom=int(geom), is_corner=True)
            for name, place, geom in zip(
                BALL_NAMES, model.ball_places, model.balls[foot], strict=True
            )
        )
        for foot in (0, 1)
    )


def _read_forces(model: BipedModel, data: mujoco.MjData) -> Array:
    """Return the forces of the ground on the balls of both feet (16, 3) [N]."""
    out = np.zeros((16, 3))
    local = np.zeros(6)
    frames = data.contact.frame.reshape(-1, 3, 3)
    columns = model.ball_columns[data.contact.geom].tolist()
    for k, (first, second) in enumerate(columns):
        column, sign = (second, 1.0) if second >= 0 else (first, -1.0)
        if column < 0:
            continue
        mujoco.mj_contactForce(model.mujoco, data, k, local)
        out[column] += sign * (frames[k].T @ local[:3])
    return out
