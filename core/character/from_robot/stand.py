"""The standing pose of a robot: a key pose of its file, or a search with bent knees."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from ...errors import CharacterError
from .limbs import LimbChain, find_legs
from .solids import LimbEnd, find_flat_sole, find_limb_end
from .tree import HINGE, RobotTree

Array = NDArray[np.float64]

MIN_DIRECTION_LENGTH = 1e-6  # Least length of a vector with a direction [m]
MIN_LEG_LENGTH = 1e-3  # [m], below that of an ant; shorter legs are rounding
# Names of key poses in the order of preference
STANDING_POSE_NAMES = ("home", "stand", "standing", "default")


@dataclass(frozen=True)
class RobotStandParameters:
    """Parameters of the search for a standing pose.

    Args:
        max_ankle_distance: greatest distance of the last joint of a leg from its end for which it
            is an ankle [leg length]; knees of legs without ankles are 0.4 to 0.5 from it.
        min_bending_cosine: least cosine between the axis of a hinge and the normal of the plane of
            the leg for which the hinge bends the leg in this plane: 45 degrees.
        knee_bend: angle by which knees are bent [rad]; guarded by test_robots.py
            (scripts/mutations.py)
        min_upright_ratio: least height of the hip above the foot for a leg that is upright rather
            than sprawled [distance from hip to foot]: 60 degrees from the vertical.
        sprawl_out: horizontal distance from hip to foot of a sprawled leg [leg length].
        sprawl_down: height of the hip above the foot of a sprawled leg [leg length]. So
            the foot is at 0.79 of its reach and can step to all sides.
        position_weight: weight of the error of the position of the foot [1/leg length]: an error of
            a tenth of `max_foot_error` weighs as a third of a radian of posture.
        posture_weight: weight of the difference from the initial angles [1/rad], which only decides
            where hinges are more than the foot needs.
        sole_level_weight: weight of the tilt of the sole, between the two.
        max_foot_error: greatest error of the position of a foot [leg length]; guarded by
            test_robots.py (scripts/mutations.py)
    """

    max_ankle_distance: float = 0.25
    min_bending_cosine: float = 0.7
    knee_bend: float = 0.8
    min_upright_ratio: float = 0.5
    sprawl_out: float = 0.65
    sprawl_down: float = 0.45
    position_weight: float = 20.0
    posture_weight: float = 0.3
    sole_level_weight: float = 5.0
    max_foot_error: float = 0.05


STANDING = RobotStandParameters()


def set_standing_pose(tree: RobotTree) -> None:
    """Set the standing pose of a robot.

    Raises:
        CharacterError: the file has no key pose, and the search for one fails.
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
    upright_legs = [leg for leg in legs if _LegPoseSearch.is_leg_upright(tree, leg)]
    height = float(
        np.mean([find_limb_end(tree, leg.links[-1]).lowest[2] for leg in upright_legs or legs])
    )
    for search in searches:
        bent[search.joint_coordinates] = search.solve_angles(bent, height)
    tree.set_pose(bent)
    tree.notes.append("the file has no key pose; knees were bent and feet placed on the ground")


def _clip_to_ranges(tree: RobotTree, pose: Array) -> Array:
    for k in range(tree.model.njnt):
        if tree.model.jnt_type[k] == HINGE and tree.model.jnt_limited[k]:
            q = tree.model.jnt_qposadr[k]
            pose[q] = np.clip(pose[q], *tree.model.jnt_range[k])
    return pose


