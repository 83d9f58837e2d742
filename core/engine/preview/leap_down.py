"""Off a ledge: off one foot as in a walk, down on both at once, and up again."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...simulate import Body, Gains, Reading, Reference, State, SwingTarget
from .balancing import on_feet
from .course import near
from .curves import quintic, smooth

Array = NDArray[np.float64]
Stage = Literal["leaves", "falls", "lands", "rises"]

HIGH, UPWARD = 0.92, 0.45             # m above the ledge and m/s of the centre of mass at the take-off
OVER = 0.25                           # m that it is then ahead of the foot's middle
FAST = 1.1                            # m/s at which it leaves
ASIDE = 0.1                           # m/s toward the other foot
SOONEST = 0.15
ROLLS = 0.10                          # s before the take-off, from where the heel rises
SWINGS = (0.30, -0.12, 0.12)          # m beyond the edge and above the ledge ... of the leading foot
TUCK, TUCKED = ((0.15, 0.80), (0.02, 0.66)), 0.18     # m ahead of the centre of mass and below it, leading and trailing; s
REACH, REACHES, READY = 0.89, 0.2, 0.05           # m below the centre of mass, s, s
APART = 0.12                          # m of feet to each side
BALL = 0.08
CATCHES = 0.13                        # s of its speed that feet are ahead of the centre of mass
BEHIND = 0.05
FORWARD = 0.07                        # m ahead of the feet's middles, where the body comes to rest
BRAKES = 19.0                         # m/s^2 that legs like to brake by
SQUAT = 0.48                          # m above the ground to which it sinks
HARDEST = 38.0                        # m/s^2
FRONT = 1.6                           # how much harder legs brake at first
SLOW = 0.35                           # m/s
LEAN = 1.6, 0.85                      # rad for each m that the body is lower than so many
RISES, SETTLES = 0.9, 0.3             # s
FOLLOW = 60.0                         # 1/s^2
CATCH = 2.0
STIFF = 0.08
DOWN = 0.1
LEAVING = Gains(momentum=0.2, momentum_rate=8.0)
FALLING = Gains(chest=0.7, tilt=0.7, head=0.4, trailing=20.0, rest=0.06)
BOWS = 0.4                            # rad ahead that the trunk leans as the body lands
LANDING = Gains(chest=0.5, tilt=0.3, head=0.3, hip=0.05, momentum=0.1)
LEANS = -8.0                          # Nms backward at take-off


@dataclass
class LeapDown:
    """One leap.

    Args:
        stance: foot that it is off, 0 left, 1 right.
        edge: (2,) m, where the ledge ends.
        below: height of the ground on which it lands, m.
        heading: rad, across the edge.
        gravity: m/s^2.
    """

    body: Body
    stance: int
    edge: Array
    below: float
    heading: float
    gravity: float
    stage: Stage | None = None
    _since: float = 0.0
    _begin: Array = field(default_factory=lambda: np.zeros(6))
    _off: Array = field(default_factory=lambda: np.zeros((2, 3)))

    def reference(self, state: State, now: Reading) -> Reference | None:
        """What to do now; None once the body stands."""
        t = state.time - self._since
        loads = np.array([foot.normal for foot in state.feet]) / self.body.weight
        if self.stage in ("falls", "lands"):                  # what brushes the edge has not landed
            loads = np.where(now.feet.place[:, 2] < self.below + DOWN, loads, 0.0)
        if self.stage is None:
            self._enter("leaves", state, now)
            left = max((self._gone(self._middle) + OVER - self._gone(now.com)) / max(self._speed(now), 0.5), SOONEST)
            self._lasts = left
        elif self.stage == "leaves" and (self._gone(now.com) > self._gone(self._middle) + OVER or (t > 0.1 and loads[self.stance] < 0.02)):
            self._enter("falls", state, now)
        elif self.stage == "falls" and t > 0.15 and loads.sum() > 0.05:
            self._enter("lands", state, now)
            self._down = np.zeros(2, bool)
        elif self.stage == "lands" and now.com_velocity[2] > -SLOW and t > 0.1:
            self._enter("rises", state, now)
        elif self.stage == "rises" and t > RISES + SETTLES:
            return None
        if self.stage == "lands":
            self._down |= loads > 0.02
        t = state.time - self._since
        turn = FOLLOW * near(self.heading - now.heading) - 2 * np.sqrt(FOLLOW) * now.heading_rate
        does = {"leaves": self._leaves, "falls": self._falls, "lands": self._lands, "rises": self._rises}
        assert self.stage is not None
        return does[self.stage](t, now, turn)

    def _enter(self, stage: Stage, state: State, now: Reading) -> None:
        self.stage, self._since = stage, state.time
        self._begin = np.append(now.com, now.com_velocity)
        self._off = now.feet.place - now.com
        self._feet = now.feet.place.copy()
        self._middle = now.feet.place[self.stance] if stage == "leaves" else now.feet.place.mean(0)

    @property
    def _axes(self) -> Array:
        """Ahead and to the left. (2, 2)."""
        c, s = np.cos(self.heading), np.sin(self.heading)
        return np.array([[c, s], [-s, c]])

    def _gone(self, place: Array) -> float:
        """How far beyond the edge a place is, m."""
        return float((place[:2] - self.edge) @ self._axes[0])

    def _speed(self, now: Reading) -> float:
        return float(now.com_velocity[:2] @ self._axes[0])

    def _leaves(self, t: float, now: Reading, turn: float) -> Reference:
        """On the last foot until the body is over the edge."""
        level, lasts = self._middle[2], self._lasts
        at, rate, gain = quintic(t / lasts, lasts, self._begin[[2, 5]], np.array([level + HIGH, UPWARD]))
        up = gain + self._follow(at, rate, now)
        left = max(lasts - t, 0.08)
        aside = (ASIDE * (2 * self.stance - 1) - float(now.com_velocity[:2] @ self._axes[1])) / left
        wanted = np.array([(FAST - self._speed(now)) / left, aside]) @ self._axes
        rolls = (self.stance,) if left < ROLLS or self.body.flexion_left(self.stance, now.pose) < STIFF else ()
        points = now.points[self.stance][self.body.bearing_points(self.stance, bool(rolls))][:, :2]
        accel = on_feet(now.com, np.append(wanted, up), level, self.gravity, points)
        place = np.append(self.edge + self._axes.T @ [SWINGS[0], float((now.com[:2] - self.edge) @ self._axes[1]) + (0.1 if self.stance else -.1)], level + SWINGS[1])
        swing = SwingTarget(1 - self.stance, place, self.heading, np.array([0.0, 0.0, 1.0]), max(lasts + 0.1 - t, 0.1), t,
                            self._feet[1 - self.stance], SWINGS[2])
        return Reference(accel, turn, self.heading, (self.stance,), swing, rolls,
                         gains=LEAVING, momentum=np.append(LEANS * self._axes[1], 0.0))

    def _follow(self, at: float, rate: float, now: Reading) -> float:
        return FOLLOW * (at - now.com[2]) + 2 * np.sqrt(FOLLOW) * (rate - now.com_velocity[2])

    def _falls(self, t: float, now: Reading, turn: float) -> Reference:
        """In the air: feet come beside each other, are drawn up over the edge and reach for the ground."""
        v, high = now.com_velocity[2], now.com[2] - self.below - REACH
        left = (v + np.sqrt(max(v * v + 2 * self.gravity * high, 0.0))) / self.gravity
        early, late = smooth(t / TUCKED), smooth(1 - (left - READY) / REACHES)
        velocity = self._axes @ now.com_velocity[:2]
        hangs = np.zeros((2, 3))
        for leg in range(2):
            side, tuck = 1.0 - 2.0 * leg, TUCK[int(leg == self.stance)]
            ahead = (1 - late) * tuck[0] + late * (CATCHES * velocity[0] - BALL)
            down = (1 - late) * tuck[1] + late * REACH
            goal = np.array([ahead, side * APART + late * CATCHES * velocity[1], -down])
            begin = np.append(self._axes @ self._off[leg, :2], self._off[leg, 2])
            place = begin + early * (goal - begin)
            hangs[leg] = np.append(place[:2] @ self._axes, place[2])
        folds = (self.stance,) if t < TUCKED else ()
        return Reference(None, turn, self.heading, (), None, (), hangs=hangs, folds=folds, gains=FALLING, lean=BOWS * late)

    def _stand(self, now: Reading, wanted: Array, turn: float) -> Reference:
        legs = tuple(int(leg) for leg in np.flatnonzero(self._down))
        stiff = tuple(leg for leg in legs if self._over_ball(now, leg))
        points = np.concatenate([now.points[leg][self.body.bearing_points(leg, leg in stiff), :2] for leg in legs])
        accel = on_feet(now.com, wanted, self.below, self.gravity, points)
        hangs = None
        if len(legs) == 1:               # the other one reaches for the ground
            hangs = now.feet.place - now.com
            hangs[:, 2] = self.below - 0.1 - now.com[2]
        return Reference(accel, turn, self.heading, legs, None, stiff, gains=LANDING, hangs=hangs, lean=LEAN[0] * max(self.below + LEAN[1] - float(now.com[2]), 0.0))

    def _over_ball(self, now: Reading, leg: int) -> bool:
        """Whether a foot's heel rises: its ankle bends no further, and the body is over its ball."""
        if self.body.flexion_left(leg, now.pose) > STIFF:
            return False
        ball = now.points[leg][self.body.ball_points(leg)].mean(0)
        return bool((now.com - ball)[:2] @ self._axes[0] > -BEHIND)

    def _catch(self, now: Reading) -> Array:
        """Toward the middle between both feet."""
        middle = now.feet.place.mean(0) + np.append(FORWARD * self._axes[0], 0.0)
        rate = np.sqrt(self.gravity / max(now.com[2] - middle[2], 0.3))
        return np.asarray(rate * rate * CATCH * (middle - now.com)[:2] - rate * (1 + CATCH) * now.com_velocity[:2])

    def _lands(self, t: float, now: Reading, turn: float) -> Reference:
        low = max(SQUAT, self._begin[2] - self.below - self._begin[5] ** 2 / (2 * BRAKES))
        left = max(now.com[2] - self.below - low, 0.03)
        up = min(FRONT * min(now.com_velocity[2], 0.0) ** 2 / (2 * left), HARDEST)
        return self._stand(now, np.append(self._catch(now), up), turn)

    def _rises(self, t: float, now: Reading, turn: float) -> Reference:
        high = now.feet.place[:, 2].mean() + self.body.com_height - 0.01
        at, rate, gain = quintic(t / RISES, RISES, self._begin[[2, 5]], np.array([high, 0.0]))
        return self._stand(now, np.append(self._catch(now), gain + self._follow(at, rate, now)), turn)
