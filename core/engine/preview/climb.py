"""Up a ledge as high as a knee: one foot on it, over that foot, up, and the other foot beside it."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...simulate import Body, Gains, Reading, Reference, State, SwingTarget
from ...slip.body import SlipBody
from .balancing import on_feet
from .course import near
from .curves import quintic, stepped

Array = NDArray[np.float64]
Stage = Literal["gathers", "leans", "reaches", "shifts", "rises", "joins", "settles"]

BEYOND = 0.15                         # m past the edge, where feet come to stand on it
APART = 0.09                          # m of feet to each side of the way
GATHERS, LEANS = 0.5, 0.4
REACHES = 0.8                         # s that the first foot is on its way up
SOONER = 1.25                         # how much sooner it is there aside than ahead
ON = 0.2                              # m/s
SHIFTS = 1.0                          # s until the weight is over it
SHORT = 0.04                          # m that the body is then behind that foot's middle
LOW = 0.47                            # m above the ledge of the centre of mass as the last foot leaves the ground
OVER = (0.06, 0.035)                  # m that the capture point may be off the middle of the upper foot
RISES = 0.8                           # s
CLEAR = 0.70                          # m above the ledge from where the other foot is brought up
JOINS, SETTLES = 0.6, 0.3             # s
FOLLOW = 60.0                         # 1/s^2
CATCH = 2.0
STIFF = 0.08
LEAN = 0.9, 0.85
CLIMBING = Gains(chest=0.7, tilt=0.5, head=0.4, hip=0.05, momentum=0.1, trailing=10.0)
ASIDE, WIDEST = 0.0, 0.25
PRESS, TOP, DT = 0.02, 0.08, 0.004
UP = np.array([0.0, 0.0, 1.0])


@dataclass
class Climb:
    """Once.

    Args:
        stance: foot on the ground before the ledge, 0 left, 1 right.
        edge: (2,) m.
        above: height of the ledge, m.
        heading: rad, across the edge.
    """

    body: Body
    slip: SlipBody
    stance: int
    edge: Array
    above: float
    heading: float
    stage: Stage | None = None
    _since: float = 0.0
    _begin: Array = field(default_factory=lambda: np.zeros(6))

    def reference(self, state: State, now: Reading) -> Reference | None:
        """What to do now; None once the body stands."""
        t = state.time - self._since
        loads = np.array([foot.normal for foot in state.feet]) / self.body.weight
        lead = 1 - self.stance
        if self.stage is None:
            self._enter("gathers", state, now)
        elif self.stage == "gathers" and t > 0.25 and loads[lead] > 0.05:
            self._enter("leans", state, now)
        elif self.stage == "leans" and t > LEANS and self._is_over(now, self.stance, 0.4):
            self._enter("reaches", state, now)
        elif self.stage == "reaches" and t > 0.3 and loads[lead] > 0.05 and now.feet.place[lead, 2] > self.above - 0.05:
            self._enter("shifts", state, now)
        elif self.stage == "shifts" and (self._is_over(now, lead) or (t > 0.2 and loads[self.stance] < 0.02)):
            self._enter("rises", state, now)
        elif self.stage == "rises" and now.com[2] - self.above > CLEAR:
            self._enter("joins", state, now)
        elif self.stage == "joins" and t > 0.3 and loads[self.stance] > 0.05:
            self._enter("settles", state, now)
        elif self.stage == "settles" and t > SETTLES:
            return None
        t = state.time - self._since
        turn = FOLLOW * near(self.heading - now.heading) - 2 * np.sqrt(FOLLOW) * now.heading_rate
        does = {"gathers": self._gathers, "leans": self._leans, "reaches": self._reaches, "shifts": self._shifts, "rises": self._rises, "joins": self._joins,
                "settles": self._settles}
        assert self.stage is not None
        return does[self.stage](t, now, turn)

    def _enter(self, stage: Stage, state: State, now: Reading) -> None:
        self.stage, self._since = stage, state.time
        self._begin = np.append(now.com, now.com_velocity)
        self._feet = now.feet.place.copy()

    @property
    def _axes(self) -> Array:
        """Ahead and to the left. (2, 2)."""
        c, s = np.cos(self.heading), np.sin(self.heading)
        return np.array([[c, s], [-s, c]])

    def _place(self, leg: int) -> Array:
        """Where a foot is to stand on the ledge."""
        return np.append(self.edge + np.array([BEYOND, APART * (1.0 - 2.0 * leg)]) @ self._axes, self.above)

    def _is_over(self, now: Reading, leg: int, strict: float = 1.0) -> bool:
        """Whether the capture point is over a foot."""
        foot = now.feet.place[leg]
        rate = np.sqrt(self.slip.gravity / max(now.com[2] - foot[2], 0.3))
        off = self._axes @ (now.com[:2] + now.com_velocity[:2] / rate - foot[:2])
        return bool(off[0] > -OVER[0] and abs(off[1]) < strict * OVER[1])

    def _toward(self, now: Reading, goal: Array, level: float, velocity: Array | float = 0.0) -> Array:
        rate = np.sqrt(self.slip.gravity / max(now.com[2] - level, 0.3))
        return np.asarray(rate * rate * CATCH * (goal[:2] - now.com[:2]) + rate * (1 + CATCH) * (velocity - now.com_velocity[:2]))

    def _upward(self, t: float, lasts: float, end: float, now: Reading) -> float:
        at, rate, gain = quintic(t / lasts, lasts, self._begin[[2, 5]], np.array([end, 0.0]))
        return gain + FOLLOW * (at - now.com[2]) + 2 * np.sqrt(FOLLOW) * (rate - now.com_velocity[2])

    def _stood(self, now: Reading, legs: tuple[int, ...], wanted: Array, level: float, turn: float,
               swing: SwingTarget | None = None, hangs: tuple[Array, Array] | None = None, rolls: tuple[int, ...] = (),
               folds: tuple[int, ...] = ()) -> Reference:
        points = np.concatenate([now.points[leg][self.body.bearing_points(leg, leg in rolls), :2] for leg in legs])
        accel = on_feet(now.com, wanted, level, self.slip.gravity, points)
        lean = LEAN[0] * max(level + LEAN[1] - float(now.com[2]), 0.0)
        return Reference(accel, turn, self.heading, legs, swing, rolls, gains=CLIMBING, lean=lean, folds=folds,
                         hangs=None if hangs is None else hangs[0], hanging=None if hangs is None else hangs[1])

    def _gathers(self, t: float, now: Reading, turn: float) -> Reference:
        """On one foot while the other one comes beside it."""
        foot, lead = now.feet.place[self.stance], 1 - self.stance
        place = foot + np.append(np.array([0.0, 2 * APART * (1.0 - 2.0 * lead)]) @ self._axes, 0.0)
        goal = 0.5 * (foot + place)[:2] + np.array([0.03, 0.0]) @ self._axes
        wanted = np.append(self._toward(now, goal, foot[2]), self._upward(t, GATHERS, foot[2] + self.body.com_height, now))
        swing = SwingTarget(lead, place, self.heading, UP, max(GATHERS - t, 0.02), t, self._feet[lead])
        return self._stood(now, (self.stance,), wanted, foot[2], turn, swing)

    def _leans(self, t: float, now: Reading, turn: float) -> Reference:
        """On both feet until the weight is over the one that stays."""
        foot = now.feet.place[self.stance]
        goal = foot + np.append(np.array([0.03, 0.0]) @ self._axes, 0.0)
        wanted = np.append(self._toward(now, goal, foot[2]), self._upward(t, LEANS, foot[2] + self.body.com_height, now))
        return self._stood(now, (0, 1), wanted, foot[2], turn)

    def _reaches(self, t: float, now: Reading, turn: float) -> Reference:
        """On the lower foot while the other one swings up."""
        foot, lead = now.feet.place[self.stance], 1 - self.stance
        goal = foot[:2] + np.array([0.03, 0.0]) @ self._axes
        wanted = np.append(self._toward(now, goal, foot[2]), self._upward(t, REACHES, foot[2] + self.body.com_height, now))
        return self._stood(now, (self.stance,), wanted, foot[2], turn, hangs=self._stepping(lead, t, REACHES, now), folds=(lead,) if t < 0.5 * REACHES else ())

    def _stepping(self, leg: int, t: float, lasts: float, now: Reading) -> tuple[Array, Array]:
        """Where the foot that comes up is to be, as seen from the centre of mass, and how fast. Each (legs, 3)."""
        end = self._place(leg) - np.array([0.0, 0.0, PRESS])
        if leg == self.stance:            # farther aside, where the body falls to that side
            side = 1.0 - 2.0 * leg
            rate = np.sqrt(self.slip.gravity / max(now.com[2] - self.above, 0.3))
            caught = side * float(self._axes[1] @ (now.com[:2] + now.com_velocity[:2] / rate - end[:2]))
            end[:2] += side * float(np.clip(caught + ASIDE, 0.0, WIDEST)) * self._axes[1]
        at, soon = (stepped(self._feet[leg], end, self.above + TOP, (t + dt) / lasts) for dt in (0.0, DT))
        hangs, rates = np.zeros((2, 3)), np.zeros((2, 3))
        hangs[leg], rates[leg] = at - now.com, (soon - at) / DT - now.com_velocity
        return hangs, rates

    def _shifts(self, t: float, now: Reading, turn: float) -> Reference:
        """On both feet until the body is over the upper one."""
        low, high = now.feet.place[self.stance], now.feet.place[1 - self.stance]
        goal = high[:2] - SHORT * self._axes[0]
        way = self._axes @ (goal - self._begin[:2])
        _, vx, ax = x = quintic(t / SHIFTS, SHIFTS, np.array([0.0, float(self._begin[3:5] @ self._axes[0])]), np.array([way[0], ON]))
        gone, velocity = self._axes @ (now.com - self._begin[:3])[:2], self._axes @ now.com_velocity[:2]
        # aside as far as it has come ahead: both go by one centre of pressure
        slope = SOONER * way[1] / max(way[0], 0.1)
        aside, speed = slope * gone[0], slope * velocity[0]
        if abs(aside) > abs(way[1]):
            aside, speed, slope = way[1], 0.0, 0.0
        along = ax + FOLLOW * (x[0] - gone[0]) + 2 * np.sqrt(FOLLOW) * (vx - velocity[0])
        across = slope * ax + FOLLOW * (aside - gone[1]) + 2 * np.sqrt(FOLLOW) * (speed - velocity[1])
        share = float(np.clip((now.com - low)[:2] @ (high - low)[:2] / ((high - low)[:2] @ (high - low)[:2]), 0.0, 1.0))
        level = float(low[2] + share * (high[2] - low[2]))
        up = self._upward(t, SHIFTS, max(self.above + LOW, self._begin[2]), now)
        wanted = np.append(np.array([along, across]) @ self._axes, up)
        rolls = (self.stance,) if share > 0.55 else ()
        return self._stood(now, (0, 1), wanted, level, turn, rolls=rolls)

    def _rises(self, t: float, now: Reading, turn: float) -> Reference:
        """Up on the upper foot; the other one stays behind the edge."""
        foot = now.feet.place[1 - self.stance]
        wanted = np.append(self._toward(now, foot, self.above), self._upward(t, RISES, self.above + self.body.com_height, now))
        hangs = now.feet.place - now.com
        hangs[self.stance] = self._feet[self.stance] + [*(-0.05 * self._axes[0]), 0.0] - now.com
        hangs[self.stance, 2] = max(hangs[self.stance, 2], -0.86)
        return self._stood(now, (1 - self.stance,), wanted, self.above, turn, hangs=(hangs, np.zeros((2, 3))))

    def _joins(self, t: float, now: Reading, turn: float) -> Reference:
        """The other foot comes up, over the edge and beside the first."""
        foot = now.feet.place[1 - self.stance]
        wanted = np.append(self._toward(now, foot, self.above), self._upward(t, 0.4, self.above + self.body.com_height, now))
        return self._stood(now, (1 - self.stance,), wanted, self.above, turn, hangs=self._stepping(self.stance, t, JOINS, now))

    def _settles(self, t: float, now: Reading, turn: float) -> Reference:
        middle = now.feet.place.mean(0) + np.append(0.03 * self._axes[0], 0.0)
        wanted = np.append(self._toward(now, middle, self.above), self._upward(t, SETTLES, self.above + self.body.com_height, now))
        return self._stood(now, (0, 1), wanted, self.above, turn)
