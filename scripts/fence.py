"""Compare motions and bakes bit by bit with a reference, to guard a change of the code.

    python scripts/fence.py --write FILE.json         save the results of the present code
    python scripts/fence.py --check FILE.json         list all cases whose results differ

Each case is a function below, in the group `core` (motions, by the arrays of their files) or `bake`
(keys that Blender then has, by channel). The reference holds a hash of every array, so that what
differs has a name; the arrays themselves lie beside it (FILE.npz), so that a difference has a size.
Write and check on the same machine, since processors round differently.
"""

from __future__ import annotations

import argparse
import atexit
import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy
SCRATCH = Path(tempfile.mkdtemp(prefix="footfall-fence-"))
# Separate settings, set before Blender starts.
os.environ["BLENDER_USER_RESOURCES"] = str(SCRATCH)
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)

import footfall  # noqa: E402
import numpy as np  # noqa: E402
import tomli_w  # noqa: E402
from footfall.core.engine import create_driver, generate  # noqa: E402
from footfall.core.engine.base import DriveCommand  # noqa: E402
from footfall.core.engine.centroidal.editing.insert_step import (  # noqa: E402
    insert_step,
    remove_step,
)
from footfall.core.engine.centroidal.editing.pinned_steps import (  # noqa: E402
    make_pinned_step,
)
from footfall.core.engine.centroidal.editing.resolve import resolve_stretch  # noqa: E402
from footfall.core.engine.centroidal.editing.stretch import (  # noqa: E402
    find_affected_stretch,
)
from footfall.core.motion import Motion, save_motion  # noqa: E402
from footfall.core.scenarios.scenarios import find_scenario  # noqa: E402
from footfall.core.task import Push, Task, load_task, save_task  # noqa: E402

if importlib.util.find_spec("bpy") is not None:
    import bpy

SEED = 3
FPS = 30
ROOT = Path(__file__).resolve().parents[1]
Arrays = dict[str, np.ndarray]
IGNORED_REPORT_KEYS = ("seconds", "character", "scenario")  # of a report: clocks and paths
POINT_FIELDS = ("co", "handle_left", "handle_right")
ENUM_FIELDS = ("interpolation", "handle_left_type", "handle_right_type", "easing")


@dataclass(frozen=True)
class Case:
    """Something that is made and compared."""

    group: str
    needs: str  # a file below shared/data, empty for none
    make: Callable[..., object]


CASES: dict[str, Case] = {}


def case(group: str, needs: str = "") -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Register a function as a case; with `needs` it is given the path of that file."""

    def register(make: Callable[..., object]) -> Callable[..., object]:
        CASES[make.__name__.strip("_")] = Case(group, needs, make)
        return make

    return register


# --- what cases are made of ---


def generate_scenario(name: str, seconds: float = 1.0, **changes: object) -> Motion:
    """Generate a named scenario's motion."""
    return generate(replace(find_scenario(name).build_task(FPS, seconds, SEED), **changes))


def read_task(**tables: object) -> Task:
    """Read a task file that holds these entries, straight on for 30 m if they have no path."""
    usual = {
        "footfall_task": 1,
        "seconds": 1.0,
        "fps": FPS,
        "seed": SEED,
        "speed": 1.2,
        "path": {"points": [[0, 0], [30, 0]]},
    }
    file = SCRATCH / "task.toml"
    file.write_text(tomli_w.dumps({**usual, **tables}), encoding="utf-8")
    return load_task(file)


def generate_task(**tables: object) -> Motion:
    """Generate the motion of a task file."""
    return generate(read_task(**tables))


def ramp(*profile: tuple[float, float]) -> dict[str, object]:
    """Make ground 6 m wide whose height changes along x only, through places (x, z)."""
    vertices = [[x, y, z] for x, z in profile for y in (-3, 3)]
    quads = range(0, 2 * len(profile) - 2, 2)
    triangles = [t for k in quads for t in ([k, k + 2, k + 3], [k, k + 3, k + 1])]
    return {"kind": "mesh", "vertices": vertices, "triangles": triangles}


def make_quaternion(degrees: float, axis: int) -> list[float]:
    """Give a quaternion about x (0), y (1) or z (2)."""
    half = 0.5 * np.radians(degrees)
    return [float(np.cos(half)), *(float(np.sin(half)) * (k == axis) for k in range(3))]


def drive(task: Task, commands: Iterable[DriveCommand]) -> list[Motion]:
    """Drive a body by commands in turn and undo a part now and then."""
    driver = create_driver(task)
    parts = []
    for k, command in enumerate(commands):
        if k == 1:
            driver.advance(DriveCommand(command.speed, 1.0))
            driver.undo_last()
        parts.append(driver.advance(command))
    return parts


