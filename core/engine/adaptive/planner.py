"""Paths of the end effectors for half a cycle (Wu and Popović 2010, section 4 and appendix A)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from .biped import Biped
from .biped_model import FootFrames
from .curves import ease, find_upper_hull, warp_time, weigh_bezier
from .edge_avoidance import EDGES, find_edge_offset
from .height_field import EndlessField
from .leg_limits import LegLimits, find_max_swing_pitch
from .parameters import LocomotionParameters
from .paths import (
    BodyPath,
    HalfCyclePlan,
    SwingFootPath,
    WalkerBodyState,
    differentiate,
    make_foot_path,
)

Array = NDArray[np.float64]

# Distance beside a swinging sole at which the ground is kept off, too: feet are up to that far from
# their paths. Tuned: without it they are caught by the sides of boxes [m]
CLEARANCE = 0.05
# Directions beside a place: ahead, behind, left and right
SIDES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
# Number of places along the swing path at which the ground is sampled, about 2 cm apart
GROUND_SAMPLES = 64
# Pitch of a foot above which its direction is not taken from its toes [rad]
MAX_START_PITCH = 1.4
# Distance from its target [m], height above it [m] and turn from it [rad] up to which a foot stays
# where it is, so that a body stands on both feet instead of treading on the spot
MAX_STAY_DISTANCE = 0.08
MAX_STAY_HEIGHT = 0.02
MAX_STAY_TURN = float(np.radians(20.0))


@dataclass(frozen=True)
class Goal:
    """Goal of half a cycle, G in the paper.

    Args:
        facing: heading of the body at its end [rad].
        direction: heading of the movement [rad].
        step_length: [m].
    """

    facing: float
    direction: float
    step_length: float


@dataclass(frozen=True)
class HalfCycleTiming:
    """Time steps of a controller.

    Args:
        substep: time step of the physics [s].
        substeps: number of them in a control step: 1/61 s, about the 1/64 s of section 9.
        half_cycle: control steps in half a cycle: 0.555 s, the 0.55 s of section 8.3.
    """

    substep: float = 1 / 490
    substeps: int = 8
    half_cycle: int = 34

    @property
    def control_step(self) -> float:
        """Time between two control steps [s]."""
        return self.substep * self.substeps

    @property
    def half_cycle_time(self) -> float:
        """Duration of half a cycle, t_h in the paper [s]."""
        return self.control_step * self.half_cycle


class HalfCyclePlanner:
    """Planner of the half-cycles of one body with one controller on one ground.

    Args:
        ground: None for a plane at height 0.

    Attributes:
        is_blind: whether it takes the ground for level, at the height of the foot that stands.
    """

    def __init__(
        self,
        biped: Biped,
        frames: FootFrames,
        parameters: LocomotionParameters,
        ground: EndlessField | None,
        timing: HalfCycleTiming,
    ) -> None:
        self.parameters = parameters
        self.is_blind = False
        self.timing = timing
        self._biped = biped
        self._forward_offset = biped.forward_offset
        self._frames = frames
        self._ground = ground
        limits = LegLimits(biped)
        self._limits = limits if limits.are_needed() else None
        # Of the path of the upper body: normalized time, weights of its curve, shares of its turn,
        # and their rate [1/s]
        s = np.arange(timing.half_cycle + 1) / timing.half_cycle
        self._body_weights = weigh_bezier(s)
        self._turn_shares = ease(s, 0.0, 1.0)[:, None]
        self._turn_rates = (0.5 * np.pi * np.sin(np.pi * s) / timing.half_cycle_time)[:, None]
        self._max_pitch = find_max_swing_pitch(biped)
        sole = biped.sole
        self._sole_points = np.array(
            [
                (x, y, -sole.ankle_height)
                for x in np.linspace(sole.heel, sole.tip, 5)
                for y in (-sole.half_width, 0.0, sole.half_width)
            ]
        )

    def plan(self, state: WalkerBodyState, goal: Goal, swing: int) -> HalfCyclePlan:
        """Return the paths of half a cycle.

        Args:
            swing: 0 when the left foot swings, 1 when the right foot does.
        """
        if self.is_blind:
            level = float(state.stance_ankle[2]) - self._biped.sole.ankle_height
            self._ground = EndlessField(np.full((2, 2), level), (0.0, 0.0), 1.0)
        side = 1.0 if swing == 0 else -1.0
        direction = rotation_2d(goal.direction)
        deviation = (direction.T @ state.deviation) * [1.0, side]  # ahead and outward
        target = self._find_step_target(state, goal, side, deviation)
        planned = target
        edge_offset = self.find_edge_offset(target, goal)
        target = target + edge_offset
        stay = self._plan_stay(state, goal, target)
        foot = stay or self._plan_swing(state, goal, target)
        center = state.stance_ankle[:2] + rotation_2d(state.facing) @ [
            0.0,
            side * self._biped.half_stance_width,
        ]
        if stay is not None:
            # Feet that stand wider would have the body sway from one to the other
            center = 0.5 * (state.stance_ankle + stay.ankle[-1])[:2]
        ahead = rotation_2d(goal.facing) @ [self._forward_offset, 0.0]
        center = center + EDGES.body_share * edge_offset + ahead
        lowest = float(min(state.stance_ankle[2], foot.ankle[-1, 2]))
        end = self._find_body_target(goal, side, deviation, center, lowest)
        body = self._plan_body(state, goal, side, end)
        if self._limits is not None and stay is None:
            position = self._limits.raise_body(body, foot, state.stance_ankle, swing)
            velocity = differentiate(position, self.timing.control_step)
            body = replace(body, position=position, velocity=velocity)
        return HalfCyclePlan(foot, body, None if stay is not None else planned)

    @property
    def has_terrain(self) -> bool:
        """Whether the ground is more than a plane."""
        return self._ground is not None

    def find_edge_offset(self, target: Array, goal: Goal) -> Array:
        """Return the offset (2,) by which a foot with a target (2,) steps beside an edge [m]."""
        if self._ground is None:
            return np.zeros(2)
        return find_edge_offset(self._ground, self._biped.sole, target, goal.facing, goal.direction)

    def stand_still(self, position: Array, rotation: Array) -> SwingFootPath:
        """Return the path of a foot that stays where it is."""
        return self._make_path(np.array([position]), np.array([rotation]))

    def stand_at(self, place: Array, yaw: float) -> SwingFootPath:
        """Return the path of a foot that stands flat on the ground.

        Args:
            place: (3,) of its ankle, of which the height counts for a blind body only [m].
            yaw: direction of its toes [rad].
        """
        if self.is_blind:
            return self.stand_still(place, so3.rotation_about("z", yaw))
        place = place[:2]
        pitch = self._measure_slope(place, yaw)
        rotation = so3.rotation_about("z", yaw) @ so3.rotation_about("y", -pitch)
        height = self.find_lowest_heights(place[None], rotation[None])
        return self.stand_still(np.concatenate([place, height]), rotation)

    def _find_step_target(
        self, state: WalkerBodyState, goal: Goal, side: float, deviation: Array
    ) -> Array:
        """Return the horizontal target of the swing foot (2,) (equation 8)."""
        p = self.parameters
        ahead, outward = deviation
        balance = np.array(
            [
                p.step_forward + (p.step_gain_ahead if ahead > 0 else p.step_gain_behind) * ahead,
                p.step_outward
                + (p.step_gain_outward if outward > 0 else p.step_gain_inward) * outward,
            ]
        )
        half_width = np.array([0.0, side * self._biped.half_stance_width])
        return np.asarray(
            state.stance_ankle[:2]
            + rotation_2d(state.facing) @ half_width
            + rotation_2d(goal.facing) @ half_width
            + rotation_2d(goal.direction)
            @ (np.array([goal.step_length, 0.0]) + balance * [1.0, side])
        )

    def _plan_stay(self, state: WalkerBodyState, goal: Goal, target: Array) -> SwingFootPath | None:
        """Return the path of a foot that rests near its target (2,) already, or None."""
        place = state.foot_position[:2]
        if np.hypot(*(target - place)) > MAX_STAY_DISTANCE:
            return None
        toes = state.foot_rotation[:, 0]
        yaw = float(np.arctan2(toes[1], toes[0]))
        if abs(float(so3.wrap_angle(yaw - goal.facing))) > MAX_STAY_TURN:
            return None
        flat = so3.rotation_about("z", yaw) @ so3.rotation_about(
            "y", -self._measure_slope(place, yaw)
        )
        height = float(self.find_lowest_heights(place[None], flat[None])[0])
        if state.foot_position[2] > height + MAX_STAY_HEIGHT:
            return None
        return self.stand_still(np.array([*place, height]), flat)

    def _plan_swing(self, state: WalkerBodyState, goal: Goal, target: Array) -> SwingFootPath:
        """Return the path of the swing foot to a horizontal target (2,)."""
        p = self.parameters
        duration = self.timing.half_cycle_time * (1.0 + p.swing_extension)
        count = int(np.ceil(duration / self.timing.control_step)) + 2
        steps = np.minimum(np.arange(count) * self.timing.control_step / duration, 1.0)
        s = np.concatenate([np.linspace(0.0, 1.0, GROUND_SAMPLES), steps])
        warped = warp_time(s, p.swing_timing_1, p.swing_timing_2)
        weights = weigh_bezier(warped)
        points = np.array(
            [
                [0.0, 0.0],
                [p.swing_along_1, p.swing_height_1],
                [p.swing_along_2, p.swing_height_2],
                [1.0, 0.0],
            ]
        )
        along, height = (weights @ points).T
        rotation = self._plan_foot_rotation(state, goal, target, s, weights)
        start = state.foot_position
        places = start[:2] + along[:, None] * (target - start[:2])
        inner = slice(1, GROUND_SAMPLES - 1)
        end = slice(GROUND_SAMPLES - 1, GROUND_SAMPLES)
        lowest = np.concatenate(
            [
                start[2:],
                self.find_lowest_heights(places[inner], rotation[inner], CLEARANCE),
                self.find_lowest_heights(places[end], rotation[end]),
            ]
        )
        hull = find_upper_hull(along[:GROUND_SAMPLES], lowest)
        lifted = height[GROUND_SAMPLES:] + np.interp(
            along[GROUND_SAMPLES:], along[:GROUND_SAMPLES][hull], lowest[hull]
        )
        ankle = np.column_stack([places[GROUND_SAMPLES:], lifted])
        return self._make_path(ankle, rotation[GROUND_SAMPLES:])

    def _plan_foot_rotation(
        self, state: WalkerBodyState, goal: Goal, target: Array, s: Array, weights: Array
    ) -> Array:
        """Return the rotations of the swing foot (n, 3, 3) (equation 11).

        Args:
            s: (n,) normalized time of the step.
            weights: (n, 4) of the curve with the timing of the path.
        """
        p = self.parameters
        toes = state.foot_rotation[:, 0]
        pitch = float(np.arctan2(toes[2], np.hypot(toes[0], toes[1])))
        yaw = float(np.arctan2(toes[1], toes[0]))
        if abs(pitch) > MAX_START_PITCH:
            yaw = goal.facing
        inner = np.radians([p.swing_pitch_1, p.swing_pitch_2])
        inner = np.clip(inner, -self._max_pitch, self._max_pitch)
        end = self._measure_slope(target, goal.facing)
        pitches = (weights @ np.array([[pitch], [inner[0]], [inner[1]], [end]]))[:, 0]
        turn = float(so3.wrap_angle(goal.facing - yaw))
        yaws = ease(s, yaw, yaw + turn)
        return so3.rotation_about("z", yaws) @ so3.rotation_about("y", -pitches)

    def _measure_slope(self, target: Array, facing: float) -> float:
        """Return the pitch of the ground under a foot [rad]."""
        if self._ground is None:
            return 0.0
        sole = self._biped.sole
        x, y = target[:, None] + np.outer([np.cos(facing), np.sin(facing)], [sole.heel, sole.tip])
        heights = self._ground.sample(x, y)
        return float(np.arctan2(heights[1] - heights[0], sole.length))

    def find_lowest_heights(self, places: Array, rotation: Array, clearance: float = 0.0) -> Array:
        """Return the lowest height of the ankle at which the sole does not touch the ground (n,).

        Args:
            places: (n, 2) of the ankle [m].
            rotation: (n, 3, 3) of the foot.
            clearance: distance beside the sole at which the ground is kept off, too [m].
        """
        if self._ground is None:
            return np.asarray(np.max(rotation[:, 2] @ -self._sole_points.T, axis=1))
        points = self._sole_points @ np.swapaxes(rotation, 1, 2)
        touched = places[:, None] + points[..., :2]
        shifts = clearance * SIDES if clearance else np.zeros((1, 2))
        beside = touched[..., None, :] + shifts
        ground = self._ground.sample(beside[..., 0], beside[..., 1]).max(-1)
        return np.asarray(np.max(ground - points[..., 2], axis=1))

    def _make_path(self, ankle: Array, rotation: Array) -> SwingFootPath:
        return make_foot_path(self._frames, ankle, rotation, self.timing.control_step)

    def _plan_body(self, state: WalkerBodyState, goal: Goal, side: float, end: Array) -> BodyPath:
        """Return the path of the upper body to a place (3,) (equations 9 and 10)."""
        p = self.parameters
        points = np.array(
            [
                [0.0, 0.0],
                [p.body_along_1, p.body_height_1],
                [p.body_along_2, p.body_height_2],
                [1.0, 0.0],
            ]
        )
        along, rise = (self._body_weights @ points).T
        start = state.body_position
        position = start + along[:, None] * (end - start)
        position[:, 2] += rise
        turn = so3.log(self._find_body_rotation(goal, side) @ state.body_rotation.T)
        return BodyPath(
            position,
            differentiate(position, self.timing.control_step),
            so3.exp(self._turn_shares * turn) @ state.body_rotation,
            self._turn_rates * turn,
        )

    def _find_body_target(
        self, goal: Goal, side: float, deviation: Array, center: Array, lowest: float
    ) -> Array:
        """Return the place of the upper body at the end of half a cycle (3,) (equation 9).

        Args:
            deviation: (2,) ahead and outward [m].
            center: (2,) between the feet, of which the swing foot is beside the other one [m].
            lowest: height of the lower ankle at the end of the step [m].
        """
        p = self.parameters
        biped = self._biped
        balance = deviation * [p.body_gain_forward, p.body_gain_outward] + [
            p.body_forward,
            p.body_outward,
        ]
        target = center + rotation_2d(goal.direction) @ (
            np.array([0.5 * goal.step_length, 0.0]) + balance * [1.0, side]
        )
        height = (
            lowest - biped.sole.ankle_height + float(biped.upper_body.center[2]) + p.body_lowering
        )
        return np.array([*target, height])

    def _find_body_rotation(self, goal: Goal, side: float) -> Array:
        """Return the rotation of the upper body at the end of half a cycle (equation 10)."""
        p = self.parameters
        return np.asarray(
            so3.rotation_about("z", goal.facing)
            @ so3.rotation_about("x", -side * np.radians(p.body_roll_outward))
            @ so3.rotation_about("y", -np.radians(p.body_lean_back))
            @ so3.rotation_about("z", -side * np.radians(p.body_twist))
        )


def rotation_2d(angle: float) -> Array:
    """Return the matrix (2, 2) that turns to the left by an angle [rad]."""
    c = math.cos(angle)
    s = math.sin(angle)
    return np.array([[c, -s], [s, c]])
