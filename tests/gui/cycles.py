"""The same over and over: what leaks or gets lost shows only then."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from session import Session

LATEST = 1.5  # s after its beginning at which a worker is killed at the latest
FRAMES = 30  # of a cycle's motion, so that many cycles can be gone through
LONGER = 240  # of a motion in whose planning a worker is killed


def go_round(s: Session, cycles: int) -> None:
    """Generate, undo, redo, undo, reload; all must be as it was before."""
    path = str(s.blender.folder / "cycle.blend")
    ends = s.tell("bpy.context.scene.frame_end")
    s.do(f"bpy.context.scene.frame_end = {FRAMES}")
    s.do(f"save_file({path!r})")
    before = s.state()
    attached = s.tell("attached()")
    for k in range(cycles):
        s.begin()
        s.finish()
        after = s.state()
        assert len(after["actions"]) == len(before["actions"]) + 1, (
            f"cycle {k + 1}: {after['actions']}"
        )
        s.display.key("ctrl+z")
        s.until(
            lambda: s.state()["action"] == before["action"],
            f"cycle {k + 1}: the state before the action",
        )
        s.display.key("ctrl+shift+z")
        s.until(
            lambda wanted=after: s.state() == wanted, f"cycle {k + 1}: the action that was undone"
        )
        s.do(f"open_file({path!r})")
        assert s.state() == before, f"cycle {k + 1}: {s.state()} where there was {before}"
        assert s.tell("attached()") == attached, (
            f"cycle {k + 1}: {s.tell('attached()')} hang on Blender where {attached} did"
        )
        s.nothing_runs()
        print(f"  cycle {k + 1} of {cycles}: {s.blender.memory():.0f} MB", flush=True)
    s.do(f"bpy.context.scene.frame_end = {ends}")


def kill_at_random(s: Session, kills: int, seed: int) -> None:
    """End the planning process at random moments; whatever had been baked by then is whole,
    and all else is as it was.
    """
    chance = random.Random(seed)
    counts = {"stopped": 0, "done by another process": 0, "done before": 0}
    ends = s.tell("bpy.context.scene.frame_end")
    s.do(f"bpy.context.scene.frame_end = {LONGER}")
    for k in range(kills):
        before, moment = s.state(), chance.uniform(0.0, LATEST)
        s.begin()
        s.rest(moment)
        at_work = s.working()
        if at_work:
            s.blender.kill_worker()
        s.until(lambda: not s.working(), "The end of the work")
        s.nothing_runs()
        now = s.state()
        if now["action"] == before["action"]:
            assert now == before, (
                f"kill {k + 1} after {moment:.2f} s: {now} where there was {before}"
            )
            what = "stopped"
        else:  # it was done before, or the process had not yet begun and another one took over
            assert all(now["actions"][name] == value for name, value in before["actions"].items())
            what = "done by another process" if at_work else "done before"
        counts[what] += 1
        print(f"  kill {k + 1} of {kills} after {moment:.2f} s: {what}", flush=True)
    s.do(f"bpy.context.scene.frame_end = {ends}")
    print(f"  {counts}", flush=True)
