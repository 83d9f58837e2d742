"""Which hand holds which rung from when to when:
one rung after the other, left and right in turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .....character.character import Character
from .....errors import CharacterError, TaskError
from .....geometry import so3
from .....motion.footstep import Footstep
from .....task import MonkeyBars, Task

Array = NDArray[np.float64]

# s that hands hold before the clip and after the last swing
HOLD_BEFORE_CLIP = 2.0
HOLD_AFTER_LAST_SWING = 10.0

INITIAL_REST_TIME = 0.7  # s that the body hangs by both hands at the begin
# of the pendulum's half period, for which both hands hold between two swings
DOUBLE_HOLD_SHARE = 0.16

# of it, from one hold to the next
MIN_SWING_PERIOD = 0.62
MAX_SWING_PERIOD = 0.84

NATURAL_SWING_PERIOD = 0.75  # the same where no speed is asked for
END_SWING_PERIODS = (1.0, 0.82)  # the same for the first two swings and the last two
HAND_OFFSET_SHARE = 0.4  # half shoulder widths that hands hold from the middle of a rung

# arm's lengths from rung to rung, and up or down, at most
MAX_RUNG_SPAN = 1.0
MAX_RUNG_CLIMB = 0.25

MIN_RUNG_SPAN = 0.3  # the same, least: nearer rungs would be left out by a body that swings
MAX_RUNG_TURN = np.radians(30)  # from rung to rung
REPORTED_SPEED_ERROR = 0.1  # share of the speed asked for that is worth a note when it is missing


@dataclass(frozen=True)
class Handholds:
    """Grips in the order of the rungs.

    `overlaps[k]` are begin and end of the time in which hold k and hold k + 1 are both kept.
    """

    grips: tuple[Footstep, ...]
    overlaps: Array  # (k - 1, 2)
    notes: tuple[str, ...] = ()

    @property
    def places(self) -> Array:
        """Where hands hold. (k, 3)."""
        return np.stack([g.position for g in self.grips])

    @property
    def headings(self) -> Array:
        """The way ahead at each hold, unwrapped. (k,) rad."""
        return np.unwrap([g.yaw for g in self.grips])


def plan_handholds(
    task: Task,
    bars: MonkeyBars,
    character: Character,
    arm_length: float,
    half_period: float,
    last_release: float,
) -> Handholds:
    """Alternate hands along the bars.

    Args:
        arm_length: length of an arm from shoulder to grip, m.
        half_period: of the body as a pendulum, s.
        last_release: after which no hand leaves its rung any more, s.

    Raises:
        CharacterError: the body has no two hands.
        TaskError: a rung that the next hand cannot reach.
    """
    left, right = _find_two_hands(character)
    check_rung_spacing(bars, arm_length)
    shoulder_half_width = float(
        np.mean(
            [
                abs(character.neutral_joint_position(limb.links[0])[1])
                for limb in character.grasping_arms
            ]
        )
    )
    rungs = bars.rungs
    yaw = _compute_headings(bars)
    hold_spans = _plan_hold_spans(task, rungs, half_period, last_release)
    grips = []
    for k, (begin, end) in enumerate(hold_spans):
        hand = (left, right)[k % 2]
        rotation = so3.rotation_about("z", yaw[k])
        place = (
            rungs[k]
            + character.grasping_arms[hand].side
            * HAND_OFFSET_SHARE
            * shoulder_half_width
            * rotation[:, 1]
        )
        grips.append(
            Footstep(
                len(character.legs) + hand,
                begin,
                begin,
                heel_off=end,
                lift=end,
                position=place,
                rotation=rotation,
                pinned=True,
                grip=True,
            )
        )
    overlaps = np.stack([hold_spans[1:, 0], hold_spans[:-1, 1]], -1)
    return Handholds(tuple(grips), overlaps, _note_speed_error(task, rungs, hold_spans))


def _find_two_hands(character: Character) -> tuple[int, int]:
    """Numbers of the left and the right hand among those that can hold."""
    sides = [limb.side for limb in character.grasping_arms]
    if 1 not in sides or -1 not in sides:
        limb_names = ", ".join(limb.name for limb in character.limbs)
        raise CharacterError(
            f"{character.name!r} cannot go along bars: that takes a left and a right arm with "
            f"hands, and its limbs are: {limb_names}. Take a character with both arms, or take "
            "the bars out of the task."
        )
    return sides.index(1), sides.index(-1)


def check_rung_spacing(bars: MonkeyBars, arm_length: float) -> None:
    """Refuse rungs that no hand reaches from the one before.

    Raises:
        TaskError: it names the first such rung and where it would have to be.
    """
    steps = np.diff(bars.rungs, axis=0)
    turns = np.abs(np.diff(np.unwrap(so3.atan2(steps[:, 1], steps[:, 0]))))
    for k, step in enumerate(steps):
        span = float(np.linalg.norm(step))
        climb = float(step[2])
        subject = f"Rung {k + 2} is"
        if span > MAX_RUNG_SPAN * arm_length:
            raise TaskError(
                f"{subject} {span:.2f} m from rung {k + 1}; arms of {arm_length:.2f} m reach "
                f"{MAX_RUNG_SPAN * arm_length:.2f} m at most. Put it nearer, or another rung "
                "between them."
            )
        if span < MIN_RUNG_SPAN * arm_length:
            raise TaskError(
                f"{subject} only {span:.2f} m from rung {k + 1}; a body with arms of "
                f"{arm_length:.2f} m swings at least {MIN_RUNG_SPAN * arm_length:.2f} m. Put it "
                "farther away, or leave it out."
            )
        if abs(climb) > MAX_RUNG_CLIMB * arm_length:
            raise TaskError(
                f"{subject} {abs(climb):.2f} m {'higher' if climb > 0 else 'lower'} than rung "
                f"{k + 1}; with arms of {arm_length:.2f} m it may be "
                f"{MAX_RUNG_CLIMB * arm_length:.2f} m at most. Spread the climb over more rungs."
            )
        if k and turns[k - 1] > MAX_RUNG_TURN:
            raise TaskError(
                f"The way along the bars turns by {np.degrees(turns[k - 1]):.0f} degrees at rung "
                f"{k + 1}; at most {np.degrees(MAX_RUNG_TURN):.0f} from rung to rung are "
                "possible. Make the turn wider."
            )


def _compute_headings(bars: MonkeyBars) -> Array:
    """The way ahead at each rung: the mean of the ways to it and from it. (n,) rad."""
    steps = np.diff(bars.rungs[:, :2], axis=0)
    step_headings = np.unwrap(so3.atan2(steps[:, 1], steps[:, 0]))
    return np.concatenate(
        [step_headings[:1], 0.5 * (step_headings[1:] + step_headings[:-1]), step_headings[-1:]]
    )


def _plan_hold_spans(task: Task, rungs: Array, half_period: float, last_release: float) -> Array:
    """Begin and end of each hold. (k, 2)."""
    begins = [-HOLD_BEFORE_CLIP, -HOLD_BEFORE_CLIP]
    releases = []
    release_time = INITIAL_REST_TIME
    for k in range(len(rungs) - 2):
        if release_time > last_release:
            break
        swing_length = 0.5 * float(np.linalg.norm(rungs[k + 2] - rungs[k]))
        speed = float(task.speed.value_at(release_time))
        period = (
            float(np.clip(swing_length / speed / half_period, MIN_SWING_PERIOD, MAX_SWING_PERIOD))
            if speed > 0
            else NATURAL_SWING_PERIOD
        )
        swings_from_end = min(k, len(rungs) - 3 - k)  # swings from the nearer end of the bars
        if swings_from_end < len(END_SWING_PERIODS):
            period = max(period, END_SWING_PERIODS[swings_from_end])
        releases.append(release_time)
        begins.append(release_time + (period - DOUBLE_HOLD_SHARE) * half_period)
        release_time += period * half_period
    final_release = begins[-1] + HOLD_AFTER_LAST_SWING
    return np.stack([begins, [*releases, final_release, final_release]], -1)


def _note_speed_error(task: Task, rungs: Array, hold_spans: Array) -> tuple[str, ...]:
    """A note where swings could not be as fast or as slow as asked for."""
    if len(hold_spans) < 5:
        return ()
    begin = hold_spans[2, 0]
    end = hold_spans[-2, 0]
    actual_speed = float(
        np.linalg.norm(np.diff(rungs[1 : len(hold_spans) - 2], axis=0), axis=1).sum()
    ) / (end - begin)
    requested_speed = float(np.mean(task.speed.value_at(np.linspace(begin, end, 50))))
    if (
        requested_speed <= 0
        or abs(actual_speed - requested_speed) < REPORTED_SPEED_ERROR * requested_speed
    ):
        return ()
    return (
        f"the bars are gone along at {actual_speed:.2f} m/s where {requested_speed:.2f} were "
        "asked for: a swing takes as long as the body's weight gives it; put the rungs farther "
        "apart to be faster, nearer together to be slower",
    )
