"""The same over and over: what leaks or gets lost shows only then."""
from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from session import Session

LATEST = 1.5              # s after its beginning at which a worker is killed at the latest


def go_round(s: Session, cycles: int) -> None:
    """Generate, undo, redo, undo, reload; all must be as it was before."""
    path = str(s.blender.folder / "cycle.blend")
    s.do(f"save_file({path!r})")
    before, attached = s.state(), s.tell("attached()")
    for k in range(cycles):
        s.begin()
        s.finish()
        after = s.state()
        assert len(after["actions"]) == len(before["actions"]) + 1, f"cycle {k + 1}: {after['actions']}"
        s.display.key("ctrl+z")
        s.until(lambda: s.state()["action"] == before["action"], f"cycle {k + 1}: the state before the action")
        s.display.key("ctrl+shift+z")
        s.until(lambda wanted=after: s.state() == wanted, f"cycle {k + 1}: the action that was undone")
        s.do(f"open_file({path!r})")
        assert s.state() == before, f"cycle {k + 1}: {s.state()} where there was {before}"
        assert s.tell("attached()") == attached, f"cycle {k + 1}: {s.tell('attached()')} hang on Blender where {attached} did"
        s.nothing_runs()
        print(f"  cycle {k + 1} of {cycles}", flush=True)


def kill_at_random(s: Session, kills: int, seed: int) -> None:
    """End the planning process at random moments; whatever had been baked by then is whole, and all else is as it was."""
    chance = random.Random(seed)
    for k in range(kills):
        before, moment = s.state(), chance.uniform(0.0, LATEST)
        s.begin()
        worker = s.until(lambda: s.blender.workers() or not s.working(), "A planning process")
        s.rest(moment)
        if worker is not True and s.blender.workers():
            s.blender.kill_worker()
        s.until(lambda: not s.working(), "The end of the work")
        s.nothing_runs()
        now = s.state()
        if now["action"] == before["action"]:
            assert now == before, f"kill {k + 1} after {moment:.2f} s: {now} where there was {before}"
            what = "killed"
        else:                           # it was done before
            assert all(now["actions"][name] == value for name, value in before["actions"].items())
            what = "done before"
        print(f"  kill {k + 1} of {kills} after {moment:.2f} s: {what}", flush=True)
