"""Repeated cycles of generation and killed workers, which reveal leaks and lost data."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from session import Session

MAX_KILL_DELAY = 1.5  # Longest time from the start of the work to the kill of its worker [s]
CYCLE_FRAMES = 30  # Length of a cycle's motion, short so that many cycles fit into a session
KILL_FRAMES = 240  # Length of a motion during whose planning a worker is killed


def repeat_cycles(s: Session, cycles: int) -> None:
    """Generate, undo, redo and reload, and check that each cycle restores the initial state."""
    path = str(s.blender.folder / "cycle.blend")
    frame_end = s.evaluate("bpy.context.scene.frame_end")
    s.execute(f"bpy.context.scene.frame_end = {CYCLE_FRAMES}")
    s.execute(f"save_file({path!r})")
    before = s.read_state()
    handlers = s.evaluate("count_handlers()")
    for k in range(cycles):
        s.start_generation()
        s.wait_for_bake()
        after = s.read_state()
        assert len(after["actions"]) == len(before["actions"]) + 1, (
            f"cycle {k + 1}: {after['actions']}"
        )
        s.display.key("ctrl+z")
        s.wait_until(
            lambda: s.read_state()["action"] == before["action"],
            f"cycle {k + 1}: the state before the action",
        )
        s.display.key("ctrl+shift+z")
        s.wait_until(
            lambda expected=after: s.read_state() == expected,
            f"cycle {k + 1}: the action that was undone",
        )
        s.execute(f"open_file({path!r})")
        assert s.read_state() == before, f"cycle {k + 1}: {s.read_state()} where there was {before}"
        assert s.evaluate("count_handlers()") == handlers, (
            f"cycle {k + 1}: handlers {s.evaluate('count_handlers()')}, before {handlers}"
        )
        s.check_idle()
        print(f"  cycle {k + 1} of {cycles}: {s.blender.measure_memory():.0f} MB", flush=True)
    s.execute(f"bpy.context.scene.frame_end = {frame_end}")


def kill_at_random_moments(s: Session, kills: int, seed: int) -> None:
    """Kill the planning process at random moments, and check that every action is complete.

    A new action may have been baked by then; everything else is unchanged.
    """
    generator = random.Random(seed)
    counts = {"stopped": 0, "done by another process": 0, "done before": 0}
    frame_end = s.evaluate("bpy.context.scene.frame_end")
    s.execute(f"bpy.context.scene.frame_end = {KILL_FRAMES}")
    for k in range(kills):
        before, moment = s.read_state(), generator.uniform(0.0, MAX_KILL_DELAY)
        s.start_generation()
        s.wait(moment)
        was_planning = s.is_planning()
        if was_planning:
            s.blender.kill_worker()
        s.wait_until(lambda: not s.is_planning(), "The end of the work")
        s.check_idle()
        after = s.read_state()
        if after["action"] == before["action"]:
            assert after == before, (
                f"kill {k + 1} after {moment:.2f} s: {after} where there was {before}"
            )
            outcome = "stopped"
        else:
            # The work was done before, or another process took it over before it had started.
            assert all(after["actions"][name] == value for name, value in before["actions"].items())
            outcome = "done by another process" if was_planning else "done before"
        counts[outcome] += 1
        print(f"  kill {k + 1} of {kills} after {moment:.2f} s: {outcome}", flush=True)
    s.execute(f"bpy.context.scene.frame_end = {frame_end}")
    print(f"  {counts}", flush=True)
