"""From a preview to the reference of the torque controller at one control step.

Source: Mordatch, de Lasa, Hertzmann 2010, section 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import wrap_angle
from ...simulate import ControlReference, SimulatedBody, SwingTarget
from ...slip.body import SlipBody
from ...slip.preview import PreviewSample
from .feet.free_leg import compute_free_foot_motion
from .feet.heel_off import can_raise_heel
from .feet.swing import SwingPlanner
from .instant import ControlTick
from .phases.phase_machine import PhaseMachine
from .planning import FollowedPreview

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TrackingParameters:
    """How a body follows a preview."""

    # Stiffness with which the center of mass follows an earlier preview [1/s^2]. The paper has 1000
    # (section 7).
    com_stiffness: float = 100.0
    # The same for the heading [1/s^2].
    heading_stiffness: float = 100.0
    # Planned turning acceleration above which the heading is a set point [rad/s^2].
    # tuned: the leg that swings through after a run spun the body by 90 degrees in a step
    max_planned_turn_acceleration: float = 9.0
    # Turn rate above which the heading is a set point [rad/s]; no walk plans it. tuned: as above
    max_walk_turn_rate: float = 2.5
    # Heading error on rough ground above which the heading is a set point [rad].
    # guarded by: test_turned_back.py
    max_heading_error: float = 0.3
    # Share of the remaining turn by which chest and head look ahead [1].
    gaze_lead_ratio: float = 0.5
    # Largest remaining turn of which this share is taken [rad].
    max_gaze_lead: float = 0.5
    # Upward component of the ground's normals above which the ground counts as level [1]: less than
    # 8 degrees.
    min_level_normal: float = 0.99
    # Age of a preview up to which it is new [s]. Numerical: ages are differences of times.
    max_new_preview_age: float = 1e-9


TRACKING = TrackingParameters()


@dataclass(frozen=True)
class PreviewTracker:
    """Makes the references with which a body follows its previews.

    Attributes:
        dt: control period [s].
    """

    body: SimulatedBody
    slip_body: SlipBody
    dt: float

    def sample_preview(
        self, followed: FollowedPreview, tick: ControlTick, machine: PhaseMachine
    ) -> PreviewSample:
        """Return the preview at the current time; an earlier one is tracked as a set point."""
        preview = followed.preview
        phase_duration = preview.get_phase_duration(0)
        is_shifting = (
            machine.phase in ("first_shift", "double")
            and tick.body_state.normals[:, 2].min() > TRACKING.min_level_normal
        )
        if is_shifting and phase_duration - followed.age < self.dt:
            # On level ground the weight passes to the stance foot at once.
            return preview.sample_phase(1, 0.0)
        sample = preview.sample_phase(0, min(followed.age, phase_duration))
        if followed.age < TRACKING.max_new_preview_age or sample.cop is None:
            return sample
        return _track_sample(sample, tick)

    def make_reference(
        self,
        followed: FollowedPreview,
        sample: PreviewSample,
        tick: ControlTick,
        machine: PhaseMachine,
    ) -> ControlReference:
        """Return the reference of the torque controller."""
        gaze_heading = _compute_gaze_heading(tick)
        if machine.support == "double":
            return ControlReference(
                sample.acceleration,
                sample.heading_acceleration,
                gaze_heading,
                stance=(0, 1),
                swing=None,
                rolling_legs=() if machine.is_standing else (1 - machine.stance_foot,),
            )
        reference = ControlReference(
            None,
            _compute_turn_acceleration(sample, tick),
            gaze_heading,
            stance=(),
            swing=self._make_swing_target(followed, tick, machine),
            is_running=tick.goal.has_flight,
        )
        if tick.goal.gait == "hop":
            reference = self._add_free_foot(reference, tick, machine)
        if machine.support == "flight":
            return reference
        return self._add_stance_foot(reference, sample, tick, machine.stance_foot)

    def _make_swing_target(
        self, followed: FollowedPreview, tick: ControlTick, machine: PhaseMachine
    ) -> SwingTarget | None:
        """Return the target of the swing foot.

        Returns:
            None where no landing is planned, and in the stance of a hop.
        """
        landing = followed.preview.landing
        if landing is None or (tick.goal.gait == "hop" and machine.support != "flight"):
            return None
        return SwingPlanner(self.body, self.slip_body).make_target(
            machine,
            landing,
            tick.body_state,
            tick.goal,
            preview_age=followed.age,
            time=tick.time,
        )

    def _add_free_foot(
        self, reference: ControlReference, tick: ControlTick, machine: PhaseMachine
    ) -> ControlReference:
        """Let the free leg of a hop swing against the other one."""
        motion = compute_free_foot_motion(
            self.body, tick.body_state, machine.stance_foot, tick.heading
        )
        return replace(
            reference, free_foot_offsets=motion.offsets, free_foot_velocities=motion.velocities
        )

    def _add_stance_foot(
        self,
        reference: ControlReference,
        sample: PreviewSample,
        tick: ControlTick,
        stance_foot: int,
    ) -> ControlReference:
        """Let a foot carry the body, its heel free where it may rise."""
        may_raise_heel = can_raise_heel(
            self.body, tick.body_state, stance_foot, heading=tick.heading, step_goal=tick.goal
        )
        return replace(
            reference,
            com_acceleration=sample.acceleration,
            stance=(stance_foot,),
            rolling_legs=(stance_foot,) if may_raise_heel else (),
        )


def _track_sample(sample: PreviewSample, tick: ControlTick) -> PreviewSample:
    """Add critically damped feedback on center of mass and heading to the accelerations."""
    now = tick.body_state
    com_feedback = TRACKING.com_stiffness * (sample.com - now.com) + 2 * np.sqrt(
        TRACKING.com_stiffness
    ) * (sample.velocity - now.com_velocity)
    heading_feedback = TRACKING.heading_stiffness * (sample.heading - tick.heading) + 2 * np.sqrt(
        TRACKING.heading_stiffness
    ) * (sample.heading_rate - now.heading_rate)
    return replace(
        sample,
        acceleration=sample.acceleration + com_feedback,
        heading_acceleration=sample.heading_acceleration + heading_feedback,
    )


def _compute_heading_error(tick: ControlTick) -> float:
    """Return the turn from the heading to that of the goal [rad]."""
    return wrap_angle(tick.goal.heading - tick.heading)


def _compute_gaze_heading(tick: ControlTick) -> float:
    """Return the heading of chest and head [rad], ahead of the pelvis in a turn."""
    lead = min(max(_compute_heading_error(tick), -TRACKING.max_gaze_lead), TRACKING.max_gaze_lead)
    return tick.heading + TRACKING.gaze_lead_ratio * lead


def _compute_turn_acceleration(sample: PreviewSample, tick: ControlTick) -> float:
    """Return the heading acceleration of a body on one foot or in flight [rad/s^2].

    The preview does not model the angular momentum of swinging legs. A new preview corrects what
    they turn the body by, except in a run, in fast turns and far off the heading on rough ground,
    where there is no time for it: there the heading of the goal is a set point.
    """
    turn_acceleration = sample.heading_acceleration
    heading_rate = tick.body_state.heading_rate
    heading_error = _compute_heading_error(tick)
    is_far_off = (
        tick.goal.ground_height is not None and abs(heading_error) > TRACKING.max_heading_error
    )
    is_turning_fast = (
        abs(turn_acceleration) > TRACKING.max_planned_turn_acceleration
        or abs(heading_rate) > TRACKING.max_walk_turn_rate
    )
    if not (tick.goal.has_flight or is_far_off or is_turning_fast):
        return turn_acceleration
    stiffness = TRACKING.heading_stiffness
    return float(stiffness * heading_error - 2 * np.sqrt(stiffness) * heading_rate)
