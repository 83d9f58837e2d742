"""Remedies for a task whose motion is broken, from a lower speed to a shorter path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...clip.style.knobs import Knobs
from ...task import Hurdle, Path, SpeedProfile, Task
from ...task.jump import MIN_HEIGHT
from ...task.profile import Profile
from ..shared.character import load_task_character
from .attempt import BrokenMotion

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RemedyParameters:
    """How far remedies change a task.

    Each remedy takes a whole plan, so that there are few of each kind, and the smallest change is
    tried first. Guarded by tests/core/engine/safety.
    """

    # Shares of the requested speed that are tried: equal steps down to that of a slow walk.
    speed_shares: tuple[float, ...] = (0.8, 0.6, 0.4)
    # Shares of the requested speed that are tried with everything else at its default.
    simple_speed_shares: tuple[float, ...] = (0.6, 0.3)
    # Speed that is tried last, v / sqrt(g l): a stroll, which needs little friction.
    stroll_speed_ratio: float = 0.15
    # Speed below which none is lowered [m/s].
    min_speed: float = 0.3
    # Shares of the distance and height of jumps that are tried, each 0.6 to 0.7 of the one
    # before.
    jump_shares: tuple[float, ...] = (0.7, 0.4)
    # Times before the broken frame at which the walk is ended [s]: the last step before it, and the
    # last three.
    stop_lead_times: tuple[float, ...] = (0.6, 1.5)
    # Shortest path that is walked [m]; a shorter one is not.
    min_path_length: float = 0.4
    # Distance from a hurdle in which a motion counts as broken by it [leg lengths]: a human stride.
    hurdle_reach: float = 1.5
    # Distance before a hurdle at which the walk ends [leg lengths]: a human step.
    hurdle_clearance: float = 0.7
    # Time around a pinned footstep in which it may be what broke the motion [s]: two to three human
    # steps, over which its timing is spread.
    pinned_span: float = 1.5


REMEDY = RemedyParameters()


@dataclass(frozen=True)
class RemediedTask:
    """A task with lower demands.

    Attributes:
        note: what was changed, a clause for the animator.
    """

    task: Task
    note: str


Remedy = Callable[[BrokenMotion], Iterator[RemediedTask]]


def stop_before_hurdle(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield the task with a path that ends before the hurdle at which the motion broke."""
    hurdle = find_hurdle_near(broken)
    if hurdle is None:
        return
    task = broken.task
    middle = 0.5 * (np.asarray(hurdle.start) + np.asarray(hurdle.end))
    station = find_station(task.path, middle) - REMEDY.hurdle_clearance * measure_leg(broken)
    if station < REMEDY.min_path_length:
        return
    yield RemediedTask(
        replace(task, path=cut_path(task.path, station), stop_at_end=True, last_pose=None),
        f"the walk ends after {station:.2f} m, before the hurdle at ({middle[0]:.2f}, "
        f"{middle[1]:.2f}), which it cannot clear; let it run faster or make the hurdle lower",
    )


def find_hurdle_near(broken: BrokenMotion) -> Hurdle | None:
    """Return the hurdle that the body crosses as its motion breaks, if any."""
    place = find_place(broken, broken.time)
    if place is None:
        return None
    reach = REMEDY.hurdle_reach * measure_leg(broken)

    def measure_distance(hurdle: Hurdle) -> float:
        start = np.asarray(hurdle.start)
        along = np.asarray(hurdle.end) - start
        share = np.clip((place - start) @ along / max(along @ along, 1e-12), 0.0, 1.0)
        return float(np.linalg.norm(place - start - share * along))

    nearest = min(broken.task.hurdles, key=measure_distance, default=None)
    return nearest if nearest is not None and measure_distance(nearest) < reach else None


def measure_leg(broken: BrokenMotion) -> float:
    """Return the leg length of the task's character [m]."""
    return load_task_character(broken.task).leg_length


