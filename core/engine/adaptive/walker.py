"""Simulation of a biped that one controller moves."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from .biped_model import BipedModel
from .control_maps import find_control_maps
from .costs import COST_WEIGHTS, TRACKING_TOLERANCE, Landings, WalkCost, measure_closeness
from .external_forces import NO_PUSH, ExternalForces, apply_external_forces
from .falls import is_down
from .foot_targets import FootTargets, FootTracker, FrameForces, FrameGains
from .force_solver import ForceProblem, ForceSolution
from .height_field import EndlessField
from .knee_bending import bend_straight_knees
from .parameters import LocomotionParameters
from .paths import BodyPath, WalkerBodyState
from .physics_views import PhysicsViews
from .planner import Goal, HalfCyclePlanner, HalfCycleTiming
from .start import START_HEIGHT, Start, measure_clearance, set_start_pose
from .step_correction import StepCorrection
from .upper_body_force import UpperBodyGains, compute_body_force
from .upper_body_style import StepRhythm, UpperBodyStyle
from .upper_limb_control import place_upper_limbs, set_rest_angles

Array = NDArray[np.float64]

# Distance from its planned place up to which a frame counts as pinned [m]
MAX_PIN_ERROR = 0.2


GoalSource = Callable[["TorqueWalker"], Goal]


class TorqueWalker:
    """A simulated biped with its controller.

    Args:
        model: of the body on its ground.
        parameters: of the controller.
        ground: the same ground; None for a plane.
        goal_source: called at the beginning of each half-cycle.
        timing: of the controller; its substep is that of the model.
        forces: from outside.
    """

    def __init__(
        self,
        model: BipedModel,
        parameters: LocomotionParameters,
        ground: EndlessField | None,
        goal_source: GoalSource,
        *,
        timing: HalfCycleTiming,
        forces: ExternalForces,
    ) -> None:
        self.model = model
        self.timing = timing
        self.goal_source = goal_source
        self.data = mujoco.MjData(model.mujoco)
        self.half_cycles = 0  # completed
        self.step_count = 0  # control steps
        self.has_fallen = False
        self.swing = 1
        self.goal = Goal(0.0, 0.0, 0.0)
        self.upper_style: UpperBodyStyle | None = None  # None: arms swing against the legs
        self._last_step = 0.0  # of the goal of the half-cycle before
        self.cost = WalkCost()
        self.forces = forces
        self.planner = HalfCyclePlanner(model.biped, model.frames, parameters, ground, timing)
        self._ground = ground
        self._maps = find_control_maps(model)
        self._views = PhysicsViews.from_model(model, self.data)
        self._touching = np.zeros(5, bool)
        self.use_parameters(parameters)
        self._body_path: BodyPath | None = None
        self._correction: StepCorrection | None = None
        self._targets: FootTargets | None = None
        self._planned_legs: Array | None = None  # (half_cycle, 2, 3) from ankle to hip [m]
        self._plan_begin = 0
        self._has_landed = True  # the stance foot of this half-cycle
        self._landings = Landings()
        self._feet: list[FootTracker] = []
        self._last_com = np.zeros(2)
        self._com_target = np.zeros(2)
        self.pinned = np.zeros((2, 4), bool)
        self.applied_push = NO_PUSH

    @property
    def time(self) -> float:
        """Time of the simulation [s]."""
        return self.step_count * self.timing.control_step

    @property
    def is_at_half_cycle(self) -> bool:
        """Whether the next control step begins a half-cycle."""
        return (self.step_count - self._plan_begin) % self.timing.half_cycle == 0

    @property
    def body_position(self) -> Array:
        """Center of mass of the upper body (3,) [m]."""
        return np.asarray(self._views.body_position)

    @property
    def com(self) -> Array:
        """Center of mass of the whole body (3,) [m]."""
        return np.asarray(self.data.subtree_com[1])

    @property
    def heading(self) -> float:
        """Heading of the upper body [rad]."""
        return float(np.arctan2(self._views.body_rotation[1, 0], self._views.body_rotation[0, 0]))

    def begin(self, start: Start) -> None:
        """Place the body on the ground."""
        model = self.model
        data = self.data
        mujoco.mj_resetData(model.mujoco, data)
        set_start_pose(model, data, start)
        mujoco.mj_kinematics(model.mujoco, data)
        data.qpos[2] -= measure_clearance(model, self._views, self._ground) - START_HEIGHT
        data.qvel[:2] = start.velocity
        mujoco.mj_forward(model.mujoco, data)
        views = self._views
        self._feet = []
        for position, rotation in zip(views.foot_position, views.foot_rotation, strict=True):
            path = self.planner.stand_still(position.copy(), rotation.copy())
            self._feet.append(FootTracker(path, 0))
        self.swing = start.swing
        self.goal = Goal(start.heading, start.heading, 0.0)
        self._last_com = self.com[:2].copy()
        if self.upper_style is not None:
            self._set_rest_angles()
            place_upper_limbs(model, data)
            mujoco.mj_forward(model.mujoco, data)

    def branch(self) -> TorqueWalker:
        """Return an independent walker in the same state, with the same source of goals."""
        other = copy.copy(self)
        other.data = copy.copy(self.data)
        other.planner = copy.copy(self.planner)
        other.cost = replace(self.cost)
        other._landings = copy.copy(self._landings)
        other.pinned = self.pinned.copy()
        other._feet = list(self._feet)
        other._views = PhysicsViews.from_model(self.model, other.data)
        return other

    def use_parameters(self, parameters: LocomotionParameters) -> None:
        """Follow other parameters from the next plan on; for the source of goals to call."""
        self._parameters = parameters
        self.planner.parameters = parameters
        self._frame_gains = FrameGains.from_parameters(parameters)
        self._body_gains = UpperBodyGains.from_parameters(parameters)

    def walk(self, half_cycles: int) -> None:
        """Simulate half-cycles, until the body falls."""
        for _ in range(half_cycles * self.timing.half_cycle):
            self.advance()
            if self.has_fallen:
                return
        self._finish_half_cycle()

    def advance(self, observe: Callable[[], None] | None = None) -> None:
        """Simulate one control step.

        Args:
            observe: called after each substep.
        """
        self._touching = self._find_touching_blocks()
        if self.is_at_half_cycle:
            self._plan_half_cycle()
        else:
            has_landed = not self._has_landed and self._land(self.swing)
            if self._correct_step() or has_landed:
                self._update_targets()
        solution = self._control()
        self._apply(solution)
        self._set_rest_angles()
        mj_model = self.model.mujoco
        if observe is None:
            mujoco.mj_step(mj_model, self.data, nstep=self.timing.substeps)
        else:
            for _ in range(self.timing.substeps):
                mujoco.mj_step(mj_model, self.data)
                observe()
        self.step_count += 1
        self.has_fallen = is_down(self.model, self._views, self._ground)

    def _set_rest_angles(self) -> None:
        """Set the angles at which the springs of arms and head rest."""
        styled = (
            None if self.upper_style is None else self.upper_style.evaluate(self._find_rhythm())
        )
        set_rest_angles(self.model, self._views, self.goal.facing, styled)

    def _find_rhythm(self) -> StepRhythm:
        """Return where the body is in its steps; its speed changes within a half-cycle."""
        share = (self.step_count - self._plan_begin) / self.timing.half_cycle
        step = (1.0 - share) * self._last_step + share * self.goal.step_length
        return StepRhythm(step / self.timing.half_cycle_time, 1 - self.swing, share)

    def _plan_half_cycle(self) -> None:
        """Finish a half-cycle and plan the next one."""
        views = self._views
        deviation = np.zeros(2)
        if self._body_path is not None:
            self._finish_half_cycle()
            deviation = views.body_position[:2] - self._body_path.position[-1, :2]
        goal = self.goal_source(self)
        stance = 1 - self.swing
        self._has_landed = self._body_path is None
        self._land(stance)
        state = WalkerBodyState(
            views.body_position.copy(),
            views.body_rotation.copy(),
            views.foot_position[self.swing].copy(),
            views.foot_rotation[self.swing].copy(),
            self._feet[stance].path.ankle[-1],
            deviation=deviation,
            facing=self.goal.facing,
        )
        plan = self.planner.plan(state, goal, self.swing)
        self._feet[self.swing] = FootTracker(plan.swing, self.step_count)
        self._body_path = plan.body
        self._plan_begin = self.step_count
        self._correction = StepCorrection.begin(plan, goal, self.swing)
        self._update_targets()
        self._last_step = self.goal.step_length
        self.goal = goal
        self._com_target = self._last_com + goal.step_length * np.array(
            [np.cos(goal.direction), np.sin(goal.direction)]
        )
        self.swing = stance  # of the next half-cycle

    def _correct_step(self) -> bool:
        """Move the targets of this half-cycle by the deviation of the body; return whether."""
        correction = self._correction
        tick = self.step_count - self._plan_begin
        if correction is None or not correction.is_due(self.planner, tick):
            return False
        views = self._views
        correction = correction.advance(
            self.planner, tick, views.body_position[:2], views.velocity[:2]
        )
        self._correction = correction
        foot = 1 - self.swing
        self._feet[foot] = FootTracker(correction.swing, self._plan_begin)
        self._body_path = correction.body
        return True

    def _land(self, foot: int) -> bool:
        """Let a foot stand where it touches the ground, beside its target perhaps.

        A foot whose place is more than `MAX_PIN_ERROR` from its path would not count as pinned,
        and the body would have no support until the next step.

        Returns:
            Whether it has landed just now.
        """
        if self._has_landed or not self._touching[2 * foot : 2 * foot + 2].any():
            return False
        views = self._views
        toes = views.foot_rotation[foot, :, 0]
        path = self.planner.stand_at(
            views.foot_position[foot].copy(), float(np.arctan2(toes[1], toes[0]))
        )
        self._feet[foot] = FootTracker(path, self.step_count)
        self._has_landed = True
        return True

    def _update_targets(self) -> None:
        """Collect the paths of feet and legs for the control steps of this half-cycle."""
        path = self._body_path
        assert path is not None
        targets = FootTargets.from_trackers(
            self._feet, self._plan_begin + np.arange(self.timing.half_cycle)
        )
        hips = path.position[:-1, None] + self._maps.hips @ np.swapaxes(path.rotation[:-1], 1, 2)
        self._targets = targets
        self._planned_legs = hips - targets.places[:, :, 0]

    def _finish_half_cycle(self) -> None:
        """Count a half-cycle and add the deviation of the center of mass to the cost."""
        com = self.com[:2]
        error = com - self._com_target
        self.cost.deviation += COST_WEIGHTS.deviation * float(error @ error)
        self._last_com = com.copy()
        self.half_cycles += 1

    def _control(self) -> ForceSolution:
        """Return the torques and forces of this control step."""
        views = self._views
        path = self._body_path
        assert path is not None
        assert self._planned_legs is not None
        tick = self.step_count - self._plan_begin
        frames = self._track_frames(tick)
        self.cost.closeness += measure_closeness(views.foot_position, self.goal.facing)
        force = compute_body_force(self._body_gains, views, path, tick)
        self.cost.tracking += force.tracking
        solution = self._maps.solver.solve(
            ForceProblem(
                frames.jacobian,
                views.foot_rotation,
                views.foot_position - views.body_position,
                force.wrench,
                frames.force,
                pinned=self.pinned,
                body_weight=self._parameters.body_weight,
                bending=bend_straight_knees(
                    self.model, views, self._planned_legs[tick], self._parameters.knee_bending
                ),
            )
        )
        share = solution.torque / self.model.max_torque
        self.cost.energy += COST_WEIGHTS.energy * float(share @ share)
        return solution

    def _track_frames(self, tick: int) -> FrameForces:
        """Return the ideal forces on the frames of both feet, and add to the cost.

        Args:
            tick: control step of the half-cycle.
        """
        views = self._views
        targets = self._targets
        assert targets is not None
        for jacobian, body in zip(views.jacobian, self.model.feet, strict=True):
            mujoco.mj_jacBody(self.model.mujoco, self.data, jacobian[0], jacobian[1], body)
        rotation = views.foot_rotation
        # (2, 6, nv) twists of the feet in their axes
        np.matmul(views.foot_axes[:, None], views.jacobian, out=views.twists)
        local = views.twists.reshape(2, 6, -1)
        rate = ((local @ views.velocity) @ self._maps.frame_rates.T).reshape(2, 4, 3)
        error = targets.places[tick].copy()
        error[:, 0] -= views.foot_position
        error = error @ rotation - self._maps.frame_places
        force = self._frame_gains.stiffness * error + self._frame_gains.damping * (
            targets.velocities[tick] @ rotation - rate
        )
        force[:, 0] += self._parameters.ankle_lift * rotation[:, 2]
        squares = (error * error).sum(2)
        self.cost.tracking += float(np.maximum(squares - TRACKING_TOLERANCE, 0.0).sum())
        self._find_pinned(targets.stationary[tick], error)
        self.cost.impact += self._landings.measure(self._touching, rate[:, 0])
        return FrameForces(local[..., 6:].reshape(12, -1), force.reshape(2, 12))

    def _find_pinned(self, stationary: NDArray[np.bool_], error: Array) -> None:
        """Find the frames that the ground holds (section 6.3).

        Args:
            stationary: (2, 4) whether the frames are planned to stand still.
            error: (2, 4, 3) of the ankles, and of toes and heel relative to the feet [m].
        """
        absolute = error + error[:, :1]
        absolute[:, 0] = error[:, 0]
        is_near = (absolute * absolute).sum(2) < MAX_PIN_ERROR**2
        is_bearing = self._touching[self._maps.frame_blocks]
        self.pinned[:] = stationary & is_near & is_bearing
        if not self._has_landed:
            # The body still stands on the other foot, which would leave the ground otherwise
            self.pinned[1 - self.swing] = is_bearing[1 - self.swing]

    def _find_touching_blocks(self) -> NDArray[np.bool_]:
        """Return which blocks, toes and heel of both feet, touch the ground (5,).

        The last one stands for other parts.
        """
        blocks = self._maps.contact_blocks
        is_touching = np.zeros(5, bool)
        for first, second in self.data.contact.geom.tolist():
            is_touching[max(blocks[first], blocks[second])] = True
        return is_touching

    def _apply(self, solution: ForceSolution) -> None:
        """Write torques and forces from outside into the physics."""
        self.data.qfrc_applied[6:] = solution.torque
        time = self.time + 0.5 * self.timing.control_step
        self.applied_push = apply_external_forces(
            self.forces, time, self.model, self.data, solution, self._maps.helper_wrench
        )
