"""Transitions between contact phases: from which phase, under which condition, to which phase.

Each condition is a predicate on `PhaseView`, a read-only view of the body at one control step. In
every phase the transitions are tried in the order of `TRANSITIONS`, and the first one whose
condition holds is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ....slip.command import StepGoal
from ....slip.preview import Preview
from ....slip.state import FootPose, Support

Array = NDArray[np.float64]

# "standing": on both feet without a planned step. "first_shift": on both feet, the weight shifts to
# the foot that carries the first step. "double": on both feet between two steps.
Phase = Literal["standing", "first_shift", "double", "single", "flight"]


@dataclass(frozen=True)
class PhaseParameters:
    """Thresholds of the transitions. Loads are vertical forces in body weights [1]."""

    # Load of both feet together below which the body has no ground contact [1]. Numerical: above
    # the rounding of contact forces.
    contact_load: float = 0.002
    # Load above which a foot has touched the ground [1]; a foot of 1 kg that brushes the ground is
    # stopped by less.
    touch_load: float = 0.045
    # Load that a foot needs before it alone carries the body [1], so that the other foot does not
    # lift before its weight is taken over.
    support_load: float = 0.15

    # Landing of the swing foot out of single support.
    # Swing time before which a contact is no landing [s]; the foot still rolls off the ground.
    min_swing_time: float = 0.12
    # Swing time after which every contact is a landing [s]: the foot has passed the other one, in
    # the middle of a human swing of 0.4 s and more.
    long_swing_time: float = 0.30
    # Largest time before the planned landing at which a contact counts as this landing [s].
    max_early_landing_time: float = 0.15
    # Height above the planned foothold from which a contact is a collision with an obstacle [m].
    # tuned: without it a foot that struck an edge was taken for one that had landed
    max_landing_height: float = 0.08
    # Load above which a contact at that height is a landing nevertheless [1]: the foot carries as
    # much as each foot of a standing body.
    firm_contact_load: float = 0.5

    # Double support.
    # Longest double support [s], that of a slow human walk.
    max_double_support_time: float = 0.20
    # Extra duration of a first step, for the weight shift [s]: the body sways over one foot as a
    # pendulum does, which people take 0.4 to 0.5 s for. The shift is over after twice this time.
    first_step_extra_time: float = 0.4
    # Time without load after which the foot that seemed to have landed has missed the ground [s].
    missed_contact_time: float = 0.06
    # Number of control steps before the planned end of a phase at which it ends [1]; between 1 and
    # 2, so that neither rounding nor a control step decides.
    phase_end_ticks: float = 1.5

    # Take-off and flight.
    # Duration of single support before which the body does not take off [s]; loads of a landing
    # bounce in this time.
    min_stance_time: float = 0.05
    # Shortest planned flight that is one [s]; a shorter one is the lower bound of a duration.
    min_planned_flight_time: float = 0.03
    # Time without contact after which a walking body is in flight [s].
    lost_contact_time: float = 0.08
    # Time in flight before which the swing foot does not land [s].
    min_flight_time: float = 0.02
    # Time in flight after which the foot that left last may carry the body again [s]; before, its
    # toes may still brush the ground.
    min_return_time: float = 0.06
    # The same of a run [s]. tuned: its trailing foot brushes the ground just before the other foot
    # lands, and was taken for the foot that carries the body
    min_run_return_time: float = 0.25


PHASES = PhaseParameters()


@dataclass(frozen=True)
class PhaseObservation:
    """What the phase machine reads at one control step.

    Attributes:
        time: time of the simulation [s].
        loads: (2,) vertical forces on the feet [body weights].
        com: (3,) center of mass [m].
        feet: left and right foot.
        preview: the last preview; None where there is none.
        preview_age: time since it was made [s].
        step_goal: goal of the next two steps.
    """

    time: float
    loads: Array
    com: Array
    feet: tuple[FootPose, FootPose]
    preview: Preview | None
    preview_age: float
    step_goal: StepGoal


@dataclass(frozen=True)
class PhaseView:
    """Read-only view of an observation from within a phase.

    Attributes:
        observation: the observation.
        dt: control period [s].
        phase_age: time since the phase began [s].
        stance_foot: 0 left, 1 right; in flight the foot that left the ground last.
        time_without_contact: time since any foot touched the ground [s].
        time_without_stance_load: time in double support since the stance foot was loaded [s].
    """

    observation: PhaseObservation
    dt: float
    phase_age: float
    stance_foot: int
    time_without_contact: float
    time_without_stance_load: float

    @property
    def goal(self) -> StepGoal:
        """Goal of the next two steps."""
        return self.observation.step_goal

    @property
    def stance_load(self) -> float:
        """Load of the stance foot [body weights]."""
        return float(self.observation.loads[self.stance_foot])

    @property
    def swing_load(self) -> float:
        """Load of the other foot [body weights]."""
        return float(self.observation.loads[1 - self.stance_foot])

    @property
    def is_phase_due(self) -> bool:
        """Whether the phase in which the last preview began ends now, as planned."""
        preview = self.observation.preview
        time_left = (
            np.inf
            if preview is None
            else preview.get_phase_duration(0) - self.observation.preview_age
        )
        return bool(time_left < PHASES.phase_end_ticks * self.dt)


@dataclass(frozen=True)
class Transition:
    """A row of the table.

    Attributes:
        source: phase that ends.
        condition: whether it ends now.
        target: support of the phase that begins.
        exchanges_feet: whether the other foot becomes the stance foot.
        ends_step: whether a step ends.
        lifted_foot: foot that leaves the ground, by its role in the phase that begins.
        is_correction: whether a landing was detected that had not taken place.
    """

    source: Phase
    condition: Callable[[PhaseView], bool]
    target: Support
    exchanges_feet: bool = False
    ends_step: bool = False
    lifted_foot: Literal["stance", "swing"] | None = None
    is_correction: bool = False


def has_swing_foot_landed(view: PhaseView) -> bool:
    """Return whether the swing foot of single support has landed."""
    if view.swing_load <= PHASES.touch_load or _is_swing_foot_obstructed(view):
        return False
    return view.phase_age > PHASES.long_swing_time or (
        view.goal.gait != "hop"
        and view.phase_age > PHASES.min_swing_time
        and _compute_time_to_landing(view) < PHASES.max_early_landing_time
    )


def has_taken_off(view: PhaseView) -> bool:
    """Return whether the body leaves the ground, as planned or because contact was lost."""
    return view.phase_age > PHASES.min_stance_time and (
        _is_planned_flight_due(view) or _is_contact_lost(view)
    )


def has_hop_taken_off(view: PhaseView) -> bool:
    """Return whether a hopping body leaves the ground."""
    return view.goal.gait == "hop" and has_taken_off(view)


def has_stance_foot_missed(view: PhaseView) -> bool:
    """Return whether the foot that seemed to have landed is above the ground without load."""
    return (
        view.time_without_stance_load > PHASES.missed_contact_time
        and view.swing_load > PHASES.support_load
        and _is_above_ground(view.observation.feet[view.stance_foot], view.goal)
    )


def is_double_support_over(view: PhaseView) -> bool:
    """Return whether the stance foot takes over the weight between two steps."""
    return _can_leave_double_support(view, PHASES.max_double_support_time)


def is_first_shift_over(view: PhaseView) -> bool:
    """Return whether the stance foot takes over the weight before a first step."""
    return _can_leave_double_support(view, 2 * PHASES.first_step_extra_time)


def has_swing_foot_touched(view: PhaseView) -> bool:
    """Return whether the swing foot ends a flight."""
    return view.swing_load > PHASES.touch_load and view.phase_age > PHASES.min_flight_time


def has_stance_foot_returned(view: PhaseView) -> bool:
    """Return whether the foot that left the ground last ends a flight."""
    min_time = PHASES.min_run_return_time if view.goal.gait == "run" else PHASES.min_return_time
    return view.stance_load > PHASES.touch_load and view.phase_age > min_time


def has_hop_landed(view: PhaseView) -> bool:
    """Return whether a hop ends with the foot that it began on."""
    return view.goal.gait == "hop" and has_stance_foot_returned(view)


TRANSITIONS = (
    Transition("first_shift", is_first_shift_over, "single", lifted_foot="swing"),
    Transition(
        "double",
        has_stance_foot_missed,
        "single",
        exchanges_feet=True,
        lifted_foot="swing",
        is_correction=True,
    ),
    Transition("double", is_double_support_over, "single", lifted_foot="swing"),
    Transition("single", has_swing_foot_landed, "double", exchanges_feet=True, ends_step=True),
    Transition("single", has_hop_taken_off, "flight", lifted_foot="stance"),
    Transition("single", has_taken_off, "flight"),
    Transition(
        "flight",
        has_swing_foot_touched,
        "single",
        exchanges_feet=True,
        ends_step=True,
        lifted_foot="swing",
    ),
    Transition("flight", has_hop_landed, "single", ends_step=True),
    Transition("flight", has_stance_foot_returned, "single"),
)


def find_transition(phase: Phase, view: PhaseView) -> Transition | None:
    """Return the first transition out of a phase whose condition holds; None where none does."""
    return next((t for t in TRANSITIONS if t.source == phase and t.condition(view)), None)


def _compute_time_to_landing(view: PhaseView) -> float:
    """Return the time to the planned landing [s]; infinite where none is planned."""
    preview = view.observation.preview
    if preview is None or preview.landing is None:
        return float(np.inf)
    return preview.landing.time - view.observation.preview_age


def _is_swing_foot_obstructed(view: PhaseView) -> bool:
    """Return whether the swing foot touches something above its planned foothold."""
    preview = view.observation.preview
    if preview is None or preview.landing is None:
        return False
    swing_foot = view.observation.feet[1 - view.stance_foot]
    return bool(
        swing_foot.place[2] > preview.landing.place[2] + PHASES.max_landing_height
        and view.swing_load < PHASES.firm_contact_load
    )


def _is_planned_flight_due(view: PhaseView) -> bool:
    """Return whether the preview continues with a flight now."""
    preview = view.observation.preview
    return (
        view.goal.has_flight
        and preview is not None
        and len(preview.slots) > 1
        and preview.slots[1].kind == "flight"
        and view.is_phase_due
        and preview.get_phase_duration(1) > PHASES.min_planned_flight_time
    )


def _is_contact_lost(view: PhaseView) -> bool:
    """Return whether no foot bears: at once in a gait with flights, after some time in a walk."""
    return view.stance_load + view.swing_load < PHASES.contact_load and (
        view.goal.has_flight or view.time_without_contact > PHASES.lost_contact_time
    )


def _can_leave_double_support(view: PhaseView, max_time: float) -> bool:
    """Return whether double support of at most `max_time` [s] is over and one foot can carry."""
    is_over = view.is_phase_due or view.phase_age > max_time or view.goal.has_flight
    return is_over and view.stance_load > PHASES.support_load


def _is_above_ground(foot: FootPose, step_goal: StepGoal) -> bool:
    """Return whether a foot is clearly above rough ground, or where there is no ground."""
    return (
        step_goal.ground_height is not None
        and not foot.place[2] < step_goal.ground_height(foot.place[:2]) + PHASES.max_landing_height
    )
