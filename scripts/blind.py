"""Walks of the adaptive engine that see the ground, beside walks that take it for level.

Prints a table of docs/dev/adaptive-grounds.md: steps walked, energy of a step and clearance of
swinging feet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from footfall.core.engine.adaptive.evaluation import (
    NO_FORCES,
    TIMING,
    RandomWalk,
    build_walker,
    draw_walk,
)
from footfall.core.engine.adaptive.height_field import GroundKind
from footfall.core.engine.adaptive.planner import Goal
from footfall.core.engine.adaptive.shipped import load_shipped_controller
from footfall.core.engine.adaptive.validation import VALIDATION_SEED
from footfall.core.engine.adaptive.walker import TorqueWalker

BODY = "humanoid"
HALF_CYCLES = 24
WALKS = 8
# Kinds of walks: whether they take the ground for level, and how much higher their swings are [m]
KINDS = ((False, 0.0), (True, 0.0), (True, 0.05), (True, 0.1))


@dataclass(frozen=True)
class WalkFigures:
    """Figures of one walk.

    Args:
        half_cycles: without a fall.
        energy: term of the cost for each half-cycle.
        clearance: mean over the swings of the largest height of a sole above the ground [m].
    """

    half_cycles: int
    energy: float
    clearance: float


def measure_clearance(walker: TorqueWalker, walk: RandomWalk) -> float:
    """Return the height of the lowest point of the swinging sole above the ground [m]."""
    foot = walker.model.feet[1 - walker.swing]
    rotation = walker.data.xmat[foot].reshape(3, 3)
    points = walker.data.xpos[foot] + walker.model.ball_places @ rotation.T
    assert walk.ground is not None
    return float((points[:, 2] - walk.ground.sample(points[:, 0], points[:, 1])).min())


def try_walk(number: int, height: float, *, is_blind: bool, raised: float) -> WalkFigures:
    """Return the figures of a walk on a random field of a height [m].

    Args:
        number: of the walk.
        height: largest height of the field [m].
        is_blind: whether the body takes the ground for level.
        raised: by how much the middle of a swing is higher [m].
    """
    walk = draw_walk((VALIDATION_SEED, number), GroundKind(height), 0.25)
    trained = load_shipped_controller().gait.first
    parameters = replace(
        trained,
        swing_height_1=trained.swing_height_1 + raised,
        swing_height_2=trained.swing_height_2 + raised,
    )
    goal = Goal(0.0, 0.0, walk.step_length)
    walker = build_walker(parameters, BODY, walk.ground, lambda walker: goal, NO_FORCES)
    walker.planner.is_blind = is_blind
    walker.begin(walk.start)
    highest = np.zeros(HALF_CYCLES + 1)
    while walker.step_count < HALF_CYCLES * TIMING.half_cycle and not walker.has_fallen:
        walker.advance()
        now = walker.half_cycles
        highest[now] = max(highest[now], measure_clearance(walker, walk))
    count = walker.half_cycles + (not walker.has_fallen)
    swings = highest[: max(walker.half_cycles, 1)]
    return WalkFigures(count, walker.cost.energy / max(count, 1), float(swings.mean()))


def main() -> None:
    """Print the table."""
    print("| field | sees the ground | swings raised by | walks | steps | energy | clearance |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for height in (0.1, 0.2):
        for is_blind, raised in KINDS:
            figures = [try_walk(k, height, is_blind=is_blind, raised=raised) for k in range(WALKS)]
            survived = sum(one.half_cycles >= HALF_CYCLES for one in figures)
            steps, energy, clearance = np.mean(
                [(one.half_cycles, one.energy, one.clearance) for one in figures], axis=0
            )
            print(
                f"| 0-{height} m | {'no' if is_blind else 'yes'} | {100 * raised:.0f} cm | "
                f"{survived} of {WALKS} | {steps:.1f} | {energy:.4f} | {100 * clearance:.1f} cm |",
                flush=True,
            )


if __name__ == "__main__":
    main()
