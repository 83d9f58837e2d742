"""Named tasks that show what the engines can do, built from the same parts as users' tasks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..clip.style.knobs import Knobs
from ..errors import TaskError
from ..task.path import Path
from ..task.profile import FacingOffset, Profile, SpeedProfile
from ..task.task import Task
from ..terrain import make_rolling_hills
from . import adaptive, animals, crossings, learned, simulated, tracker, trials
from .scenario import Scenario
from .trials import make_straight_path

Array = NDArray[np.float64]


def _walk(speed: float, seconds: float, seed: int) -> Task:
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed), style="walk")


def _run(speed: float, seconds: float, seed: int) -> Task:
    return Task(make_straight_path(speed * seconds + 10), SpeedProfile(speed), style="run")


def _walk_and_stop(speed: float, seconds: float, seed: int) -> Task:
    """Walk for three seconds, stop within one, stand for two and start within one, repeatedly."""
    times = []
    speeds = []
    for k in range(int(seconds // 7) + 1):
        times += [7 * k + t for t in (0.0, 3.0, 4.0, 6.0)]
        speeds += [speed, speed, 0.0, 0.0]
    return Task(
        make_straight_path(speed * seconds + 10),
        SpeedProfile([*speeds, speed], [*times, times[-1] + 1.0]),
        style="walk",
    )


def _sharp_turn(speed: float, seconds: float, seed: int) -> Task:
    """Walk there and back, with turns to the left and to the right alternately."""
    lap_length = 3.5 * speed
    points = [(lap_length * (k % 2), 0.01 * k) for k in range(max(int(seconds / 3.5) + 3, 3))]
    return Task(Path(points), SpeedProfile(speed), style="walk")


def _terrain_walk(speed: float, seconds: float, seed: int) -> Task:
    ground = make_rolling_hills(np.random.default_rng(seed), speed * seconds + 8, 8.0)
    return Task(
        make_straight_path(speed * seconds + 4), SpeedProfile(speed), ground=ground, style="walk"
    )


def _varying_speed(speed: float, seconds: float, seed: int) -> Task:
    """Accelerate from 20 km/h to the given speed within three seconds."""
    start_speed = min(20 / 3.6, speed)
    return Task(
        make_straight_path(speed * seconds + 60),
        SpeedProfile([start_speed, start_speed, speed], [0.0, 2.0, 5.0]),
        style="natural",
    )


def _walk_run(speed: float, seconds: float, seed: int) -> Task:
    """Accelerate to the given speed and slow down repeatedly, with a walk or a run by speed."""
    times = np.arange(int(seconds // 5) + 2) * 5.0
    speeds = np.where(np.arange(len(times)) % 2, speed, 1.2)
    return Task(
        make_straight_path(speed * seconds + 10), SpeedProfile(speeds, times), style="natural"
    )


def _terrain_run(speed: float, seconds: float, seed: int) -> Task:
    ground = make_rolling_hills(np.random.default_rng(seed), speed * seconds + 12, 8.0)
    return Task(
        make_straight_path(speed * seconds + 6), SpeedProfile(speed), ground=ground, style="natural"
    )


def _moon(speed: float, seconds: float, seed: int) -> Task:
    return Task(
        make_straight_path(speed * seconds + 10), SpeedProfile(speed), style="natural", gravity=1.6
    )


def _varying_stride(speed: float, seconds: float, seed: int) -> Task:
    """Walk with strides from 1.0 m to 2.2 m, that is steps from 0.5 m to 1.1 m."""
    return Task(
        make_straight_path(speed * seconds + 10),
        SpeedProfile(speed),
        style="walk",
        stride_length=Profile("stride", [1.0, 2.2], [0.5, max(seconds - 1, 1.0)]),
    )


def _varying_width(speed: float, seconds: float, seed: int) -> Task:
    """Walk with feet on one line first, and wide apart in the end."""
    return Task(
        make_straight_path(speed * seconds + 10),
        SpeedProfile(speed),
        style="walk",
        step_width_factor=Profile("width", [0.0, 2.5], [0.5, max(seconds - 1, 1.0)]),
    )


def _walk_in_style(style: str, knobs: Knobs) -> Callable[[float, float, int], Task]:
    """Return a scenario straight on in a style with changed knobs."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        return Task(
            make_straight_path(speed * seconds + 10), SpeedProfile(speed), style=style, knobs=knobs
        )

    return build


