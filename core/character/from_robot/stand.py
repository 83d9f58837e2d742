"""How a robot stands: as its file says, or with its feet on the ground and its knees bent."""

from __future__ import annotations

from itertools import pairwise

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from ...errors import CharacterError
from .limbs import LimbChain, find_legs
from .solids import find_flat_sole, find_limb_end
from .tree import HINGE, RobotTree

Array = NDArray[np.float64]

# names of key poses, the first that is there counts
STANDING_POSE_NAMES = ("home", "stand", "standing", "default")
MAX_ANKLE_DISTANCE = 0.25  # of a leg's length, within which of its end its last joint is an ankle
# cosine between a hinge and the normal of a leg's plane, above which it bends the leg in it
MIN_BENDING_COSINE = 0.7
KNEE_BEND = 0.8  # rad that a knee is bent by
# of a leg's length from hip to foot that must be height, for it to stand rather than sprawl
MIN_UPRIGHT_RATIO = 0.5

# of its length that a sprawling leg reaches out and down
SPRAWL_OUT = 0.65
SPRAWL_DOWN = 0.45


# weights: a foot's place by leg lengths, angles near those wished, soles level
POSITION_WEIGHT = 20.0
POSTURE_WEIGHT = 0.3
SOLE_LEVEL_WEIGHT = 5.0

MAX_FOOT_ERROR = 0.05  # leg lengths from its wished place at which a foot has not found it


def set_standing_pose(tree: RobotTree) -> None:
    """Put a robot into the pose in which it naturally stands.

    Raises:
        CharacterError: the file names no pose, and no feet can be brought to the ground.
    """
    key_of_name = {tree.model.key(k).name: k for k in range(tree.model.nkey)}
    key = next(
        (key_of_name[name] for name in STANDING_POSE_NAMES if name in key_of_name),
        0 if tree.model.nkey else None,
    )
    if key is not None:
        pose = tree.model.key_qpos[key].copy()
        tree.set_pose(pose)
        return
    pose = _clip_to_ranges(tree, tree.model.qpos0.copy())
    tree.set_pose(pose)
    legs = find_legs(tree)
    rows = max(leg.row for leg in legs)
    searches = [_LegPoseSearch(tree, leg, rows) for leg in legs]
    bent = pose.copy()
    for search in searches:
        bent[search.joint_coordinates] = search.initial_angles
    tree.set_pose(bent)
    height = float(
        np.mean(
            [
                find_limb_end(tree, leg.links[-1]).lowest[2]
                for leg in legs
                if _LegPoseSearch.is_leg_upright(tree, leg)
            ]
            or [np.nan]
        )
    )
    for search in searches:
        bent[search.joint_coordinates] = search.solve_angles(bent, height)
    tree.set_pose(bent)
    tree.notes.append(
        "the file names no pose to stand in; knees were bent and feet set on the ground"
    )


def _clip_to_ranges(tree: RobotTree, pose: Array) -> Array:
    for k in range(tree.model.njnt):
        if tree.model.jnt_type[k] == HINGE and tree.model.jnt_limited[k]:
            q = tree.model.jnt_qposadr[k]
            pose[q] = np.clip(pose[q], *tree.model.jnt_range[k])
    return pose


