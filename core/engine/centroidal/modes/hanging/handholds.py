"""Plan which hand holds which rung, and when: one rung after the other, left and right in turn."""

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


@dataclass(frozen=True)
class HandholdParameters:
    """Tuned numbers of holds and swings.

    Periods of swings, from one hold to the next, are in half periods of the pendulum.

    Effects of half and twice of each: docs/dev/parameters.csv.
    """

    # Time for which hands hold before the clip and after the last swing [s]
    hold_before_clip: float = 2.0
    hold_after_last_swing: float = 10.0
    # Time for which the body hangs by both hands at the start [s]
    initial_rest_time: float = 0.7
    # Time for which both hands hold between two swings, in half periods of the pendulum. tuned:
    # doubled, pops of a body on bars are 2.6 degrees instead of 0.7
    double_hold_share: float = 0.16
    # Shortest, longest and natural period of a swing. The last is used if the task states no speed.
    # Guarded by test_bars.test_impossible_speed_is_reported
    min_swing_period: float = 0.62
    max_swing_period: float = 0.84
    natural_swing_period: float = 0.75
    # Shortest periods of the first and the second swing, and of the last and the last but one
    end_swing_periods: tuple[float, ...] = (1.0, 0.82)
    # Distance of the grips from the middle of a rung, in half shoulder widths. tuned: doubled, pops
    # of a body on bars are 3.4 degrees instead of 0.7
    hand_offset_share: float = 0.4
    # Speed error above which the motion has a note, as a share of the requested speed
    reported_speed_error: float = 0.1
    # Smallest number of holds for which the speed is compared with the requested one
    min_reported_holds: int = 5


@dataclass(frozen=True)
class RungLimits:
    """Which rungs a body can swing along."""

    # Largest distance from rung to rung, in arm lengths. Guarded by
    # test_bars.test_rungs_out_of_reach_are_named, as the next two
    max_span: float = 1.0
    # Smallest distance from rung to rung, in arm lengths. A swinging body would skip nearer rungs.
    min_span: float = 0.3
    # Largest height difference from rung to rung, in arm lengths
    max_climb: float = 0.25
    # Largest turn of the path from rung to rung [rad]. No test has such bars
    max_turn: float = float(np.radians(30))


HANDHOLDS = HandholdParameters()
RUNG_LIMITS = RungLimits()


@dataclass(frozen=True)
class Handholds:
    """Grips in the order of the rungs, k of them.

    Args:
        grips: the grips.
        overlaps: begin and end of the time in which a grip and the next one are both held [s],
            shape (k - 1, 2).
        notes: notes for the user.
    """

    grips: tuple[Footstep, ...]
    overlaps: Array
    notes: tuple[str, ...] = ()

    @property
    def places(self) -> Array:
        """Places of the grips [m], shape (k, 3)."""
        return np.stack([g.position for g in self.grips])

    @property
    def headings(self) -> Array:
        """Heading of the path at each grip [rad], unwrapped, shape (k,)."""
        return np.unwrap([g.yaw for g in self.grips])


def plan_handholds(
    task: Task,
    bars: MonkeyBars,
    character: Character,
    arm_length: float,
    half_period: float,
    last_release: float,
) -> Handholds:
    """Return the grips of alternating hands along the bars.

    Args:
        task: task.
        bars: the bars.
        character: the body.
        arm_length: length of an arm from shoulder to grip [m].
        half_period: half the period of the body as a pendulum [s].
        last_release: time after which no hand leaves its rung [s].

    Raises:
        CharacterError: The body does not have two hands.
        TaskError: The next hand cannot reach a rung.
    """
    left, right = _find_two_hands(character)
    check_rung_spacing(bars, arm_length)
    shoulder_half_width = measure_shoulder_half_width(character)
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
            * HANDHOLDS.hand_offset_share
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


def measure_shoulder_half_width(character: Character) -> float:
    """Return half the distance between the shoulders of the arms that can hold [m]."""
    return float(
        np.mean(
            [
                abs(character.neutral_joint_position(limb.links[0])[1])
                for limb in character.grasping_arms
            ]
        )
    )


def _find_two_hands(character: Character) -> tuple[int, int]:
    """Return the indices of the left and the right hand among those that can hold.

    Raises:
        CharacterError: One of the hands is missing.
    """
    sides = [limb.side for limb in character.grasping_arms]
    if 1 not in sides or -1 not in sides:
        limb_names = ", ".join(limb.name for limb in character.limbs)
        raise CharacterError(
            f"{character.name!r} cannot swing along bars: that takes a left and a right arm with "
            f"hands, and its limbs are: {limb_names}. Choose a character with both arms, or "
            "remove the bars from the task."
        )
    return sides.index(1), sides.index(-1)


