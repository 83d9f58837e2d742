"""How long writing keys takes in each kind of rotation mode, and how long a moved footstep takes to become new keys."""
from __future__ import annotations

import os
import tempfile
import time

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))

from dataclasses import replace

import bpy
import footfall
import numpy as np
from footfall.addon.animation.action_builder import NewAction
from footfall.addon.animation.rotations import channel_name, channels
from footfall.addon.bake.bake import bake_motion
from footfall.addon.scene.task import read_task
from footfall.addon.worker.job import Again, Job, stop_all
from footfall.core.engine.centroidal.editing.resolve import kept_step, stretch_of
from footfall.core.geometry import so3
from footfall.core.motion import Motion

BONES, FRAMES = 60, 600
FPS, SECONDS, TIMES = 30, 20, 5


def main() -> None:
    """Time each; print a line each."""
    _modes()
    footfall.register()
    try:
        _moved_footstep()
    finally:
        footfall.unregister()


def _modes() -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.update()
    turned = so3.exp(np.cumsum(np.random.default_rng(0).normal(scale=0.02, size=(BONES, FRAMES, 3)), 1))
    print(f"{'seconds to bake 60 bones x 600 frames':42}{'total':>10}")
    for mode in ("QUATERNION", "XYZ", "AXIS_ANGLE"):
        begin = time.perf_counter()
        action = NewAction(armature, "bench")
        for k in range(BONES):
            action.add(f'pose.bones["{k}"].{channel_name(mode)}', f"{k}", np.arange(float(FRAMES)), channels(turned[k], mode))
        action.assign()
        print(f"{mode.lower():42}{time.perf_counter() - begin:10.3f}")


def _moved_footstep() -> None:
    """A walk of 20 s on Rigify's human metarig with one footstep moved: the best of a few."""
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, 1 + FPS * SECONDS
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(1)
    spline.points[1].co = (0, -40, 0, 1)
    path = bpy.data.objects.new("Path", curve)
    scene.collection.objects.link(path)
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    armature = bpy.context.object
    bpy.ops.footfall.detect_character()
    scene.footfall.path = path
    asked = read_task(bpy.context)
    motion = _done(Job(asked.task, asked.style))
    step = next(f for f in motion.footsteps if f.time > 0.5 * SECONDS)
    kept = kept_step(step)
    after = replace(asked.task, kept=(replace(kept, place=(kept.place[0] + 0.05, kept.place[1] + 0.05)),))
    begin, end = stretch_of(motion, asked.task, after)
    found = []
    for _ in range(TIMES):
        start = time.perf_counter()
        new = _done(Job(after, asked.style, Again(motion, begin, end)))
        solved = time.perf_counter()
        bake_motion(armature, new, asked.rig.binding, asked.placement, asked.first_frame, asked.way)
        found.append((time.perf_counter() - start, solved - start))
    stop_all()
    whole, solved = min(found)
    print(f"{f'a footstep of {SECONDS} s moved: solved again, with new keys':58}{solved:8.3f}{whole:8.3f}")


def _done(job: Job) -> Motion:
    try:
        while job.poll().motion is None:
            time.sleep(0.005)
        return job.result()
    finally:
        job.stop()


if __name__ == "__main__":
    main()
