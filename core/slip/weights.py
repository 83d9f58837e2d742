"""Weights of the preview's objectives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SlipWeights:
    """Weights of squared residuals.

    Symbols w_... are those of table 1. The others belong to soft constraints, whose weights are
    high, and to objectives that the paper does not have.
    """

    step_time: float = 10.0  # w_steptime, equation 19
    # w_steptime of a run. With the walk's 10, steps of 0.9 m took 0.45 s
    run_step_time: float = 60.0
    step_length: float = 10.0  # w_stepdist, equation 20
    gap_place: float = 10.0  # position of a foot along the path, in steps toward a gap
    heading: float = 10.0  # w_heading, equation 21; with the paper's 1 turns lag behind
    # w_com, equation 22, of a hop; smaller weights are dominated by the other objectives
    hop: float = 1000.0
    # Flight time of a run; without it the optimum is a low walk that hardly leaves the ground
    flight: float = 200.0
    acceleration: float = 0.05  # w_accel, equation 24
    leg: float = 10.0  # w_leg, equation 25
    hip: float = 10.0  # w_hip, equation 26
    limit: float = 2000.0  # leg length, equation 27, and ground reaction forces
    foothold: float = 1000.0  # distance of a foot from the nearest foothold
    foot_separation: float = 200.0  # lateral separation of the feet
    swing: float = 100.0  # acceleration that a swinging foot needs to arrive in time
    dodge: float = 30.0  # equation 31; with larger weights the body falls over
    lateral_step: float = 10.0  # lateral part of a step; Without it bodies drift aside
    # Heading at touchdown of foot B. Without it and the next turns overshoot
    landing_heading: float = 10.0
    heading_rate: float = 1.0  # rate of the heading at touchdown and at the end
    heading_acceleration: float = 1e-3  # angular acceleration of the heading
    # Height and vertical speed at the end of a run's last flight. Without it the optimum falls out
    # of the preview
    arrival: float = 10.0
    # CoP and rest lengths where no other objective determines them
    regularization: float = 1e-4
    excess_speed: float = 4.0  # speed of a run above its target, at touchdown and at the end