# --- motions: bodies and robots ---


@case("core")
def luxo() -> Motion:
    """Let the desk lamp hop over hills."""
    return generate_scenario("luxo-terrain")


@case("core")
def anymal() -> Motion:
    """Let four legs change their gait."""
    return generate_scenario("anymal-gaits")


@case("core")
def rush() -> Motion:
    """Run as one of a group of large robots."""
    return generate_scenario("anymal-rush")


@case("core")
def cassie_run() -> Motion:
    """Run on knees bent backward."""
    return generate_scenario("cassie-style2")


@case("core")
def cassie_hop() -> Motion:
    """Hop on them."""
    return generate_scenario("cassie-style3")


@case("core")
def hexapod() -> Motion:
    """Go over hills on six legs."""
    return generate_scenario("hexapod-terrain")


@case("core")
def spider() -> Motion:
    """Go over hills on eight legs."""
    return generate_scenario("spider-terrain")


@case("core")
def dog() -> Motion:
    """Trot over hills."""
    return generate_scenario("dog-terrain")


@case("core")
def dog_stalks() -> Motion:
    """Go in a style for four legs."""
    return generate_task(character="dog", speed=0.8, style="stalk")


@case("core")
def horse_walk() -> Motion:
    """Walk as a horse, from standing."""
    return generate_scenario("horse-walk", 1.5, start="standing")


@case("core")
def horse_canter() -> Motion:
    """Keep a gait."""
    return generate_task(character="horse", speed=5.0, gait="canter")


@case("core")
def horse_gallop() -> Motion:
    """Gallop as a horse."""
    return generate_scenario("horse-gallop")


@case("core", "robots/erd_solo12/solo12.urdf")
def robot_urdf(file: Path) -> Motion:
    """Go as a robot's file has it."""
    return generate_task(character=str(file), speed=0.5)


@case("core", "robots/menagerie/unitree_go1/go1.xml")
def robot_mjcf(file: Path) -> Motion:
    """Go as another kind of robot's file has it."""
    return generate_task(character=str(file), speed=0.8)


# --- motions: gaits and styles ---


@case("core")
def walk() -> Motion:
    """Walk straight on."""
    return generate_scenario("humanoid-walk")


@case("core")
def run() -> Motion:
    """Run fast."""
    return generate_scenario("humanoid-fast-run")


@case("core")
def walk_and_run() -> Motion:
    """Get faster until it runs."""
    return generate_task(
        seconds=2.5, style="natural", speed={"speeds": [1.2, 3.4], "times": [0, 2]}
    )


@case("core")
def stop() -> Motion:
    """Walk round a corner and stop where the path ends."""
    return generate_task(seconds=3.5, path={"points": [[0, 0], [1.2, 0], [1.2, 0.8]]}, mass=60.0)


@case("core")
def moon() -> Motion:
    """Go where gravity is less."""
    return generate_scenario("humanoid-moon")


@case("core")
def sneak() -> Motion:
    """Go in a style with a knob turned."""
    return generate_scenario("humanoid-sneaky")


@case("core")
def mixed() -> Motion:
    """Mix styles, and take the upper body of another."""
    return generate_task(style="proud", mixed={"tired": 0.3, "catwalk": 0.2}, upper="march")


@case("core")
def knobs() -> Motion:
    """Turn many knobs."""
    turns = {
        "step_length": 0.05,
        "step_width": 0.2,
        "cadence": 1.1,
        "bounce": 1.3,
        "sway": 1.4,
        "lean": 6.0,
        "crouch": 0.05,
        "foot_roll": 0.7,
        "toe_out": 5.0,
        "knee_lift": 10.0,
        "arm_swing": 1.5,
        "arm_spread": 20.0,
        "head_turn": 25.0,
        "stiffness": 0.3,
    }
    return generate_task(style="walk", knobs=turns)


@case("core", "bvh/cmu_07_12_brisk_walk.bvh")
def clip_style(clip: Path) -> Motion:
    """Walk as a recorded clip shows."""
    return generate_task(style=str(clip))


@case("core", "bvh/cmu_02_04_jump_balance.bvh")
def clip_posture(clip: Path) -> Motion:
    """Hold the upper body as in a clip without a walk."""
    return generate_task(style="walk", upper=str(clip))


@case("core")
def stride_and_width() -> Motion:
    """Change stride and width over time."""
    return generate_task(
        seconds=1.5,
        style="walk",
        stride={"values": [1.0, 1.8], "times": [0.2, 1.2]},
        width={"values": [0.2, 2.0], "times": [0.2, 1.2]},
    )


