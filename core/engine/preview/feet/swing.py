"""How a foot in the air gets past the leg that stands, on whose side it is to stay."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....simulate import Body, Reading, SwingTarget
from ....simulate.swinging import humped
from ....slip.body import SlipBody
from ....slip.command import StepWish
from ....slip.preview import Preview
from ....slip.state import PlacedFoot
from ..phases.phase_machine import Stepping
from .clearance import over, too_low

Array = NDArray[np.float64]

PASSES = (0.1, 0.9)   # shares of the way from where a foot left to where it comes down, between which it passes the other one
WIDEST = 0.2          # m that the way bows at most


def around(side: int, left: Array, place: Array, stands: Array, apart: float) -> float:
    """How far to the left the middle of a foot's way is to bow, m: straight on, who turns has one leg pass through the other.

    Args:
        side: of the foot in the air, 1 left, -1 right.
        left, place: (3,) where it left the ground and where it is to come down.
        stands: (3,) where the other foot stands.
        apart: m from the other foot, that it is to pass by at least.
    """
    way, other = (place - left)[:2], (stands - left)[:2]
    length = float(np.hypot(way[0], way[1]))
    share = float(other @ way) / max(length**2, 1e-9)
    if not PASSES[0] < share < PASSES[1]:
        return 0.0
    lacks = apart - side * float(way[1] * other[0] - way[0] * other[1]) / length
    # the share of its time after which 3 s^2 - 2 s^3 of the way are behind it, and how much of its middle the bow has there
    when = 0.5 - np.sin(np.arcsin(1 - 2 * share) / 3)
    return side * min(max(lacks, 0.0) / float(humped(when, 1.0)[0]), WIDEST)

# s that a swing is over its place early, m/s^2 at most; over rough ground it may have to go up first, and is late then; a hop's
# has but its flight
WALK_SWING, ROUGH_SWING, FLYING_SWING = (0.06, 100.0), (0.06, 250.0), {"run": (0.03, 70.0), "hop": (0.03, 140.0)}
BESIDE, RUNS_BESIDE = 2.0, 1.3    # half the hips' distance, so often that a foot passes the other one by, walking and running
POINTS = 0.04         # rad that toes hang as a runner's foot comes down on rough ground: its heel first, the rest of it slaps
SINKS, RUN_SINKS, ROUGH_SINKS = 1.2, 1.5, 2.0             # m/s, with which a foot can come down: walking, running, on rough ground


def swung(body: Body, slip: SlipBody, stepping: Stepping, preview: Preview, now: Reading, wish: StepWish, age: float,
          time: float) -> SwingTarget | None:
    """What the foot that does not stand is to do; None where it is not to come down.

    Args:
        age: s since the preview was made.
        time: s, now.
    """
    if preview.landing is None or (wish.gait == "hop" and stepping.support != "flight"):
        return None
    foot, place = stepping.next_foot(wish), preview.landing.place
    normals = body.normals(np.stack([place, stepping.left]))
    toe, heel = (float(far) for far in slip.extent[:2])
    apex, sinking = over(wish.height, stepping.left, place, toe, heel, wish.footing is not None)
    edgy = wish.height if wish.footing is not None else None             # where there are none, a foot's path clears the slope
    lacks = too_low(edgy, now.points[foot], now.feet.place[foot], now.feet.velocity[foot, :3], place)
    runs = wish.flies
    quick = FLYING_SWING.get(wish.gait, WALK_SWING if wish.height is None else ROUGH_SWING)
    # on rough ground a foot that is made to come down does so across edges
    sure = wish.height is None and not runs
    bow = 0.0
    if stepping.support == "single":
        apart = (RUNS_BESIDE if runs else BESIDE) * float(slip.hip[1])
        bow = around(1 - 2 * foot, stepping.left, place, now.feet.place[stepping.stance], apart)
    return SwingTarget(foot, place, preview.landing.heading, normals[0], preview.landing.time - age, time - stepping.left_at,
                       stepping.left, apex, *quick, lacks, normals[1], sure, sinking, bow,
                       POINTS if runs and wish.height is not None else 0.0, clears=wish.height is not None and not runs)


def lands_in(stepping: Stepping, wish: StepWish, feet: tuple[PlacedFoot, PlacedFoot], preview: Preview | None) -> float:
    """s that the swinging foot needs at least to come down to where it is to stand."""
    foot = stepping.next_foot(wish)
    ground, sinks = stepping.floor[foot], RUN_SINKS if wish.flies else SINKS
    if wish.height is not None and preview is not None and preview.landing is not None:
        ground, sinks = preview.landing.place[2], max(sinks, ROUGH_SINKS)       # it is not as high there as where the foot stood
    return max(float(feet[foot].place[2] - ground), 0.0) / sinks
