"""Fit the jumps of the body `humanoid` to another body."""

from __future__ import annotations

from dataclasses import replace

from ..path_ground import PathGround
from ..simulation import PlanarSimulation
from .jumper import Jumper
from .parameters import JumpGoal
from .policy import JumpPolicy
from .series import record_jumps

# Number of jumps after which the pitch of the landing is that which the flight leads to, and the
# share of the difference that is made up after each.
FIT_ROUNDS = 4
FIT_SHARE = 0.6
# Steepest pitch with which curves begin at a landing [rad], of a body that leans no more than
# `humanoid`, and the share by which it is steeper for one that leans more, by its lean; a body that
# leans farther rises to it.
# tuned: from -0.53 on each jump of `humanoid` was slower than the one before and landed steeper,
# until the body fell, test_broad_jumps.test_jumps_go_on; a light trunk turns more in the air,
# test_broad_jumps.test_bodies_of_other_proportions_jump
STEEPEST_LANDING = -0.525
STEEPER_BY_LEAN = 1.75


def fit_jumper(simulation: PlanarSimulation, speed: float) -> Jumper:
    """Return a body with curves that it keeps and the policy for a speed.

    In the air the legs turn the trunk, a heavy one less than a light one. The pitch with which the
    curves begin at a landing is that of the trunk after a jump on level ground.

    Args:
        simulation: body and ground.
        speed: mean speed [m/s] within `SPEED_RANGE`.
    """
    biped = simulation.biped
    level = replace(simulation, ground=PathGround.level())
    goal = JumpGoal.at_speed(biped, speed)
    steepest = STEEPEST_LANDING * (1 + STEEPER_BY_LEAN * max(goal.curves.lean - 1, 0.0))
    for _ in range(FIT_ROUNDS):
        jumper = Jumper(level, goal, JumpPolicy.optimize(biped, goal).choose)
        series = record_jumps(jumper, jumper.start(goal.shape.rate), 1)
        if not series.jumps or series.is_fallen:
            break
        pitch = goal.curves.landing_pitch
        pitch += FIT_SHARE * (float(series.states[-1].q[2]) - pitch)
        pitch = max(pitch, steepest)
        goal = replace(goal, curves=replace(goal.curves, landing_pitch=pitch))
    return Jumper(simulation, goal, JumpPolicy.optimize(biped, goal).choose)
