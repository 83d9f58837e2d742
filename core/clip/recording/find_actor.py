"""Limbs of the person in a recording, in meters, upright, at one frame rate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from .actor import FPS, Actor
from .bvh import Recording
from .missing_feet import add_missing_feet
from .recognize_body import HUMAN, MIN_FRAMES, RecordedBody, recognize_body
from .units import METERS_PER_UNIT, LengthRange, infer_unit

Array = NDArray[np.float64]

HUMAN_UNITS = METERS_PER_UNIT | {"CMU units": 0.05644}
# Leg lengths of people, with a possible range that includes children and giants.
HUMAN_LEG_LENGTHS = LengthRange(typical=(0.6, 1.1), possible=(0.15, 4.0), fallback=0.9)


@dataclass(frozen=True)
class ActorParameters:
    """Size and stance of the body in a clip."""

    # Smallest height of the ankles over the soles, as a share of thigh and shin together: 7 cm of
    # human legs of 0.8 m. The joints of a file alone determine it poorly.
    min_ankle_height: float = 0.085
    # Largest one, 12 cm, those of people with shoes.
    max_ankle_height: float = 0.15
    # Largest distance from the ankle to the tip of a foot [lengths of thigh and shin]; human feet
    # have 0.25. Importers make up longer tips.
    max_foot_length: float = 0.45
    # Largest distance that a joint of a body moves between two frames [leg lengths]; more is a cut
    # between two takes.
    max_frame_jump: float = 0.15
    # Largest angle of thighs and shins to the vertical in a standing pose [rad]; people stand with
    # less.
    max_standing_tilt: float = float(np.radians(12))
    # Largest backward lean of an upright stance [rad]; people do not stand with more.
    min_lean: float = float(np.radians(-10))
    # Largest forward lean [rad]; people stand with less, around `default_lean`.
    max_lean: float = float(np.radians(6))
    # Lean from hips to shoulders if no standing pose is in the file, typical of people [rad].
    default_lean: float = float(np.radians(-4))


ACTOR = ActorParameters()


def find_actor(
    recording: Recording, up_axis: str | None = None, feet: tuple[int, int] | None = None
) -> Actor:
    """Return the person in a recording.

    Args:
        up_axis: vertical axis of the file; None to recognize it.
        feet: joints at the ankles; None to recognize them.

    Raises:
        ClipError: the clip is too short, or shows no body that stands on two legs.
    """
    joint_count = len(recording.joints)
    if feet is None:
        recording = add_missing_feet(recording)
    body = recognize_body(recording, HUMAN, up_axis, feet)
    anatomy = body.anatomy
    bone_lengths = [
        np.linalg.norm(recording.positions[:, a] - recording.positions[:, b], axis=-1)
        for leg in anatomy.legs
        for a, b in ((leg.hip, leg.knee), (leg.knee, leg.ankle))
    ]
    leg_bone_length = 0.5 * sum(float(np.median(part)) for part in bone_lengths)
    first_frame = _find_first_frame(recording, leg_bone_length)
    positions = recording.positions[first_frame:] @ body.to_upright.T
    ankle_heights = [
        np.quantile(positions[:, leg.ankle, 2], 0.1)
        - np.quantile(
            _compute_foot_heights(recording, body.to_upright, leg.ankle)[first_frame:], 0.1
        )
        for leg in anatomy.legs
    ]
    leg_length = leg_bone_length + float(
        np.clip(
            np.mean(ankle_heights),
            ACTOR.min_ankle_height * leg_bone_length,
            ACTOR.max_ankle_height * leg_bone_length,
        )
    )
    unit = infer_unit(leg_length, HUMAN_LEG_LENGTHS, recording.rig, HUMAN_UNITS)
    sampler = _ActorSampler(
        recording,
        body,
        first_frame,
        scale=unit.meters,
        leg_bone_length=leg_bone_length,
    )
    actor = sampler.build_actor(leg_length * unit.meters, unit.name)
    return replace(actor, has_feet=len(recording.joints) == joint_count)


@dataclass(frozen=True)
class _ActorSampler:
    """Joints of a recording at the frame rate of an actor.

    Args:
        recording: recorded joints.
        body: roles of the joints.
        first_frame: first frame that is used.
        scale: meters per unit of the recording.
        leg_bone_length: length of thigh and shin in the unit of the recording.
    """

    recording: Recording
    body: RecordedBody
    first_frame: int
    scale: float
    leg_bone_length: float

    def build_actor(self, leg_length: float, unit: str) -> Actor:
        """Return the actor.

        Args:
            leg_length: height of the hips over the soles with straight legs [m].
            unit: length unit of the file.
        """
        anatomy = self.body.anatomy
        legs = anatomy.legs
        arms = tuple(arm for arm in anatomy.arms if arm.has_hand)
        arms = arms if len(arms) == 2 else ()
        chest = anatomy.trunk[-1] if anatomy.trunk else anatomy.root
        arm_joints: dict[str, Any] = {
            name: self._sample_positions(*(getattr(arm, bone) for arm in arms)) if arms else None
            for name, bone in (("shoulders", "shoulder"), ("elbows", "elbow"), ("wrists", "wrist"))
        }
        neck = chest if anatomy.neck is None else anatomy.neck
        head = anatomy.head
        return Actor(
            self.recording.name,
            self._sample_positions(*(leg.hip for leg in legs)),
            self._sample_positions(*(leg.knee for leg in legs)),
            ankles=self._sample_positions(*(leg.ankle for leg in legs)),
            balls=np.stack([self._sample_ball(leg.ankle, leg.toe) for leg in legs], 1),
            **arm_joints,
            neck=self._sample_positions(neck)[:, 0],
            head=None if head is None else self._sample_positions(head)[:, 0],
            pelvis=self._sample_axes(anatomy.root)[:, 0],
            chest=self._sample_axes(chest)[:, 0],
            feet=self._sample_axes(*(leg.ankle for leg in legs)),
            lean=_estimate_upright_lean(self.recording, self.body, self.first_frame),
            leg_length=leg_length,
            unit=unit,
            up_axis=self.body.up_axis,
            skipped_time=self.first_frame / self.recording.fps,
            skull=None if head is None else self._sample_axes(head)[:, 0],
            sample_time=1 / self.recording.fps,
            body_count=self.body.body_count,
        )

    def _sample_positions(self, *joints: int) -> Array:
        """Return positions of k joints, (m, k, 3) [m]."""
        positions = self.recording.positions[self.first_frame :, list(joints)]
        return _resample(positions @ self.body.to_upright.T * self.scale, self.recording.fps)

    def _sample_axes(self, *joints: int) -> Array:
        """Return axes of k joints, (m, k, 3, 3)."""
        rotations = self.recording.rotations[self.first_frame :, list(joints)]
        return orthogonalize(_resample(self.body.to_upright @ rotations, self.recording.fps))

    def _sample_ball(self, ankle: int, toe: int | None) -> Array:
        """Return the position of the ball of a foot, (m, 3) [m]."""
        ball = _locate_ball(self.recording, ankle, toe, self.leg_bone_length)[self.first_frame :]
        return _resample(ball @ self.body.to_upright.T * self.scale, self.recording.fps)


def _estimate_upright_lean(recording: Recording, body: RecordedBody, first_frame: int) -> float:
    """Return the lean of the line from hips to shoulders in an upright stance [rad].

    The pose left out at the start is used if it stands, otherwise the rest pose.
    """
    anatomy = body.anatomy
    rest_positions = compute_rest_positions(recording)
    for pose in ([recording.positions[0]] if first_frame else []) + [rest_positions]:
        joints = pose @ body.to_upright.T
        hips, knees, ankles = (
            np.mean([joints[getattr(leg, part)] for leg in anatomy.legs], axis=0)
            for part in ("hip", "knee", "ankle")
        )
        top_joints = [arm.shoulder for arm in anatomy.arms] or (
            [anatomy.neck] if anatomy.neck is not None else []
        )
        lateral = joints[anatomy.legs[0].hip] - joints[anatomy.legs[1].hip]
        forward = np.cross(lateral, [0.0, 0.0, 1.0])
        if not top_joints or np.linalg.norm(forward) < 1e-9:
            continue
        forward /= np.linalg.norm(forward)
        lines = ((hips, knees), (knees, ankles), (joints[top_joints].mean(0), hips))
        thigh, shin, trunk = (float(np.arctan2((a - b) @ forward, (a - b)[2])) for a, b in lines)
        if (
            max(abs(thigh), abs(shin)) < ACTOR.max_standing_tilt
            and abs(trunk) < 2 * ACTOR.max_standing_tilt
        ):
            return float(np.clip(trunk, ACTOR.min_lean, ACTOR.max_lean))
    return ACTOR.default_lean


def compute_rest_positions(recording: Recording) -> Array:
    """Return the joints in the rest pose, (j, 3), in the unit and axes of the file."""
    positions = np.zeros_like(recording.offsets)
    for k, parent in enumerate(recording.parents):
        positions[k] = recording.offsets[k] + (positions[parent] if parent >= 0 else 0.0)
    return positions


def _compute_foot_heights(recording: Recording, to_upright: Array, ankle: int) -> Array:
    """Return the height of the lowest point of a foot over time, (n,), in the unit of the file."""
    foot_joints = [ankle]
    for j, parent in enumerate(recording.parents):
        if parent in foot_joints:
            foot_joints.append(j)
    points = [recording.positions[:, foot_joints] @ to_upright[2]]
    for k in foot_joints:
        if k in recording.tips:
            tip = recording.positions[:, k] + recording.rotations[:, k] @ recording.tips[k]
            points.append((tip @ to_upright[2])[:, None])
    return np.asarray(np.concatenate(points, 1).min(1))


def _locate_ball(
    recording: Recording, ankle: int, toe: int | None, leg_bone_length: float
) -> Array:
    """Return the point over which a foot rolls, (n, 3).

    It is the joint of the toes, or the tip of a foot without toes. Importers that know only joints
    make up tips; one that is too far away is not used.

    Args:
        leg_bone_length: length of thigh and shin in the unit of the file.
    """
    if toe is not None:
        return recording.positions[:, toe]
    tip = recording.tips.get(ankle)
    if tip is None or np.linalg.norm(tip) > ACTOR.max_foot_length * leg_bone_length:
        return recording.positions[:, ankle]
    return np.asarray(recording.positions[:, ankle] + recording.rotations[:, ankle] @ tip)


def _find_first_frame(recording: Recording, leg_length: float) -> int:
    """Return the first frame after initial jumps that no body makes.

    They come from one or two frames of a T-pose before the motion.
    """
    frame_jumps = np.linalg.norm(np.diff(recording.positions, axis=0), axis=-1).max(1)
    early_jumps = frame_jumps[: max(MIN_FRAMES, int(0.1 * recording.fps))]
    typical_jump = np.quantile(frame_jumps, 0.95)
    leaps = np.flatnonzero(
        (early_jumps > ACTOR.max_frame_jump * leg_length) & (early_jumps > 2.5 * typical_jump)
    )
    return int(leaps[-1]) + 1 if len(leaps) and recording.frames - leaps[-1] > MIN_FRAMES else 0


def _resample(values: Array, fps: float) -> Array:
    """Return values at the frame rate of an actor, by cubic splines, (n, ...) -> (m, ...)."""
    n = len(values)
    if abs(fps / FPS - 1) < 1e-3:
        return np.asarray(values)
    times = np.arange(int((n - 1) / fps * FPS + 1e-6) + 1) / FPS
    return np.asarray(CubicSpline(np.arange(n) / fps, values, axis=0)(times))


def orthogonalize(axes: Array) -> Array:
    """Return the rotations nearest to matrices that are almost rotations, (..., 3, 3)."""
    u, _, v = np.linalg.svd(axes)
    return np.asarray(u @ v)
