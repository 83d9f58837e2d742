"""Throw a body down by random pushes of 400 to 800 N and measure how it falls.

python scripts/random_falls.py 100             print a table, and the falls beyond a bound
python scripts/random_falls.py 1 --seed 17     print one push
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import mujoco
import numpy as np
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.pose_from_links import poses_from_links
from footfall.core.engine import generate
from footfall.core.engine.shared.character import load_task_character
from footfall.core.errors import FootfallError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.simulate.model import build_simulated_model
from footfall.core.task import Path, Push, SpeedProfile, Task
from footfall.core.terrain import (
    FlatGround,
    Ground,
    Slab,
    make_rolling_hills,
    make_slab_ground,
    make_stair_slabs,
)
from numpy.typing import NDArray

PLACES = ("level ground", "stairs", "hills", "ice")
SHARES = (0.4, 0.2, 0.2, 0.2)  # of the places, in this order
PUSHED_PARTS = ("com", "chest", "head", "pelvis")
REST_TIME = 3.0  # [s] after a push, within which a body is to rest
REST_SPEED = 0.15  # [m/s] of the fastest link of a body that rests
MAX_DEPTH = 0.02  # [m] of a limb in the ground
MAX_RANGE_EXCESS = np.radians(5.0)  # [rad] of a joint, whose stops are a little soft
FPS = 60.0
Draw = np.random.Generator
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Worst:
    """The worst figure of a motion, and of which part it is and when."""

    value: float = 0.0
    where: str = ""


@dataclass(frozen=True)
class PushTask:
    """The task of a push, and a description of the push."""

    text: str
    task: Task


@dataclass(frozen=True)
class Fall:
    """What a push did to a body.

    Attributes:
        outcome: falls, caught or refused.
        rest_time: after the push, from which on the body rests [s].
        depth: of the deepest limb in the ground [m].
        excess: of the joint farthest beyond its range [rad].
        speed: of the fastest link [m/s].
    """

    seed: int
    text: str
    outcome: str
    rest_time: float = 0.0
    depth: Worst = Worst()
    excess: Worst = Worst()
    speed: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether the body lies within its joints' ranges, on the ground, in time."""
        return self.outcome != "falls" or (
            self.rest_time <= REST_TIME
            and self.depth.value <= MAX_DEPTH
            and self.excess.value <= MAX_RANGE_EXCESS
        )

    def describe(self) -> str:
        """Return a line with all figures."""
        return (
            f"{self.seed} {self.text}: {self.outcome}, rests after {self.rest_time:.2f} s, "
            f"{100 * self.depth.value:.1f} cm deep ({self.depth.where}), "
            f"{np.degrees(self.excess.value):.0f} degrees beyond ({self.excess.where}), "
            f"{self.speed:.1f} m/s"
        )


def draw_task(seed: int) -> PushTask:
    """Return the task of a seed."""
    draw = np.random.default_rng(seed)
    place = str(draw.choice(PLACES, p=SHARES))
    angle, size = draw.uniform(0, 2 * np.pi), draw.uniform(400, 800)
    part = str(draw.choice(PUSHED_PARTS))
    push = Push(
        draw.uniform(0.6, 1.8), (size * np.cos(angle), size * np.sin(angle), 0.0), body_part=part
    )
    ground: Ground = FlatGround()
    if place == "stairs":
        ground = _make_stairs()
    elif place == "hills":
        ground = make_rolling_hills(draw, 60.0, 60.0, bump_height=0.15, slope_deg=12.0)
    task = Task(
        Path([[0, 0], [30, 0]]),
        SpeedProfile(0.8 if place == "stairs" else draw.uniform(0.8, 3.5)),
        ground=ground,
        friction=0.2 if place == "ice" else 1.0,
        seconds=push.end + REST_TIME + 0.5,
        fps=FPS,
        pushes=(push,),
        seed=seed,
    )
    return PushTask(f"{place}, {size:.0f} N at {np.degrees(angle):.0f} degrees on {part}", task)


def _make_stairs() -> Ground:
    """Return stairs up along the path, which begin below the first steps."""
    floor = Slab((-30.0, 0.6), (-30.0, 30.0), 0.0)
    top = Slab((0.6 + 12 * 0.32, 40.0), (-30.0, 30.0), 12 * 0.16)
    return make_slab_ground([floor, *make_stair_slabs(0.6, 12, 0.32, 0.16, width=60.0), top])


