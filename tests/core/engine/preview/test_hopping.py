"""A simulated body hops on one leg with a given distance and speed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.engine import generate
from footfall.core.engine.preview.phases.gait_change import GaitChange
from footfall.core.engine.preview.phases.phase_machine import PhaseMachine
from footfall.core.errors import TaskError
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.slip.body import SlipBody
from footfall.core.slip.command import StepGoal
from footfall.core.slip.problem import PreviewProblem
from footfall.core.slip.rollout import roll_out_phases
from footfall.core.slip.schedule import COP, FOOT, exchange_parameters
from footfall.core.slip.state import FootPose, SlipState
from footfall.core.task import SpeedProfile
from judging import SIMULATED_LIMITS, find_exceeded, judge_motion
from selection import mark_exhaustive

BARS = SIMULATED_LIMITS | {"angular_residual": 0.02}
HOP = StepGoal("hop", 0.3, 0.42, hop_leg=0)


def test_stance_foot_of_a_hop_lands_again() -> None:
    """A foot of the same side lands, and the next step's parameters are not mirrored."""
    body = SlipBody.from_character(load_character("humanoid"), 9.81)
    feet = (FootPose(np.array([0.0, 0.05, 0.0]), 0.0), FootPose(np.array([0.1, -0.085, 0.4]), 0.0))
    state = SlipState(
        np.array([0.0, 0.04, body.com_height]),
        np.array([0.6, 0.0, -0.3]),
        0.0,
        0.0,
        feet,
        "single",
        0,
        0.1,
        np.zeros(2),
    )
    hop, run = (PreviewProblem(state, replace(HOP, gait=gait), body) for gait in ("hop", "run"))
    u = hop.initial_guess
    assert [slot.kind for slot in hop.slots] == ["single", "flight", "single", "flight"]
    assert roll_out_phases(state, hop.goal, body, hop.slots, u[None]).feet["B"].side == 1.0
    assert roll_out_phases(state, run.goal, body, run.slots, u[None]).feet["B"].side == -1.0
    u[FOOT], u[COP] = (0.2, 0.05), np.tile([0.3, 0.2], 5)
    assert np.array_equal(exchange_parameters(u, hop.goal, False)[FOOT], [0.2, 0.05])
    assert np.array_equal(exchange_parameters(u, run.goal, False)[FOOT], [0.2, -0.05])
    assert (exchange_parameters(u, hop.goal, False)[COP][1::2] > 0).all()


def test_hop_begins_on_the_hopping_leg() -> None:
    """A walk changes to a hop when that foot lands alone, and back when the other foot lands."""
    gait = GaitChange()
    stepping = PhaseMachine(0.004, "single", stance_foot=1, is_standing=False, phase_start=1.0)
    assert gait.modify_goal(HOP, stepping, 1.0).gait == "walk"
    stepping.stance_foot = 0
    assert gait.modify_goal(HOP, stepping, 1.1).gait == "walk"  # too late in this step
    stepping.phase_start = 1.5
    assert gait.modify_goal(HOP, stepping, 1.5).gait == "hop"
    stepping.support = "flight"
    assert gait.modify_goal(replace(HOP, gait="stand"), stepping, 1.7).gait == "hop"
    stepping.support = "double"
    stepping.stance_foot = 1
    stepping.phase_start = 1.8
    assert gait.modify_goal(HOP, stepping, 1.8).gait == "walk"
    assert gait.has_flight_gait_ended


def test_other_gaits_are_refused() -> None:
    """The message lists the valid gaits."""
    with pytest.raises(
        TaskError, match=r"the gait 'trot' \(its gaits are: 'hop left', 'hop right'\)"
    ):
        generate(replace(SCENARIOS["preview-hop"].build_task(seconds=1.0), gait="trot"))


@pytest.mark.long
@pytest.mark.parametrize("seed", mark_exhaustive([0, 1], lambda seed: seed == 0))
def test_a_simulated_body_hops(shared: Path, tmp_path: Path, seed: int) -> None:
    """Each hop is on the given leg with a flight; the speed is within a tenth, without a fall."""
    hop = generate(SCENARIOS["preview-hop"].build_task(fps=60, seconds=4, seed=seed))
    assert hop.report.notes == ()
    assert find_exceeded(judge_motion(shared, tmp_path, hop), BARS) == {}
    steps = [f for f in hop.footsteps if f.strike > 0]
    assert len(steps) >= 8
    assert {f.leg for f in steps} == {seed}
    assert all(a.lift < b.strike for a, b in pairwise(steps))
    durations = np.diff([f.strike for f in steps])
    assert np.allclose(durations, 0.43, atol=0.05)
    assert np.isclose(
        np.mean(np.diff([f.position[0] for f in steps])) / durations.mean(), 0.8, rtol=0.1
    )


@pytest.mark.long
def test_body_walks_to_its_first_hop_and_stands_after_the_last() -> None:
    """The motion begins and ends standing."""
    task = SCENARIOS["preview-hop"].build_task(fps=60, seconds=7)
    speed = SpeedProfile([0.0, 0.0, 0.8, 0.8, 0.0, 0.0], [0.0, 0.3, 1.0, 3.5, 4.5, 7.0])
    motion = generate(replace(task, start="standing", speed=speed))
    assert motion.report.notes == ()
    legs = [f.leg for f in motion.footsteps]
    assert legs.count(0) >= 6
    head = motion.link_position[:, motion.link_names.index("head"), 2]
    assert head[-1] > 0.95 * head[0]
    down = np.stack(
        [
            motion.contact_active[-30:, [limb == name for limb in motion.contact_limb]].any(1)
            for name in dict.fromkeys(motion.contact_limb)
        ],
        -1,
    )
    assert down.all()
    assert np.linalg.norm(motion.com[-1] - motion.com[-30]) < 0.02
