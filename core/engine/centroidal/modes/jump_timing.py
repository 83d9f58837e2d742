"""One jump in time: crouch, push-off, flight, landing, and up again. The vertical course follows from its height alone."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....clip.pose.pose_sequence import Cast
from ....errors import TaskError
from ....task.jump import Jump

Array = NDArray[np.float64]

POSES = ("crouch", "spring", "jump", "tuck", "land", "squat")
LEAST_DEPTH, DEEP = 0.45, 0.7      # share of the deepest crouch for a hop, and m of height from which on it is whole
SOFTEST = 0.75                     # share of the deepest landing for a hop
LEAST_SPRING, HIGH = 0.4, 0.5      # the same for how far arms and legs are thrown up
LEVEL, SETTLED = 10.0, 5.0         # m/s^2 upward at the bottom of a crouch and of a landing
PUSHED = 0.54                      # mean speed of a push-off, as a share of the speed that it ends with
CAUGHT = 0.52                      # of a landing, as a share of the one that it begins with
LIGHTEST = 0.75                    # of gravity, the fastest that a body lets itself down
PLAY, TURNING = 0.015, 0.09        # m that legs are left bent at the lift, and besides where the body turns over its feet
BENT, FAST = 0.02, 3.0             # m that legs are left bent for each m/s beyond this speed: else they could not follow
MOST_BENT = 0.14                   # m
RISE = 0.75                        # s from the bottom of a landing to standing
ARM_SWING = 0.28                   # s that arms take from the back to the top
SINKING = 0.22                     # s in which trunk and arms sink at least as the body lands
FOLD = (0.34, 0.4)                 # s from take-off to tucked, and from tucked to the landing
FOLD_SHARE = (0.36, 0.36)          # the same as shares of the flight, at most


@dataclass(frozen=True)
class Leap:
    """Moments of a jump, s, and what the centre of mass does at them, m over the ground it stands on then, and m/s."""

    jump: Jump
    dip: float
    bottom: float
    lift: float
    strike: float
    absorbed: float
    stood: float
    heights: tuple[float, float, float, float, float]      # standing, at the bottom, at lift, at strike, absorbed
    speeds: tuple[float, float]                            # at lift, upward; at strike, downward
    shares: tuple[float, float, float]                     # of crouch, spring and landing
    sprung: Array                                          # (nv,) from standing to how the legs are at lift,
    landing: Array                                         # and at strike

    @property
    def flight(self) -> float:
        """Time in the air, s."""
        return self.strike - self.lift

    @property
    def gathering(self) -> float:
        """Time before the lift in which the body takes up its way along the ground and its spin, s."""
        return self.lift - self.bottom + 0.35 * (self.bottom - self.dip)

    @property
    def settling(self) -> float:
        """Time after the strike in which it gives them up, s."""
        return self.absorbed - self.strike + 0.12

    @staticmethod
    def of(jump: Jump, cast: Cast, gravity: float, climb: float) -> Leap:
        """The jump of a body onto ground that is higher by `climb`, m.

        Raises:
            TaskError: it is too low for that.
        """
        share = min(LEAST_DEPTH + (1 - LEAST_DEPTH) * jump.height / DEEP, 1.0)
        thrown = min(LEAST_SPRING + (1 - LEAST_SPRING) * jump.height / HIGH, 1.0)
        up = float(np.sqrt(2 * gravity * jump.height))
        turning = TURNING if jump.flips else 0.0
        sprung = _lowered(cast, ("spring", thrown), "crouch", PLAY + _bent(up) + turning)
        off, touch = cast.height(sprung), cast.height(cast.change(("land", 1.0)))
        fall = jump.height + off - touch - climb
        if fall <= 0.02:
            raise TaskError(f"The jump at {jump.time:g} s is {jump.height:g} m high and is to land {climb:.2f} m higher; "
                            f"make it at least {jump.height - fall + 0.1:.2f} m high, or let it land lower.")
        down = float(np.sqrt(2 * gravity * fall))
        landing = _lowered(cast, ("land", 1.0), "squat", _bent(down) + turning)
        touch = cast.height(landing)
        down = float(np.sqrt(2 * gravity * (jump.height + off - touch - climb)))
        soft = min(max(LEAST_DEPTH + (1 - LEAST_DEPTH) * down**2 / (2 * gravity * DEEP), SOFTEST), 1.0)
        stand = cast.height(cast.change())
        low, deep = cast.height(cast.change(("crouch", share))), cast.height(cast.change(("squat", soft)))
        bottom = jump.time - (off - low) / (PUSHED * up)
        strike = jump.time + (up + down) / gravity
        absorbed = strike + (touch - deep) / (CAUGHT * down)
        dip = bottom - letting_down(stand - low, gravity)
        return Leap(jump, dip, bottom, jump.time, strike, absorbed, absorbed + RISE, (stand, low, off, touch, deep), (up, down),
                    (share, thrown, soft), sprung, landing)

    def knots(self, ground: tuple[float, float], gravity: float) -> list[tuple[float, list[float]]]:
        """Moments with height, speed and acceleration of the centre of mass; fifth degree in between, in flight a parabola.

        Args:
            ground: heights of the ground before and after, m.
        """
        a, b = ground
        stand, low, off, touch, deep = self.heights
        return [(self.dip, [a + stand, 0.0, 0.0]), (self.bottom, [a + low, 0.0, LEVEL]),
                (self.lift, [a + off, self.speeds[0], -gravity]), (self.strike, [b + touch, -self.speeds[1], -gravity]),
                (self.absorbed, [b + deep, 0.0, SETTLED]), (self.stood, [b + stand, 0.0, 0.0])]

    def keys(self, cast: Cast) -> tuple[list[tuple[float, Array]], list[tuple[float, Array]]]:
        """What the legs act, and what the rest of the body does: arms back in the crouch, thrown up, and forward to land.

        Legs do as the centre of mass does; trunk and arms take their time, and begin before them where legs are quick.
        """
        crouch, thrown, soft = self.shares
        crouched, squat = cast.change(("crouch", crouch)), cast.change(("squat", soft))
        up = self.lift + 0.04
        deep = max(self.absorbed, self.strike + SINKING)
        legs = [(self.dip, cast.change()), (self.bottom, crouched), (self.lift + 0.01, self.sprung), *self._hung(cast),
                (self.strike - 0.01, self.landing), (self.absorbed, squat), (self.stood, cast.change())]
        rest = [(self.dip, cast.change()), (min(self.bottom - 0.04, up - ARM_SWING), crouched),
                (up, cast.change(("spring", thrown))), *self._hung(cast),
                (self.strike - 0.01, cast.change(("land", 1.0))), (deep, squat), (max(self.stood, deep + 0.5), cast.change())]
        return legs, rest

    def _hung(self, cast: Cast) -> list[tuple[float, Array]]:
        """What the body does in the air: folded where it flips."""
        if self.jump.flips:
            fold = [min(t, share * self.flight) for t, share in zip(FOLD, FOLD_SHARE, strict=True)]
            tucked = cast.change(("tuck", 1.0))
            return [(self.lift + fold[0], tucked), (self.strike - fold[1], tucked)]
        share = float(np.clip((self.flight - 0.35) / 0.3, 0, 1))
        if not share:
            return []
        hung = cast.change(("jump", share), ("spring", 0.5 * (1 - share)), ("land", 0.5 * (1 - share)))
        hang = min(0.5 * self.flight, 0.45)
        return [(self.lift + hang, hung), (self.strike - hang, hung)]


def letting_down(depth: float, gravity: float) -> float:
    """The time in which a body lets itself down into a crouch, s."""
    time = 0.3
    u = np.linspace(0, 1, 60)
    while True:
        # the polynomial of fifth degree from rest to rest, its last acceleration given; in it the least acceleration
        q = -depth * (60 * u - 180 * u**2 + 120 * u**3) / time**2 + LEVEL * (3 * u - 12 * u**2 + 10 * u**3)
        if q.min() > -LIGHTEST * gravity or time > 1.5:
            return time
        time += 0.02


def _lowered(cast: Cast, pose: tuple[str, float], towards: str, drop: float) -> Array:
    """A key pose bent towards another until the centre of mass is lower by so much, m. (nv,)."""
    name, share = pose
    straight, half = (cast.height(cast.change((name, share * (1 - b)), (towards, b))) for b in (0.0, 0.5))
    bend = min(0.5 * drop / (straight - half), 0.9)
    return cast.change((name, share * (1 - bend)), (towards, bend))


def _bent(speed: float) -> float:
    return min(BENT * max(speed - FAST, 0.0), MOST_BENT)
