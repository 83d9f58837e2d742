"""What a walker knows of the ground of its step: felt with its feet, or seen ahead."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .biped import ANKLE_1, ANKLE_2, HEEL_1, TOE_2, PlanarBiped
from .ground_gaits import StepGround
from .path_ground import PathGround

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroundViewParameters:
    """How the ground is judged.

    Args:
        level: slope below which a foot stands level, so that rises are those of stairs [rad].
        least_grade: rise per distance between level feet from which there are stairs, that of
            `GROUND_GAITS.grade`, to which rises are rounded.
        stair_lift: height over the rise of a stair to which a foot is lifted [m].
        stumble_lift: height to which a foot is lifted that has stubbed its toes [m], above a stair
            of the scenario `tracker-stairs`, which is 5 cm.
        memory: share of this height that is left in the next step, since one edge is
            often followed by another.
        forgotten_share: share of it below which nothing is left, after eight steps.
        least_distance: least distance between the feet for a rise per distance [m], so that the
            rise of a foot that lands beside the other one is not taken for a steep one.
    """

    level: float = np.radians(2.0)
    least_grade: float = 0.02
    stair_lift: float = 0.02
    stumble_lift: float = 0.06
    memory: float = 0.8
    forgotten_share: float = 0.2
    least_distance: float = 0.2


GROUND_VIEW = GroundViewParameters()


def feel_rise(biped: PlanarBiped, q: Array, ground: StepGround, rear_slope: float) -> float:
    """Return the rise per distance from foot 2 to foot 1, of which heel and toes touch the ground.

    Args:
        biped: body.
        q: coordinates as foot 1 has landed, shape (9,).
        ground: with the slope that foot 1 expects.
        rear_slope: slope under foot 2 [rad].
    """
    places = biped.locate(q)
    view = biped.side_view
    touched = places[HEEL_1] - places[TOE_2] + 1j * view.toe_height
    level = -view.heel.real * np.tan(ground.slope) + view.toe.real * np.tan(rear_slope)
    distance = max((places[ANKLE_1] - places[ANKLE_2]).real, GROUND_VIEW.least_distance)
    return float(touched.imag + level) / distance


def expect_ground(felt: StepGround, slope: float, slope_before: float, length: float) -> StepGround:
    """Return the ground that a walker expects from what its feet feel.

    A foot that stands on a slope expects it to go on; on level feet, the last rise repeats itself
    as on stairs.

    Args:
        felt: ground that was expected as the foot landed, with the rise up to it.
        slope: of the foot that stands [rad].
        slope_before: of the foot that stood before [rad].
        length: of a step [m].
    """
    is_level = max(abs(slope), abs(slope_before)) < GROUND_VIEW.level
    if not is_level:
        return replace(StepGround.on_slope(slope), behind=felt.behind, lift=felt.lift)
    lift = felt.lift
    if abs(felt.behind) > GROUND_VIEW.least_grade:
        lift = max(lift, abs(felt.behind) * length + GROUND_VIEW.stair_lift)
    return StepGround(slope, felt.behind, felt.behind, slope, lift)


def remember_stumble(lift: float) -> float:
    """Return how high a foot is lifted after a step in which it was lifted [m]."""
    kept = GROUND_VIEW.memory * lift
    return kept if kept > GROUND_VIEW.forgotten_share * GROUND_VIEW.stumble_lift else 0.0


def see_ground(
    ground: PathGround, biped: PlanarBiped, felt: StepGround, places: tuple[float, float]
) -> StepGround:
    """Return the ground of a step as a walker sees it.

    Args:
        ground: along the path.
        biped: body.
        felt: as `expect_ground` returns it.
        places: distances along the path of ankle 1 and of ankle 2 where it will land [m].
    """
    here, there = (_find_sole(ground, biped, place) for place in places)
    rise = (there.height - here.height) / (places[1] - places[0])
    return StepGround(here.slope, felt.behind, rise, there.slope)


def find_ankle_height(ground: PathGround, biped: PlanarBiped, place: float) -> float:
    """Return the height of an ankle over a foot at rest [m], at a distance along the path [m]."""
    sole = _find_sole(ground, biped, place)
    return sole.height + biped.side_view.ankle_height


@dataclass(frozen=True)
class _Sole:
    """Height of the ground below an ankle, along a foot at rest [m], and its slope [rad]."""

    height: float
    slope: float


def _find_sole(ground: PathGround, biped: PlanarBiped, place: float) -> _Sole:
    view = biped.side_view
    heel = ground.locate(place + view.heel.real).height
    toe = ground.locate(place + view.toe.real).height
    grade = (toe - heel) / (view.toe.real - view.heel.real)
    return _Sole(heel - grade * view.heel.real, float(np.arctan(grade)))
