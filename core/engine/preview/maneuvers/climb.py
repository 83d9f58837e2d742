"""Up a ledge as high as a knee: one foot on it, the weight over that foot, up, and the other foot beside it."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....geometry import so3
from ....geometry.curves import quintic, stepped
from ....geometry.planar import axes_of
from ....simulate import Reading, Reference, State, SwingTarget
from ....simulate.body import UP
from .balance import on_feet
from .base import FOLLOW, LEDGE, Staged

Array = NDArray[np.float64]

# heights of the centre of mass are shares of the standing body's
BEYOND, APART = 0.15, 0.09        # m past the edge, and to either side of their middle, where feet come to stand
GATHERS = 0.5                     # s in which the second foot comes beside the first, before the ledge
LEANS, STRICT = (0.4, 1.2), 0.55  # s at least and at most until the weight is over one foot, and of `OVER` how well
REACHES, FOLDS = 0.8, 0.5         # s in which the other one gets on the ledge, and share of it in which its knee is to bend
TOP, PRESSES = 0.08, 0.02         # m above the ledge that feet pass it by, and below it to which they reach
SHIFTS, ON = 1.0, 0.2             # s in which the weight goes over to the upper foot, and m/s that it then still goes ahead
SHORT, INSIDE = 0.04, 0.01        # m before that foot to which it goes, and to its inside
HEEL, ROLLS = 0.06, 0.55          # m behind the lower foot's middle that bear; share of the way from where its heel rises
LOW = 0.52                        # above the ledge as the lower foot leaves the ground
OVER = (0.06, 0.025)              # m that the capture point may be behind the middle of the foot, and beside it
RISES, CLEAR = 0.8, 0.77          # s of getting up; above the ledge, from where the other foot is brought up
TRAILS, DEEPEST = 0.05, 0.86      # m that it is held farther behind until then, and m below the centre of mass at most
JOINS, STRAIGHTENS = 0.6, 0.4     # s in which it comes beside the other, and in which the body is upright
NARROW, WIDEST = 0.03, 0.34        # m of a sole to its side that bear; farther aside than it would come down, at most
MARGINS = 0.07, 0.03              # m past where the body falls to, before the ledge and on it
SETTLES, BETWEEN = (0.3, 1.2), 0.05           # s on both feet at least and at most, until the body is so near to between them, m
FORWARD = 0.03                    # m ahead of the feet's middles, where the body rests
LEAN, LEANED = 0.9, 0.93          # rad for each m that it is lower than that
MOMENT = 0.004                    # s over which a foot's way is told as a speed
CLIMBING = replace(LEDGE, chest=0.7, tilt=0.5, head=0.4, hip=0.05, momentum=0.1, trailing=10.0)


@dataclass
class Climb(Staged):
    """Once, from a step's beginning on until the body stands on the ledge."""

    _aside: float = 0.0               # m to the left of the edge's middle, between both feet

    def reference(self, state: State, now: Reading) -> Reference | None:
        """What to do now; None once the body stands."""
        t, loads, low, lead = state.time - self.since, self.loads(state), self.stance, 1 - self.stance
        if not self.stage:
            self.enter("gathers", state, now)
            self._aside = float((self.feet[low, :2] - self.edge) @ self.axes[1]) - APART * self._side(low)
        elif self.stage == "gathers" and t > 0.5 * GATHERS and loads[lead] > 0.05:
            self.enter("leans", state, now)
        elif self.stage == "leans" and t > LEANS[0] and self._is_over(now, low, STRICT):
            self.enter("reaches", state, now)
        elif self.stage == "reaches" and t > 0.4 * REACHES and loads[lead] > 0.05 and now.feet.place[lead, 2] > self.beyond - 0.05:
            self.enter("shifts", state, now)
        elif self.stage == "shifts" and (self._is_over(now, lead, np.inf) or (t > 0.2 * SHIFTS and loads[low] < 0.02)):
            self.enter("rises", state, now)
        elif self.stage == "rises" and now.com[2] - self.beyond > CLEAR * self.standing:
            self.enter("joins", state, now)
        elif self.stage == "joins" and t > 0.5 * JOINS and loads[low] > 0.05:
            self.enter("settles", state, now)
        elif self._is_done(t, now) or self.is_stuck(state):
            return None
        does = {"gathers": self._gather, "leans": self._lean, "reaches": self._reach, "shifts": self._shift, "rises": self._rise,
                "joins": self._join, "settles": self._settle}
        return does[self.stage](state.time - self.since, now)

    def _side(self, leg: int) -> float:
        return 1.0 - 2.0 * leg

    def _is_over(self, now: Reading, leg: int, strict: float = 1.0) -> bool:
        """Whether the capture point is over a foot."""
        foot = now.feet.place[leg]
        ahead, aside = axes_of(float(so3.yaw_of(now.feet.rotation[leg]))) @ (self.caught(now, float(foot[2])) - foot[:2])
        return bool(ahead > -OVER[0] and abs(aside) < strict * OVER[1])

    def _is_done(self, t: float, now: Reading) -> bool:
        """Whether the body stands on both feet, has had the time to, or falls past them: then it must step, and try again."""
        if self.stage not in ("leans", "settles"):
            return False
        level = float(now.feet.place[:, 2].mean())
        behind, aside = self.axes @ (self.caught(now, level) - now.feet.place[:, :2].mean(0)) - [FORWARD, 0.0]
        apart = abs(float((now.feet.place[0] - now.feet.place[1])[:2] @ self.axes[1]))
        if abs(aside) > 0.5 * apart + NARROW or t > {"leans": LEANS, "settles": SETTLES}[self.stage][1]:
            return True
        return self.stage == "settles" and t > SETTLES[0] and abs(aside) < BETWEEN and behind > -BETWEEN

    def _middle(self, now: Reading, leg: int) -> Array:
        """Over which the body rests on one foot, (2,): ahead along that foot, which may stand askew and is narrow."""
        return np.asarray(now.feet.place[leg, :2] + FORWARD * axes_of(float(so3.yaw_of(now.feet.rotation[leg])))[0])

    def _inside(self, now: Reading) -> Array:
        """Where the weight is to be on the upper foot, (2,): to the inside, for as the body rises it drifts outward."""
        return np.asarray(now.feet.place[1 - self.stance, :2] + INSIDE * self._side(self.stance) * self.axes[1])

    def _gather(self, t: float, now: Reading) -> Reference:
        """On one foot while the other one comes beside it."""
        foot, lead = now.feet.place[self.stance], 1 - self.stance
        aside = self._beside(lead) + self._side(lead) * self._wider(lead, max(GATHERS - t, 0.0), now, float(foot[2]), MARGINS[0])
        along, _ = self.axes @ (foot[:2] - self.edge)
        place = np.append(self.edge + np.array([along, aside]) @ self.axes, foot[2])
        # no farther over to a foot that comes down far aside: the body has to come back from there
        goal = foot[:2] + np.array([FORWARD, APART * self._side(lead)]) @ self.axes
        swing = SwingTarget(lead, place, self.heading, UP, max(GATHERS - t, 0.02), t, self.feet[lead])
        return self._stand(now, (self.stance,), goal, self.upward(t, GATHERS, foot[2] + self.standing, 0.0, now), swing=swing)

    def _lean(self, t: float, now: Reading) -> Reference:
        """On both feet until the weight is over the one that stays."""
        foot = now.feet.place[self.stance]
        up = self.upward(t, LEANS[0], foot[2] + self.standing, 0.0, now)
        return self._stand(now, (0, 1), self._middle(now, self.stance), up)

    def _reach(self, t: float, now: Reading) -> Reference:
        """On the lower foot while the other one gets on the ledge."""
        foot, lead = now.feet.place[self.stance], 1 - self.stance
        up = self.upward(t, REACHES, foot[2] + self.standing, 0.0, now)
        return self._stand(now, (self.stance,), self._middle(now, self.stance), up,
                           self._stepping(lead, t / REACHES, REACHES, now), (lead,) if t < FOLDS * REACHES else ())

    def _shift(self, t: float, now: Reading) -> Reference:
        """On both feet until the body is over the upper one."""
        low, high = now.feet.place[self.stance], now.feet.place[1 - self.stance]
        line = self._inside(now) - low[:2]
        length = float(np.linalg.norm(line))
        # from foot to foot, and across, where soles bear little
        axes = np.array([line, [-line[1], line[0]]]) / length
        begin, speed = axes @ (self.begin[:2] - low[:2]), axes @ self.begin[3:5]
        at, rate, gain = quintic(t / SHIFTS, SHIFTS, np.array([begin[0], speed[0]]), np.array([length - SHORT, ON]))
        gone, velocity = axes @ (now.com - low)[:2], axes @ now.com_velocity[:2]
        share = float(np.clip(gone[0] / length, 0.0, 1.0))
        level = float(low[2] + share * (high[2] - low[2]))
        along = gain + FOLLOW * (at - gone[0]) + 2 * np.sqrt(FOLLOW) * (rate - velocity[0])
        # no more than the lower heel can give: what is asked of it besides keeps the body on the line
        along = min(along, self.gravity / (float(now.com[2]) - level) * (gone[0] + HEEL))
        across = float(axes[1] @ self.toward(now, low[:2], level))
        up = self.upward(t, SHIFTS, max(self.beyond + LOW * self.standing, float(self.begin[2])), 0.0, now)
        rolls = (self.stance,) if share > ROLLS else ()
        return self._balanced(now, (0, 1), np.append(np.array([along, across]) @ axes, up), level, rolls)

    def _rise(self, t: float, now: Reading) -> Reference:
        """Up on the upper foot, the other one held behind the edge: a leg that came along would strike it."""
        up = self.upward(t, RISES, self.beyond + self.standing, 0.0, now)
        hangs = self.feet - now.com
        hangs[self.stance, :2] -= TRAILS * self.axes[0]
        hangs[self.stance, 2] = max(hangs[self.stance, 2], -DEEPEST)
        return self._stand(now, (1 - self.stance,), self._inside(now), up, (hangs, np.zeros((2, 3))))

    def _join(self, t: float, now: Reading) -> Reference:
        """The other foot comes up, over the edge and beside the first."""
        up = self.upward(t, STRAIGHTENS, self.beyond + self.standing, 0.0, now)
        return self._stand(now, (1 - self.stance,), self._inside(now), up,
                           self._stepping(self.stance, t / JOINS, JOINS, now))

    def _settle(self, t: float, now: Reading) -> Reference:
        up = self.upward(t, SETTLES[0], self.beyond + self.standing, 0.0, now)
        return self._stand(now, (0, 1), now.feet.place[:, :2].mean(0) + FORWARD * self.axes[0], up)

    def _stepping(self, leg: int, share: float, lasts: float, now: Reading) -> tuple[Array, Array]:
        """Where a foot that comes up is to be, as seen from the centre of mass, and how fast, each (legs, 3)."""
        aside = self._beside(leg)
        if leg == self.stance:
            aside += self._side(leg) * self._wider(leg, max((1 - share) * lasts, 0.0), now, self.beyond, MARGINS[1])
        end = np.append(self.edge + np.array([BEYOND, aside]) @ self.axes, self.beyond - PRESSES)
        at, soon = (stepped(self.feet[leg], end, self.beyond + TOP, s) for s in (share, share + MOMENT / lasts))
        hangs, rates = np.zeros((2, 3)), np.zeros((2, 3))
        hangs[leg], rates[leg] = at - now.com, (soon - at) / MOMENT - now.com_velocity
        return hangs, rates

    def _beside(self, leg: int) -> float:
        """Where a foot comes down beside the other one, m to the left of the edge's middle."""
        return self._aside + APART * self._side(leg)

    def _wider(self, leg: int, left: float, now: Reading, level: float, margin: float) -> float:
        """How much farther aside a foot has to come down for the body not to fall past it, m.

        Args:
            left: s until then, in which the body falls away from the inner edge of the foot that bears it.
            level: of the ground there, m.
            margin: m past where the body falls to.
        """
        side, rate = self._side(leg), self.rate(now, level)
        bears = float((now.feet.place[1 - leg, :2] - self.edge) @ self.axes[1]) + side * NARROW
        caught = float((self.caught(now, level) - self.edge) @ self.axes[1])
        falls = side * (bears + (caught - bears) * float(np.exp(rate * left)) - self._beside(leg))
        return float(np.clip(falls + margin, 0.0, WIDEST))

    def _stand(self, now: Reading, legs: tuple[int, ...], goal: Array, up: float, hangs: tuple[Array, Array] | None = None,
               folds: tuple[int, ...] = (), swing: SwingTarget | None = None) -> Reference:
        """On some legs, coming to rest over a goal (2,) along the ground."""
        level = float(now.feet.place[list(legs), 2].mean())
        return self._balanced(now, legs, np.append(self.toward(now, goal, level), up), level, (), hangs, folds, swing)

    def _balanced(self, now: Reading, legs: tuple[int, ...], wanted: Array, level: float, rolls: tuple[int, ...],
                  hangs: tuple[Array, Array] | None = None, folds: tuple[int, ...] = (),
                  swing: SwingTarget | None = None) -> Reference:
        """On some legs, accelerating as wanted as far as their soles can make it, the trunk ahead over folded legs."""
        accel = on_feet(now.com, wanted, level, self.gravity, self.soles(now, legs, rolls))
        lean = LEAN * self.lacks(now, level, LEANED)
        places, speeds = hangs if hangs is not None else (None, None)
        return Reference(accel, self.turn(now), self.heading, legs, swing, rolls, hangs=places, hanging=speeds, folds=folds,
                         gains=CLIMBING, lean=lean)