# --- motions: gaits and obstacles ---


@case("core")
def backward() -> Motion:
    """Walk backward."""
    return generate_scenario("humanoid-backward")


@case("core")
def spin() -> Motion:
    """Spin while walking."""
    return generate_scenario("humanoid-spin", 2.0)


@case("core")
def facing() -> Motion:
    """Face a heading of the world round a bend, and look at something."""
    return generate_task(
        seconds=2.0,
        path={"points": [[0, 0], [1, 0], [2, 1.5]]},
        facing={"headings": [0, 80], "stations": [0, 1.5]},
        look={"places": [[2, 3, 1.5], [4, -3, 1]], "times": [0, 2]},
    )


@case("core")
def stairs() -> Motion:
    """Climb three stairs."""
    return generate_task(
        seconds=2.5,
        speed=0.75,
        style="walk",
        terrain=ramp(
            (-9, 0),
            (0.8, 0),
            (0.8, 0.17),
            (1.1, 0.17),
            (1.1, 0.34),
            (1.4, 0.34),
            (1.4, 0.51),
            (40, 0.51),
        ),
    )


@case("core")
def forefoot() -> Motion:
    """Climb narrow stairs on ball and toes."""
    return generate_scenario("humanoid-stair-forefoot", 3.5)


@case("core")
def slope() -> Motion:
    """Walk up and down a slope, and across it."""
    return generate_task(
        seconds=1.5,
        path={"points": [[0, 0], [1.5, 0], [1.5, 2]]},
        terrain=ramp((-5, 0), (0.3, 0), (1.3, 0.2), (6, -0.3)),
    )


@case("core")
def boxes() -> Motion:
    """Step onto a box and down again."""
    return generate_scenario("humanoid-step-up-down", 3.5)


@case("core")
def stones() -> Motion:
    """Step on stones."""
    return generate_scenario("humanoid-terrain-stones", 3.0)


@case("core")
def leap() -> Motion:
    """Leap over a gap."""
    return generate_scenario("humanoid-leap", 1.5)


@case("core")
def gaps() -> Motion:
    """Run over gaps in hilly ground."""
    return generate_scenario("humanoid-terrain-leap", 2.0)


@case("core")
def hurdles() -> Motion:
    """Run over a hurdle."""
    return generate_scenario("humanoid-hurdles", 2.0)


@case("core")
def bars() -> Motion:
    """Go hand over hand along bars."""
    return generate_scenario("humanoid-monkeybars", 2.5)


@case("core")
def jumps() -> Motion:
    """Jump ahead."""
    return generate_scenario("humanoid-random-jumps", 2.2)


@case("core")
def flip() -> Motion:
    """Jump with a flip."""
    return generate_scenario("humanoid-super-flips", 2.2)


@case("core")
def pushed() -> Motion:
    """Be pushed at the center of mass, from the left."""
    return generate_task(seconds=1.5, push=[{"time": 0.5, "force": [0, -250, 0]}])


@case("core")
def pushed_at_parts() -> Motion:
    """Be pushed at the head from behind and at a hand, with a moment, over hills."""
    return generate_task(
        seconds=1.5,
        terrain={"kind": "hills", "seed": 2},
        push=[
            {"time": 0.3, "force": [150, 0, 0], "at": "head", "seconds": 0.1},
            {"time": 0.9, "force": [-60, 80, 0], "at": "hand.L", "moment": [0, 0, 15]},
        ],
    )


@case("core")
def struck() -> Motion:
    """Take key poses while walking."""
    return generate_task(
        seconds=1.5,
        struck=[
            {"time": 0.6, "hold": 0.1, "turns": {"upper_arm.R": make_quaternion(-80, 1)}},
            {
                "time": 1.2,
                "blend": 0.3,
                "turns": {"head": make_quaternion(25, 2), "chest": make_quaternion(12, 1)},
            },
        ],
    )


@case("core")
def ends() -> Motion:
    """Begin and end in given poses, those of a body that stands."""
    there = {"seconds": 3.5, "start": "standing", "path": {"points": [[0, 0], [0.9, 0]]}}
    stood = generate_task(**there)
    arms = ("upper_arm.L", "upper_arm.R")
    turns = {
        name: make_quaternion(-50, 1) if name in arms else make_quaternion(0, 0)
        for name in stood.link_names
    }
    x, y, z = map(float, stood.link_origin[-1, 0])
    poses = {
        which: {"position": [at, y, z], "turns": turns}
        for which, at in (("first", x - 0.9), ("last", x))
    }
    return generate_task(**there, **poses)


