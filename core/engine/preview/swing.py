"""How the foot in the air is to come down where the preview has it."""
from __future__ import annotations

import numpy as np

from ...simulate import Body, Reading, SwingTarget
from ...slip.body import SlipBody
from ...slip.preview import Preview
from ...slip.state import PlacedFoot
from ...slip.wish import StepWish
from .clearance import over, too_low
from .passing import around
from .steps import Stepping

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
