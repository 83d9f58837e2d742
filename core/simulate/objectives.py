"""Objectives of the controller as weighted rows of linear equations in the accelerations."""

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
from .objective_rows import ObjectiveBlock, ObjectiveRows, RestRows
from .physics import PhysicsState
from .reference import ControlReference, Gains
from .swinging import SWING, compute_peel, compute_swing_acceleration, is_scraping

Array = NDArray[np.float64]

# Upward force from which a foot counts as loaded [N]
MIN_SUPPORT_FORCE = 1.0
# Stiffness with which a standing foot aligns with the ground [1/s^2]
LEVELING_STIFFNESS = 100.0
# Weight of the rotation of a foot in its swing, relative to its largest: it grows with the share of
# the swing, as a foot that leaves the ground is free to turn, and is whole after 0.4 of it
TURN_GROWTH = 2.5
MIN_TURN_SHARE = 0.1


@dataclass(frozen=True)
class TrailingParameters:
    """Position of a foot in the air without a touchdown, relative to its hip."""

    # Distance below the hip, as a share of the leg length: with `back` a knee bent by 102 degrees,
    # as in the swing of a human run
    fold: float = 0.62
    back: float = 0.12  # distance behind the hip, as a share of the leg length
    stiffness: float = 300.0  # [1/s^2] with which the foot gets there
    damping: float = 35.0  # [1/s] critical damping, 2 sqrt(stiffness), rounded


TRAILING = TrailingParameters()
# Relative weights of three axes
UNIFORM_AXES = np.ones(3)
# The same of angular momentum; E_heading controls the vertical axis
MOMENTUM_AXES = np.array([1.0, 1.0, 0.3])


def is_loaded(state: PhysicsState, leg: int) -> bool:
    """Return whether a foot carries load."""
    return state.foot_loads[leg].normal > MIN_SUPPORT_FORCE


