"""Time the baking of keys in each rotation mode, the update after a moved footstep, and bakes onto
controls.
"""

from __future__ import annotations

import os
import tempfile
import time

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))

from dataclasses import replace

import bpy
import footfall
import numpy as np
from footfall.addon.animation.action_builder import ActionBuilder, PendingKeys
from footfall.addon.animation.rotations import get_channel_name, to_channels
from footfall.addon.bake import control_rig
from footfall.addon.bake.bake import bake_motion
from footfall.addon.bake.motion_placement import MotionPlacement
from footfall.addon.scene.task import read_task
from footfall.addon.worker.job import Job, ResolveWindow, stop_all_jobs
from footfall.core.engine.centroidal.editing.pinned_steps import make_pinned_step
from footfall.core.engine.centroidal.editing.stretch import find_affected_stretch
from footfall.core.geometry import so3
from footfall.core.motion import Motion

BONES = 60
FRAMES = 600
FPS = 30
SECONDS = 20
CONTROL_SECONDS = 10
TIMES = 5


def main() -> None:
    """Print one line for each time."""
    _time_rotation_modes()
    footfall.register()
    try:
        _time_moved_footstep()
        _time_controls()
    finally:
        footfall.unregister()


def _time_rotation_modes() -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.update()
    rotations = so3.exp(
        np.cumsum(np.random.default_rng(0).normal(scale=0.02, size=(BONES, FRAMES, 3)), 1)
    )
    print(f"{'seconds to bake 60 bones x 600 frames':42}{'total':>10}")
    for mode in ("QUATERNION", "XYZ", "AXIS_ANGLE"):
        begin = time.perf_counter()
        keys = PendingKeys()
        for k in range(BONES):
            keys.add(
                f'pose.bones["{k}"].{get_channel_name(mode)}',
                f"{k}",
                np.arange(float(FRAMES)),
                to_channels(rotations[k], mode),
            )
        action = ActionBuilder(armature, "bench", keys)
        action.write()
        action.assign()
        print(f"{mode.lower():42}{time.perf_counter() - begin:10.3f}")


def _time_moved_footstep() -> None:
    """Move one footstep of a walk of 20 s on Rigify's human metarig, several times."""
    _start_scene(SECONDS)
    bpy.ops.object.armature_basic_human_metarig_add()
    armature = bpy.context.object
    bpy.ops.footfall.detect_character()
    request = read_task(bpy.context)
    motion = _finish_job(Job(request.task, request.style))
    step = next(f for f in motion.footsteps if f.time > 0.5 * SECONDS)
    pinned_step = make_pinned_step(step)
    after = replace(
        request.task,
        pinned_steps=(
            replace(
                pinned_step,
                position=(pinned_step.position[0] + 0.05, pinned_step.position[1] + 0.05),
            ),
        ),
    )
    stretch = find_affected_stretch(motion, request.task, after)
    timings = []
    for _ in range(TIMES):
        start = time.perf_counter()
        resolved = _finish_job(
            Job(after, request.style, ResolveWindow(motion, stretch.begin, stretch.end))
        )
        solve_time = time.perf_counter()
        bake_motion(
            armature,
            resolved,
            request.rig.binding,
            MotionPlacement(request.placement, request.first_frame, request.rig_options),
        )
        timings.append((time.perf_counter() - start, solve_time - start))
    stop_all_jobs()
    total_time, solve_time = min(timings)
    label = f"a footstep of {SECONDS} s moved: solved again, with new keys"
    print(f"{label:58}{solve_time:8.3f}{total_time:8.3f}")


def _time_controls() -> None:
    """Bake 10 s onto the controls of Rigify's generated human, with each kind of kinematics."""
    _start_scene(CONTROL_SECONDS)
    bpy.ops.object.armature_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE" and o != metarig)
    metarig.select_set(False)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.footfall.detect_character()
    print(f"{f'seconds of computing to bake {CONTROL_SECONDS} s onto controls':42}{'total':>10}")
    for controls in ("FK", "IK"):
        bpy.context.scene.footfall.controls = controls
        request = read_task(bpy.context)
        motion = _finish_job(Job(request.task, request.style))
        placement = MotionPlacement(request.placement, request.first_frame, request.rig_options)
        timings = []
        for _ in range(TIMES):
            control_rig._solved_bakes.clear()
            start = time.process_time()
            bake_motion(armature, motion, request.rig.binding, placement)
            timings.append(time.process_time() - start)
        print(f"{controls:42}{min(timings):10.3f}")
    stop_all_jobs()


def _start_scene(seconds: int) -> None:
    """Start an empty scene with a path ahead, and enable Rigify."""
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, 1 + FPS * seconds
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(1)
    spline.points[1].co = (0, -40, 0, 1)
    path = bpy.data.objects.new("Path", curve)
    scene.collection.objects.link(path)
    bpy.ops.preferences.addon_enable(module="rigify")
    scene.footfall.path = path


def _finish_job(job: Job) -> Motion:
    try:
        while job.poll().motion_file is None:
            time.sleep(0.005)
        return job.load_result()
    finally:
        job.stop()


if __name__ == "__main__":
    main()
