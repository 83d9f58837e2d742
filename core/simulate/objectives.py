"""The controller's objectives as rows: accelerations that are wanted of linear
maps of the body's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..geometry.curves import smoothstep
from .arms import ArmProximity
from .body import SimulatedBody
from .body_state import BodyState
from .foot_on_ground import align_foot
from .gains import Gains
from .physics import PhysicsState
from .reference import ControlReference
from .swinging import DESCENT_TIME, compute_peel, compute_swing_acceleration, is_scraping

Array = NDArray[np.float64]

MIN_SUPPORT_FORCE = 1.0  # N, below which a foot that is to stand is still in the air
LEVELING_STIFFNESS = 100.0  # 1/s^2, stiffness with which a standing foot lies down on the ground
TRAIL_FOLD = 0.62  # of the leg's length below the hips, and
TRAIL_BACK = 0.12  # of it behind them, where a foot is in flight that was the last to stand
TRAIL_GAINS = (300.0, 35.0)  # 1/s^2 and 1/s with which it gets there
UNIFORM_AXES = np.ones(3)
# of angular momentum: about the vertical it is the heading's matter
MOMENTUM_AXES = np.array([1.0, 1.0, 0.3])


def is_loaded(state: PhysicsState, leg: int) -> bool:
    """Whether the ground bears a foot."""
    return state.foot_loads[leg].normal > MIN_SUPPORT_FORCE


@dataclass(frozen=True)
class ObjectiveRows:
    """`maps @ qdd` is to be `targets`; so are single accelerations,
    each with a weight of its square.
    """

    maps: Array  # (r, nv)
    targets: Array  # (r,)
    weight: Array  # (r,)
    acceleration_targets: Array  # (nv,)
    acceleration_weights: Array  # (nv,)


class Objectives:
    """All objectives of section 6 at one instant.

    What the frames of the body are to do, pelvis, chest and head, feet, is gathered for all of them
    first: linear and angular accelerations with their weights, and rotations as set points.
    """

    def __init__(
        self,
        body: SimulatedBody,
        gains: Gains,
        state: PhysicsState,
        body_state: BodyState,
        reference: ControlReference,
    ) -> None:
        self.body = body
        self.gains = gains
        self.state = state
        self.body_state = body_state
        self.reference = reference
        frames = body_state.frames
        count = len(frames.place)
        # (2, 3, 3) pelvis, what is wanted
        self._facing = so3.rotation_about("z", np.array([body_state.heading, reference.heading]))
        self._lean = so3.rotation_about("y", np.array(reference.lean))
        self._linear_acceleration = np.zeros((count, 3))
        self._linear_weight = np.zeros((count, 3))
        self._rotation = np.empty((count, 3, 3))
        self._angular_weight = np.zeros((count, 3))
        self._rotation[:] = np.eye(3)
        self._stiffness = np.zeros(count)
        self._damping = np.zeros(count)
        self._spin = np.zeros((count, 3))
        self._swing_frame: int | None = None
        self._is_landing = False

    def build_rows(self) -> ObjectiveRows:
        """Every objective."""
        self._set_pelvis()
        self._set_upper()
        for leg in range(len(self.body.character.legs)):
            if leg in self.reference.stance:
                self._set_stance(leg)
            elif self.reference.swing is not None and self.reference.swing.leg == leg:
                self._set_swing(leg)
            else:
                self._set_trailing(leg)
        body_state, maps, targets, weight = self.body_state, *self._build_frame_rows()
        parts = [(maps, targets, weight), self._build_hip_rows()]
        parts += [
            self._build_roll_rows(leg)
            for leg in self.reference.rolling_legs
            if leg in self.reference.stance
        ]
        if body_state.arm_proximity is not None and self.gains.arm_avoidance > 0:
            parts.append(self._build_arm_rows(body_state.arm_proximity))
        if self.reference.com_acceleration is not None:
            # E_com: the centre of mass accelerates as planned; E_AM: angular momentum fades
            parts.append(
                (
                    body_state.com_jacobian,
                    self.reference.com_acceleration - body_state.com_drift,
                    self.gains.com * UNIFORM_AXES,
                )
            )
            momentum = self.reference.momentum if self.reference.momentum is not None else 0.0
            momentum_rate = self.gains.momentum_rate * (momentum - body_state.angular_momentum)
            parts.append(
                (
                    body_state.angular_map,
                    momentum_rate - body_state.angular_drift,
                    self.gains.momentum * MOMENTUM_AXES,
                )
            )
        return ObjectiveRows(
            np.concatenate([p[0] for p in parts]),
            np.concatenate([p[1] for p in parts]),
            np.concatenate([p[2] for p in parts]),
            *self._build_rest_rows(),
        )

    def _build_frame_rows(self) -> tuple[Array, Array, Array]:
        """Rows of what was gathered."""
        frames = self.body_state.frames
        # (k, 3) world axes
        rotation_error = so3.log(self._rotation @ np.swapaxes(frames.rotation, 1, 2))
        angular_acceleration = self._stiffness[:, None] * rotation_error - self._damping[
            :, None
        ] * (frames.velocity[:, 3:] - self._spin)
        # E_heading: the pelvis turns as planned
        angular_acceleration[0, 2] = self.reference.heading_acceleration
        targets = (
            np.concatenate([self._linear_acceleration, angular_acceleration], 1) - frames.drift
        )
        jacobian = frames.jacobian
        k = self._swing_frame
        if k is not None and self.reference.com_acceleration is not None:
            # as seen from the centre of mass on its planned way: else the leg that stands lifts the
            # body, to raise a foot whose knee is straight and cannot; but the ground that a foot
            # comes down to stays where it is
            relative_axes = slice(0, 2 if self._is_landing else 3)
            jacobian = jacobian.copy()
            jacobian[k, relative_axes] -= self.body_state.com_jacobian[relative_axes]
            targets[k, relative_axes] -= (
                self.reference.com_acceleration - self.body_state.com_drift
            )[relative_axes]
        weight = np.concatenate([self._linear_weight, self._angular_weight], 1)
        return jacobian.reshape(-1, self.body.nv), targets.ravel(), weight.ravel()

    def _set_rotation(
        self, k: int, rotation: Array, stiffness: float, weight: float | tuple[float, float, float]
    ) -> None:
        """A critically damped set point of a frame's rotation."""
        self._rotation[k] = rotation
        self._angular_weight[k] = weight
        self._stiffness[k], self._damping[k] = stiffness, 2 * np.sqrt(stiffness)

    def _set_pelvis(self) -> None:
        """The pelvis stays level, whatever its heading, or leans as told."""
        gains = self.gains
        self._set_rotation(
            0, self._facing[0] @ self._lean, gains.upright, (gains.tilt, gains.tilt, gains.heading)
        )

    def _set_upper(self) -> None:
        """E_head, and the same of the chest: both stay upright and look where they are to,
        turning with the pelvis.
        """
        upper = self.body.upper_frame_indices
        gains = self.gains
        for k, weight in zip(
            upper, (gains.chest, gains.head)[-len(upper) :] if upper else (), strict=True
        ):
            self._set_rotation(k, self._facing[1] @ self._lean, gains.upright, weight)
            self._spin[k, 2] = self.body_state.heading_rate

    def _set_stance(self, leg: int) -> None:
        """E_contact: a standing foot stays where it is and lies on the ground;
        one that bears nothing comes down.
        """
        k = self.body.foot_frame_indices[leg]
        gains = self.gains
        frames = self.body_state.frames
        normal = self.body_state.normals[leg]
        if leg in self.reference.rolling_legs:
            return  # held by its ball, see `_build_roll_rows`
        self._set_rotation(
            k,
            align_foot(float(so3.yaw_from_matrix(frames.rotation[k])), normal),
            LEVELING_STIFFNESS,
            gains.stance_turn,
        )
        self._damping[k] = gains.stance_rate
        self._linear_weight[k] = gains.stance
        self._linear_acceleration[k] = -gains.stance_rate * frames.velocity[k, :3]
        if not is_loaded(self.state, leg):
            self._linear_acceleration[k] -= gains.stance_rate * gains.contact_seek_speed * normal

    def _build_roll_rows(self, leg: int) -> tuple[Array, Array, Array]:
        """E_contact of a foot whose heel may rise: the two ends of its ball stay where they are,
        and its toes do not turn.
        """
        gains = self.gains
        body_state = self.body_state
        k = self.body.foot_frame_indices[leg]
        ball = self.body.select_ball_points(leg)
        jacobian = body_state.sole_point_jacobians[leg][ball]  # (2, 3, nv)
        linear_acceleration = (
            -gains.stance_rate * (jacobian @ body_state.velocity)
            - body_state.sole_point_drifts[leg][ball]
        )
        if not is_loaded(self.state, leg):
            linear_acceleration -= (
                gains.stance_rate * gains.contact_seek_speed * body_state.normals[leg]
            )
        # the heel sinks again where nothing lifts it: without this a body on
        # its toes goes on to rise
        foot = body_state.frames.rotation[k]
        pitch = foot[:, 1] @ body_state.frames.jacobian[k, 3:]
        drift = float(foot[:, 1] @ body_state.frames.drift[k, 3:])
        heel_pitch = float(np.arcsin(min(max(-foot[:, 0] @ body_state.normals[leg], -1.0), 1.0)))
        pitch_target = (
            -gains.roll_stiffness * heel_pitch
            - 2 * np.sqrt(gains.roll_stiffness) * float(pitch @ body_state.velocity)
            - drift
        )
        rows = [jacobian.reshape(-1, self.body.nv), pitch[None]]
        targets = [*linear_acceleration.ravel(), pitch_target]
        weight = [0.5 * gains.stance] * linear_acceleration.size + [gains.roll]
        toe = self.body.model.toes[leg]
        if toe is not None:
            toe_row = pitch.copy()
            toe_row[toe] += 1.0
            rows.append(toe_row[None])
            targets.append(-gains.stance_rate * float(toe_row @ body_state.velocity) - drift)
            weight.append(gains.stance_turn)
        return np.concatenate(rows), np.array(targets), np.array(weight)

    def _set_swing(self, leg: int) -> None:
        """E_swing: a foot in the air is on its way to its next place."""
        k = self.body.foot_frame_indices[leg]
        target = self.reference.swing
        frames = self.body_state.frames
        assert target is not None
        self._linear_acceleration[k] = compute_swing_acceleration(
            target, frames.place[k], frames.velocity[k, :3]
        )
        self._linear_weight[k] = self.gains.swing
        self._swing_frame = k
        self._is_landing = target.is_committed and target.remaining_time < DESCENT_TIME
        if self._is_landing:
            # a body that sinks keeps its leg up, as a weight that it throws:
            # then its foot hovers while it falls
            self._linear_weight[k, 2] = self.gains.landing
        elif target.needs_clearance and is_scraping(
            target, float(frames.place[k, 2]), self._linear_acceleration[k, :2]
        ):
            # one that is late is pulled ahead so hard that nothing raises it: it scrapes along, and
            # strikes as if it had landed
            self._linear_weight[k, 2] = self.gains.clearing
        # it peels off the ground over its toes: held level it could not follow a shin that leans
        # over them, and no knee would bend
        foot = self.body.character.feet[leg]
        rise_share = float((frames.place[k] - target.lift_place) @ target.lift_normal) / max(
            float((foot.tip - foot.sole_center)[0]), 1e-3
        )
        share = target.elapsed_time / max(target.elapsed_time + target.remaining_time, 1e-6)
        peel = compute_peel(np.float64(share), np.float64(rise_share))
        # it turns from the ground that it leaves to that which it comes to,
        # or its toes would strike the first
        progress = float(smoothstep(share))
        normal = (1 - progress) * target.lift_normal + progress * target.normal
        toe_hang = np.maximum(peel, target.toe_hang * progress)
        rotation = align_foot(target.heading, normal / np.linalg.norm(normal)) @ so3.rotation_about(
            "y", toe_hang
        )
        self._set_rotation(
            k,
            rotation,
            self.gains.swing_stiffness,
            self.gains.swing_turn * min(max(2.5 * share, 0.1), 1.0),
        )

    def _set_trailing(self, leg: int) -> None:
        """A foot in the air that is not to come down yet hangs below the body."""
        k = self.body.foot_frame_indices[leg]
        frames = self.body_state.frames
        leg_length = self.body.character.leg_length
        hip = self.body.character.hip_positions[leg] - self.body.character.hip_positions.mean(0)
        place = frames.place[0] + self._facing[0] @ (
            hip - leg_length * np.array([TRAIL_BACK, 0.0, TRAIL_FOLD])
        )
        if self.reference.free_foot_offsets is not None:
            place = self.body_state.com + self.reference.free_foot_offsets[leg]
        speed = (
            self.body_state.com_velocity
            if self.reference.free_foot_velocities is None
            else self.body_state.com_velocity + self.reference.free_foot_velocities[leg]
        )
        self._linear_acceleration[k] = TRAIL_GAINS[0] * (place - frames.place[k]) + TRAIL_GAINS[
            1
        ] * (speed - frames.velocity[k, :3])
        self._linear_weight[k] = self.gains.trailing_foot
        rotation = self._facing[0] @ so3.rotation_about("y", np.array(self.reference.toe_hang))
        self._set_rotation(k, rotation, self.gains.swing_stiffness, self.gains.swing_turn)

    def _build_hip_rows(self) -> tuple[Array, Array, Array]:
        """E_hip: the hips keep their place about the centre of mass,
        seen in the direction of heading.
        """
        body_state = self.body_state
        frames = self.body_state.frames
        stiffness = self.gains.hip_stiffness
        hip_error = body_state.com + self._facing[0] @ self.body.hips_from_com - frames.place[0]
        targets = stiffness * hip_error + 2 * np.sqrt(stiffness) * (
            body_state.com_velocity - frames.velocity[0, :3]
        )
        return (
            frames.jacobian[0, :3] - body_state.com_jacobian,
            targets - frames.drift[0, :3] + body_state.com_drift,
            self.gains.hip * UNIFORM_AXES,
        )

    def _build_arm_rows(self, proximity: ArmProximity) -> tuple[Array, Array, Array]:
        """Arms that are nearer to something than they may be,
        or will be before they stop, part from it.
        """
        stiffness = self.gains.arm_avoidance_stiffness
        targets = stiffness * proximity.deficit - 2 * np.sqrt(stiffness) * (
            proximity.jacobian @ self.body_state.velocity
        )
        is_active = targets > 0
        return (
            proximity.jacobian[is_active],
            targets[is_active],
            np.full(np.count_nonzero(is_active), self.gains.arm_avoidance),
        )

    def _build_rest_rows(self) -> tuple[Array, Array]:
        """E_rest: joints return to how the body rests, toes to straight ones.
        Wanted and weights, each (nv,).
        """
        body = self.body
        gains = self.gains
        pose_error = np.zeros(body.nv)
        mujoco.mj_differentiatePos(
            body.model.mujoco,
            pose_error,
            1.0,
            self.body_state.pose,
            body.running_pose if self.reference.is_running else body.rest_pose,
        )
        stiffness = np.full(body.nv, gains.rest_stiffness)
        weight = np.full(body.nv, gains.rest)
        weight[body.leg_dofs] = gains.rest_legs
        stiffness[body.toe_dofs] = gains.toe_stiffness
        weight[body.toe_dofs] = gains.toe
        weight[:6] = 0.0
        for leg in self.reference.rolling_legs:
            toe = body.model.toes[leg]
            if toe is not None:
                weight[toe] = 0.0  # they lie on the ground, whatever the foot does
        return stiffness * pose_error - 2 * np.sqrt(stiffness) * self.body_state.velocity, weight