class Objectives:
    """Objectives of section 6 at one instant.

    Desired linear accelerations, and set points of the rotations, are first collected for all
    frames (pelvis, chest, head, feet) and then converted to rows at once.

    Args:
        body: the body.
        gains: weights and gains.
        state: of the simulation.
        body_state: kinematics and dynamics of `state`.
        reference: accelerations and contacts to realize.
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
        # (2, 3, 3) rotation about the vertical: current, desired
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
        """Build the rows of all objectives."""
        self._set_pelvis()
        self._set_upper()
        for leg in range(len(self.body.character.legs)):
            if leg in self.reference.stance:
                self._set_stance(leg)
            elif self.reference.swing is not None and self.reference.swing.leg == leg:
                self._set_swing(leg)
            else:
                self._set_trailing(leg)
        blocks = [self._build_frame_rows(), self._build_hip_rows()]
        blocks += [
            self._build_roll_rows(leg)
            for leg in self.reference.rolling_legs
            if leg in self.reference.stance
        ]
        proximity = self.body_state.arm_proximity
        if proximity is not None and self.gains.arm_avoidance > 0:
            blocks.append(self._build_arm_rows(proximity))
        if self.reference.com_acceleration is not None:
            blocks += self._build_momentum_rows(self.reference.com_acceleration)
        rest = self._build_rest_rows()
        return ObjectiveRows(
            np.concatenate([b.maps for b in blocks]),
            np.concatenate([b.targets for b in blocks]),
            np.concatenate([b.weight for b in blocks]),
            acceleration_targets=rest.targets,
            acceleration_weights=rest.weights,
        )

    def _build_momentum_rows(self, com_acceleration: Array) -> list[ObjectiveBlock]:
        """Build E_com, the planned acceleration of the CoM, and E_AM, the angular momentum."""
        body_state = self.body_state
        momentum = self.reference.momentum if self.reference.momentum is not None else 0.0
        momentum_rate = self.gains.momentum_rate * (momentum - body_state.angular_momentum)
        return [
            ObjectiveBlock(
                body_state.com_jacobian,
                com_acceleration - body_state.com_drift,
                self.gains.com * UNIFORM_AXES,
            ),
            ObjectiveBlock(
                body_state.angular_map,
                momentum_rate - body_state.angular_drift,
                self.gains.momentum * MOMENTUM_AXES,
            ),
        ]

    def _build_frame_rows(self) -> ObjectiveBlock:
        """Build the rows of the desired accelerations of all frames."""
        frames = self.body_state.frames
        # (k, 3) [rad] in world axes
        rotation_error = so3.log(self._rotation @ np.swapaxes(frames.rotation, 1, 2))
        angular_acceleration = self._stiffness[:, None] * rotation_error - self._damping[
            :, None
        ] * (frames.velocity[:, 3:] - self._spin)
        # E_heading
        angular_acceleration[0, 2] = self.reference.heading_acceleration
        targets = (
            np.concatenate([self._linear_acceleration, angular_acceleration], 1) - frames.drift
        )
        jacobian = frames.jacobian
        k = self._swing_frame
        if k is not None and self.reference.com_acceleration is not None:
            # The swing is relative to the planned motion of the CoM. Otherwise the standing leg
            # would lift the body to raise a foot whose knee is straight. A landing is relative to
            # the ground
            relative_axes = slice(0, 2 if self._is_landing else 3)
            jacobian = jacobian.copy()
            jacobian[k, relative_axes] -= self.body_state.com_jacobian[relative_axes]
            targets[k, relative_axes] -= (
                self.reference.com_acceleration - self.body_state.com_drift
            )[relative_axes]
        weight = np.concatenate([self._linear_weight, self._angular_weight], 1)
        return ObjectiveBlock(jacobian.reshape(-1, self.body.nv), targets.ravel(), weight.ravel())

    def _set_rotation(
        self, k: int, rotation: Array, stiffness: float, weight: float | tuple[float, float, float]
    ) -> None:
        """Set a critically damped set point of a frame's rotation.

        Args:
            k: index of the frame.
            rotation: (3, 3) desired.
            stiffness: [1/s^2].
            weight: of all axes, or of each.
        """
        self._rotation[k] = rotation
        self._angular_weight[k] = weight
        self._stiffness[k] = stiffness
        self._damping[k] = 2 * np.sqrt(stiffness)

    def _set_pelvis(self) -> None:
        """Keep the pelvis upright, or at the lean of the reference, at its current heading."""
        gains = self.gains
        self._set_rotation(
            0, self._facing[0] @ self._lean, gains.upright, (gains.tilt, gains.tilt, gains.heading)
        )

    def _set_upper(self) -> None:
        """Keep chest and head (E_head) upright at the desired heading, turning with the pelvis."""
        upper = self.body.upper_frame_indices
        gains = self.gains
        for k, weight in zip(
            upper, (gains.chest, gains.head)[-len(upper) :] if upper else (), strict=True
        ):
            self._set_rotation(k, self._facing[1] @ self._lean, gains.upright, weight)
            self._spin[k, 2] = self.body_state.heading_rate

    def _set_stance(self, leg: int) -> None:
        """Keep a standing foot in place and flat on the ground (E_contact).

        An unloaded foot moves down until it touches.
        """
        k = self.body.foot_frame_indices[leg]
        gains = self.gains
        frames = self.body_state.frames
        normal = self.body_state.normals[leg]
        if leg in self.reference.rolling_legs:
            return  # see `_build_roll_rows`
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

    def _build_roll_rows(self, leg: int) -> ObjectiveBlock:
        """Build E_contact of a foot whose heel may rise.

        Both points of its ball stay in place, and its toes do not rotate.
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
        # Lower the heel where no other objective raises it; a body on its toes would keep rising
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
        return ObjectiveBlock(np.concatenate(rows), np.array(targets), np.array(weight))

    def _set_swing(self, leg: int) -> None:
        """Move a swinging foot toward its touchdown (E_swing)."""
        k = self.body.foot_frame_indices[leg]
        target = self.reference.swing
        frames = self.body_state.frames
        assert target is not None
        self._linear_acceleration[k] = compute_swing_acceleration(
            target, frames.place[k], frames.velocity[k, :3]
        )
        self._linear_weight[k] = self.gains.swing
        self._swing_frame = k
        self._is_landing = target.is_committed and target.remaining_time < SWING.descent_time
        if self._is_landing:
            # With a lower weight a sinking body keeps its leg up for balance, and its foot hovers
            # above the ground while it falls
            self._linear_weight[k, 2] = self.gains.landing
        elif target.needs_clearance and is_scraping(
            target, float(frames.place[k, 2]), self._linear_acceleration[k, :2]
        ):
            # The horizontal acceleration of a late foot dominates; with a lower weight the foot
            # would scrape along the ground and touch down early
            self._linear_weight[k, 2] = self.gains.clearing
        # The foot leaves the ground over its toes. A level foot could not follow the shin, which
        # leans forward, and the knee would not bend
        foot = self.body.character.feet[leg]
        rise_share = float((frames.place[k] - target.lift_place) @ target.lift_normal) / max(
            float((foot.tip - foot.sole_center)[0]), 1e-3
        )
        share = target.elapsed_time / max(target.elapsed_time + target.remaining_time, 1e-6)
        peel = compute_peel(np.float64(share), np.float64(rise_share))
        # The foot rotates from the ground at lift-off to that at touchdown; otherwise its toes
        # would hit the former
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
            self.gains.swing_turn * min(max(TURN_GROWTH * share, MIN_TURN_SHARE), 1.0),
        )

    def _set_trailing(self, leg: int) -> None:
        """Keep a foot without a touchdown below the body, or at its offset of the reference."""
        k = self.body.foot_frame_indices[leg]
        frames = self.body_state.frames
        leg_length = self.body.character.leg_length
        hip = self.body.character.hip_positions[leg] - self.body.character.hip_positions.mean(0)
        place = frames.place[0] + self._facing[0] @ (
            hip - leg_length * np.array([TRAILING.back, 0.0, TRAILING.fold])
        )
        if self.reference.free_foot_offsets is not None:
            place = self.body_state.com + self.reference.free_foot_offsets[leg]
        speed = (
            self.body_state.com_velocity
            if self.reference.free_foot_velocities is None
            else self.body_state.com_velocity + self.reference.free_foot_velocities[leg]
        )
        self._linear_acceleration[k] = TRAILING.stiffness * (
            place - frames.place[k]
        ) + TRAILING.damping * (speed - frames.velocity[k, :3])
        self._linear_weight[k] = self.gains.trailing_foot
        rotation = self._facing[0] @ so3.rotation_about("y", np.array(self.reference.toe_hang))
        self._set_rotation(k, rotation, self.gains.swing_stiffness, self.gains.swing_turn)

    def _build_hip_rows(self) -> ObjectiveBlock:
        """Build E_hip: the hips keep their position relative to the CoM, in the heading's frame."""
        body_state = self.body_state
        frames = self.body_state.frames
        stiffness = self.gains.hip_stiffness
        hip_error = body_state.com + self._facing[0] @ self.body.hips_from_com - frames.place[0]
        targets = stiffness * hip_error + 2 * np.sqrt(stiffness) * (
            body_state.com_velocity - frames.velocity[0, :3]
        )
        return ObjectiveBlock(
            frames.jacobian[0, :3] - body_state.com_jacobian,
            targets - frames.drift[0, :3] + body_state.com_drift,
            self.gains.hip * UNIFORM_AXES,
        )

    def _build_arm_rows(self, proximity: ArmProximity) -> ObjectiveBlock:
        """Build the rows that separate arms from what they would penetrate before they stop."""
        stiffness = self.gains.arm_avoidance_stiffness
        targets = stiffness * proximity.deficit - 2 * np.sqrt(stiffness) * (
            proximity.jacobian @ self.body_state.velocity
        )
        is_active = targets > 0
        return ObjectiveBlock(
            proximity.jacobian[is_active],
            targets[is_active],
            np.full(np.count_nonzero(is_active), self.gains.arm_avoidance),
        )

    def _build_rest_rows(self) -> RestRows:
        """Build E_rest: joints return to the rest pose, and toes are straight."""
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
                weight[toe] = 0.0  # the ground determines it
        targets = stiffness * pose_error - 2 * np.sqrt(stiffness) * self.body_state.velocity
        return RestRows(targets, weight)