def measure_fall(seed: int) -> Fall:
    """Return what the push of a seed did."""
    drawn = draw_task(seed)
    text, task = drawn.text, drawn.task
    try:
        motion = generate(task)
    except FootfallError as error:
        return Fall(seed, f"{text} ({error})", "refused")
    if "ground" not in motion.contact_limb:
        return Fall(seed, text, "caught")
    speed = np.linalg.norm(np.diff(motion.link_position, axis=0) * motion.fps, axis=2).max(1)
    moving = np.flatnonzero(speed > REST_SPEED)
    poses = _Poses(motion, task, task.pushes[0].end)
    return Fall(
        seed,
        text,
        "falls",
        rest_time=(moving[-1] + 1) / motion.fps - task.pushes[0].end,
        depth=poses.measure_depth(),
        excess=poses.measure_range_excess(),
        speed=float(speed.max()),
    )


class _Poses:
    """Poses of a motion in the physics engine, with the solids of the body.

    Args:
        begin: time from which on frames count [s]; a planned body has wider joints.
    """

    def __init__(self, motion: Motion, task: Task, begin: float) -> None:
        character = load_task_character(task)
        self._simulated = build_simulated_model(character, FlatGround())
        self._poses = poses_from_links(
            KinematicModel(character),
            motion.link_origin[:, 0],
            so3.quat_to_matrix(motion.link_orientation),
        )
        self._model = self._simulated.mujoco
        self._feet = {self._simulated.links[foot.link] for foot in character.feet}
        self._ground = task.ground
        self._frames = np.flatnonzero(np.arange(motion.frames) >= begin * motion.fps)
        self._fps = motion.fps

    def measure_depth(self) -> Worst:
        """Return the depth [m] of the deepest solid in the ground, and which it is and when."""
        data = mujoco.MjData(self._model)
        worst, where = 0.0, ""
        for frame in self._frames:
            data.qpos[self._simulated.coordinates] = self._poses[frame]
            mujoco.mj_kinematics(self._model, data)
            for geom in self._list_solids():
                lowest = _find_lowest_point(self._model, data, geom)
                height = float(self._ground.sample_heights(lowest[None, :2])[0])
                if height - lowest[2] > worst:
                    worst = height - lowest[2]
                    where = f"{self._name_body(geom)} at {frame / self._fps:.2f} s"
        return Worst(worst, where)

    def measure_range_excess(self) -> Worst:
        """Return by how much a joint exceeds its range [rad]."""
        excess = self._simulated.measure_range_excess(self._poses[self._frames])
        frame, joint = np.unravel_index(excess.argmax(), excess.shape)
        time = self._frames[frame] / self._fps
        name = self._model.joint(int(joint)).name
        return Worst(float(excess.max()), f"{name} at {time:.2f} s")

    def _list_solids(self) -> list[int]:
        """Return the solids of the links; of feet the points of soles, which toes do not bend."""
        model = self._model
        return [
            geom
            for geom in range(model.ngeom)
            if model.geom_bodyid[geom] in self._simulated.links
            and (
                model.geom_bodyid[geom] not in self._feet
                or model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_SPHERE
            )
        ]

    def _name_body(self, geom: int) -> str:
        return str(self._model.body(self._model.geom_bodyid[geom]).name)


def _find_lowest_point(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> Array:
    """Return the lowest point (3,) of a sphere, capsule, ellipsoid or box [m]."""
    kind, size = model.geom_type[geom], model.geom_size[geom]
    rotation = data.geom_xmat[geom].reshape(3, 3)
    down = -rotation[2]  # in the frame of the solid
    if kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        offset = size**2 * down / np.linalg.norm(size * down)
    elif kind == mujoco.mjtGeom.mjGEOM_BOX:
        offset = size * np.sign(down)
    else:
        half_length = size[1] if kind == mujoco.mjtGeom.mjGEOM_CAPSULE else 0.0
        offset = size[0] * down + np.array([0.0, 0.0, half_length * np.sign(down[2])])
    return np.asarray(data.geom_xpos[geom] + rotation @ offset)


def main() -> None:
    """Print the worst figures at each place, and the falls that are beyond a bound."""
    parser = argparse.ArgumentParser(description="Measure how bodies fall after random pushes.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0, help="of the first push")
    parser.add_argument("--processes", type=int, default=None)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.processes) as pool:
        falls = list(pool.map(measure_fall, range(options.seed, options.seed + options.count)))
    print(
        "| place | pushes | falls | caught | refused | latest rest | deepest limb | joint beyond |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for place in PLACES:
        mine = [fall for fall in falls if fall.text.split(",")[0] == place]
        count = {name: sum(f.outcome == name for f in mine) for name in ("falls", "caught")}
        if mine:
            print(
                f"| {place} | {len(mine)} | {count['falls']} | {count['caught']} | "
                f"{len(mine) - sum(count.values())} | {max(f.rest_time for f in mine):.2f} s | "
                f"{100 * max(f.depth.value for f in mine):.1f} cm | "
                f"{np.degrees(max(f.excess.value for f in mine)):.0f} degrees |"
            )
    for fall in falls:
        if options.count == 1 or not fall.is_good or fall.outcome == "refused":
            print(fall.describe())


if __name__ == "__main__":
    main()