class _LegPoseSearch:
    """The search for one leg's angles, about the pose in which the tree is when it is made."""

    def __init__(self, tree: RobotTree, leg: LimbChain, rows: int) -> None:
        self.tree = tree
        self.leg = leg
        model = tree.model
        self.joints = [
            k
            for link in leg.links
            for k in tree.moving_links[link].joints
            if model.jnt_type[k] == HINGE
        ]
        self.joint_coordinates = model.jnt_qposadr[self.joints]
        rest = tree.pose[self.joint_coordinates]
        limited = model.jnt_limited[self.joints].astype(bool)[:, None]
        self.low, self.high = np.where(
            limited, model.jnt_range[self.joints], np.stack([rest - np.pi, rest + np.pi], 1)
        ).T
        self.hip_position = tree.joint_position(leg.links[0])
        tip = find_limb_end(tree, leg.links[-1]).lowest
        joint_positions = [tree.joint_position(link) for link in leg.links] + [tip]
        self.length = float(sum(np.linalg.norm(b - a) for a, b in pairwise(joint_positions)))
        self.is_upright = self.is_leg_upright(tree, leg)
        offset = tip - self.hip_position
        outward = (
            np.array([1.0, 0.0, 0.0])
            if self.is_upright
            else np.array([offset[0], offset[1], 0.0]) / np.hypot(*offset[:2])
        )
        # a leg of fewer hinges cannot choose its foot's place, only its height
        self.position_weights = (
            np.array([1.0, 1.0, 1.0]) if len(self.joints) >= 3 else np.array([0.05, 0.05, 1.0])
        )
        self.foot_normal = self._foot_axes().T[:, 2].copy()  # in the foot's frame
        self.target = (
            tip.copy()
            if self.is_upright
            else self.hip_position + self.length * (SPRAWL_OUT * outward - [0, 0, SPRAWL_DOWN])
        )
        end = find_limb_end(tree, leg.links[-1])
        self.is_point = bool(
            np.linalg.norm(tip - joint_positions[-2]) > MAX_ANKLE_DISTANCE * self.length
        ) or (end.has_shape and find_flat_sole(end, self.length) is None)
        if self.is_upright and self.is_point:
            self.target[0] = self._swing_hinge_x()
        self.initial_angles = self._bend_knee(
            rest, np.cross([0.0, 0.0, 1.0], outward), joint_positions, rows
        )

    def _swing_hinge_x(self) -> float:
        """Place along x of the hinge that swings the leg forward and back, under which a point
        stands; else of the hip.
        """
        hinge_positions = [
            self.tree.transform_points(self.tree.data.xanchor[k])[0]
            for k in self.joints
            if abs(self.tree.transform_directions(self.tree.data.xaxis[k][:, None])[1, 0])
            > MIN_BENDING_COSINE
        ]
        return float(hinge_positions[0] if hinge_positions else self.hip_position[0])

    @staticmethod
    def is_leg_upright(tree: RobotTree, leg: LimbChain) -> bool:
        """Whether a leg stands below its hip rather than beside it."""
        offset = find_limb_end(tree, leg.links[-1]).lowest - tree.joint_position(leg.links[0])
        return bool(-offset[2] > MIN_UPRIGHT_RATIO * np.linalg.norm(offset))

    def _bend_knee(
        self, rest: Array, normal: Array, joint_positions: list[Array], rows: int
    ) -> Array:
        """Angles with the knee bent in the leg's plane, as its range has it; else forward, of many
        legs towards the middle.
        """
        # (k,)
        bending_cosines = (
            self.tree.transform_directions(self.tree.data.xaxis[self.joints].T).T @ normal
        )
        hinge_positions = np.array(
            [self.tree.transform_points(self.tree.data.xanchor[k]) for k in self.joints]
        )
        bending_hinges = [
            k for k in range(len(self.joints)) if abs(bending_cosines[k]) > MIN_BENDING_COSINE
        ]
        angles = rest.copy()
        knee_candidates = [
            k
            for k in bending_hinges[1:]
            if np.linalg.norm(hinge_positions[k] - hinge_positions[bending_hinges[0]])
            > 0.1 * self.length
        ]
        if not knee_candidates:
            return angles
        leg_center = 0.5 * (hinge_positions[bending_hinges[0]] + joint_positions[-1])
        knee = min(
            knee_candidates, key=lambda k: float(np.linalg.norm(hinge_positions[k] - leg_center))
        )
        sign = -1.0 if self.is_upright and rows > 0 and self.leg.row == rows else 1.0
        margins = sorted(
            float(np.sign(bending_cosines[knee]) * (end - rest[knee]))
            for end in (self.low[knee], self.high[knee])
        )
        if -margins[0] < 0.5 * KNEE_BEND or margins[1] < 0.5 * KNEE_BEND:
            sign = 1.0 if margins[1] > -margins[0] else -1.0
        for k in bending_hinges:
            share = 1.0 if k == knee else -0.5 if k == bending_hinges[0] or k > knee else 0.0
            angles[k] += share * sign * KNEE_BEND * np.sign(bending_cosines[k])
        return np.clip(angles, self.low, self.high)

    def _foot_axes(self) -> Array:
        return self.tree.data.xmat[self.tree.moving_links[self.leg.links[-1]].bodies[0]].reshape(
            3, 3
        )

    def solve_angles(self, pose: Array, height: float) -> Array:
        """Angles near the bent ones with the foot at its place, upright legs at a height below the
        root, and its sole level.
        """
        target = self.target.copy()
        if self.is_upright:
            target[2] = height

        def compute_residual(angles: Array) -> Array:
            current = pose.copy()
            current[self.joint_coordinates] = angles
            self.tree.data.qpos[:] = current
            mujoco.mj_kinematics(self.tree.model, self.tree.data)
            tilt = self._foot_axes() @ self.foot_normal - [0.0, 0.0, 1.0]
            return np.concatenate(
                [
                    POSITION_WEIGHT
                    / self.length
                    * self.position_weights
                    * (find_limb_end(self.tree, self.leg.links[-1]).lowest - target),
                    POSTURE_WEIGHT * (angles - self.initial_angles),
                    (not self.is_point) * SOLE_LEVEL_WEIGHT * tilt,
                ]
            )

        initial = np.clip(self.initial_angles, self.low, self.high)
        solution = least_squares(
            compute_residual, initial, bounds=(self.low - 1e-9, self.high + 1e-9)
        ).x
        foot_error = float(np.linalg.norm(compute_residual(solution)[:3])) / POSITION_WEIGHT
        if foot_error > MAX_FOOT_ERROR:
            foot = self.tree.moving_links[self.leg.links[-1]].name
            raise CharacterError(
                f"No pose was found in which {self.tree.name} stands: the foot {foot!r} misses "
                f"its place by {foot_error * self.length:.2f} m. Add a key pose named 'home' to "
                "the file."
            )
        return np.clip(solution, self.low, self.high)