def _walk_facing_away(degrees: float) -> Callable[[float, float, int], Task]:
    """Return a scenario straight on at an angle [degrees] to the path."""

    def build(speed: float, seconds: float, seed: int) -> Task:
        return Task(
            make_straight_path(speed * seconds + 10),
            SpeedProfile(speed),
            style="walk",
            facing_offset=FacingOffset(degrees),
        )

    return build


def _spin(speed: float, seconds: float, seed: int) -> Task:
    """Walk straight on and, after a second, spin by 45 degrees per second."""
    facing_offset = FacingOffset([0.0, 45.0 * seconds], [1.0, 1.0 + seconds])
    return Task(
        make_straight_path(speed * seconds + 10),
        SpeedProfile(speed),
        style="walk",
        facing_offset=facing_offset,
    )


SCENARIOS = {
    s.name: s
    for s in (
        Scenario("humanoid-walk", "straight on, on the flat", 1.15, _walk),
        Scenario("humanoid-run", "a jog, straight on, on the flat", 1.76, _run),
        Scenario("humanoid-fast-run", "a fast run, straight on, on the flat", 7.0, _run),
        Scenario("humanoid-walk-and-stop", "walks, stands, walks on", 1.15, _walk_and_stop),
        Scenario(
            "humanoid-sharp-turn", "walks, and turns right round again and again", 1.15, _sharp_turn
        ),
        Scenario(
            "humanoid-terrain-walk",
            "bumps up to 15 cm high on slopes of up to 10 degrees, from the seed",
            1.15,
            _terrain_walk,
        ),
        Scenario(
            "humanoid-walk-run",
            "from 1.2 m/s up and back: a walk or a run by speed",
            3.2,
            _walk_run,
        ),
        Scenario(
            "humanoid-run-varying-speed",
            "from 20 to 35 km/h in three seconds",
            35 / 3.6,
            _varying_speed,
        ),
        Scenario(
            "humanoid-terrain-run", "a run over bumps and slopes from the seed", 3.0, _terrain_run
        ),
        Scenario(
            "humanoid-varying-stride",
            "steps grow from 0.5 m to 1.1 m at one speed",
            1.5,
            _varying_stride,
        ),
        Scenario(
            "humanoid-varying-lateral-foot",
            "from feet on one line to a wide gait",
            1.15,
            _varying_width,
        ),
        Scenario(
            "humanoid-arm-wide-open",
            "walks with arms spread wide",
            1.1,
            _walk_in_style("walk", Knobs(arm_spread=75.0, arm_swing=0.25, stiffness=0.2)),
        ),
        Scenario(
            "humanoid-leaned-back",
            "walks with the upper body leaned back",
            1.1,
            _walk_in_style("walk", Knobs(lean=-18.0, toe_out=4.0)),
        ),
        Scenario(
            "humanoid-sneaky",
            "sneaks on deep knees and looks aside",
            0.57,
            _walk_in_style("sneak", Knobs(head_turn=20.0)),
        ),
        Scenario(
            "humanoid-march",
            "marches: knees up, straight arms",
            1.27,
            _walk_in_style("march", Knobs(bounce=1.2)),
        ),
        Scenario("humanoid-backward", "walks backward", 0.9, _walk_facing_away(180.0)),
        Scenario(
            "humanoid-sidestep",
            "walks sideways, the left foot first",
            0.5,
            _walk_facing_away(-90.0),
        ),
        Scenario("humanoid-spin", "walks on while it spins", 0.8, _spin),
        Scenario("humanoid-moon", "walks at a gravity of 1.6 m/s^2", 1.6, _moon),
        Scenario("humanoid-leap", "over gaps of 3 m", 5.0, trials.leap),
        Scenario("humanoid-hurdles", "over hurdles 0.6 m high", 5.0, trials.hurdles),
        Scenario(
            "humanoid-terrain-leap",
            "over gaps of 0.1 to 1 m in hilly ground",
            2.68,
            trials.terrain_leap,
        ),
        Scenario("humanoid-push", "pushed from any side, again and again", 1.15, trials.push),
        Scenario("humanoid-step-up-down", "onto boxes and down again", 1.0, trials.step_up_down),
        Scenario(
            "humanoid-stones",
            "over scattered stones, with free choice among them",
            1.2,
            trials.stones,
        ),
        Scenario(
            "humanoid-terrain-stones", "the same over hills and bumps", 1.2, trials.terrain_stones
        ),
        Scenario("humanoid-stair-walk", "stairs up and down", 0.75, trials.stair_walk),
        Scenario(
            "humanoid-stair-forefoot",
            "narrow stairs up and down, on ball and toes",
            0.4,
            trials.stair_forefoot,
        ),
        Scenario(
            "humanoid-random-jumps",
            "jumps of random height and direction",
            0.0,
            trials.random_jumps,
        ),
        Scenario(
            "humanoid-super-jumps", "jumps seven times as long in the air", 0.0, trials.super_jumps
        ),
        Scenario("humanoid-super-flips", "flips forward and backward", 0.0, trials.super_flips),
        Scenario(
            "humanoid-monkeybars", "hand over hand along bars overhead", 0.5, trials.monkeybars
        ),
        Scenario("luxo-terrain", "a desk lamp hops over hills", 1.36, animals.over_hills("luxo")),
        Scenario(
            "anymal-terrain",
            "a robot on four legs walks over hills",
            1.0,
            animals.over_hills("anymal"),
        ),
        Scenario(
            "anymal-gaits",
            "faster and faster: walk, trot, canter, gallop",
            11.0,
            animals.gait_changes,
        ),
        Scenario(
            "anymal-rush",
            "one of thirty large robots; the seed selects its speed",
            animals.RUSH_SPEEDS[1],
            animals.rush,
        ),
        Scenario(
            "cassie-style1",
            "a robot with knees bent backward walks",
            1.0,
            animals.with_gait("cassie"),
        ),
        Scenario("cassie-style2", "the same at a run", 1.6, animals.with_gait("cassie", "run")),
        Scenario(
            "cassie-style3", "the same hops on both feet", 1.0, animals.with_gait("cassie", "hop")
        ),
        Scenario(
            "hexapod-terrain", "a robot on six legs over hills", 0.5, animals.over_hills("hexapod")
        ),
        Scenario(
            "spider-terrain",
            "a spider as large as a hand over hills",
            0.3,
            animals.over_hills("spider"),
        ),
        Scenario("dog-terrain", "a dog trots over hills", 2.0, animals.over_hills("dog")),
        Scenario("horse-walk", "a horse walks", 1.5, animals.with_gait("horse")),
        Scenario("horse-gallop", "a horse gallops", 9.0, animals.with_gait("horse")),
        *learned.list_scenarios(_terrain_walk),
        *tracker.SCENARIOS,
        Scenario("preview-walk", "a simulated body walks", 1.25, simulated.walk),
        Scenario("preview-stand", "a simulated body stands", 0.0, simulated.stand),
        Scenario(
            "preview-turn-in-place", "a simulated body turns in place", 0.0, simulated.turn_in_place
        ),
        Scenario("preview-walk-and-stop", "walks, stands, walks on", 1.25, simulated.walk_and_stop),
        Scenario("preview-corners", "round square corners", 1.1, simulated.corners),
        Scenario("preview-gaps", "over gaps of 0.25 to 0.9 m", 1.25, simulated.gaps),
        Scenario(
            "preview-low-steps",
            "up and down by 10 cm at a time",
            1.1,
            simulated.level_changes((0.1, 0.1, -0.1, -0.1)),
        ),
        Scenario(
            "preview-steps",
            "up and down by half a meter",
            1.0,
            simulated.level_changes((0.5, -0.5)),
        ),
        Scenario("preview-drops", "off ledges of a meter", 1.0, simulated.level_changes((-1.0,))),
        Scenario("preview-inclines", "up and down slopes of 15 degrees", 1.0, simulated.inclines),
        Scenario("preview-stairs", "up stairs and down", 0.75, simulated.stair_walk),
        Scenario("preview-run", "a simulated body runs", 2.625, simulated.walk),
        Scenario("preview-hop", "hops on one leg", 0.8, simulated.hop),
        Scenario("preview-stones", "over stones of half a meter", 1.0, crossings.stones),
        Scenario(
            "preview-course",
            "a gap, ledges up and down, slopes, stairs, stones and a push on one path",
            0.9,
            crossings.course,
        ),
        Scenario(
            "preview-transitions", "stands, walks, runs, walks, stands", 2.6, crossings.transitions
        ),
        Scenario("preview-jumps", "leaps of 8 to 20 cm as it runs", 2.6, crossings.jumps),
        Scenario(
            "preview-dodge",
            "dodges balls that are thrown from any side",
            1.25,
            simulated.thrown_balls,
        ),
        Scenario(
            "preview-push",
            "pushed on the head from any side, again and again",
            1.25,
            simulated.pushes,
        ),
        Scenario("adaptive-walk", "a torque-driven body walks", 1.06, adaptive.walk),
        Scenario("adaptive-bend", "along wide bends", 1.06, adaptive.bend),
        Scenario("adaptive-terrain", "over random ground", 1.06, adaptive.over_random_field(0.16)),
        Scenario("adaptive-slopes", "up and down slopes of 0.2", 1.06, adaptive.slopes(0.2)),
        Scenario("adaptive-boxes", "over boxes", 1.06, adaptive.boxes(adaptive.STEP_UP)),
        Scenario("adaptive-stairs-up", "up steps", 1.06, adaptive.stairs(adaptive.STEP_UP)),
        Scenario("adaptive-stairs-down", "down steps of 8 cm", 1.06, adaptive.stairs(-0.08)),
        Scenario("adaptive-navigate", "along bends, with stops", 1.0, adaptive.navigate),
        Scenario("adaptive-stand", "stands and is pushed", 0.0, adaptive.pushes(150.0)),
        Scenario("adaptive-turns", "turns at corners of its path", 1.06, adaptive.turns),
        Scenario("adaptive-backward", "walks backward", 0.72, adaptive.backward),
        Scenario("adaptive-sidestep", "steps to its left", 0.33, adaptive.sidestep),
        Scenario("adaptive-push", "pushed on the chest from any side", 1.06, adaptive.pushes(80.0)),
        Scenario(
            "adaptive-frozen-knee",
            "with a left knee that cannot bend",
            0.5,
            adaptive.with_character("humanoid-frozen-knee"),
        ),
        Scenario(
            "adaptive-inverted-knees",
            "on knees that bend backward",
            0.8,
            adaptive.with_character("humanoid-inverted-knees"),
        ),
    )
}


def find_scenario(name: str) -> Scenario:
    """Return the scenario with a name.

    Raises:
        TaskError: there is no such scenario.
    """
    if name not in SCENARIOS:
        raise TaskError(f"There is no scenario {name!r}; there are: {', '.join(SCENARIOS)}.")
    return SCENARIOS[name]
