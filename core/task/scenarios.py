"""Named tasks to try the engines on; each is made of the same parts that a user combines."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..errors import TaskError
from ..terrain import Slab, cut_out, rolling_hills, slabs, stairs
from .jump import Jump
from .path import Path
from .profile import Profile
from .push import Push
from .speed import SpeedProfile
from .task import Task


@dataclass(frozen=True)
class Scenario:
    """A task waiting for its length, seed and speed."""

    name: str
    about: str
    speed: float                                       # m/s unless told otherwise
    build: Callable[[float, float, int], Task]         # speed, seconds, seed -> task

    def task(self, fps: float = 30.0, seconds: float = 10.0, seed: int = 0, speed: float | None = None) -> Task:
        """The task.

        Raises:
            TaskError: a number that no task can have.
        """
        if seed < 0:
            raise TaskError(f"The seed is {seed}; it must be a whole number of 0 or more.")
        speed = self.speed if speed is None else speed
        SpeedProfile(speed)                            # says what is wrong with it before anything is built on it
        if not 0.1 <= seconds <= 3600:
            raise TaskError(f"The clip would last {seconds:g} s; it must be between 0.1 s and an hour.")
        return replace(self.build(speed, seconds, seed), fps=fps, seconds=seconds, seed=seed, name=self.name)


def _straight(length: float) -> Path:
    return Path([[0.0, 0.0], [length, 0.0]])


def _walk(speed: float, seconds: float, seed: int) -> Task:
    return Task(_straight(speed * seconds + 10), SpeedProfile(speed), style="walk")


def _run(speed: float, seconds: float, seed: int) -> Task:
    return Task(_straight(speed * seconds + 10), SpeedProfile(speed), style="run")


def _walk_and_stop(speed: float, seconds: float, seed: int) -> Task:
    """Three seconds of walk, one to stop, two of standing, one to start, over and over."""
    times, speeds = [], []
    for k in range(int(seconds // 7) + 1):
        times += [7 * k + t for t in (0.0, 3.0, 4.0, 6.0)]
        speeds += [speed, speed, 0.0, 0.0]
    return Task(_straight(speed * seconds + 10), SpeedProfile([*speeds, speed], [*times, times[-1] + 1.0]), style="walk")


def _sharp_turn(speed: float, seconds: float, seed: int) -> Task:
    """There and back, to the left and to the right in turn."""
    leg = 3.5 * speed
    points = [(leg * (k % 2), 0.01 * k) for k in range(max(int(seconds / 3.5) + 3, 3))]
    return Task(Path(points), SpeedProfile(speed), style="walk")


def _terrain_walk(speed: float, seconds: float, seed: int) -> Task:
    ground = rolling_hills(np.random.default_rng(seed), speed * seconds + 8, 8.0, bump=0.15, slope_deg=10.0)
    return Task(_straight(speed * seconds + 4), SpeedProfile(speed), ground=ground, style="walk")


def _varying(speed: float, seconds: float, seed: int) -> Task:
    """From 20 km/h to the speed asked for in three seconds."""
    slow = min(20 / 3.6, speed)
    return Task(_straight(speed * seconds + 60), SpeedProfile([slow, slow, speed], [0.0, 2.0, 5.0]), style="natural")


def _walk_run(speed: float, seconds: float, seed: int) -> Task:
    """Up to the speed asked for and back, over and over: walks and runs as the speed has it."""
    times = np.arange(int(seconds // 5) + 2) * 5.0
    speeds = np.where(np.arange(len(times)) % 2, speed, 1.2)
    return Task(_straight(speed * seconds + 10), SpeedProfile(speeds, times), style="natural")


def _terrain_run(speed: float, seconds: float, seed: int) -> Task:
    ground = rolling_hills(np.random.default_rng(seed), speed * seconds + 12, 8.0, bump=0.15, slope_deg=10.0)
    return Task(_straight(speed * seconds + 6), SpeedProfile(speed), ground=ground, style="natural")


def _moon(speed: float, seconds: float, seed: int) -> Task:
    return Task(_straight(speed * seconds + 10), SpeedProfile(speed), style="natural", gravity=1.6)


def _varying_stride(speed: float, seconds: float, seed: int) -> Task:
    """Strides grow from 1.0 m to 2.2 m, that is steps from 0.5 m to 1.1 m."""
    return Task(_straight(speed * seconds + 10), SpeedProfile(speed), style="walk",
                stride=Profile("stride", [1.0, 2.2], [0.5, max(seconds - 1, 1.0)]))


def _varying_width(speed: float, seconds: float, seed: int) -> Task:
    """From one foot before the other to a wide gait."""
    return Task(_straight(speed * seconds + 10), SpeedProfile(speed), style="walk",
                width=Profile("width", [0.0, 2.5], [0.5, max(seconds - 1, 1.0)]))


def _leap(speed: float, seconds: float, seed: int) -> Task:
    """Gaps of 3 m, with 2 to 2.5 m of ground between them."""
    rng, half, at = np.random.default_rng(seed), 3.0, 4.0
    pieces = [Slab((-20.0, at), (-half, half))]
    while at < speed * seconds + 20:
        begin = at + 3.0
        at = begin + rng.uniform(2.0, 2.5)
        pieces.append(Slab((begin, at), (-half, half)))
    return Task(_straight(speed * seconds + 10), SpeedProfile(speed), ground=slabs(pieces), style="run")


def _terrain_leap(speed: float, seconds: float, seed: int) -> Task:
    """Gaps of 0.1 to 1 m, with 1 to 1.8 m of hilly ground between them."""
    rng = np.random.default_rng(seed)
    ground = rolling_hills(rng, speed * seconds + 15, 8.0, bump=0.15, slope_deg=10.0)
    gaps, at = [], 4.0
    while at < speed * seconds + 10:
        gaps.append((at, at + rng.uniform(0.1, 1.0)))
        at = gaps[-1][1] + rng.uniform(1.0, 1.8)
    return Task(_straight(speed * seconds + 8), SpeedProfile(speed), ground=cut_out(ground, gaps), style="run")


def _step_up_down(speed: float, seconds: float, seed: int) -> Task:
    """Boxes of 10 to 25 cm, as long as none, one or two steps."""
    rng, half, at = np.random.default_rng(seed), 2.0, 3.0
    floor = speed * seconds + 12
    pieces = [Slab((-20.0, floor), (-half, half))]
    while at < floor - 3:
        end = at + rng.uniform(0.4, 1.6)
        pieces.append(Slab((at, end), (-0.5 * half, 0.5 * half), rng.uniform(0.1, 0.25)))
        at = end + rng.uniform(0.8, 2.0)
    return Task(_straight(speed * seconds + 8), SpeedProfile(speed), ground=slabs(pieces), style="walk")


def _stair_walk(speed: float, seconds: float, seed: int) -> Task:
    """Flights of ten stairs up and down with landings between them."""
    half, at, level, rise, tread = 1.0, 3.0, 0.0, 0.17, 0.30
    pieces, up = [Slab((-20.0, at), (-half, half))], 1
    while at < speed * seconds + 8:
        flight = stairs(at, 10, tread, up * rise, 2 * half, level)
        at, level, up = flight[-1].x[1] + 2.5, flight[-1].height, -up
        pieces += [*flight, Slab((flight[-1].x[1], at), (-half, half), level)]
    return Task(_straight(speed * seconds + 6), SpeedProfile(speed), ground=slabs(pieces), style="walk")


def _push(speed: float, seconds: float, seed: int) -> Task:
    """Every 2.5 s a push from any side: at the centre of mass with 100 to 400 N, and with 200 N at a part of the body."""
    rng, pushes = np.random.default_rng(seed), []
    for k in range(max(int((seconds - 2.0) / 2.5) + 1, 1)):
        place = "com" if k % 2 == 0 else str(rng.choice(["head", "hand.L", "hand.R", "pelvis", "foot.L", "foot.R"]))
        size = rng.uniform(100, 400) if place == "com" else 200.0
        angle = rng.uniform(0, 2 * np.pi)
        pushes.append(Push(1.5 + 2.5 * k, (size * np.cos(angle), size * np.sin(angle), 0.0), 0.2, place))
    return Task(_straight(speed * seconds + 10), SpeedProfile(speed), pushes=tuple(pushes))


def _random_jumps(speed: float, seconds: float, seed: int) -> Task:
    """Jumps of any height, each the way that it happens to."""
    jumps: list[Jump] = []
    rng, points, heading, at = np.random.default_rng(seed), [np.zeros(2)], 0.0, 1.3
    while at < seconds or not jumps:
        reach = rng.uniform(0.1, 1.0)
        points.append(points[-1] + reach * np.array([np.cos(heading), np.sin(heading)]))
        heading += rng.uniform(-0.6, 0.6) * np.pi
        jumps.append(Jump(at, rng.uniform(0.08, 0.45), reach))
        at += rng.uniform(2.4, 2.9)
    points.append(points[-1] + [np.cos(heading), np.sin(heading)])
    return Task(Path(points), SpeedProfile(speed), start="standing", jumps=tuple(jumps))


def _super_jumps(speed: float, seconds: float, seed: int) -> Task:
    """Seven times as long in the air as the hops of 4 to 8 cm that people make between two jumps."""
    rng = np.random.default_rng(seed)
    jumps = [Jump(1.3, 49 * rng.uniform(0.04, 0.08), rng.uniform(0.5, 3.0))]
    while jumps[-1].time + 4.5 < seconds:
        jumps.append(Jump(jumps[-1].time + 4.5, 49 * rng.uniform(0.04, 0.08), rng.uniform(0.5, 3.0), rng.uniform(-1, 1) * np.pi))
    return Task(_straight(3.0 * len(jumps) + 1), SpeedProfile(speed), start="standing", jumps=tuple(jumps))


def _super_flips(speed: float, seconds: float, seed: int) -> Task:
    """Flips forward and backward, one or two of them."""
    jumps: list[Jump] = []
    rng, at = np.random.default_rng(seed), 1.3
    while at < seconds or not jumps:
        count = 1 + len(jumps) % 2
        way = 1 if len(jumps) % 4 < 2 else -1
        jumps.append(Jump(at, (0.5 + 0.5 * count) * rng.uniform(0.9, 1.2), way * rng.uniform(0.3, 0.8), flips=way * count))
        at += 3.6
    return Task(_straight(2.0 * len(jumps) + 1), SpeedProfile(speed), start="standing", jumps=tuple(jumps))


SCENARIOS = {s.name: s for s in (
    Scenario("humanoid-walk", "straight on, on the flat", 1.15, _walk),
    Scenario("humanoid-run", "a jog, straight on, on the flat", 1.76, _run),
    Scenario("humanoid-fast-run", "a fast run, straight on, on the flat", 7.0, _run),
    Scenario("humanoid-walk-and-stop", "walks, stands, walks on", 1.15, _walk_and_stop),
    Scenario("humanoid-sharp-turn", "walks, and turns right round again and again", 1.15, _sharp_turn),
    Scenario("humanoid-terrain-walk", "bumps up to 15 cm high on slopes of up to 10 degrees, from the seed", 1.15,
             _terrain_walk),
    Scenario("humanoid-walk-run", "from 1.2 m/s up and back: walks and runs by itself", 3.2, _walk_run),
    Scenario("humanoid-run-varying-speed", "from 20 to 35 km/h in three seconds", 35 / 3.6, _varying),
    Scenario("humanoid-terrain-run", "a run over bumps and slopes from the seed", 3.0, _terrain_run),
    Scenario("humanoid-varying-stride", "steps grow from 0.5 m to 1.1 m at one speed", 1.5, _varying_stride),
    Scenario("humanoid-varying-lateral-foot", "from one foot before the other to a wide gait", 1.15, _varying_width),
    Scenario("humanoid-moon", "where gravity is 1.6 m/s^2", 1.6, _moon),
    Scenario("humanoid-leap", "over gaps of 3 m", 5.0, _leap),
    Scenario("humanoid-terrain-leap", "over gaps of 0.1 to 1 m in hilly ground", 2.68, _terrain_leap),
    Scenario("humanoid-push", "pushed from any side, again and again", 1.15, _push),
    Scenario("humanoid-step-up-down", "onto boxes and down again", 1.0, _step_up_down),
    Scenario("humanoid-stair-walk", "stairs up and down", 0.75, _stair_walk),
    Scenario("humanoid-random-jumps", "jumps of any height, any way", 0.0, _random_jumps),
    Scenario("humanoid-super-jumps", "jumps seven times as long in the air", 0.0, _super_jumps),
    Scenario("humanoid-super-flips", "flips forward and backward", 0.0, _super_flips),
)}


def scenario(name: str) -> Scenario:
    """A scenario by its name.

    Raises:
        TaskError: there is none of that name.
    """
    if name not in SCENARIOS:
        raise TaskError(f"There is no scenario {name!r}; there are: {', '.join(SCENARIOS)}.")
    return SCENARIOS[name]
