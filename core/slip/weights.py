"""How much each objective of the preview weighs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SlipWeights:
    """Those of table 1 first, by their equations' names;
    then those of bounds, which are high, and our own.
    """

    step_time: float = 10.0  # w_steptime
    run_step_time: float = 60.0  # the same of a run
    step_length: float = 10.0  # w_stepdist
    gap_place: float = 10.0  # a foot's place along the way, of a run's step that leads up to a gap
    heading: float = 10.0  # w_heading; the paper's 1 lets turns lag behind
    # w_com, where a hop is wished for; smaller ones lose against the other objectives
    hop: float = 1000.0
    # a run's time in the air: without it the optimum is a crouched walk that
    # hardly leaves the ground
    flight: float = 200.0
    acceleration: float = 0.05  # w_accel
    leg: float = 10.0  # w_leg
    hip: float = 10.0  # w_hip
    limit: float = 2000.0  # leg length and what the spring can push, equation 27
    foothold: float = 1000.0  # feet on good ground
    foot_separation: float = 200.0  # feet that do not cross
    swing: float = 100.0  # feet that come down where they can get to in time
    dodge: float = 30.0  # equation 31; larger ones throw the body off its feet
    lateral_step: float = 10.0  # the part of a step's length across the way
    landing_heading: float = 10.0  # heading when foot B comes down
    heading_rate: float = 1.0  # turning when it does, and at the end
    heading_acceleration: float = 1e-3  # angular acceleration
    arrival: float = 10.0  # height and fall at the end of a run's last flight
    # of centres of pressure and of rest lengths, where nothing else tells them
    regularization: float = 1e-4
    excess_speed: float = 4.0  # what a run is too fast when a foot comes down, and at the end
