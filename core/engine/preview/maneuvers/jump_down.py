"""Off a ledge: off one foot as in a walk, down on both at once, deep into the knees, and up again."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ....geometry.curves import smooth
from ....simulate import Reading, Reference, State, SwingTarget
from ....simulate.body import UP
from ..feet.heel_off import is_on_ball
from .balance import on_feet
from .base import LEDGE, Staged

Array = NDArray[np.float64]

# heights of the centre of mass are shares of the standing body's
HIGH, UPWARD = 1.01, 0.45         # at the take-off, and m/s
OVER, FAST, ASIDE = 0.25, 1.1, 0.1            # m ahead of the foot then, m/s ahead and m/s toward the other foot
SOONEST, LAST = 0.15, 0.08        # s that leaving takes at least, and that are counted on at its end
ROLLS = 0.10                      # s before the take-off, from where the heel rises
SWINGS, APEX, LATER = (0.30, -0.12), 0.12, 0.1        # m beyond the edge and above it, to where the leading foot swings; s
BESIDE, APART = 0.1, 0.12         # m of a foot to its side, then and at the landing
BACKWARD = -5.5                   # Nms of the body's turning at the take-off: legs that come ahead turn the trunk the other way
TUCKS = ((0.15, 0.88), (0.02, 0.73))          # m ahead of the centre of mass, and below it, of leading and trailing foot,
TUCKED = 0.18                     # s from the take-off until they are there
REACH, REACHES, READY = 0.98, 0.2, 0.05       # below it at the landing, and s in which, and before which, they get there
CATCHES = 0.13                    # s of its speed that feet are ahead of it then
BOWS, POINTS = 0.4, 0.5           # rad ahead that the trunk leans by then, and that toes hang: ankles brake heels that come later
SOON = 0.004                      # s over which it is seen how fast the feet's places move
AIRBORNE, DOWN = 0.15, 0.1        # s in the air before a foot can land; m above the ground below which it has
FORWARD = 0.07                    # m ahead of the feet's middles, where the body comes to rest
BRAKES, FRONT, HARDEST = 19.0, 1.6, 38.0      # m/s^2 that legs like to brake by, how much more at first, and at most
SQUAT, LEAST = 0.65, 0.03         # to which it is to sink at most; m of way that are counted on
SLOW, BENT = 0.35, 0.1            # m/s downward at which it rises again, s after its landing at the earliest
LEAN, LEANS = 1.6, 0.93           # rad for each m that it is lower than that
RISES, SETTLES = 0.9, 0.3         # s
STEPS = 0.85                      # from where on it steps at once if it has come too far ahead
PRESSES = 0.1                     # m below the ground to which a foot reaches while only the other one is down
LEAVING = replace(LEDGE, momentum=0.2, momentum_rate=8.0)
FALLING = replace(LEDGE, chest=1.5, tilt=1.5, head=0.4, trailing=20.0, rest=0.06)
# what has touched the ground stays there at once: toes that strike it bounce as the foot comes down behind them
LANDING = replace(LEDGE, chest=0.5, tilt=0.3, head=0.3, hip=0.05, momentum=0.1, stance_rate=120.0)


@dataclass
class LeapDown(Staged):
    """One leap, from a step's beginning on until the body stands on the lower ground."""

    _lasts: float = 0.0               # s that leaving takes
    _down: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(2, bool))           # feet that have landed

    def reference(self, state: State, now: Reading) -> Reference | None:
        """What to do now; None once the body stands."""
        t, loads = state.time - self.since, self.loads(state)
        over = float((now.com[:2] - self.feet[self.stance, :2]) @ self.axes[0])
        landed = (loads > 0.02) & (now.feet.place[:, 2] < self.beyond + DOWN)             # what brushes the edge has not landed
        if not self.stage:
            self.enter("leaves", state, now)
            over = float((now.com[:2] - self.feet[self.stance, :2]) @ self.axes[0])
            self._lasts = max((OVER - over) / max(float(now.com_velocity[:2] @ self.axes[0]), 0.5), SOONEST)
        elif self.stage == "leaves" and (over > OVER or (t > LATER and loads[self.stance] < 0.02)):
            self.enter("falls", state, now)
        elif self.stage == "falls" and t > AIRBORNE and landed.any():
            self.enter("lands", state, now)
        elif self.stage == "lands" and now.com_velocity[2] > -SLOW and t > BENT:
            self.enter("rises", state, now)
        elif (self.stage == "rises" and (t > RISES + SETTLES or self._must_step(now))) or self.is_stuck(state):
            return None
        if self.stage == "lands":
            self._down |= landed
        does = {"leaves": self._leave, "falls": self._fall, "lands": self._land, "rises": self._rise}
        return does[self.stage](state.time - self.since, now)

    def _must_step(self, now: Reading) -> bool:
        """Whether the body has come past its toes, and is up so far that it can step."""
        toes = max(float((points[:, :2] @ self.axes[0]).max()) for points in now.points)
        return self.lacks(now, self.beyond, STEPS) == 0 and float(self.caught(now, self.beyond) @ self.axes[0]) > toes

    def _leave(self, t: float, now: Reading) -> Reference:
        """On the last foot until the body is over the edge."""
        foot, other, left = self.feet[self.stance], 1 - self.stance, max(self._lasts - t, LAST)
        up = self.upward(t, self._lasts, foot[2] + HIGH * self.standing, UPWARD, now)
        side = 1.0 - 2.0 * other
        wanted = (np.array([FAST, side * ASIDE]) - self.axes @ now.com_velocity[:2]) / left @ self.axes
        rolls = (self.stance,) if left < ROLLS or self.heels_up(now, (self.stance,)) else ()
        accel = on_feet(now.com, np.append(wanted, up), foot[2], self.gravity, self.soles(now, (self.stance,), rolls))
        aside = float((now.com[:2] - self.edge) @ self.axes[1]) + side * BESIDE
        place = np.append(self.edge + np.array([SWINGS[0], aside]) @ self.axes, foot[2] + SWINGS[1])
        swing = SwingTarget(other, place, self.heading, UP, max(self._lasts + LATER - t, LATER), t, self.feet[other], APEX)
        return Reference(accel, self.turn(now), self.heading, (self.stance,), swing, rolls, gains=LEAVING,
                         momentum=np.append(BACKWARD * self.axes[1], 0.0))

    def _fall(self, t: float, now: Reading) -> Reference:
        """In the air: feet come beside each other, the trailing one is drawn up over the edge, and both reach for the ground."""
        speed, high = float(now.com_velocity[2]), float(now.com[2]) - self.beyond - REACH * self.standing
        left = (speed + np.sqrt(max(speed * speed + 2 * self.gravity * high, 0.0))) / self.gravity
        velocity, late = self.axes @ now.com_velocity[:2], _lateness(left)
        hangs = self._below(t, left, velocity)
        # with the speed of their places: feet that lag behind them still reach down as they land, and strike harder
        hanging = (self._below(t + SOON, left - SOON, velocity) - hangs) / SOON
        folds = (self.stance,) if t < TUCKED else (0, 1) if late > 0 else ()       # straight legs would stop it dead
        return Reference(None, self.turn(now), self.heading, (), None, (), hangs=hangs, hanging=hanging, folds=folds,
                         gains=FALLING, lean=BOWS * late, points=POINTS * late)

    def _below(self, t: float, left: float, velocity: Array) -> Array:
        """Where the feet are to be in the air, from the centre of mass. (2, 3) m.

        Args:
            t, left: s since the take-off and until the landing.
            velocity: (2,) m/s across the edge and along it.
        """
        early, late, hangs = float(smooth(t / TUCKED)), _lateness(left), np.zeros((2, 3))
        for leg in range(2):
            begin = self.feet[leg] - self.begin[:3]
            ahead, below = TUCKS[int(leg == self.stance)]
            goal = np.array([(1 - late) * ahead + late * CATCHES * velocity[0],
                             (1.0 - 2.0 * leg) * APART + late * CATCHES * velocity[1],
                             -self.standing * ((1 - late) * below + late * REACH)])
            place = (1 - early) * np.append(self.axes @ begin[:2], begin[2]) + early * goal
            hangs[leg] = np.append(place[:2] @ self.axes, place[2])
        return hangs

    def _land(self, t: float, now: Reading) -> Reference:
        """Legs brake the fall, hardest while they are straight."""
        fall = min(float(now.com_velocity[2]), 0.0)
        low = max(SQUAT * self.standing, float(self.begin[2]) - self.beyond - float(self.begin[5]) ** 2 / (2 * BRAKES))
        left = max(float(now.com[2]) - self.beyond - low, LEAST)
        return self._stand(now, min(FRONT * fall * fall / (2 * left), HARDEST))

    def _rise(self, t: float, now: Reading) -> Reference:
        return self._stand(now, self.upward(t, RISES, self.beyond + self.standing, 0.0, now))

    def _stand(self, now: Reading, up: float) -> Reference:
        """On the feet that have landed, the trunk ahead over folded legs."""
        legs = tuple(int(leg) for leg in np.flatnonzero(self._down))
        # who counts on heels that are still in the air lets them fall: they strike at 6 m/s
        stiff = self.heels_up(now, legs)
        rolls = tuple(leg for leg in legs if leg in stiff or is_on_ball(now, leg))
        goal = now.feet.place[:, :2].mean(0) + FORWARD * self.axes[0]
        wanted = np.append(self.toward(now, goal, self.beyond), up)
        accel = on_feet(now.com, wanted, self.beyond, self.gravity, self.soles(now, legs, rolls))
        hangs = now.feet.place - now.com
        hangs[:, 2] = self.beyond - PRESSES - now.com[2]
        lean = LEAN * self.lacks(now, self.beyond, LEANS)
        return Reference(accel, self.turn(now), self.heading, legs, None, rolls, gains=LANDING, hangs=hangs, lean=lean)


def _lateness(left: float) -> float:
    """How far legs have come from being tucked to reaching for the ground, so many s before the landing."""
    return float(smooth(1 - (left - READY) / REACHES))
