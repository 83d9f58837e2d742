"""In which phase a simulated body is: on both feet, on one, or in the air,
and what that is the end of.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....slip.command import StepGoal
from ....slip.preview import Preview
from ....slip.state import FootPose, SlipState, Support

Array = NDArray[np.float64]

TOUCH_LOAD = 0.045  # body weights under a foot that has come down
SUPPORT_LOAD = 0.15  # body weights under a foot that alone is to carry the body
# s before its time, at most, that a foot's contact counts as its landing
MAX_EARLY_LANDING_TIME = 0.15
MIN_SWING_TIME = 0.12  # s that a foot was in the air at least
# m above its place, from where a foot has not come down but struck something, unless
MAX_LANDING_HEIGHT = 0.08
FIRM_CONTACT_LOAD = 0.5  # body weights are on it
# s without contact after which a foot that was taken for one that stands is none
MISSED_CONTACT_TIME = 0.06
LONG_SWING_TIME = 0.30  # s after which every contact is one
MAX_DOUBLE_SUPPORT_TIME = 0.20  # s on both feet at most
# s that a first step lasts longer, in which the weight goes over to the foot that stays
FIRST_STEP_EXTRA_TIME = 0.4
MAX_FIRST_SHIFT_TIME = 0.8  # s, the same before a first step
LOST_CONTACT_TIME = 0.08  # s without contact, after which a walk is in the air
MIN_PLANNED_FLIGHT_TIME = 0.03  # s that a flight is planned to last to be one
MIN_AIR_TIME = 0.06  # s in the air, after which the foot that left last may carry again,
# of a run, where this foot brushes the ground just before the other one lands
MIN_RUN_AIR_TIME = 0.25
PHASE_END_TICKS = 1.5  # control steps to the planned end of a phase, in which it ends


@dataclass
class PhaseMachine:
    """The phase that a body is in, and since when.

    Args:
        dt: s between two looks at it.
        stance_foot: foot of the first step, 0 left, 1 right.
    """

    dt: float
    support: Support = "double"
    stance_foot: int = 0
    is_standing: bool = True  # on both feet, for as long as it likes
    is_first_step: bool = False  # in the first step after that
    phase_start: float = 0.0  # s, when the phase began
    step_start: float = 0.0  # when the step began, and
    # where the centre of mass was then
    step_start_com: Array = field(default_factory=lambda: np.zeros(2))
    # where the swinging foot left the ground, and
    lift_place: Array = field(default_factory=lambda: np.zeros(3))
    lift_time: float = 0.0  # when
    last_contact_time: float = 0.0  # s, when any foot last did
    has_landed: bool = False  # a step ended in the last look
    has_missed: bool = False  # or was found not to have ended
    last_load_time: float = 0.0  # s, when the foot that came down last had weight on it last
    # heights of the ground where the feet last stood
    ground_heights: Array = field(default_factory=lambda: np.zeros(2))

    @property
    def is_setting_off(self) -> bool:
        """Whether its next step is the first one out of standing."""
        return self.is_standing or self.is_first_step

    def make_slip_state(
        self,
        time: float,
        com: Array,
        velocity: Array,
        heading: float,
        heading_rate: float,
        feet: tuple[FootPose, FootPose],
    ) -> SlipState:
        """What a preview begins with."""
        elapsed = time - self.step_start - (FIRST_STEP_EXTRA_TIME if self.is_first_step else 0.0)
        return SlipState(
            com,
            velocity,
            heading,
            heading_rate=heading_rate,
            feet=feet,
            support=self.support,
            stance_foot=self.stance_foot,
            elapsed=elapsed,
            step_start_com=self.step_start_com,
        )

    def update(
        self,
        time: float,
        loads: Array,
        com: Array,
        feet: tuple[FootPose, FootPose],
        preview: Preview | None,
        preview_age: float,
        step_goal: StepGoal,
    ) -> bool:
        """Go on to the next phase where it has begun; returns whether it has.

        Args:
            loads: (2,) on the feet, body weights.
            preview, preview_age: the last one, and s since it was made.
        """
        self.has_landed = self.has_missed = False
        phase_age = time - self.phase_start
        stance_load = loads[self.stance_foot]
        other_load = loads[1 - self.stance_foot]
        if loads.sum() > 0.002:
            self.last_contact_time = time
        for k in range(2):
            if loads[k] > TOUCH_LOAD:
                self.ground_heights[k] = feet[k].place[2]
        if stance_load > TOUCH_LOAD or self.support != "double":
            self.last_load_time = time
        if self.support == "single":
            return self._update_single_support(
                time,
                phase_age,
                stance_load,
                other_load=other_load,
                com=com,
                feet=feet,
                preview=preview,
                preview_age=preview_age,
                step_goal=step_goal,
            )
        if self.support == "double":
            if self.is_standing:
                return False
            if (
                not self.is_first_step
                and time - self.last_load_time > MISSED_CONTACT_TIME
                and other_load > SUPPORT_LOAD
                and _is_above_ground(feet[self.stance_foot], step_goal)
            ):
                self._enter_phase("single", time)
                self.stance_foot = 1 - self.stance_foot
                self.has_missed = True
                self._lift_foot(time, feet)
                return True
            is_over = (
                self._find_time_left(preview, preview_age) < PHASE_END_TICKS * self.dt
                or phase_age
                > (MAX_FIRST_SHIFT_TIME if self.is_first_step else MAX_DOUBLE_SUPPORT_TIME)
                or step_goal.has_flight
            )
            if is_over and stance_load > SUPPORT_LOAD:
                self._enter_phase("single", time)
                self._lift_foot(time, feet)
                return True
            return False
        if other_load > TOUCH_LOAD and phase_age > 0.02:
            self._land("single", time, com)
            self._lift_foot(time, feet)
            return True
        if stance_load > TOUCH_LOAD and phase_age > (
            MIN_RUN_AIR_TIME if step_goal.gait == "run" else MIN_AIR_TIME
        ):
            if step_goal.gait == "hop":
                self._land("single", time, com, self.stance_foot)
            else:
                self._enter_phase("single", time)
            return True
        return False

    def _update_single_support(
        self,
        time: float,
        phase_age: float,
        stance_load: float,
        other_load: float,
        com: Array,
        feet: tuple[FootPose, FootPose],
        preview: Preview | None,
        preview_age: float,
        step_goal: StepGoal,
    ) -> bool:
        time_to_landing = np.inf
        is_obstructed = False
        if preview is not None and preview.landing is not None:
            time_to_landing = preview.landing.time - preview_age
            is_obstructed = (
                feet[1 - self.stance_foot].place[2] > preview.landing.place[2] + MAX_LANDING_HEIGHT
                and other_load < FIRM_CONTACT_LOAD
            )
        if (
            other_load > TOUCH_LOAD
            and not is_obstructed
            and (
                (
                    phase_age > MIN_SWING_TIME
                    and time_to_landing < MAX_EARLY_LANDING_TIME
                    and step_goal.gait != "hop"
                )
                or phase_age > LONG_SWING_TIME
            )
        ):
            self._land("double", time, com)
            return True
        if (
            step_goal.has_flight
            and phase_age > 0.05
            and preview is not None
            and len(preview.slots) > 1
            and preview.slots[1].kind == "flight"
            and self._find_time_left(preview, preview_age) < PHASE_END_TICKS * self.dt
            and preview.get_phase_duration(1) > MIN_PLANNED_FLIGHT_TIME
        ):
            self._take_off(time, feet, step_goal)
            return True
        if (
            stance_load + other_load < 0.002
            and phase_age > 0.05
            and (step_goal.has_flight or time - self.last_contact_time > LOST_CONTACT_TIME)
        ):
            self._take_off(time, feet, step_goal)
            return True
        return False

    def _find_time_left(self, preview: Preview | None, preview_age: float) -> float:
        """Of the phase that the last preview began in, s."""
        return np.inf if preview is None else preview.get_phase_duration(0) - preview_age

    def _enter_phase(self, support: Support, time: float) -> None:
        self.support = support
        self.phase_start = time

    def _take_off(self, time: float, feet: tuple[FootPose, FootPose], step_goal: StepGoal) -> None:
        self._enter_phase("flight", time)
        if step_goal.gait == "hop":
            self._lift_foot(time, feet, self.stance_foot)

    def find_next_foot(self, step_goal: StepGoal) -> int:
        """That which comes down next, 0 left, 1 right."""
        return self.stance_foot if step_goal.gait == "hop" else 1 - self.stance_foot

    def _lift_foot(
        self, time: float, feet: tuple[FootPose, FootPose], foot: int | None = None
    ) -> None:
        """The foot that is set down next leaves the ground:
        the other one, or that which is told.
        """
        self.lift_place = feet[1 - self.stance_foot if foot is None else foot].place.copy()
        self.lift_time = time

    def _land(self, support: Support, time: float, com: Array, foot: int | None = None) -> None:
        """A step ends: the other foot carries the next one, or that which is told."""
        self._enter_phase(support, time)
        self.stance_foot = 1 - self.stance_foot if foot is None else foot
        self.is_first_step = False
        self.has_landed = True
        self.step_start = time
        self.step_start_com = com[:2].copy()

    def begin_first_step(self, time: float, com: Array, stance_foot: int) -> None:
        """Leave standing with a step that a foot carries."""
        self.is_standing = False
        self.is_first_step = True
        self.stance_foot = stance_foot
        self.phase_start = self.step_start = time
        self.step_start_com = com[:2].copy()

    def stand(self) -> None:
        """Stay on both feet."""
        self.is_standing = True


def _is_above_ground(foot: FootPose, step_goal: StepGoal) -> bool:
    """Whether a foot is well above the ground."""
    return (
        step_goal.ground_height is not None
        and not foot.place[2] < step_goal.ground_height(foot.place[:2]) + MAX_LANDING_HEIGHT
    )