@case("core")
def task_files() -> Arrays:
    """Write tasks with all kinds of things in them as files."""
    names = (
        "humanoid-terrain-stones",
        "humanoid-hurdles",
        "humanoid-push",
        "humanoid-spin",
        "humanoid-super-flips",
        "humanoid-monkeybars",
        "humanoid-sneaky",
        "preview-dodge",
    )
    file = SCRATCH / "written.toml"
    texts = {}
    for name in names:
        save_task(find_scenario(name).build_task(FPS, 2.0, SEED), file)
        save_task(load_task(file), file)
        texts[name] = np.array(file.read_text(encoding="utf-8"))
    return texts


# --- motions: footsteps of the user's, and editing ---


@case("core")
def pinned() -> Motion:
    """Step where footsteps are pinned."""
    return generate_task(
        seconds=2.0,
        style="walk",
        footstep=[
            {"side": "L", "time": 0.8, "place": [0.95, 0.22], "turn": 0.2},
            {"side": "R", "time": 1.35, "place": [1.55, -0.02]},
        ],
    )


@case("core")
def forbidden() -> Motion:
    """Step beside ground that is forbidden."""
    return generate_task(
        seconds=2.0,
        style="walk",
        forbidden=[
            {"points": [[1.0, 0.1]], "radius": 0.2},
            {"points": [[1.6, -1], [2.1, -1], [1.9, 1]]},
        ],
    )


@case("core")
def edited() -> list[Motion]:
    """Move a footstep, and forbid the ground of another; solve those stretches alone."""
    task = read_task(seconds=6.0, style="walk", speed=1.15)
    motion = generate(task)
    pinned_step = make_pinned_step(next(f for f in motion.footsteps if f.time > 2.5))
    after = replace(
        task,
        pinned_steps=(
            replace(
                pinned_step, position=(pinned_step.position[0] + 0.05, pinned_step.position[1])
            ),
        ),
    )
    moved = resolve_stretch(after, motion, find_affected_stretch(motion, task, after))
    x, y = map(float, next(f for f in moved.footsteps if f.time > 4.2).position[:2])
    disc = read_task(forbidden=[{"points": [[x, y]], "radius": 0.15}]).forbidden_areas
    barred = replace(after, forbidden_areas=disc)
    return [moved, resolve_stretch(barred, moved, find_affected_stretch(moved, after, barred))]


@case("core")
def steps_put_in_and_out() -> list[Motion]:
    """Remove a footstep and insert another one."""
    task = read_task(seconds=8.0, style="walk", speed=1.15)
    motion = generate(task)
    middle = next(f for f in motion.footsteps if f.time > 3.5)
    x, y = map(float, middle.position[:2])
    fewer = remove_step(task, motion, middle)
    more = insert_step(task, motion, "LR"[middle.leg], middle.time + 0.1, (x + 0.1, y))
    return [
        resolve_stretch(after, motion, find_affected_stretch(motion, task, after))
        for after in (fewer, more)
    ]


@case("core")
def driven_walk() -> list[Motion]:
    """Steer a body that walks: round a corner, pushed, faster."""
    push = (Push(0.0, (0.0, 150.0, 0.0)),)
    return drive(
        read_task(terrain=ramp((-20, -0.5), (20, 0.5))),
        [
            DriveCommand(1.2),
            DriveCommand(1.2, 0.8),
            DriveCommand(1.6, 0.8, push),
            DriveCommand(0.5, 0.4),
        ],
    )


# --- motions: simulated bodies ---


@case("core")
def simulated_walk() -> Motion:
    """Walk, and be pushed on the head."""
    return generate_task(
        engine="preview",
        speed=1.25,
        push=[{"time": 0.4, "force": [0, 200, 0], "at": "head", "seconds": 0.1}],
    )


@case("core")
def simulated_stand() -> Motion:
    """Stand, turn, be pushed, and be hit by a ball."""
    return generate_task(
        engine="preview",
        speed=0.0,
        start="standing",
        turned={"values": [0, 40], "times": [0.1, 0.9]},
        push=[{"time": 0.3, "force": [80, 60, 0], "at": "chest"}],
        projectile=[{"time": 0.1, "direction": 0.5, "distance": 4.0, "seen": False}],
    )


@case("core")
def simulated_dodge() -> Motion:
    """Dodge a ball."""
    return generate_task(
        engine="preview",
        speed=0.0,
        start="standing",
        seconds=0.9,
        projectile=[{"time": 0.0, "speed": 9.0, "direction": 1.0, "distance": 7.0}],
    )


