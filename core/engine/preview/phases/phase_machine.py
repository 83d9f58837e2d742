"""In which phase a simulated body is: on both feet, on one, or in the air, and what that is the end of."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....slip.command import StepWish
from ....slip.preview import Preview
from ....slip.state import PlacedFoot, SlipState, Support

Array = NDArray[np.float64]

TOUCHES = 0.045       # body weights under a foot that has come down
CARRIES = 0.15        # body weights under a foot that alone is to carry the body
EARLY = 0.15          # s before its time, at most, that a foot's contact counts as its landing
SWUNG = 0.12          # s that a foot was in the air at least
ABOVE = 0.08          # m above its place, from where a foot has not come down but struck something, unless
BORNE = 0.5           # body weights are on it
MISSED = 0.06         # s without contact after which a foot that was taken for one that stands is none
LONG = 0.30           # s after which every contact is one
SHUFFLES = 0.20       # s on both feet at most
SWAYS = 0.4           # s that a first step lasts longer, in which the weight goes over to the foot that stays
SHIFTS = 0.8          # s, the same before a first step
LOST = 0.08           # s without contact, after which a walk is in the air
LEAVES = 0.03         # s that a flight is planned to last to be one
DIPS = 0.06           # s in the air, after which the foot that left last may carry again,
TRAILS = 0.25         # of a run, where this foot brushes the ground just before the other one lands
SOON = 1.5            # control steps to the planned end of a phase, in which it ends


@dataclass
class Stepping:
    """The phase that a body is in, and since when.

    Args:
        step: s between two looks at it.
        stance: foot of the first step, 0 left, 1 right.
    """

    step: float
    support: Support = "double"
    stance: int = 0
    standing: bool = True             # on both feet, for as long as it likes
    first: bool = False               # in the first step after that
    since: float = 0.0                # s, when the phase began
    begun: float = 0.0                # when the step began, and
    begun_at: Array = field(default_factory=lambda: np.zeros(2))          # where the centre of mass was then
    left: Array = field(default_factory=lambda: np.zeros(3))              # where the swinging foot left the ground, and
    left_at: float = 0.0              # when
    touched: float = 0.0              # s, when any foot last did
    landed: bool = False              # a step ended in the last look
    missed: bool = False              # or was found not to have ended
    bore: float = 0.0                 # s, when the foot that came down last had weight on it last
    floor: Array = field(default_factory=lambda: np.zeros(2))             # heights of the ground where the feet last stood

    @property
    def sets_off(self) -> bool:
        """Whether its next step is the first one out of standing."""
        return self.standing or self.first

    def state(self, time: float, com: Array, velocity: Array, heading: float, turning: float,
              feet: tuple[PlacedFoot, PlacedFoot]) -> SlipState:
        """What a preview begins with."""
        elapsed = time - self.begun - (SWAYS if self.first else 0.0)
        return SlipState(com, velocity, heading, turning, feet, self.support, self.stance, elapsed, self.begun_at)

    def look(self, time: float, loads: Array, com: Array, feet: tuple[PlacedFoot, PlacedFoot], preview: Preview | None,
             age: float, wish: StepWish) -> bool:
        """Go on to the next phase where it has begun; returns whether it has.

        Args:
            loads: (2,) on the feet, body weights.
            preview, age: the last one, and s since it was made.
        """
        self.landed = self.missed = False
        inside = time - self.since
        own, other = loads[self.stance], loads[1 - self.stance]
        if loads.sum() > 0.002:
            self.touched = time
        for k in range(2):
            if loads[k] > TOUCHES:
                self.floor[k] = feet[k].place[2]
        if own > TOUCHES or self.support != "double":
            self.bore = time
        if self.support == "single":
            return self._from_single(time, inside, own, other, com, feet, preview, age, wish)
        if self.support == "double":
            if self.standing:
                return False
            if not self.first and time - self.bore > MISSED and other > CARRIES and _is_up(feet[self.stance], wish):
                self._enter("single", time)
                self.stance, self.missed = 1 - self.stance, True
                self._leave(time, feet)
                return True
            over = self._left(preview, age) < SOON * self.step or inside > (SHIFTS if self.first else SHUFFLES) \
                or wish.flies
            if over and own > CARRIES:
                self._enter("single", time)
                self._leave(time, feet)
                return True
            return False
        if other > TOUCHES and inside > 0.02:
            self._land("single", time, com)
            self._leave(time, feet)
            return True
        if own > TOUCHES and inside > (TRAILS if wish.gait == "run" else DIPS):
            if wish.gait == "hop":
                self._land("single", time, com, self.stance)
            else:
                self._enter("single", time)
            return True
        return False

    def _from_single(self, time: float, inside: float, own: float, other: float, com: Array,
                     feet: tuple[PlacedFoot, PlacedFoot], preview: Preview | None, age: float, wish: StepWish) -> bool:
        landing, struck = np.inf, False
        if preview is not None and preview.landing is not None:
            landing = preview.landing.time - age
            struck = feet[1 - self.stance].place[2] > preview.landing.place[2] + ABOVE and other < BORNE
        if other > TOUCHES and not struck and ((inside > SWUNG and landing < EARLY and wish.gait != "hop") or inside > LONG):
            self._land("double", time, com)
            return True
        if wish.flies and inside > 0.05 and preview is not None and len(preview.slots) > 1 and preview.slots[1].kind == "flight" \
                and self._left(preview, age) < SOON * self.step and preview.duration(1) > LEAVES:
            self._fly(time, feet, wish)
            return True
        if own + other < 0.002 and inside > 0.05 and (wish.flies or time - self.touched > LOST):
            self._fly(time, feet, wish)
            return True
        return False

    def _left(self, preview: Preview | None, age: float) -> float:
        """Of the phase that the last preview began in, s."""
        return np.inf if preview is None else preview.duration(0) - age

    def _enter(self, support: Support, time: float) -> None:
        self.support, self.since = support, time

    def _fly(self, time: float, feet: tuple[PlacedFoot, PlacedFoot], wish: StepWish) -> None:
        self._enter("flight", time)
        if wish.gait == "hop":
            self._leave(time, feet, self.stance)

    def next_foot(self, wish: StepWish) -> int:
        """That which comes down next, 0 left, 1 right."""
        return self.stance if wish.gait == "hop" else 1 - self.stance

    def _leave(self, time: float, feet: tuple[PlacedFoot, PlacedFoot], foot: int | None = None) -> None:
        """The foot that is set down next leaves the ground: the other one, or that which is told."""
        self.left, self.left_at = feet[1 - self.stance if foot is None else foot].place.copy(), time

    def _land(self, support: Support, time: float, com: Array, foot: int | None = None) -> None:
        """A step ends: the other foot carries the next one, or that which is told."""
        self._enter(support, time)
        self.stance, self.first, self.landed = 1 - self.stance if foot is None else foot, False, True
        self.begun, self.begun_at = time, com[:2].copy()

    def set_off(self, time: float, com: Array, stance: int) -> None:
        """Leave standing with a step that a foot carries."""
        self.standing, self.first, self.stance = False, True, stance
        self.since = self.begun = time
        self.begun_at = com[:2].copy()

    def stand(self) -> None:
        """Stay on both feet."""
        self.standing = True


def _is_up(foot: PlacedFoot, wish: StepWish) -> bool:
    """Whether a foot is well above the ground."""
    return wish.height is not None and not foot.place[2] < wish.height(foot.place[:2]) + ABOVE