def lower_speed(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield the task at lower speeds; none at a hurdle, which needs speed."""
    task = broken.task
    if find_hurdle_near(broken) is not None:
        return
    fastest = task.speed.max_speed
    for share in REMEDY.speed_shares:
        if share * fastest < REMEDY.min_speed:
            return
        slower = SpeedProfile(task.speed.values * share, task.speed.times)
        yield RemediedTask(
            replace(task, speed=slower),
            f"the speed was lowered from {fastest:.2f} to {share * fastest:.2f} m/s",
        )


def calm_style(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield the task with strides of the style's length and no knobs, then in the natural style."""
    task = broken.task
    plain = replace(
        task,
        knobs=Knobs(),
        stride_length=None,
        step_width_factor=Profile("width", 1.0),
    )
    has_knobs = bool(task.knobs.list_changes())
    has_strides = task.stride_length is not None or (task.step_width_factor.values != 1).any()
    if has_knobs or has_strides:
        changed = [
            name for name, is_set in (("knobs", has_knobs), ("strides", has_strides)) if is_set
        ]
        yield RemediedTask(plain, f"{' and '.join(changed)} were set back to those of the style")
    if task.style != "natural" or task.mixed_styles or task.upper_style is not None:
        yield RemediedTask(
            replace(plain, style="natural", mixed_styles=(), upper_style=None),
            f"the style {task.style!r} was replaced by 'natural'",
        )


def release_pinned_steps(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield the task without the pinned footsteps near the broken frame, then without any."""
    task = broken.task
    near = tuple(
        pinned
        for pinned in task.pinned_steps
        if abs(pinned.time - broken.time) < REMEDY.pinned_span
    )
    for released in (near, task.pinned_steps):
        if released:
            kept = tuple(pinned for pinned in task.pinned_steps if pinned not in released)
            times = ", ".join(
                f"{pinned.time:.2f} s" for pinned in task.pinned_steps if pinned in released
            )
            yield RemediedTask(
                replace(task, pinned_steps=kept),
                f"pinned footsteps were released: those at {times}",
            )


def face_forward(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield the task with the body facing along its path."""
    task = broken.task
    if task.facing is None and not task.facing_offset.values.any():
        return
    yield RemediedTask(
        replace(task, facing=None, facing_offset=type(task.facing_offset)(0.0)),
        "the body faces along its path",
    )


def drop_jumps(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield the task with shorter jumps, then with lower ones that do not turn over."""
    task = broken.task
    if not task.jumps:
        return
    if any(jump.distance for jump in task.jumps):
        for share in REMEDY.jump_shares:
            shorter = tuple(replace(jump, distance=share * jump.distance) for jump in task.jumps)
            yield RemediedTask(replace(task, jumps=shorter), f"jumps were shortened to {share:.0%}")
    for share in REMEDY.jump_shares:
        lower = tuple(
            replace(
                jump,
                height=max(share * jump.height, min(MIN_HEIGHT, jump.height)),
                distance=share * jump.distance,
                flips=0,
            )
            for jump in task.jumps
        )
        yield RemediedTask(
            replace(task, jumps=lower),
            f"jumps were lowered to {share:.0%} and lost their flips",
        )


def end_early(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield the task with a path that ends before the place where the motion broke."""
    task = broken.task
    if task.monkey_bars is not None or task.jumps:
        return
    for lead_time in REMEDY.stop_lead_times:
        place = find_place(broken, broken.time - lead_time)
        if place is None:
            return
        station = find_station(task.path, place)
        if broken.motion is None:
            station -= lead_time * task.speed.max_speed
        if station < REMEDY.min_path_length:
            continue
        x, y = task.path.position_at(station)
        yield RemediedTask(
            replace(
                task,
                path=cut_path(task.path, station),
                stop_at_end=True,
                last_pose=None,
            ),
            f"the walk ends after {station:.2f} m, at ({x:.2f}, {y:.2f})",
        )


def simplify(broken: BrokenMotion) -> Iterator[RemediedTask]:
    """Yield slower tasks with neither style, strides, facing nor pinned footsteps."""
    task = broken.task
    if task.jumps or task.monkey_bars is not None:
        return
    stroll_speed = REMEDY.stroll_speed_ratio * np.sqrt(task.gravity * measure_leg(broken))
    slower = [task.speed.values * share for share in REMEDY.simple_speed_shares]
    for speeds in (*slower, np.minimum(slower[-1], stroll_speed)):
        speed = SpeedProfile(speeds, task.speed.times)
        yield RemediedTask(
            replace(
                task,
                speed=speed,
                knobs=Knobs(),
                style="natural",
                mixed_styles=(),
                upper_style=None,
                stride_length=None,
                step_width_factor=Profile("width", 1.0),
                facing=None,
                facing_offset=type(task.facing_offset)(0.0),
                pinned_steps=(),
            ),
            f"the body moves at {speed.max_speed:.2f} m/s in the natural style, facing along its "
            "path, without pinned footsteps",
        )


def find_place(broken: BrokenMotion, time: float) -> Array | None:
    """Return where the body is at a time [s], or where its plan failed; None without either."""
    if broken.motion is None:
        return None if broken.place is None else np.asarray(broken.place)
    frame = int(np.clip(time * broken.motion.fps, 0, broken.motion.frames - 1))
    return np.asarray(broken.motion.com[frame, :2])


def find_station(path: Path, place: Array) -> float:
    """Return the distance along a path [m] at which it is nearest to a place (2,)."""
    stations = np.linspace(0.0, path.length, 400)
    return float(stations[np.argmin(np.linalg.norm(path.position_at(stations) - place, axis=1))])


def cut_path(path: Path, length: float) -> Path:
    """Return the first `length` metres of a path."""
    steps = np.linalg.norm(np.diff(path.points, axis=0), axis=1)
    stations = np.concatenate([[0.0], np.cumsum(steps)])
    points = path.points[stations < length - 1e-6]
    return Path(np.vstack([points, path.position_at(length)]))


# In the order in which they are tried: what changes the motion least comes first.
REMEDIES: tuple[Remedy, ...] = (
    release_pinned_steps,
    stop_before_hurdle,
    lower_speed,
    calm_style,
    face_forward,
    drop_jumps,
    end_early,
    simplify,
)