@case("core")
def simulated_run() -> Motion:
    """Run, and leap."""
    return generate_task(
        engine="preview", speed=2.6, seconds=0.8, jump=[{"time": 0.6, "height": 0.12}]
    )


@case("core")
def simulated_hop() -> Motion:
    """Hop on one leg."""
    return generate_scenario("preview-hop", 0.7)


@case("core")
def simulated_ledge() -> Motion:
    """Go up a step and over a gap."""
    return generate_task(
        engine="preview",
        speed=1.1,
        seconds=0.8,
        terrain=ramp((-9, 0), (0.7, 0), (0.7, 0.1), (9, 0.1)),
    )


@case("core")
def driven_simulation() -> list[Motion]:
    """Steer a simulated body and push it."""
    push = (Push(0.0, (60.0, 40.0, 0.0)),)
    return drive(
        read_task(engine="preview", speed=0.0, start="standing"),
        [
            DriveCommand(0.0),
            DriveCommand(0.8, 0.3),
            DriveCommand(1.0, 0.3, push),
            *[DriveCommand(1.0, -0.4)] * 3,
        ],
    )


# --- keys in Blender ---


def metarig(kind: str = "basic_human", generated: bool = False) -> bpy.types.Object:
    """Add one of Rigify's rigs, its bones alone or with its controls."""
    if "rigify" not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="rigify")
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    rig = bpy.context.object
    if generated:
        bpy.ops.pose.rigify_generate()
        rig = next(o for o in bpy.data.objects if o.type == "ARMATURE" and o != rig)
    return rig


def import_rig(file: Path) -> bpy.types.Object:
    """Import a rig without its animation."""
    if file.suffix == ".fbx":
        bpy.ops.wm.fbx_import(filepath=str(file))
    else:
        copy = SCRATCH / "rig.glb"  # Blender knows no ending .vrm
        shutil.copy(file, copy)
        bpy.ops.import_scene.gltf(filepath=str(copy))
    rigs = [o for o in bpy.data.objects if o.type == "ARMATURE"]
    rig = max(rigs, key=lambda o: len(o.data.bones))
    rig.animation_data_clear()
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    bpy.context.scene.render.fps = 24
    return rig


def set_up_path(
    rig: bpy.types.Object, *points: tuple[float, float], frames: int = 25
) -> bpy.types.Scene:
    """Select a rig and lay a path ahead of it; returns the scene."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    positions = points or ((0, 0), (0, -3), (2, -6))
    spline.points.add(len(positions) - 1)
    for point, (x, y) in zip(spline.points, positions, strict=True):
        point.co = (x, y, 0.0, 1.0)
    curve = bpy.data.objects.new("Path", data)
    scene = bpy.context.scene
    scene.collection.objects.link(curve)
    scene.footfall.path = curve
    scene.frame_end = frames
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    return scene


def bake(rig: bpy.types.Object, **settings: object) -> bpy.types.Object:
    """Generate with settings of the scene's; those that begin with `bake_` are of the bake."""
    scene = bpy.context.scene
    for name, value in settings.items():
        of_bake = name.startswith("bake_")
        owner = scene.footfall_bake if of_bake else scene.footfall
        setattr(owner, name.removeprefix("bake_") if of_bake else name, value)
    if bpy.ops.footfall.generate() != {"FINISHED"}:
        raise RuntimeError("nothing was baked")
    return rig


@case("bake")
def every_frame() -> bpy.types.Object:
    """Key every frame of plain bones."""
    rig = metarig()
    set_up_path(rig)
    return bake(rig)


@case("bake")
def few_keys() -> bpy.types.Object:
    """Key as little as tolerances allow, in a style."""
    rig = metarig()
    set_up_path(rig, frames=37)
    return bake(rig, style="march", bake_spacing="FEW", bake_feet=0.004)


@case("bake")
def on_twos() -> bpy.types.Object:
    """Hold poses for two frames."""
    rig = metarig()
    set_up_path(rig)
    return bake(rig, bake_spacing="STEPS")


@case("bake")
def on_threes() -> bpy.types.Object:
    """Key every third frame, evenly between them."""
    rig = metarig()
    set_up_path(rig)
    return bake(rig, bake_spacing="STEPS", bake_held=False, bake_step=3)


@case("bake")
def rigify_fk() -> bpy.types.Object:
    """Key controls of each joint, with reduced keys."""
    rig = metarig(generated=True)
    set_up_path(rig)
    return bake(rig, controls="FK", bake_spacing="FEW")


