"""Tasks of bodies that are driven at random over random ground.

Source: Kwon et al. 2020, section 7.3. A body that is driven live is planned once. A clip is planned
twice, the second time with the momentum of the limbs, and a network that learns from clips comes
closer to what the planned engine delivers. A random drive is therefore drawn first, as a path with
speeds, and generated as a clip.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...task import Path, SpeedProfile, Task
from ...terrain import FlatGround, Ground, HeightField, make_rolling_hills

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DrivingParameters:
    """How bodies are driven at random, at human scale.

    Source: the drives from which the shipped networks have learned; for other numbers they have to
    be trained again.

    Args:
        seconds: length of a clip [s].
        fps: frame rate of a clip [1/s].
        command_time: time between two commands [s].
        change_share: probability with which a command changes the speed, and the direction.
        speed_deviation: standard deviation of a change of speed [m/s].
        turn_deviation: standard deviation of a change of direction [rad].
        stop_share: probability with which a change of speed is a stop.
        standing_share: share of the clips that begin from standing.
        ending_share: share of the clips whose path ends within the clip.
        flat_share: share of the clips on flat ground.
        max_slope: greatest inclination of hills [degrees].
        max_bump: greatest height of bumps [m].
        margin: ground around a path [m].
    """

    seconds: float = 12.0
    fps: float = 60.0
    command_time: float = 0.5
    change_share: float = 0.3
    speed_deviation: float = 1.0
    turn_deviation: float = 0.5
    stop_share: float = 0.08
    standing_share: float = 0.2
    ending_share: float = 0.25
    flat_share: float = 0.3
    max_slope: float = 12.0
    max_bump: float = 0.2
    margin: float = 5.0


DRIVING = DrivingParameters()


@dataclass(frozen=True)
class DrivingSpeedLimits:
    """Slowest and fastest speed of random drives [m/s]."""

    slowest: float
    fastest: float


@dataclass(frozen=True)
class _Commands:
    """Speeds [m/s] and directions [rad] after each command, shape (n,)."""

    speeds: Array
    directions: Array


def drive_at_random(task: Task, limits: DrivingSpeedLimits, rng: np.random.Generator) -> Task:
    """Return a task whose path, speeds and ground are random.

    Args:
        task: task at human scale with the body and its style.
        limits: range of the speeds, other than 0.
        rng: source of all random numbers.
    """
    count = int(np.ceil(DRIVING.seconds / DRIVING.command_time)) + 1
    commands = _draw_commands(count, limits, rng)
    is_standing = rng.random() < DRIVING.standing_share
    steps = (DRIVING.command_time * commands.speeds)[:, None] * np.stack(
        [np.cos(commands.directions), np.sin(commands.directions)], -1
    )
    points = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, 0)])
    if rng.random() < DRIVING.ending_share:
        kept = int(rng.uniform(0.4, 0.8) * len(points))
        points = points[: max(kept, 2)]
    else:
        last = commands.directions[-1]
        reach = 2.0 + 3.0 * limits.fastest
        points = np.vstack([points, points[-1] + reach * np.array([np.cos(last), np.sin(last)])])
    if np.ptp(points, axis=0).max() < 0.5:
        points = np.vstack([points, points[-1] + [2.0, 0.0]])
    return replace(
        task,
        path=Path(points),
        speed=SpeedProfile(commands.speeds, DRIVING.command_time * np.arange(count)),
        ground=_draw_ground(points, rng),
        seconds=DRIVING.seconds,
        fps=DRIVING.fps,
        start="standing" if is_standing or commands.speeds[0] == 0 else "moving",
    )


def _draw_commands(count: int, limits: DrivingSpeedLimits, rng: np.random.Generator) -> _Commands:
    """Return random commands; each changes the speed and the direction with a probability."""
    # Most of the range of a fast body is a run, and half of the drives begin at a walk.
    speed = rng.uniform(
        limits.slowest, limits.fastest if rng.random() < 0.5 else 0.4 * limits.fastest
    )
    direction = rng.uniform(-np.pi, np.pi)
    speeds = np.empty(count)
    directions = np.empty(count)
    for k in range(count):
        if k and rng.random() < DRIVING.change_share:
            is_stop = rng.random() < DRIVING.stop_share
            changed = speed + DRIVING.speed_deviation * rng.standard_normal()
            speed = 0.0 if is_stop else float(np.clip(changed, limits.slowest, limits.fastest))
        if k and rng.random() < DRIVING.change_share:
            direction += DRIVING.turn_deviation * rng.standard_normal()
        speeds[k] = speed
        directions[k] = direction
    return _Commands(speeds, directions)


def _draw_ground(points: Array, rng: np.random.Generator) -> Ground:
    """Return flat ground, or hills with bumps under and around a path."""
    if rng.random() < DRIVING.flat_share:
        return FlatGround()
    low = points.min(0) - DRIVING.margin
    extent = points.max(0) + DRIVING.margin - low
    # Hills roll along x or along y, and are level in the middle of one side.
    hills = make_rolling_hills(
        rng,
        float(extent[0]),
        float(extent[1]),
        bump_height=float(rng.uniform(0, DRIVING.max_bump)),
        slope_deg=float(rng.uniform(0, DRIVING.max_slope)),
    )
    return HeightField(hills.heights, (low[0], low[1]), hills.spacing)
