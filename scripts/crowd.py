"""Time *Generate All* on a crowd of human metarigs of Rigify, each with another path."""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import resource
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))

import bpy
import footfall
import numpy as np
from footfall.addon.scene.active import add_character_settings
from footfall.addon.worker.batch import JobBatch
from footfall.addon.worker.job import stop_all_jobs

FPS = 30
SPACING = 1.5  # distance between neighbors, which walk side by side [m]
SAMPLE_INTERVAL = 0.5  # between two looks at the memory [s]


class MemoryWatch:
    """Largest memory of this process and its children together."""

    def __init__(self) -> None:
        self.largest = 0.0  # [GB]
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the watch."""
        self._is_over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._is_over.wait(SAMPLE_INTERVAL):
            self.largest = max(self.largest, _measure_memory())


class PlanningClock:
    """Time at which the last motion of a batch was planned."""

    def __init__(self) -> None:
        self.end = 0.0  # [s]
        self._poll = JobBatch.poll

    def __enter__(self) -> PlanningClock:
        clock = self

        def poll(batch: JobBatch) -> list[object]:
            results = clock._poll(batch)
            if results and batch.is_finished:
                clock.end = time.perf_counter()
            return results

        JobBatch.poll = poll
        return self

    def __exit__(self, *error: object) -> None:
        JobBatch.poll = self._poll


def main() -> None:
    """Make a crowd, generate its motions and print times and memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="number of characters")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of the motions")
    parser.add_argument("--profile", type=Path, help="file for a profile of the time in Blender")
    options = parser.parse_args()
    footfall.register()
    try:
        _measure(options)
    finally:
        stop_all_jobs()
        footfall.unregister()


def _measure(options: argparse.Namespace) -> None:
    begin = time.perf_counter()
    _add_crowd(options.count, options.seconds)
    print(f"{options.count} characters added in {time.perf_counter() - begin:.1f} s", flush=True)
    profile = cProfile.Profile(time.process_time)
    watch = MemoryWatch()
    begin = time.perf_counter()
    with PlanningClock() as clock:
        if options.profile:
            profile.enable()
        assert bpy.ops.footfall.generate_all() == {"FINISHED"}
        profile.disable()
    end = time.perf_counter()
    watch.stop()
    key_count = sum(
        len(curve.keyframe_points)
        for action in bpy.data.actions
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    )
    child_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"planned after {clock.end - begin:.1f} s, keyed after {end - begin:.1f} s, "
        f"{watch.largest:.2f} GB, {len(bpy.data.actions)} actions, {key_count} keys, "
        f"{os.times().user:.0f} s of processor in Blender, "
        f"{child_usage.ru_utime + child_usage.ru_stime:.0f} s in ended processes"
    )
    if options.profile:
        profile.dump_stats(options.profile)
        pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def _add_crowd(count: int, seconds: float) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.preferences.addon_enable(module="rigify")
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, 1 + round(FPS * seconds)
    bpy.ops.object.armature_human_metarig_add()
    first = bpy.context.object
    rng = np.random.default_rng(0)
    for k in range(count):
        armature = first if k == 0 else first.copy()
        if k:
            scene.collection.objects.link(armature)
        armature.location.x = SPACING * k
        # not by the operator: each call of an operator evaluates all characters again
        settings = add_character_settings(scene, armature)
        settings.path = _add_path(SPACING * k, rng)


def _add_path(x: float, rng: np.random.Generator) -> bpy.types.Object:
    """Add a path of random bends, longer than anybody walks in the time."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(5)
    for k, point in enumerate(spline.bezier_points):
        point.co = (x + rng.normal(0, 0.3 * (k > 0)), -5.0 * k, 0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    path = bpy.data.objects.new("Path", data)
    bpy.context.scene.collection.objects.link(path)
    return path


def _measure_memory() -> float:
    """Return the memory of this process and its children, shared pages once, on Linux [GB]."""
    processes = [str(os.getpid())]
    for path in Path("/proc/self/task").glob("*/children"):
        processes += path.read_text().split()
    kilobytes = 0
    for process in processes:
        with suppress(OSError):  # It has ended.
            lines = Path("/proc", process, "smaps_rollup").read_text().splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1e6


if __name__ == "__main__":
    main()