@case("bake")
def rigify_ik() -> bpy.types.Object:
    """Key controls of the feet, with the path on the root."""
    rig = metarig(generated=True)
    set_up_path(rig)
    return bake(rig, controls="IK", root_motion="ROOT")


@case("bake")
def root_bone() -> bpy.types.Object:
    """Put the path on the root bone of a moved and turned rig, then on the object."""
    rig = metarig()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    top = bones.new("root")
    top.head = (0, 0, 0)
    top.tail = (0, 0.5, 0)
    bones["spine"].parent = top
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.location = (1.0, 2.0, 0.0)
    rig.rotation_euler = (0.0, 0.0, 0.7)
    set_up_path(rig)
    bake(rig, root_motion="ROOT")
    return bake(rig, root_motion="OBJECT")


@case("bake")
def in_place() -> bpy.types.Object:
    """Stay in place for some frames, in a separate strip."""
    rig = metarig()
    set_up_path(rig)
    return bake(
        rig, root_motion="PLACE", bake_into="STRIP", bake_frames="SPAN", bake_first=5, bake_last=20
    )


@case("bake")
def new_slot() -> bpy.types.Object:
    """Bake a style that is mixed, knobs turned, into a slot of an action that is there."""
    rig = metarig()
    rig.pose.bones["spine"].keyframe_insert("location", frame=3)
    set_up_path(rig)
    knobs = bpy.context.scene.footfall.knobs
    knobs.arm_swing = 1.4
    knobs.crouch = 0.05
    return bake(rig, style="proud", mixed_style="sneak", mixed_share=0.4, bake_into="SLOT")


@case("bake", "bvh/cmu_12_01_walk.bvh")
def clip_on_rig(clip: Path) -> bpy.types.Object:
    """Bake a walk as a recorded clip shows it, legs and root alone."""
    rig = metarig()
    set_up_path(rig)
    return bake(rig, style_from="FILE", clip=str(clip), bake_bones="LEGS")


@case("bake")
def upper_body() -> bpy.types.Object:
    """Blend the upper body into what is there."""
    rig = metarig()
    head = rig.pose.bones["spine.004"]
    for k, frame in enumerate((-10, 12, 40)):
        head.rotation_quaternion = (np.cos(0.2 * k), np.sin(0.2 * k), 0, 0)
        head.keyframe_insert("rotation_quaternion", frame=frame)
    set_up_path(rig)
    return bake(rig, bake_bones="UPPER", bake_blend_in=5, bake_blend_out=6)


@case("bake")
def wolf() -> bpy.types.Object:
    """Key plain bones of four legs, in a style."""
    rig = metarig("wolf")
    set_up_path(rig, (0, 0), (0, -40))
    bpy.ops.footfall.detect_character()
    return bake(rig, quadruped_style="trot")


@case("bake")
def on_ground() -> bpy.types.Object:
    """Walk up a mesh, facing aside."""
    rig = metarig()
    mesh = bpy.data.meshes.new("Ground")
    corners = [(-9, 9, -1), (9, 9, -1), (9, -9, 1), (-9, -9, 1)]
    mesh.from_pydata(corners, [], [(0, 3, 2, 1)])
    ground = bpy.data.objects.new("Ground", mesh)
    scene = set_up_path(rig)
    scene.collection.objects.link(ground)
    bpy.context.view_layer.update()
    return bake(rig, terrain=ground, facing=0.6, start="standing")


@case("bake")
def simulated() -> bpy.types.Object:
    """Bake a simulated body."""
    rig = metarig()
    set_up_path(rig, (0, 0), (0, -6), frames=13)
    return bake(rig, engine="preview", start="standing", natural_speed=False, speed=1.1)


@case("bake")
def moved_step() -> bpy.types.Object:
    """Move a footstep that is shown, and update."""
    rig = metarig()
    set_up_path(rig, (0, 0), (0, -9), frames=97)
    bake(rig)
    bpy.ops.footfall.show_steps()
    bpy.context.scene.footfall_steps.live = False
    step = next(o for o in bpy.data.objects if o.footfall_step.number == 5)
    step.location.x += 0.08
    bpy.context.view_layer.update()
    bpy.ops.footfall.update_steps()
    return rig


@case("bake", "rigs/khronos_CesiumMan.glb")
def gltf_rig(file: Path) -> bpy.types.Object:
    """Bake onto a rig of another file."""
    rig = import_rig(file)
    set_up_path(rig)
    return bake(rig, natural_speed=False, speed=1.0)


@case("bake", "rigs/epic_ThirdPersonRun.fbx")
def fbx_rig(file: Path) -> bpy.types.Object:
    """Run on a game's rig."""
    rig = import_rig(file)
    set_up_path(rig, (0, 0), (0, -30), frames=19)
    return bake(rig, style="run")