def check_rung_spacing(bars: MonkeyBars, arm_length: float) -> None:
    """Refuse rungs that no hand reaches from the previous one.

    Args:
        bars: the bars.
        arm_length: length of an arm from shoulder to grip [m].

    Raises:
        TaskError: A rung is too far, too near, too high or too far to the side. The message names
            the first such rung and the limit.
    """
    steps = np.diff(bars.rungs, axis=0)
    turns = np.abs(np.diff(np.unwrap(so3.atan2(steps[:, 1], steps[:, 0]))))
    for k, step in enumerate(steps):
        span = float(np.linalg.norm(step))
        climb = float(step[2])
        subject = f"Rung {k + 2} is"
        if span > RUNG_LIMITS.max_span * arm_length:
            raise TaskError(
                f"{subject} {span:.2f} m from rung {k + 1}; arms of {arm_length:.2f} m reach "
                f"{RUNG_LIMITS.max_span * arm_length:.2f} m at most. Put it nearer, or "
                "another rung between them."
            )
        if span < RUNG_LIMITS.min_span * arm_length:
            raise TaskError(
                f"{subject} only {span:.2f} m from rung {k + 1}; a body with arms of "
                f"{arm_length:.2f} m swings at least {RUNG_LIMITS.min_span * arm_length:.2f} m. "
                "Put it farther away, or remove it."
            )
        if abs(climb) > RUNG_LIMITS.max_climb * arm_length:
            raise TaskError(
                f"{subject} {abs(climb):.2f} m {'higher' if climb > 0 else 'lower'} than rung "
                f"{k + 1}; with arms of {arm_length:.2f} m it may be "
                f"{RUNG_LIMITS.max_climb * arm_length:.2f} m at most. Spread the climb over "
                "more rungs."
            )
        if k and turns[k - 1] > RUNG_LIMITS.max_turn:
            raise TaskError(
                f"The path along the bars turns by {np.degrees(turns[k - 1]):.0f} degrees at rung "
                f"{k + 1}; at most {np.degrees(RUNG_LIMITS.max_turn):.0f} from rung to rung are "
                "possible. Make the turn wider."
            )


def _compute_headings(bars: MonkeyBars) -> Array:
    """Return the heading at each rung: the mean of those to it and from it [rad], shape (n,)."""
    steps = np.diff(bars.rungs[:, :2], axis=0)
    step_headings = np.unwrap(so3.atan2(steps[:, 1], steps[:, 0]))
    return np.concatenate(
        [step_headings[:1], 0.5 * (step_headings[1:] + step_headings[:-1]), step_headings[-1:]]
    )


def _plan_hold_spans(task: Task, rungs: Array, half_period: float, last_release: float) -> Array:
    """Return begin and end of each hold [s], shape (k, 2).

    Args:
        task: task.
        rungs: places of the rungs [m], shape (n, 3).
        half_period: half the period of the body as a pendulum [s].
        last_release: time after which no hand leaves its rung [s].
    """
    begins = [-HANDHOLDS.hold_before_clip, -HANDHOLDS.hold_before_clip]
    releases = []
    release_time = HANDHOLDS.initial_rest_time
    for k in range(len(rungs) - 2):
        if release_time > last_release:
            break
        swing_length = 0.5 * float(np.linalg.norm(rungs[k + 2] - rungs[k]))
        speed = float(task.speed.value_at(release_time))
        period = (
            float(
                np.clip(
                    swing_length / speed / half_period,
                    HANDHOLDS.min_swing_period,
                    HANDHOLDS.max_swing_period,
                )
            )
            if speed > 0
            else HANDHOLDS.natural_swing_period
        )
        swings_from_end = min(k, len(rungs) - 3 - k)
        if swings_from_end < len(HANDHOLDS.end_swing_periods):
            period = max(period, HANDHOLDS.end_swing_periods[swings_from_end])
        releases.append(release_time)
        begins.append(release_time + (period - HANDHOLDS.double_hold_share) * half_period)
        release_time += period * half_period
    final_release = begins[-1] + HANDHOLDS.hold_after_last_swing
    return np.stack([begins, [*releases, final_release, final_release]], -1)


def _note_speed_error(task: Task, rungs: Array, hold_spans: Array) -> tuple[str, ...]:
    """Return a note if the swings are faster or slower than requested."""
    if len(hold_spans) < HANDHOLDS.min_reported_holds:
        return ()
    begin = hold_spans[2, 0]
    end = hold_spans[-2, 0]
    actual_speed = float(
        np.linalg.norm(np.diff(rungs[1 : len(hold_spans) - 2], axis=0), axis=1).sum()
    ) / (end - begin)
    requested_speed = float(np.mean(task.speed.value_at(np.linspace(begin, end, 50))))
    if (
        requested_speed <= 0
        or abs(actual_speed - requested_speed) < HANDHOLDS.reported_speed_error * requested_speed
    ):
        return ()
    return (
        f"the body moves along the bars at {actual_speed:.2f} m/s where {requested_speed:.2f} were "
        "requested: gravity sets the time of a swing; put the rungs farther apart to be faster, "
        "nearer together to be slower",
    )