class _LegPoseSearch:
    """The search for the angles of a leg about the current pose of the tree."""

    def __init__(self, tree: RobotTree, leg: LimbChain, rows: int) -> None:
        self.tree = tree
        self.leg = leg
        self.joints = [
            k
            for link in leg.links
            for k in tree.moving_links[link].joints
            if tree.model.jnt_type[k] == HINGE
        ]
        self.joint_coordinates = tree.model.jnt_qposadr[self.joints]
        rest = tree.pose[self.joint_coordinates]
        self.low, self.high = self._joint_limits(rest)
        self.hip_position = tree.joint_position(leg.links[0])
        tip = find_limb_end(tree, leg.links[-1]).lowest
        joint_positions = [tree.joint_position(link) for link in leg.links] + [tip]
        self.length = self._sum_lengths(joint_positions)
        self.is_upright = self.is_leg_upright(tree, leg)
        outward = self._find_outward_direction(tip - self.hip_position)
        # with fewer than three hinges a leg controls mainly the height of its foot
        self.position_weights = (
            np.array([1.0, 1.0, 1.0]) if len(self.joints) >= 3 else np.array([0.05, 0.05, 1.0])
        )
        self.foot_normal = self._foot_axes().T[:, 2].copy()  # in the foot's frame
        self.target = (
            tip.copy()
            if self.is_upright
            else self.hip_position
            + self.length * (STANDING.sprawl_out * outward - [0, 0, STANDING.sprawl_down])
        )
        self.is_point = self._ends_in_point(
            float(np.linalg.norm(tip - joint_positions[-2])), find_limb_end(tree, leg.links[-1])
        )
        if self.is_upright and self.is_point:
            self.target[0] = self._swing_hinge_x()
        self.initial_angles = self._bend_knee(
            rest, np.cross([0.0, 0.0, 1.0], outward), joint_positions, rows
        )

    def _sum_lengths(self, joint_positions: list[Array]) -> float:
        """Return the length of the leg along its joints [m].

        Raises:
            CharacterError: it is too short for a direction.
        """
        length = float(sum(np.linalg.norm(b - a) for a, b in pairwise(joint_positions)))
        if length < MIN_LEG_LENGTH:
            foot = self.tree.moving_links[self.leg.links[-1]].name
            raise CharacterError(
                f"The leg of {self.tree.name} that ends with {foot!r} is {length:g} m long; it "
                f"must be at least {MIN_LEG_LENGTH:g} m."
            )
        return length

    def _find_outward_direction(self, offset: Array) -> Array:
        """Return the horizontal direction in which the plane of the leg lies (3,).

        Args:
            offset: (3,) from the hip to the end of the leg [m].
        """
        distance = np.hypot(*offset[:2])
        if self.is_upright or distance < MIN_DIRECTION_LENGTH:
            return np.array([1.0, 0.0, 0.0])
        return np.array([offset[0], offset[1], 0.0]) / distance

    def _joint_limits(self, rest: Array) -> Array:
        """Return lower and upper limits of the hinges (2, hinges); half a turn without limits."""
        model = self.tree.model
        limited = model.jnt_limited[self.joints].astype(bool)[:, None]
        return np.where(
            limited, model.jnt_range[self.joints], np.stack([rest - np.pi, rest + np.pi], 1)
        ).T

    def _ends_in_point(self, ankle_distance: float, end: LimbEnd) -> bool:
        """Return whether a leg ends in a point foot, without an ankle or a flat sole."""
        if ankle_distance > STANDING.max_ankle_distance * self.length:
            return True
        return end.has_shape and find_flat_sole(end, self.length) is None

    def _swing_hinge_x(self) -> float:
        """Return x of the hinge that swings the leg forward, or of the hip without one [m].

        A point foot is placed below it.
        """
        hinge_positions = [
            self.tree.transform_points(self.tree.data.xanchor[k])[0]
            for k in self.joints
            if abs(self.tree.transform_directions(self.tree.data.xaxis[k][:, None])[1, 0])
            > STANDING.min_bending_cosine
        ]
        return float(hinge_positions[0] if hinge_positions else self.hip_position[0])

    @staticmethod
    def is_leg_upright(tree: RobotTree, leg: LimbChain) -> bool:
        """Return whether the foot of a leg is below its hip rather than beside it."""
        offset = find_limb_end(tree, leg.links[-1]).lowest - tree.joint_position(leg.links[0])
        return bool(-offset[2] > STANDING.min_upright_ratio * np.linalg.norm(offset))

    def _bend_knee(
        self, rest: Array, normal: Array, joint_positions: list[Array], rows: int
    ) -> Array:
        """Return the angles with the knee bent in the plane of the leg (hinges,) [rad].

        The range of the knee determines the direction; otherwise it is forward, but backward for
        the front row of several rows.

        Args:
            rest: (hinges,) angles of the current pose [rad].
            normal: (3,) of the plane of the leg.
            joint_positions: (3,) of the joints and the end of the leg [m].
            rows: index of the front row.
        """
        bending_cosines = (
            self.tree.transform_directions(self.tree.data.xaxis[self.joints].T).T @ normal
        )
        hinge_positions = np.array(
            [self.tree.transform_points(self.tree.data.xanchor[k]) for k in self.joints]
        )
        bending_hinges = [
            k
            for k in range(len(self.joints))
            if abs(bending_cosines[k]) > STANDING.min_bending_cosine
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
        if -margins[0] < 0.5 * STANDING.knee_bend or margins[1] < 0.5 * STANDING.knee_bend:
            sign = 1.0 if margins[1] > -margins[0] else -1.0
        for k in bending_hinges:
            share = 1.0 if k == knee else -0.5 if k == bending_hinges[0] or k > knee else 0.0
            angles[k] += share * sign * STANDING.knee_bend * np.sign(bending_cosines[k])
        return np.clip(angles, self.low, self.high)

    def _foot_axes(self) -> Array:
        return self.tree.data.xmat[self.tree.moving_links[self.leg.links[-1]].bodies[0]].reshape(
            3, 3
        )

    def solve_angles(self, pose: Array, height: float) -> Array:
        """Return the angles near the initial ones with the foot at its target and the sole level.

        Args:
            pose: (nq,) of the other joints.
            height: z of the feet of upright legs, in the robot's axes [m].

        Raises:
            CharacterError: the foot does not reach its target.
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
                    STANDING.position_weight
                    / self.length
                    * self.position_weights
                    * (find_limb_end(self.tree, self.leg.links[-1]).lowest - target),
                    STANDING.posture_weight * (angles - self.initial_angles),
                    (not self.is_point) * STANDING.sole_level_weight * tilt,
                ]
            )

        initial = np.clip(self.initial_angles, self.low, self.high)
        try:
            solution = least_squares(
                compute_residual, initial, bounds=(self.low - 1e-9, self.high + 1e-9)
            ).x
        except ValueError as error:  # steps that diverge
            raise CharacterError(
                f"There is no standing pose for {self.tree.name}: the search diverges. Add a key "
                "pose named 'home' to the file."
            ) from error
        foot_error = (
            float(np.linalg.norm(compute_residual(solution)[:3])) / STANDING.position_weight
        )
        if foot_error > STANDING.max_foot_error:
            foot = self.tree.moving_links[self.leg.links[-1]].name
            raise CharacterError(
                f"There is no standing pose for {self.tree.name}: the foot {foot!r} misses its "
                f"target by {foot_error * self.length:.2f} m. Add a key pose named 'home' to the "
                "file."
            )
        return np.clip(solution, self.low, self.high)
