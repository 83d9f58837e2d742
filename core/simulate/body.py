"""Dynamics of a simulated body at one instant, independent of the physics engine."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..geometry import so3
from ..terrain import FlatGround, Ground
from .arms import ArmPairs
from .body_state import BodyState, FrameKinematics
from .ground_planes import compute_slopes, make_sample_offsets
from .model import SimulatedModel, build_simulated_model
from .physics import PhysicsState
from .standing_pose import bend_elbows, solve_standing_pose

Array = NDArray[np.float64]

UP = np.array([0.0, 0.0, 1.0])
# Distance from the center of a sole over which the slope of the ground is measured [m]
NORMAL_SAMPLE_DISTANCE = 0.05
NORMAL_SAMPLE_OFFSETS = make_sample_offsets(NORMAL_SAMPLE_DISTANCE)
# Least component of a hinge's axis across the body with which the hinge pitches a foot
MIN_PITCH_AXIS_SHARE = 0.7
MAX_SLOPE = 0.84  # Slope of the ground, rise over run, above which it is an edge


@dataclass(frozen=True)
class KneeHinge:
    """Hinge in the middle of a leg."""

    coordinate: int  # Index in a pose
    dof: int  # Index in a velocity
    bend_sign: float  # Sign of the angle of a bent leg


@dataclass(frozen=True)
class _Frames:
    """k frames on bodies of the model."""

    bodies: NDArray[np.int64]  # (k,) body of each frame
    offsets: Array  # (k, 3) [m] in the frame of the body


class SimulatedBody:
    """A character that joint torques drive on a ground.

    Args:
        character: with any number of legs.
        ground: by default flat.
        friction: coefficient of sliding between soles and ground.

    Raises:
        TerrainError: the ground cannot be represented by solids.
    """

    def __init__(
        self, character: Character, ground: Ground | None = None, friction: float = 1.0
    ) -> None:
        self.character = character
        self.ground = ground if ground is not None else FlatGround()
        self.model: SimulatedModel = build_simulated_model(character, self.ground, friction)
        self._data = mujoco.MjData(self.model.mujoco)
        self.nq = int(self.model.mujoco.nq)
        self.nv = int(self.model.mujoco.nv)
        self.mass = character.mass
        self.weight = character.mass * float(-self.model.mujoco.opt.gravity[2])
        frames = self._define_frames()
        self._frame_bodies = frames.bodies
        self._frame_offsets = frames.offsets
        dof_mask = self._compute_dof_mask().astype(float)
        self._dof_mask = dof_mask[self._frame_bodies]  # (k, nv)
        self.toe_dofs = [toe for toe in self.model.toes if toe is not None]
        leg_bodies = self.model.links[[link for leg in character.legs for link in leg.links]]
        # Degrees of freedom of the legs, without toes
        self.leg_dofs = np.flatnonzero(np.isin(self.model.mujoco.dof_bodyid, leg_bodies))
        self.knees = tuple(self._find_knee(leg.links[1:-1]) for leg in character.legs)
        # (nq,) standing on level ground
        self.rest_pose = solve_standing_pose(self.model, FlatGround(), np.zeros(2), 0.0)
        # (nq,) posture of the joints in a run
        self.running_pose = bend_elbows(self.model, self.rest_pose)
        data = self._data
        data.qpos[:] = self.rest_pose
        mujoco.mj_kinematics(self.model.mujoco, data)
        mujoco.mj_comPos(self.model.mujoco, data)
        # Height of the center of mass in the rest pose [m]
        self.com_height = float(data.subtree_com[1, 2])
        self._arms = ArmPairs(character, self.model, data, dof_mask)
        hips = data.xpos[1] + data.xmat[1].reshape(3, 3) @ self._frame_offsets[0]
        # (3,) [m] from the center of mass to the midpoint of the hips in the rest pose
        self.hips_from_com = hips - data.subtree_com[1]

    def compute_standing_pose(self, xy: Array, heading: float = 0.0) -> Array:
        """Return a pose that stands on the ground. (nq,).

        Args:
            xy: (2,) [m] position of the root.
            heading: [rad].

        Raises:
            TerrainError: there is no ground below one of the feet.
        """
        return solve_standing_pose(self.model, self.ground, np.asarray(xy, float), heading)

    def _define_frames(self) -> _Frames:
        """Return frames at pelvis, chest, head and feet, then at all points of the soles."""
        character = self.character
        links = self.model.links
        upper = [character.trunk[-1]] if character.trunk else []
        upper += [character.head] if character.head is not None else []
        self.upper_frame_indices = tuple(range(1, 1 + len(upper)))  # Indices among the frames
        self.foot_frame_indices = tuple(range(1 + len(upper), 1 + len(upper) + len(character.legs)))
        bodies = [links[0], *links[upper], *links[[foot.link for foot in character.feet]]]
        places = [
            character.hip_positions.mean(0),
            *np.zeros((len(upper), 3)),
            *(foot.sole_center for foot in character.feet),
        ]
        soles = self.model.soles
        self._point_bounds = np.cumsum([len(bodies), *(len(sole) for sole in soles)])
        bodies += [point.body for sole in soles for point in sole]
        places += [point.place for sole in soles for point in sole]
        self._corner_points = tuple(
            np.flatnonzero([point.is_corner for point in sole]) for sole in soles
        )
        self._ball_points = tuple(
            np.flatnonzero([point.name.startswith(("ball", "point")) for point in sole])
            for sole in soles
        )
        self._rolling_points = tuple(
            np.flatnonzero([not point.name.startswith("heel") for point in sole]) for sole in soles
        )
        return _Frames(np.array(bodies, np.int64), np.array(places))

    def _find_knee(self, links: tuple[int, ...]) -> KneeHinge | None:
        """Return the first hinge of the links in the middle of a leg, or None."""
        model = self.model.mujoco
        for link in links:
            for joint in np.flatnonzero(model.jnt_bodyid == self.model.links[link]):
                if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
                    low, high = model.jnt_range[joint]
                    return KneeHinge(
                        int(model.jnt_qposadr[joint]),
                        int(model.jnt_dofadr[joint]),
                        1.0 if high > -low else -1.0,
                    )
        return None

    def compute_remaining_flexion(self, leg: int, pose: Array) -> float:
        """Return how far a foot can still pitch its toes up before its ankle reaches its limit.

        Args:
            leg: index of the leg.
            pose: (nq,).

        Returns:
            Angle [rad]. Infinite for an ankle that is not a hinge.
        """
        model = self.model.mujoco
        for joint in np.flatnonzero(
            model.jnt_bodyid == self.model.links[self.character.feet[leg].link]
        ):
            if (
                model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
                and abs(model.jnt_axis[joint, 1]) > MIN_PITCH_AXIS_SHARE
            ):
                low, high = model.jnt_range[joint]
                angle = pose[model.jnt_qposadr[joint]]
                return float(angle - low if model.jnt_axis[joint, 1] > 0 else high - angle)
        return np.inf

    def select_support_points(self, leg: int, is_rolling: bool = False) -> NDArray[np.int64]:
        """Return the indices of the points of a sole that can carry load.

        Args:
            leg: index of the leg.
            is_rolling: whether the heel may rise. Only ball and tip carry load then, otherwise all
                corners.
        """
        return self._rolling_points[leg] if is_rolling else self._corner_points[leg]

    def select_ball_points(self, leg: int) -> NDArray[np.int64]:
        """Return the indices of the points of a sole over which it rolls."""
        return self._ball_points[leg]

    def _compute_dof_mask(self) -> NDArray[np.bool_]:
        """Return whether a degree of freedom moves a body. (bodies, nv)."""
        model = self.model.mujoco
        is_ancestor = np.eye(model.nbody, dtype=bool)
        for body in range(1, model.nbody):  # Parents precede their children
            is_ancestor[body] |= is_ancestor[model.body_parentid[body]]
        return is_ancestor[:, model.dof_bodyid]

    def compute_state(self, state: PhysicsState) -> BodyState:
        """Return kinematics and dynamics of the body in a state."""
        model = self.model.mujoco
        data = self._data
        mass = self._compute_mass_matrix(state)
        bias = data.qfrc_bias - data.qfrc_passive
        velocity = data.qvel.copy()
        com = data.subtree_com[1].copy()
        frames = self._compute_frames()
        root = data.xmat[1].reshape(3, 3)
        com_offset = so3.hat(com - data.xpos[1])
        angular_map = root @ mass[3:6] - com_offset @ mass[:3]  # (3, nv)
        feet = _slice_frames(frames, slice(self.foot_frame_indices[0], self._point_bounds[0]))
        slices = [
            slice(a, b)
            for a, b in zip(self._point_bounds[:-1], self._point_bounds[1:], strict=True)
        ]
        return BodyState(
            pose=state.pose,
            velocity=velocity,
            com=com,
            com_velocity=mass[:3] @ velocity / self.mass,
            com_jacobian=mass[:3] / self.mass,
            com_drift=bias[:3] / self.mass + model.opt.gravity,
            angular_momentum=angular_map @ velocity,
            angular_map=angular_map,
            angular_drift=root @ bias[3:6] - com_offset @ bias[:3],
            heading=float(so3.yaw_from_matrix(root)),
            heading_rate=float(frames.velocity[0, 5]),
            mass_matrix=mass,
            bias=bias,
            frames=_slice_frames(frames, slice(0, self._point_bounds[0])),
            foot_frames=feet,
            normals=self.compute_normals(feet.place),
            sole_points=tuple(frames.place[k] for k in slices),
            sole_point_jacobians=tuple(frames.jacobian[k, :3] for k in slices),
            sole_point_drifts=tuple(frames.drift[k, :3] for k in slices),
            arm_proximity=self._arms.find_near(data),
        )

    def _compute_mass_matrix(self, state: PhysicsState) -> Array:
        """Return the mass matrix, and set MuJoCo's data to a state. (nv, nv)."""
        model = self.model.mujoco
        data = self._data
        data.qpos[:] = state.pose
        data.qvel[:] = state.velocity
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mass = np.zeros((self.nv, self.nv))
        mujoco.mj_fullM(model, data, mass)
        return mass

    def _compute_frames(self) -> FrameKinematics:
        """Return the kinematics of all frames from MuJoCo's motion axes about the center of mass.

        The drift is the acceleration of a frame without joint accelerations.
        """
        data = self._data
        joint_velocity = self._data.qvel
        rotation = data.xmat[self._frame_bodies].reshape(-1, 3, 3)
        place = data.xpos[self._frame_bodies] + (rotation @ self._frame_offsets[..., None])[..., 0]
        com_offset = place - data.subtree_com[1]
        # (3, nv)
        angular_axes = data.cdof[:, :3].T
        linear_axes = data.cdof[:, 3:].T
        jacobian = np.empty((len(place), 6, self.nv))
        jacobian[:, 3:] = angular_axes
        lever = so3.hat(com_offset)
        jacobian[:, :3] = linear_axes - lever @ angular_axes
        jacobian *= self._dof_mask[:, None]
        velocity = jacobian @ joint_velocity
        # (k, 6) angular, then linear
        drift = self._dof_mask @ (data.cdof_dot * joint_velocity[:, None])
        spin = velocity[:, 3:]
        speed = velocity[:, :3]
        # An axis gives the acceleration at a point fixed in space. The point of the body moves.
        linear = (
            drift[:, 3:] - (lever @ drift[:, :3, None] + so3.hat(speed) @ spin[..., None])[..., 0]
        )
        return FrameKinematics(
            place,
            rotation,
            velocity,
            jacobian=jacobian,
            drift=np.concatenate([linear, drift[:, :3]], 1),
        )

    def compute_normals(self, places: Array) -> Array:
        """Return the upward normals of the ground below places. (k, 3) [m] -> (k, 3).

        At an edge, and where ground is missing on one side, the normal is vertical: a foot stands
        level there.
        """
        out = np.empty((len(places), 3))
        out[:] = UP
        if isinstance(self.ground, FlatGround):
            return out
        height = self.ground.sample_heights(places[:, None, :2] + NORMAL_SAMPLE_OFFSETS)  # (k, 5)
        height = np.where(np.isfinite(height), height, height[:, :1])
        slope = compute_slopes(height, NORMAL_SAMPLE_DISTANCE)
        slope[~(np.abs(slope).max(1) < MAX_SLOPE)] = 0.0
        out[:, :2] = -slope
        return out / np.linalg.norm(out, axis=1, keepdims=True)


def _slice_frames(frames: FrameKinematics, which: slice) -> FrameKinematics:
    """Return the kinematics of some of the frames."""
    return FrameKinematics(
        frames.place[which],
        frames.rotation[which],
        frames.velocity[which],
        jacobian=frames.jacobian[which],
        drift=frames.drift[which],
    )