@case("bake", "rigs/quaternius_animals_Horse.glb")
def horse_rig(file: Path) -> bpy.types.Object:
    """Gallop on a rig of four legs, with reduced keys."""
    rig = import_rig(file)
    set_up_path(rig, (0, 0), (0, -60))
    bpy.ops.footfall.detect_character()
    return bake(rig, gait="gallop", bake_spacing="FEW")


# --- arrays of what was made ---


def collect_motion_arrays(motion: Motion) -> Arrays:
    """Return the arrays of a motion's file, and its report without computing times."""
    with np.load(save_motion(motion, SCRATCH / "motion", compressed=False)) as file:
        arrays = {name: file[name] for name in file.files}
    report = json.loads((SCRATCH / "motion" / "report.json").read_text(encoding="utf-8"))
    reported = {key: value for key, value in report.items() if key not in IGNORED_REPORT_KEYS}
    return {**arrays, "report": np.array(json.dumps(reported, sort_keys=True))}


def collect_rig_arrays(rig: bpy.types.Object) -> Arrays:
    """Take the keys of all actions by channel, strips, and the pose that the rig then has."""
    arrays = {}
    for action in bpy.data.actions:
        for slot_curve in curves_of(action):
            slot = slot_curve.slot
            curve = slot_curve.curve
            count = len(curve.keyframe_points)
            channel = f"{action.name}{slot}: {curve.data_path}[{curve.array_index}]"
            for name, width, kind in (
                *((k, 2, np.float32) for k in POINT_FIELDS),
                *((w, 1, np.int32) for w in ENUM_FIELDS),
            ):
                values = np.empty(width * count, kind)
                curve.keyframe_points.foreach_get(name, values)
                arrays[f"{channel} {name}"] = values
    for track in rig.animation_data.nla_tracks:
        for strip in track.strips:
            ends = [strip.frame_start, strip.frame_end, strip.blend_in, strip.blend_out]
            arrays[f"strip {track.name}/{strip.name}"] = np.array(ends)
    scene = bpy.context.scene
    scene.frame_set((scene.frame_start + scene.frame_end) // 2)
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    arrays["pose"] = np.array([posed.matrix_world @ b.matrix for b in posed.pose.bones])
    return arrays


@dataclass(frozen=True)
class SlotCurve:
    """A curve of an action and the suffix that names its slot, empty without layers."""

    slot: str
    curve: bpy.types.FCurve


def curves_of(action: bpy.types.Action) -> list[SlotCurve]:
    """Return an action's curves with their slots, in any version of Blender."""
    if hasattr(action, "fcurves"):
        return [SlotCurve("", curve) for curve in action.fcurves]
    bags = [b for layer in action.layers for strip in layer.strips for b in strip.channelbags]
    return [SlotCurve(f"/{bag.slot.identifier}", curve) for bag in bags for curve in bag.fcurves]


def make_arrays(entry: Case, data: Path) -> Arrays:
    """Make a case and take its arrays; those of several motions are numbered."""
    given = [data / entry.needs] if entry.needs else []
    if entry.group == "bake":
        bpy.ops.wm.read_homefile(use_empty=True)
        footfall.register()
        scene = bpy.context.scene
        scene.render.fps = 24
        scene.frame_start = 1
        try:
            return collect_rig_arrays(entry.make(*given))
        finally:
            footfall.unregister()
    outcome = entry.make(*given)
    if isinstance(outcome, dict):
        return outcome
    if isinstance(outcome, Motion):
        return collect_motion_arrays(outcome)
    return {
        f"{k}/{name}": a
        for k, m in enumerate(outcome)
        for name, a in collect_motion_arrays(m).items()
    }


# --- reference and check ---


def hash_array(array: np.ndarray) -> str:
    """Hash an array with its type and shape."""
    head = f"{array.dtype.str} {array.shape} ".encode()
    return hashlib.sha256(head + np.ascontiguousarray(array).tobytes()).hexdigest()


def differences(name: str, now: Arrays, before: dict[str, str], values: Arrays) -> list[str]:
    """Return the arrays of a case that differ, with the largest difference if it is available."""
    lines = [f"{key}: is missing" for key in before if key not in now]
    for key, array in now.items():
        if key not in before:
            lines.append(f"{key}: is new")
        elif hash_array(array) != before[key]:
            lines.append(f"{key}: {_size(array, values.get(f'{name}::{key}'))}")
    return lines


def _size(now: np.ndarray, before: np.ndarray | None) -> str:
    """Say by how much an array differs."""
    if before is None:
        return "differs"
    if now.shape != before.shape or now.dtype != before.dtype:
        was, here = (f"{a.dtype} {a.shape}" for a in (before, now))
        return f"was {was}, is {here}"
    if now.dtype.kind not in "fiub":
        return f"was {str(before)[:200]}, is {str(now)[:200]}"
    deviation = np.abs(now.astype(float) - before.astype(float))
    return (
        f"{np.count_nonzero(deviation)} of {deviation.size} values differ, by "
        f"{np.nanmax(deviation):.3g} at most"
    )


def select_cases(arguments: argparse.Namespace, data: Path) -> dict[str, Case]:
    """Return the requested cases whose data is available."""
    unknown = [name for name in arguments.only or () if name not in CASES]
    if unknown:
        sys.exit(f"There is no case {unknown[0]!r}; there are: {', '.join(CASES)}.")
    out = {}
    for name, entry in CASES.items():
        if arguments.group not in (None, entry.group) or name not in (arguments.only or CASES):
            continue
        if entry.needs and not (data / entry.needs).is_file():
            print(f"{name}: skipped, {data / entry.needs} is not there")
        elif entry.group == "bake" and importlib.util.find_spec("bpy") is None:
            print(f"{name}: skipped, there is no Blender for this Python")
        else:
            out[name] = entry
    return out


def write_reference(cases: dict[str, Case], data: Path, file: Path) -> bool:
    """Keep hashes in a JSON file, and arrays beside it; returns whether all went well."""
    arrays_by_case = {}
    failed = []
    for name, entry in cases.items():
        try:
            arrays_by_case[name] = time_case(name, entry, data)
        except Exception as error:  # Any exception is reported.
            failed.append(f"{name}: {type(error).__name__}: {error}")
    hashes = {
        name: {key: hash_array(a) for key, a in arrays.items()}
        for name, arrays in arrays_by_case.items()
    }
    file.write_text(json.dumps(hashes, indent=1) + "\n", encoding="utf-8")
    flat = {
        f"{name}::{key}": a for name, arrays in arrays_by_case.items() for key, a in arrays.items()
    }
    packed = {f"a{k}": array for k, array in enumerate(flat.values())}
    np.savez(file.with_suffix(".npz"), names=np.array(list(flat)), **packed)
    print(f"\n{len(arrays_by_case)} cases in {file}, {len(failed)} failed", *failed, sep="\n    ")
    return not failed


def check_reference(cases: dict[str, Case], data: Path, file: Path) -> bool:
    """Compare with a reference, print the differences, and return whether there are none."""
    before = json.loads(file.read_text(encoding="utf-8"))
    values = _values(file.with_suffix(".npz"))
    worse = {}
    for name, entry in cases.items():
        if name not in before:
            print(f"{name}: not in the reference")
            continue
        try:
            lines = differences(name, time_case(name, entry, data), before[name], values)
        except Exception as error:  # Any exception is reported.
            lines = [f"{type(error).__name__}: {error}"]
        if lines:
            worse[name] = lines
    for name, lines in worse.items():
        print(f"\n{name} differs:", *lines, sep="\n    ")
    print(f"\n{len(worse)} of {len(cases)} cases differ" + "".join(f" {name}" for name in worse))
    return not worse


def _values(file: Path) -> Arrays:
    """Read the arrays that lie beside a reference, none where they do not."""
    if not file.is_file():
        return {}
    with np.load(file) as packed:
        return {str(name): packed[f"a{k}"] for k, name in enumerate(packed["names"])}


def time_case(name: str, entry: Case, data: Path) -> Arrays:
    """Make a case and print its computing time."""
    began = time.process_time()
    arrays = make_arrays(entry, data)
    print(f"{name}: {len(arrays)} arrays, {time.process_time() - began:.2f} s", flush=True)
    return arrays


def main() -> int:
    """Write a reference or check against it; returns the exit status."""
    parser = argparse.ArgumentParser(description="Compare motions and bakes, bit for bit.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=Path, metavar="FILE.json")
    what.add_argument("--check", type=Path, metavar="FILE.json")
    parser.add_argument("--group", choices=("core", "bake"))
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", metavar="PATH")
    arguments = parser.parse_args()
    began = time.process_time()
    data = arguments.shared.resolve() / "data"
    cases = select_cases(arguments, data)
    done = write_reference if arguments.write else check_reference
    good = done(cases, data, arguments.write or arguments.check)
    print(f"{time.process_time() - began:.0f} s of computing, without that of Blender's workers")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
