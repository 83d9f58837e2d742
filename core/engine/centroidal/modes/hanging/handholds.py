"""Which hand holds which rung from when to when: one rung after the other, left and right in turn."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .....character.character import Character
from .....errors import CharacterError, TaskError
from .....geometry import so3
from .....motion.footstep import Footstep
from .....task import Bars, Task

Array = NDArray[np.float64]

BEFORE, AFTER = 2.0, 10.0     # s that hands hold before the clip and after the last swing
REST = 0.7                    # s that the body hangs by both hands at the begin
BOTH = 0.16                   # of the pendulum's half period, for which both hands hold between two swings
QUICKEST, SLOWEST = 0.62, 0.84     # of it, from one hold to the next
NATURAL = 0.75                # the same where no speed is asked for
FROM_REST = (1.0, 0.82)       # the same for the first two swings and the last two
APART = 0.4                   # half shoulder widths that hands hold from the middle of a rung
SPAN, CLIMB = 1.0, 0.25       # arm's lengths from rung to rung, and up or down, at most
LEAST_SPAN = 0.3              # the same, least: nearer rungs would be left out by a body that swings
STEEPEST_TURN = np.radians(30)     # from rung to rung
OFF_SPEED = 0.1               # share of the speed asked for that is worth a note when it is missing


@dataclass(frozen=True)
class Handholds:
    """Grips in the order of the rungs.

    `both[k]` are begin and end of the time in which hold k and hold k + 1 are both kept.
    """

    grips: tuple[Footstep, ...]
    both: Array               # (k - 1, 2)
    notes: tuple[str, ...] = ()

    @property
    def places(self) -> Array:
        """Where hands hold. (k, 3)."""
        return np.stack([g.position for g in self.grips])

    @property
    def headings(self) -> Array:
        """The way ahead at each hold, unwrapped. (k,) rad."""
        return np.unwrap([g.yaw for g in self.grips])


def take_hold(task: Task, bars: Bars, character: Character, arm: float, half_period: float, until: float) -> Handholds:
    """Alternate hands along the bars.

    Args:
        arm: length of an arm from shoulder to grip, m.
        half_period: of the body as a pendulum, s.
        until: after which no hand leaves its rung any more, s.

    Raises:
        CharacterError: the body has no two hands.
        TaskError: a rung that the next hand cannot reach.
    """
    left, right = _two_hands(character)
    within_reach(bars, arm)
    shoulder = float(np.mean([abs(character.origin(limb.links[0])[1]) for limb in character.holders]))
    rungs, yaw = bars.rungs, _headings(bars)
    moments = _moments(task, rungs, half_period, until)
    grips = []
    for k, (begin, end) in enumerate(moments):
        hand = (left, right)[k % 2]
        rotation = so3.about("z", yaw[k])
        place = rungs[k] + character.holders[hand].side * APART * shoulder * rotation[:, 1]
        grips.append(Footstep(len(character.legs) + hand, begin, begin, end, end, place, rotation, kept=True, grip=True))
    both = np.stack([moments[1:, 0], moments[:-1, 1]], -1)
    return Handholds(tuple(grips), both, _told_speed(task, rungs, moments))


def _two_hands(character: Character) -> tuple[int, int]:
    """Numbers of the left and the right hand among those that can hold."""
    sides = [limb.side for limb in character.holders]
    if 1 not in sides or -1 not in sides:
        have = ", ".join(limb.name for limb in character.limbs)
        raise CharacterError(f"{character.name!r} cannot go along bars: that takes a left and a right arm with hands, and its "
                             f"limbs are: {have}. Take a character with both arms, or take the bars out of the task.")
    return sides.index(1), sides.index(-1)


def within_reach(bars: Bars, arm: float) -> None:
    """Refuse rungs that no hand reaches from the one before.

    Raises:
        TaskError: it names the first such rung and where it would have to be.
    """
    steps = np.diff(bars.rungs, axis=0)
    turns = np.abs(np.diff(np.unwrap(so3.angle(steps[:, 1], steps[:, 0]))))
    for k, step in enumerate(steps):
        span, climb, pair = float(np.linalg.norm(step)), float(step[2]), f"Rung {k + 2} is"
        if span > SPAN * arm:
            raise TaskError(f"{pair} {span:.2f} m from rung {k + 1}; arms of {arm:.2f} m reach {SPAN * arm:.2f} m at most. "
                            "Put it nearer, or another rung between them.")
        if span < LEAST_SPAN * arm:
            raise TaskError(f"{pair} only {span:.2f} m from rung {k + 1}; a body with arms of {arm:.2f} m swings at least "
                            f"{LEAST_SPAN * arm:.2f} m. Put it farther away, or leave it out.")
        if abs(climb) > CLIMB * arm:
            raise TaskError(f"{pair} {abs(climb):.2f} m {'higher' if climb > 0 else 'lower'} than rung {k + 1}; with arms of "
                            f"{arm:.2f} m it may be {CLIMB * arm:.2f} m at most. Spread the climb over more rungs.")
        if k and turns[k - 1] > STEEPEST_TURN:
            raise TaskError(f"The way along the bars turns by {np.degrees(turns[k - 1]):.0f} degrees at rung {k + 1}; at most "
                            f"{np.degrees(STEEPEST_TURN):.0f} from rung to rung are possible. Make the turn wider.")


def _headings(bars: Bars) -> Array:
    """The way ahead at each rung: the mean of the ways to it and from it. (n,) rad."""
    steps = np.diff(bars.rungs[:, :2], axis=0)
    way = np.unwrap(so3.angle(steps[:, 1], steps[:, 0]))
    return np.concatenate([way[:1], 0.5 * (way[1:] + way[:-1]), way[-1:]])


def _moments(task: Task, rungs: Array, half_period: float, until: float) -> Array:
    """Begin and end of each hold. (k, 2)."""
    begins, lifts, now = [-BEFORE, -BEFORE], [], REST
    for k in range(len(rungs) - 2):
        if now > until:
            break
        way = 0.5 * float(np.linalg.norm(rungs[k + 2] - rungs[k]))
        speed = float(task.speed.at(now))
        period = float(np.clip(way / speed / half_period, QUICKEST, SLOWEST)) if speed > 0 else NATURAL
        inside = min(k, len(rungs) - 3 - k)             # swings from the nearer end of the bars
        if inside < len(FROM_REST):
            period = max(period, FROM_REST[inside])
        lifts.append(now)
        begins.append(now + (period - BOTH) * half_period)
        now += period * half_period
    after = begins[-1] + AFTER
    return np.stack([begins, [*lifts, after, after]], -1)


def _told_speed(task: Task, rungs: Array, moments: Array) -> tuple[str, ...]:
    """A note where swings could not be as fast or as slow as asked for."""
    if len(moments) < 5:
        return ()
    begin, end = moments[2, 0], moments[-2, 0]
    had = float(np.linalg.norm(np.diff(rungs[1:len(moments) - 2], axis=0), axis=1).sum()) / (end - begin)
    asked = float(np.mean(task.speed.at(np.linspace(begin, end, 50))))
    if asked <= 0 or abs(had - asked) < OFF_SPEED * asked:
        return ()
    return (f"the bars are gone along at {had:.2f} m/s where {asked:.2f} were asked for: a swing takes as long as the body's "
            "weight gives it; put the rungs farther apart to be faster, nearer together to be slower",)
