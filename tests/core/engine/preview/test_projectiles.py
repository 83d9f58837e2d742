"""Balls that are thrown at a simulated body: it dodges them, and a hit pushes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath
from typing import NamedTuple

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.preview.disturbances.projectiles import Projectiles
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.errors import TaskError
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import Path, Projectile, SpeedProfile, Task, load_task, save_task

STANDS = Task(
    Path([[0, 0], [5, 0]]),
    SpeedProfile(0.0),
    engine="preview",
    start="standing",
    seconds=2.0,
    fps=30,
)
WALKS = replace(STANDS, speed=SpeedProfile(1.25))


class _Throw(NamedTuple):
    """Smallest distance of a ball from head and trunk [m], and the cause of a fall."""

    distance: float
    trouble: str


def thrown(simulation: Simulation, ball: Projectile, seconds: float) -> _Throw:
    """Return the result of a throw, on a copy of the simulation."""
    branch = simulation.branch()
    branch.projectiles = Projectiles(
        replace(branch.task, projectiles=(replace(ball, time=branch.time),)),
        branch.body,
        branch.loop.physics,
    )
    end = branch.time + seconds
    while branch.time < end:
        branch.step()
    return _Throw(branch.projectiles.nearest_distances[0], branch.loop.state.trouble)


@pytest.mark.long
@pytest.mark.parametrize(("task", "begin"), [(STANDS, 0.2), (WALKS, 2.0)])
def test_visible_ball_is_dodged(task: Task, begin: float) -> None:
    """A ball from ahead, a side or behind misses head and chest.

    Without dodging it would hit the head, which no arm shields.
    """
    simulation = Simulation(task)
    while simulation.time < begin:
        simulation.step()
    for degrees in (10.0, 100.0, 190.0):
        ball = Projectile(0.0, 10.0, np.radians(degrees), body_part="head")
        # aimed at the place of a head that does not sway
        while thrown(simulation, replace(ball, is_visible=False), 1.4)[0] >= 0:
            for _ in range(25):
                simulation.step()
            assert simulation.time < begin + 1.5
        gap, trouble = thrown(simulation, ball, 1.8)
        assert trouble == ""
        assert gap > 0.015


def test_ball_that_hits_transfers_its_momentum() -> None:
    """The impulse on the chest is that of the ball and is reported; otherwise there is no hit."""
    ball = Projectile(0.05, 12.0, 0.0, 2.0, mass=2.0, restitution=0.4, is_visible=False)
    simulation = Simulation(replace(STANDS, projectiles=(ball,)))
    speed = []
    while simulation.time < 0.4:
        simulation.step()
        flying = simulation.projectiles._balls[0].velocity
        speed.append(0.0 if flying is None else flying[0])
    impulse = np.array(simulation.recorder.pushes).sum(0) * simulation.loop.dt
    assert impulse[0] == pytest.approx(-ball.mass * (speed[-1] + 12.0), rel=1e-6)
    assert 1.0 * 24 < -impulse[0] < 1.4 * 24
    motion = simulation.make_motion(0, 10, 0.3, {})
    assert any("thrown at 0.05 s hits chest at 0.2" in note for note in motion.report.notes)
    hit = np.flatnonzero(motion.push_force.any(1))
    chest = motion.link_position[hit[0], motion.link_names.index("chest")]
    assert np.linalg.norm(motion.push_point[hit[0]] - chest) < 0.25
    assert simulation.loop.body_state.com_velocity[0] < -0.15
    beside = Simulation(
        replace(
            STANDS,
            projectiles=(
                replace(
                    ball,
                    launch_position=(2.0, 1.0, 1.3),
                    body_part="hand.R",
                    speed=5.0,
                    radius=0.02,
                ),
            ),
        )
    )
    while beside.time < 0.05:
        beside.step()
    assert beside.projectiles.make_notes(1.0) == ()


def test_a_task_file_keeps_projectiles(tmp_path: FilePath) -> None:
    """A file keeps all projectiles, and unknown keys are refused."""
    balls = (
        Projectile(
            1.5,
            9.0,
            0.3,
            7.0,
            body_part="head",
            radius=0.2,
            mass=3.0,
            restitution=0.1,
            is_visible=False,
        ),
        Projectile(2.0, launch_position=(8.0, -1.0, 2.0)),
    )
    save_task(replace(WALKS, projectiles=balls), tmp_path / "task.toml")
    assert load_task(tmp_path / "task.toml").projectiles == balls
    text = (tmp_path / "task.toml").read_text()
    (tmp_path / "task.toml").write_text(text.replace("radius", "size", 1))
    with pytest.raises(TaskError, match="unknown entry 'size'"):
        load_task(tmp_path / "task.toml")


def test_only_simulated_bodies_have_things_thrown_at_them() -> None:
    """The message of another engine names the suitable one; impossible balls are refused too."""
    task = replace(SCENARIOS["preview-dodge"].build_task(seconds=8.0), engine="centroidal")
    assert len(task.projectiles) == 3
    with pytest.raises(TaskError, match="engine 'preview'"):
        generate(task)
    with pytest.raises(TaskError, match="speed of a projectile is 0"):
        Projectile(1.0, 0.0)
    with pytest.raises(TaskError, match="aimed at 'tail'"):
        Projectile(1.0, body_part="tail")
